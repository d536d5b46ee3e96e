#!/usr/bin/env bash
# The arrows between rooms run one way: apps -> include; plan -> {local, dist}; {plan, dist, field} -> comm; all -> base; see docs/design.md.
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
forbid "one device knows no ranks and no files" '(comm|dist|field)/|hdf5' "${sources[@]}" src/local
forbid "ranks know no device but through its table" 'local/cuda|local/fftw|fftw3' "${sources[@]}" src/comm src/dist src/field
forbid "no CUDA header in base, comm, plan and field" "$cuda" "${sources[@]}" src/base src/comm src/plan src/field
# The transports that are made of CUDA are the exception, by name.
forbid "no CUDA header in dist outside the transports made of CUDA" "$cuda" "${sources[@]}" \
  --exclude=p2p.c --exclude=nccl.c --exclude=staged.c src/dist
forbid "HDF5 belongs to field" 'hdf5' "${sources[@]}" src/base src/comm src/plan src/dist
forbid "mfft.h needs neither MPI nor CUDA" "mpi|hdf5|$cuda" include/mfft.h
forbid "public headers do not reach into src" '(base|comm|plan|local|dist|field)/' include
forbid "base knows no other room and no MPI" '(comm|plan|local|dist|field)/|mpi\.h' "${sources[@]}" src/base
forbid "the command uses the public interface, and src/base" '(comm|plan|local|dist|field)/' "${sources[@]}" apps
exit $failed
