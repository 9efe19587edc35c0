#!/usr/bin/env bash
# Has a systemd of its own start the service as it ships, without and with what gives it a terminal, and the program look
# whether it can confine commands there. Give it the program. It needs root.
set -euo pipefail
deploy=$(cd "$(dirname "$0")/../deploy" && pwd)
program=$(realpath "$1")
folder=$(mktemp -d)
trap '[ -z "${systemd-}" ] || kill -9 "$systemd"; rm -rf "$folder"' EXIT
mkdir "$folder/said"
touch "$folder/program"

# Looks instead of serving, and says what it finds where it can be read.
for name in strict terminal; do
  sed -e 's/^Type=.*/Type=oneshot/' -e 's/^Restart=.*/Restart=no/' -e 's/^\(ExecStart=.*\) serve$/\1 doctor/' \
    -e 's/^\(After\|Wants\)=.*/DefaultDependencies=no/' -e "s/=vivarium$/=vivarium-$name/" \
    -e "s#/var/lib/vivarium#/var/lib/vivarium-$name#" \
    -e "s#^\[Service\]#&\nStandardOutput=file:/mnt/said/$name\nStandardError=file:/mnt/said/$name#" \
    "$deploy/vivarium.service" >"$folder/$name.service"
done
install -D "$deploy/terminal.conf" "$folder/terminal.service.d/terminal.conf"
printf '[Unit]\nDefaultDependencies=no\nWants=strict.service terminal.service\n' >"$folder/look.target"

inside() {
  mount --make-rprivate /
  mount --bind "$1" /mnt
  mount --bind "$2" /mnt/program
  for own in /run /tmp /var/lib /usr/local/bin; do mount -t tmpfs tmpfs "$own"; done
  touch /usr/local/bin/vivarium
  mount --bind /mnt/program /usr/local/bin/vivarium
  mount --bind /mnt /etc/systemd/system
  container=lxc exec /lib/systemd/systemd --system --unit=look.target --log-target=null --show-status=0
}
export -f inside
unshare --kill-child --fork --pid --mount --ipc --uts --mount-proc bash -c 'inside "$@"' inside "$folder" "$program" >/dev/null 2>&1 &
systemd=$!
disown

expect() {
  for _ in {1..120}; do
    ! grep -q '^ok *address' "$folder/said/$1" 2>/dev/null || break
    sleep 0.5
  done
  grep -q "$2" "$folder/said/$1" || { echo "$1: no \"$2\" in:"; cat "$folder/said/$1"; exit 1; }
}
expect strict 'terminal: switched off'
expect terminal 'terminal: commands of agents can be confined'
echo 'The service confines commands with terminal.conf, and has none without.'
