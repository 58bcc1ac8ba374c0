#!/usr/bin/env bash
# Installs Debian packages that are not there yet. On another system it leaves that to whoever runs it.
#
#   tests/scripts/packages.sh PACKAGE...
set -euo pipefail
command -v dpkg >/dev/null || exit 0
missing=()
for package in "$@"; do
    dpkg -s "$package" &>/dev/null || missing+=("$package")
done
((${#missing[@]})) || exit 0
sudo=$([[ $(id -u) == 0 ]] || echo sudo)
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
