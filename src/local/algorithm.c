/* algorithm.c: finds, checks and applies the algorithms of a backend. */
#include <string.h>

#include "local/backend.h"

const mfft_algorithm *mfft_algorithm_find(const mfft_algorithm *algorithms, const char *name) {
  for (const mfft_algorithm *algorithm = algorithms; algorithm && algorithm->name; algorithm++)
    if (strcmp(algorithm->name, name) == 0) return algorithm;
  return NULL;
}

/* The order of efforts by their time.  The values of the enumeration are FFTW's, which have another order. */
static int rank_of(mfft_effort effort) { return effort == MFFT_ESTIMATE ? 0 : effort == MFFT_MEASURE ? 1 : 2; }

int mfft_effort_reaches(mfft_effort effort, mfft_effort wanted) { return rank_of(effort) >= rank_of(wanted); }

int mfft_algorithm_suits(const mfft_algorithm *algorithm, mfft_precision precision, mfft_compute compute) {
  const int other_engine = compute != MFFT_COMPUTE_AUTO && algorithm->compute != MFFT_COMPUTE_AUTO;
  const int butterflies = algorithm->cluster || algorithm->columns;
  const int on_tensor_cores = algorithm->compute == MFFT_COMPUTE_TENSOR || algorithm->tile_bytes > 0;
  if (compute == MFFT_COMPUTE_TENSOR) return algorithm->precisions >> precision & 1 && !other_engine && !butterflies;
  return algorithm->precisions >> precision & 1 && !other_engine && !(on_tensor_cores && precision == MFFT_HALF);
}

void mfft_algorithm_apply(const mfft_algorithm *algorithm, mfft_fft_spec *spec) {
  if (!algorithm) return;
  spec->effort = algorithm->effort;
  if (algorithm->compute != MFFT_COMPUTE_AUTO) spec->compute = algorithm->compute;
  spec->cluster = algorithm->cluster;
  spec->cluster_values = algorithm->cluster_values;
  spec->columns = algorithm->columns;
  spec->tile_bytes = algorithm->tile_bytes;
  spec->tile_double_buffered = algorithm->tile_double_buffered;
  spec->block = algorithm->block;
}
