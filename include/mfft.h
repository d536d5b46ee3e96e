/* mfft.h: local transforms, and the types that every part of mergefft shares.
 *
 * A transform is described by an mfft_desc, turned into an mfft_plan, and run with mfft_execute.  One plan serves both
 * directions:
 *
 *     forward    X[k] = s_f * sum over j of x[j] exp(-2 pi i j.k / n)
 *     backward   x[j] = s_b * sum over k of X[k] exp(+2 pi i j.k / n)
 *
 * with the scales s_f and s_b of the descriptor (both 1 by default, so that forward then backward multiplies by N, the
 * product of the transformed lengths, as in FFTW and cuFFT).
 *
 * Conventions, here and everywhere in mergefft:
 *   - axes are numbered 0, 1, 2 (x, y, z) from slow to fast: C order, the last axis is contiguous;
 *   - complex numbers are interleaved (re, im); an R2C transform halves the last transformed axis to n/2 + 1;
 *   - counts, strides and distances are int64_t and count elements of the array they describe (reals in a real array,
 *     complexes in a complex one) unless the name ends in _bytes;
 *   - every call returns an mfft_status; on failure mfft_last_error() tells which argument or library call failed, its value
 *     and the remedy, and output arguments are untouched;
 *   - arrays live in the memory of the plan's backend: host memory for "ref" and "fftw", device memory for "cuda";
 *     mfft_memory.h has calls that work on both.
 *
 * Distributed plans are made by mfft_mpi.h, run by the same mfft_execute, and freed by the same mfft_plan_destroy.
 * HDF5 fields are in mfft_field.h.  This header needs neither MPI nor CUDA.
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

/* The name and meaning of a status, such as "MFFT_ERR_ARG: invalid argument".  Never NULL, also for values out of range. */
MFFT_API const char *mfft_strerror(mfft_status status);

/* The story of the last failure in the calling thread: what was wrong, its value, the rank, what to do.  Empty before any
 * failure.  The text belongs to the library and is valid until the next failing call of this thread. */
MFFT_API const char *mfft_last_error(void);

/* The version of the library that is running, as MFFT_VERSION of the header it was built from. */
MFFT_API int mfft_version(void);

/* ---- The descriptor ------------------------------------------------------------------------------------------------- */

typedef enum mfft_direction { MFFT_FORWARD = 0, MFFT_BACKWARD = 1 } mfft_direction;

/* C2C: complex to complex both ways.  R2C: forward is real to complex, backward is complex to real (often called C2R). */
typedef enum mfft_kind { MFFT_C2C = 0, MFFT_R2C = 1 } mfft_kind;

/* The type of a stored real number: IEEE binary16, binary32, binary64, and bfloat16.  A complex number is two of them.  CPU
 * backends compute the 16-bit types in single precision and round when a local transform stores its result. */
typedef enum mfft_precision { MFFT_DOUBLE = 0, MFFT_SINGLE = 1, MFFT_HALF = 2, MFFT_BFLOAT16 = 3 } mfft_precision;

/* What a direction multiplies by: 1, 1/sqrt(N), 1/N; N is the product of the transformed lengths. */
typedef enum mfft_scale { MFFT_SCALE_NONE = 0, MFFT_SCALE_SQRT = 1, MFFT_SCALE_FULL = 2 } mfft_scale;

/* In place: the caller passes the same pointer as in and out.  An in-place R2C array stores 2*(n/2 + 1) reals a row. */
typedef enum mfft_placement { MFFT_OUT_OF_PLACE = 0, MFFT_IN_PLACE = 1 } mfft_placement;

/* How long planning may take: a few timings, a rule without timings, many timings.  As FFTW's flags of the same names.
 * ESTIMATE times nothing, and a plan of known kernels takes milliseconds; what wisdom has is taken all the same.  MEASURE
 * times a short list of candidates, PATIENT a long one, and more than once around where one choice changes another; see
 * Tuning in mfft_mpi.h for distributed plans.  On "cuda" the ways of each local transform are timed on arrays of its own, as
 * large as the caller's; without the memory for them the rule holds. */
typedef enum mfft_effort { MFFT_MEASURE = 0, MFFT_ESTIMATE = 1, MFFT_PATIENT = 2 } mfft_effort;

