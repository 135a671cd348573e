// Transactions of SurrealDB miss what was committed before they began, and commits are lost:
//   npm install surrealdb @surrealdb/node
//   node SurrealDbLostWrites.mjs [mem:// | rocksdb:///FOLDER | surrealkv:///FOLDER] [SECONDS]
import { createNodeEngines } from "@surrealdb/node";
import { Surreal } from "surrealdb";

const [engine = "mem://", seconds = "30"] = process.argv.slice(2);
const db = new Surreal({ engines: createNodeEngines() });
await db.connect(engine);
await db.use({ namespace: "test", database: "test" });
await db.query("DEFINE TABLE r");

const end = Date.now() + seconds * 1000;
const committed = new Map(); // what each record is known to have
let next = 0, commits = 0, reads = 0, stale = 0;

const random = (n) => Math.floor(Math.random() * n);
// New records come in all the time, and ten are in use.
const record = () => Math.floor(next / 30) + random(10);
const known = (k) => new Set(committed.get(k));

async function transaction() {
  const steps = Array.from({ length: 1 + random(4) }, () => {
    const k = record();
    return random(2) ? { k, before: known(k) } : { k, append: ++next };
  });
  const t = await db.beginTransaction();
  try {
    for (const step of steps) {
      if (step.append) await t.query(`UPSERT r:${step.k} SET v += [${step.append}] RETURN NONE`);
      else step.seen = (await t.query(`SELECT VALUE v FROM r:${step.k}`))[0][0] ?? [];
    }
    await t.commit();
  } catch {
    return t.cancel().catch(() => {});
  }
  commits++;
  for (const { k, append, before, seen } of steps) {
    if (append) committed.set(k, [...(committed.get(k) ?? []), append]);
    else {
      reads++;
      const missing = [...before].filter((v) => !seen.includes(v));
      if (missing.length && stale++ < 5) {
        console.log(`r:${k} = [${seen}] was read without ${missing}, committed before`);
      }
    }
  }
}

async function client() {
  while (Date.now() < end) await transaction();
}

await Promise.all([1, 2, 3, 4, 5, 6].map(client));
let lost = 0;
for (const [k, values] of committed) {
  const [[found = []]] = await db.query(`SELECT VALUE v FROM r:${k}`);
  lost += values.filter((v) => !found.includes(v)).length;
}
console.log((await db.version()).version, engine, { commits, reads, stale, lost });
process.exit(0);
