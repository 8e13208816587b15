#!/usr/bin/env bash
# Builds the web app and, at the same time, the server with the profile of the tests: $CARGO_TARGET_DIR/debug/mirasa.
# A terminal shows cargo's progress bar. The output of both is in logs; the end of a log is shown when its build fails.
. "$(dirname "$0")/lib.sh"

logs="$(mktemp -d)"
web=
clean_up() {
  trap '' INT TERM HUP
  if [[ -n "$web" ]]; then kill -TERM -- "-$web" 2>/dev/null || true; fi
  rm -rf "$logs"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Of cargo's output, the bar goes to the terminal and the rest to the log. Without a terminal: a line now and then.
progress() {
  local line next_line=30
  stdbuf -oL tr '\r' '\n' | while IFS= read -r line; do
    if [[ "$line" != *'Building ['* ]]; then
      if [[ -n "${line// /}" ]]; then printf '%s\n' "$line" >>"$1"; fi
    elif [[ -t 1 ]]; then
      printf '\r%s\r' "$line"
    elif ((SECONDS >= next_line)) && [[ "$line" =~ ([0-9]+)/([0-9]+) ]]; then
      next_line=$((SECONDS + 30))
      printf '    %d of %d steps, %d s\n' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "$SECONDS"
    fi
  done
  if [[ -t 1 ]]; then printf '\e[K'; fi
}

# In a process group of its own, so that clean_up reaches the processes that npm starts.
set -m
scripts/web.sh build </dev/null >"$logs/web" 2>&1 &
web=$!
set +m

width="$(tput cols 2>/dev/null || echo 80)"
if ! CARGO_TERM_PROGRESS_WHEN=always CARGO_TERM_PROGRESS_WIDTH="$width" CARGO_TERM_COLOR=never \
  build_dev 2>&1 | progress "$logs/server"; then
  show_end_of "$logs/server"
  if grep -qE 'failed to (download|fetch|get)|Could not resolve host|network' "$logs/server"; then
    fail "The server could not be built: crates.io cannot be reached."
  fi
  fail "The server could not be built. All of cargo's output:  scripts/build-dev.sh, or cargo build --bin mirasa"
fi
if ! wait "$web"; then
  web=
  show_end_of "$logs/web"
  fail "The web app could not be built. Try:  rm -rf web/node_modules && scripts/web.sh build"
fi
web=
