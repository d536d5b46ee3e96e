#!/usr/bin/env bash
# The package as its users meet it: installs into an empty prefix, moves the prefix elsewhere, and builds and runs a small
# program in C and in C++ against it, once through find_package and once through pkg-config, and the examples.  Then the lines of README.md as they
# stand there, but for the build of mergefft, and the way back.
# TEST labels=install timeout=300
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rm -rf prefix staging by-cmake by-pkg-config readme home

# A build of the command alone has no manual pages, or older ones.
page=$MFFT_TEST_BUILD/man/man1/mergefft.1
if [ -e "$page" ]; then touch -d 2001-01-01 "$page"; fi
cmake --install "$MFFT_TEST_BUILD" --prefix "$PWD/staging" >install.log
if [ -n "${MFFT_TEST_COMMAND:-}" ] && [ -z "$(find "$page" -newermt 2002-01-01)" ]; then
  echo "old manual pages were installed" >&2
  exit 1
fi
mv staging prefix # no installed file may contain the prefix of the installation

for language in C CXX; do
  cmake -S "$here" -B "by-cmake/$language" "-DLANGUAGE=$language" -DCMAKE_BUILD_TYPE=Release \
    "-DCMAKE_PREFIX_PATH=$PWD/prefix" >"cmake-$language.log" || { cat "cmake-$language.log"; exit 1; }
  cmake --build "by-cmake/$language" >>"cmake-$language.log" || { cat "cmake-$language.log"; exit 1; }
  "by-cmake/$language/consumer"
  [ -z "${MFFT_TEST_COMMAND:-}" ] || "by-cmake/$language/consumer_mpi"
done

cmake -S prefix/share/mergefft/examples -B by-cmake/examples "-DCMAKE_PREFIX_PATH=$PWD/prefix" >examples.log ||
  { cat examples.log; exit 1; }
cmake --build by-cmake/examples >>examples.log || { cat examples.log; exit 1; }
for example in local ${MFFT_TEST_COMMAND:+mpi poisson}; do
  "by-cmake/examples/$example" >>examples.log || { cat examples.log; exit 1; }
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

# A program written for PFFT, with the installed header and under the names of PFFT's files.
if [ -e "$library/libmergefft_pfft.so" ]; then
  read -r -a mpi <<<"$(mpicc --showme:compile 2>/dev/null) $(mpicc --showme:link 2>/dev/null)"
  "$CC" -std=c11 -Iprefix/include/mergefft "$here/../dropin/both.c" -o by-pkg-config/pfft "-L$library/mergefft/pfft" -lpfft \
    -lfftw3_mpi -lfftw3 "${mpi[@]}" -lm "-Wl,-rpath,$library"
  by-pkg-config/pfft run >pfft.log || { cat pfft.log; exit 1; }
  prefix/bin/mergefft run-fftw --report pfft.report -- by-pkg-config/pfft run >pfft.log 2>&1 || { cat pfft.log; exit 1; }
  grep -q 'pfft r2c .* mergefft on fftw' pfft.report ||
    { echo "the installed command does not run a program on mergefft" >&2; exit 1; }
fi

# README.md's links lead to files that are installed.
documents=prefix/share/doc/mergefft
for link in $(grep -oE '\]\([A-Za-z][^):]*\)' "$documents/README.md" | tr -d '](' | tr -d ')'); do
  [ -s "$documents/${link%%#*}" ] || { echo "README.md links to $link, which is not installed" >&2; exit 1; }
done

# The command finds its library, prints the same version as pkg-config, and has a page for each subcommand.
if [ -n "${MFFT_TEST_COMMAND:-}" ]; then
  printed=$(prefix/bin/mergefft --version)
  [ "$printed" = "mergefft $version" ] || { echo "the command says \"$printed\", pkg-config says $version" >&2; exit 1; }
  for command in "" $(prefix/bin/mergefft --help | awk '/^Commands:/ { on = 1; next } !NF { on = 0 } on { print $1 }'); do
    page=prefix/share/man/man1/mergefft${command:+-$command}.1
    [ -s "$page" ] || { echo "no manual page $page" >&2; exit 1; }
  done
  [ -x prefix/share/mergefft/slurm/cpu.sh ] || { echo "no batch scripts in prefix/share/mergefft/slurm" >&2; exit 1; }
fi

# README.md's lines, in a folder with its example, and with a home folder of their own to install into.
[ -n "${MFFT_TEST_COMMAND:-}" ] || exit 0
readme=$MFFT_TEST_SOURCE/README.md
mkdir readme home
awk '/^```/ { on = /^```c$/; next } on' "$readme" >readme/program.c
awk '/^```/ { on = /^```cmake$/; next } on' "$readme" >readme/CMakeLists.txt
awk '/^```cmake$/ { after = 1 } /^Those who only install/ { exit } after && sub(/^    /, "")' "$readme" >readme/lines
build="cmake --preset release && cmake --build build/release && cmake --install build/release"
grep -qF "$build" readme/lines || { echo "README.md does not install by: $build" >&2; exit 1; }
{ echo 'set -e'; sed "s|$build|cmake --install \"\$MFFT_TEST_BUILD\"|" readme/lines; } >readme/lines.sh
(cd readme && HOME=$PWD/../home bash lines.sh >log 2>&1) || { cat readme/log; exit 1; }
expected=$(awk -F '`' '/It prints/ { print $2; exit }' "$readme")
[ "$(grep -cxF "$expected" readme/log)" -eq 2 ] || { echo "README.md's lines do not print \"$expected\" twice" >&2; cat readme/log; exit 1; }

# Uninstalling removes all files, and all folders of mergefft's own except those that contain files of the user.
prefix=home/.local
touch "$prefix/share/mergefft/mine"
cmake --build "$MFFT_TEST_BUILD" --target uninstall >uninstall.log || { cat uninstall.log; exit 1; }
[ "$(find "$prefix" ! -type d)" = "$prefix/share/mergefft/mine" ] || { echo "left: $(find "$prefix" ! -type d)" >&2; exit 1; }
left=$(find "$prefix" -name mergefft)
[ "$left" = "$prefix/share/mergefft" ] || { echo "folders left: $left" >&2; exit 1; }
# CMake breaks lines of messages where the length of a path in them puts the margin.
if cmake --build "$MFFT_TEST_BUILD" --target uninstall >uninstall.log 2>&1 ||
  ! tr -s '[:space:]' ' ' <uninstall.log | grep -q "nothing was installed"; then
  echo "an uninstall without an installation prints no message" >&2
  exit 1
fi
