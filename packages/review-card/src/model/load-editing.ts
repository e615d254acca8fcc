type Editing = typeof import("../editing.ts");

/** The code of editing, once it is here. Whatever is being edited has it. */
export const loaded: { editing?: Editing } = {};

let asked: Promise<void> | undefined;

/** Loads the code of editing, once. Rejects when it cannot be had; then the next call tries again. */
export function loadEditing(): Promise<void> {
  asked ??= import("../editing.ts").then(
    ({ checkEntries, EditForm, entriesOf, faultsOf, rebase }) => {
      loaded.editing = { checkEntries, EditForm, entriesOf, faultsOf, rebase };
    },
    (error: unknown) => {
      asked = undefined;
      throw error;
    },
  );
  return asked;
}
