/* mfft_mpi.h: distributed plans and exchanges.
 *
 * A global array of rank 1 to 3 is cut into boxes, one a rank.  The plan moves data between distributions in which the axis
 * to be transformed is whole on every rank:
 *
 *     z-pencils  x cut into P, y into Q        transform z
 *     y-pencils  x cut into P, z into Q        transform y
 *     x-pencils  y cut into P, z into Q        transform x
 *
 * on a process grid P x Q (rank = p*Q + q).  With Q = 1 the first two are the same x-slabs, y and z are transformed together
 * and one exchange is left.  An axis of length n cut into P gives part p the range [p*n/P, (p+1)*n/P) in integer arithmetic,
 * which is empty for some p where n < P: more ranks than planes is fine.
 *
 * Default boxes.  IN: z-pencils.  OUT, natural: the IN boxes for C2C, z-pencils of the halved array for R2C.  OUT,
 * transposed: x-pencils of the output.  With in_box or out_box the caller's boxes are taken instead: any boxes that tile the
 * array, empty ones included, in any memory order; a forward transform ends in boxes that hold its last axes whole without
 * an exchange more.  Axes that the array lacks stand before its own: a 2D array is cut into slabs of its first axis.  The
 * batch index is outermost and whole on every rank; to cut a batch over ranks make it an axis and leave that axis out of
 * `axes`.  An in-place R2C plan in default boxes stores 2*(n/2 + 1) reals a row; in the caller's boxes rows are not padded.
 *
 * Chunks and overlap split.  An exchange is cut into options.chunks pieces that are packed, sent, received, unpacked and
 * transformed while others are under way.  Runs of MFFT_RUN_BYTES (environment) or more that are contiguous on both sides
 * travel unpacked, from array to array.  With slabs no single axis can be cut for the transforms on both sides of the
 * exchange: cut along one axis (overlap_split -1), one of the two waits for the whole exchange.  With overlap_split 1 to 15
 * so many sixteenths leave in slices of an axis that the transform before it makes one by one; the rest follows in slices of
 * another axis, so that the transform behind begins with what came early and takes each slice as it arrives.  Then all
 * communication but one slice is overlapped, if what leaves early takes as long to travel as its transform to compute.  It
 * takes at least two chunks.  By default the plan splits on GPUs of one node, in single and double by "p2p", in proportion
 * to the axes that are transformed before and behind: 11 for two and one.
 *
 * Wire.  An exchange carries the numbers as they are stored, or in half their width, double as single and single as half,
 * with a power of two for every 1024 elements or, where transforms convert them as they store and load, for every complex
 * (block floating point).  Half of the bytes cost accuracy: a transform of random data gets a relative L2 error of up to
 * 6e-8 in double and 5e-4 in single (docs/accuracy.md).  MFFT_WIRE_AUTO takes half where options.tolerance allows that error
 * and tuning finds it faster, else the full width.
 *
 * Memory.  Arrays live in the memory of the backend.  On a GPU every exchange is queued behind what is on the plan's stream;
 * mfft_execute returns before the work is done where the transport is "p2p" alone, and waits on the host for messages
 * otherwise.  A rank uses the GPU whose context is current in the thread that makes the plan, else the one of its place on
 * the node.  "p2p" keeps one local array in a window that the other ranks of the node map: it is the plan's own also where
 * options.user_workspace is set.
 *
 * Transports: "p2p" copies straight between arrays of a node (CUDA IPC on GPUs, shared memory on hosts) and sends messages
 * to other nodes; "pairwise" (also "mpi") is Isend and Irecv; "alltoallv" one collective call a chunk; "nccl" is NCCL where
 * it is installed; "staged" is pairwise through pinned host memory, for GPUs under an MPI that cannot reach them;
 * "p2p-store" is p2p, and the transform before an exchange stores straight into the windows of the peers where it can, so
 * that nothing is copied (by name, or where tuning finds it faster).  A plan that names none takes the first of the others,
 * in this order, that a trial shows to work; on the host it takes "pairwise".  Messages of "p2p" to other nodes go by the
 * first of "pairwise", "nccl" and "staged" that a trial shows to work; "p2p+nccl" and the like name it, and a plan with
 * ranks on several nodes is of such a name.
 *
 * Tuning.  With options.effort MFFT_TUNE_MEASURE or MFFT_TUNE_PATIENT whole plans are timed, forward and backward: the one
 * of the rules first, then one parameter after the other is varied while the others stay at the best so far: transport,
 * grid, chunks, overlap split, thread blocks and queues of copies to peers (MFFT_COPY_BLOCKS, MFFT_COPY_LANES), width of the
 * wire (MFFT_WIRE_AUTO), algorithms of the local transforms.  What is not 3 % faster changes nothing.  TUNE_MEASURE goes
 * once over a short list, TUNE_PATIENT over a long one, again and again while that helps; TUNE_ESTIMATE times nothing and
 * takes what wisdom has, or the rules.  No candidate is begun that would not end in options.time_limit, by what the one
 * before it took; all ranks stop together, by the clock of rank 0.  The result is wisdom: later plans of the same descriptor
 * on the same kind of machine (card and its links, nodes and ranks on each, version of the library) and of the same or less
 * effort are made without timing.  mfft_plan_trial tells what was tried.  With the efforts without TUNE the plan is chosen
 * by rule, and they apply to each of its local transforms.
 *
 * One dimension (rank 1): X = F_n x with n = n1*n2 by the four-step method (Bailey 1990; FFTW's dft-rank1-bigvec): transform
 * the columns of the n1 x n2 matrix, twiddle, transform the rows.  IN is cut into blocks of whole rows: rank r of P holds
 * elements [n2*lo, n2*hi) with [lo, hi) its part of n1.  With desc.scrambled OUT is cut likewise and has element k = k1 +
 * n1*k2 at position k1*n2 + k2, which saves an exchange each way; else OUT is cut into blocks of n1 times its part of n2. n1
 * <= n2 are the divisors of n nearest its square root and are told by mfft_plan_four_step; a prime n is transformed by one
 * rank. C2C only.
 *
 * All calls are collective over the communicator unless they say otherwise.  If one rank fails to create an object all ranks
 * fail, with the first failing rank's status and message; ranks that disagree on an argument all get MFFT_ERR_MISMATCH
 * naming it.  The library works on its own duplicate of the communicator with MPI_ERRORS_RETURN.  A rank that waits for
 * another in an exchange for ten seconds warns, once, and says for whom; one that waits longer than MFFT_WATCHDOG_S seconds
 * (environment, default 1800, 0 never) says which rank waits for whom and aborts the job.  So does every other wait for
 * ranks, but in MPI_Comm_split, which has no call that can be watched.  NCCL that does not join the ranks, or does not pass
 * its trial, within MFFT_NCCL_S seconds (default 60, 0 never) is given up: the plan takes another transport, or fails with
 * MFFT_ERR_TIMEOUT where it was asked for by name.
 *
 * Failures.  Where an execute fails on one rank, be it for an argument, the others fail too, within moments, with the status
 * and the text of that rank: in the execute that needs something of it, in a later one, or, on a GPU, in
 * mfft_plan_synchronize.  A rank that has got all that it needs may learn of it only then.  The plan or exchange is dead
 * from then on, on every rank: its executes answer MFFT_ERR_STATE with that text, and all that is left is to destroy it, on
 * every rank.  The arrays of the execute must live until then, since messages may be on their way.  A caller whose own work
 * stops at an error so need not tell the others, as long as every rank looks at each status.  Whoever waits for a stream by
 * CUDA alone is let go, too, and hears of the failure from mfft_plan_synchronize; until then the arrays hold nothing of use.
 *
 * Threads.  With MPI_THREAD_MULTIPLE threads may make and run plans at once, each on a communicator of its own: calls on one
 * communicator are collective, and so in one sequence.  With less, one thread at a time calls MPI and mergefft.
 */
