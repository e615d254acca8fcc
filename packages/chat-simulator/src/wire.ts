/** A request to one of the platforms' APIs. */
export type ApiRequest = {
  readonly method: string;
  /** Without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  header(name: string): string | undefined;
  readonly body: string;
};

/** What an API answers, in JSON. */
export type ApiAnswer = {
  readonly status: number;
  readonly json: unknown;
  readonly headers?: { readonly [name: string]: string };
};
