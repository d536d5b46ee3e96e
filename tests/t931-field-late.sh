#!/usr/bin/env bash
# TEST labels=field+fault+waits
# A rank that never makes a call on a field ends the job within seconds, with a message that says what the others wait for;
# an unfinished write leaves no file under the final name.
set -u
for call in put commit read; do
  rm -f late.h5 late.h5.mfft-partial
  start=$(date +%s)
  output=$(MFFT_WATCHDOG_S=1 $MFFT_TEST_MPIEXEC 2 "$MFFT_TEST_BUILD/bin/t930-field-late" "$call" 2>&1)
  code=$?
  [ "$code" -ne 0 ] || { echo "$call: the job succeeded"; exit 1; }
  [ $(($(date +%s) - start)) -le 10 ] || { echo "$call: it took $(($(date +%s) - start)) s"; exit 1; }
  case $output in
    *"rank 0 of 2 ("*") waited 1."*"which did not arrive; aborting (MFFT_WATCHDOG_S"*) ;;
    *) echo "$call: no message of which rank waits: $output"; exit 1 ;;
  esac
  case $call in
    read) [ -f late.h5 ] || { echo "$call: the file is not there"; exit 1; } ;;
    *) [ ! -e late.h5 ] || { echo "$call: a file that is not whole has its final name"; exit 1; } ;;
  esac
done
