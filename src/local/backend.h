/* backend.h: what one device can do.  The only door into src/local.
 *
 * A backend is a const table of functions.  It knows one process and one device: no MPI, no boxes, no plans.  Its unit of
 * work is one strided, batched transform (mfft_fft_spec), in the form of FFTW's guru interface: a tensor of transformed axes
 * and a tensor of loops around them.  Everything a plan does on one device is a list of such transforms and of block copies.
 *
 * To add a backend: write the table, add one line to src/local/registry.c.  An entry that is NULL means "cannot"; the
 * planner then emits other stages or answers MFFT_ERR_UNSUPPORTED. */
#ifndef MFFT_LOCAL_BACKEND_H
#define MFFT_LOCAL_BACKEND_H

#include "base/block.h"
#include "base/precision.h"
#include "mfft.h"
#include "mfft_inspect.h"

enum { MFFT_MAX_LOOPS = 4 }; /* batch and up to three axes that stand still */

/* One axis: length, and distance between neighbours in input and output, in elements of that array. */
typedef struct mfft_dim {
  int64_t n, is, os;
} mfft_dim;

/* One direction of one local transform.  type C2R and R2C halve the last axis: axis[naxes-1].n is the logical (real) length,
 * and the complex side holds n/2 + 1 elements of it. */
typedef enum mfft_fft_type { MFFT_FFT_C2C = 0, MFFT_FFT_R2C = 1, MFFT_FFT_C2R = 2 } mfft_fft_type;

/* Where a filter is applied: the array of a batch, and where this rank's first index of each axis stands in the tables.
 * Tables are MFFT_FILTER_HEAD doubles, then pairs of reals, f and d of one index side by side, axis by axis: doubles for
 * double precision and in host memory, else floats. */
enum { MFFT_FILTER_SCALE = 0, MFFT_FILTER_SINGULAR, MFFT_FILTER_ODD, MFFT_FILTER_HEAD = 8 };
typedef enum mfft_filtered { MFFT_FILTER_NONE = 0, MFFT_FILTER_INPUT, MFFT_FILTER_OUTPUT } mfft_filtered;
typedef struct mfft_filter_shape {
  int64_t n[4], stride[4]; /* batch, then axes: extents, and distances in elements, alike in input and output */
  int64_t table[3];        /* [axis] pairs behind the head */
} mfft_filter_shape;

/* A scattered output: the last pass stores into `count` arrays that lie apart, in memory of peers perhaps.  By where an
 * element stands on one of the axes it belongs to share s, which holds those from mfft_part(n, s, count) on (base/box.h; n
 * counts what the output has of that axis) and has distances of its own. */
enum { MFFT_MAX_SHARES = 16 };
typedef struct mfft_scatter {
  int count;                                           /* 0: the output is one array */
  int axis;                                            /* index in mfft_fft_spec.axis */
  int64_t stride[MFFT_MAX_SHARES][3 + MFFT_MAX_LOOPS]; /* [count][naxes, then nloops] elements */
} mfft_scatter;

/* Sums over shells (mfft_shells in mfft.h): of each axis, whole, what its indices bring, in host memory; the tables of the
 * shape count entries of `index`. */
typedef struct mfft_shell_index {
  double radius, weight, modes; /* modes: 1, or 2 where the mirror image is not stored */
} mfft_shell_index;
typedef struct mfft_shell_sums {
  mfft_filter_shape shape;
  const mfft_shell_index *index; /* [indices] */
  int64_t indices;
  const double *edge;     /* [count + 1] */
  int64_t count;          /* of shells */
  int64_t *modes;         /* [count] results, on the host; zeros at first */
  double *radius, *power; /* [count] the same */
} mfft_shell_sums;

/* Half the width on the wire without a sweep: complexes of half their width are what the first pass reads, or what the last
 * one stores into the shares of a scattered output.  Distances count elements all the same. */
typedef enum mfft_wired { MFFT_WIRED_INPUT = 1, MFFT_WIRED_SHARES = 2 } mfft_wired;

