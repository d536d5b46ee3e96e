/* api.h: FFTW in one precision as a table, so that the backend is written once.
 *
 * Pointers to arrays are of the table's real type.  Strides count elements as in backend.h (FFTW's guru interface does so
 * too: reals in a real array, complexes in a complex one). */
#ifndef MFFT_LOCAL_FFTW_API_H
#define MFFT_LOCAL_FFTW_API_H

#include "local/backend.h"

enum { MFFT_FFTW_LOOPS = MFFT_MAX_LOOPS + 3 }; /* the loops of a spec, and axes that a step leaves alone */

/* What one FFTW plan computes. */
typedef struct mfft_fftw_problem {
  mfft_fft_type type;
  mfft_direction direction;
  int in_place, destroy_input;
  int naxes, nloops;
  mfft_dim axis[3];               /* [naxes] */
  mfft_dim loop[MFFT_FFTW_LOOPS]; /* [nloops] */
} mfft_fftw_problem;

typedef struct mfft_fftw_api {
  size_t real_bytes;
  void *(*plan)(const mfft_fftw_problem *problem, unsigned flags, void *in, void *out); /* NULL where FFTW cannot */
  void (*destroy)(void *plan);
  void (*execute[3])(void *plan, void *in, void *out);                        /* [mfft_fft_type] */
  int (*alignment)(void *data);                                               /* 0 where SIMD may be used */
  void (*scale)(int64_t n, int parts, int64_t stride, double by, void *data); /* n elements of `parts` reals */
  void (*threads_init)(void);
  void (*time_limit)(double seconds);  /* of the plans made next; below 0: none */
  int (*threads_set)(int threads);     /* of the plans made next; returns the number before */
  char *(*wisdom_get)(void);           /* free() it; NULL where memory is out */
  int (*wisdom_set)(const char *text); /* 0 where FFTW refuses it */
  void (*wisdom_forget)(void);
} mfft_fftw_api;

extern const mfft_fftw_api mfft_fftw_double, mfft_fftw_single;

#endif