/* What multiplies, on a device that has the choice.  BUTTERFLY: radix butterflies on the ordinary cores.  TENSOR: matrix
 * products on tensor cores for every axis that they can do, lines of complexes of a power of two from 16 (a real axis is
 * done by butterflies); the error bound of the precision holds for both.  AUTO: by a rule, tensor cores for half,
 * butterflies for the others, and for bfloat16 what rounds least and then what is faster; with MFFT_PATIENT the faster of
 * the two, timed.  MFFT_ERR_UNSUPPORTED where TENSOR can do no axis of a transform, as on every CPU. */
typedef enum mfft_compute { MFFT_COMPUTE_AUTO = 0, MFFT_COMPUTE_BUTTERFLY = 1, MFFT_COMPUTE_TENSOR = 2 } mfft_compute;

/* What an exchange carries: the numbers as they are stored, or in half their width, double as single and single as half,
 * with a power of two for every 1024 elements or, where transforms convert them as they store and load, for every complex.
 * Half of the bytes on the wire cost accuracy: a transform of random data gets
 * a relative L2 error of up to 6e-8 in double and 5e-4 in single (docs/accuracy.md).  AUTO: half where the descriptor's
 * tolerance allows that error and timing whole plans (tune) shows that it is faster, else full. */
typedef enum mfft_wire { MFFT_WIRE_FULL = 0, MFFT_WIRE_HALF = 1, MFFT_WIRE_AUTO = 2 } mfft_wire;

/* Where a distributed output lies.  NATURAL: distributed as the input.  TRANSPOSED: left where the last transform of the
 * forward direction had it, which saves one exchange each way; ask mfft_plan_box where that is.  The array of a box is in C
 * order in both cases.  For one dimension TRANSPOSED means scrambled, in local plans too: element k1 + n1*k2 of the output
 * lies at position k1*n2 + k2, n = n1*n2 as mfft_plan_four_step tells, which saves the transposition that natural order
 * takes and is enough for convolutions.  A local plan of two or three dimensions holds the whole array in C order in either
 * case. */
typedef enum mfft_order { MFFT_ORDER_NATURAL = 0, MFFT_ORDER_TRANSPOSED = 1 } mfft_order;

/* The two arrays of a plan.  IN is what forward reads and backward writes; OUT is what forward writes and backward reads. */
typedef enum mfft_side { MFFT_IN = 0, MFFT_OUT = 1 } mfft_side;

/* A box: the half-open index range [lo, hi) of each axis of a global array, and the memory order of the local array that
 * holds it.  order[0] is the slowest axis and order[2] the contiguous one; all zeros means C order {0,1,2}.  Arrays of rank
 * 1 or 2 use the first axes and leave [0,1) in the others.  A box with hi <= lo on any axis is empty. */
typedef struct mfft_box {
  int64_t lo[3];
  int64_t hi[3];
  int order[3];
} mfft_box;

