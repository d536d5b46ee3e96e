/* mfft_mpi.h: distributed plans and exchanges.
 *
 * A global array of rank 1 to 3 is divided into boxes, one for each rank.  The plan moves data between distributions in
 * which the axis to be transformed is whole on every rank:
 *
 *     z-pencils  x divided by P, y by Q        transform z
 *     y-pencils  x divided by P, z by Q        transform y
 *     x-pencils  y divided by P, z by Q        transform x
 *
 * on a process grid P x Q.  With Q = 1 the first two are the same x-slabs, y and z are transformed together, and a single
 * exchange remains.  rank = p*Q + q, unless the plan chooses the grid on several nodes: rows or columns of pencils may then
 * be filled node by node (mfft_plan_box_of has the boxes).  An axis of length n divided by P gives p the range [p*n/P,
 * (p+1)*n/P) in integer arithmetic.  If n < P this range is empty for some p: there may be more ranks than planes.
 *
 * Default boxes.  IN: z-pencils.  OUT, natural: the IN boxes for C2C, in their memory order, z-pencils of the halved
 * array for R2C.  OUT, transposed: x-pencils of the output, or the IN boxes where these hold all transformed axes
 * whole.  in_box and out_box replace them by the caller's boxes: any boxes that tile the array, empty ones included, in
 * any memory order; a forward transform ends in OUT boxes that hold its last axes whole without an extra exchange.  An
 * array of rank 1 or 2 counts as having leading axes of length 1: a 2D array is divided into slabs of its first axis.
 * The batch index is the slowest and whole on every rank; to divide a batch among ranks, make it an axis and omit that
 * axis in `axes`.  An in-place R2C plan that halves the last axis, without desc.given and in_box, has IN rows of 2*(n/2 + 1)
 * reals, also beside an out_box.  An axis before the last is halved in place only where an exchange follows
 * (MFFT_ERR_UNSUPPORTED otherwise, as on one rank).  All other rows are packed, unless desc.padded is set, as FFTW-MPI
 * requires in place and out of place.  With desc.padded the IN boxes hold whole rows of the last axis, contiguous in memory,
 * and R2C must halve this axis (MFFT_ERR_UNSUPPORTED otherwise).  Cosines and sines (mfft_kind.h) are distributed like DFTs;
 * R2R exchanges real numbers, and R2C computes those of later axes first.
 *
 * Chunks and overlap split.  An exchange is divided into options.chunks chunks; one can be packed, sent, received, unpacked
 * and transformed while others are under way.  Contiguous runs of MFFT_RUN_BYTES (environment) or more on both sides are
 * sent from array to array without packing.  With slabs no single axis can be divided for the transforms on both sides of
 * the exchange: divided along one axis (overlap_split -1), one of the two transforms waits for the whole exchange.  With
 * overlap_split 1 to 15 this number of sixteenths is sent early, in slices of an axis in which the transform before the
 * exchange produces them; the rest is sent in slices of another axis.  The transform after the exchange begins with the
 * early part and takes each later slice as it arrives.  All communication but one slice is then overlapped, if sending the
 * early part takes as long as its transform.  At least two chunks are needed.  By default the plan does so on GPUs of one
 * node, in single and double precision by "p2p", in proportion to the numbers of axes transformed before and after: 11 for
 * two and one.
 *
 * Wire.  An exchange sends numbers as they are stored, or at half their width, double as single, single as half and long
 * double as double, with a power of two for every 1024 elements or, where transforms convert while they store and load, for
 * every complex number (block floating point).  That costs accuracy: a transform of random data has a relative L2 error of
 * up to 6e-8 in double, 5e-4 in single and 1.2e-16 in long double (docs/accuracy.md).  MFFT_WIRE_AUTO uses half the width if
 * options.tolerance allows that error and tuning finds it faster, otherwise the full width.
 *
 * Memory.  Arrays are in the memory of the backend.  On a GPU every exchange is ordered after the work on the plan's stream;
 * mfft_execute returns before the work is done if the transport is "p2p" alone, and otherwise waits on the host for
 * messages.  A rank uses the GPU whose context is current in the thread that makes the plan, otherwise the one with its
 * index on the node.  "p2p" needs one local array in a window that the other ranks of the node map: this memory belongs to
 * the plan even if options.user_workspace is set.  With options.late_window the first execute allocates it, and not the
 * call that makes the plan: for plans that may never execute, as that of a particle mesh with blocks (mfft_particles.h).
 *
 * Transports: "p2p" copies between arrays of ranks of a node (CUDA IPC on GPUs, shared memory on hosts) and sends messages
 * to other nodes; "pairwise" (also "mpi") is Isend and Irecv; "alltoallv" one collective call for each chunk; "nccl" is NCCL
 * if it is installed; "staged" is pairwise through pinned host memory, for GPUs under an MPI that cannot access them;
 * "p2p-store" is p2p in which the transform before an exchange stores into the windows of the peers if it can, and nothing
 * is copied (if named, or if tuning finds it faster); "hierarchical" is p2p whose messages to other nodes pass through one
 * rank of each node, one for each pair of nodes, for small arrays on many ranks (if named, or by tuning; its buffers, in
 * host memory, are as large as what the ranks of a node send and receive).  A plan that names none uses the first of the
 * others, in this sequence, that passes a trial; on the host it uses "pairwise".  Messages of "p2p" to other nodes use the
 * first of "pairwise", "nccl" and "staged" that passes a trial; "p2p+nccl" and the like name it, and a plan with ranks on
 * several nodes has such a name.
 *
 * Tuning.  With options.effort MFFT_TUNE_MEASURE or MFFT_TUNE_PATIENT whole plans are timed, forward and backward: first the
 * plan that rules choose, then one parameter after another is varied while the others stay at their best values: transport,
 * grid, chunks, overlap split, thread blocks and streams of copies to peers (MFFT_COPY_BLOCKS, MFFT_COPY_LANES), wire
 * (MFFT_WIRE_AUTO), algorithms of the local transforms.  A candidate must be 3 % faster to be taken.  TUNE_MEASURE searches
 * a short list once, TUNE_PATIENT a long one repeatedly while that helps; TUNE_ESTIMATE times nothing and uses wisdom, or
 * the rules.  No candidate is begun that would exceed options.time_limit if it took as long as the one before; all ranks
 * stop together, by the clock of rank 0.  The result is wisdom: later plans of the same descriptor on the same kind of
 * machine (GPU model and links, nodes and ranks on each, version of the library) and of the same or less effort are made
 * without timing.  mfft_plan_trial returns the candidates.  With efforts without TUNE rules choose the plan, and the effort
 * is that of each local transform.
 *
 * One dimension (rank 1): X = F_n x with n = n1*n2 by the four-step method (Bailey 1990; FFTW's dft-rank1-bigvec): transform
 * the columns of the n1 x n2 matrix, twiddle, transform the rows.  IN is divided into blocks of whole rows: rank r of P
 * holds elements [n2*lo, n2*hi), where [lo, hi) is its range of n1.  With desc.scrambled OUT is divided likewise and has
 * element k = k1 + n1*k2 at position k1*n2 + k2, which saves an exchange in each direction; otherwise OUT is divided into
 * blocks of n1 times the rank's range of n2.  n1 <= n2 are the divisors of n nearest to its square root
 * (mfft_plan_four_step); one rank transforms a prime n, and cosines and sines; several refuse R2C (MFFT_ERR_UNSUPPORTED).
 *
 * Reproducible.  With options.reproducible axes are transformed one after another, and each line of an axis alone, by rules
 * that see its length only: a transform has the same bits on any number of ranks, in any boxes and with any threads, and so
 * has what a filter makes of it (which adds and multiplies in the sequence of the axes).  One thread of each rank computes,
 * and cubes of 96 to 256 take 0.8 to 1.6 times as long.  The same build of FFTW, with the same wisdom, and the same
 * instruction set are needed.  Transforms of rank 1 over several ranks are refused (MFFT_ERR_UNSUPPORTED).
 *
 * Arrays on the host.  With options.host_arrays executes of a plan on "cuda" take arrays in host memory.  They are copied to
 * and from arrays in the plan's workspace, which grows by both (in place by one), part by part: a part is transformed while
 * the next one is uploaded, and downloaded while the rest is transformed.  options.chunks sets the number of parts too, by
 * default one for each 16 MiB and at most 16.  A transform of arrays that take t seconds up and down over the link takes
 * little more than t.  Copies overlap only if the arrays are page-locked, as those of mfft_memory_alloc_host are.  The input
 * is unchanged out of place.  Arrays may be changed or read after mfft_plan_synchronize.  Calls that work on an array of the
 * plan, such as those of mfft_array.h, need it on the device.  Efforts with TUNE, convolutions and meshes of
 * particles are refused (MFFT_ERR_UNSUPPORTED).  On other backends, whose arrays are on the host, it changes nothing.
 *
 * All calls are collective over the communicator unless stated otherwise.  If one rank fails to create an object all ranks
 * fail, with the status and message of the lowest rank that failed; ranks that disagree on an argument all return
 * MFFT_ERR_MISMATCH with its name.  The library uses its own duplicate of the communicator with MPI_ERRORS_RETURN.  A rank
 * that waits for another in an exchange for ten seconds warns once and names it; one that waits longer than MFFT_WATCHDOG_S
 * seconds (environment, default 1800, 0: never) prints which rank waits for which and aborts the job.  This holds for every
 * other wait for ranks, except in MPI_Comm_split, which has no nonblocking form.  If NCCL does not connect the ranks, or
 * does not pass its trial, within MFFT_NCCL_S seconds (default 60, 0: no limit), the plan uses another transport, or fails
 * with MFFT_ERR_TIMEOUT if NCCL was named.
 *
 * Failures.  If an execute fails on one rank, even for an argument, the others fail too, within moments, with the status and
 * the message of that rank: in the execute that needs its data, in a later one, or, on a GPU, in mfft_plan_synchronize.  A
 * rank that has received all that it needs may notice only then.  From then on the plan or exchange is unusable on every
 * rank: its executes return MFFT_ERR_STATE with that message, and it can only be destroyed, on every rank.  The arrays of
 * the execute must exist until then, since messages may be under way.  A program that stops at an error thus need not tell
 * the other ranks, as long as every rank checks each status.  A wait for the stream by CUDA alone also ends, and
 * mfft_plan_synchronize then returns the failure; until then the content of the arrays is undefined.
 *
 * Threads.  With MPI_THREAD_MULTIPLE threads may make and run plans at the same time, each on a communicator of its own:
 * calls on one communicator are collective, and thus need one sequence.  With a lower level one thread at a time calls MPI
 * and mergefft. */
