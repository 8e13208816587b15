#!/usr/bin/env bash
# Development servers with reload: Vite on http://127.0.0.1:5173 (open this one; it proxies API requests), and mirasa on
# :8080, which is rebuilt and restarted when a Rust file changes.
. "$(dirname "$0")/lib.sh"

scripts/web.sh build
vite='' program=''
clean_up() {
  trap '' INT TERM HUP
  kill -TERM -- ${vite:+"-$vite"} ${program:+"$program"} 2>/dev/null || true
  wait
  rm -f "$seen"
}
seen="$(mktemp)"
trap clean_up EXIT
trap 'exit 0' INT TERM HUP

# npm starts Vite as a grandchild: a process group of its own lets us stop them together.
set -m
npm --prefix web run dev </dev/null &
vite=$!
set +m

# Polling some hundred files once a second is cheap and needs no extra tool.
changed() {
  [[ -n "$(find crates Cargo.toml Cargo.lock mirasa.toml -type f -newer "$seen" -print -quit)" ]]
}

while :; do
  touch "$seen"
  # The old server keeps running during the build, and after a failed build.
  if build_dev; then
    if [[ -n "$program" ]]; then
      kill "$program" 2>/dev/null || true
      wait "$program" 2>/dev/null || true
    fi
    "$CARGO_TARGET_DIR/debug/mirasa" seed catalogue --data data
    "$CARGO_TARGET_DIR/debug/mirasa" serve --listen 127.0.0.1:8080 --data data &
    program=$!
    say "Open http://127.0.0.1:5173"
  fi
  until changed; do
    kill -0 "$vite" 2>/dev/null || fail "Vite has ended"
    sleep 1
  done
  say "A file has changed"
done
