import { checkEntries, EditForm, entriesOf, faultsOf, rebase } from "../editing.ts";
import type { loaded as loadedLater } from "../model/load-editing.ts";

// One file has everything from the start. It stands here by name: the object that stands for a module is made with the
// help of prototypes, which a page may have made its own.

/** The code of editing, which is here. */
export const loaded: typeof loadedLater = {
  editing: { checkEntries, EditForm, entriesOf, faultsOf, rebase },
};

/** Has nothing to load. */
export const loadEditing = async (): Promise<void> => {};