#ifndef MFFT_MPI_H
#define MFFT_MPI_H

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1 /* keeps MPI's C++ bindings out of C++ sources */
#endif
#include <mpi.h>

#include "mfft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a distributed plan on `comm`; options may be NULL for the defaults.  Collective and blocking.  Every field of
 * descriptor and options except in_box, out_box and threads must be the same on all ranks; strides, distances and radices
 * are for local plans (MFFT_ERR_UNSUPPORTED).  Memory: besides the caller's arrays the plan needs at most one local array
 * (the larger side), and half of one more at half the width.  On GPUs it takes one more for R2C by "p2p", and up to two more
 * for messages by other transports, unless these exceed MFFT_OVERLAP_BYTES (environment); by "p2p" messages to and from
 * other nodes take as much again.  Errors: those of mfft_plan_create, MFFT_ERR_MISMATCH, and MFFT_ERR_ARG for boxes that
 * overlap or leave a gap. */
MFFT_API mfft_status mfft_plan_create_mpi(MPI_Comm comm, const mfft_desc *desc, const mfft_options *options,
                                          mfft_plan *plan);

/* The box that `rank` of the plan's communicator holds.  Errors of this and the next three calls, none of which blocks:
 * MFFT_ERR_ARG for a local plan, a rank that does not exist, and NULL.  Not collective. */
