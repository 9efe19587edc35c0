#!/usr/bin/env bash
# Runs a command with `target` as a link to a folder that stays, so that the next run of CI on this machine begins with
# what Cargo made of the crates of others: .ci/kept.sh COMMAND [ARGUMENT…]. What was made of our own is thrown away
# first, so that a run builds all of them. VIVARIUM_CI_KEPT names another folder; empty, nothing is kept. Whatever is
# wrong with it, the command runs without.
set -uo pipefail
cd "$(dirname "$0")/.."

# Of root's, other users can read it: the tests start programs as one of them.
default=${HOME:+${XDG_CACHE_HOME:-$HOME/.cache}/vivarium-ci}
[ "$(id -u)" != 0 ] || default=/var/cache/vivarium-ci
folder=${VIVARIUM_CI_KEPT-$default}
kept=$folder/target
MAX_GIB=12

prepare() {
  # Only one run has it at a time, to its end: the command inherits the lock.
  mkdir -p "$folder" && exec 9>"$folder/lock" && flock -n 9 || return 1
  # Versions that nothing uses any more stay until all is made anew.
  if [ -d "$kept" ] && [ "$(du -s --block-size=1G "$kept" | cut -f 1)" -ge "$MAX_GIB" ]; then
    rm -rf "$kept" || return 1
  fi
  mkdir -p "$kept" && rm -rf "$kept/site" "$kept/tmp" "$kept/package" || return 1
  cargo clean --quiet --workspace --target-dir "$kept" || return 1
  for half in front sandbox-worker; do
    cargo clean --quiet --workspace --profile wasm-dev --target-dir "$kept/$half" || return 1
    cargo clean --quiet --workspace --profile wasm-dev --target wasm32-unknown-unknown --target-dir "$kept/$half" || return 1
  done
  ln -sfn "$kept" target
}

if [ -n "$folder" ] && [ ! -e target ] && ! prepare; then
  echo "Nothing that is built here is kept." >&2
fi
exec "$@"
