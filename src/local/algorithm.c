/* algorithm.c: the ways of backends. */
#include <string.h>

#include "local/backend.h"

const mfft_way *mfft_way_find(const mfft_way *ways, const char *name) {
  for (const mfft_way *way = ways; way && way->name; way++)
    if (strcmp(way->name, name) == 0) return way;
  return NULL;
}

/* The enumeration is FFTW's, not in the order of effort. */
static int rank_of(mfft_effort effort) { return effort == MFFT_ESTIMATE ? 0 : effort == MFFT_MEASURE ? 1 : 2; }

int mfft_effort_reaches(mfft_effort effort, mfft_effort wanted) { return rank_of(effort) >= rank_of(wanted); }

int mfft_way_suits(const mfft_way *way, mfft_precision precision, mfft_compute compute) {
  const int other_engine = compute != MFFT_COMPUTE_AUTO && way->compute != MFFT_COMPUTE_AUTO;
  const int butterflies = way->cluster || way->columns;
  return way->precisions >> precision & 1 && !other_engine && !(butterflies && compute == MFFT_COMPUTE_TENSOR);
}

void mfft_way_apply(const mfft_way *way, mfft_fft_spec *spec) {
  if (!way) return;
  spec->effort = way->effort;
  if (way->compute != MFFT_COMPUTE_AUTO) spec->compute = way->compute;
  spec->cluster = way->cluster;
  spec->cluster_values = way->cluster_values;
  spec->columns = way->columns;
  spec->tile_bytes = way->tile_bytes;
  spec->tile_ahead = way->tile_ahead;
}
