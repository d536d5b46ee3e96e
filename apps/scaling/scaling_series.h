/* scaling_series.h: results of `mergefft bench` on several numbers of ranks, put together as curves.
 *
 * Strong scaling is the same transform on more ranks; weak scaling is as many elements a rank on more ranks.  Which is which
 * follows from the results: those of one kind, precision and so on that agree in their lengths are a strong series, and
 * those that agree in elements a rank are a weak one.  A result may be part of both.
 *
 * The work of a transform of N elements is N log2 N, times the batch.  Speed is work over time, relative to that of the
 * series' fewest ranks r0, and efficiency is speed r0 / r.  An efficiency of 1 is thus ideal in weak series, too, where the
 * work of a rank grows with log2 N. */
#ifndef MFFT_APPS_SCALING_SERIES_H
#define MFFT_APPS_SCALING_SERIES_H

#include "mfft.h"

typedef enum mfft_scaling { MFFT_SCALING_STRONG, MFFT_SCALING_WEAK, MFFT_SCALINGS } mfft_scaling;

enum { MFFT_SCALING_NAME = 128 };

/* The numbers of a result that scaling needs. */
typedef struct mfft_scaling_point {
  char series[MFFT_SCALINGS][MFFT_SCALING_NAME]; /* the common properties of the points of one series, as a title */
  char shape[48], layout[48];
  double work, time_s, exchange_s;
  int ranks;
} mfft_scaling_point;

typedef struct mfft_scaling_series {
  mfft_scaling kind;
  const char *name;
  int count;
  double *ranks, *time_s, *speed, *efficiency; /* [count] by increasing ranks */
  const mfft_scaling_point **point;            /* [count] */
} mfft_scaling_series;

typedef struct mfft_scaling_set mfft_scaling_set;

mfft_scaling_set *mfft_scaling_create(void); /* NULL if memory is exhausted */
void mfft_scaling_destroy(mfft_scaling_set *set);

/* Adds the results of a file.  Results that were wrong are omitted, and *wrong is their number. */
mfft_status mfft_scaling_add(mfft_scaling_set *set, const char *path, int *wrong);

/* Finds all series that have results on two numbers of ranks or more, strong ones first.  The fastest of several results on
 * as many ranks counts. */
mfft_status mfft_scaling_find(mfft_scaling_set *set, const mfft_scaling_series **series, int *count);

#endif
