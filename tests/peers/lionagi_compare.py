"""Random policies and calls to LionAGI's PermissionPolicy and to callgate: the same behaviour and the same rule.

LionAGI defined the rules dialect. Most pairs are compared as they are. Where a call meets one of the few deliberate
deviations, LionAGI is asked about the call as callgate reads it (a null left out, a nested value as its compact JSON, one
character lowercased to one), or our answer must be the stated one (a refusal of the policy, a deny of malformed
arguments). Every such pair is counted under the deviation's name.

The last line says how many pairs passed and failed. Equal seeds give equal pairs.
"""

import argparse
import copy
import fnmatch
import importlib.util
import json
import os
import random
import subprocess
import sys
import types


def load_permissions():
    """LionAGI's own module, without what its packages import on the way to it (and its dependencies)."""
    root = importlib.util.find_spec("lionagi").submodule_search_locations[0]
    for name in ("lionagi", "lionagi.agent", "lionagi.tools"):
        package = types.ModuleType(name)
        package.__path__ = [os.path.join(root, *name.split(".")[1:])]
        sys.modules[name] = package
    return importlib.import_module("lionagi.agent.permissions")


permissions = load_permissions()
THEIR_CANONICAL, THEIR_MATCHES = permissions._canonical_tool_name, permissions._matches

SUBJECTS = {"bash": ("command",), "editor": ("file_path",), "reader": ("path",), "search": ("pattern", "path")}
EFFECTS = ("deny", "allow", "escalate")
COLLISION = "CG0211"

TOOLS = [
    "bash", "Bash", "bash_tool", "BASH_TOOL", "editor", "Editor_Tool", "reader", "reader_tool", "search", "search_tool",
    "context", "context_tool", "mcp_fetch", "Deploy", "deploy", "http.get", "ΛΌΓΟΣ", "λόγοσ", "ÉDITEUR", "İTOOL",
]
UNKNOWN_TOOLS = ["bash ", "", "nothing", "*", "_tool", "bash_tool_tool"]
WORDS = [
    "git", "push", "--force", "rm", "-rf", "/", "cargo", "test", "src/main.rs", ".env", "id.key", "a", "b", "ab", "aab",
    "README.md", "Zürich", "straße", "ΣΊΣΥΦΟΣ", "λόγος", "Привет", "İstanbul", "ﬁx", "Ǆ", "ǆ", "ꙊK", "𐐀𐐨", "😀", "é", "É", "",
    "~", "'q'", '"d"', "\\", "[x]", "*", "?", "!", "\t", "a.b", "10", "None", "True", "K", "ſ", "ẞ", "ⅷ", "Ⓐ",
]
CONTROLS = [";", "&&", "||", "|", "`", "$(", "<", ">", "\n", "&", "$", "\r"]
PIECES = [
    "*", "?", "**", "[a-z]", "[!a-z]", "[abc]", "[]a]", "[!]a]", "[z-a]", "[а-я]", "[À-ÿ]", "[A-Z]", "[", "[!", "[]", "[!]", "]", "!",
    "[--0]", "[a-]", "[-a]", "[^a]", "[a-c-e]", "[&&]", "[||]", "[~~]", "[\\]", "[*]", "[?]", "[[]", "[a\\-z]", "[Σσς]", "[İi]",
]
NUMBERS = [
    "0", "-0", "1", "-7", "10", "1.0", "-0.0", "100.0", "1e2", "1E5", "1e16", "1.0e+15", "0.1", "1e-5", "0.0001", "123456789012345678901234567890",
    "9007199254740993", "9007199254740993.0", "5e-324", "1.7976931348623157e308", "3.141592653589793", "2.5e-7", "-1e22", "1e23",
]
MALFORMED = ['{"a":1,"a":2}', '{"command":"\\ud800"}', '{"x":1e400}', '{"x":NaN}', "[]", "null", '{"x":01}', '{"x":"\t"}', '{"x":1,}']


def lower(text):
    """Our lowercasing: one character to one, U+0130 to itself, no final sigma."""
    return "".join(character if character == "İ" else character.lower() for character in text)


def canonical(tool):
    lowered = lower(tool)
    return permissions._TOOL_ALIASES.get(lowered, lowered)


def matches(text, pattern):
    return fnmatch.fnmatch(text, pattern) or fnmatch.fnmatch(lower(text), lower(pattern))


def check(data, tool, action, args, our_case=False):
    """LionAGI's decision; with `our_case`, with our lowercasing in the place of Python's."""
    permissions._canonical_tool_name = canonical if our_case else THEIR_CANONICAL
    permissions._matches = matches if our_case else THEIR_MATCHES
    decision = permissions.PermissionPolicy.from_dict(copy.deepcopy(data)).check(tool, action, args)
    return decision.behavior, decision.matched_rule


