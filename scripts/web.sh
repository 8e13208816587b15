#!/usr/bin/env bash
# The web app's two slow steps, run only when their input has changed.
#   scripts/web.sh deps     npm install by the lock file, if package-lock.json has changed since the last install
#   scripts/web.sh build    npm run build, if a source has changed since the last build
# The stamp files hold checksums, not times: switching branches back and forth does not cause a rebuild.
. "$(dirname "$0")/lib.sh"
cd web

deps() {
  local stamp=node_modules/.installed-lockfile
  local now
  now="$(sha256sum <package-lock.json)"
  if [[ "$(cat "$stamp" 2>/dev/null)" == "$now" ]]; then return; fi
  say "Installing the web app's packages"
  # Not npm ci: it refuses a lock file without the optional binaries of every other platform. This
  # installs just what the lock file names, checked against its hashes, and leaves the file alone.
  npm install --no-save --no-audit --no-fund --prefer-offline
  echo "$now" >"$stamp"
}

build() {
  local stamp=node_modules/.built-sources
  local now
  deps
  now="$(find . \( -name node_modules -o -path ./dist -o -path ./e2e -o -path ./coverage -o -path ./test-results \) -prune \
    -o -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum)"
  if [[ -f dist/client/index.html && -f dist/server/pages.json && "$(cat "$stamp" 2>/dev/null)" == "$now" ]]; then return; fi
  say "Building the web app"
  rm -f "$stamp"
  npm run build
  echo "$now" >"$stamp"
}

case "${1:-}" in
  deps) deps ;;
  build) build ;;
  *) fail "usage: scripts/web.sh deps|build" ;;
esac
