/* mfft.h: local transforms: what to compute, how, and the calls that plan, execute and destroy.
 *
 * An mfft_desc says what to transform, an mfft_options how, or NULL for the defaults.  mfft_plan_create makes an mfft_plan
 * of them, which serves both directions, and mfft_execute runs it:
 *
 *     forward    X[k] = s_f * sum over j of x[j] exp(-2 pi i j.k / n)
 *     backward   x[j] = s_b * sum over k of X[k] exp(+2 pi i j.k / n)
 *
 * with the scales s_f and s_b of the descriptor, 1 by default: forward then backward multiplies by N, the product of the
 * transformed lengths, as in FFTW and cuFFT.
 *
 * Conventions, here and everywhere in mergefft:
 *   - axes are numbered 0, 1, 2 (x, y, z) from slow to fast: C order, the last axis is contiguous;
 *   - complex numbers are interleaved (re, im); an R2C transform halves the last transformed axis to n/2 + 1;
 *   - counts, strides and distances are int64_t and count elements of the array they describe (reals in a real array,
 *     complexes in a complex one) unless the name ends in _bytes;
 *   - every call returns an mfft_status; on failure mfft_last_error() tells which argument or library call failed, its value
 *     and the remedy, and output arguments are untouched;
 *   - arrays live in the memory of the plan's backend: host memory for "ref" and "fftw", device memory for "cuda".
 *
 * mfft_mpi.h makes plans over many ranks, which the same mfft_execute runs; mfft_memory.h has memory of any backend,
 * mfft_spectrum.h filters and power spectra, mfft_inspect.h what a plan does and how long, mfft_field.h HDF5 files.
 */
#ifndef MFFT_H
#define MFFT_H

#include <stddef.h>
#include <stdint.h>

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

/* The one list of statuses: X(name, what it means). */
#define MFFT_STATUS_LIST(X)                                         \
  X(MFFT_SUCCESS, "success")                                        \
  X(MFFT_ERR_ARG, "invalid argument")                               \
  X(MFFT_ERR_MEMORY, "out of memory")                               \
  X(MFFT_ERR_UNSUPPORTED, "not supported by this build or backend") \
  X(MFFT_ERR_NO_DEVICE, "no usable device")                         \
  X(MFFT_ERR_MISMATCH, "ranks disagree on a collective argument")   \
  X(MFFT_ERR_STATE, "object is dead, busy or not ready")            \
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

/* The message of the last failure in the calling thread: what was wrong, its value, the rank, what to do.  Empty before any
 * failure.  The text belongs to the library and is valid until the next failing call of this thread. */
MFFT_API const char *mfft_last_error(void);

/* ---- The descriptor: what to compute --------------------------------------------------------------------------------- */

/* The two directions of a plan, and its two arrays: forward reads IN and writes OUT, backward reads OUT and writes IN. */
typedef enum mfft_direction { MFFT_FORWARD = 0, MFFT_BACKWARD = 1 } mfft_direction;
typedef enum mfft_side { MFFT_IN = 0, MFFT_OUT = 1 } mfft_side;

/* C2C: complex to complex both ways.  R2C: forward is real to complex, backward is complex to real (often called C2R). */
typedef enum mfft_kind { MFFT_C2C = 0, MFFT_R2C = 1 } mfft_kind;

/* The type of a stored real number: IEEE binary16, binary32, binary64, and bfloat16.  A complex number is two of them.  CPU
 * backends compute the 16-bit types in single precision and round when a local transform stores its result. */
typedef enum mfft_precision { MFFT_DOUBLE = 0, MFFT_SINGLE = 1, MFFT_HALF = 2, MFFT_BFLOAT16 = 3 } mfft_precision;

/* What a direction multiplies by: 1, 1/sqrt(N), 1/N; N is the product of the transformed lengths. */
typedef enum mfft_scale { MFFT_SCALE_NONE = 0, MFFT_SCALE_SQRT = 1, MFFT_SCALE_FULL = 2 } mfft_scale;

