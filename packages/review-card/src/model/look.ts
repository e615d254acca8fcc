import type { CardAnswer } from "./answer.ts";
import type { Timers } from "./timers.ts";

const longestWaitMs = 15_000;

/** Runs `ask`; a throw or a rejected promise is an answer that never came. */
export function askFor(ask: () => Promise<CardAnswer>, then: (answer: CardAnswer) => void): void {
  const lost = (): void => then({ type: "unreachable" });
  try {
    ask().then(then, lost);
  } catch {
    lost();
  }
}

/** Asks how the write stands, one question at a time, slower after every one that found no answer. */
export type Look = {
  start(ask: () => Promise<CardAnswer>): void;
  stop(): void;
};

/** `onAnswer` hears every answer; it returns false when the question stays open and is to be asked again. */
export function createLook(
  timers: Timers,
  onAnswer: (answer: CardAnswer) => boolean,
  onAgain: () => void,
): Look {
  let busy = false;
  let misses = 0;
  let round = 0;
  let cancel: () => void = () => {};
  return {
    start(ask) {
      if (busy) return;
      busy = true;
      const mine = ++round;
      askFor(ask, (answer) => {
        if (mine !== round) return;
        if (onAnswer(answer)) {
          busy = false;
          misses = 0;
          return;
        }
        misses += 1;
        cancel = timers.after(Math.min(500 * 2 ** misses, longestWaitMs), () => {
          busy = false;
          onAgain();
        });
      });
    },
    stop() {
      round += 1;
      busy = false;
      cancel();
    },
  };
}
