import { configure } from "@testing-library/dom";
import { type ComponentChild, render as draw, hydrate } from "preact";
import { act as actOnce } from "preact/test-utils";

export { fireEvent, screen, waitFor, within } from "@testing-library/dom";

/** As React's: what follows from `run` is drawn before the next line, and what it awaits has arrived. */
export const act = (run: () => unknown): Promise<void> =>
  actOnce(() => {
    const result = run();
    if (!(result instanceof Promise)) return undefined;
    return result.then(() => new Promise<void>((resolve) => setTimeout(resolve)));
  });

// What an event changes is drawn before the next line of a test, as with React.
configure({
  eventWrapper(run) {
    let result: unknown;
    void act(() => {
      result = run();
    });
    return result;
  },
  async asyncWrapper(run) {
    let result: unknown;
    await act(async () => {
      result = await run();
    });
    return result as Awaited<ReturnType<typeof run>>;
  },
});

type Drawn = {
  readonly container: HTMLElement;
  rerender(element: ComponentChild): void;
  unmount(): void;
};

const places = new Set<HTMLElement>();

/** As Testing Library's for React. */
export function render(
  element: ComponentChild,
  options: { readonly container?: HTMLElement; readonly hydrate?: boolean } = {},
): Drawn {
  const container = options.container ?? document.body.appendChild(document.createElement("div"));
  places.add(container);
  const put = (next: ComponentChild): void => void act(() => draw(next, container));
  if (options.hydrate) void act(() => hydrate(element, container));
  else put(element);
  return { container, rerender: put, unmount: () => put(null) };
}

/** As Testing Library's for React. */
export function cleanup(): void {
  for (const place of places) {
    void act(() => draw(null, place));
    place.remove();
  }
  places.clear();
}
