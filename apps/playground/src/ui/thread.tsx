import type { ReactElement, RefObject } from "react";
import { useEffect, useRef } from "react";
import type { ChatLine, ChatWrite, Person } from "../bot/chat-log.ts";
import { CardSlot } from "./card-slot.tsx";
import { nameOf, stateText } from "./names.ts";

type ThreadProps = {
  readonly conversationId: string;
  readonly person: Person | null;
  readonly signIn: number;
  readonly lines: readonly ChatLine[];
  readonly writes: readonly ChatWrite[];
  readonly ended: "customer_changed" | "signed_out" | null;
};

function Line(props: { readonly line: ChatLine; readonly named: boolean }): ReactElement {
  const { from, person, text } = props.line;
  if (from === "notice") return <p className="notice">{text}</p>;
  return (
    <div className={`line from-${from}`}>
      {props.named && <p className="who">{from === "assistant" ? "Shop assistant" : nameOf(person)}</p>}
      <p className="bubble">
        <bdi>{text}</bdi>
      </p>
    </div>
  );
}

function FormerWrite(props: { readonly write: ChatWrite }): ReactElement {
  return (
    <p className="former">
      {props.write.title}: {stateText(props.write.state)}
    </p>
  );
}

// In pixels: how far below or above what is seen the end may be for a reader to be at it. The composer covers up to 140.
const near = 64;
const past = 200;
const backKeys = new Set(["ArrowUp", "PageUp", "Home"]);

/** Keeps the end in view as the conversation grows; a reader who scrolled back is left there until the next own message. */
function useFollowing(
  end: RefObject<HTMLDivElement | null>,
  content: RefObject<HTMLDivElement | null>,
  ownMessage: number | undefined,
): void {
  const following = useRef(true);
  useEffect(() => {
    const grown = content.current;
    const scroller = grown?.parentElement;
    if (grown === null || !scroller) return;
    const ended = new AbortController();
    const listen = { capture: true, passive: true, signal: ended.signal };
    // The position alone does not tell who scrolled: it also moves when a card changes its height or takes the focus.
    const leave = (): void => {
      following.current = false;
    };
    document.addEventListener("wheel", (event) => event.deltaY < 0 && leave(), listen);
    document.addEventListener("touchmove", leave, listen);
    document.addEventListener(
      "click",
      (event) => (event.target as Element).closest("a") !== null && leave(),
      listen,
    );
    document.addEventListener("keydown", (event) => backKeys.has(event.key) && leave(), listen);
    scroller.addEventListener("pointerdown", (event) => event.target === scroller && leave(), listen);
    // How far the end is below what is seen. Narrow pages scroll as a whole, wide ones only the thread.
    const below = (): number => {
      const scrolls = getComputedStyle(scroller).overflowY === "auto";
      const bottom = scrolls ? scroller.getBoundingClientRect().bottom : window.innerHeight;
      return (end.current?.getBoundingClientRect().top ?? 0) - bottom;
    };
    const arrive = (): void => {
      // A reader who went on to the panel below the chat is past its end, and stays there.
      if (below() < near) following.current = below() > -past;
    };
    document.addEventListener("scroll", arrive, listen);
    const growth = new ResizeObserver(() => {
      if (following.current) end.current?.scrollIntoView({ block: "end" });
    });
    growth.observe(grown);
    return () => {
      growth.disconnect();
      ended.abort();
    };
  }, [end, content]);

  useEffect(() => {
    if (ownMessage === undefined) return;
    following.current = true;
    end.current?.scrollIntoView({ block: "end" });
  }, [end, ownMessage]);
}

/** The conversation of this tab's person, with the card where its write was proposed. */
export function Thread(props: ThreadProps): ReactElement {
  const { lines, writes } = props;
  const end = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);

  useFollowing(end, content, lines.findLast((line) => line.from === "customer")?.id);

  const newest = lines.findLast((line) => line.writeId !== null)?.id;
  const card = <CardSlot key={`card:${props.signIn}`} {...props} />;
  const flow: ReactElement[] = [];
  for (const [index, line] of lines.entries()) {
    flow.push(<Line key={line.id} line={line} named={lines[index - 1]?.from !== line.from} />);
    const write = writes.find(({ writeId }) => writeId === line.writeId);
    if (line.id === newest) flow.push(card);
    else if (write !== undefined) flow.push(<FormerWrite key={write.writeId} write={write} />);
  }
  if (newest === undefined) flow.push(card);

  return (
    <div className="thread">
      <div className="flow" ref={content}>
        {flow}
      </div>
      <div className="end" ref={end} />
      <p className="heard" role="status">
        {lines.findLast((line) => line.from === "assistant")?.text ?? ""}
      </p>
    </div>
  );
}
