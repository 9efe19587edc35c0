#!/usr/bin/env bash
# Makes the packages of a program that is built: one folder with all of it, the same as a tar file, and a
# Debian package where dpkg-deb is. `make package` builds the program and its site first.
set -euo pipefail
cd "$(dirname "$0")/.."

# How hard gzip tries, 1 to 9.
level=${LEVEL-9}
usage='deploy/package.sh FOLDER [PROGRAM [SITE]]: the folder is made, and is not there yet'
out=${1?"$usage"}
program=${2-target/release/vivarium}
site=${3-target/site}

version=$("$program" --version)
version=${version#vivarium }
name=vivarium-$version-linux-$(uname -m)
mkdir -p "$(dirname "$out")"
mkdir "$out"

folder=$out/$name
mkdir "$folder"
"$program" pack "$folder/vivarium" --site "$site"
cp deploy/{vivarium.service,terminal.conf,nginx.conf,Caddyfile,Containerfile} docs/operating.md LICENSE-* "$folder"
# Commands beside the service find the same folder.
sed 's|^# VIVARIUM_DATA_DIR=.*|VIVARIUM_DATA_DIR=/var/lib/vivarium|' .env.example >"$folder/vivarium.env"
cp deploy/INSTALL.md "$folder/README.md"
chmod 644 "$folder"/*
chmod 755 "$folder/vivarium"
tar --owner=0 --group=0 -I "gzip -$level" -cf "$folder.tar.gz" -C "$out" "$name"

command -v dpkg-deb >/dev/null || exit 0

root=$out/debian
install -D -m 755 "$folder/vivarium" "$root/usr/bin/vivarium"
install -D -m 600 "$folder/vivarium.env" "$root/etc/vivarium/vivarium.env"
install -d "$root/usr/lib/systemd/system"
sed 's#/usr/local/bin/#/usr/bin/#' deploy/vivarium.service >"$root/usr/lib/systemd/system/vivarium.service"
install -D -m 644 LICENSE-MIT "$root/usr/share/doc/vivarium/copyright"
install -m 644 LICENSE-APACHE docs/operating.md deploy/{terminal.conf,nginx.conf,Caddyfile} "$root/usr/share/doc/vivarium"

# The C library that it was linked with, which is the only one that it needs.
libc=$(grep -ao 'GLIBC_[0-9.]*[0-9]' "$program" | sort -uV | tail -n 1)
install -d "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<CONTROL
Package: vivarium
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: Vivarium
Section: web
Priority: optional
Depends: libc6 (>= ${libc#GLIBC_}), libgcc-s1, ca-certificates
Recommends: bubblewrap
Installed-Size: $(du -sk "$root" | cut -f1)
Description: home for AI agents that live in web pages
 Each agent has conversations and a page of its own. One person or many use
 it, from several devices at once.
CONTROL
echo /etc/vivarium/vivarium.env >"$root/DEBIAN/conffiles"
install -m 755 deploy/debian/* "$root/DEBIAN"
dpkg-deb --root-owner-group -Zgzip "-z$level" --build "$root" "$out" >/dev/null
rm -r "$root"
