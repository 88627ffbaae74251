#!/usr/bin/env bash
# callgate beside LionAGI 0.36.0, which defined the rules dialect: random policies and calls through both, and LionAGI's
# own pack of prompts and a settings file of its shapes through our checker, which must find nothing. The last line counts.
#
#   tests/peers/run.sh [--seed N] [--pairs N]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

target=${CARGO_TARGET_DIR:-target}
venv=$target/peers/lionagi-0.36.0
python=$venv/bin/python

if ! "$python" -c 'import lionagi, orjson, anyio, typing_extensions' >/dev/null 2>&1; then
    mkdir -p "$target/peers"
    python3 -m venv --clear "$venv"
    # The permission module needs no more than these three of what LionAGI depends on.
    "$python" -m pip install --quiet --disable-pip-version-check 'anyio>=4.14.2' 'orjson>=3.11.8' typing_extensions
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps lionagi==0.36.0
fi

cargo build --quiet --release -p callgate-tests --bin decide_lines
decide=$target/release/decide_lines

passed=0
failed=0

# sound NAME KIND FILE: the checker finds nothing in it.
sound() {
    if "$decide" --check "$2" "$3"; then
        echo "$1: no finding"
        passed=$((passed + 1))
    else
        echo "$1 has findings"
        failed=$((failed + 1))
    fi
}

pack=$("$python" -c 'import importlib.util as u; print(u.find_spec("lionagi").submodule_search_locations[0])')/casts/packs/default.yaml
sound "LionAGI's default pack" pack "$pack"
sound "a settings file in every shape that LionAGI reads" settings tests/peers/lionagi-settings.yaml

report=$("$python" tests/peers/lionagi_compare.py --decide "$decide" "$@") || true
echo "$report" | sed '$d'
counts=$(echo "$report" | tail -n 1)
if [[ $counts =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    passed=$((passed + BASH_REMATCH[1]))
    failed=$((failed + BASH_REMATCH[2]))
else
    echo "$counts"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
