"""A decision table and a call to allow, ask or deny, decided by callgate_eval.wasm under wasmtime.

Nothing here raises once a policy is loaded (but for `learn` and `forget`), and nothing but the evaluator's own "allow" is
an allow: an error code, a trap, a request that is too long, an evaluator that takes too long and an answer that cannot be
read are a deny that carries its `error`. After a trap the instance's memory may be anything, so it is never asked again.

A call into the module costs tens of microseconds here, whatever it does: `decide_many` pays that once for a batch.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import wasmtime

MAX_REQUEST_BYTES = 1 << 20
"""Most bytes of a request; longer ones are denied without being read."""

FUEL = 20_000_000_000
"""Instructions that one call of the evaluator may run (about ten seconds); then it counts as trapped."""

_ABI_VERSION = 1
_FUNCTIONS = (
    "cg_abi_version cg_alloc cg_free cg_policy_load cg_policy_free cg_decide cg_decide_many cg_decide_text cg_learn "
    "cg_forget cg_last_error"
).split()

P = ParamSpec("P")
R = TypeVar("R")


class Effect(IntEnum):
    """What to do with a call; as numbers of the fast path."""

    DENY = 0
    ASK = 1
    ALLOW = 2


class Audience(IntEnum):
    """Which engine asks."""

    MAIN = 0
    SUBAGENT = 1
    ALL = 2


class Mode(IntEnum):
    """The session's mode."""

    DEFAULT = 0
    PLAN = 1
    ACCEPT_EDITS = 2


class CallgateError(Exception):
    """Why there is no decision. `code` is the evaluator's, negative; 0 where the fault is on this side of it."""

    def __init__(self, message: str, code: int = 0) -> None:
        super().__init__(message)
        self.code = code


class Denied(Exception):
    """A call that `intercept` did not let through."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(str(decision.error) if decision.error else json.loads(decision.record)["reason"])
        self.decision = decision


@dataclass(frozen=True)
class Decision:
    """The answer to a call; `record` is the decision record byte for byte, empty where there is an error."""

    effect: Effect
    record: bytes = b""
    error: CallgateError | None = None


@dataclass(frozen=True)
class Verdict:
    """The short answer of the fast path; `rule` is the deciding rule's index."""

    effect: Effect
    rule: int | None = None
    error: CallgateError | None = None


class Evaluator:
    """One instance of the evaluator. Policies in it do not see each other. Not for several threads at once."""

    def __init__(self, module: bytes) -> None:
        self.broken: CallgateError | None = None
        try:
            config = wasmtime.Config()
            config.consume_fuel = True
            self._store = wasmtime.Store(wasmtime.Engine(config))
            self._store.set_fuel(FUEL)
            instance = wasmtime.Instance(self._store, wasmtime.Module(self._store.engine, module), [])
            exports = instance.exports(self._store)
            self._memory = exports["memory"]
            self._functions = {name: exports[name] for name in _FUNCTIONS}
            version = self._call("cg_abi_version")
        except CallgateError:
            raise
        except Exception as cause:
            raise CallgateError(f"not an evaluator: {cause}") from cause
        if version != _ABI_VERSION:
            raise CallgateError(f"ABI {version}, not {_ABI_VERSION}")

    @classmethod
    def from_file(cls, path: str | Path) -> Evaluator:
        """Starts an evaluator from `callgate_eval.wasm`."""
        try:
            return cls(Path(path).read_bytes())
        except OSError as cause:
            raise CallgateError(str(cause)) from cause

    def load(self, table: bytes) -> Policy:
        """Loads a decision table, as `callgate compile` writes it."""
        handle = self._with_bytes("cg_policy_load", (), table)
        if handle < 0:
            raise self._last_error(handle)
        return Policy(self, handle)

    def _call(self, name: str, *arguments: int) -> int:
        if self.broken:
            raise self.broken
        try:
            self._store.set_fuel(FUEL)
            return self._functions[name](self._store, *arguments) or 0
        except Exception as cause:
            self.broken = CallgateError(f"the evaluator trapped: {cause}")
            raise self.broken from cause

    def _allocate(self, data: bytes) -> int:
        pointer = self._call("cg_alloc", len(data)) & 0xFFFFFFFF
        if pointer == 0 and data:
            raise CallgateError("the evaluator has no memory left")
        self._memory.write(self._store, data, pointer)
        return pointer

    def _with_bytes(self, name: str, before: tuple[int, ...], data: bytes) -> int:
        pointer = self._allocate(data)
        result = self._call(name, *before, pointer, len(data))
        self._call("cg_free", pointer, len(data))
        return result

    def _ask(self, name: str, handle: int, request: bytes) -> bytes:
        return self._take(self._with_bytes(name, (handle,), request))

    def _take(self, packed: int) -> bytes:
        if packed <= 0:
            raise self._last_error(packed)
        pointer, length = packed >> 32, packed & 0xFFFFFFFF
        answer = bytes(self._memory.read(self._store, pointer, pointer + length))
        if len(answer) != length:
            self.broken = CallgateError("an answer outside the memory")
            raise self.broken
        self._call("cg_free", pointer, length)
        return answer

    def _last_error(self, code: int) -> CallgateError:
        packed = self._call("cg_last_error")
        message = self._take(packed).decode() if packed > 0 else "no decision"
        return CallgateError(message, code)