/* What to transform.  Fill it with mfft_desc_init, then change what differs from the default in brackets.  A zero always
 * means "the default", so fields that later versions add do not disturb older callers. */
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

  /* Local plans only: layouts.  Element (b; i0, i1, i2) of a side lies at b*dist + i0*stride[0] + i1*stride[1] + ...
   * All zeros means packed C order (and, in place R2C, rows padded to 2*(n/2 + 1) reals).  Strides may not be negative. */
  int64_t in_stride[3];  /* [rank] */
  int64_t in_dist;       /* between batches */
  int64_t out_stride[3]; /* [rank] */
  int64_t out_dist;

  /* Planning. */
  mfft_effort effort;  /* [MFFT_MEASURE] */
  const char *backend; /* "ref", "fftw", "cuda", or NULL: the environment variable MFFT_BACKEND, else the best */
  int threads;         /* CPU threads of one local transform, >= 1 [1] */
  int user_workspace;  /* 1: the caller gives the workspace with mfft_plan_set_workspace before executing [0] */

  /* Distributed plans only: see mfft_mpi.h. */
  int grid[2];             /* process grid P x Q; {P,1} is slabs; 0 means choose [{0,0}] */
  const char *transport;   /* a name of mfft_transport_name, or NULL: MFFT_TRANSPORT, else the best */
  int chunks;              /* pieces that flow through an exchange while others are transformed; 0 means choose [0] */
  mfft_order order;        /* of local plans of rank 1, too [MFFT_ORDER_NATURAL] */
  const mfft_box *in_box;  /* this rank's part of the input, any boxes that tile the array [NULL: chosen by the plan] */
  const mfft_box *out_box; /* this rank's part of the output, indices of the (halved) output array [NULL: by order] */
  int tune;                /* 1: time whole candidate plans, as many as the effort says, and keep the fastest [0] */

  mfft_compute compute; /* of every plan: which engine of the backend [MFFT_COMPUTE_AUTO] */
  unsigned filtered;    /* of every plan: bit d set: direction d may be given a filter, see mfft_plan_set_filter [0] */
  mfft_wire wire;       /* of distributed plans in single or double: width of the numbers that travel [MFFT_WIRE_FULL] */

  /* Local plans on "cuda" only: the radices of the merges, in their order, in place of those that the backend would choose.
   * "16,16,2" merges lines of 512 in one pass over the array; a + begins another pass, as in "16,16+16,16" for 65536; an x
   * separates the transformed axes, as in "16,16,2x16,16" for 512 x 256, and a part that is empty is left to the backend.
   * One part serves every axis.  Of an even real axis it is n/2 that is split.  Tensor cores merge by 16 and last by 2, 4 or
   * 8, butterflies by 2 to 16 and 32.  Read by the call that makes the plan, which fails with MFFT_ERR_ARG where the radices
   * do not multiply to a length and with MFFT_ERR_UNSUPPORTED where no kernel merges by them. [NULL] */
  const char *radices;

  /* Distributed plans only: how an exchange is cut where no single axis serves the transforms on both sides of it, as with
   * slabs.  -1: all chunks are slices along one axis, and one of the two transforms waits for the whole exchange.  1 to 15:
   * so many sixteenths leave in slices of an axis that the transform before it makes one by one; the rest follows in slices
   * of another axis, so that the transform behind can begin with what came early and take each slice as it arrives. Both are
   * hidden then but for one slice, if what leaves early takes as long to travel as its transform to compute.  Takes at least
   * two chunks. [0: the plan chooses: on GPUs of one node, in single and double with transport "p2p", at half the width
   * where the transforms convert, in proportion to the axes that are transformed before and behind, 11 for two and one; else
   * one axis] */
  int front;

  /* Relative L2 error that a transform may have for the sake of speed, beside that of its precision; for MFFT_WIRE_AUTO,
   * which wants one, and for nothing else. [0: none] */
  double tolerance;

  /* Seconds that timing candidates for one plan may take.  None is begun that would not end in time, by what the one before
   * it took; the last one may run over.  A limit that is set also bounds FFTW's own planner. [0: MFFT_TUNE_S (environment),
   * or where that is not set 5 with MFFT_MEASURE and 60 with MFFT_PATIENT] */
  double time_limit;
} mfft_desc;

/* Fills the descriptor with the defaults above, rank 3 and lengths of 1.  Never fails. */
MFFT_API void mfft_desc_init_sized(mfft_desc *desc, size_t struct_size);
static inline void mfft_desc_init(mfft_desc *desc) { mfft_desc_init_sized(desc, sizeof(mfft_desc)); }

/* ---- Plans --------------------------------------------------------------------------------------------------------- */

typedef struct mfft_plan_s *mfft_plan;

/* Makes a plan for transforms within this process.  Blocking; may take seconds with MFFT_MEASURE or MFFT_PATIENT.  It reads
 * no user array.  Thread-safe.  Errors: MFFT_ERR_ARG for a descriptor that makes no sense (the text names the field),
 * MFFT_ERR_UNSUPPORTED for what the backend cannot do, MFFT_ERR_NO_DEVICE for a backend that is not there, or
 * MFFT_ERR_MEMORY. */
MFFT_API mfft_status mfft_plan_create(const mfft_desc *desc, mfft_plan *plan);

/* Transforms in to out.  Forward reads an IN array and writes an OUT array; backward reads an OUT array and writes an IN
 * array.  In place, in == out.  On CPU backends the call blocks until the result is there; distributed plans need the call
 * on every rank.  The input is unchanged unless the plan is in place or allow_destroy_input is set.  Nothing is allocated,
 * but by FFTW: buffers for large arrays and for lengths with a prime factor beyond 13, and threads where the plan has
 * several; MFFT_ERR_MEMORY where the system has none left for them. Different plans may run in different threads at once;
 * one plan runs once at a time.  Plans of one rank that communicate must run in the same sequence on every rank.  This and
 * all calls on the plan run on the device where it was made, whichever is current in the thread, which stays so.  Arrays are
 * aligned to their reals on hosts, to their elements on devices; those of mfft_memory_alloc are, and are what runs fastest.
 * Errors: MFFT_ERR_ARG for an array that is NULL, not aligned, wrongly aliased, where the workspace is, or on the host
 * where the plan works on a device that does not read the host's pages; on a device also for one that its driver knows to
 * end too early (but of pools and mapped memory, whose end it does not tell) or to lie on a device out of reach.  It is
 * asked about arrays that are new to the plan: memory that is freed and allocated anew at the same address must be as
 * large.  MFFT_ERR_STATE for a plan without workspace.  A local plan may be executed again after an error.  A distributed
 * plan of several ranks is dead after one, be it for an argument, on every rank: see Failures in mfft_mpi.h. */
