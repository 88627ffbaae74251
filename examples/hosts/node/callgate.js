/**
 * A decision table and a call to allow, ask or deny, decided by `callgate_eval.wasm`.
 *
 * Nothing here throws once a policy is loaded, and nothing but the evaluator's own "allow" is an allow: an error code, a
 * trap, a request that is too long, an answer that cannot be read are a deny that carries its `error`. After a trap the
 * instance's memory may be anything, so it is never asked again; a new `Evaluator` on the same module starts over.
 *
 * Only the WebAssembly API is used, so the file runs in Node, in browsers and in workers.
 */

/** Most bytes of a request; longer ones are denied without being read. */
export const MAX_REQUEST_BYTES = 1 << 20;

const ABI_VERSION = 1;
const SCRATCH_BYTES = 1 << 12;
const EFFECTS = ["deny", "ask", "allow"];
const AUDIENCES = { main: 0, subagent: 1, all: 2 };
const MODES = { default: 0, plan: 1, accept_edits: 2 };

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Why there is no decision. `code` is the evaluator's, negative; 0 where the fault is on this side of it. */
export class CallgateError extends Error {
  constructor(message, code = 0, options = undefined) {
    super(message, options);
    this.name = "CallgateError";
    this.code = code;
  }
}

/**
 * The answer to a call.
 * @typedef {object} Decision
 * @property {"allow" | "ask" | "deny"} effect what to do; "deny" whenever `error` is set
 * @property {string | null} text the decision record, byte for byte
 * @property {object | null} record the same, parsed
 * @property {CallgateError | null} error why there is no record
 */

/** One instance of the evaluator. Policies in it do not see each other. */
export class Evaluator {
  #exports;
  #scratch = 0;
  #scratchBytes = 0;
  #view = new Uint8Array();
  /** The trap that ended this instance, or null. @type {CallgateError | null} */
  broken = null;

  /** @param {WebAssembly.Module} module compiled from `callgate_eval.wasm` */
  constructor(module) {
    try {
      this.#exports = new WebAssembly.Instance(module, {}).exports;
      const version = this.#exports.cg_abi_version();
      if (version !== ABI_VERSION) throw new CallgateError(`ABI ${version}, not ${ABI_VERSION}`);
    } catch (cause) {
      throw asError("the evaluator cannot be started", cause);
    }
  }

  /** Compiles the module's bytes and starts an evaluator. @param {BufferSource} bytes */
  static fromBytes(bytes) {
    try {
      return new Evaluator(new WebAssembly.Module(bytes));
    } catch (cause) {
      throw asError("not an evaluator", cause);
    }
  }

  /**
   * Loads a decision table, as `callgate compile` writes it.
   * @param {Uint8Array} table
   * @returns {Policy}
   */
  load(table) {
    return this.guarded(() => {
      const handle = this.#withBytes(table, (pointer) => this.#exports.cg_policy_load(pointer, table.length));
      if (handle < 0) throw this.#lastError(handle);
      return new Policy(this, handle);
    });
  }

  /** Runs `use`; whatever is thrown leaves as a CallgateError, and anything but an error code ends the instance. */
  guarded(use) {
    if (this.broken) throw this.broken;
    try {
      return use();
    } catch (cause) {
      if (cause instanceof CallgateError) throw cause;
      this.broken = asError("the evaluator trapped", cause);
      throw this.broken;
    }
  }

  /** Calls `cg_<name>(handle, request)` and copies its answer. @returns {Uint8Array} */
  ask(name, handle, request) {
    return this.guarded(() => {
      const call = (pointer) => this.#exports[name](handle, pointer, request.length);
      return this.#take(this.#withBytes(request, call));
    });
  }