typedef struct mfft_fft_spec {
  mfft_fft_type type;
  mfft_direction direction; /* sign of the exponent: R2C is always forward, C2R always backward */
  mfft_precision precision;
  double scale;                  /* multiplies the result, applied in the arithmetic of the transform; 1 for none */
  int naxes;                     /* 1 to 3 */
  mfft_dim axis[3];              /* [naxes] slow to fast */
  int nloops;                    /* 0 to MFFT_MAX_LOOPS */
  mfft_dim loop[MFFT_MAX_LOOPS]; /* [nloops] outer to inner */
  int in_place;                  /* in == out at execution, and the layouts fit (see plan/plan_local.c) */
  int destroy_input;             /* an out-of-place transform may overwrite its input */
  mfft_effort effort;
  double deadline; /* of timing candidates, by mfft_now; 0: as the effort says */
  int threads;
  mfft_compute compute;
  int64_t scrambled; /* see mfft_backend.scrambles: n1 of the output (forward) or input (backward); 0 for natural order */

  /* For trials of a backend with clusters of blocks; zeros let it choose. */
  int cluster;        /* blocks that hold a transform together; -1: no clusters */
  int cluster_values; /* elements that a thread holds */
  int cluster_first;  /* length of the first of the two transforms that make a long line */
  int columns;        /* blocks that hold long lines together, as many as fill a segment of memory; -1: no such */
  int64_t tile_bytes; /* of a block, where 16-bit lines are merged in their place, by `cluster` blocks; -1: no such */
  int tile_ahead;     /* 1: the next tile is copied to a place of its own meanwhile */
  int64_t part_bytes; /* of a part of a long axis that stays in the cache from pass to pass; 0: by the device; -1: no such */
  int part_alone;     /* length of the pass of a long line that is not in parts */

  /* The inter-pass twiddle, for one of the axes that a backend makes of a long one: 1 + the loop over lines l of m, whose
   * result k is multiplied by exp(sign 2 pi i k l / (n m)).  0: none. */
  int twiddle_loop;
  int64_t twiddle_lines; /* m, of which the loop may be a part */

  /* For the phases of a long real axis (local/cuda/planner/long_lines.c).  pairs: the complexes of the input (1), or of the
   * output (2), are pairs of reals, and aligned as reals.  piece: of an even real axis only the pass that meets the half
   * spectrum, of so many elements; on the other side are packed complexes.  0: not so. */
  int pairs;
  int64_t piece;

  /* Where the backend fuses: what is read, or what is written, is multiplied by a filter; the shape is that of this array.
   */
  mfft_filtered filtered;
  mfft_filter_shape filter;

  mfft_scatter scatter; /* where the backend can; `out` and its distances then hold what lies between passes */

  int wire; /* mfft_wired, or both: where the backend fuses them */

  const char *radices[3]; /* [naxes] the merges of an axis as mfft_desc has them, up to an x; NULL: the backend chooses */
} mfft_fft_spec;

/* An algorithm by which a backend can do local transforms.  Tuning tries them in turn: plan/tune.c for whole plans, and
 * backends that time transforms one by one.  The fields are those of the spec; where an algorithm is not possible for a
 * transform, the rule decides, or fft_create answers MFFT_ERR_UNSUPPORTED. */
typedef struct mfft_algorithm {
  const char *name;         /* one word, which stands in wisdom */
  unsigned precisions;      /* bit p: for precision p */
  mfft_effort alone, whole; /* the least effort that tries it for a transform alone, and for all those of a whole plan */
  int alone_only;           /* 1: not for a whole plan */
  mfft_effort effort;
  mfft_compute compute; /* AUTO: as the plan says */
  int cluster, cluster_values;
  int columns;
  int64_t tile_bytes;
  int tile_ahead;
} mfft_algorithm;

typedef struct mfft_backend mfft_backend;
typedef struct mfft_trials mfft_trials; /* local/trials.h */

/* A transform ready to run.  Backends put this first in a struct of their own. */
typedef struct mfft_fft {
  const mfft_backend *backend;
  size_t work_bytes;         /* workspace that fft_execute wants, aligned to 64 bytes; may be 0 */
  const void *filter_tables; /* of a filtered transform, given before it runs */
  mfft_chosen chosen;        /* how it was chosen among the algorithms */
  mfft_trials *trials;       /* what was tried, NULL: nothing that the backend tells of; freed by fft_destroy */
} mfft_fft;

struct mfft_backend {
  const char *name;
  const char *summary; /* one line for `mergefft info` */
  int host_memory;     /* 1: its pointers are host pointers, and calls block */

  /* 1: a C2C of one axis of n1*n2 can leave element k1 + n1*k2 of its result at position k1*n2 + k2 (forward), or find it
   * there (backward).  fft_create answers MFFT_ERR_UNSUPPORTED where it cannot; the planner then emits the four steps one by
   * one. */
  int scrambles;

  /* MFFT_SUCCESS where this machine can run it now, else the reason by mfft_fail. */
  mfft_status (*probe)(void);

  /* Memory of the device, aligned to 64 bytes at least. */
  mfft_status (*alloc)(size_t bytes, void **pointer);
  void (*free)(void *pointer);

  /* Copies from and to host memory and within the device's that are done when they return, ordered behind the default stream
   * alone; and waiting for a stream.  On the host plain copies, and nothing. */
  mfft_status (*upload)(void *device, const void *host, size_t bytes);
  mfft_status (*download)(void *host, const void *device, size_t bytes);
  mfft_status (*move)(void *to, const void *from, size_t bytes);
  mfft_status (*synchronize)(void *stream);
  /* MFFT_ERR_ARG, telling the array by name, where its driver knows that the backend cannot work on these bytes; own: where
   * they are no memory of the backend either, but of the host.  NULL: any will do. */
  mfft_status (*check)(const void *pointer, size_t bytes, int own, const char *name);

