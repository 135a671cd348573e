// A client for Turso's MVCC (npm install @tursodatabase/database), in this process:
// assay run --client 'node turso.mjs'
import { connect } from "@tursodatabase/database";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const folder = mkdtempSync(join(tmpdir(), "assay-turso-"));
const sessions = new Map();
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

async function opened() {
  const db = await connect(join(folder, "db"));
  await db.exec("PRAGMA journal_mode = 'mvcc'");
  return db;
}

const steps = {
  // Its manual calls what BEGIN CONCURRENT gives snapshot isolation.
  hello: () => ({
    name: "turso", title: "Turso", shared: true, types: ["register"],
    levels: { snapshot: "snapshot-isolation" },
  }),
  setup: async () => {
    await (await opened()).exec("CREATE TABLE IF NOT EXISTS r (k INTEGER PRIMARY KEY, v INTEGER)");
  },
  open: async (q) => {
    const db = await opened();
    const read = await db.prepare("SELECT v FROM r WHERE k = ?");
    const write = await db.prepare(
      "INSERT INTO r VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET v = excluded.v");
    sessions.set(q.session, { db, read, write });
  },
  begin: (q) => sessions.get(q.session).db.exec("BEGIN CONCURRENT"),
  read: async (q) => ({ value: (await sessions.get(q.session).read.get(q.key))?.v ?? null }),
  write: (q) => sessions.get(q.session).write.run(q.key, q.value),
  commit: (q) => sessions.get(q.session).db.exec("COMMIT"),
  abort: (q) => sessions.get(q.session).db.exec("ROLLBACK").catch(() => {}),
  close: async (q) => {
    const { db } = sessions.get(q.session) ?? {};
    sessions.delete(q.session);
    await db?.exec("ROLLBACK").catch(() => {});
    await db?.close();
  },
};

async function answer(q) {
  try {
    const found = await steps[q.op]?.(q);
    const isAnswer = q.op === "hello" || q.op === "read";
    console.log(JSON.stringify({ id: q.id, ...(isAnswer ? found : {}) }));
  } catch (e) {
    const error = /conflict|busy|locked/i.test(String(e)) ? "aborted" : "unknown";
    console.log(JSON.stringify({ id: q.id, error, message: String(e) }));
  }
}

for await (const line of createInterface({ input: process.stdin })) answer(JSON.parse(line));
process.exit(0);
