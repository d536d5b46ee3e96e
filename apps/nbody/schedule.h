/* schedule.h: the times of the steps and of the outputs of a run. */
#ifndef MFFT_APPS_SCHEDULE_H
#define MFFT_APPS_SCHEDULE_H

#include "mfft.h"

typedef struct mfft_nbody_schedule {
  int steps;
  double *a;   /* [steps + 1] scale factors, ascending; step i goes from a[i] to a[i + 1] */
  int *output; /* [steps + 1] 1: results are written at a[i] */
} mfft_nbody_schedule;

enum { MFFT_SPACING_A, MFFT_SPACING_LOG_A };
#define MFFT_SPACINGS "a|loga"

/* Makes `steps` steps from `first` to `last`, of equal size in a or in ln a.  outputs: redshifts separated by commas, or
 * NULL; a step across one is divided there; the last time is always an output.  free accepts a zeroed schedule. */
mfft_status mfft_schedule_create(double first, double last, int steps, int spacing, const char *outputs,
                                 mfft_nbody_schedule *schedule);
void mfft_schedule_free(mfft_nbody_schedule *schedule);

/* The redshift of a scale factor: negative in the future, and exactly 0 where a differs from 1 by rounding alone. */
double mfft_schedule_redshift(double a);

/* The i with a[i] == a, or -1. */
int mfft_schedule_find(const mfft_nbody_schedule *schedule, double a);

/* The middle of a step in a, or in ln a, at which the kick is evaluated. */
double mfft_schedule_middle(int spacing, double a0, double a1);

#endif
