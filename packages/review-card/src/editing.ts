// What only a card that is being edited needs: loaded when a card comes that may be edited, and a file of its own.
export { checkEntries, entriesOf, faultsOf, rebase } from "./model/entries.ts";
export { EditForm } from "./parts/form.tsx";
