import { memoryStore } from "../memory/store.ts";
import type { Store } from "../ports/store.ts";

/** A store with one fault, to prove that the contract finds it. */
export type BrokenStore = {
  /** What it does wrong. */
  readonly name: string;
  /** Name of a contract case that it fails. */
  readonly fails: string;
  open(): Promise<Store>;
};

type Fault = (store: Store) => Partial<Store>;

/** A store in memory that does one thing otherwise. */
export function broken(name: string, fails: string, fault: Fault): BrokenStore {
  return {
    name,
    fails,
    async open() {
      const store = memoryStore();
      return { ...store, ...fault(store) };
    },
  };
}
