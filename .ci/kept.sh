#!/usr/bin/env bash
# Lets the next run of CI on this machine begin with what Cargo made of the crates of others. `target` becomes a
# link to where that is kept; what was made of our own crates is thrown away, so that a run builds all of them.
# VIVARIUM_CI_KEPT names another folder; empty, nothing is kept.
set -euo pipefail
cd "$(dirname "$0")/.."

# Of root's, other users can read it: the tests start programs as one of them.
default=${XDG_CACHE_HOME:-${HOME:-}/.cache}/vivarium-ci
[ "$(id -u)" != 0 ] || default=/var/cache/vivarium-ci
kept=${VIVARIUM_CI_KEPT-$default}
MAX_GIB=12

if [ -z "$kept" ] || [ -e target ] || ! command -v cargo >/dev/null; then
  exit 0
fi

# Versions that nothing uses any more stay until all is made anew.
if [ -d "$kept" ] && [ "$(du -s --block-size=1G "$kept" | cut -f 1)" -ge "$MAX_GIB" ]; then
  rm -rf "$kept"
fi
mkdir -p "$kept"
ln -s "$kept" target

rm -rf target/site target/tmp target/package
cargo clean --quiet --workspace
for folder in target/front target/sandbox-worker; do
  cargo clean --quiet --workspace --profile wasm-dev --target wasm32-unknown-unknown --target-dir "$folder"
  cargo clean --quiet --workspace --profile wasm-dev --target-dir "$folder"
done
