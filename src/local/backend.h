/* backend.h: the functions of one device.  Other folders use src/local through this header and device.h only.
 *
 * A backend is a const table of functions.  It knows one process and one device: no MPI, no boxes, no plans.  Its unit of
 * work is one strided, batched transform (mfft_fft_spec), in the form of FFTW's guru interface: a tensor of transformed
 * axes and a tensor of loops around them.  A plan uses a device only by a list of such transforms and of block copies.
 *
 * To add a backend: write the table and add one line to src/local/registry.c.  A NULL entry means that the backend cannot
 * do it; the planner then emits other stages or returns MFFT_ERR_UNSUPPORTED. */
#ifndef MFFT_LOCAL_BACKEND_H
#define MFFT_LOCAL_BACKEND_H

#include "base/block.h"
#include "base/precision.h"
#include "local/filter_shape.h"
#include "local/particles.h"
#include "local/radial.h"
#include "local/reals.h"
#include "local/shell_sums.h"
#include "mfft.h"
#include "mfft_inspect.h"

enum { MFFT_MAX_LOOPS = 4 }; /* the batch and up to three axes that are not transformed */

/* One dimension: length, and strides of input and output in elements of that array. */
typedef struct mfft_dim {
  int64_t n, is, os;
} mfft_dim;

/* One direction of one local transform.  C2R and R2C halve the last axis: axis[naxes-1].n is the logical (real) length,
 * and the complex side has n/2 + 1 elements.  R2R has real elements on both sides. */
typedef enum mfft_fft_type { MFFT_FFT_C2C = 0, MFFT_FFT_R2C = 1, MFFT_FFT_C2R = 2, MFFT_FFT_R2R = 3 } mfft_fft_type;

/* Real numbers in an element of the input or the output of a transform. */
static inline int mfft_fft_parts(mfft_fft_type type, int output) {
  return type == MFFT_FFT_R2R || type == (output ? MFFT_FFT_C2R : MFFT_FFT_R2C) ? 1 : 2;
}

/* The tables of a filter: MFFT_FILTER_HEAD doubles, then pairs of real numbers, f and d of each index, axis by axis; doubles
 * for double precision and in host memory, else floats.  The positions of its shape (local/filter_shape.h) count pairs. */
enum { MFFT_FILTER_SCALE = 0, MFFT_FILTER_SINGULAR, MFFT_FILTER_ODD, MFFT_FILTER_HEAD = 8 };
typedef enum mfft_filtered { MFFT_FILTER_NONE = 0, MFFT_FILTER_INPUT, MFFT_FILTER_OUTPUT } mfft_filtered;

/* A scattered output: the last pass stores into `count` separate arrays, possibly in memory of peers.  The index along
 * one output axis, of length n, decides: share s has the indices from mfft_part(n, s, count) on (base/box.h), and strides
 * of its own. */
enum { MFFT_MAX_SHARES = 16 };
typedef struct mfft_scatter {
  int count;                                           /* 0: the output is one array */
  int axis;                                            /* index in mfft_fft_spec.axis */
  int64_t stride[MFFT_MAX_SHARES][3 + MFFT_MAX_LOOPS]; /* [count][naxes, then nloops] elements */
} mfft_scatter;

/* Half the width without an extra pass: the first pass reads complex numbers of half their width, or the last pass stores
 * them into the shares of a scattered output.  Strides count elements as ever. */
typedef enum mfft_wired { MFFT_WIRED_INPUT = 1, MFFT_WIRED_SHARES = 2 } mfft_wired;

/* How a thread block of register butterflies is shaped, for trials; 0: the backend chooses. */
typedef struct mfft_block_trial {
  int rank;     /* chain of merges: 1 is the one of least estimated cost, 2 the next */
  int threads;  /* most threads of a block */
  int prefetch; /* 1 + distance of prefetching, in blocks of each multiprocessor */
  int staging;  /* 1 + bits: contiguous lines are loaded (1), stored (2) through shared memory */
  int segment;  /* bytes of adjacent strided lines that a block takes */
  int compact;  /* 1: without a bound of registers */
} mfft_block_trial;

