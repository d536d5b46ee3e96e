# shellcheck shell=bash
# common.sh: what quickstart and test share: messages, Debian packages, the CUDA compiler, and building a preset.
# Source it with the root of the project as the working directory.

say() { printf '\n== %s\n' "$*"; }
die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# Packages for building and running, and those for testing in addition.
build_packages=(build-essential cmake ninja-build pkg-config libopenmpi-dev openmpi-bin libhdf5-openmpi-dev libfftw3-dev libfftw3-mpi-dev
  libcairo2-dev libjansson-dev fonts-dejavu-core)
test_packages=(libhdf5-dev hdf5-tools python3-h5py python3-numpy clang-format clang-tidy cppcheck shellcheck)
# Slurm, for tests that start one of their own, which only root can.  A machine that has a Slurm already keeps its own.
if [ "$(id -u)" -eq 0 ] && ! command -v sbatch >/dev/null; then
  test_packages+=(munge slurm-client slurmctld slurmd)
fi
export build_packages test_packages

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    # Without a terminal no password can be typed: fail at once instead of waiting for one.
    if [ -t 0 ]; then sudo "$@"; else sudo -n "$@"; fi
  else
    die "installing packages needs root or sudo; ask an administrator for: $*"
  fi
}

# install_packages NAME...: those that are missing, with apt.  Elsewhere than on Debian and its children it only says what is
# wanted and goes on: CMake will say what it does not find.
install_packages() {
  local package missing=()
  if ! command -v apt-get >/dev/null; then
    echo "This is no Debian system.  Wanted are the equivalents of: $*"
    return 0
  fi
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "Installing: ${missing[*]}"
  as_root apt-get update -qq || echo "The package lists could not be updated; trying with those that are there."
  mkdir -p build
  if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" \
    </dev/null >build/packages.log 2>&1; then
    tail -n 20 build/packages.log >&2
    die "apt could not install: ${missing[*]}"
  fi
}

# The CUDA compiler's path, or nothing.
find_nvcc() {
  local candidate
  for candidate in "${CUDACXX:-}" "$(command -v nvcc || true)" "${CUDA_HOME:-}/bin/nvcc" /usr/local/cuda/bin/nvcc; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then
      readlink -f "$candidate" # a link in bin does not show where the toolkit is
      return 0
    fi
  done
}

# The folder of the CUDA toolkit whose compiler is NVCC, or nothing: of its headers where the compiler says that it lives, else
# of those next to it, else of those that the environment or habit names.  A compiler may be a script that stands elsewhere.
find_toolkit() {
  local nvcc=$1 home candidate
  home=$("$nvcc" -v none 2>&1 | sed -n 's/^#\$ TOP=//p' || true)
  for candidate in "$home" "${nvcc%/bin/nvcc}" "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda; do
    if [ -n "$candidate" ] && [ -e "$candidate/include/cuda.h" ]; then
      readlink -f "$candidate"
      return 0
    fi
  done
}

# cuda_options NVCC: the options that give CMake the compiler and its toolkit, one a line.  CMake asks the compiler for the
# folder of the toolkit, and fails or takes headers from elsewhere if that is not where they are, unless the folder is given.
cuda_options() {
  local toolkit
  echo "-DCUDAToolkit_NVCC_EXECUTABLE=$1"
  toolkit=$(find_toolkit "$1")
  if [ -n "$toolkit" ]; then printf '%s\n' "-DCUDAToolkit_ROOT=$toolkit" "-DCUDAToolkit_BIN_DIR=$toolkit/bin"; fi
}

jobs() { nproc 2>/dev/null || echo 1; }

# build PRESET FOLDER TARGETS [-Doption...]: configures and builds; the log is shown only if something fails.  A new folder is built
# by Ninja where that is installed, which takes less time than make.
build() {
  local preset=$1 folder=$2 targets log
  read -r -a targets <<<"$3"
  shift 3
  mkdir -p "$folder"
  log=$folder/build.log
  if [ ! -e "$folder/CMakeCache.txt" ] && command -v ninja >/dev/null; then set -- -G Ninja "$@"; fi
  if ! { cmake --preset "$preset" -B "$folder" "$@" && cmake --build "$folder" --parallel "$(jobs)" --target "${targets[@]}"; } >"$log" 2>&1; then
    { grep -m 5 -A 8 -E '(error|Error)[: ]' "$log" || tail -n 40 "$log"; } >&2
    die "building $folder failed; the whole log is in $log"
  fi
}

# Open MPI refuses to start as root, and with more ranks than cores, unless these variables are set.  They are set here, for
# what these scripts run, and nowhere else.
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
if [ "$(id -u)" -eq 0 ]; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
