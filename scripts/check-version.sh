#!/usr/bin/env bash
# Fails when the version of the release is not the same in all files that state it, or when the compiler that
# rust-toolchain.toml pins is not the one that Cargo.toml and the dev container name.
#   scripts/check-version.sh [--release]     --release: fails also between two releases, when the version ends with "-dev"
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

[[ "$version" =~ ^[0-9]+\.[0-9]+\.[0-9]+(-dev)?$ ]] || wrong+=("Cargo.toml has $version, expected 1.2.3 or 1.2.3-dev")
newest="$(sed -n '/^## /{p;q}' CHANGELOG.md)"
if [[ "$version" == *-dev ]]; then
  [[ "$newest" == "## [Unreleased]" ]] || wrong+=("CHANGELOG.md begins with \"$newest\", expected \"## [Unreleased]\"")
  [[ "${1:-}" != --release ]] || wrong+=("Cargo.toml has $version, which is not a release")
else
  [[ "$newest" =~ ^"## [$version] - "[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]] \
    || wrong+=("CHANGELOG.md begins with \"$newest\", expected \"## [$version] - \" and the date")
fi

rust="$(pinned_rust)"
expect "${rust%.*}" "rust-version of Cargo.toml" "$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)"
expect "$rust" .devcontainer/devcontainer.json \
  "$(sed -n 's/.*features\/rust:1": { "version": "\(.*\)" }.*/\1/p' .devcontainer/devcontainer.json)"
expect "${rust%.*}" deploy/Dockerfile "$(sed -n 's/^FROM rust:\([0-9.]*\)-.*/\1/p' deploy/Dockerfile)"

((${#wrong[@]} == 0)) || {
  printf '  %s\n' "${wrong[@]}" >&2
  fail "The versions differ"
}
