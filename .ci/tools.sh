#!/usr/bin/env bash
# Installs what is missing to build Vivarium; with the argument `test`, also what its tests need.
set -euo pipefail
cd "$(dirname "$0")/.."

has() { command -v "$1" >/dev/null; }

fail() {
  echo "$*" >&2
  exit 1
}

# Installs a Debian package, or says what to do about it.
package() {
  local name=$1 hint=$2 root=()
  [ "$(id -u)" = 0 ] || root=(sudo)
  if ! has apt-get || { [ ${#root[@]} -gt 0 ] && ! has sudo; }; then
    fail "$name is missing: $hint"
  fi
  "${root[@]}" apt-get update -q
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$name"
}

has cargo || fail "Rust is missing: install it with rustup."
has npm || fail "Node.js is missing: install version 20 or newer, with npm."

wasm=$(rustc --print target-libdir --target wasm32-unknown-unknown)
[ -d "$wasm" ] || rustup target add wasm32-unknown-unknown

# `--debug` builds in a third of the time and makes no difference to what the tool makes. 0.3.11 needs
# a newer compiler than rust-toolchain.toml names.
cargo leptos --version >/dev/null 2>&1 ||
  CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 \
    cargo install --locked cargo-leptos --version 0.3.10 --features no_downloads --debug

# The command line must be exactly as old as the crate.
bindgen=$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' Cargo.lock)
[ "$(wasm-bindgen --version 2>/dev/null)" = "wasm-bindgen $bindgen" ] ||
  CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL=1 \
    cargo install --locked wasm-bindgen-cli --version "$bindgen"

# Binaryen's wasm-opt, and what the end-to-end tests are written with.
[ end2end/node_modules/.package-lock.json -nt end2end/package-lock.json ] ||
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --prefix end2end

[ "${1-}" = test ] || exit 0

cargo clippy --version >/dev/null 2>&1 || rustup component add clippy
cargo fmt --version >/dev/null 2>&1 || rustup component add rustfmt
cargo deny --version >/dev/null 2>&1 ||
  CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 \
    cargo install --locked cargo-deny --version 0.20.2 --no-default-features --debug

# What the examples in deploy are for.
[ -x /usr/sbin/nginx ] || package nginx-light "install nginx as /usr/sbin/nginx."
has caddy || package caddy "install Caddy."
has systemd-analyze || package systemd "install systemd, whose systemd-analyze looks at the unit."

# Where the nodes of a hub meet.
has nats-server || [ -x /usr/sbin/nats-server ] || package nats-server "install nats-server."

# What commands of agents are confined with, and what they try to get out.
has bwrap || package bubblewrap "install bubblewrap."
[ -x /usr/bin/python3 ] || package python3 "install Python 3 as /usr/bin/python3."

# Installs the Python packages that the folder's requirements name, into its .venv.
packages() {
  local folder=$1
  ! cmp -s "$folder/requirements.txt" "$folder/.venv/requirements.txt" || return 0
  "$python" -m venv --clear "$folder/.venv"
  "$folder/.venv/bin/pip" install -q --disable-pip-version-check --no-deps -r "$folder/requirements.txt"
  cp "$folder/requirements.txt" "$folder/.venv/requirements.txt"
}

has python3 || package python3 "install Python 3.9 or newer."
python=$(command -v python3)
"$python" -c 'import ensurepip, venv' 2>/dev/null || package python3-venv "install Python's venv."

python_folders=(
  # The clients of OpenAI and Anthropic in Python, for the tests of what programs are served.
  end2end/clients
  # Readers of documents by others, for the tests of those that agents make.
  server/hub/tests/readers
  # A server of today's version of MCP, for the tests of agents that call its tools.
  server/hub/tests/mcp
  # A server for mail, for the tests of what people are told by it.
  server/hub/tests/mail
  # A server of mailboxes, for the tests of schedules that are due by mail.
  server/hub/tests/imap
  # A store that speaks as S3 does, for the tests of backups that are kept in one.
  server/hub/tests/s3
  # A collector of OpenTelemetry, for the tests of traces and figures that are sent to one.
  server/hub/tests/otlp
  # The clients of MCP and A2A in Python, for the tests of agents that other programs ask.
  server/tests/served
)
installing=()
for folder in "${python_folders[@]}"; do
  packages "$folder" &
  installing+=($!)
done
for one in "${installing[@]}"; do
  wait "$one" || fail "Python packages could not be installed."
done

[ -x "${CHROMIUM_PATH:-/usr/bin/chromium}" ] ||
  package chromium "install Chromium and set CHROMIUM_PATH to its program."
# The same engine without a browser around it, in which most tests take half the work.
[ -x "${HEADLESS_SHELL_PATH:-/usr/bin/chromium-headless-shell}" ] ||
  (package chromium-headless-shell "set HEADLESS_SHELL_PATH to its program.") ||
  echo "Without chromium-headless-shell the end-to-end tests take twice as long, all of them in Chromium." >&2
[ -x "${FIREFOX_PATH:-/usr/bin/firefox-esr}" ] ||
  package firefox-esr "install Firefox and set FIREFOX_PATH to its program."

[ -n "${TEST_DATABASE_URL-}" ] || has initdb || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null ||
  package postgresql "install PostgreSQL, or set TEST_DATABASE_URL to an empty database."

# The exfiltration test runs Chromium in a network of its own.
has ip || package iproute2 "install iproute2, whose ip makes the test's network."
has unshare || package util-linux "install util-linux, whose unshare makes the test's namespaces."
