#!/bin/sh
# Chromium inside the namespaces of the process $WORLD; what it prints and its debugging pipe stay outside.
exec nsenter --preserve-credentials --user --net --mount --target="$WORLD" -- "${CHROMIUM_PATH:-/usr/bin/chromium}" "$@"
