import type { Person } from "../bot/chat-log.ts";
import { people } from "../bot/chat-log.ts";

/** What a person is called on the page. */
export function nameOf(person: Person | null): string {
  return person === null ? "Guest" : people[person].name;
}

/** A write's state in words. */
export function stateText(state: string): string {
  return state.replaceAll("_", " ");
}
