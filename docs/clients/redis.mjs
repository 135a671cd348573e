// A client for Redis, with nothing but sockets:
// assay run --client 'node redis.mjs' redis://127.0.0.1:6379
import { connect } from "node:net";
import { createInterface } from "node:readline";

let socket, run, writes;
let buffer = Buffer.alloc(0);
const waiting = [];

// One answer of the protocol at a place of the buffer, and where it ends; null if it is not whole.
function parse(at) {
  const end = buffer.indexOf("\r\n", at);
  if (end < 0) return null;
  const text = buffer.toString("utf8", at + 1, end);
  const kind = String.fromCharCode(buffer[at]);
  if (kind === "+") return [text, end + 2];
  if (kind === "-") return [new Error(text), end + 2];
  if (kind === ":") return [Number(text), end + 2];
  const length = Number(text);
  if (length < 0) return [null, end + 2];
  if (kind === "$") {
    const last = end + 2 + length;
    return buffer.length < last + 2 ? null : [buffer.toString("utf8", end + 2, last), last + 2];
  }
  const list = [];
  let next = end + 2;
  for (let i = 0; i < length; i++) {
    const one = parse(next);
    if (!one) return null;
    list.push(one[0]);
    next = one[1];
  }
  return [list, next];
}

function received(bytes) {
  buffer = Buffer.concat([buffer, bytes]);
  for (let one = parse(0); one; one = buffer.length ? parse(0) : null) {
    buffer = buffer.subarray(one[1]);
    const { resolve, reject } = waiting.shift();
    if (one[0] instanceof Error) reject(one[0]);
    else resolve(one[0]);
  }
}

function ask(...words) {
  const parts = words.map((word) => `$${Buffer.byteLength(String(word))}\r\n${word}\r\n`);
  socket.write(`*${words.length}\r\n${parts.join("")}`);
  return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
}

const name = (q) => `${run}:${q.type}:${q.key}`;

const steps = {
  // WATCH makes EXEC fail if what was read has changed since.
  hello: () => ({
    name: "redis", title: "Redis", types: ["register", "list"],
    levels: { watched: "strict-serializable" },
  }),
  open: async (q) => {
    ({ run } = q);
    const { hostname, port } = new URL(q.node);
    socket = connect(port || 6379, hostname).on("data", received);
    socket.on("close", () => waiting.splice(0).forEach(({ reject }) => reject(new Error("closed"))));
    await new Promise((resolve, reject) => socket.on("connect", resolve).on("error", reject));
  },
  begin: () => { writes = []; },
  read: async (q) => {
    const own = writes.filter((w) => w.name === name(q)).map((w) => w.value);
    if (q.type === "register" && own.length) return { value: own.at(-1) };
    await ask("WATCH", name(q));
    if (q.type === "list") {
      return { values: [...(await ask("LRANGE", name(q), 0, -1)).map(Number), ...own] };
    }
    const value = await ask("GET", name(q));
    return { value: value === null ? null : Number(value) };
  },
  write: (q) => { writes.push({ name: name(q), type: q.type, value: q.value }); },
  commit: async () => {
    await ask("MULTI");
    for (const { name, type, value } of writes) {
      await ask(type === "list" ? "RPUSH" : "SET", name, value);
    }
    if ((await ask("EXEC")) === null) return { error: "aborted", message: "a watched key changed" };
  },
  abort: async () => { await ask("UNWATCH"); },
  close: () => { socket.destroy(); },
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
process.exit(0);
