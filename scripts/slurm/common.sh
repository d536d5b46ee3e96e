# shellcheck shell=bash
# common.sh: what the batch scripts of this folder share: the checks before anything runs, one MPI step, the fields of a job
# solved in turn by one call, and what happens when its time runs out.  Sourced by a batch script inside its job.
#
# Settings, from the environment of sbatch:
#   MERGEFFT_COMMAND    the mergefft program        [that of PATH, else the one installed or built next to the scripts]
#   MERGEFFT_SETUP      a file sourced first: modules, MPI and network settings of the site
#   MERGEFFT_SRUN       more options of srun, such as "--container-image=mergefft.sqsh"
#   MERGEFFT_WRAP       words put before mergefft on every rank, such as "apptainer exec --nv mergefft.sif"
#   MERGEFFT_OUTPUT     folder of the potentials    [that of each field]
#   MERGEFFT_PRECISION  double, single or half      [that of the field]
#   MERGEFFT_BACKEND    cuda, fftw or ref           [chosen by the script]
#   MERGEFFT_OPTIONS    more options of `mergefft poisson`, such as "--field density --units cosmo --omega-m 0.31"
#   MERGEFFT_SPARE_S    seconds before the job's end at which a solve that still runs is stopped [30]

say() { printf '%s %s\n' "$(date +%H:%M:%S)" "$*"; }
die() {
  printf 'mergefft: %s\n' "$*" >&2
  exit 1
}

# Slurm's name of this job; the job id of one task of an array may also be that of the whole.
job=${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID}
job=${job:-$SLURM_JOB_ID}

# ---- Before anything runs ----------------------------------------------------------------------------------------------

# Older ones cannot leave all GPUs visible to all ranks, or lack the PMIx that Open MPI 4 requires.
least_slurm=21.08

need_slurm() {
  local version
  command -v srun >/dev/null || die "srun is not on PATH; load the site's Slurm module in MERGEFFT_SETUP"
  version=$(srun --version | sed -n 's/^[^0-9]*\([0-9]*\.[0-9]*\).*/\1/p')
  [ -n "$version" ] || die "\`srun --version\` says \"$(srun --version)\", which is no version of Slurm"
  if [ "$(printf '%s\n' "$least_slurm" "$version" | sort -V | head -n 1)" != "$least_slurm" ]; then
    die "this is Slurm $version; these scripts need $least_slurm or later"
  fi
}

need_pmix() {
  local plugins
  plugins=$(srun --mpi=list 2>&1) || true
  case $plugins in
    *pmix*) ;;
    *) die "this Slurm has no pmix plugin, which MPI needs; use one built with PMIx.  srun --mpi=list says:"$'\n'"$plugins" ;;
  esac
}

# find_mergefft FOLDER: sets `mergefft`, where FOLDER is that of the scripts.
find_mergefft() {
  local candidate
  mergefft=${MERGEFFT_COMMAND:-mergefft}
  [ -z "${MERGEFFT_WRAP:-}${MERGEFFT_SRUN:-}" ] || return 0 # it may be inside a container
  for candidate in "$mergefft" ${MERGEFFT_COMMAND:-"$1/../../../bin/mergefft" "$1/../../build/release/bin/mergefft"}; do
    if command -v "$candidate" >/dev/null; then
      mergefft=$candidate
      return 0
    fi
  done
  die "no $mergefft here; install it, build it (cmake --preset release && cmake --build build/release), or set MERGEFFT_COMMAND"
}

# begin FOLDER: the first step of every batch script.
begin() {
  local more
  if [ -n "${MERGEFFT_SETUP:-}" ]; then
    [ -r "$MERGEFFT_SETUP" ] || die "MERGEFFT_SETUP=$MERGEFFT_SETUP cannot be read"
    set +u # modules seldom bear it
    # shellcheck disable=SC1090  # the site's own
    . "$MERGEFFT_SETUP"
    set -u
  fi
  need_slurm
  need_pmix
  find_mergefft "$1"
  read -r -a wrap <<<"${MERGEFFT_WRAP:-}"
  read -r -a more <<<"${MERGEFFT_SRUN:-}"
  srun_options+=("${more[@]}")
  say "job $job on $SLURM_JOB_NODELIST: ${SLURM_NTASKS:-1} ranks, $mergefft"
}

# ---- One step ----------------------------------------------------------------------------------------------------------

# Options of srun, to which a batch script may add before it runs a step.  When one rank has ended the others get some
# seconds to end by themselves, and are killed then: so a step returns the exit code of mergefft, and a rank that dies ends
# the step.
srun_options=(--mpi=pmix --kill-on-bad-exit=0 --wait=10)
wrap=() # words before mergefft

