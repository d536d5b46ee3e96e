#!/usr/bin/env bash
# TEST labels=dist+fault+waits+once timeout=180 args=fftw,pairwise,late,execute,create,stop,die
# TEST labels=dist+fault+waits+once timeout=180 args=fftw,p2p
# TEST labels=dist+fault+waits+once timeout=180 args=fftw,alltoallv,execute,die
# TEST labels=dist+fault+cuda+alone timeout=180 args=cuda,p2p,late,execute,create,stop,die
# TEST labels=dist+fault+cuda+alone timeout=180 args=cuda,staged
# TEST labels=dist+fault+cuda+alone timeout=180 args=cuda,p2p-store
# TEST labels=dist+fault+cuda+alone timeout=180 args=cuda,pairwise
# TEST labels=dist+fault+cuda+alone timeout=180 args=cuda,alltoallv
# TEST labels=dist+fault+cuda+alone timeout=180 args=cuda,nccl
# TEST labels=dist+fault+emulated+waits timeout=180 args=cuda,p2p,late,execute,create,stop,die
# TEST labels=dist+fault+emulated+waits timeout=180 args=cuda,staged,execute,die
# TEST labels=dist+fault+emulated+waits timeout=180 args=cuda,p2p-store,stop,die
# TEST labels=dist+fault+emulated+waits timeout=180 args=cuda,p2p,--node-ranks,2
# TEST labels=dist+fault+emulated+waits timeout=180 args=cuda,pairwise,late,execute,stop,die
# TEST labels=dist+fault+emulated+waits timeout=180 args=cuda,alltoallv,execute,stop,die
# TEST labels=dist+fault+emulated+waits timeout=180 args=cuda,nccl,execute,stop,die
# A rank that never makes a call, or dies, ends the job within 10 seconds; the message names the rank that waits and the one
# it waits for, which a collective call of MPI cannot tell.  A rank that is 12 seconds late ends nothing, and has been named
# by then.  With --node-ranks K every K ranks count as a node.
set -u
backend=$1 transport=$2
shift 2
near=$transport
if [ "${1:-}" = --node-ranks ]; then
  export MFFT_NODE_RANKS=$2
  near=messages # the host waits for those of other nodes
  shift 2
fi
[ "$transport" != nccl ] || export MFFT_EMULATED_GPUS=3 # one a rank
host=$(hostname -s)
missing="rank 1 ($host)"
case $transport in alltoallv | nccl) missing="some rank (a collective call does not tell which)" ;; esac
[ $# -gt 0 ] || set -- execute create stop die
program=$MFFT_TEST_BUILD/bin/t341-late-rank
$MFFT_TEST_MPIEXEC 3 "$program" none "$backend" "$transport" || exit # also compiles the kernels, once and for all
if [ "$1" = late ]; then
  output=$(MFFT_WATCHDOG_S=60 $MFFT_TEST_MPIEXEC 3 "$program" late "$backend" "$transport" 2>&1) || { echo "late: $output"; exit 1; }
  case $output in
    *"warning: rank "*" of 3 ($host) has waited 10 s in "*" for $missing (MFFT_WATCHDOG_S, now 60, ends the job"*) ;;
    *"warning: waited 10 s on the device in "*" for $missing (MFFT_WATCHDOG_S, now 60, ends the job"*) ;;
    *) echo "late: no message of which rank waits: $output"; exit 1 ;;
  esac
  shift
fi
for how; do
  start=$(date +%s)
  limit=3
  [ "$how" != die ] || limit= # mpirun itself notices a rank that dies, so the limit of the watchdog is the default, which is long
  output=$(MFFT_WATCHDOG_S=$limit $MFFT_TEST_MPIEXEC 3 "$program" "$how" "$backend" "$transport" 2>&1)
  code=$?
  spent=$(($(date +%s) - start))
  [ "$code" -ne 0 ] || { echo "$how: the job succeeded"; exit 1; }
  [ "$code" -ne 77 ] || { echo "$output"; exit 77; }
  [ "$spent" -le 10 ] || { echo "$how: it took $spent s"; exit 1; }
  [ "$how" != die ] || continue
  case $output in
    *"waited 3."*" in "*"which did not arrive; aborting"*) ;;
    *) echo "$how: no message of which rank waits: $output"; exit 1 ;;
  esac
  [ "$how" != create ] || continue
  case $near,$output in
    *"for $missing, which"*) ;;
    messages,*"rank 0 of 3 ("*") waited"*"for rank 2 ("*"), which"*) ;; # a rank of another node, which waits for rank 1; which rank reaches its limit first is random
    *) echo "$how: $missing is not named: $output"; exit 1 ;;
  esac
  case $backend,$near,$output in
    cuda,p2p*,*"on the device in forward exchange"*) ;; # where kernels wait, not the host
    cuda,p2p*) echo "$how: nothing waited on the device: $output"; exit 1 ;;
  esac
done
