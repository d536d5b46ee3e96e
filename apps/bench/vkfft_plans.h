/* vkfft_plans.h: VkFFT's plans behind a table of functions, so that the module with them (vkfft_plans.c), which needs the
 * driver and the runtime of CUDA, is opened only where VkFFT is asked for.
 *
 * VkFFT is a library of headers; a build finds them by the variable MFFT_VKFFT_INCLUDE_DIR, the folder of vkFFT.h. */
#ifndef MFFT_APPS_VKFFT_PLANS_H
#define MFFT_APPS_VKFFT_PLANS_H

#include "mfft.h"

/* Dense arrays in C order, those of a batch one after the other; in place, rows of reals are padded to whole complexes. */
typedef struct mfft_vkfft_transform {
  int rank;
  int64_t n[3]; /* [rank] logical lengths, slow to fast */
  int64_t batch;
  mfft_kind kind;
  mfft_direction direction;
  mfft_precision precision;
  mfft_placement placement;
  void *in, *out;           /* device memory of the current context; in place the same */
  void *stream;             /* CUstream; NULL: the default stream */
  const char *cache_folder; /* where compiled plans are stored; NULL: nowhere */
} mfft_vkfft_transform;

enum { MFFT_VKFFT_WHY_BYTES = 256 };

typedef struct mfft_vkfft_plans {
  int (*version)(void); /* 10304: 1.3.4 */
  /* Makes a plan for these arrays on the stream, which may overwrite both.  0, or a number of VkFFT's with the
   * reason in `why`; 1 where VkFFT has no such transform. */
  int (*create)(const mfft_vkfft_transform *transform, void **plan, char why[MFFT_VKFFT_WHY_BYTES]);
  int (*execute)(void *plan);  /* returns before the work is done; 0, or a number of VkFFT's */
  void (*destroy)(void *plan); /* accepts NULL */
} mfft_vkfft_plans;

/* The name by which the module exports its table. */
#define MFFT_VKFFT_TABLE "mfft_vkfft_table"

/* Opens the module of this build (vkfft_library.c); MFFT_ERR_UNSUPPORTED with the reason where it cannot be. */
mfft_status mfft_vkfft_open(const mfft_vkfft_plans **plans);

#endif
