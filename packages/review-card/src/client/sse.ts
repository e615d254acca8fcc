/** One message of an event stream. */
export type StreamEvent = { readonly event: string; readonly data: string; readonly id: string | null };

/**
 * Reads `text/event-stream` piece by piece (WHATWG HTML, section 9.2.6, read 2026-11-30). Feed it text as it arrives; it
 * returns the events that are complete. `id` is the last one named, which later events inherit.
 */
export function createEventParser(): (text: string) => StreamEvent[] {
  let rest = "";
  let event = "";
  let data: string[] = [];
  let id: string | null = null;

  function take(line: string, found: StreamEvent[]): void {
    if (line === "") {
      if (data.length > 0) found.push({ event: event === "" ? "message" : event, data: data.join("\n"), id });
      event = "";
      data = [];
      return;
    }
    const at = line.indexOf(":");
    const name = at === -1 ? line : line.slice(0, at);
    const value = at === -1 ? "" : line.slice(at + 1).replace(/^ /, "");
    if (name === "event") event = value;
    else if (name === "data") data.push(value);
    else if (name === "id" && !value.includes("\0")) id = value;
  }

  return (text) => {
    rest += text;
    const found: StreamEvent[] = [];
    // A lone CR at the end may be half of a CRLF.
    for (let match = /\r\n|\n|\r(?!$)/.exec(rest); match; match = /\r\n|\n|\r(?!$)/.exec(rest)) {
      take(rest.slice(0, match.index), found);
      rest = rest.slice(match.index + match[0].length);
    }
    return found;
  };
}
