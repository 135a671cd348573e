// A client for SurrealDB (npm install surrealdb @surrealdb/node), which runs in this process:
// assay run --client 'node surreal.mjs [mem:// | rocksdb:///FOLDER | surrealkv:///FOLDER]'
import { createInterface } from "node:readline";
import { createNodeEngines } from "@surrealdb/node";
import { Surreal } from "surrealdb";

const db = new Surreal({ engines: createNodeEngines() });
const transactions = new Map();

const query = async (q, text) => (await transactions.get(q.session).query(text)).pop();
const record = (q) => `${q.type}:${q.key}`;

const steps = {
  // Its manual: "every SurrealDB transaction runs under snapshot isolation", on all engines.
  hello: () => ({
    name: "surreal", title: "SurrealDB", shared: true, types: ["register", "list"],
    levels: { snapshot: "snapshot-isolation" },
  }),
  setup: async () => {
    await db.connect(process.argv[2] ?? "mem://");
    await db.use({ namespace: "assay", database: "assay" });
    await db.query("DEFINE TABLE register; DEFINE TABLE list");
  },
  begin: async (q) => { transactions.set(q.session, await db.beginTransaction()); },
  read: async (q) => {
    const value = (await query(q, `SELECT VALUE v FROM ${record(q)}`))[0];
    return q.type === "list" ? { values: value ?? [] } : { value: value ?? null };
  },
  write: async (q) => {
    const change = q.type === "list" ? `v += [${q.value}]` : `v = ${q.value}`;
    await query(q, `UPSERT ${record(q)} SET ${change} RETURN NONE`);
  },
  commit: async (q) => {
    const transaction = transactions.get(q.session);
    transactions.delete(q.session);
    await transaction.commit();
  },
  abort: async (q) => {
    const transaction = transactions.get(q.session);
    transactions.delete(q.session);
    await transaction?.cancel();
  },
};
steps.close = steps.abort;

async function answer(q) {
  try {
    const found = await steps[q.op]?.(q);
    console.log(JSON.stringify({ id: q.id, ...found }));
  } catch (e) {
    const error = /conflict/i.test(String(e)) ? "aborted" : "unknown";
    console.log(JSON.stringify({ id: q.id, error, message: String(e) }));
  }
}

for await (const line of createInterface({ input: process.stdin })) answer(JSON.parse(line));
process.exit(0);