/* In place: the caller passes the same pointer as in and out.  An in-place R2C array stores 2*(n/2 + 1) reals a row. */
typedef enum mfft_placement { MFFT_OUT_OF_PLACE = 0, MFFT_IN_PLACE = 1 } mfft_placement;

/* Where a distributed output of rank 2 or 3 lies.  NATURAL: distributed as the input.  TRANSPOSED: left where the last
 * transform of the forward direction had it, which saves one exchange each way; see mfft_mpi.h.  C order in both cases. */
typedef enum mfft_order { MFFT_ORDER_NATURAL = 0, MFFT_ORDER_TRANSPOSED = 1 } mfft_order;

/* A box: the half-open index range [lo, hi) of each axis of a global array, and the memory order of the local array that
 * holds it.  order[0] is the slowest axis and order[2] the contiguous one; all zeros means C order {0,1,2}.  Arrays of rank
 * 1 or 2 use the first axes and leave [0,1) in the others.  A box with hi <= lo on any axis is empty. */
typedef struct mfft_box {
  int64_t lo[3];
  int64_t hi[3];
  int order[3];
} mfft_box;

/* What to transform.  Fill it with mfft_desc_init, then change what differs from the default in brackets.  A zero always
 * means "the default", also of fields that later versions add. */
typedef struct mfft_desc {
  size_t struct_size;       /* set by mfft_desc_init; tells the library which fields the caller knows */
  int rank;                 /* number of axes of one array, 1 to 3 [3] */
  int64_t n[3];             /* [rank] logical lengths, slow to fast, each >= 1; n of a real array, not n/2 + 1 */
  unsigned axes;            /* bit a set: axis a is transformed; R2C halves the highest one [0: all axes] */
  int64_t batch;            /* number of arrays, >= 1 [1] */
  mfft_kind kind;           /* [MFFT_C2C] */
  mfft_precision precision; /* [MFFT_DOUBLE] */
  mfft_scale scale[2];      /* [direction] [MFFT_SCALE_NONE both] */
  mfft_placement placement; /* [MFFT_OUT_OF_PLACE] */
  int allow_destroy_input;  /* 1: an out-of-place execute may overwrite its input, which can be faster [0: preserved] */
  unsigned filtered;        /* bit d set: direction d may be given a filter, see mfft_spectrum.h [0] */

  /* Rank 1, C2C: 1 leaves the output in scrambled order: with n = n1*n2 as mfft_plan_four_step tells, element k1 + n1*k2
   * lies at position k1*n2 + k2.  This saves the last transposition of the four-step method (Bailey 1990), between ranks an
   * exchange each way, and is enough for convolutions. [0: natural order] */
  int scrambled;

  /* Local plans only: layouts.  Element (b; i0, i1, i2) of a side lies at b*dist + i0*stride[0] + i1*stride[1] + ...
   * All zeros means packed C order (and, in place R2C, rows padded to 2*(n/2 + 1) reals).  Strides may not be negative. */
  int64_t in_stride[3];  /* [rank] */
  int64_t in_dist;       /* between batches */
  int64_t out_stride[3]; /* [rank] */
  int64_t out_dist;

  /* Distributed plans only: see mfft_mpi.h. */
  mfft_order order;        /* of rank 2 and 3 [MFFT_ORDER_NATURAL] */
  const mfft_box *in_box;  /* this rank's part of the input, any boxes that tile the array [NULL: chosen by the plan] */
  const mfft_box *out_box; /* this rank's part of the output, indices of the (halved) output array [NULL: by order] */
} mfft_desc;

/* Fills the descriptor with the defaults above, rank 3 and lengths of 1.  Never fails. */
MFFT_API void mfft_desc_init_sized(mfft_desc *desc, size_t struct_size);
static inline void mfft_desc_init(mfft_desc *desc) { mfft_desc_init_sized(desc, sizeof(mfft_desc)); }

/* ---- The options: how to compute it ---------------------------------------------------------------------------------- */

/* How long planning may take.  The first three are FFTW's of the same names, for each local transform; "cuda" times on
 * arrays of its own, as large as the caller's, and where there is no memory for these it chooses by rules.  The TUNE efforts
 * choose among whole distributed plans, see Tuning in mfft_mpi.h; a local plan takes TUNE_MEASURE as MEASURE, and so on. */
