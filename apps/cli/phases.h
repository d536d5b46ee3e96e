/* phases.h: the time of this process, from its start to its end, divided by kinds of work.
 *
 * At any moment the main thread is in one phase; entering another one ends the first, so that the phases add up to the age
 * of the process.  Time in no other phase is "other".  A function that does one kind of work enters its phase and leaves it
 * again:
 *
 *     const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_READ);
 *     ...
 *     mfft_phase_enter(before);
 *
 * Time that a phase spends in waiting for other ranks belongs to it; calls of collective.h in "other" are "wait".  Other
 * threads book nothing; they add spans for the picture of the job.  timing.h compares ranks, prints and draws. */
#ifndef MFFT_APPS_PHASES_H
#define MFFT_APPS_PHASES_H

#include <stdint.h>

/* X(constant, name, what it is): in the sequence of a job, and of its table. */
#define MFFT_PHASE_LIST(X)                                                                           \
  X(START, "start", "loading the program")                                                           \
  X(MPI, "mpi", "starting MPI, and the first message between all ranks")                             \
  X(CUDA, "cuda", "looking for a GPU and starting CUDA")                                             \
  X(OPEN, "open", "looking at the input file and the names of the results")                          \
  X(PLAN, "plan", "planning the transforms")                                                         \
  X(MEMORY, "memory", "allocating arrays and page-locked buffers")                                   \
  X(READ, "read", "reading the field, with its checksums")                                           \
  X(SUM, "sum", "adding up what is read: mean, squares, values that are not finite")                 \
  X(MAKE, "make", "making a field")                                                                  \
  X(CENTRE, "centre", "removing the mean, and measuring and rounding what is left")                  \
  X(CONTRAST, "contrast", "mean and deviation of the field, and its contrast")                       \
  X(COPY, "copy", "waiting for copies between host and device")                                      \
  X(TRANSFORM, "transform", "transforms, as far as the rows below do not tell what they consist of") \
  X(PACK, "pack", "packing, unpacking and permuting for exchanges")                                  \
  X(EXCHANGE, "exchange", "starting exchanges between ranks and waiting for them")                   \
  X(FFT, "fft", "transforms of one axis, and filters")                                               \
  X(MOVE, "move", "particles to the ranks that own their cells")                                     \
  X(DEPOSIT, "deposit", "assigning particles to a mesh")                                             \
  X(GATHER, "gather", "reading forces at particles")                                                 \
  X(KICK, "kick", "kicks and drifts of particles")                                                   \
  X(ENERGY, "energy", "adding up energies and momenta of particles")                                 \
  X(GREEN, "green", "making filters, and spectra by them")                                           \
  X(SHELLS, "shells", "adding up modes in bins")                                                     \
  X(CHECK, "check", "the residual")                                                                  \
  X(CREATE, "create", "making the output file and reserving its space")                              \
  X(WRITE, "write", "writing: converting, checksums, and handing values to the system")              \
  X(COMMIT, "commit", "bringing the output file to disk and verifying it")                           \
  X(CHECKPOINT, "checkpoint", "writing what a later job goes on from")                               \
  X(DRAW, "draw", "drawing and writing pictures")                                                    \
  X(REPORT, "report", "tables and JSON")                                                             \
  X(BOUND, "bound", "the plain reads and writes of --bound")                                         \
  X(CLOSE, "close", "freeing memory and ending MPI")                                                 \
  X(WAIT, "wait", "waiting for other ranks, where that is no part of a row above")                   \
  X(OTHER, "other", "everything else")

typedef enum mfft_job_phase {
#define MFFT_X(constant, name, help) MFFT_PHASE_##constant,
  MFFT_PHASE_LIST(MFFT_X)
#undef MFFT_X
      MFFT_PHASES
} mfft_job_phase;

const char *mfft_phase_name(mfft_job_phase phase);

/* Begins with "start", booked from the start of the process on; a first call of any function here does it too. */
void mfft_phases_begin(void);

/* The time from now on is counted for `phase`; returns the preceding phase.  Main thread only. */
mfft_job_phase mfft_phase_enter(mfft_job_phase phase);

/* For mfft_app_when_waiting of collective.h: enters "wait" from "other", and returns to it. */
void mfft_phase_wait(int begins);

/* Moves `seconds` of one phase, at most all of it, to another, as measured by a counter of the library, and the same share
 * of its processor seconds. */
void mfft_phase_move(mfft_job_phase from, mfft_job_phase to, double seconds);

/* The times of each phase so far.  `seconds` add up to the age of this process; `processor` has the processor seconds of the
 * main thread, without sleeps and the time during which other processes had its core. */
typedef struct mfft_phase_times {
  double seconds[MFFT_PHASES], processor[MFFT_PHASES];
} mfft_phase_times;
void mfft_phases_times(mfft_phase_times *times);

/* ---- Spans, for the picture of the job ---- */

typedef struct mfft_phase_span {
  int thread; /* 0: the main thread; else a thread of a pool, or 1000 and more: a queue of a device */
  mfft_job_phase phase;
  double start_s, end_s; /* seconds of mfft_process_now() */
} mfft_phase_span;

/* Records spans from now on (they take memory), those of the main thread since the start of the process. */
void mfft_phase_spans_keep(int keep);

/* One span of another thread, which any thread may call; ignored if spans are not recorded. */
void mfft_phase_span_add(int thread, mfft_job_phase phase, double start_s, double end_s);

/* The spans in the order in which they ended; *dropped: the number of those without space. */
const mfft_phase_span *mfft_phase_spans(int64_t *count, int64_t *dropped);

#endif
