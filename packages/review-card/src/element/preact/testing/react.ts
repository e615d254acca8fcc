/** React as the card's own tests want it, on what the script file has instead of it. */
export { Fragment as StrictMode } from "preact";
export {
  createContext,
  createElement,
  Fragment,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from "../react.ts";
