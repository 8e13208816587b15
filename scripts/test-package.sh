#!/usr/bin/env bash
# Installs the Debian package, serves from it, upgrades it, removes it and purges it, as root.
#   scripts/test-package.sh [PACKAGE]     default: the newest in target/package
# Runs in a temporary overlay of this machine's file system, in its own mount namespace: dpkg and the maintainer scripts
# run as on a real machine, and the machine itself is not changed.
. "$(dirname "$0")/lib.sh"

if [[ "${1:-}" != --inside ]]; then
  package="${1:-$(find target/package -name 'mirasa_*.deb' -printf '%T@ %p\n' 2>/dev/null | sort -n | tail -n 1 | cut -d ' ' -f 2-)}"
  [[ -f "$package" ]] || fail "There is no package. Please run:  make package"
  ((EUID == 0)) || fail "This test needs root: it mounts an overlay and installs a package into it."
  ! dpkg-query --show mirasa >/dev/null 2>&1 || fail "mirasa is installed on this machine; the test needs one without it."
  layers="$(mktemp -d)"
  trap 'rm -rf "$layers"' EXIT
  # The mounts end with the namespace; a signal ends the namespace's processes with unshare.
  unshare --mount --pid --fork --kill-child "$ROOT/scripts/test-package.sh" --inside "$(realpath "$package")" "$layers"
  say "The package installs, serves, upgrades, and leaves only its data behind"
  exit
fi

package="$2" layers="$3"
mount -t tmpfs -o mode=0755 tmpfs "$layers"
changes="$layers/changes" machine="$layers/machine"
mkdir "$changes" "$layers/work" "$machine"
mount -t overlay overlay -o "lowerdir=/,upperdir=$changes,workdir=$layers/work" "$machine" \
  || fail "This machine cannot mount an overlay."
mount --bind /dev "$machine/dev"
mount -t proc proc "$machine/proc"
cp "$package" "$machine/tmp/mirasa.deb"
inside() { chroot "$machine" "$@"; }
as_mirasa=(chroot --userspec=mirasa:mirasa "$machine" env -i PATH=/usr/bin:/bin)
expect() { [[ "$2" == "$3" ]] || fail "$1: expected \"$2\", found \"$3\""; }
mode_of() { inside stat -c '%a %U:%G' "$1"; }
config=(--config /etc/mirasa/mirasa.toml)

say "Installing"
# Recommended packages are not needed for the test, and required ones are part of every Debian.
inside dpkg --install /tmp/mirasa.deb
expect "mode of the program" "755 root:root" "$(mode_of /usr/bin/mirasa)"
expect "mode of the data folder" "700 mirasa:mirasa" "$(mode_of /var/lib/mirasa)"
expect "mode of the backups" "700 root:root" "$(mode_of /var/backups/mirasa)"
expect "mode of /etc/mirasa" "750 root:mirasa" "$(mode_of /etc/mirasa)"
expect "mode of the configuration" "640 root:mirasa" "$(mode_of /etc/mirasa/mirasa.toml)"
expect "mode of the secrets" "600 root:root" "$(mode_of /etc/mirasa/secrets.env)"
expect "the user's shell" /usr/sbin/nologin "$(inside getent passwd mirasa | cut -d : -f 7)"
expect "enabled units" "" "$(inside find /etc/systemd/system -name 'mirasa*')"
inside test -s /usr/share/man/man1/mirasa.1.gz
if inside test -x /usr/bin/systemd-analyze; then
  found="$(inside systemd-analyze verify --man=no /usr/lib/systemd/system/{mirasa,mirasa@8081,mirasa-backup}.service \
    /usr/lib/systemd/system/mirasa-backup.timer 2>&1 | grep mirasa | grep -v /usr/bin/rsync || true)"
  expect "what systemd says about the units" "" "$found"
fi

say "Serving as the user mirasa with the packaged configuration"
"${as_mirasa[@]}" /usr/bin/mirasa check-config "${config[@]}"
port="$(free_port)"
# Not in a function: $! must be the server itself.
"${as_mirasa[@]}" /usr/bin/mirasa serve "${config[@]}" --listen "127.0.0.1:$port" &>"$layers/server.log" &
server=$!
for ((tries = 0; ; tries++)); do
  curl -fsS --max-time 5 -o /dev/null "http://127.0.0.1:$port/readyz" 2>/dev/null && break
  if ! kill -0 "$server" 2>/dev/null || ((tries > 300)); then
    cat "$layers/server.log"
    fail "The server did not become ready"
  fi
  sleep 0.2
done
curl -fsS --max-time 60 "http://127.0.0.1:$port/" >"$layers/home.html"
grep -q '<title>' "$layers/home.html" || fail "The home page has no title"
expect "mode of the database" "600 mirasa:mirasa" "$(mode_of /var/lib/mirasa/mirasa.db)"
"${as_mirasa[@]}" /usr/bin/mirasa check "${config[@]}"
inside /usr/bin/mirasa backup /var/backups/mirasa/shop.jsonl "${config[@]}"
kill -TERM "$server"
wait "$server" || fail "The server did not end in good order: $?"

say "Upgrading"
echo '# a change by the administrator' >>"$machine/etc/mirasa/mirasa.toml"
inside chmod 0600 /etc/mirasa/mirasa.toml
mkdir "$layers/newer"
dpkg-deb --raw-extract "$package" "$layers/newer"
sed -i 's/^Version: .*/&+newer/' "$layers/newer/DEBIAN/control"
dpkg-deb --root-owner-group -Znone --build "$layers/newer" "$machine/tmp/newer.deb" >/dev/null
rm -r "$layers/newer"
inside dpkg --install /tmp/newer.deb
expect "the changed configuration" "# a change by the administrator" "$(tail -n 1 "$machine/etc/mirasa/mirasa.toml")"
expect "its changed mode" "600 root:mirasa" "$(mode_of /etc/mirasa/mirasa.toml)"

say "Removing"
inside dpkg --remove mirasa
[[ ! -e "$machine/usr/bin/mirasa" ]] || fail "The program is still there"
inside test -s /etc/mirasa/mirasa.toml || fail "Removing without purging must keep the configuration"
say "Purging"
inside dpkg --purge mirasa

# What dpkg and adduser write for themselves, and the files of the test.
known='^/(var/lib/mirasa|var/backups/mirasa|var/lib/dpkg|var/log|var/cache|run|tmp|etc/(passwd|group|shadow|gshadow|subuid|subgid)-?$|etc/\.pwd\.lock$)'
left="$(cd "$changes" && find . ! -type d -printf '/%P\n' | grep -vE "$known" || true)"
# A file that was removed is a device 0:0 in the overlay; nothing of the machine may be removed.
expect "files left behind" "" "$left"
inside test -s /var/lib/mirasa/mirasa.db || fail "The database is gone"
inside test -s /var/backups/mirasa/shop.jsonl || fail "The backup is gone"
folders="$(cd "$changes" && find etc usr -type d -name '*mirasa*')"
expect "folders left behind" "" "$folders"
# Without data, a purge leaves no folder.
inside dpkg --install /tmp/mirasa.deb >/dev/null
inside rm -r /var/lib/mirasa /var/backups/mirasa
inside dpkg --purge mirasa
[[ ! -e "$machine/var/lib/mirasa" ]] || fail "An empty data folder was left behind"