def quoted(text):
    """A YAML double-quoted scalar."""
    out = ['"']
    for character in text:
        if character in '"\\':
            out.append("\\" + character)
        elif character.isprintable():
            out.append(character)
        else:
            out.append(f"\\U{ord(character):08x}")
    return "".join(out) + '"'


def words(rng, most):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(0, most)))


def letters(rng, most):
    """Characters of any script that has case, and of some that have not."""
    blocks = [(0x20, 0x7E), (0xC0, 0x24F), (0x370, 0x3FF), (0x400, 0x52F), (0x531, 0x586), (0x10A0, 0x10FF), (0x13A0, 0x13F5)]
    blocks += [(0x1E00, 0x1FFC), (0x2160, 0x217F), (0x24B6, 0x24E9), (0x2C00, 0x2D2D), (0xA640, 0xA69B), (0xA722, 0xA787)]
    blocks += [(0xFF21, 0xFF5A), (0x10400, 0x1044F), (0x118A0, 0x118DF), (0x1E900, 0x1E943), (0x1F600, 0x1F64F)]
    return "".join(chr(rng.randint(*rng.choice(blocks))) for _ in range(rng.randint(1, most)))


def subject(rng):
    kind = rng.random()
    if kind < 0.6:
        return words(rng, 4)
    if kind < 0.75:
        return letters(rng, 6)
    if kind < 0.85:
        return words(rng, 2) + rng.choice(CONTROLS) + words(rng, 2)
    return rng.choice(WORDS)


def pattern(rng, seen):
    """A pattern that is no sentence: callgate takes a sentence among the patterns for a slip, and refuses the policy."""
    text = any_pattern(rng, seen)
    is_literal = not any(character in text for character in "*?[")
    return text + "*" if is_literal and text.strip().endswith((".", "!")) else text


def any_pattern(rng, seen):
    """Often made from a subject that is asked about, so that patterns meet."""
    kind = rng.random()
    if kind < 0.1:
        return "*"
    if kind < 0.6 and seen:
        text = list(rng.choice(seen))
        for _ in range(rng.randint(0, 3)):
            start = rng.randint(0, len(text))
            end = min(len(text), start + rng.randint(0, 3))
            text[start:end] = [rng.choice(PIECES[:12])]
        text = "".join(text)
        return rng.choice([str, str.lower, str.upper, str.swapcase])(text)
    parts = [rng.choice(PIECES if rng.random() < 0.5 else WORDS) for _ in range(rng.randint(0, 5))]
    return "".join(parts)


def value(rng, depth=0):
    """An argument as JSON text."""
    kind = rng.random()
    if kind < 0.55:
        return json.dumps(subject(rng), ensure_ascii=rng.random() < 0.3)
    if kind < 0.75:
        return rng.choice(NUMBERS)
    if kind < 0.85 or depth > 2:
        return rng.choice(["true", "false", "null"])
    items = [value(rng, depth + 1) for _ in range(rng.randint(0, 3))]
    if kind < 0.93:
        return "[" + rng.choice([",", ", "]).join(items) + "]"
    return "{" + ", ".join(f'"k{index} é": {item}' for index, item in enumerate(items)) + "}"


def call(rng):
    tool = rng.choice(TOOLS) if rng.random() < 0.97 else rng.choice(UNKNOWN_TOOLS)
    action = rng.choice(["", "run", "Fetch", "é", "a b"])
    if rng.random() < 0.01:
        return tool, action, rng.choice(MALFORMED)
    names = list(SUBJECTS.get(canonical(tool), ()))
    names = [name for name in names if rng.random() < 0.93]
    text = lambda name: value(rng) if rng.random() < 0.03 else json.dumps(subject(rng), ensure_ascii=rng.random() < 0.3)
    members = [(name, text(name)) for name in names]
    if not names or rng.random() < 0.1:
        members += [(f"q{index}", value(rng)) for index in range(rng.randint(0, 3))]
    rng.shuffle(members)
    return tool, action, "{" + ", ".join(f'"{name}": {item}' for name, item in members) + "}"


def policy(rng, asked, seen):
    """Rules for most tools that are asked about, and for some others."""
    candidates = ["*", *TOOLS]
    rules = {}
    for effect in rng.sample(EFFECTS, len(EFFECTS)):
        if rng.random() < 0.15:
            continue
        tools = [tool for tool in rng.sample(candidates, len(candidates)) if tool in asked or rng.random() < 0.1]
        distinct = {} if rng.random() < 0.98 else None
        for tool in tools:
            if distinct is not None and distinct.setdefault(canonical(tool), tool) != tool:
                continue
            rules.setdefault(effect, {})[tool] = [pattern(rng, seen) for _ in range(rng.randint(0, 4))]
    mode = "rules" if rng.random() < 0.94 else rng.choice(["allow_all", "deny_all"])
    return {"mode": mode, **rules}


