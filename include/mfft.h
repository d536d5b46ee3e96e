/* mfft.h: local transforms: descriptor, options, and the calls that plan, execute and destroy.
 *
 * An mfft_desc says what to transform, an mfft_options (or NULL for the defaults) how.  mfft_plan_create makes an mfft_plan
 * of both, which serves both directions, and mfft_execute runs it:
 *
 *     forward    X[k] = s_f * sum over j of x[j] exp(-2 pi i j.k / n)
 *     backward   x[j] = s_b * sum over k of X[k] exp(+2 pi i j.k / n)
 *
 * with the scales s_f and s_b of the descriptor, 1 by default: forward then backward multiplies by N, the product of the
 * transformed lengths, as in FFTW and cuFFT.
 *
 * Conventions of all headers of mergefft:
 * - Axes are numbered 0, 1, 2 (x, y, z) from slow to fast: C order, in which the last axis is contiguous.
 * - Complex numbers are interleaved (re, im).  An R2C transform halves the last transformed axis to n/2 + 1.
 * - Counts, strides and distances are int64_t, in elements of their array (reals or complexes) unless named _bytes.
 * - Every call returns an mfft_status.  On failure mfft_last_error() names the argument or library call that failed, its
 *   value and the remedy, and output arguments are unchanged.
 * - Arrays are in the memory of the plan's backend: host memory for "ref" and "fftw", device memory for "cuda".
 *
 * mfft_kind.h has the kinds of transforms; mfft_mpi.h makes plans over many ranks, which mfft_execute runs likewise;
 * mfft_memory.h has memory of any backend, mfft_spectrum.h filters, mfft_convolution.h convolutions, mfft_inspect.h
 * outlines, mfft_predict.h other machines, mfft_particles.h particles, mfft_field.h and mfft_snapshot.h files. */
#ifndef MFFT_H
#define MFFT_H

#include <stddef.h>
#include <stdint.h>

#include "mfft_kind.h"

#define MFFT_VERSION_MAJOR 0
#define MFFT_VERSION_MINOR 1
#define MFFT_VERSION_PATCH 0
#define MFFT_VERSION       (MFFT_VERSION_MAJOR * 10000 + MFFT_VERSION_MINOR * 100 + MFFT_VERSION_PATCH)

#if defined(__GNUC__)
#define MFFT_API __attribute__((visibility("default")))
#else
#define MFFT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status ------------------------------------------------------------------------------------------------------- */

/* The statuses: X(name, meaning). */
#define MFFT_STATUS_LIST(X)                                         \
  X(MFFT_SUCCESS, "success")                                        \
  X(MFFT_ERR_ARG, "invalid argument")                               \
  X(MFFT_ERR_MEMORY, "out of memory")                               \
  X(MFFT_ERR_UNSUPPORTED, "not supported by this build or backend") \
  X(MFFT_ERR_NO_DEVICE, "no usable device")                         \
  X(MFFT_ERR_MISMATCH, "ranks disagree on a collective argument")   \
  X(MFFT_ERR_STATE, "object has failed, is busy or is not ready")   \
  X(MFFT_ERR_MPI, "MPI call failed")                                \
  X(MFFT_ERR_CUDA, "CUDA call failed")                              \
  X(MFFT_ERR_BACKEND, "FFT backend failed")                         \
  X(MFFT_ERR_TIMEOUT, "a rank did not arrive in time")              \
  X(MFFT_ERR_IO, "input or output failed")                          \
  X(MFFT_ERR_CORRUPT, "stored data is damaged")                     \
  X(MFFT_ERR_BUSY, "file is being written by another job")          \
  X(MFFT_ERR_NONFINITE, "data holds NaN or infinity")               \
  X(MFFT_ERR_INTERNAL, "internal error, please report it")

typedef enum mfft_status {
#define MFFT_X(name, text) name,
  MFFT_STATUS_LIST(MFFT_X)
#undef MFFT_X
      MFFT_STATUS_COUNT
} mfft_status;

/* The name and meaning of a status, such as "MFFT_ERR_ARG: invalid argument".  Never NULL. */
MFFT_API const char *mfft_strerror(mfft_status status);

/* The message of the last failure in the calling thread: the object, its value, the rank and the remedy.  Empty before any
 * failure.  The text belongs to the library and is valid until the next failing call of this thread. */
MFFT_API const char *mfft_last_error(void);

/* ---- The descriptor: what to compute --------------------------------------------------------------------------------- */

/* The two directions of a plan, and its two arrays: forward reads IN and writes OUT, backward reads OUT and writes IN. */
typedef enum mfft_direction { MFFT_FORWARD = 0, MFFT_BACKWARD = 1 } mfft_direction;
typedef enum mfft_side { MFFT_IN = 0, MFFT_OUT = 1 } mfft_side;

