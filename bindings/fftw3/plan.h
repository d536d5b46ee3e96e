/* plan.h: plans that the program holds: made by mergefft, or FFTW's own with a record for the report. */
#ifndef MFFT_DROPIN_PLAN_H
#define MFFT_DROPIN_PLAN_H

#include "report.h"
#include "request.h"
#include "world.h"

/* The record of a plan.  The program's handle of a plan of mergefft is a pointer to it. */
typedef struct mfft_dropin_plan {
  mfft_dropin_entry *entry;   /* of the report */
  mfft_dropin_native *native; /* NULL: the plan is FFTW's */
  mfft_dropin_world *world;
  mfft_direction direction;
  void *in, *out; /* of the call that made it */
} mfft_dropin_plan;

/* Makes a plan of mergefft, or returns NULL if FFTW has to make it, with the reason; the same on all ranks.  Collective.
 * threads: of local transforms, as the program has set them. */
mfft_dropin_plan *mfft_dropin_plan_make(const mfft_dropin_request *request, int threads, const char **why);

/* Transforms on every rank; aborts the job with a message if that fails, since FFTW's calls return no error. */
void mfft_dropin_plan_run(mfft_dropin_plan *plan, void *in, void *out);

/* Frees the program's handle; the plans of mergefft remain in store. */
void mfft_dropin_plan_destroy(mfft_dropin_plan *plan);

/* The plan as text, to free(); NULL without memory. */
char *mfft_dropin_plan_text(const mfft_dropin_plan *plan);

/* Floating-point operations of one execute on this rank, its share of 5 N log2 N, half of that for reals. */
double mfft_dropin_plan_flops(const mfft_dropin_plan *plan);

/* Records a plan of FFTW's, for the report.  A plan that is NULL is ignored. */
void mfft_dropin_plan_adopt(const void *plan, const mfft_dropin_request *request, const char *why, double seconds);

/* Depth of calls of this thread that are FFTW's or mergefft's own: calls of FFTW's names within them are not the program's.
 */
extern _Thread_local int mfft_dropin_inside;

#endif
