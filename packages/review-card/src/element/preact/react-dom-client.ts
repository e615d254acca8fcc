import { type ComponentChild, render } from "preact";

/** As React's, without its options. */
export function createRoot(place: Element): {
  render(children: ComponentChild): void;
  unmount(): void;
} {
  return {
    render: (children) => render(children, place),
    unmount: () => render(null, place),
  };
}
