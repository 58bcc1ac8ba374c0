#!/usr/bin/env bash
# Installs libgpusched into a scratch folder and uses it from there as C people do: pkg-config, find_package, and a compiler line
# with nothing but the header and the archive. Then moves the folder and does it again, and once more from a Debian package. At last
# a project that has gpusched in its tree.
#
#   tests/scripts/install.sh      needs a C and a C++ compiler, pkg-config and cmake (see .ci/install)
set -eEuo pipefail
trap 'echo "install: line $LINENO failed: $BASH_COMMAND" >&2' ERR
cd "$(dirname "$0")/../.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
source=$PWD/tests/cmake
version=$(cargo pkgid -p gpusched-ffi | sed 's/.*[#@]//')
abi=$(sed -n 's/^#define GPUSCHED_ABI_VERSION //p' include/gpusched_base.h)
flags="-std=c11 -Wall -Wextra -Werror"

fail() { echo "install: $*" >&2; exit 1; }

# Says nothing unless it fails.
quietly() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; return 1; }; }

# The shared libraries that a program asks for.
needed() { objdump -p "$1" | awk '$1 == "NEEDED" { print $2 }'; }

# Both ways of the library through pkg-config. The prefix that gpusched.pc names may have moved.
through_pkg_config() {
    local prefix=$1 libdir pc=(pkg-config --define-variable=prefix="$1")
    export PKG_CONFIG_PATH=$prefix/$lib/pkgconfig
    libdir=$("${pc[@]}" --variable=libdir gpusched)
    [[ $(pkg-config --modversion gpusched) == "$version" ]] || fail "gpusched.pc is not of version $version"
    cc $flags $("${pc[@]}" --cflags gpusched) "$source/smallest.c" $("${pc[@]}" --libs gpusched) -o "$scratch/shared"
    LD_LIBRARY_PATH=$libdir "$scratch/shared"
    [[ $(needed "$scratch/shared") == *"libgpusched.so.$abi"* ]] || fail "pkg-config does not link the shared library"
    cc $flags $("${pc[@]}" --cflags gpusched) "$source/smallest.c" -static $("${pc[@]}" --static --libs gpusched) -o "$scratch/static"
    "$scratch/static"
}

through_cmake() { # where gpusched is
    local build=$scratch/cmake
    rm -rf "$build"
    quietly cmake -S "$source" -B "$build" "$@" -DEXPECTED_VERSION="$version"
    quietly cmake --build "$build"
    quietly ctest --test-dir "$build" --output-on-failure --no-tests=error
}

echo "cmake --install"
# Where `cargo test` builds the library, too.
target=-DGPUSCHED_TARGET_DIR=$(realpath -m "${CARGO_TARGET_DIR:-target}/tmp/libgpusched")
quietly cmake -S ffi -B "$scratch/build" "$target" -DCMAKE_INSTALL_PREFIX="$scratch/first"
quietly cmake --build "$scratch/build"
quietly cmake --install "$scratch/build"
lib=$(cd "$scratch/first" && dirname "$(find . -name libgpusched.a)")

for header in include/*.h include/*.hpp; do
    [[ ! -e $header ]] || cmp "$header" "$scratch/first/$header"
done
soname=$(objdump -p "$scratch/first/$lib/libgpusched.so" | awk '$1 == "SONAME" { print $2 }')
[[ $soname == "libgpusched.so.$abi" ]] || fail "the shared library calls itself $soname; GPUSCHED_ABI_VERSION is $abi"

echo "a compiler line: the header and the archive, no other library"
cc $flags -nodefaultlibs -I "$scratch/first/include" "$source/smallest.c" "$scratch/first/$lib/libgpusched.a" -lc -o "$scratch/plain"
"$scratch/plain"
[[ $(needed "$scratch/plain") == libc.so.6 ]] || fail "the archive needs more than the C library"

echo "pkg-config"
through_pkg_config "$scratch/first"
echo "find_package"
through_cmake -DCMAKE_PREFIX_PATH="$scratch/first"

echo "moved"
mv "$scratch/first" "$scratch/second"
through_pkg_config "$scratch/second"
through_cmake -DCMAKE_PREFIX_PATH="$scratch/second"

if command -v dpkg-deb >/dev/null; then
    echo "Debian package"
    quietly cmake -S ffi -B "$scratch/debian" "$target" -DCMAKE_INSTALL_PREFIX=/usr
    quietly cmake --build "$scratch/debian"
    (cd "$scratch/debian" && quietly cpack -G DEB)
    dpkg-deb --extract "$scratch"/debian/libgpusched-dev_"$version"*.deb "$scratch/root"
    # Debian has a folder for each architecture.
    lib=lib/$(cc -print-multiarch)
    through_pkg_config "$scratch/root/usr"
    through_cmake -DCMAKE_PREFIX_PATH="$scratch/root/usr"
fi

echo "add_subdirectory"
through_cmake -DGPUSCHED="$PWD/ffi" "$target"
