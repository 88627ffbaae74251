/**
 * The runner of the shared checks in a real browser: `run.js parity|hostile MODULE …` to one line and an exit code.
 *
 *   parity MODULE BUNDLE        every recorded answer, byte for byte
 *   hostile MODULE TABLE LIST   every hostile input of the list
 *
 * Serves the page and the files on the loopback device, and opens it in the Chromium that CHROMIUM names (default:
 * /usr/bin/chromium), with an empty profile.
 */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const HERE = dirname(fileURLToPath(import.meta.url));
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const TYPES = { html: "text/html", js: "text/javascript" };

const [command, module, ...paths] = process.argv.slice(2);
if (command === "parity" && paths.length === 1) {
  const files = { evaluator: module, bundle: paths[0] };
  const { sha256, rows, differences } = await inPage(files, null, () => window.checks.parity());
  console.log(`browser: module ${sha256}, ${rows} rows, ${differences} differences`);
  process.exitCode = differences === 0 && rows > 0 ? 0 : 1;
} else if (command === "hostile" && paths.length === 2) {
  const [table, list] = paths;
  const files = { evaluator: module, table, list };
  const { cases, faults } = await inPage(files, dirname(list), () => window.checks.hostile());
  for (const fault of faults) console.log(`  ${fault}`);
  console.log(`browser: ${cases} hostile inputs, ${faults.length} faults`);
  process.exitCode = faults.length === 0 && cases > 0 ? 0 : 1;
} else {
  console.error("usage: run.js parity MODULE BUNDLE | hostile MODULE TABLE LIST");
  process.exitCode = 2;
}

/** Opens the page and gives what `check` returns in it. */
async function inPage(files, beside, check) {
  const server = createServer(async (request, response) => {
    const path = place(request.url, files, beside);
    try {
      const body = await readFile(path);
      response.setHeader("content-type", TYPES[path.split(".").pop()] ?? "application/octet-stream");
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: FLAGS,
  });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/page.html`);
    await page.waitForFunction(() => window.checks);
    return await page.evaluate(check);
  } finally {
    await browser.close();
    server.close();
  }
}

/** The file that a path of the page stands for; the page asks for nothing above these folders. */
function place(url, files, beside) {
  const [, first, second] = url.split("/");
  if (second !== undefined) {
    if (first === "host") return join(HERE, "..", "node", second);
    return first === "beside" && beside ? join(beside, second) : "";
  }
  return files[first] ?? join(HERE, first);
}