# run_step ARGUMENTS...: `mergefft ARGUMENTS` on all ranks; its exit code.  In the background, since bash runs no trap while it
# waits for a foreground command.
run_step() {
  local code=0
  srun "${srun_options[@]}" "${wrap[@]}" "$mergefft" "$@" &
  step=$!
  [ -z "$ending" ] || limit_step
  while kill -0 "$step" 2>/dev/null; do wait "$step" || true; done # a trap ends a wait, not the step
  wait "$step" || code=$?
  step=
  if [ -n "$timer" ]; then kill "$timer" 2>/dev/null || true; fi
  timer=
  return "$code"
}

# use_cores: steps run one rank on the cores that --cpus-per-task gives it.
use_cores() {
  srun_options+=(--cpus-per-task="${SLURM_CPUS_PER_TASK:-1}" --cpu-bind=cores)
  MERGEFFT_OPTIONS="--threads ${SLURM_CPUS_PER_TASK:-1} ${MERGEFFT_OPTIONS:-}"
}

# use_gpus FOLDER: steps run one rank a GPU, where FOLDER is that of the scripts.  --gpu-bind=none keeps all GPUs of a node visible
# to all its ranks: a rank that sees only its own GPU can neither map its peers' memory (CUDA IPC) nor send over NVLink.  It
# leaves CUDA_VISIBLE_DEVICES unset: on nodes that jobs share, Slurm's ConstrainDevices has to hide the GPUs of others.
use_gpus() {
  export CUDA_DEVICE_ORDER=PCI_BUS_ID # so that rank, GPU and near-gpu.sh mean the same GPU
  MERGEFFT_BACKEND=${MERGEFFT_BACKEND:-cuda}
  command -v nvidia-smi >/dev/null || die "no nvidia-smi on $(hostname -s): this is no GPU node, or its driver is not there"
  # All cores of the nodes for all ranks: near-gpu.sh chooses among them.
  srun_options+=(--gpus-per-node="${SLURM_GPUS_PER_NODE:-8}" --gpu-bind=none --whole --cpu-bind=none)
  wrap=("$1/near-gpu.sh" "${wrap[@]}")
}

# ---- The end of the job's time -----------------------------------------------------------------------------------------

# `#SBATCH --signal=B:USR1@SECONDS` signals this shell before the end.  No field is begun after that.  The one that runs may
# finish, until MERGEFFT_SPARE_S before the end; then it is stopped, and only its partial file remains, which the next run
# replaces.  In either case the job is requeued, and later continues with the fields that have no potential yet.
ending= # not empty once the notice has come
step=   # process id of the srun that runs
timer=  # process id of what will stop it

seconds_left() {
  local end
  end=$(scontrol show job "$job" | sed -n 's/.* EndTime=\([^ ]*\).*/\1/p')
  end=$(date -d "$end" +%s 2>/dev/null) || end=0
  echo $((end - $(date +%s)))
}

limit_step() {
  local seconds
  [ -z "$timer" ] || return 0
  seconds=$(($(seconds_left) - ${MERGEFFT_SPARE_S:-30}))
  [ "$seconds" -gt 0 ] || seconds=0
  say "what runs may take $seconds s more"
  { sleep "$seconds" && kill -TERM "$step"; } 2>/dev/null &
  timer=$!
}

# `mergefft poisson` ends before its next field once this file exists; empty: no list of fields is being solved.
stop_file=
at_notice() { # a batch script may have another
  say "the job's time ends soon: nothing more is begun"
  [ -z "$stop_file" ] || : >"$stop_file"
}
on_notice() {
  [ -z "$ending" ] || return 0
  ending=near
  at_notice
  [ -z "$step" ] || limit_step
}
trap on_notice USR1

# requeue REMEDY: puts the job back into the queue, and does not return.
requeue() {
  scontrol requeue "$job" || die "Slurm does not requeue job $job; $1"
  exit 0
}

# go_on_later WHAT: back to the queue, unless this run has solved nothing, when the next would not either.  Does not return.
go_on_later() {
  [ "$solved" -gt 0 ] || die "the job's time is too short for one field: $1; ask for more (sbatch --time)"
  say "$solved solved in this run; job $job goes back to the queue: $1"
  requeue "submit it again, and it goes on with the fields that are left"
}

# ---- A list of fields --------------------------------------------------------------------------------------------------

# potential_of FIELD: the path of its potential.
potential_of() {
  local name=${1##*/} folder
  case $1 in */*) folder=${1%/*} ;; *) folder=. ;; esac
  printf '%s/%s-potential.h5\n' "${MERGEFFT_OUTPUT:-$folder}" "${name%.*}"
}

# check_fields FIELD...: errors that can be detected before hours are spent.
check_fields() {
  local field twice
  [ $# -gt 0 ] || die "no field to solve; name HDF5 files after the script: sbatch ${0##*/} density.h5"
  for field in "$@"; do
    [ -f "$field" ] || die "no file $field (seen from $PWD, where sbatch was called)"
    [ -r "$field" ] || die "$field cannot be read by $(id -un)"
  done
  twice=$(for field in "$@"; do potential_of "$field"; done | sort | uniq -d | head -n 1)
  [ -z "$twice" ] || die "two of the fields would both be solved into $twice; rename one, or unset MERGEFFT_OUTPUT"
  if [ -n "${MERGEFFT_OUTPUT:-}" ]; then
    mkdir -p "$MERGEFFT_OUTPUT" || die "MERGEFFT_OUTPUT=$MERGEFFT_OUTPUT cannot be made"
  fi
}