MFFT_API mfft_status mfft_plan_box_of(mfft_plan plan, mfft_side side, int rank, mfft_box *box);

/* The process grid and the transport after choosing or tuning, and the largest number of chunks of an exchange (0: no
 * exchange).  Not collective.  The name belongs to the library. */
MFFT_API mfft_status mfft_plan_grid(mfft_plan plan, int grid[2]);
MFFT_API mfft_status mfft_plan_transport(mfft_plan plan, const char **name, int *chunks);

/* The width of the numbers in its exchanges, MFFT_WIRE_FULL or MFFT_WIRE_HALF.  Not collective. */
MFFT_API mfft_status mfft_plan_wire(mfft_plan plan, mfft_wire *wire);

/* Copies the modes that the spectra of two R2C plans of rank 3 have in common, |m| < n/2 of the smaller on each axis, from
 * one OUT array to another, whose other modes become 0: those of a mesh among those of a finer one, so that products of
 * fields are free of aliases (the 3/2 rule, Orszag 1971), or back.  Plans on one communicator, or local ones, of the same
 * backend and precision.  Blocking; on several ranks it takes memory for a quarter of either spectrum.  Errors: MFFT_ERR_ARG
 * for plans that differ, MFFT_ERR_UNSUPPORTED for other transforms, those of mfft_exchange_create. */