#ifndef MFFT_MPI_H
#define MFFT_MPI_H

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1 /* keep MPI's C++ bindings out of C++ sources */
#endif
#include <mpi.h>

#include "mfft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a distributed plan on `comm`; options may be NULL for the defaults.  Collective and blocking.  Every field of
 * descriptor and options but in_box, out_box and threads must be the same on all ranks; strides, distances and radices are
 * for local plans (MFFT_ERR_UNSUPPORTED).  Memory:
 * beyond the caller's arrays the plan needs at most one local array (the larger side), and half of one more at half the
 * width on the wire.  On GPUs it takes one more for R2C by "p2p", and up to two more for messages by other transports,
 * unless these are larger than MFFT_ROOM_BYTES (environment); by "p2p" what goes to other nodes, and what comes from there,
 * takes as much again.  Errors as mfft_plan_create, MFFT_ERR_MISMATCH, and MFFT_ERR_ARG for boxes that overlap or leave a
 * gap. */
MFFT_API mfft_status mfft_plan_create_mpi(MPI_Comm comm, const mfft_desc *desc, const mfft_options *options,
                                          mfft_plan *plan);

/* The box that `rank` of the plan's communicator holds.  Not collective. */
MFFT_API mfft_status mfft_plan_box_of(mfft_plan plan, mfft_side side, int rank, mfft_box *box);