/* The type of a stored real number: IEEE binary64, binary32 and binary16, bfloat16, and, on CPUs alone, C's long double.  A
 * complex number is two.  CPUs compute the 16-bit types in single precision and round when a local transform is done. */
typedef enum mfft_precision { MFFT_DOUBLE, MFFT_SINGLE, MFFT_HALF, MFFT_BFLOAT16, MFFT_LONG_DOUBLE } mfft_precision;

/* The factor of a direction: 1, 1/sqrt(N), 1/N; N is the product of the transformed lengths. */
typedef enum mfft_scale { MFFT_SCALE_NONE = 0, MFFT_SCALE_SQRT = 1, MFFT_SCALE_FULL = 2 } mfft_scale;

/* In place: the caller passes the same pointer as in and out.  In-place R2C rows have space for 2*(n/2 + 1) reals. */
typedef enum mfft_placement { MFFT_OUT_OF_PLACE = 0, MFFT_IN_PLACE = 1 } mfft_placement;

/* The boxes of OUT of a plan of rank 2 or 3 (mfft_mpi.h).  NATURAL: divided as IN, of C2C in the memory order of
 * in_box.  TRANSPOSED: as the last transform forward leaves them, in C order, which saves one exchange in each direction. */
typedef enum mfft_order { MFFT_ORDER_NATURAL = 0, MFFT_ORDER_TRANSPOSED = 1 } mfft_order;

/* A box: the half-open index range [lo, hi) of each axis of a global array, and the memory order of the local array that
 * holds it.  order[0] is the slowest axis and order[2] the contiguous one; all zeros means C order {0,1,2}.  Arrays of rank
 * 1 or 2 use the first axes and leave [0,1) in the others.  A box with hi <= lo on any axis is empty. */
typedef struct mfft_box {
  int64_t lo[3];
  int64_t hi[3];
  int order[3];
} mfft_box;

/* A transform.  Fill it with mfft_desc_init, then change what differs from the default in brackets, which 0 means. */
typedef struct mfft_desc {
  size_t struct_size;       /* set by mfft_desc_init; tells the library which fields the caller has */
  int rank;                 /* number of axes of one array, 1 to 3 [3] */
  int64_t n[3];             /* [rank] logical lengths, slow to fast, each >= 1; n of a real array, not n/2 + 1 */
  unsigned axes;            /* bit a set: axis a is transformed; R2C halves the highest DFT [0: all axes] */
  int64_t batch;            /* number of arrays, >= 1 [1] */
  mfft_kind kind;           /* [MFFT_C2C] */
  mfft_precision precision; /* [MFFT_DOUBLE] */
  mfft_scale scale[2];      /* [direction] [MFFT_SCALE_NONE both] */
  mfft_placement placement; /* [MFFT_OUT_OF_PLACE] */
  int allow_destroy_input;  /* 1: an out-of-place execute may overwrite its input, which can be faster [0: preserved] */
  unsigned filtered;        /* bit d set: direction d may be given a filter, see mfft_spectrum.h [0] */

  /* Rank 1, C2C: 1 leaves the output in scrambled order.  With n = n1*n2 (mfft_plan_four_step), element k1 + n1*k2 is at
   * position k1*n2 + k2.  This omits the last transposition of the four-step method (Bailey 1990), between ranks an exchange
   * in each direction, and suffices for convolutions.  [0: natural order] */
  int scrambled;

  /* Local plans only: layouts.  Element (b; i0, i1, i2) of a side is at b*dist + i0*stride[0] + i1*stride[1] + ...  All
   * zeros: packed C order (for in-place R2C with rows padded to 2*(n/2 + 1) reals).  Strides may not be negative. */
  int64_t in_stride[3];  /* [rank] */
  int64_t in_dist;       /* between batches */
  int64_t out_stride[3]; /* [rank] */
  int64_t out_dist;

  /* Distributed plans only, but for the last two: see mfft_mpi.h. */
  mfft_order order;            /* rank 2 and 3 [MFFT_ORDER_NATURAL] */
  const mfft_box *in_box;      /* this rank's part of the input, any boxes that tile the array [NULL: chosen by the plan] */
  const mfft_box *out_box;     /* this rank's part of the output, indices of the (halved) output array [NULL: by order] */
  int padded;                  /* R2C: 1: rows of IN hold 2*(n/2 + 1) reals in every case [0: in place, default boxes] */
  mfft_axis_kind axis_kind[3]; /* [rank] a DFT, a DCT or a DST of each axis, see mfft_kind.h [MFFT_DFT] */
  int64_t given[3];            /* [rank] IN has the first given[a] points; others are 0, see mfft_convolution.h [0: n] */
} mfft_desc;

