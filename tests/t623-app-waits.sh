#!/usr/bin/env bash
# TEST labels=apps+fault+waits
# A rank of the command that never makes a collective call ends the job, with a message that says what the others wait for.
set -u
start=$(date +%s)
output=$(MFFT_WATCHDOG_S=1 $MFFT_TEST_MPIEXEC 2 "$MFFT_TEST_BUILD/bin/t621-cli-compare" late 2>&1)
code=$?
[ "$code" -ne 0 ] || { echo "the job succeeded"; exit 1; }
[ $(($(date +%s) - start)) -le 10 ] || { echo "it took $(($(date +%s) - start)) s"; exit 1; }
case $output in
  *"rank 0 of 2 ("*") waited 1."*" in duplicating the communicator for some rank"*"aborting (MFFT_WATCHDOG_S"*) ;;
  *) echo "no message of which rank waits: $output"; exit 1 ;;
esac
