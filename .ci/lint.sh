#!/usr/bin/env bash
# What CI sets RUSTC_WORKSPACE_WRAPPER to, and so compiles our own crates with: .ci/lint.sh RUSTC [ARGUMENT…].
exec clippy-driver "$@"