MFFT_API mfft_status mfft_execute(mfft_plan plan, mfft_direction direction, const void *in, void *out);

/* Frees the plan and its own workspace, after what is queued of it.  Any thread may.  Accepts NULL.  For distributed plans:
 * collective, on every rank.  After MPI_Finalize it still frees what this process has of the plan; memory of a device that
 * other ranks may have mapped then stays until the process ends. */
MFFT_API void mfft_plan_destroy(mfft_plan plan);

/* The box of a side that this process holds (the whole array for a local plan), and the number of elements of one side to
 * allocate, batches and padding included: reals for the IN side of an R2C plan, complexes otherwise.  In place, allocate the
 * larger of the two in bytes.  The array of a distributed plan in boxes of the plan's own choice may need room behind its
 * box, where data rests on its way (as with FFTW's alloc_local): always allocate what these calls tell. */
MFFT_API mfft_status mfft_plan_box(mfft_plan plan, mfft_side side, mfft_box *box);
MFFT_API mfft_status mfft_plan_count(mfft_plan plan, mfft_side side, int64_t *count);
MFFT_API mfft_status mfft_plan_bytes(mfft_plan plan, mfft_side side, size_t *bytes);

/* The factors of a rank-1 plan in four steps: n = n1*n2, n1 <= n2 the divisors nearest its square root.  MFFT_ERR_ARG for
 * plans of other ranks, and for local ones in natural order.  Not collective. */
MFFT_API mfft_status mfft_plan_four_step(mfft_plan plan, int64_t *n1, int64_t *n2);

/* Workspace in the memory of the backend.  A plan allocates what it needs unless user_workspace is set.  One workspace may
 * serve any number of plans that do not run at the same time: give each the largest of their sizes.  set_workspace keeps the
 * pointer, not a copy; it wants `bytes` >= the plan's size and an alignment of 64 bytes, as mfft_memory_alloc gives, and on
 * a device memory of the device, not of the host (MFFT_ERR_ARG).  No array of an execute may overlap it. */
MFFT_API mfft_status mfft_plan_workspace_bytes(mfft_plan plan, size_t *bytes);
MFFT_API mfft_status mfft_plan_set_workspace(mfft_plan plan, void *workspace, size_t bytes);

/* The queue that executes of the plan are ordered on: a cudaStream_t of the plan's device for "cuda", where mfft_execute
 * returns before the work is done and the caller waits with mfft_plan_synchronize or by means of CUDA; NULL is its default
 * stream.  Host backends finish within mfft_execute and take only NULL (MFFT_ERR_UNSUPPORTED).  The library keeps the
 * handle, the caller keeps the stream alive until the plan is destroyed or has another: CUDA has no call that tells whether
 * a stream still exists, and using one that was destroyed may end the process.  Executes on the stream before share memory,
 * and between ranks signals, with those on the new one: they must have ended, or be ordered before.  Executes of local
 * plans, and of distributed ones by p2p, may be captured from it into a CUDA graph of the caller's, which the plan must
 * outlive. */
MFFT_API mfft_status mfft_plan_set_stream(mfft_plan plan, void *stream);

/* Waits until every execute of the plan is done, by waiting for its stream; on host backends there is nothing to
 * wait for.  Also tells of failures that had not shown before: on the device (MFFT_ERR_CUDA), and of executes of a
 * distributed plan on other ranks, with their status. */
MFFT_API mfft_status mfft_plan_synchronize(mfft_plan plan);

/* ---- Helpers ------------------------------------------------------------------------------------------------------- */

/* Host memory aligned to 64 bytes.  Free it with mfft_free, which accepts NULL. */
MFFT_API mfft_status mfft_alloc(size_t bytes, void **pointer);
MFFT_API void mfft_free(void *pointer);

/* The smallest length >= n whose prime factors are all among 2, 3, 5 and 7: the lengths that every backend does fastest.
 * Returns n itself for n <= 1, and -1 where the result would pass 2^62. */
MFFT_API int64_t mfft_next_fast_length(int64_t n);

#ifdef __cplusplus
}
#endif
#endif
