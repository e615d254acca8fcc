import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useState } from "react";
import type { Person } from "../bot/chat-log.ts";
import { backend } from "./backend.ts";
import { Composer } from "./composer.tsx";
import { CustomerSwitch } from "./customer-switch.tsx";
import { Journal } from "./journal.tsx";
import { ShopSwitch } from "./shop-switch.tsx";
import { rememberPerson } from "./tab.ts";
import { Thread } from "./thread.tsx";

/** The whole page: the shop's chat, and beside it what goes on behind it. */
export function Page(props: {
  readonly conversationId: string;
  readonly firstPerson: Person | null;
}): ReactElement {
  const { conversationId } = props;
  const [person, setPerson] = useState(props.firstPerson);
  // Grows with every sign-in, so that the same person gets a new card session and not the ended one.
  const [signIn, setSignIn] = useState(0);
  const queries = useQueryClient();
  const chat = useQuery({
    queryKey: ["chat", conversationId, person],
    queryFn: () => backend.chat(conversationId, person),
    refetchInterval: 700,
    placeholderData: keepPreviousData,
  });
  const view = chat.isPlaceholderData ? undefined : chat.data;
  const present = chat.data?.person;
  const ended = view !== undefined && view.person !== person;

  const say = async (text: string): Promise<void> => {
    queries.setQueryData(["chat", conversationId, person], await backend.say(conversationId, person, text));
  };
  const become = async (next: Person | null): Promise<void> => {
    await backend.signIn(conversationId, next);
    rememberPerson(conversationId, next);
    setPerson(next);
    setSignIn((count) => count + 1);
    await queries.invalidateQueries({ queryKey: ["chat", conversationId] });
  };

  return (
    <div className="page">
      <header className="top">
        <h1>Harbor Shop</h1>
        <p>Countersign playground</p>
        <a className="to-other" href={`/phones?c=${encodeURIComponent(conversationId)}`}>
          Phones
        </a>
        <a className="to-panel" href="#journal-title">
          Journal
        </a>
      </header>
      <main className="chat" aria-label="Chat">
        <Thread
          conversationId={conversationId}
          person={person}
          signIn={signIn}
          lines={view?.lines ?? []}
          writes={view?.writes ?? []}
          ended={ended ? (view.person === null ? "signed_out" : "customer_changed") : null}
        />
        <Composer person={person} ended={ended} onSay={say} />
      </main>
      <aside className="behind" aria-label="Behind the scenes">
        <CustomerSwitch conversationId={conversationId} person={person} present={present} onBecome={become} />
        <ShopSwitch conversationId={conversationId} />
        <Journal writes={chat.data?.writes ?? []} />
      </aside>
    </div>
  );
}
