#!/usr/bin/env bash
# Builds the Debian package target/package/mirasa_VERSION_ARCH.deb from a built binary.
#   scripts/package.sh [PROGRAM]     default target/release/mirasa
# Plain dpkg-deb: the package is one binary with some data files, and dpkg-deb is on every Debian.
. "$(dirname "$0")/lib.sh"

program="$(realpath "${1:-target/release/mirasa}")"
[[ -x "$program" ]] || fail "$program is not built. Please run:  make build"
for tool in dpkg-deb dpkg-shlibdeps strip; do
  command -v "$tool" >/dev/null || fail "$tool is missing. Please run:  apt-get install -y build-essential"
done

version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)"
[[ "$("$program" --version)" == "mirasa $version" ]] || fail "$program is not version $version but $("$program" --version)"
# Debian sorts 1.1.0~dev before 1.1.0, but 1.1.0-dev after it.
debian_version="${version/-/\~}-1"
architecture="$(dpkg --print-architecture)"
# All files get the time of the last commit, so that the same sources make the same package.
SOURCE_DATE_EPOCH="$(git log -1 --format=%ct 2>/dev/null || date +%s)"
export SOURCE_DATE_EPOCH
root="$(mktemp -d)"
trap 'rm -rf "$root"' EXIT
tree="$root/debian/mirasa" docs="$root/debian/mirasa/usr/share/doc/mirasa"
# Modes are set below; the user's umask must not change them.
umask 022

say "Collecting the files of mirasa $version ($architecture)"
install -D -m 0755 "$program" "$tree/usr/bin/mirasa"
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$tree/usr/bin/mirasa"
for unit in mirasa.service mirasa@.service mirasa-backup.service mirasa-backup.timer; do
  install -D -m 0644 "deploy/systemd/$unit" "$tree/usr/lib/systemd/system/$unit"
  sed -i 's|/usr/local/bin/mirasa|/usr/bin/mirasa|' "$tree/usr/lib/systemd/system/$unit"
done
install -d "$tree/usr/share/mirasa"
cp -r catalogue "$tree/usr/share/mirasa/catalogue"
rm "$tree/usr/share/mirasa/catalogue/README.md"
find "$tree/usr/share/mirasa" -type f -exec chmod 0644 {} +
install -d "$tree/etc/mirasa"
install -m 0640 deploy/debian/mirasa.toml "$tree/etc/mirasa/mirasa.toml"
install -m 0600 deploy/debian/secrets.env "$tree/etc/mirasa/secrets.env"

install -d "$docs/nginx" "$docs/patroni" "$tree/usr/share/man/man1" "$tree/usr/share/lintian/overrides"
install -m 0644 deploy/README.md mirasa.toml deploy/Caddyfile "$docs"
install -m 0644 deploy/nginx/* "$docs/nginx"
install -m 0644 deploy/patroni/* "$docs/patroni"
install -m 0644 deploy/debian/lintian-overrides "$tree/usr/share/lintian/overrides/mirasa"
sed "s/@VERSION@/$version/" deploy/debian/mirasa.1 | gzip -9n >"$tree/usr/share/man/man1/mirasa.1.gz"
gzip -9nc CHANGELOG.md >"$docs/changelog.gz"
gzip -9n >"$docs/changelog.Debian.gz" <<CHANGELOG
mirasa ($debian_version) unstable; urgency=medium

  * Version $version. See changelog.gz.

 -- Mirasa maintainers <maintainers@mirasa.example>  $(date -uRd "@$SOURCE_DATE_EPOCH")
CHANGELOG
scripts/package-notices.py | gzip -9n >"$docs/third-party-notices.txt.gz"

# A field of the copyright file: each line indented, empty lines as a dot.
field() { sed 's/^ *$/./; s/^/ /' "$1"; }
field <(sed '1,2d' LICENSE-MIT) >"$root/mit"
field NOTICE >"$root/notice"
sed -e "/@MIT@/{r $root/mit" -e 'd}' -e "/@NOTICE@/{r $root/notice" -e 'd}' deploy/debian/copyright.in >"$docs/copyright"
chmod 0644 "$docs"/* "$tree"/usr/share/man/man1/* 2>/dev/null || true
chmod 0755 "$docs/nginx" "$docs/patroni"

# dpkg-shlibdeps finds the packages of the shared libraries. It insists on a source package's control file.
install -d "$tree/DEBIAN"
printf 'Source: mirasa\n\nPackage: mirasa\nArchitecture: any\n' >"$root/debian/control"
libraries="$(cd "$root" && dpkg-shlibdeps -O --warnings=0 debian/mirasa/usr/bin/mirasa | sed -n 's/^shlibs:Depends=//p')"
[[ -n "$libraries" ]] || fail "dpkg-shlibdeps named no library"

sed -e "s/@VERSION@/$debian_version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@SHLIBS@/$libraries/" \
  -e "s/@INSTALLED_SIZE@/$(du -sk --exclude DEBIAN "$tree" | cut -f 1)/" \
  deploy/debian/control.in >"$tree/DEBIAN/control"
install -m 0644 deploy/debian/conffiles "$tree/DEBIAN/conffiles"
install -m 0755 deploy/debian/{postinst,prerm,postrm} "$tree/DEBIAN"
(cd "$tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"

package="target/package/mirasa_${debian_version}_$architecture.deb"
mkdir -p target/package
dpkg-deb --root-owner-group -Zxz --build "$tree" "$package"
say "Built $package"
