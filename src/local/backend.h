/* backend.h: the functions of one device.  Other folders use src/local through this header and device.h only.
 *
 * A backend is a const table of functions.  It knows one process and one device: no MPI, no boxes, no plans.  Its unit of
 * work is one strided, batched transform (mfft_fft_spec in fft_spec.h).  A plan uses a device only by a list of such
 * transforms and of block copies.
 *
 * To add a backend: write the table and add one line to src/local/registry.c.  A NULL entry means that the backend cannot
 * do it; the planner then emits other stages or returns MFFT_ERR_UNSUPPORTED. */
#ifndef MFFT_LOCAL_BACKEND_H
#define MFFT_LOCAL_BACKEND_H

#include "base/block.h"
#include "local/fft_spec.h"
#include "local/particles.h"
#include "local/radial.h"
#include "local/reals.h"
#include "local/shell_sums.h"
#include "mfft.h"
#include "mfft_inspect.h"

/* An algorithm by which a backend can do local transforms.  Tuning tries them one after another: plan/tune.c for whole
 * plans, and backends that time single transforms.  The fields are those of the spec.  If an algorithm is not possible
 * for a transform, rules decide, or fft_create returns MFFT_ERR_UNSUPPORTED. */
typedef struct mfft_algorithm {
  const char *name;         /* one word, used in wisdom */
  unsigned precisions;      /* bit p: for precision p */
  mfft_effort alone, whole; /* least effort that tries it for a single transform, and for all transforms of a whole plan */
  int alone_only;           /* 1: it is never tried for a whole plan */
  mfft_effort effort;
  mfft_compute compute; /* AUTO: that of the plan */
  int cluster, cluster_values;
  int columns;
  int64_t tile_bytes;
  int tile_double_buffered;
  mfft_block_trial block;
} mfft_algorithm;

typedef struct mfft_backend mfft_backend;
typedef struct mfft_trials mfft_trials; /* local/trials.h */

/* A transform that is ready to run.  Backends make this the first member of a struct of their own. */
typedef struct mfft_fft {
  const mfft_backend *backend;
  size_t work_bytes;   /* workspace for fft_execute, aligned to 64 bytes; may be 0 */
  const void *factors; /* in memory of the backend, set before it runs: of a filtered transform the tables of the filter, of
                          one convolved BY_ARRAY or BY_CONJUGATE that array */
  mfft_chosen chosen;  /* how its algorithm was chosen */
  mfft_trials *trials; /* the algorithms tried; NULL: none are recorded; freed by fft_destroy */
} mfft_fft;

struct mfft_backend {
  const char *name;
  const char *summary; /* one line for `mergefft info` */
  int host_memory;     /* 1: its pointers are host pointers, and calls block */
  int reproduces;      /* 1: transforms of one axis after another, each line by itself, if the spec asks for it */

  /* 1: a C2C of one axis of n1*n2 can leave element k1 + n1*k2 of its result at position k1*n2 + k2 (forward), or read it
   * there (backward).  If a particular transform cannot, fft_create returns MFFT_ERR_UNSUPPORTED and the planner emits
   * the four steps as stages. */
  int scrambles;

  int trigonometric;          /* 1: kinds other than MFFT_DFT */
  int convolves;              /* 1: transforms with `convolved` */
  const char *no_long_double; /* why the backend lacks MFFT_LONG_DOUBLE, and the remedy; NULL: the backend has it */
  int pads;                   /* 1: axes with `given`; 0: local/padded.c computes them by transforms of whole arrays */

  /* MFFT_SUCCESS if this machine can run the backend now, otherwise the reason by mfft_fail. */
  mfft_status (*probe)(void);

  /* Whether it is known before MPI_Init which device this process takes.  NULL: no device has to be started. */
  int (*placed)(void);

  /* Memory of the device, aligned to 64 bytes at least. */
  mfft_status (*alloc)(size_t bytes, void **pointer);
  void (*free)(void *pointer);

  /* Blocking copies from and to host memory and within device memory, which are ordered only after the default stream; and
   * waiting for a stream.  On the host they are plain copies, and there is nothing to wait for. */
  mfft_status (*upload)(void *device, const void *host, size_t bytes);
  mfft_status (*download)(void *host, const void *device, size_t bytes);
  mfft_status (*move)(void *to, const void *from, size_t bytes);
  mfft_status (*synchronize)(void *stream);
  /* MFFT_ERR_ARG, with the name of the array, if the driver knows that the backend cannot access these bytes; own: also
   * if they are host memory that is not of the backend.  NULL: any memory will do. */
  mfft_status (*check)(const void *pointer, size_t bytes, int own, const char *name);

  /* A transform: create decides everything, execute runs it on arrays with the layout of the spec, aligned at least to
   * the size of an element.  `stream` is a queue of the device (a cudaStream_t), NULL on the host.  All calls but create
   * are made in the device context of create (device_guard.h).  print writes one line.  Plans call the last three through
   * the table of the transform, which may be that of local/padded.h. */
  mfft_status (*fft_create)(const mfft_fft_spec *spec, mfft_fft **fft);
  mfft_status (*fft_execute)(const mfft_fft *fft, const void *in, void *out, void *work, void *stream);
  void (*fft_print)(const mfft_fft *fft, char *text, size_t size);
  void (*fft_destroy)(mfft_fft *fft); /* accepts NULL */

  /* Runs a scattered transform; share s begins at to[s].  The list must have the same content at every call.  NULL: the
   * backend cannot scatter. */
  mfft_status (*fft_scatter)(const mfft_fft *fft, const void *in, void *out, void *const *to, void *work, void *stream);

