import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import type { Behaviour, BehaviourMode } from "../shop/behaviour.ts";
import { backend } from "./backend.ts";

const modes: readonly (readonly [BehaviourMode, string])[] = [
  ["usual", "As usual"],
  ["ok", "Does it at once"],
  ["accept", "Accepts, finishes later"],
  ["refuse", "Refuses"],
  ["fail_after", "Does it, then answers with an error"],
  ["hang", "Does it and never answers"],
  ["slow", "Does it slowly (3 s)"],
];

/** How the shop answers this conversation's writes. */
export function ShopSwitch({ conversationId }: { readonly conversationId: string }): ReactElement {
  const queries = useQueryClient();
  const queryKey = ["behaviour", conversationId];
  const { data } = useQuery({ queryKey, queryFn: () => backend.behaviour(conversationId) });
  const behaviour: Behaviour = data ?? { mode: "usual", slowMs: 3000, operations: "up" };
  const set = async (change: Partial<Behaviour>): Promise<void> => {
    queries.setQueryData(queryKey, await backend.setBehaviour(conversationId, { ...behaviour, ...change }));
  };
  return (
    <section aria-labelledby="shop-title">
      <h2 id="shop-title">Shop service</h2>
      <label className="field">
        <span>When asked to change something</span>
        <select
          value={behaviour.mode}
          onChange={(event) => void set({ mode: event.target.value as BehaviourMode })}
        >
          {modes.map(([mode, label]) => (
            <option key={mode} value={mode}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={behaviour.operations === "down"}
          onChange={(event) => void set({ operations: event.target.checked ? "down" : "up" })}
        />
        <span>It does not answer status checks</span>
      </label>
      <p className="links">
        <button type="button" onClick={() => void backend.finishAccepted(conversationId)}>
          Finish what it accepted
        </button>
        <button type="button" onClick={() => void backend.reprice(conversationId)}>
          Raise the order’s price by €1
        </button>
        <button
          type="button"
          onClick={() =>
            void backend.resetShop().then(() => queries.invalidateQueries({ queryKey: ["behaviour"] }))
          }
        >
          Reset orders
        </button>
      </p>
    </section>
  );
}