MFFT_API mfft_status mfft_plan_copy_modes(mfft_plan from, const void *in, mfft_plan to, void *out);

/* ---- Exchanges ---------------------------------------------------------------------------------------------------- */

/* The descriptor of an exchange: an array of elements of any type from one set of boxes to another.  `from` and `to` are
 * this rank's boxes. The `from` boxes must not overlap, and every element of `to` must be in some `from`.  Elements may be
 * left out, and `to` boxes may overlap: an element can go to several ranks, as halos need. */
typedef struct mfft_exchange_desc {
  size_t struct_size;    /* set by mfft_exchange_desc_init */
  int64_t element_bytes; /* size of one element, 1 to 4096 [1] */
  int64_t batch;         /* number of arrays with the same boxes, slowest index [1] */
  mfft_box from, to;     /* [empty] */
} mfft_exchange_desc;

/* How to move it.  Fill it with mfft_exchange_options_init; a zero means "the default".  An exchange always sends elements
 * as they are, so that it has none of the options of a plan for widths, arithmetic and workspace. */
typedef struct mfft_exchange_options {
  size_t struct_size;    /* set by mfft_exchange_options_init */
  const char *backend;   /* memory of the arrays, such as "cuda" [NULL: host memory, whatever MFFT_BACKEND is] */
  const char *transport; /* as in mfft_options [NULL] */
  int chunks; /* chunks sent one after another; at most the slices of an axis or the arrays of the batch [0: chosen] */
} mfft_exchange_options;

typedef struct mfft_exchange_s *mfft_exchange;

MFFT_API void mfft_exchange_desc_init_sized(mfft_exchange_desc *desc, size_t struct_size);
static inline void mfft_exchange_desc_init(mfft_exchange_desc *desc) {
  mfft_exchange_desc_init_sized(desc, sizeof(mfft_exchange_desc));
}
MFFT_API void mfft_exchange_options_init_sized(mfft_exchange_options *options, size_t struct_size);
static inline void mfft_exchange_options_init(mfft_exchange_options *options) {
  mfft_exchange_options_init_sized(options, sizeof(mfft_exchange_options));
}

/* create: `options` may be NULL; collective, blocking; allocates the packing buffers it needs, at most one `from` and one
 * `to` array, none if the boxes intersect in contiguous pieces, and with "p2p" a window of one `to` array.  execute:
 * collective, in != out, both in the memory of the backend; blocking in host memory, on a device ordered on the exchange's
 * stream, as mfft_execute is. destroy: collective, accepts NULL, completes what is under way; after MPI_Finalize as
 * mfft_plan_destroy.  Element counts may exceed 2^31; boxes of more than 2^58 bytes are refused.  Errors of create:
 * MFFT_ERR_ARG for `from` boxes that overlap and for elements that no box has, MFFT_ERR_MISMATCH, MFFT_ERR_UNSUPPORTED for a
 * transport or backend that cannot access the memory, MFFT_ERR_MEMORY; of execute: MFFT_ERR_ARG for arrays that are NULL,
 * equal, or not accessible to the backend; see Failures above. */
