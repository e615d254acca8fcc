import { ReviewCard } from "@countersign/review-card";
import { useReviewCard } from "@countersign/review-card/query";
import type { ReactElement } from "react";
import { useCallback } from "react";
import type { Person } from "../bot/chat-log.ts";
import { backend } from "./backend.ts";

type CardSlotProps = {
  readonly conversationId: string;
  readonly person: Person | null;
  /** Why this tab's sign-in ended, as the shop's backend knows it; a tab that is loaded again then has no session to ask. */
  readonly ended: "customer_changed" | "signed_out" | null;
};

/** The review card of whoever this tab is signed in as. The session is minted by the shop's backend for that person only. */
export function CardSlot({ conversationId, person, ended }: CardSlotProps): ReactElement {
  const getToken = useCallback(async (): Promise<string> => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return (await backend.session(conversationId, person, timeZone)).token;
  }, [conversationId, person]);
  const card = useReviewCard({ baseUrl: "", getToken, enabled: ended === null });
  return (
    <div className="card-slot">
      <ReviewCard {...card} ended={card.ended ?? ended} headingLevel={2} />
    </div>
  );
}
