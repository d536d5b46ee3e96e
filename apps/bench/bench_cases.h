/* bench_cases.h: the transforms that `mergefft bench` runs: shapes and lists of the user, or ready-made sets. */
#ifndef MFFT_APPS_BENCH_CASES_H
#define MFFT_APPS_BENCH_CASES_H

#include "bench/bench_case.h"

#define MFFT_BENCH_RUNS "pair|forward|backward"
#define MFFT_BENCH_SETS "tcfft, 1d, 2d, 3d, one, all"

/* The user's lists; NULL for the choice of the set, or else of the command. */
typedef struct mfft_bench_lists {
  const char *n, *kinds, *precisions, *runs, *orders; /* words between commas */
  const char *sets;
  int64_t batch;    /* of every shape; below 1: as many arrays as have `elements` together, or 1 without a set */
  int64_t elements; /* of a batch; below 1: 2^27 in a set */
  int64_t most;     /* shapes with more elements are omitted from a set */
} mfft_bench_lists;

/* One transform from the lists and sets. */
typedef struct mfft_bench_item {
  const char *group; /* of a chart: cases that share an axis */
  int in_set;
  int rank;
  int64_t n[3], batch; /* n: [rank] slow to fast, zeros behind */
  mfft_kind kind;
  mfft_precision precision;
  mfft_order order;
  mfft_bench_run run;
} mfft_bench_item;

/* All items in the order of the lists, to be freed with free().  NULL, with the reason in `why`, for an unknown word. */
mfft_bench_item *mfft_bench_items(const mfft_bench_lists *lists, int *count, char *why, size_t size);

#endif