# share_of_array FIELD...: sets `fields`, those that this task of a job array solves: all without an array.
share_of_array() {
  local i tasks=${SLURM_ARRAY_TASK_COUNT:-1} first=${SLURM_ARRAY_TASK_MIN:-0} last=${SLURM_ARRAY_TASK_MAX:-0}
  [ $((last - first + 1)) -eq "$tasks" ] ||
    die "an array of $tasks tasks from $first to $last has gaps; use consecutive ones, such as --array=0-$((tasks - 1))"
  fields=()
  for ((i = ${SLURM_ARRAY_TASK_ID:-0} - first + 1; i <= $#; i += tasks)); do fields+=("${!i}"); done
}

# poisson_call FIELD...: `mergefft poisson` for all of these, by one start and one plan; its exit code.
poisson_call() {
  local folder=${MERGEFFT_OUTPUT:-'{dir}'} options
  read -r -a options <<<"${MERGEFFT_OPTIONS:-}"
  [ -z "${MERGEFFT_PRECISION:-}" ] || options+=(--precision "$MERGEFFT_PRECISION")
  [ -z "${MERGEFFT_BACKEND:-}" ] || options+=(--backend "$MERGEFFT_BACKEND")
  run_step poisson "$@" -o "$folder/{}-potential.h5" --timing "$folder/{}-potential.json" --skip-existing --stop-file "$stop_file" \
    "${options[@]}"
}

# unsolved_of FIELD...: sets `unsolved`, those that have no potential.
unsolved_of() {
  local field
  unsolved=()
  for field in "$@"; do [ -e "$(potential_of "$field")" ] || unsolved+=("$field"); done
}

# solve_fields FIELD...: the potential of each, one after another by one call of mergefft.  A potential under its final name is
# whole, since mergefft renames a file when it is written and verified; so an existing one was made by an earlier run.
#
# A field that mergefft refuses (exit code 1) does not prevent the others from being solved, but fails the job in the end.
# Any other failure, such as a rank that is killed, would be repeated: it ends the job.
solved=0
solve_fields() {
  local field code=0 found fields=() unsolved=() begun
  for field in "$@"; do # a second `sbatch cpu.sh *.h5` names the results of the first
    case $field in *-potential.h5) ;; *) fields+=("$field") ;; esac
  done
  check_fields "${fields[@]}"
  share_of_array "${fields[@]}"
  stop_file=${MERGEFFT_OUTPUT:-.}/mergefft-$job.stop
  rm -f "$stop_file" # of a run of this job that ended before mergefft saw it
  unsolved_of "${fields[@]}"
  found=$((${#fields[@]} - ${#unsolved[@]}))
  begun=${#unsolved[@]}
  if [ "$begun" -gt 0 ]; then
    [ -z "$ending" ] || go_on_later "${unsolved[0]} is next"
    say "solving $begun of ${#fields[@]} fields"
    poisson_call "${unsolved[@]}" || code=$?
    rm -f "$stop_file"
    unsolved_of "${unsolved[@]}"
    solved=$((begun - ${#unsolved[@]}))
  fi
  # srun, stopped before its step began, returns no failure.
  if [ "$code" -eq 0 ] && [ ${#unsolved[@]} -gt 0 ] && [ -z "$ending" ]; then code=143; fi
  if [ ${#unsolved[@]} -gt 0 ] && [ -n "$ending" ]; then
    if [ "$code" -gt 1 ]; then go_on_later "${unsolved[0]} was stopped"; else go_on_later "${unsolved[0]} is next"; fi
  elif [ "$code" -gt 128 ]; then
    die "the solve of ${unsolved[0]:-${fields[0]}} was cut short (exit code $code): a rank died or was killed, as the lines above say," \
      "for want of memory perhaps (sacct -j $job -o JobID,State,MaxRSS); ${unsolved[0]:+$(potential_of "${unsolved[0]}") was not written}"
  elif [ "$code" -gt 1 ]; then
    die "the solve of ${unsolved[0]:-${fields[0]}} ended with exit code $code; ${unsolved[0]:+$(potential_of "${unsolved[0]}") was not written}"
  fi
  say "fields: $solved solved, $found solved before, ${#unsolved[@]} refused"
  [ ${#unsolved[@]} -eq 0 ] || die "refused, for the reasons above: ${unsolved[*]}"
  [ "$code" -eq 0 ] || die "mergefft ended with exit code $code, for the reasons above"
}