/* The process grid and transport in use, after choosing or tuning, and how many chunks the exchange of the most has (0 where
 * there is none).  Not collective.  The name belongs to the library. */
MFFT_API mfft_status mfft_plan_grid(mfft_plan plan, int grid[2]);
MFFT_API mfft_status mfft_plan_transport(mfft_plan plan, const char **name, int *chunks);

/* The width of what its exchanges carry, MFFT_WIRE_FULL or MFFT_WIRE_HALF.  Not collective. */
MFFT_API mfft_status mfft_plan_wire(mfft_plan plan, mfft_wire *wire);

/* ---- Exchanges ---------------------------------------------------------------------------------------------------- */

/* Moves an array of any element from one set of boxes to another.  `from` and `to` are this rank's boxes.  The boxes `from`
 * must not overlap; every element of `to` must lie in some `from`; elements may be left behind, and `to` boxes may overlap
 * (an element can go to several ranks, as halos need). */
typedef struct mfft_exchange_desc {
  size_t struct_size;    /* set by mfft_exchange_desc_init */
  int64_t element_bytes; /* size of one element, 1 to 4096 */
  int64_t batch;         /* arrays of the same boxes, outermost [1] */
  mfft_box from, to;
  const char *transport; /* as in mfft_options */
  int chunks;            /* pieces that flow through it, at most one a slice of an axis, or one an array [0: the library] */
  const char *backend;   /* whose memory the arrays lie in, such as "cuda" [NULL: host memory] */
} mfft_exchange_desc;

typedef struct mfft_exchange_s *mfft_exchange;

MFFT_API void mfft_exchange_desc_init_sized(mfft_exchange_desc *desc, size_t struct_size);
static inline void mfft_exchange_desc_init(mfft_exchange_desc *desc) {
  mfft_exchange_desc_init_sized(desc, sizeof(mfft_exchange_desc));
}

/* create: collective, blocking; allocates the packing buffers it needs, at most one `from` and one `to` array, none where
 * the boxes meet in contiguous pieces, and with "p2p" a window that holds one `to` array.  execute: collective, in != out,
 * both in the memory of the backend; blocking in host memory, on a device ordered on the exchange's stream, as mfft_execute
 * is.  destroy: collective, accepts NULL, waits for what is under way.  Element counts may pass 2^31 anywhere; boxes that
 * hold more than 2^58 bytes are refused.  Errors of create: MFFT_ERR_ARG for boxes `from` that overlap and elements that no
 * box has, MFFT_ERR_MISMATCH, MFFT_ERR_UNSUPPORTED for a transport or backend that cannot serve the memory, MFFT_ERR_MEMORY;
 * of execute: MFFT_ERR_ARG for an array that is missing, the same twice, or out of the backend's reach; see Failures
 * above.  destroy: after MPI_Finalize as mfft_plan_destroy. */
