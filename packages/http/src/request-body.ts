import type { ReadJson } from "./strict-json.ts";
import { readJson } from "./strict-json.ts";

/** The largest request body, in bytes. */
const maxBodyBytes: number = 256 * 1024;

/** A request's body: absent, refused before it was JSON, or read as JSON. */
export type ReadBody =
  | { readonly refused: "too_large" | "unsupported_media_type" }
  | { readonly empty: true }
  | ReadJson;

/** The bytes, or undefined as soon as there are more than `most`; what was not read is let go. */
export async function readBytes(request: Request, most: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > most) return undefined;
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > most) {
      void reader.cancel().catch(() => undefined);
      return undefined;
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks, size);
}

/** A body without a media type is taken as JSON: the credential is a header, so no form of another site gets this far. */
function isJson(contentType: string | null): boolean {
  return contentType === null || /^application\/json\s*(;|$)/i.test(contentType.trim());
}

/** Reads a request's body up to {@link maxBodyBytes}. Never rejects. */
export async function readBody(request: Request): Promise<ReadBody> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readBytes(request, maxBodyBytes);
  } catch {
    // Whoever sent it is gone, which is no fault of this program.
    return { malformed: "the body broke off" };
  }
  if (bytes === undefined) return { refused: "too_large" };
  if (bytes.byteLength === 0) return { empty: true };
  if (!isJson(request.headers.get("content-type"))) return { refused: "unsupported_media_type" };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { malformed: "the bytes are not UTF-8" };
  }
  return readJson(text);
}