  /** `cg_forget`. */
  forget(handle, session) {
    return this.guarded(() => {
      const bytes = encoder.encode(session);
      const call = (pointer) => Number(this.#exports.cg_forget(handle, pointer, bytes.length));
      const code = this.#withBytes(bytes, call);
      if (code < 0) throw this.#lastError(code);
    });
  }

  /** `cg_decide_text`: the evaluator's number, or a CallgateError. No JSON, no allocation in the evaluator. */
  text(handle, tool, subject, flags) {
    return this.guarded(() => {
      wellFormed(tool);
      wellFormed(subject);
      // UTF-8 takes at most three bytes for a UTF-16 unit.
      const room = 3 * (tool.length + subject.length);
      if (room > MAX_REQUEST_BYTES) throw new CallgateError("the request is too long");
      if (room > this.#scratchBytes) this.#growScratch(room);
      const bytes = this.#bytes();
      const toolBytes = put(tool, bytes, this.#scratch);
      const at = this.#scratch + toolBytes;
      const subjectBytes = put(subject, bytes, at);
      const code = this.#exports.cg_decide_text(handle, this.#scratch, toolBytes, at, subjectBytes, flags);
      if (code < 0) throw this.#lastError(code);
      return code;
    });
  }

  /** `cg_policy_free`. */
  free(handle) {
    if (!this.broken) this.guarded(() => this.#exports.cg_policy_free(handle));
  }

  #growScratch(room) {
    const bytes = Math.max(room, SCRATCH_BYTES);
    const pointer = this.#allocate(bytes);
    if (this.#scratchBytes > 0) this.#exports.cg_free(this.#scratch, this.#scratchBytes);
    this.#scratch = pointer;
    this.#scratchBytes = bytes;
  }

  #allocate(length) {
    const pointer = this.#exports.cg_alloc(length) >>> 0;
    if (pointer === 0 && length > 0) throw new CallgateError("the evaluator has no memory left");
    return pointer;
  }

  /** The evaluator's memory. Growing it detaches every older view. */
  #bytes() {
    const { buffer } = this.#exports.memory;
    if (this.#view.buffer !== buffer) this.#view = new Uint8Array(buffer);
    return this.#view;
  }

  #withBytes(bytes, use) {
    const pointer = this.#allocate(bytes.length);
    this.#bytes().set(bytes, pointer);
    const result = use(pointer);
    this.#exports.cg_free(pointer, bytes.length);
    return result;
  }

  /** Copies an answer out of the evaluator and frees it there. @param {bigint} packed pointer << 32 | length */
  #take(packed) {
    if (packed <= 0n) throw this.#lastError(Number(packed));
    const pointer = Number(packed >> 32n);
    const length = Number(packed & 0xffffffffn);
    const answer = this.#bytes().slice(pointer, pointer + length);
    if (answer.length !== length) throw new RangeError("an answer outside the memory");
    this.#exports.cg_free(pointer, length);
    return answer;
  }

  #lastError(code) {
    const packed = this.#exports.cg_last_error();
    const message = packed > 0n ? decoder.decode(this.#take(packed)) : "no decision";
    return new CallgateError(message, code);
  }
}

/** A loaded policy. */
export class Policy {
  #evaluator;
  #handle;

  /** Use `Evaluator.load`; a handle that it did not give decides nothing. */
  constructor(evaluator, handle) {
    this.#evaluator = evaluator;
    this.#handle = handle;
  }

