import { connect, type Socket } from "node:net";
import { parentPort } from "node:worker_threads";

/** One contender's requests, whole as bytes, and where they go. */
export type LoadOrder = {
  readonly port: number;
  readonly requests: readonly Uint8Array[];
  readonly connections: number;
};

/** How many were answered with 200, within how many milliseconds, and the time of each. */
export type LoadReport = {
  readonly ms: number;
  readonly answered: number;
  readonly latenciesMs: readonly number[];
};

const endOfHead = Buffer.from("\r\n\r\n");

/** Sends requests over kept connections, the next one on each as soon as the one before was answered. */
async function load({ port, requests, connections }: LoadOrder): Promise<LoadReport> {
  const latenciesMs: number[] = [];
  let next = 0;
  let answered = 0;
  const start = performance.now();
  const open = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket: Socket = connect(port, "127.0.0.1");
      socket.setNoDelay(true);
      let began = 0;
      let head: Buffer = Buffer.alloc(0);
      const send = (): void => {
        const request = requests[next];
        next += 1;
        if (request === undefined) {
          socket.end();
          resolve();
          return;
        }
        began = performance.now();
        socket.write(request);
      };
      socket.on("connect", send);
      socket.on("error", reject);
      socket.on("data", (chunk: Buffer) => {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        // Every answer here has no body, or one that comes with its head.
        if (head.indexOf(endOfHead) < 0) return;
        if (head.subarray(9, 12).toString() !== "200") reject(new Error(head.toString()));
        head = Buffer.alloc(0);
        answered += 1;
        latenciesMs.push(performance.now() - began);
        send();
      });
    });
  await Promise.all(Array.from({ length: connections }, open));
  return { ms: performance.now() - start, answered, latenciesMs };
}

parentPort?.on("message", (order: LoadOrder) => {
  void load(order).then((report) => parentPort?.postMessage(report));
});
