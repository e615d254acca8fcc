import {
  type GalleryChoice,
  galleryLocales,
  galleryStates,
  galleryThemes,
  galleryWidths,
} from "../../gallery/choices.ts";

const oneOf = <Value extends string>(values: readonly Value[], given: string | null): Value | undefined =>
  values.find((value) => value === given);

/** What an address of the gallery asks for: one page, or the index. Values that the gallery lacks count as not given. */
export function choiceIn(search: string): Partial<GalleryChoice> {
  const query = new URLSearchParams(search);
  const state = oneOf(galleryStates, query.get("state"));
  const theme = oneOf(galleryThemes, query.get("theme"));
  const locale = oneOf(galleryLocales, query.get("locale"));
  const width = oneOf(galleryWidths, query.get("width"));
  return {
    ...(state && { state }),
    ...(theme && { theme }),
    ...(locale && { locale }),
    ...(width && { width }),
  };
}

/** The address of one page of the gallery. */
export const galleryAddress = (choice: GalleryChoice): string => `/gallery?${new URLSearchParams(choice)}`;
