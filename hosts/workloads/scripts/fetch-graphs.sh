#!/bin/sh
# Fetches real graphs from a Debian package and checks them.
#
#   fetch-graphs.sh DIR
#
# DIR then holds mdual.graph, copter2.graph and 4elt.graph, the example graphs of METIS (Debian package libmetis-doc,
# Apache-2.0), and COPYRIGHT-metis. Needs apt-get, dpkg-deb, sha256sum and the network, no privileges. Status: 0 all
# there; 1 something is missing or not what it should be, with a message saying what.
set -eu

package=libmetis-doc
version=5.1.0.dfsg-7

fail() {
    echo "fetch-graphs: $*" >&2
    exit 1
}

# The SHA-256 of each graph in that version of the package.
checksums() {
    cat <<'SUMS'
8a5819a9d05133a8706ac44fd83919c6570ab838fba35b0fb5c78f0ee7803285  4elt.graph
e073b74b349eac2887e4b963cf21a89f4bcd6d2860265ef1c049101cf72fa778  copter2.graph
fed97c608a1611ae1a4604620913e32c16ecd815550df1c1819fe492986c27b0  mdual.graph
SUMS
}

[ $# -eq 1 ] || fail "usage: fetch-graphs.sh DIR"
mkdir -p "$1" || fail "cannot make the folder $1"
target=$(cd "$1" && pwd)

for tool in apt-get dpkg-deb sha256sum; do
    command -v "$tool" >/dev/null 2>&1 || fail "$tool is not installed; the graphs come from the Debian package $package"
done

if (cd "$target" && checksums | sha256sum --check --status 2>/dev/null); then
    echo "fetch-graphs: $target has all graphs already"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
(cd "$work" && apt-get -q download "$package") ||
    fail "cannot download $package; is there a network, and has 'apt-get update' been run?"
deb=$(find "$work" -name "${package}_*.deb")
found=$(dpkg-deb --field "$deb" Version)
[ "$found" = "$version" ] || echo "fetch-graphs: $package is $found, checksums are of $version" >&2
dpkg-deb --extract "$deb" "$work/root"

checksums | while read -r _ graph; do
    file=$(find "$work/root" -name "$graph" -o -name "$graph.gz")
    [ -n "$file" ] || fail "$package $found has no $graph"
    gzip --decompress --force --stdout "$file" >"$target/$graph"
done
cp "$work/root/usr/share/doc/$package/copyright" "$target/COPYRIGHT-metis"
(cd "$target" && checksums | sha256sum --check) || fail "a graph differs from the one on record; see above"
