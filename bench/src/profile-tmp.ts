import { engine } from "./engine.ts";

const c = engine(process.argv[2] ?? "");
const n = Number(process.argv[3] ?? 2000);
async function go(k: number, m: number) {
  for (let i = 0; i < m; i += 1) await c.cycle(k);
}
await go(0, 300);
for (const conc of [1, 64]) {
  const cpu = process.cpuUsage();
  const t = performance.now();
  await Promise.all(Array.from({ length: conc }, (_, k) => go(k, Math.floor(n / conc))));
  const u = process.cpuUsage(cpu);
  console.log(conc, "ms/cycle wall", (performance.now() - t) / n, "cpu", (u.user + u.system) / 1000 / n);
}
await c.close();
