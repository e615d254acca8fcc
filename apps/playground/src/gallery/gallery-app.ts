import { Hono } from "hono";
import { type GalleryLocale, galleryLocales } from "./choices.ts";
import { composeCards, type GalleryCards } from "./compose-cards.ts";

/** Serves the gallery's cards, composed once per locale. */
export function createGalleryApp(): Hono {
  const app = new Hono();
  const composed = new Map<GalleryLocale, Promise<GalleryCards>>();
  app.get("/cards", async (c) => {
    const locale = galleryLocales.find((each) => each === c.req.query("locale"));
    if (locale === undefined) {
      return Response.json(
        { code: "not_found", detail: `locale: one of ${galleryLocales.join(", ")}` },
        { status: 404 },
      );
    }
    const cards = composed.get(locale) ?? composeCards(locale);
    composed.set(locale, cards);
    return c.json(await cards);
  });
  return app;
}
