import { type ComponentChild, render } from "preact";

/** The card as it is first drawn. The script file never renders on a server; its tests ask for no more. */
export function renderToString(element: ComponentChild): string {
  const place = document.createElement("div");
  render(element, place);
  const html = place.innerHTML;
  render(null, place);
  return html;
}