MFFT_API mfft_status mfft_exchange_create(MPI_Comm comm, const mfft_exchange_desc *desc, mfft_exchange *exchange);
MFFT_API mfft_status mfft_exchange_execute(mfft_exchange exchange, const void *in, void *out);
MFFT_API void mfft_exchange_destroy(mfft_exchange exchange);

/* The transport in use, and the bytes that one execute sends from this rank to others (may be NULL).  Not collective. */
MFFT_API mfft_status mfft_exchange_transport(mfft_exchange exchange, const char **name, int64_t *sent_bytes);

/* The window of "p2p", into which peers store; NULL with other transports.  An execute that is given the window as `out`
 * leaves the result there; with any other array it is copied from there, once more through the memory.  It belongs to the
 * exchange, and the next execute overwrites it as soon as what was queued on the stream before has run.  Not collective. */
MFFT_API mfft_status mfft_exchange_window(mfft_exchange exchange, void **window);

/* As mfft_plan_set_stream and mfft_plan_synchronize.  Not collective. */
MFFT_API mfft_status mfft_exchange_set_stream(mfft_exchange exchange, void *stream);
MFFT_API mfft_status mfft_exchange_synchronize(mfft_exchange exchange);

/* The transports of this build, in order of preference; NULL for i >= count.  Not collective. */
MFFT_API int mfft_transport_count(void);
MFFT_API const char *mfft_transport_name(int i);

/* ---- Ranks of a program -------------------------------------------------------------------------------------------- */

/* Compares text[i], called name[i], over the ranks of `comm`, such as the options that a program was started with:
 * MFFT_ERR_MISMATCH on every rank where one differs, with one message that names the first and says which rank has what
 * ("--seed differs between ranks: 7 on rank 1, 1 on ranks 0, 2-5").  Names and count are the same on all ranks; a text may
 * be NULL.  Other errors: MFFT_ERR_ARG, MFFT_ERR_MEMORY.  Collective. */
MFFT_API mfft_status mfft_compare_texts(MPI_Comm comm, const char *const *name /* [count] */,
                                        const char *const *text /* [count] */, int count);

/* Waits for `count` requests of the caller's own MPI calls as the library waits for its own: after ten seconds a line on
 * stderr tells, once, whom this rank waits for, and after MFFT_WATCHDOG_S seconds the job is aborted with a message that
 * names `what`.  So a program whose collectives are non-blocking (MPI_Iallreduce and the like) never hangs without a word.
 * peer[i], of `comm`, is the rank that request i waits for; NULL for collectives.  Errors: MFFT_ERR_ARG, and MFFT_ERR_MPI
 * where MPI fails and `comm` returns errors.  Not collective. */
MFFT_API mfft_status mfft_wait(MPI_Comm comm, MPI_Request *request /* [count] */, const int *peer /* [count] */, int count,
                               const char *what);

/* ---- Wisdom on disk ----------------------------------------------------------------------------------------------- */

/* Rank 0 reads or writes; every rank then knows the same.  load: a missing, damaged or foreign file is ignored with one
 * warning on stderr and MFFT_SUCCESS, so that a program never fails for it, and so is a pipe.  save: what a sound file of
 * this name holds and this process does not know is kept, so jobs that write in turn, or at once, lose nothing of each
 * other's; written beside and renamed, so a file is whole at any time.  MFFT_ERR_IO where that fails, and where what is
 * there is neither empty nor begins as wisdom does: it is left alone. */
MFFT_API mfft_status mfft_wisdom_load(MPI_Comm comm, const char *path);
MFFT_API mfft_status mfft_wisdom_save(MPI_Comm comm, const char *path);

#ifdef __cplusplus
}
#endif
#endif
