#!/usr/bin/env bash
# TEST timeout=30 needs=cuda
# Kernels compiled before tests run: with MFFT_TEST_COMPILE=part/parts tests that can do so compile their share, here none,
# and use no GPU; the others are skipped.
set -u
compiles=(t810-cuda-transforms t811-cuda-promises t813-cuda-radices t820-cuda-tensor t815-cuda-resident t816-cuda-parts
  t822-cuda-far t824-cuda-random t825-cuda-rounding "t890-cuda-bench --quick")
runs=(t807-cuda-filters t808-cuda-scatter t812-cuda-plan t814-cuda-choose t823-cuda-older t894-cuda-sweeps)

# run PART/PARTS "PROGRAM ARGUMENTS": to `code` and `output`
run() {
  local words
  read -r -a words <<<"$2"
  output=$(MFFT_TEST_COMPILE=$1 "$MFFT_TEST_BUILD/bin/${words[0]}" "${words[@]:1}" 2>&1)
  code=$?
}

[ -x "$MFFT_TEST_BUILD/bin/t811-cuda-promises" ] || { echo "a build without CUDA"; exit 77; }
for program in "${compiles[@]}"; do
  run 99999999/100000000 "$program"
  [ "$code" -eq 0 ] || { echo "$program: exit $code: $output"; exit 1; }
done
for program in "${runs[@]}"; do
  run 0/1 "$program"
  [ "$code" -eq 77 ] || { echo "$program: exit $code: $output"; exit 1; }
done
for words in x 1 1/1 -1/2; do
  run $words t811-cuda-promises
  case $code,$output in
    1,*"is \"$words\", not part/parts"*) ;;
    *) echo "MFFT_TEST_COMPILE=$words: exit $code: $output"; exit 1 ;;
  esac
done
