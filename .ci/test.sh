#!/usr/bin/env bash
# Everything that must hold before a change lands. Stops at the first thing that does not. At the end it
# says what each step took: seconds on the clock, and seconds of work of the processors.
set -euo pipefail
cd "$(dirname "$0")/.."

took=$(mktemp)
name=''

# Sets `work` to the seconds of work of everything that has ended so far.
measure() {
  times >"$took.now"
  work=$(awk -F '[ ms]' 'NR == 2 { printf "%d", $1 * 60 + $2 + $4 * 60 + $5 }' "$took.now")
}

# Ends the step before, and begins another.
step() {
  measure
  [ -z "$name" ] || printf '%6d %6d  %s\n' $((SECONDS - clock_before)) $((work - work_before)) "$name" >>"$took"
  name=$* clock_before=$SECONDS work_before=$work
  [ -z "$name" ] || printf '\n== %s\n' "$name"
}

finish() {
  [ -z "${beside-}" ] || kill "$beside" 2>/dev/null || true
  step ''
  printf '\n clock   work  (seconds)\n'
  cat "$took"
  rm -f "$took" "$took.now"
}
trap finish EXIT

step Tools
.ci/tools.sh test
export PATH="$PWD/end2end/node_modules/.bin:$PATH"
# Nothing below goes to a server that they are for, and Node.js reads all of them each time it starts.
unset NODE_EXTRA_CA_CERTS
target=${CARGO_TARGET_DIR:-target}

step Format
cargo fmt --all --check

# The host's half has the program too, as the tests want it. Each half waits for one crate most of the time. Clippy is
# what compiles, with what `cargo clippy -- -D warnings` tells it: nothing is looked through a second time.
step 'Build, with lints'
export RUSTC_WORKSPACE_WRAPPER=$PWD/.ci/lint.sh CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__
cargo leptos build --frontend-only --split --features split &
cargo test --no-run --features server/split
wait $!
cargo test -p shell --no-run
built=$((SECONDS - clock_before))

step Dependencies
cargo deny check bans licenses sources

# Every parser of what others wrote, with the same inputs each time; what is compiled and not tested; types.
aside() {
  "$target/debug/examples/fuzz" 20000 sse ndjson event_stream anthropic openai_chat bedrock in_browser text_lane served \
    openai_responses gemini ollama
  cargo test -p shell
  cargo build --bench loop --bench figures --features server/split
  npm --prefix end2end run --silent check
}
export -f aside
export target

# Where CI ends a run after a time, what does not fit into it on a slow machine runs in turns (decision 156): by the
# number of commits, the part of this run among so many. How long building took says how slow the machine is today.
part_of() { echo $((1 + $(git rev-list --count HEAD) % $1)); }
turns=1
if [ -n "${CI-}" ]; then
  [ "$built" -lt 1000 ] || turns=2
  [ "$built" -lt 1250 ] || turns=4
  [ "$built" -lt 1600 ] || turns=8
fi
turn=
if [ "$turns" != 1 ]; then
  turn=$(part_of "$turns")/$turns
  echo "This machine is slow today: part $turn of what is tested on both databases. The others run with the next changes."
fi

step 'Rust tests on SQLite and PostgreSQL; beside them fuzzing and types'
# The tests wait for the disk, for servers and for the clock a third of the time: what only reckons has the rest.
said=$(mktemp)
nice -n 19 bash -euo pipefail -c aside >"$said" 2>&1 &
beside=$!
RUST_TEST_THREADS=$((2 * $(nproc))) .ci/postgres.sh .ci/rust_tests.sh 45m "$turn"
wait "$beside" || { cat "$said"; exit 1; }
cat "$said"
rm -f "$said"

# Root gives the commands of agents another user, which anybody else cannot: what keeps them in is not the same.
if [ "$(id -u)" = 0 ]; then
  step 'Commands of agents beside a service of systemd, and where the hub is an ordinary user'
  .ci/as_service.sh "$target/debug/vivarium"
  program=$(cargo test --no-run --features server/split --message-format json 2>/dev/null | node .ci/program_of.mjs server/hub it)
  if runuser -u nobody -- test -x "$program" -a -r server/hub/Cargo.toml; then
    (cd server/hub && runuser -u nobody -- env HOME=/tmp CARGO_MANIFEST_DIR="$PWD" "$PWD/../../.ci/postgres.sh" "$program" terminal::escapes)
  else
    echo "Not where only root can read the checkout: run it as an ordinary user there."
  fi
fi

step Clients
npm --prefix end2end run --silent test:endpoints
npm --prefix end2end run --silent test:clients

step 'End-to-end tests'
# Nothing else runs here. What fails and then passes is told of as flaky.
browsers() { npm --prefix end2end run --silent test -- --retries=2 --workers=2 "$@"; }
# What the tests in the browser take, reckoned from the build: those of security, which always run, and the others.
parts=1
if [ -n "${CI-}" ]; then
  left=$((5000 - SECONDS - built / 4))
  [ "$left" -ge 200 ] || left=200
  parts=$(((built * 8 / 5 + left - 1) / left))
  [ "$parts" -le 8 ] || parts=8
fi
if [ "$parts" -le 1 ]; then
  browsers
  # An eighth of them again, in turns, where a balancer gives each connection to another of three nodes.
  if [ -z "${CI-}" ] || [ "$SECONDS" -lt 4200 ]; then
    step 'End-to-end tests on three nodes'
    VIVARIUM_NODES=3 .ci/postgres.sh npm --prefix end2end run --silent test -- --retries=2 --workers=2 \
      --project=hydrate --project=browser --shard="$(part_of 8)/8"
  fi
else
  part=$(part_of "$parts")
  echo "This machine is slow today: part $part of $parts of the tests of pages. The others run with the next changes."
  browsers --project=security
  browsers --project=ssr --project=hydrate --project=browser --shard="$part/$parts"
fi
