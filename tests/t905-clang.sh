#!/usr/bin/env bash
# The preset "debug" with clang: the library compiles without a warning under clang's sanitizers, which detect more than
# GCC's, and some tests pass there.
# TEST labels=scripts+nightly timeout=400 needs=clang
set -euo pipefail
echo 'int main(void) { return 0; }' >probe.c
if ! clang -fsanitize=address,undefined probe.c -o probe >log 2>&1; then
  echo "no clang here, or none with sanitizers (Debian: clang, libclang-rt-14-dev)"
  exit 77
fi
export CCACHE_NOHASHDIR=1
launcher=$(command -v ccache || true)
cmake -S "$MFFT_TEST_SOURCE" --preset debug -B build -DCMAKE_C_COMPILER=clang -DCMAKE_C_FLAGS_DEBUG=-O0 -DMFFT_HDF5=OFF "-DMFFT_TEST_ONLY=^t(101|111|310)" \
  ${launcher:+"-DCMAKE_C_COMPILER_LAUNCHER=$launcher"} >log 2>&1 || { cat log; exit 1; }
cmake --build build --parallel 2 --target t101-helpers t111-copy t310-dist mergefft_sanitizer_preload >log 2>&1 || { grep -A 5 -m 3 error log || cat log; exit 1; }
ctest --test-dir build -R '^t101|^t111|^t310-dist-np4$' --no-tests=error --output-on-failure