  /**
   * Decides one call record: an object, or its JSON as text or bytes.
   * @param {object | string | Uint8Array} call
   * @returns {Decision}
   */
  decide(call) {
    try {
      return decision(this.#evaluator.ask("cg_decide", this.#handle, request(call)));
    } catch (cause) {
      return denied(cause);
    }
  }

  /**
   * Decides many call records in one call of the evaluator.
   * @param {(object | string | Uint8Array)[]} calls
   * @returns {Decision[]} one for each call, in their order
   */
  decideMany(calls) {
    try {
      const requests = calls.map(request);
      const answer = this.#evaluator.ask("cg_decide_many", this.#handle, prefixed(requests));
      const answers = unprefixed(answer);
      if (answers.length !== calls.length) throw new CallgateError("not as many answers as calls");
      return answers.map((bytes) => {
        try {
          return decision(bytes);
        } catch (cause) {
          return denied(cause);
        }
      });
    } catch (cause) {
      return calls.map(() => denied(cause));
    }
  }

  /**
   * Decides on a tool and its subject alone: the fast path. The copying and moving tools need `decide`.
   * @returns {{effect: "allow" | "ask" | "deny", rule: number | null, error: CallgateError | null}}
   */
  decideText(tool, subject, { audience = "main", mode = "default" } = {}) {
    try {
      const flags = this.textFlags(audience, mode);
      const code = this.#evaluator.text(this.#handle, tool, subject, flags);
      const rule = code >>> 2;
      return { effect: EFFECTS[code & 3] ?? "deny", rule: rule === 0 ? null : rule - 1, error: null };
    } catch (cause) {
      return { effect: "deny", rule: null, error: asError("no decision", cause) };
    }
  }

  /** The flags of the fast path. An unknown audience or mode is an error. */
  textFlags(audience, mode) {
    const [who, how] = [AUDIENCES[audience], MODES[mode]];
    if (who === undefined || how === undefined) throw new CallgateError(`no ${audience} or no ${mode}`);
    return who | (how << 2);
  }

  /**
   * Learns from a call, which names its session, that the user answered "allow always".
   * @returns {string} the evaluator's answer, JSON
   * @throws {CallgateError} where the call is not readable
   */
  learn(call) {
    return decoder.decode(this.#evaluator.ask("cg_learn", this.#handle, request(call)));
  }

  /** Forgets what a session learned. @throws {CallgateError} */
  forget(session) {
    this.#evaluator.forget(this.#handle, session);
  }

  /**
   * Wraps a tool so that it only runs when its call is allowed, or asked for and answered with true.
   * @param {string} tool its name
   * @param {(args: object) => Promise<unknown>} run
   * @param {(decision: Decision) => Promise<boolean>} [approve] asks a person; without it, ask is a deny
   */
  intercept(tool, run, approve = async () => false) {
    return async (args) => {
      // What is judged is what runs: the tool gets the arguments as they were read back from the judged text.
      const text = JSON.stringify({ tool, args });
      const decision = this.decide(text);
      const may = decision.effect === "allow" || (decision.effect === "ask" && (await approve(decision)) === true);
      if (!may) throw decision.error ?? new CallgateError(decision.record?.reason ?? "denied");
      return run(JSON.parse(text).args);
    };
  }

  /** Frees the policy. Afterwards every call is denied. */
  close() {
    this.#evaluator.free(this.#handle);
  }
}

function put(text, bytes, at) {
  const { read, written } = encoder.encodeInto(text, bytes.subarray(at));
  if (read !== text.length) throw new CallgateError("the request does not fit");
  return written;
}

/** Encoding would put another character where half a surrogate pair stands, and another text would be judged. */
function wellFormed(text) {
  if (!text.isWellFormed()) throw new CallgateError("the request is no Unicode text");
  return text;
}

function request(call) {
  const text = () => wellFormed(typeof call === "string" ? call : JSON.stringify(call));
  const bytes = call instanceof Uint8Array ? call : encoder.encode(text());
  if (bytes.length > MAX_REQUEST_BYTES) throw new CallgateError("the request is too long");
  return bytes;
}

function prefixed(requests) {
  const length = requests.reduce((sum, bytes) => sum + 4 + bytes.length, 0);
  if (length > 64 * MAX_REQUEST_BYTES) throw new CallgateError("the requests are too long");
  const out = new Uint8Array(length);
  const view = new DataView(out.buffer);
  let at = 0;
  for (const bytes of requests) {
    view.setUint32(at, bytes.length, true);
    out.set(bytes, at + 4);
    at += 4 + bytes.length;
  }
  return out;
}

function unprefixed(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + view.getUint32(at, true);
    if (end > bytes.length) throw new CallgateError("an answer that ends too early");
    parts.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return parts;
}

function decision(bytes) {
  const text = decoder.decode(bytes);
  const record = JSON.parse(text);
  if (!EFFECTS.includes(record.effect)) throw new CallgateError(record.error ?? "no decision", record.code ?? 0);
  return { effect: record.effect, text, record, error: null };
}

function denied(cause) {
  return { effect: "deny", text: null, record: null, error: asError("no decision", cause) };
}

function asError(message, cause) {
  return cause instanceof CallgateError ? cause : new CallgateError(`${message}: ${cause}`, 0, { cause });
}
