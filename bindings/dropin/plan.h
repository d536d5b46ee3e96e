/* plan.h: the plans of the program: made by mergefft, or FFTW's own plans with a record for the report. */
#ifndef MFFT_DROPIN_PLAN_H
#define MFFT_DROPIN_PLAN_H

#include "nesting.h"
#include "report.h"
#include "request.h"
#include "world.h"

/* The record of a plan.  The program's handle of a plan of mergefft is a pointer to it. */
typedef struct mfft_dropin_plan {
  mfft_dropin_entry *entry;   /* line of the report */
  mfft_dropin_native *native; /* NULL: the plan is FFTW's */
  mfft_dropin_world *world;
  mfft_dropin_api api;
  mfft_direction direction;
  void *in, *out; /* arguments of the call that made the plan */
  mfft_dropin_signs signs;
  int timed;     /* 1: executes are timed, for a report or for the program */
  int64_t calls; /* timed executes, and the seconds that they took, since the program has set them to 0 */
  double seconds;
} mfft_dropin_plan;

/* Makes a plan of mergefft, or returns NULL if FFTW must make it, with the reason in *why; the same on all ranks.
 * Collective.  threads: number of threads of local transforms that the program has set. */
mfft_dropin_plan *mfft_dropin_plan_make(const mfft_dropin_request *request, int threads, const char **why);

/* Executes a plan.  Collective.  Aborts the job with a message after a failure, since FFTW's functions return no error. */
void mfft_dropin_plan_run(mfft_dropin_plan *plan, void *in, void *out);

/* Frees the program's handle.  The plans of mergefft remain stored for later requests (world.h). */
void mfft_dropin_plan_destroy(mfft_dropin_plan *plan);

/* The plan as text, which the caller frees by free(); NULL if memory is exhausted. */
char *mfft_dropin_plan_text(const mfft_dropin_plan *plan);

/* Floating-point operations of one execute on this rank, its share of 5 N log2 N, half of that for reals. */
double mfft_dropin_plan_flops(const mfft_dropin_plan *plan);

/* Records a plan of FFTW for the report.  Ignores NULL. */
void mfft_dropin_plan_adopt(const void *plan, const mfft_dropin_request *request, const char *why, double seconds);

#endif