/* Fills the descriptor with the defaults above, rank 3 and lengths of 1.  Never fails. */
MFFT_API void mfft_desc_init_sized(mfft_desc *desc, size_t struct_size);
static inline void mfft_desc_init(mfft_desc *desc) { mfft_desc_init_sized(desc, sizeof(mfft_desc)); }

/* ---- The options: how to compute it ---------------------------------------------------------------------------------- */

/* How long planning may take.  The first three are FFTW's efforts of the same names, for each local transform.  "cuda" times
 * on arrays of its own, as large as the caller's; if memory does not suffice for these, rules choose.  The TUNE efforts
 * choose among whole distributed plans, see Tuning in mfft_mpi.h; a local plan treats TUNE_MEASURE as MEASURE, and so on. */
typedef enum mfft_effort {
  MFFT_MEASURE = 0,       /* times a short list of algorithms */
  MFFT_ESTIMATE = 1,      /* times nothing: uses wisdom, otherwise rules */
  MFFT_PATIENT = 2,       /* times a long list of algorithms */
  MFFT_TUNE_MEASURE = 3,  /* times a short list of whole plans */
  MFFT_TUNE_ESTIMATE = 4, /* times nothing: uses wisdom of whole plans, otherwise rules */
  MFFT_TUNE_PATIENT = 5   /* times a long list of whole plans, and combinations of the best values */
} mfft_effort;

/* The arithmetic units, on a device that has a choice: radix butterflies on the ordinary cores, or matrix products on tensor
 * cores for axes of a power of two from 16 on (Li et al. 2021, tcFFT); the error bound of the precision holds for both.
 * AUTO: what rounds least: butterflies, but for lines of 16 and 32 in 16 bits and some longer ones in bfloat16; for half
 * TENSOR is 1.1 to 1.8 times as fast, with 2.2 to 3.1 times the error.  TENSOR gives MFFT_ERR_UNSUPPORTED if no axis can. */
typedef enum mfft_compute { MFFT_COMPUTE_AUTO = 0, MFFT_COMPUTE_BUTTERFLY = 1, MFFT_COMPUTE_TENSOR = 2 } mfft_compute;

/* The width of numbers that ranks exchange, see Wire in mfft_mpi.h: as stored; half of it; or half if that is faster. */
typedef enum mfft_wire { MFFT_WIRE_FULL = 0, MFFT_WIRE_HALF = 1, MFFT_WIRE_AUTO = 2 } mfft_wire;

/* How to transform.  Fill it with mfft_options_init, then change fields that differ from the default in brackets; a zero
 * always means "the default".  Texts are read by the call that makes the plan, and may be freed after it. */
typedef struct mfft_options {
  size_t struct_size;   /* set by mfft_options_init */
  const char *backend;  /* "ref", "fftw", "cuda", or NULL: the environment variable MFFT_BACKEND, else the best [NULL] */
  mfft_effort effort;   /* [MFFT_MEASURE] */
  double time_limit;    /* seconds of timing for one plan; a last trial may exceed it [0: MFFT_TUNE_S, else 5, PATIENT 60] */
  int threads;          /* CPU threads of one local transform, 1 to 4096 [0: 1] */
  int user_workspace;   /* 1: the caller gives it by mfft_plan_set_workspace before executing [0] */
  mfft_compute compute; /* [MFFT_COMPUTE_AUTO] */
  int reproducible;     /* 1: the same bits for any ranks, boxes and threads, see mfft_mpi.h; "fftw" and "ref" alone [0] */

  /* Local plans on "cuda": the radices of the merges in sequence, such as "16,16,2" for lines of 512.  + begins another pass
   * over the array (16,16+16,16), x separates the transformed axes (16,16,2x16,16); an empty part leaves its axis to the
   * backend, and a single part holds for every axis.  For an even real axis n/2 is factored.  Tensor cores have radix 16
   * and, last, 2, 4 or 8; butterflies 2 to 16 and 32.  MFFT_ERR_ARG if the product is not the length.  [NULL: chosen] */
  const char *radices;

  /* Distributed plans: see mfft_mpi.h. */
  int grid[2];           /* process grid P x Q; {P,1} is slabs; of rank 2, P*Q slabs of rows [{0,0}: chosen] */
  const char *transport; /* a name of mfft_transport_name, or NULL: MFFT_TRANSPORT, else the best [NULL] */
  int chunks;            /* number of chunks of an exchange, sent while others are transformed [0: chosen] */
  int overlap_split;     /* sixteenths of an exchange that are sent early, 1 to 15; -1: divide along one axis [0: chosen] */
  mfft_wire wire;        /* for precisions of 32 bits and more [MFFT_WIRE_FULL] */
  double tolerance;      /* relative L2 error that MFFT_WIRE_AUTO may add to that of the precision [0: none] */
  int late_window;       /* 1: the first execute allocates what "p2p" maps, see Memory in mfft_mpi.h [0] */
  int host_arrays;       /* 1: "cuda" takes arrays in host memory, see Arrays on the host in mfft_mpi.h [0] */
} mfft_options;