  /* A transform: create decides everything, execute runs it on arrays laid out as the spec says, aligned to the size of an
   * element at least.  `stream` is the device's queue (a cudaStream_t) and NULL on the host.  All but create are
   * called in the context of create (device_guard.h).  print writes one line. */
  mfft_status (*fft_create)(const mfft_fft_spec *spec, mfft_fft **fft);
  mfft_status (*fft_execute)(const mfft_fft *fft, const void *in, void *out, void *work, void *stream);
  void (*fft_print)(const mfft_fft *fft, char *text, size_t size);
  void (*fft_destroy)(mfft_fft *fft); /* accepts NULL */

  /* Runs a scattered transform: share s begins at to[s].  The list must hold the same whenever it is given.  NULL: none can
   * be made. */
  mfft_status (*fft_scatter)(const mfft_fft *fft, const void *in, void *out, void *const *to, void *work, void *stream);

  /* Copies blocks of elements of element_bytes each; in and out do not overlap. */
  mfft_status (*copy)(const mfft_block *blocks, int64_t nblocks, int64_t element_bytes, const void *in, void *out,
                      void *stream);

  /* Between arrays and half-width segments (local/wire.h), for single and double.  Of a block, n and is walk the array in
   * the order of the segment, in_offset is where it begins there in elements, out_offset where its segment begins in bytes;
   * components are the numbers of an element.  packs: from the array at `in`; else from the segments at `in`. */
  mfft_status (*convert)(const mfft_block *blocks, int64_t nblocks, mfft_precision precision, int components, int packs,
                         const void *in, void *out, void *stream);

  /* Copies blocks of complexes between arrays of which one has half the width, as mfft_wired has it: narrows: that at `out`,
   * else that at `in`.  NULL: cannot. */
  mfft_status (*resize)(const mfft_block *blocks, int64_t nblocks, mfft_precision precision, int narrows, const void *in,
                        void *out, void *stream);

  /* Four-step twiddle, in place: element (b, i, j) of a packed array of n[0] x n[1] x n[2] complexes is multiplied by
   * exp(sign 2 pi i (row0 + i)(col0 + j) / length), the angle reduced in exact integers; sign -1 forward, +1 backward. */
  mfft_status (*twiddle)(mfft_precision precision, mfft_direction direction, const int64_t n[3], int64_t row0, int64_t col0,
                         int64_t length, void *data, void *stream);

  /* Multiplies by a filter, from in to out or in place: value = scale * (f / d, or singular where d is 0), times i where odd
   * is not 0 (mfft_filter in mfft.h; the sign of i^turns is in the scale). */
  mfft_status (*filter)(mfft_precision precision, const mfft_filter_shape *shape, const void *tables, const void *in,
                        void *out, void *stream);

  /* Adds up the complexes of an array in shells, and waits for the results. */
  mfft_status (*shells)(mfft_precision precision, const mfft_shell_sums *sums, const void *in, void *stream);

  /* Whether fft_create can make a filtered, scattered or wired transform of this spec.  NULL: never. */
  int (*fuses)(const mfft_fft_spec *spec);

  const mfft_algorithm *algorithms; /* ended by a NULL name; the first is taken without timing.  NULL: there is only one */

  /* What planning has learnt, as text without blank lines; the caller frees it with free().  NULL entries: nothing to tell.
   */
  char *(*wisdom_get)(void);
  mfft_status (*wisdom_set)(const char *text);

  const struct mfft_device *device; /* what exchanges need: device.h.  NULL: no exchange can reach its memory */

  /* The same backend without its device: its transforms can be created, printed and destroyed anywhere, and not run.  NULL:
   * as for those that need no device. */
  const mfft_backend *plan_only;
};

/* The registry, in order of preference.  find(NULL) takes the first of MFFT_BACKEND (environment) and the usable ones. */
extern const mfft_backend *const mfft_backends[]; /* [mfft_backend_count()] then NULL */
mfft_status mfft_backend_find(const char *name, const mfft_backend **backend);

/* The entry of this name in a list that ends with an entry without a name; NULL: there is none, or no list. */
const mfft_algorithm *mfft_algorithm_find(const mfft_algorithm *algorithms, const char *name);

/* Whether an algorithm can be tried for numbers of this precision on this engine. */
int mfft_algorithm_suits(const mfft_algorithm *algorithm, mfft_precision precision, mfft_compute compute);

/* Whether an effort is as much as another, or more. */
int mfft_effort_reaches(mfft_effort effort, mfft_effort wanted);

/* Writes an algorithm into a spec.  NULL: leaves the spec as it is. */
void mfft_algorithm_apply(const mfft_algorithm *algorithm, mfft_fft_spec *spec);

/* Finds the plan-only form of the backend, or the backend itself where it has none. */
mfft_status mfft_backend_find_plan_only(const char *name, const mfft_backend **backend);

#endif