  /* Copies blocks of elements of element_bytes; in and out do not overlap. */
  mfft_status (*copy)(const mfft_block *blocks, int64_t nblocks, int64_t element_bytes, const void *in, void *out,
                      void *stream);

  /* Sets memory to zero.  NULL: the backend pads by itself. */
  mfft_status (*clear)(void *pointer, size_t bytes, void *stream);

  /* Converts between arrays and half-width segments (local/wire.h), for precisions of 32 bits and more.  In a block, n and
   * is step through the array in the order of the segment, in_offset is the first element of the array, out_offset the
   * start of the segment in bytes; components are the numbers of one element.  packs: 1: from the array at `in`; 0: from
   * segments at `in`. */
  mfft_status (*convert)(const mfft_block *blocks, int64_t nblocks, mfft_precision precision, int components, int packs,
                         const void *in, void *out, void *stream);

  /* Copies blocks of complex numbers between an array and one of half the width (mfft_wired).  narrows: 1: `out` has half
   * the width; 0: `in` has.  NULL: cannot. */
  mfft_status (*resize)(const mfft_block *blocks, int64_t nblocks, mfft_precision precision, int narrows, const void *in,
                        void *out, void *stream);

  /* Four-step twiddle, in place: element (b, i, j) of a packed array [n[0]][n[1]][n[2]] of complex numbers is multiplied
   * by exp(sign 2 pi i (row0 + i)(col0 + j) / length); sign -1 forward, +1 backward.  The angle is reduced in exact
   * integers. */
  mfft_status (*twiddle)(mfft_precision precision, mfft_direction direction, const int64_t n[3], int64_t row0, int64_t col0,
                         int64_t length, void *data, void *stream);

  /* Multiplies by a filter, from in to out or in place: value = scale * (f / d, or `singular` if d is 0), times i if
   * `odd` is not 0 (mfft_filter in mfft_spectrum.h; the sign of i^quarter_turns is part of the scale). */
  mfft_status (*filter)(mfft_precision precision, const mfft_filter_shape *shape, const void *tables, const void *in,
                        void *out, void *stream);

  /* Adds up the power of an array in shells, and waits for the results. */
  mfft_status (*shells)(mfft_precision precision, const mfft_shell_sums *sums, const void *in, void *stream);

  /* Multiplies by a function of |k|, from in to out or in place, and waits for the stream. */
  mfft_status (*radial)(mfft_precision precision, const mfft_radial_product *radial, const void *in, void *out,
                        void *stream);

  /* Multiplies an array by a kernel, or by its conjugate.  The kernel has the strides of the array, but no batch: all arrays
   * of the batch are multiplied by the same kernel. */
  mfft_status (*multiply)(mfft_precision precision, const mfft_filter_shape *shape, int conjugate, const void *kernel,
                          void *array, void *stream);

  /* The calls of mfft_array.h, on arrays with elements; they wait for the stream. */
  mfft_status (*normal)(mfft_precision precision, const mfft_normal_fill *fill, void *out, void *stream);
  mfft_status (*sums)(mfft_precision precision, const mfft_reals_sums *sums, const void *in, void *stream);
  mfft_status (*rows)(mfft_precision precision, const mfft_reals_rows *rows, void *array, void *stream);
  mfft_status (*modes)(mfft_precision precision, const mfft_modes_fill *fill, void *out, void *stream);
  mfft_status (*product)(mfft_precision precision, const mfft_reals_product *product, const void *a, const void *b, void *c,
                         void *stream);

  const mfft_particle_calls *particles; /* NULL: no particles in memory of the device; those on the host need no backend */

  /* Whether fft_create can make a filtered, scattered or narrow transform of this spec, or one with `given`.  NULL: never.
   */
  int (*fuses)(const mfft_fft_spec *spec);

  const mfft_algorithm *algorithms; /* ended by a NULL name; the first is used without timing; NULL: there is only one */

  /* The wisdom of the backend as text without blank lines; the caller frees it with free().  NULL entries: it has none. */
  char *(*wisdom_get)(void);
  mfft_status (*wisdom_set)(const char *text);

  const struct mfft_device *device; /* functions for exchanges; NULL: exchanges cannot access its memory */

  /* The same backend without a device: its transforms can be created, printed and destroyed anywhere, but not run.  NULL:
   * the backend needs no device. */
  const mfft_backend *plan_only;
};

/* The text of no_long_double for backends on GPUs. */
#define MFFT_NO_LONG_DOUBLE_ON_GPUS "GPUs have no such arithmetic; use \"fftw\" with arrays in host memory, or MFFT_DOUBLE"

/* The registry, in order of preference.  find(NULL) takes the backend that MFFT_BACKEND (environment) names, otherwise
 * the first that is usable. */
extern const mfft_backend *const mfft_backends[]; /* [mfft_backend_count()] then NULL */
mfft_status mfft_backend_find(const char *name, const mfft_backend **backend);

/* The entry of this name in a list that ends with a NULL name; NULL: no such entry, or no list. */
const mfft_algorithm *mfft_algorithm_find(const mfft_algorithm *algorithms, const char *name);

/* Whether an algorithm can be tried for this precision on this compute engine. */
int mfft_algorithm_suits(const mfft_algorithm *algorithm, mfft_precision precision, mfft_compute compute);

/* Whether an effort is at least `wanted`. */
int mfft_effort_reaches(mfft_effort effort, mfft_effort wanted);

/* Writes an algorithm into a spec.  NULL: leaves the spec as it is. */
void mfft_algorithm_apply(const mfft_algorithm *algorithm, mfft_fft_spec *spec);

/* Finds the plan-only form of a backend, or the backend itself if it has none. */
mfft_status mfft_backend_find_plan_only(const char *name, const mfft_backend **backend);

#endif
