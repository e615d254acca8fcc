/** A stretch of display text: as it was written, or a mark that stands for something one could not see. */
export type TextSegment = { readonly text: string; readonly mark: boolean };

const marks = /(⟦(?:[↵⇥␣]|U\+[0-9A-F]{4,6})(?:×\d+)?⟧)/u;

/** Splits display text into plain stretches and marks; joined, they are the display text again. */
export function splitMarks(display: string): readonly TextSegment[] {
  return display
    .split(marks)
    .map((text, index) => ({ text, mark: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}
