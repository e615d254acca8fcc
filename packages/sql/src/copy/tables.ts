/** Which rows of a file become the rows of a table. The columns are those that the target's table has. */
export type TableCopy = {
  /** The same in both databases. */
  readonly name: string;
  /** Where the rows are found in the file, when not in the table of that name alone. */
  readonly from?: string;
  /** In which order they are put, where that matters. */
  readonly order?: string;
  /** What the file has no column for. */
  readonly given?: { readonly [column: string]: number };
};

/** Every table of the schema. A new one is a line here; a test compares the list with both schemas. */
export const tableCopies: readonly TableCopy[] = [
  { name: "customers" },
  { name: "conversations" },
  // No process made up this stamp for an append of its own, so none will take these events for one of its own.
  { name: "journal", order: "id", given: { stamp: 0 } },
  { name: "plain", from: "plain join journal using (id)", order: "id" },
  { name: "writes" },
  { name: "keys" },
  { name: "deliveries" },
  { name: "inbox" },
  { name: "prompts", order: "id" },
  { name: "contacts" },
  { name: "channel_content" },
];
