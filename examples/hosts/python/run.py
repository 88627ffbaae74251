"""The runner of the shared checks: `run.py parity|hostile MODULE …` to one line and an exit code.

    parity MODULE BUNDLE        every recorded answer, byte for byte, in batches
    hostile MODULE TABLE LIST   every hostile input of the list
"""

from __future__ import annotations

import hashlib
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

from callgate import Audience, CallgateError, Decision, Effect, Evaluator, Mode, Policy, Verdict

CALL = {"tool": "reader", "args": {"path": "x"}}


def entries(bundle: bytes) -> Iterator[tuple[str, bytes]]:
    at = 0
    while at < len(bundle):
        (length,) = struct.unpack_from("<I", bundle, at + 1)
        yield chr(bundle[at]), bundle[at + 5 : at + 5 + length]
        at += 5 + length


def same(decision: Decision, expected: bytes) -> bool:
    """Whether the decision is the recorded one; nothing recorded stands for an error."""
    if not expected:
        return decision.error is not None and decision.effect is Effect.DENY
    return decision.record == expected


def number(policy: Policy, asked: bytes) -> int:
    flags, length = struct.unpack_from("<II", asked)
    tool, subject = asked[8 : 8 + length].decode(), asked[8 + length :].decode()
    verdict = policy.decide_text(tool, subject, Audience(flags & 3), Mode(flags >> 2))
    if verdict.error:
        return verdict.error.code
    return verdict.effect | (0 if verdict.rule is None else verdict.rule + 1) << 2


def parity(module: Path, bundle: Path) -> bool:
    evaluator = Evaluator.from_file(module)
    policy, asked, batch = None, b"", []
    rows = differences = 0

    def finish() -> int:
        answers = policy.decide_many([request for request, _ in batch])
        wrong = sum(not same(answer, expected) for answer, (_, expected) in zip(answers, batch, strict=True))
        batch.clear()
        return wrong

    for tag, data in entries(bundle.read_bytes()):
        match tag:
            case "T":
                if policy:
                    differences += finish()
                    policy.close()
                policy = evaluator.load(data)
            case "L":
                try:
                    policy.learn(data)
                except CallgateError:
                    # A call that cannot be read teaches nothing.
                    if evaluator.broken:
                        raise
            case "Q" | "X":
                asked = data
            case "A":
                batch.append((asked, data))
                rows += 1
            case "Y":
                rows += 1
                differences += number(policy, asked) != struct.unpack("<i", data)[0]
            case _:
                raise ValueError(f"an entry of an unknown kind: {tag}")
    differences += finish()
    sha256 = hashlib.sha256(module.read_bytes()).hexdigest()
    print(f"python: module {sha256}, {rows} rows, {differences} differences")
    return rows > 0 and differences == 0


def ask(policy: Policy) -> list[Decision | Verdict]:
    return [policy.decide(CALL), policy.decide_many([CALL])[0], policy.decide_text("reader", "x")]


def damaged(table: bytes, argument: str) -> bytes:
    match argument.split():
        case ["keep", count]:
            return table[: int(count)]
        case ["cut", count]:
            return table[: len(table) - int(count)]
        case ["set", offset, text]:
            data = bytes.fromhex(text)
            return table[: int(offset)] + data + table[int(offset) + len(data) :]
    raise ValueError(argument)


def put(evaluator: Evaluator, good: Policy, table: bytes, kind: str, argument: str, folder: Path):
    """The answers to one hostile input; CallgateError is a refusal before any policy could be asked."""

    def raw(request):
        return [good.decide(request), good.decide_many([request])[0]]

    match kind:
        case "table":
            return ask(evaluator.load(damaged(table, argument)))
        case "request":
            return raw(argument)
        case "request-hex":
            return raw(bytes.fromhex(argument))
        case "request-fill":
            return raw({"tool": "reader", "args": {"path": "x" * int(argument)}})
        case "units":
            path = "".join(chr(int(argument[at : at + 4], 16)) for at in range(0, len(argument), 4))
            texts = [good.decide_text("reader", path), good.decide_text(path, "x")]
            return texts + raw({"tool": "reader", "args": {"path": path}})
        case "handle":
            return ask(Policy(evaluator, int(argument)))
        case "freed":
            policy = evaluator.load(table)
            policy.close()
            return ask(policy)
        case "module":
            return ask(Evaluator.from_file(folder / argument).load(table))
    raise ValueError(f"a hostile input of an unknown kind: {kind}")


def hostile(module: Path, table_path: Path, list_path: Path) -> bool:
    table = table_path.read_bytes()
    evaluator = Evaluator.from_file(module)
    good = evaluator.load(table)
    cases, faults = 0, []
    for line in list_path.read_text().split("\n"):
        if not line or line.startswith("#"):
            continue
        name, kind, argument = line.split("\t")
        cases += 1
        try:
            answers = put(evaluator, good, table, kind, argument, list_path.parent)
        except CallgateError:
            answers = []
        if any(a.effect is Effect.ALLOW or (not a.error and a.effect is not Effect.DENY) for a in answers):
            faults.append(f"{name}: not refused")
        if any(answer.effect is not Effect.ALLOW for answer in ask(good)):
            faults.append(f"{name}: dead afterwards")
    for fault in faults:
        print(f"  {fault}")
    print(f"python: {cases} hostile inputs, {len(faults)} faults")
    return cases > 0 and not faults


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["parity", module, bundle]:
            ok = parity(Path(module), Path(bundle))
        case ["hostile", module, table, listed]:
            ok = hostile(Path(module), Path(table), Path(listed))
        case _:
            sys.exit("usage: run.py parity MODULE BUNDLE | hostile MODULE TABLE LIST")
    sys.exit(0 if ok else 1)