/* Fills the options with the defaults above.  Never fails. */
MFFT_API void mfft_options_init_sized(mfft_options *options, size_t struct_size);
static inline void mfft_options_init(mfft_options *options) { mfft_options_init_sized(options, sizeof(mfft_options)); }

/* ---- Plans --------------------------------------------------------------------------------------------------------- */

typedef struct mfft_plan_s *mfft_plan;

/* Makes a plan for transforms within this process; options NULL: the defaults.  Blocking: ESTIMATE takes milliseconds, on
 * CPUs up to 0.1 us a point of real lines, 1 us where lengths have large prime factors; other efforts may take seconds.
 * Reads no array.  Thread-safe.  CPUs transform by FFTW (Frigo and Johnson 2005), GPUs in passes of radix-R merges (Cooley
 * and Tukey 1965).  Errors: MFFT_ERR_ARG (naming the field), MFFT_ERR_UNSUPPORTED, MFFT_ERR_NO_DEVICE, MFFT_ERR_MEMORY. */
MFFT_API mfft_status mfft_plan_create(const mfft_desc *desc, const mfft_options *options, mfft_plan *plan);

/* Transforms in to out: forward IN to OUT, backward OUT to IN; in place, in == out.  The input is unchanged unless the plan
 * is in place or allow_destroy_input is set.  Arrays must be aligned to their real numbers on hosts, to their elements on
 * devices, and there to complex numbers for R2C over several ranks; arrays from mfft_memory_alloc are fastest.  CPU backends
 * block until the result is complete; "cuda" queues work on the plan's stream.  All ranks of a distributed plan call it, in
 * the same sequence.  Different plans may run in different threads at once, one plan once at a time, on the device on which
 * it was made.  Errors: MFFT_ERR_ARG for an array that is NULL, not aligned, wrongly aliased, overlapping the workspace, not
 * accessible to the backend or, as far as its driver knows, too short (memory that is freed and allocated again at the same
 * address must be as large); MFFT_ERR_STATE for a plan without workspace; MFFT_ERR_MEMORY if FFTW gets no buffer, the only
 * thing that is allocated.  A distributed plan is unusable on every rank after an error, see mfft_mpi.h. */
MFFT_API mfft_status mfft_execute(mfft_plan plan, mfft_direction direction, const void *in, void *out);

/* Frees the plan and its own workspace after its queued work has completed.  Any thread may call it.  Accepts NULL.
 * Collective for distributed plans.  After MPI_Finalize, device memory that other ranks may have mapped stays allocated. */
MFFT_API void mfft_plan_destroy(mfft_plan plan);

/* The box of a side that this process holds (the whole array for a local plan), and the size of the array to allocate for a
 * side, in elements and in bytes, batches and padding included: reals for the IN side of an R2C plan, else complex numbers.
 * In place, allocate the larger one in bytes.  A distributed plan may need space after its box (FFTW's alloc_local). */
MFFT_API mfft_status mfft_plan_box(mfft_plan plan, mfft_side side, mfft_box *box);
MFFT_API mfft_status mfft_plan_count(mfft_plan plan, mfft_side side, int64_t *count);
MFFT_API mfft_status mfft_plan_bytes(mfft_plan plan, mfft_side side, size_t *bytes);

/* The stream on which executes of the plan are ordered: a cudaStream_t of the plan's device for "cuda", where NULL is the
 * default stream.  Host backends accept only NULL (MFFT_ERR_UNSUPPORTED).  The stream must exist until the plan is destroyed
 * or has another one.  Executes on the old stream must be complete, or be ordered before those on the new one.  Executes of
 * local plans, and of distributed ones by p2p, may be captured into a CUDA graph, which the plan must outlive. */
MFFT_API mfft_status mfft_plan_set_stream(mfft_plan plan, void *stream);

/* Blocks until every execute of the plan is complete, by waiting for its stream.  Also returns failures not reported before:
 * of the device (MFFT_ERR_CUDA), and of a distributed plan's executes on other ranks. */
MFFT_API mfft_status mfft_plan_synchronize(mfft_plan plan);

#ifdef __cplusplus
}
#endif
#endif
