/** Finds the clients' keys whose time is over without reading all of them. */
export const keysByEnd: string = `
create index keys_by_end on keys (keep_until);
`;
