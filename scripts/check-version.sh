#!/usr/bin/env bash
# Fails when the version of the release is not the same in all files that state it, or when the compiler that
# rust-toolchain.toml pins is not the one that Cargo.toml and the dev container name.
. "$(dirname "$0")/lib.sh"

wrong=()
expect() {
  if [[ "$3" != "$1" ]]; then wrong+=("$2 has ${3:-no version}, expected $1"); fi
}

version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)"
expect "$version" web/package.json "$(sed -n 's/^  "version": "\(.*\)",/\1/p' web/package.json)"
expect "$version" web/package-lock.json "$(sed -n 's/^  "version": "\(.*\)",/\1/p' web/package-lock.json)"
expect "$version" api/openapi.json "$(sed -n '/"info"/,/}/s/.*"version": "\(.*\)".*/\1/p' api/openapi.json)"
while read -r name locked; do
  expect "$version" "Cargo.lock ($name)" "$locked"
done < <(sed -n '/^name = "mirasa/{s/.*"\(.*\)"/\1/;N;s/\nversion = "\(.*\)"/ \1/;p}' Cargo.lock)
grep -qF "## [$version]" CHANGELOG.md || wrong+=("CHANGELOG.md has no section for $version")

rust="$(pinned_rust)"
expect "${rust%.*}" "rust-version of Cargo.toml" "$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)"
expect "$rust" .devcontainer/devcontainer.json \
  "$(sed -n 's/.*features\/rust:1": { "version": "\(.*\)" }.*/\1/p' .devcontainer/devcontainer.json)"
expect "${rust%.*}" deploy/Dockerfile "$(sed -n 's/^FROM rust:\([0-9.]*\)-.*/\1/p' deploy/Dockerfile)"

((${#wrong[@]} == 0)) || {
  printf '  %s\n' "${wrong[@]}" >&2
  fail "The versions differ"
}