typedef enum mfft_effort {
  MFFT_MEASURE = 0,       /* times a short list of algorithms */
  MFFT_ESTIMATE = 1,      /* times nothing: what wisdom has, else rules */
  MFFT_PATIENT = 2,       /* times a long list of algorithms */
  MFFT_TUNE_MEASURE = 3,  /* times a short list of whole plans */
  MFFT_TUNE_ESTIMATE = 4, /* times nothing: the whole plan that wisdom has, else rules */
  MFFT_TUNE_PATIENT = 5   /* times a long list of whole plans, and combinations of what helps */
} mfft_effort;

/* What multiplies, on a device that has the choice: radix butterflies on the ordinary cores, or matrix products on tensor
 * cores for every axis that they can do, lines of complexes of a power of two from 16 (Li et al. 2021, tcFFT); the error
 * bound of the precision holds for both.  AUTO: tensor cores for half, butterflies for single and double, for bfloat16 what
 * rounds least and then what is faster; with MFFT_PATIENT the faster of the two.  MFFT_ERR_UNSUPPORTED where TENSOR can do
 * no axis of a transform, as on every CPU. */
typedef enum mfft_compute { MFFT_COMPUTE_AUTO = 0, MFFT_COMPUTE_BUTTERFLY = 1, MFFT_COMPUTE_TENSOR = 2 } mfft_compute;

/* The width of numbers that ranks exchange, see Wire in mfft_mpi.h: as stored, half of it, or half where that is faster. */
typedef enum mfft_wire { MFFT_WIRE_FULL = 0, MFFT_WIRE_HALF = 1, MFFT_WIRE_AUTO = 2 } mfft_wire;

/* How to transform.  Fill it with mfft_options_init, then change what differs from the default in brackets; a zero always
 * means "the default".  Texts are read by the call that makes the plan and need not live on. */
typedef struct mfft_options {
  size_t struct_size;   /* set by mfft_options_init */
  const char *backend;  /* "ref", "fftw", "cuda", or NULL: the environment variable MFFT_BACKEND, else the best [NULL] */
  mfft_effort effort;   /* [MFFT_MEASURE] */
  double time_limit;    /* seconds of timing for one plan, the last may run over [0: MFFT_TUNE_S, else 5 or, PATIENT, 60] */
  int threads;          /* CPU threads of one local transform, 1 to 4096 [0: 1] */
  int user_workspace;   /* 1: the caller gives the workspace by mfft_plan_set_workspace before executing [0] */
  mfft_compute compute; /* [MFFT_COMPUTE_AUTO] */

  /* Local plans on "cuda": the radices of the merges in their order, such as "16,16,2" for lines of 512.  + begins another
   * pass over the array (16,16+16,16), x separates the transformed axes (16,16,2x16,16), of which an empty one is left to
   * the backend; one part serves every axis.  Of an even real axis n/2 is split.  Tensor cores merge by 16 and last by 2, 4
   * or 8, butterflies by 2 to 16 and 32.  MFFT_ERR_ARG where the product is not the length. [NULL: chosen] */
  const char *radices;

  /* Distributed plans: see mfft_mpi.h. */
  int grid[2];           /* process grid P x Q; {P,1} is slabs; 0 means choose [{0,0}] */
  const char *transport; /* a name of mfft_transport_name, or NULL: MFFT_TRANSPORT, else the best [NULL] */
  int chunks;            /* pieces that flow through an exchange while others are transformed [0: chosen] */
  int overlap_split;     /* sixteenths of an exchange that leave early, 1 to 15; -1: cut along one axis [0: chosen] */
  mfft_wire wire;        /* of single and double [MFFT_WIRE_FULL] */
  double tolerance;      /* relative L2 error that MFFT_WIRE_AUTO may add to that of the precision [0: none] */
} mfft_options;

