import type { ApiAnswer } from "../wire.ts";

/** What an error of the Graph API holds beside its code. */
export type GraphError = {
  readonly code: number;
  readonly message: string;
  readonly subcode?: number;
  readonly type?: string;
  readonly details?: string;
  readonly status?: number;
};

/** An error as the Graph API answers it. */
export function graphError({ code, message, subcode, details, type, status }: GraphError): ApiAnswer {
  const error = {
    message: `(#${code}) ${message}`,
    type: type ?? "OAuthException",
    code,
    ...(subcode === undefined ? {} : { error_subcode: subcode }),
    ...(details === undefined ? {} : { error_data: { messaging_product: "whatsapp", details } }),
    fbtrace_id: "AsimulatedTrace00000000",
  };
  return { status: status ?? 400, json: { error } };
}

/** The token is not one that this app has given, or it has ended. */
export const badToken: ApiAnswer = {
  status: 401,
  json: {
    error: {
      message: "Invalid OAuth access token - Cannot parse access token",
      type: "OAuthException",
      code: 190,
      fbtrace_id: "AsimulatedTrace00000000",
    },
  },
};

/** There is no such object, or the token may not see it. */
export function noSuchObject(id: string, verb: "get" | "post"): ApiAnswer {
  const message = `Unsupported ${verb} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`;
  const error = {
    message,
    type: "GraphMethodException",
    code: 100,
    error_subcode: 33,
    fbtrace_id: "AsimulatedTrace00000000",
  };
  return { status: 400, json: { error } };
}
