/**
 * The page: files fetched from the server to the shared checks, offered to the test as `window.checks`.
 *
 * The helper is the one of the Node host: it uses the WebAssembly API alone.
 */

import { hostile, replay } from "./host/replay.js";

async function bytes(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function sha256(data) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

window.checks = {
  async parity() {
    const wasm = await bytes("evaluator");
    // Pages may not compile a large module at once; only the promise may.
    const module = await WebAssembly.compile(wasm);
    return { sha256: await sha256(wasm), ...replay(module, await bytes("bundle")) };
  },

  async hostile() {
    const list = new TextDecoder().decode(await bytes("list"));
    const files = new Map();
    for (const line of list.split("\n")) {
      const [, kind, argument] = line.split("\t");
      if (kind === "module") files.set(argument, await bytes(`beside/${argument}`).catch(() => null));
    }
    const beside = (name) => files.get(name) ?? missing(name);
    return hostile(await bytes("evaluator"), await bytes("table"), list, beside);
  },
};

function missing(name) {
  throw Object.assign(new Error(`${name} is missing`), { code: "ENOENT" });
}