MFFT_API mfft_status mfft_exchange_create(MPI_Comm comm, const mfft_exchange_desc *desc,
                                          const mfft_exchange_options *options, mfft_exchange *exchange);
MFFT_API mfft_status mfft_exchange_execute(mfft_exchange exchange, const void *in, void *out);
MFFT_API void mfft_exchange_destroy(mfft_exchange exchange);

/* The transport in use, and the bytes that one execute sends from this rank to others (may be NULL).  Not collective. */
MFFT_API mfft_status mfft_exchange_transport(mfft_exchange exchange, const char **name, int64_t *sent_bytes);

/* The window of "p2p", into which peers store; NULL with other transports.  An execute with the window as `out` leaves the
 * result there; for any other array the result is copied from the window.  The window belongs to the exchange, and the next
 * execute overwrites it as soon as the work queued on the stream before has run.  Not collective. */
MFFT_API mfft_status mfft_exchange_window(mfft_exchange exchange, void **window);

/* As mfft_plan_set_stream and mfft_plan_synchronize.  Not collective. */
MFFT_API mfft_status mfft_exchange_set_stream(mfft_exchange exchange, void *stream);
MFFT_API mfft_status mfft_exchange_synchronize(mfft_exchange exchange);

/* The transports of this build, in order of preference; NULL for i >= count.  Not collective. */
MFFT_API int mfft_transport_count(void);
MFFT_API const char *mfft_transport_name(int i);

/* ---- Ranks of a program -------------------------------------------------------------------------------------------- */

/* Compares text[i], called name[i], over the ranks of `comm`, such as the options of a program: MFFT_ERR_MISMATCH on every
 * rank if one differs, with one message that names the first and lists the ranks of each value ("--seed differs between
 * ranks: 7 on rank 1, 1 on ranks 0, 2-5").  Names and count are the same on all ranks; a text may be NULL.  Other errors:
 * MFFT_ERR_ARG, MFFT_ERR_MEMORY.  Collective. */
MFFT_API mfft_status mfft_compare_texts(MPI_Comm comm, const char *const *name /* [count] */,
                                        const char *const *text /* [count] */, int count);

/* Waits for `count` requests of the caller's own MPI calls as the library waits for its own: after ten seconds a line on
 * stderr names, once, the rank that this rank waits for, and after MFFT_WATCHDOG_S seconds the job is aborted with a message
 * that contains `what`.  A program with nonblocking collectives (MPI_Iallreduce and the like) thus never hangs silently.
 * peer[i], of `comm`, is the rank that request i waits for; NULL for collectives.  Errors: MFFT_ERR_ARG, and MFFT_ERR_MPI
 * if MPI fails and `comm` returns errors.  Not collective. */
MFFT_API mfft_status mfft_wait(MPI_Comm comm, MPI_Request *request /* [count] */, const int *peer /* [count] */, int count,
                               const char *what);

/* ---- Wisdom on disk ----------------------------------------------------------------------------------------------- */

/* Rank 0 reads or writes the file; afterwards every rank has the same wisdom.  load: a missing, damaged or foreign file, or
 * a pipe, is ignored with one warning on stderr and MFFT_SUCCESS, so that no program fails because of it.  save: undamaged
 * wisdom in an existing file is merged, so jobs that save one after another or at the same time do not lose entries; the
 * file is written beside and renamed, and is complete at any time.  MFFT_ERR_IO if that fails, and if an existing file is
 * neither empty nor begins as wisdom does: it is not changed. */
MFFT_API mfft_status mfft_wisdom_load(MPI_Comm comm, const char *path);
MFFT_API mfft_status mfft_wisdom_save(MPI_Comm comm, const char *path);

#ifdef __cplusplus
}
#endif
#endif
