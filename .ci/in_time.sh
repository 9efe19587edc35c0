#!/usr/bin/env bash
# Runs tests for at most so long, and names those that had not ended by then: .ci/in_time.sh LIMIT COMMAND [ARGUMENT…]
set -uo pipefail

said=$(mktemp)
trap 'rm -f "$said"' EXIT

timeout --kill-after=10 "$@" 2>&1 | tee "$said"
status=${PIPESTATUS[0]}
if [ "$status" = 124 ] || [ "$status" = 137 ]; then
  # The harness says of each test when it has taken over a minute, and when it has ended.
  printf '\nNot ended after %s:\n' "$1" >&2
  sed -n 's/^test \(.*\) has been running for over 60 seconds$/\1/p' "$said" | sort -u >"$said.slow"
  sed -n 's/^test \(.*\) \.\.\. .*/\1/p' "$said" | sort -u | comm -23 "$said.slow" - >&2
  rm -f "$said.slow"
fi
exit "$status"
