// A client for etcd 3 by its HTTP gateway; nothing to install but etcd and Node.js:
// assay run --client 'node etcd.mjs' http://127.0.0.1:2379
// A transaction reads single keys and commits if none of those that it read has changed since.
import { createInterface } from "node:readline";

const encoded = (text) => Buffer.from(text).toString("base64");
let node, run, serializable, seen, writes;

async function post(path, body) {
  const answer = await fetch(`${node}/v3/kv/${path}`, {
    method: "POST", body: JSON.stringify(body), signal: AbortSignal.timeout(5000),
  });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}

async function current(q) {
  const key = encoded(`${run}/${q.type}/${q.key}`);
  if (key in writes) return [key, { value: writes[key] }];
  if (!(key in seen)) {
    const kv = (await post("range", { key, serializable })).kvs?.[0];
    const value = kv && JSON.parse(Buffer.from(kv.value, "base64").toString());
    seen[key] = { revision: kv?.mod_revision ?? "0", value };
  }
  return [key, seen[key]];
}

const steps = {
  // "stale" reads from any member, as the option serializable of a range request does.
  hello: () => ({
    name: "etcd", types: ["register", "list"], versions: true,
    levels: { stale: "serializable", linearizable: "strict-serializable" },
  }),
  open: (q) => {
    if (!q.node) return { error: "fatal", message: "name the address of a member of etcd" };
    ({ node, run } = q);
    serializable = q.level === "stale";
  },
  begin: () => { seen = {}; writes = {}; },
  read: async (q) => {
    const [, { value, revision }] = await current(q);
    if (q.type === "list") return { values: value ?? [] };
    return { value: value ?? null, version: revision && Number(revision) };
  },
  write: async (q) => {
    const [key, { value }] = await current(q);
    writes[key] = q.type === "list" ? [...(value ?? []), q.value] : q.value;
  },
  commit: async () => {
    const compare = Object.entries(seen).map(([key, { revision }]) => (
      { key, target: "MOD", result: "EQUAL", mod_revision: revision }));
    const success = Object.entries(writes).map(([key, value]) => (
      { request_put: { key, value: encoded(JSON.stringify(value)) } }));
    const answer = await post("txn", { compare, success });
    if (!answer.succeeded) return { error: "aborted", message: "another revision" };
    return { version: Number(answer.header.revision) };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const q = JSON.parse(line);
  let answer;
  try {
    answer = await steps[q.op]?.(q);
  } catch (e) {
    answer = { error: "unknown", message: String(e) };
  }
  console.log(JSON.stringify({ id: q.id, ...answer }));
}