/* Fills the options with the defaults above.  Never fails. */
MFFT_API void mfft_options_init_sized(mfft_options *options, size_t struct_size);
static inline void mfft_options_init(mfft_options *options) { mfft_options_init_sized(options, sizeof(mfft_options)); }

/* ---- Plans --------------------------------------------------------------------------------------------------------- */

typedef struct mfft_plan_s *mfft_plan;

/* Makes a plan for transforms within this process; options may be NULL for the defaults.  Blocking: ESTIMATE takes
 * milliseconds, other efforts may take seconds.  It reads no user array.  Thread-safe.  On CPUs FFTW transforms (Frigo and
 * Johnson 2005), on GPUs passes of radix-R merges (Cooley and Tukey 1965).  Errors: MFFT_ERR_ARG for a field that makes no
 * sense (the message names it), MFFT_ERR_UNSUPPORTED for what the backend cannot do, MFFT_ERR_NO_DEVICE, MFFT_ERR_MEMORY. */
MFFT_API mfft_status mfft_plan_create(const mfft_desc *desc, const mfft_options *options, mfft_plan *plan);

/* Transforms in to out.  Forward reads IN and writes OUT, backward reads OUT and writes IN; in place, in == out.  The input
 * is unchanged unless the plan is in place or allow_destroy_input is set.  Arrays are aligned to their reals on hosts, to
 * their elements on devices; those of mfft_memory_alloc are, and run fastest. CPU backends block until the result is there;
 * "cuda" queues the work on the plan's stream and returns.  Distributed plans need the call on every rank, and run in the
 * same sequence on every rank.  Different plans may run in different threads at once; one plan runs once at a time, on the
 * device where it was made.  Errors: MFFT_ERR_ARG for an array that is NULL, not aligned, wrongly aliased, in the workspace,
 * out of the backend's reach or, as far as its driver knows, too short (memory that is freed and allocated anew at the same
 * address must be as large); MFFT_ERR_STATE for a plan without workspace; MFFT_ERR_MEMORY where FFTW gets no buffer, the
 * only thing that is allocated.  A distributed plan is dead on every rank after an error, see Failures in mfft_mpi.h. */
MFFT_API mfft_status mfft_execute(mfft_plan plan, mfft_direction direction, const void *in, void *out);

/* Frees the plan and its own workspace, after what is queued of it.  Any thread may.  Accepts NULL.  Collective for
 * distributed plans; after MPI_Finalize, memory of a device that other ranks may have mapped stays until the process ends.
 */
MFFT_API void mfft_plan_destroy(mfft_plan plan);

/* The box of a side that this process holds (the whole array for a local plan), and the size of the array to allocate for a
 * side, in elements and in bytes, batches and padding included: reals for the IN side of an R2C plan, complexes otherwise.
 * In place, allocate the larger of the two in bytes.  Always allocate what these calls tell: a distributed plan may need
 * room behind its box for data on its way (as with FFTW's alloc_local). */
MFFT_API mfft_status mfft_plan_box(mfft_plan plan, mfft_side side, mfft_box *box);
MFFT_API mfft_status mfft_plan_count(mfft_plan plan, mfft_side side, int64_t *count);
MFFT_API mfft_status mfft_plan_bytes(mfft_plan plan, mfft_side side, size_t *bytes);

/* The queue that executes of the plan are ordered on: a cudaStream_t of the plan's device for "cuda", NULL is its default
 * stream.  Host backends take only NULL (MFFT_ERR_UNSUPPORTED).  The caller keeps the stream alive until the plan is
 * destroyed or has another.  Executes on the old stream must have ended, or be ordered before those on the new one. Executes
 * of local plans, and of distributed ones by p2p, may be captured into a CUDA graph, which the plan must outlive. */
MFFT_API mfft_status mfft_plan_set_stream(mfft_plan plan, void *stream);

/* Blocks until every execute of the plan is done, by waiting for its stream.  Also tells of failures that had not shown
 * before: on the device (MFFT_ERR_CUDA), and of executes of a distributed plan on other ranks, with their status. */
MFFT_API mfft_status mfft_plan_synchronize(mfft_plan plan);

#ifdef __cplusplus
}
#endif
#endif
