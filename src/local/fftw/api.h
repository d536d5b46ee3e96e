/* api.h: the functions of FFTW in one precision as a table, with which the backend is written once for all.
 *
 * Pointers to arrays have the table's real type.  Strides count elements as in backend.h, and as in FFTW's guru
 * interface: real numbers in a real array, complex numbers in a complex one. */
#ifndef MFFT_LOCAL_FFTW_API_H
#define MFFT_LOCAL_FFTW_API_H

#include "local/backend.h"

enum { MFFT_FFTW_LOOPS = MFFT_MAX_LOOPS + 3 }; /* the loops of a spec, and axes that one step does not transform */

/* The problem that one FFTW plan solves. */
typedef struct mfft_fftw_problem {
  mfft_fft_type type;
  mfft_direction direction;
  int in_place, destroy_input;
  int naxes, nloops;
  mfft_dim axis[3];               /* [naxes] */
  mfft_axis_kind kind[3];         /* [naxes] of R2R */
  mfft_dim loop[MFFT_FFTW_LOOPS]; /* [nloops] */
} mfft_fftw_problem;

typedef struct mfft_fftw_api {
  size_t real_bytes;
  void *(*plan)(const mfft_fftw_problem *problem, unsigned flags, void *in, void *out); /* NULL if FFTW has no plan */
  void (*destroy)(void *plan);
  void (*execute[4])(void *plan, void *in, void *out); /* [mfft_fft_type] */
  int (*alignment)(void *data);                        /* 0: FFTW's SIMD codelets can be used */
  /* Multiplies n elements of `parts` real numbers by a factor.  stride: distance between them, in elements. */
  void (*scale)(int64_t n, int parts, int64_t stride, long double scale_factor, void *data);
  void (*threads_init)(void);

  /* For cosine.c: cosines and sines of pi k/(2 n) times a factor; and between a line x, its even elements and then its odd
   * ones backwards (v), and the spectrum of v.  Lines have n real numbers, spectra n/2 + 1 complex ones. */
  void (*quarter_roots)(int64_t n, int factor, int sine, void *roots /* [2][n/2 + 1] */);
  void (*fold)(int64_t n, int sine, const void *x, void *v);
  void (*unfold)(int64_t n, int sine, const void *v, void *x);
  void (*cosines_of_spectrum)(int64_t n, int sine, const void *roots, const void *spectrum, void *out);
  void (*spectrum_of_cosines)(int64_t n, int sine, const void *roots, const void *in, void *spectrum);

  /* For cosine.c, of the first kind: a line and its mirror image, as m complex numbers if m is odd, otherwise as 2 m reals;
   * and the results from the spectrum of these. */
  void (*mirror)(int64_t m, int sine, const void *line, void *mirrored);
  void (*line_of_mirrored)(int64_t m, int sine, const void *spectrum, void *line);

  void (*time_limit)(double seconds);  /* of later plans, in seconds; below 0: none */
  int (*threads_set)(int threads);     /* of later plans; returns the previous number */
  char *(*wisdom_get)(void);           /* to be freed; NULL: out of memory */
  int (*wisdom_set)(const char *text); /* 0: FFTW refuses the text */
  void (*wisdom_forget)(void);
} mfft_fftw_api;

extern const mfft_fftw_api mfft_fftw_double, mfft_fftw_single,
    mfft_fftw_long_double; /* the last if FFTW was found with it */

/* The API that computes each precision; NULL: this build has none. */
extern const mfft_fftw_api *const mfft_fftw_api_of[MFFT_PRECISION_COUNT];

#endif
