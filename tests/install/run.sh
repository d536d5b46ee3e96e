#!/usr/bin/env bash
# The package as its users meet it: installs into an empty prefix, moves the prefix elsewhere, and builds and runs a small
# program in C and in C++ against it, once through find_package and once through pkg-config.
# TEST labels=install timeout=300
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rm -rf prefix staging by-cmake by-pkg-config

cmake --install "$MFFT_TEST_BUILD" --prefix "$PWD/staging" >install.log
mv staging prefix # nothing may remember where it was installed

for language in C CXX; do
  cmake -S "$here" -B "by-cmake/$language" "-DLANGUAGE=$language" -DCMAKE_BUILD_TYPE=Release \
    "-DCMAKE_PREFIX_PATH=$PWD/prefix" >"cmake-$language.log" || { cat "cmake-$language.log"; exit 1; }
  cmake --build "by-cmake/$language" >>"cmake-$language.log" || { cat "cmake-$language.log"; exit 1; }
  "by-cmake/$language/consumer"
  [ -z "${MFFT_TEST_COMMAND:-}" ] || "by-cmake/$language/consumer_mpi"
done

library=$(dirname "$(find "$PWD/prefix" -name 'libmergefft.*' | head -n 1)")
export PKG_CONFIG_PATH=$library/pkgconfig
version=$(pkg-config --modversion mergefft)
mkdir by-pkg-config
read -r -a flags <<<"$(pkg-config --cflags --libs mergefft)"
"$CC" -std=c11 -Wall -Wextra -Werror "$here/consumer.c" -o by-pkg-config/c "${flags[@]}" -lm "-Wl,-rpath,$library"
c++ -std=c++17 -Wall -Wextra -Werror -x c++ "$here/consumer.c" -x none -o by-pkg-config/cxx "${flags[@]}" -lm \
  "-Wl,-rpath,$library"
by-pkg-config/c
by-pkg-config/cxx

# README.md's links lead to files that are there.
documents=prefix/share/doc/mergefft
for link in $(grep -oE '\]\([A-Za-z][^):]*\)' "$documents/README.md" | tr -d '](' | tr -d ')'); do
  [ -s "$documents/$link" ] || { echo "README.md links to $link, which is not installed" >&2; exit 1; }
done

# The command finds its library, tells the same version as pkg-config, and has a page for each subcommand.
if [ -n "${MFFT_TEST_COMMAND:-}" ]; then
  told=$(prefix/bin/mergefft --version)
  [ "$told" = "mergefft $version" ] || { echo "the command says \"$told\", pkg-config says $version" >&2; exit 1; }
  for command in "" $(prefix/bin/mergefft --help | awk '/^Commands:/ { on = 1; next } !NF { on = 0 } on { print $1 }'); do
    page=prefix/share/man/man1/mergefft${command:+-$command}.1
    [ -s "$page" ] || { echo "no manual page $page" >&2; exit 1; }
  done
  [ -x prefix/share/mergefft/slurm/cpu.sh ] || { echo "no batch scripts in prefix/share/mergefft/slurm" >&2; exit 1; }
fi
