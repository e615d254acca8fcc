import { z } from "zod";

/** What the playground does at the shop beside the tools: switch its behaviour, look at what it did. */
export type ShopDesk = {
  behaviour(scope: string): Promise<unknown>;
  setBehaviour(scope: string, behaviour: unknown): Promise<Response>;
  finishAccepted(scope: string): Promise<number>;
  placeOrder(customerId: string): Promise<unknown>;
  order(number: string): Promise<unknown>;
  /** Raises the order's price, as somebody at the shop might. */
  reprice(number: string): Promise<unknown>;
  applications(order: string): Promise<unknown>;
  reset(): Promise<unknown>;
};

/** The desk of the shop at `shopUrl`. */
export function shopDesk(shopUrl: string, apiKey: string): ShopDesk {
  const ask = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(`${shopUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const read = async (path: string): Promise<unknown> => (await ask("GET", path)).json();
  const part = encodeURIComponent;
  return {
    behaviour: (scope) => read(`/behaviour?scope=${part(scope)}`),
    setBehaviour: (scope, behaviour) =>
      ask("PUT", "/behaviour", { ...z.looseObject({}).parse(behaviour), scope }),
    async finishAccepted(scope) {
      const { ids } = z
        .object({ ids: z.array(z.string()) })
        .parse(await read(`/operations/accepted?scope=${part(scope)}`));
      for (const id of ids) await ask("POST", `/operations/${part(id)}/finish`);
      return ids.length;
    },
    placeOrder: async (customerId) => (await ask("POST", "/orders", { customerId })).json(),
    order: (number) => read(`/orders/${part(number)}`),
    reprice: async (number) => (await ask("POST", `/orders/${part(number)}/reprice`)).json(),
    reset: async () => (await ask("POST", "/reset")).json(),
    applications: (order) => read(`/applications?order=${part(order)}`),
  };
}
