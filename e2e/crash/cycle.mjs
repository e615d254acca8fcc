/** What clients did and were told, over all rounds. */
export function makeLedger() {
  return {
    /** Ids of writes whose proposal was answered. */
    proposed: new Set(),
    /** Ids whose confirm was answered, with the state that was told. */
    told: new Map(),
    cut: 0,
  };
}

async function send(url, method, path, token, body) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok)
    throw Object.assign(new Error(`${method} ${path}: ${response.status} ${answer.code}`), { answer });
  return answer;
}

/** One customer's whole cycle over HTTP: verify, propose, look, confirm. Ends silently when the server dies under it. */
export async function runCycle({ url, keys }, ledger, name) {
  const path = `/v1/conversations/${name}`;
  try {
    const customer = {
      customerId: `cus_${name}`,
      level: "standard",
      authenticatedAt: new Date().toISOString(),
    };
    await send(url, "PUT", `${path}/customer`, keys.host, customer);
    const { token } = await send(url, "POST", `${path}/sessions`, keys.host, {});
    const call = { tool: "cancel_order", arguments: { orderId: `order-${name}` } };
    const { write } = await send(url, "POST", `${path}/calls`, keys.agent, call);
    ledger.proposed.add(write.id);
    const { card } = await send(url, "GET", "/v1/card", token);
    const decision = { version: card.version, digest: card.digest };
    const confirmed = await send(url, "POST", `/v1/card/${write.id}/confirm`, token, decision);
    ledger.told.set(write.id, confirmed.card.state);
  } catch (error) {
    // A cut connection is the point of the exercise; a refusal is not.
    if (error.answer) throw error;
    ledger.cut += 1;
  }
}

/** Every write the server knows, and its journal, as an operator reads them. */
export async function readAll({ url, keys }) {
  const writes = [];
  let cursor = "";
  do {
    const page = await send(
      url,
      "GET",
      `/v1/writes?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      keys.operator,
    );
    writes.push(...page.writes);
    cursor = page.nextCursor ?? "";
  } while (cursor !== "");
  return writes;
}

/** The journal of one write, as exported. */
export function readJournal({ url, keys }, writeId) {
  return send(url, "GET", `/v1/writes/${writeId}/journal`, keys.operator);
}
