#!/bin/sh
# Installs Keepsake for the current user on Linux and macOS:
#
#   curl -fsSL @ADDRESS@/install.sh | sh
#
# KEEPSAKE_BIN is the folder of the program (default: ~/.local/bin), KEEPSAKE_DOWNLOAD the address to download from.
set -eu

version='@VERSION@'
download=${KEEPSAKE_DOWNLOAD:-'@ADDRESS@'}
# One line per file: SHA-256 and name.
checksums='@CHECKSUMS@'

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

platform() {
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64 | Linux-amd64) echo linux-x64 ;;
    Linux-aarch64 | Linux-arm64) echo linux-arm64 ;;
    Darwin-arm64) echo darwin-arm64 ;;
    *) fail "there is no executable for $(uname -s) $(uname -m); install Node.js 24 and run: npm install --global keepsake-vault" ;;
  esac
}

fetch() {
  if command -v curl >/dev/null; then
    curl -fsSL --output "$2" "$1"
  elif command -v wget >/dev/null; then
    wget -q -O "$2" "$1"
  else
    fail 'curl or wget is needed'
  fi
}

sha256() {
  if command -v sha256sum >/dev/null; then
    sha256sum "$1"
  elif command -v shasum >/dev/null; then
    shasum -a 256 "$1"
  else
    openssl dgst -sha256 -r "$1"
  fi | cut -d ' ' -f 1
}

# Everything is in a function, so that nothing runs if the download of this script ends early.
main() {
  if [ "$(uname -s)" = Linux ] && ls /lib/ld-musl-* >/dev/null 2>&1; then
    fail 'this system uses musl; install Node.js 24 and run: npm install --global keepsake-vault'
  fi
  file="keepsake-$version-$(platform).tar.gz"
  expected=$(printf '%s\n' "$checksums" | awk -v file="$file" '$2 == file { print $1 }')
  [ -n "$expected" ] || fail "this release has no $file"
  bin=${KEEPSAKE_BIN:-"$HOME/.local/bin"}
  mkdir -p "$bin"
  # In the same folder, so that the program is replaced in one step, also while it runs.
  staging=$(mktemp -d "$bin/.keepsake-XXXXXX")
  trap 'rm -rf "$staging"' EXIT
  trap 'exit 1' HUP INT TERM
  echo "downloading $download/$file"
  fetch "$download/$file" "$staging/$file" || fail "cannot download $download/$file"
  found=$(sha256 "$staging/$file")
  [ "$found" = "$expected" ] || fail "$file has the SHA-256 $found, expected $expected; nothing was installed"
  tar -xzf "$staging/$file" -C "$staging"
  chmod 755 "$staging/keepsake"
  [ "$("$staging/keepsake" --version)" = "$version" ] || fail 'the program does not start on this system; nothing was installed'
  mv -f "$staging/keepsake" "$bin/keepsake"
  echo "installed Keepsake $version: $bin/keepsake"
  case ":$PATH:" in
    *":$bin:"*) echo 'next: keepsake setup' ;;
    *) printf 'next: add it to PATH, then run keepsake setup:\n  export PATH="%s:%sPATH"\n' "$bin" '$' ;;
  esac
}

main