typedef struct mfft_fft_spec {
  mfft_fft_type type;
  mfft_direction direction; /* sign of the exponent; R2C is always forward, C2R always backward */
  mfft_precision precision;
  double scale;                  /* factor of the result, applied in the arithmetic of the transform; 1: none */
  double scale_rest;             /* long double: what the factor has beyond `scale` (mfft_fft_scale); else 0 */
  int naxes;                     /* 1 to 3 */
  mfft_dim axis[3];              /* [naxes] slow to fast, except that a halved axis is always the last */
  mfft_axis_kind kind[3];        /* [naxes] the kind that this direction computes; R2R: none is MFFT_DFT */
  int64_t given[3];              /* [naxes] elements that exist, see mfft_fft_length; 0: all */
  int nloops;                    /* 0 to MFFT_MAX_LOOPS */
  mfft_dim loop[MFFT_MAX_LOOPS]; /* [nloops] outer to inner */
  int in_place;                  /* in == out at execution; the layouts allow it (see plan/plan_local.c) */
  int destroy_input;             /* an out-of-place transform may overwrite its input */
  mfft_effort effort;
  double deadline; /* end of timing candidates, by mfft_now; 0: limited by the effort only */
  int threads;
  mfft_compute compute;
  int reproducible;  /* 1: the bits of a line depend on its own values alone, if the backend reproduces */
  int64_t scrambled; /* see mfft_backend.scrambles: n1 of the output (forward) or input (backward); 0: natural order */

  /* Parameters for trials of a backend with thread block clusters; 0: the backend chooses. */
  int cluster;        /* thread blocks of the cluster that holds a transform; -1: no clusters */
  int cluster_values; /* elements that a thread holds */
  int cluster_first;  /* length of the first of the two transforms that make a long line */
  int columns;        /* thread blocks of a cluster that holds as many long lines as fill a memory segment; -1: none */
  int64_t tile_bytes; /* shared memory of a thread block in which `cluster` blocks merge 16-bit lines in place; -1: none */
  int tile_double_buffered; /* 1: a second buffer is loaded while the first one is merged */
  int64_t part_bytes; /* bytes of a part of a long axis that stays in the cache between passes; 0: by the device; -1: none */
  int part_alone;     /* length of the pass of a long line that runs over the whole array instead of part by part */
  mfft_block_trial block;

  /* The inter-pass twiddle, for one of the axes into which a backend factors a long one: 1 + index of the loop over lines
   * l of m; result k is multiplied by exp(sign 2 pi i k l / (n m)).  0: none. */
  int twiddle_loop;
  int64_t twiddle_lines; /* m; the loop may be a part of it */

  /* For the phases of a long real axis (local/cuda/planner/long_lines.c).  pairs: the complex numbers of the input (1) or
   * the output (2) are pairs of real numbers, with the alignment of a real number; 0: none.  piece: the transform is only
   * the pass of an even real axis that reads or writes the half spectrum, of this many elements, and the other side has
   * packed complex numbers; 0: a whole transform. */
  int pairs;
  int64_t piece;

  /* A DFT that computes cosines or sines of lines of the arrays, which are of real numbers, as do all strides: the kind
   * (local/cuda/planner/trigonometric.h); the length of the one axis is that of the DFT.  MFFT_DFT: none of that. */
  mfft_axis_kind trigonometric;
  int64_t line_pair[2]; /* distance of the two lines of a pair in the input and output; 0: lines are transformed singly */

  /* If the backend fuses: the array that is read or written is multiplied by a filter, whose shape is that of this array. */
  mfft_filtered filtered;
  mfft_filter_shape filter;

  /* If the backend convolves: 1: a C2C of one axis in place: forward, then times the array fft->filter_tables, which has the
   * strides of the data, then backward, unscaled; 2: times the conjugates of that array; 0: a transform.  With `given` the
   * axis has these elements on both sides.  MFFT_ERR_UNSUPPORTED if it does not fit in one pass. */
  int convolved;

  mfft_scatter scatter; /* if the backend can; `out` with its strides then holds intermediate results */

  int wire; /* mfft_wired, or both; if the backend fuses them */

  const char *radices[3]; /* [naxes] radices of an axis as in mfft_options, up to an x; NULL: the backend chooses */
} mfft_fft_spec;

/* Return and set the factor of the result. */
static inline long double mfft_fft_scale(const mfft_fft_spec *s) { return (long double)s->scale + s->scale_rest; }
static inline void mfft_fft_set_scale(mfft_fft_spec *s, double scale, double rest) {
  s->scale = scale;
  s->scale_rest = rest;
}

/* Whether an axis is one of cosines or sines. */
static inline int mfft_fft_has_kinds(const mfft_fft_spec *s) {
  for (int a = 0; a < s->naxes; a++)
    if (s->kind[a] != MFFT_DFT) return 1;
  return 0;
}

/* Whether zeros follow the elements of an axis (forward), or the last ones are not wanted (backward). */
static inline int mfft_fft_pads(const mfft_fft_spec *s) { return s->given[0] || s->given[1] || s->given[2]; }

/* Elements along axis a in memory, of the input or of the output.  R2C and C2R halve the last axis of the complex side.  If
 * an axis has `given` elements, the input of a forward transform has this many and zeros are appended, and the output of a
 * backward transform has the first ones of its result.  Such a transform works in place only if it has one axis, with the
 * same strides on both sides. */
static inline int64_t mfft_fft_length(const mfft_fft_spec *s, int a, int output) {
  const int halved = s->type == (output ? MFFT_FFT_R2C : MFFT_FFT_C2R) && a == s->naxes - 1;
  if (s->given[a] && output == (s->direction == MFFT_BACKWARD)) return s->given[a];
  return halved ? s->axis[a].n / 2 + 1 : s->axis[a].n;
}

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
  size_t work_bytes;         /* workspace for fft_execute, aligned to 64 bytes; may be 0 */
  const void *filter_tables; /* of a filtered transform, set before it runs */
  mfft_chosen chosen;        /* how its algorithm was chosen */
  mfft_trials *trials;       /* the algorithms tried; NULL: none are recorded; freed by fft_destroy */
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
