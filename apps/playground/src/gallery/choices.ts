/** What the gallery shows a card in: every state of the flow, and values that are hard to show. */
export const galleryStates = [
  "proposed",
  "edited",
  "drifted",
  "expired",
  "running",
  "awaiting_verification",
  "pending",
  "unknown",
  "applied",
  "not_applied",
  "declined",
  "withdrawn",
  "superseded",
  "high_risk",
  "long_values",
  "hostile_values",
  "many_fields",
] as const;

/** One of the gallery's states. */
export type GalleryState = (typeof galleryStates)[number];

/** The card's own two looks, and the theme files of its package in both. */
export const galleryThemes = [
  "light",
  "dark",
  "harbor-light",
  "harbor-dark",
  "ember-light",
  "ember-dark",
  "contrast-light",
  "contrast-dark",
] as const;

/** One of the gallery's themes. */
export type GalleryTheme = (typeof galleryThemes)[number];

/** The languages that the card's own words are written in. */
export const galleryLocales = ["en", "es", "pt-BR", "fr", "de", "ar", "hi", "ja"] as const;

/** One of the gallery's locales. */
export type GalleryLocale = (typeof galleryLocales)[number];

/** Widths of the card's container, in CSS pixels. */
export const galleryWidths = ["320", "360", "560"] as const;

/** One of the gallery's widths. */
export type GalleryWidth = (typeof galleryWidths)[number];

/** One page of the gallery. */
export type GalleryChoice = {
  readonly state: GalleryState;
  readonly theme: GalleryTheme;
  readonly locale: GalleryLocale;
  readonly width: GalleryWidth;
};
