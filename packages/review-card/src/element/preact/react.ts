/**
 * What the card takes from React, on Preact's core: what a page without React has to load is a few kilobytes, where all
 * of `preact/compat` is twice as many. A name that is missing here fails the build.
 */
import { createElement as createPreactElement, options } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

export { createContext, Fragment } from "preact";
export {
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "preact/hooks";

type Props = { readonly [name: string]: unknown };

options.event = (event: Event) => Object.assign(event, { nativeEvent: event });

const focus = (element: HTMLElement | null): void => element?.focus();

/** What React calls by another name than the browser does, or does itself. */
function asInBrowser(type: unknown, { autoFocus, onChange, onFocus, onBlur, ...rest }: Props): Props {
  return {
    ...rest,
    // A browser heeds it only while the page is loading.
    ...(autoFocus === true && { ref: focus }),
    ...(onChange !== undefined && { [type === "select" ? "onChange" : "onInput"]: onChange }),
    ...(onFocus !== undefined && { onfocusin: onFocus }),
    ...(onBlur !== undefined && { onfocusout: onBlur }),
  };
}

/** As React's. */
export function createElement(type: unknown, props: Props | null, ...children: unknown[]): unknown {
  const given = typeof type === "string" && props ? asInBrowser(type, props) : props;
  return createPreactElement(type as "input", given as object, ...(children as []));
}

/** As React's, for a page in which nothing was rendered on a server. */
export function useSyncExternalStore<Value>(
  subscribe: (listener: () => void) => () => void,
  getSnapshot: () => Value,
): Value {
  const value = getSnapshot();
  const [, redraw] = useState<object>();
  const drawn = useRef({ value, getSnapshot });
  const redrawIfOld = useRef(() => {
    if (!Object.is(drawn.current.value, drawn.current.getSnapshot())) redraw({});
  }).current;
  useLayoutEffect(() => {
    drawn.current = { value, getSnapshot };
    redrawIfOld();
  }, [value, getSnapshot, redrawIfOld]);
  useLayoutEffect(() => subscribe(redrawIfOld), [subscribe, redrawIfOld]);
  return value;
}
