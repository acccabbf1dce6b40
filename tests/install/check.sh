#!/bin/sh
# check.sh BUILD_DIR CMAKE CC VERSION
# Installs into a temporary folder and builds the consumer there: with find_package and with
# pkg-config, each against the shared and the static library.
set -eu
build=$1 cmake=$2 cc=$3 version=$4
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Staged elsewhere than the prefix it was told: the package must find itself.
DESTDIR=$work/stage "$cmake" --install "$build" --prefix /opt/stiction >"$work/install.log"
prefix=$work/stage/opt/stiction
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name stiction.pc)")
export PKG_CONFIG_PATH
libdir=$(dirname "$PKG_CONFIG_PATH")

echo "exported symbols"
for library in "$libdir"/libstiction*.so; do nm -D --defined-only "$library"; done >"$work/symbols"
if grep -v ' sti_' "$work/symbols"; then
    echo "a shared library exports names without the prefix sti_" >&2
    exit 1
fi

echo "find_package"
"$cmake" -S "$here" -B "$work/consumer" -D CMAKE_PREFIX_PATH="$prefix" -D CMAKE_C_COMPILER="$cc" \
    -D WANTED_VERSION="$version" >"$work/configure.log"
"$cmake" --build "$work/consumer" >"$work/build.log"
"$work/consumer/consumer_shared"
"$work/consumer/consumer_static"
ldd "$work/consumer/consumer_shared" | grep -q "$libdir/libstiction.so"
if ldd "$work/consumer/consumer_static" | grep libstiction; then
    echo "the static consumer needs the shared library" >&2
    exit 1
fi
if [ -e "$libdir/libstiction_scene.so" ]; then
    "$work/consumer/scene_shared"
    "$work/consumer/scene_static"
    ldd "$work/consumer/scene_shared" | grep -q "$libdir/libstiction_scene.so"
    if ldd "$work/consumer/scene_static" | grep libstiction; then
        echo "the static consumer of scenes needs a shared library of ours" >&2
        exit 1
    fi
fi

if [ -e "$libdir/libstiction_formats.so" ]; then
    (cd "$work" && consumer/formats_shared && consumer/formats_static)
    if ldd "$work/consumer/formats_static" | grep libstiction; then
        echo "the static consumer of formats needs a shared library of ours" >&2
        exit 1
    fi
fi

echo "pkg-config"
test "$(pkg-config --modversion stiction)" = "$version"
# shellcheck disable=SC2046 # flags are words
"$cc" -std=c17 -o "$work/shared" "$here/consumer.c" $(pkg-config --cflags --libs stiction)
LD_LIBRARY_PATH=$libdir "$work/shared"
# shellcheck disable=SC2046
"$cc" -std=c17 -static -o "$work/static" "$here/consumer.c" $(pkg-config --static --cflags --libs stiction)
"$work/static"

# A C++ compiler is optional for us, so the test of the headers is, too; but it says so.
if cxx=$(command -v "${CXX:-c++}"); then
    echo "C++"
    for header in "$prefix"/include/stiction/*.h; do # each on its own
        echo "#include \"$header\"" >"$work/alone.cpp"
        "$cxx" -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$work/alone.cpp"
    done
    # shellcheck disable=SC2046
    "$cxx" -std=c++17 -Wall -Wextra -Wpedantic -Werror -o "$work/cxx" "$here/consumer.cpp" \
        $(pkg-config --cflags --libs stiction)
    LD_LIBRARY_PATH=$libdir "$work/cxx"
else
    echo "C++: skipped, there is no compiler"
fi
for header in "$prefix"/include/stiction/*.h; do
    printf '#include "%s"\nint alone;\n' "$header" >"$work/alone.c"
    "$cc" -std=c17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$work/alone.c"
done

echo "documents"
for file in README.md CHANGELOG.md docs/scene-format.md docs/threads.md scene.schema.json; do
    test -s "$prefix/share/doc/stiction/$file" || test -s "$prefix/share/stiction/$file"
done

if [ -e "$libdir/libstiction_scene.so" ]; then
    test "$(pkg-config --modversion stiction-scene)" = "$version"
    # shellcheck disable=SC2046
    "$cc" -std=c17 -o "$work/scene" "$here/scene_consumer.c" $(pkg-config --cflags --libs stiction-scene)
    LD_LIBRARY_PATH=$libdir "$work/scene"
fi
