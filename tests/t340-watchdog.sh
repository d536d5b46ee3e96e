# TEST labels=dist+fault timeout=60
# A rank that never comes ends the job, with the rank that waits and the one it waits for named, within 10 seconds.
set -u
program=$MFFT_TEST_BUILD/bin/t341-late-rank
for how in execute create stop; do
  start=$(date +%s)
  output=$(MFFT_WATCHDOG_S=2 $MFFT_TEST_MPIEXEC 3 "$program" "$how" 2>&1)
  code=$?
  spent=$(($(date +%s) - start))
  [ "$code" -ne 0 ] || { echo "$how: the job succeeded"; exit 1; }
  [ "$spent" -le 10 ] || { echo "$how: it took $spent s"; exit 1; }
  case $output in
    *"waited 2."*" s in "*"which did not arrive; aborting"*) ;;
    *) echo "$how: no word of who waits: $output"; exit 1 ;;
  esac
  if [ "$how" != create ]; then
    case $output in *"for rank 1, which"*) ;; *) echo "$how: rank 1 is not named: $output"; exit 1 ;; esac
  fi
done