class Policy:
    """A loaded policy; `Evaluator.load` makes them. A handle that it did not give decides nothing."""

    def __init__(self, evaluator: Evaluator, handle: int) -> None:
        self._evaluator = evaluator
        self._handle = handle

    def decide(self, call: dict[str, Any] | str | bytes) -> Decision:
        """Decides one call record: an object, or its JSON as text or bytes."""
        try:
            return _decision(self._evaluator._ask("cg_decide", self._handle, _request(call)))
        except Exception as cause:
            return Decision(Effect.DENY, error=_as_error(cause))

    def decide_many(self, calls: Sequence[dict[str, Any] | str | bytes]) -> list[Decision]:
        """Decides many call records in one call of the evaluator; one answer for each, in their order."""
        try:
            batch = b"".join(struct.pack("<I", len(request)) + request for request in map(_request, calls))
            answers = _split(self._evaluator._ask("cg_decide_many", self._handle, batch))
            if len(answers) != len(calls):
                raise CallgateError("not as many answers as calls")
        except Exception as cause:
            return [Decision(Effect.DENY, error=_as_error(cause))] * len(calls)
        decisions = []
        for answer in answers:
            try:
                decisions.append(_decision(answer))
            except Exception as cause:
                decisions.append(Decision(Effect.DENY, error=_as_error(cause)))
        return decisions

    def decide_text(
        self, tool: str, subject: str, audience: Audience = Audience.MAIN, mode: Mode = Mode.DEFAULT
    ) -> Verdict:
        """Decides on a tool and its subject alone. The copying and moving tools need `decide`."""
        evaluator = self._evaluator
        try:
            name, text = tool.encode(), subject.encode()
            if len(name) + len(text) > MAX_REQUEST_BYTES:
                raise CallgateError("the request is too long")
            pointer = evaluator._allocate(name + text)
            places = pointer, len(name), pointer + len(name), len(text)
            flags = Audience(audience) | Mode(mode) << 2
            code = evaluator._call("cg_decide_text", self._handle, *places, flags)
            evaluator._call("cg_free", pointer, len(name) + len(text))
            if code < 0:
                raise evaluator._last_error(code)
            return Verdict(Effect(code & 3), (code >> 2) - 1 if code >> 2 else None)
        except Exception as cause:
            return Verdict(Effect.DENY, error=_as_error(cause))

    def learn(self, call: dict[str, Any] | str | bytes) -> dict[str, Any]:
        """Learns from a call, which names its session, that the user answered "allow always"."""
        return json.loads(self._evaluator._ask("cg_learn", self._handle, _request(call)))

    def forget(self, session: str) -> None:
        """Forgets what a session learned."""
        code = self._evaluator._with_bytes("cg_forget", (self._handle,), session.encode())
        if code < 0:
            raise self._evaluator._last_error(code)

    def intercept(
        self, tool: str, approve: Callable[[Decision], bool] = lambda decision: False
    ) -> Callable[[Callable[P, R]], Callable[..., R]]:
        """Decorates a tool so that it only runs when its call is allowed, or asked for and approved; else `Denied`."""

        def wrap(run: Callable[P, R]) -> Callable[..., R]:
            def guarded(**arguments: Any) -> R:
                # What is judged is what runs: the tool gets the arguments as read back from the judged text.
                judged = json.dumps(arguments)
                decision = self.decide('{"tool":' + json.dumps(tool) + ',"args":' + judged + "}")
                asked = decision.effect is Effect.ASK and approve(decision) is True
                if decision.effect is not Effect.ALLOW and not asked:
                    raise Denied(decision)
                return run(**json.loads(judged))

            return guarded

        return wrap

    def close(self) -> None:
        """Frees the policy. Afterwards every call is denied."""
        if not self._evaluator.broken:
            self._evaluator._call("cg_policy_free", self._handle)


def _request(call: dict[str, Any] | str | bytes) -> bytes:
    text = call if isinstance(call, (str, bytes)) else json.dumps(call, ensure_ascii=False)
    request = text.encode() if isinstance(text, str) else text
    if len(request) > MAX_REQUEST_BYTES:
        raise CallgateError("the request is too long")
    return request


def _split(data: bytes) -> list[bytes]:
    parts, at = [], 0
    while at < len(data):
        (length,) = struct.unpack_from("<I", data, at)
        if at + 4 + length > len(data):
            raise CallgateError("an answer that ends too early")
        parts.append(data[at + 4 : at + 4 + length])
        at += 4 + length
    return parts


def _decision(answer: bytes) -> Decision:
    effect = json.loads(answer)["effect"]
    if effect not in ("allow", "ask", "deny"):
        raise CallgateError("an answer without an effect")
    return Decision(Effect[effect.upper()], answer)


def _as_error(cause: Exception) -> CallgateError:
    return cause if isinstance(cause, CallgateError) else CallgateError(f"no decision: {cause}")
