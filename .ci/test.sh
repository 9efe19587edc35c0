#!/usr/bin/env bash
# Everything that must hold before a change lands. Stops at the first thing that does not.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; }

step Tools
.ci/tools.sh test
export PATH="$PWD/end2end/node_modules/.bin:$PATH"

step Format
cargo fmt --all --check

step Build
cargo leptos build

step Lints
cargo clippy --all-targets -- -D warnings
cargo clippy -p frontend -p worker --target wasm32-unknown-unknown \
  --target-dir "${CARGO_TARGET_DIR:-target}/front" -- -D warnings

step Dependencies
cargo deny check bans licenses sources

step Rust tests on SQLite and PostgreSQL
.ci/postgres.sh cargo test

# Every parser of what others wrote, a minute each, two at a time.
step Fuzzing
cargo build -q -p agent --example fuzz
fuzz=${CARGO_TARGET_DIR:-target}/debug/examples/fuzz
"$fuzz" 300 sse ndjson event_stream anthropic openai_chat &
"$fuzz" 300 openai_responses gemini ollama bedrock text_lane in_browser
wait $!

step End-to-end tests
cd end2end
npm run --silent check
npm run --silent test:endpoints
npm run --silent test:clients
npm run --silent test