def document(data):
    lines = [f"mode: {data['mode']}"]
    for effect in EFFECTS:
        for index, (tool, patterns) in enumerate(data.get(effect, {}).items()):
            if index == 0:
                lines.append(f"{effect}:")
            lines.append(f"  {quoted(tool)}: [{', '.join(quoted(text) for text in patterns)}]")
    return "\n".join(lines) + "\n"


def collides(data):
    for effect in EFFECTS:
        names = [canonical(tool) for tool in data.get(effect, {})]
        if len(set(names)) < len(names):
            return True
    return False


def nested(item):
    return isinstance(item, (list, dict))


def compact(item):
    return json.dumps(item, ensure_ascii=False, separators=(",", ":"))


def as_we_read(tool, args):
    """The arguments without what LionAGI reads otherwise, and the deviation that this took, or None."""
    name = canonical(tool)
    deviation = None
    for key in SUBJECTS.get(name, ()):
        if key not in args or isinstance(args[key], str):
            continue
        if args[key] is not None:
            return None, "subject argument that is not a string"
        if (name, key) != ("search", "path"):
            deviation = "null subject argument"
        args = {other: item for other, item in args.items() if other != key}
    if name not in SUBJECTS and any(nested(item) for item in args.values()):
        deviation = "nested value"
        args = {key: compact(item) if nested(item) else item for key, item in args.items()}
    return args, deviation


def judge(data, one, ours):
    """Whether our answer is right, what it should have been, and the deviation met, or None."""
    tool, action, text = one
    got = ({"ask": "escalate"}.get(ours["effect"], ours["effect"]), ours["pattern"])
    if text in MALFORMED:
        args, deviation = None, "malformed arguments"
    else:
        args, deviation = as_we_read(tool, json.loads(text))
    if args is None:
        wanted = ("deny", None)
        return got == wanted and ours["provenance"] == "malformed_arguments", wanted, deviation
    wanted = check(data, tool, action, args)
    if got != wanted and got == check(data, tool, action, args, our_case=True):
        return True, wanted, "U+0130 or final sigma"
    return got == wanted, wanted, deviation


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decide", required=True, help="the program decide_lines")
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)

    questions = []
    pairs = 0
    while pairs < options.pairs:
        calls = [call(rng) for _ in range(min(5, options.pairs - pairs))]
        pairs += len(calls)
        asked = [tool for tool, _, _ in calls if tool in TOOLS and rng.random() < 0.8]
        asked += [alias for alias in TOOLS if any(canonical(alias) == canonical(tool) for tool in asked) and rng.random() < 0.3]
        seen = []
        for _, action, text in calls:
            if text not in MALFORMED:
                strings = [item for item in json.loads(text).values() if isinstance(item, str)]
                seen += [*strings, " ".join([action, *strings])]
        questions.append((policy(rng, asked, seen), calls))

    lines = []
    for data, calls in questions:
        records = [f'{{"tool":{json.dumps(tool)},"action":{json.dumps(action)},"args":{text}}}' for tool, action, text in calls]
        lines.append(json.dumps({"policy": document(data), "calls": records}))
    run = subprocess.run([options.decide], input="\n".join(lines) + "\n", stdout=subprocess.PIPE, text=True, check=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(answers) == len(questions)

    passed, failed, deviations, kinds = 0, 0, {}, {}

    def fail(data, one, wanted, got):
        nonlocal failed
        failed += 1
        if failed <= 20:
            print(f"DIFFERENT: {json.dumps(data)}\n  call {one}\n  LionAGI {wanted}\n  ours    {got}")

    def deviate(name):
        deviations[name] = deviations.get(name, 0) + 1

    for (data, calls), answer in zip(questions, answers):
        if "refused" in answer or collides(data):
            codes = answer.get("refused")
            for one in calls:
                if collides(data) and codes and set(codes) == {COLLISION}:
                    passed += 1
                    deviate("keys that collide")
                else:
                    fail(data, one, "a policy", f"refused {codes}")
            continue
        for one, ours in zip(calls, answer["decisions"], strict=True):
            right, wanted, deviation = judge(data, one, ours)
            kind = ours["effect"] + (" by a rule" if ours["pattern"] is not None else "")
            kinds[kind] = kinds.get(kind, 0) + 1
            if right:
                passed += 1
                if deviation:
                    deviate(deviation)
            else:
                fail(data, one, wanted, ours)

    print("decisions: " + ", ".join(f"{count} {name}" for name, count in sorted(kinds.items())))
    print("deviations met: " + ", ".join(f"{count} {name}" for name, count in sorted(deviations.items())))
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
