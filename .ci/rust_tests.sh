#!/usr/bin/env bash
# Runs the Rust tests for at most so long, and names those that had not ended by then: .ci/rust_tests.sh LIMIT [TURN]. The
# few that fail run once more with nothing beside them, and are told of as flaky where they hold then. Of what is tested
# on both databases, TURN (such as 1/2) runs a part only.
set -uo pipefail

limit=$1
turn=${2-}
# What has a twin for the other database runs without it.
left_out=()
if [ -n "$turn" ]; then
  [ $((${turn%/*} % 2)) = 0 ] && left_out=(--skip _on_postgresql) || left_out=(--skip _on_sqlite)
fi
said=$(mktemp)
trap 'rm -f "$said"' EXIT

# Runs the tests, those of some names if any are given.
tests() {
  timeout --kill-after=10 "$limit" cargo test --no-fail-fast --features server/split "$@" 2>&1 | tee "$said"
  return "${PIPESTATUS[0]}"
}

# The harness says of each test when it has taken over a minute, and when it has ended.
slow() {
  sed -n 's/^test \(.*\) has been running for over 60 seconds$/\1/p' "$said" | sort -u >"$said.slow"
  sed -n 's/^test \(.*\) \.\.\. .*/\1/p' "$said" | sort -u | comm -23 "$said.slow" -
  rm -f "$said.slow"
}

TEST_TURN=$turn tests ${left_out:+-- "${left_out[@]}"}
status=$?
if [ "$status" = 124 ] || [ "$status" = 137 ]; then
  printf '\nNot ended after %s:\n' "$limit" >&2
  slow >&2
  exit "$status"
fi
[ "$status" != 0 ] || exit 0

mapfile -t failed < <(sed -n 's/^---- \(.*\) stdout ----$/\1/p' "$said" | sort -u)
[ "${#failed[@]}" -gt 0 ] && [ "${#failed[@]}" -le 5 ] || exit "$status"
printf '\nOnce more, with nothing beside it: %s\n' "${failed[@]}"
tests -- --exact --test-threads=1 "${failed[@]}" || exit
# A name that no test has would hold as well.
passed=$(awk '/^test result: ok\./ { count += $4 } END { print count + 0 }' "$said")
[ "$passed" -ge "${#failed[@]}" ] || exit "$status"
printf '\nFlaky: %s\n' "${failed[@]}"
