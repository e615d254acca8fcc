import { createServer } from "node:http";

/**
 * The far side: a shop that lives through all crashes of the server. It keeps what it applied by idempotency key, as a
 * shop's database would, answers repeats from there, and is sometimes slow, so that a kill can fall into a call.
 */
export async function startShop() {
  /** @type {Map<string, string>} the order by key */
  const applied = new Map();
  /** @type {Map<string, number>} how often each key arrived */
  const arrivals = new Map();
  let calls = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://shop.example");
    const key = String(request.headers["idempotency-key"] ?? "");
    const reply = (status, body) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (request.method === "GET") {
      reply(200, { status: applied.has(key) ? "applied" : "not_applied" });
      return;
    }
    calls += 1;
    arrivals.set(key, (arrivals.get(key) ?? 0) + 1);
    const order = decodeURIComponent(url.pathname.split("/")[2] ?? "");
    const apply = () => {
      applied.set(key, order);
      reply(200, { status: "cancelled" });
    };
    if (calls % 3 === 0) setTimeout(apply, 40);
    else apply();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    applied,
    arrivals,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve(undefined));
      }),
  };
}
