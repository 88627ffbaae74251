/**
 * A bundle of recorded answers, or a list of hostile inputs, and an evaluator's module to what differs.
 *
 * Free of Node, so that the browser runs the very same checks.
 */

import { CallgateError, Evaluator, Policy } from "./callgate.js";

const AUDIENCES = ["main", "subagent", "all"];
const MODES = ["default", "plan", "accept_edits"];
const EFFECTS = ["deny", "ask", "allow"];
const decoder = new TextDecoder("utf-8", { fatal: true });

/** The entries of a bundle: a tag, a length, so many bytes. */
function* entries(bundle) {
  const view = new DataView(bundle.buffer, bundle.byteOffset, bundle.length);
  for (let at = 0; at < bundle.length; ) {
    const length = view.getUint32(at + 1, true);
    const bytes = bundle.subarray(at + 5, at + 5 + length);
    if (bytes.length !== length) throw new Error("the bundle ends too early");
    yield [String.fromCharCode(bundle[at]), bytes];
    at += 5 + length;
  }
}

/** Puts every request of the bundle to the evaluator, alone and in a batch. */
export function replay(module, bundle) {
  const evaluator = new Evaluator(module);
  let rows = 0;
  let differences = 0;
  let policy = null;
  let batch = [];
  let asked = null;
  const hold = (same) => {
    rows += 1;
    differences += same ? 0 : 1;
  };
  const finish = () => {
    if (!policy) return;
    const answers = policy.decideMany(batch.map(([bytes]) => bytes));
    answers.forEach((answer, index) => {
      if (!same(answer, batch[index][1])) differences += batch[index][2] ? 1 : 0;
    });
    policy.close();
    batch = [];
  };
  for (const [tag, bytes] of entries(bundle)) {
    if (tag === "T") {
      finish();
      policy = evaluator.load(bytes);
    } else if (tag === "L") {
      try {
        policy.learn(bytes);
      } catch (cause) {
        // A call that cannot be read teaches nothing.
        if (!(cause instanceof CallgateError) || evaluator.broken) throw cause;
      }
    } else if (tag === "Q" || tag === "X") {
      asked = bytes;
    } else if (tag === "A") {
      const holds = same(policy.decide(asked), bytes);
      hold(holds);
      batch.push([asked, bytes, holds]);
    } else if (tag === "Y") {
      hold(text(policy, asked) === new DataView(bytes.buffer, bytes.byteOffset).getInt32(0, true));
    } else {
      throw new Error(`an entry of an unknown kind: ${tag}`);
    }
  }
  finish();
  return { rows, differences };
}

/** Whether the decision is the recorded one; nothing recorded stands for an error. */
function same(decision, expected) {
  if (expected.length === 0) return decision.error instanceof CallgateError && decision.effect === "deny";
  return decision.text === decoder.decode(expected);
}

function text(policy, asked) {
  const view = new DataView(asked.buffer, asked.byteOffset, asked.length);
  const flags = view.getUint32(0, true);
  const toolEnd = 8 + view.getUint32(4, true);
  const [tool, subject] = [asked.subarray(8, toolEnd), asked.subarray(toolEnd)].map((bytes) => decoder.decode(bytes));
  const { effect, rule, error } = policy.decideText(tool, subject, {
    audience: AUDIENCES[flags & 3],
    mode: MODES[flags >> 2],
  });
  return error ? error.code : EFFECTS.indexOf(effect) | ((rule === null ? 0 : rule + 1) << 2);
}

/**
 * Puts every hostile input to the evaluator.
 * @param {(name: string) => Uint8Array} file reads a file beside the list, or throws
 * @returns {{cases: number, faults: string[]}}
 */
export function hostile(bytes, table, list, file) {
  const faults = [];
  let cases = 0;
  const evaluator = Evaluator.fromBytes(bytes);
  const good = evaluator.load(table);
  const call = { tool: "reader", args: { path: "x" } };
  const raw = (request) => [good.decide(request), good.decideMany([request])[0]];
  const ask = (policy) => [policy.decide(call), policy.decideMany([call])[0], policy.decideText("reader", "x")];
  const kinds = {
    table: (argument) => ask(evaluator.load(damaged(table, argument))),
    request: (argument) => raw(argument),
    "request-hex": (argument) => raw(unhex(argument)),
    "request-fill": (argument) => raw({ tool: "reader", args: { path: "x".repeat(Number(argument)) } }),
    units: (argument) => {
      const path = String.fromCharCode(...argument.match(/..../g).map((unit) => parseInt(unit, 16)));
      return [...raw({ tool: "reader", args: { path } }), ...raw(`{"tool":"reader","args":{"path":"${path}"}}`),
        good.decideText("reader", path), good.decideText(path, "x")];
    },
    handle: (argument) => ask(new Policy(evaluator, Number(argument))),
    freed: () => {
      const policy = evaluator.load(table);
      policy.close();
      return ask(policy);
    },
    module: (argument) => ask(Evaluator.fromBytes(file(argument)).load(table)),
  };
  for (const line of list.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [name, kind, argument] = line.split("\t");
    cases += 1;
    try {
      const answers = kinds[kind](argument);
      if (answers.some(({ effect, error }) => effect === "allow" || (!error && effect !== "deny"))) {
        faults.push(`${name}: not refused`);
      }
    } catch (cause) {
      const missing = kind === "module" && cause?.code === "ENOENT";
      if (!(cause instanceof CallgateError) && !missing) faults.push(`${name}: ${cause}`);
    }
    if (ask(good).some(({ effect }) => effect !== "allow")) faults.push(`${name}: dead afterwards`);
  }
  return { cases, faults };
}

function damaged(table, argument) {
  const [how, first, bytes] = argument.split(" ");
  if (how === "keep") return table.subarray(0, Number(first));
  if (how === "cut") return table.subarray(0, table.length - Number(first));
  const copy = table.slice();
  copy.set(unhex(bytes), Number(first));
  return copy;
}

function unhex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** Nanoseconds a call of several kinds, the least of several rounds, from one run. @param {() => number} now in ms */
export function times(module, table, now) {
  const least = (count, use) => {
    let best = Infinity;
    for (let round = 0; round < 7; round += 1) {
      const begun = now();
      for (let index = 0; index < count; index += 1) use();
      best = Math.min(best, ((now() - begun) * 1e6) / count);
    }
    return Math.round(best);
  };
  const evaluator = new Evaluator(module);
  const policy = evaluator.load(table);
  const subject = "crates/core/src/decision/segment_reader_v2.rs"; // 44 characters and one
  const call = { tool: "reader", args: { path: subject } };
  const record = JSON.stringify(call);
  const { cg_abi_version } = new WebAssembly.Instance(module).exports;
  return {
    "instantiate and load": least(200, () => new Evaluator(module).load(table)),
    "empty call": least(1_000_000, () => cg_abi_version()),
    "fast path": least(200_000, () => policy.decideText("reader", subject)),
    "JSON text": least(50_000, () => policy.decide(record)),
    "JSON object": least(50_000, () => policy.decide(call)),
  };
}
