#!/usr/bin/env bash
# The arrows between rooms run one way: apps -> include -> core -> {dist, local, field}; see docs/design.md.
# TEST labels=lint
set -uo pipefail
cd "$MFFT_TEST_SOURCE" || exit 1
failed=0

# forbid LAW PATTERN GREP-ARGUMENTS...: no include line of these files matches.
forbid() {
  local law=$1 pattern=$2
  shift 2
  if grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($pattern)" "$@"; then
    echo "  breaks the law: $law" >&2
    failed=1
  fi
}

sources=(--include=*.c --include=*.h --include=*.cu --include=*.cuh)
cuda='cuda|cufft|nvrtc|nccl|cooperative_groups|nvToolsExt|nvtx'
forbid "one device knows no MPI" 'mpi\.h|mfft_mpi\.h|mfft_field\.h' "${sources[@]}" src/local
forbid "one device knows no ranks and no files" 'dist/|field/|hdf5' "${sources[@]}" src/local
forbid "ranks know no device but through core" 'local/cuda|local/fftw|fftw3' "${sources[@]}" src/dist src/field
forbid "no CUDA header in core and field" "$cuda" "${sources[@]}" src/core src/field
# The transports that are made of CUDA are the exception, by name.
forbid "no CUDA header in dist outside the transports made of CUDA" "$cuda" "${sources[@]}" \
  --exclude=p2p.c --exclude=nccl.c --exclude=staged.c src/dist
forbid "HDF5 belongs to field" 'hdf5' "${sources[@]}" src/core src/dist
forbid "mfft.h needs neither MPI nor CUDA" "mpi|hdf5|$cuda" include/mfft.h
forbid "public headers do not reach into src" '(core|local|dist|field)/' include
forbid "what all are built with knows only itself" '(core|local|dist|field)/|mfft|mpi\.h' "${sources[@]}" src/base
forbid "the command uses the public interface, and src/base" '(core|local|dist|field)/' "${sources[@]}" apps
exit $failed
