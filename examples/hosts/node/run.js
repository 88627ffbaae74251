/**
 * The runner of the shared checks: `run.js parity|hostile|times MODULE …` to one line and an exit code.
 *
 *   parity MODULE BUNDLE        every recorded answer, byte for byte
 *   hostile MODULE TABLE LIST   every hostile input of the list
 *   times MODULE TABLE          nanoseconds a call
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hostile, replay, times } from "./replay.js";

const [command, modulePath, ...paths] = process.argv.slice(2);
const bytes = readFileSync(modulePath);
const sha256 = createHash("sha256").update(bytes).digest("hex");

if (command === "parity") {
  const { rows, differences } = replay(new WebAssembly.Module(bytes), read(paths[0]));
  console.log(`node: module ${sha256}, ${rows} rows, ${differences} differences`);
  process.exitCode = differences === 0 && rows > 0 ? 0 : 1;
} else if (command === "hostile") {
  const [table, list] = paths;
  const beside = (name) => read(join(dirname(list), name));
  const { cases, faults } = hostile(bytes, read(table), readFileSync(list, "utf8"), beside);
  for (const fault of faults) console.log(`  ${fault}`);
  console.log(`node: ${cases} hostile inputs, ${faults.length} faults`);
  process.exitCode = faults.length === 0 && cases > 0 ? 0 : 1;
} else if (command === "times") {
  const measured = times(new WebAssembly.Module(bytes), read(paths[0]), () => performance.now());
  const listed = Object.entries(measured).map(([name, nanoseconds]) => `${name} ${nanoseconds} ns`);
  console.log(`node ${process.version}: ${listed.join(", ")}`);
} else {
  console.error("usage: run.js parity MODULE BUNDLE | hostile MODULE TABLE LIST | times MODULE TABLE");
  process.exitCode = 2;
}

function read(path) {
  // A copy of its own: a small file's Buffer shares its memory with others.
  return Uint8Array.from(readFileSync(path));
}
