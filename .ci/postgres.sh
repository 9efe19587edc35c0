#!/usr/bin/env bash
# Runs a command with TEST_DATABASE_URL naming a PostgreSQL of its own, which is thrown away
# afterwards: .ci/postgres.sh COMMAND [ARGUMENT…]. A TEST_DATABASE_URL that is set already is left alone.
set -euo pipefail

[ -z "${TEST_DATABASE_URL-}" ] || exec "$@"

initdb=$(command -v initdb || compgen -G '/usr/lib/postgresql/*/bin/initdb' | sort -V | tail -n 1) || {
  echo "PostgreSQL is missing: run .ci/tools.sh test, or set TEST_DATABASE_URL." >&2
  exit 1
}
bin=$(dirname "$(readlink -f "$initdb")")
# In memory, where the system has a folder there: what is written is thrown away soon.
folder=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")")
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')

# PostgreSQL refuses to run as root.
as=()
if [ "$(id -u)" = 0 ]; then
  as=(runuser -u nobody --)
  chown nobody "$folder"
fi

pg() { (cd "$folder" && "${as[@]}" "$bin/$1" "${@:2}" >>"$folder/output" 2>&1) || { cat "$folder/output" >&2; return 1; }; }

tidy() {
  [ ! -e "$folder/data/postmaster.pid" ] || pg pg_ctl -D "$folder/data" -m immediate stop
  rm -rf "$folder"
}
trap tidy EXIT

# Its data need not survive a crash, so nothing waits for the disk.
options="-p $port -k $folder -c listen_addresses=127.0.0.1 -c max_connections=300"
options+=" -c fsync=off -c synchronous_commit=off -c full_page_writes=off"
# Each test has a database of its own, and none lives long enough to be tidied.
options+=" -c autovacuum=off -c wal_level=minimal -c max_wal_senders=0 -c max_wal_size=128MB"
pg initdb -D "$folder/data" -A trust -U vivarium --no-sync -E UTF8 --locale=C
pg pg_ctl -D "$folder/data" -w -l "$folder/log" -o "$options" start

TEST_DATABASE_URL="postgres://vivarium@127.0.0.1:$port/postgres" "$@"
