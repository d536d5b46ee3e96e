/* peer.h: another FFT beside ours, for `mergefft bench`: planned with the same effort, in the same process, with the same
 * placement, order and leave to destroy its input.
 *
 *   fftw      FFTW's own plan of the whole array, one process
 *   fftw-mpi  FFTW-MPI's own plan on its own slabs, if the build found libfftw3_mpi
 *   cufft     cuFFT on the GPU of the backend cuda, one process, by the fastest of its calls (cufft_calls.h), if the build
 *             found its headers; the library is opened when it is asked for
 *   vkfft     VkFFT on the GPU of the backend cuda, one process, if the build found its headers (vkfft_plans.h)
 *   cufftxt   cuFFT's own plan over as many GPUs of the node as there are ranks, run by rank 0 while the others wait
 *
 * fftw, cufft and vkfft work on the very arrays that ours works on; fftw-mpi and cufftxt have their own. */
#ifndef MFFT_APPS_PEER_H
#define MFFT_APPS_PEER_H

#include <mpi.h>

#include "bench/bench_array.h"
#include "mfft_memory.h"

typedef struct mfft_peer_spec {
  MPI_Comm comm;
  int rank;
  int64_t n[3]; /* [rank] */
  int64_t batch;
  mfft_kind kind;
  mfft_precision precision;
  mfft_placement placement;
  mfft_order order; /* transposed (one dimension: scrambled) out forward and in backward; fftw-mpi only */
  mfft_effort effort;
  int wanted[2];     /* [direction] it will be executed; a peer need not plan the other */
  int destroy_input; /* an out-of-place transform may overwrite its input */
  int threads;       /* fftw only */
  void *array[2];    /* [side] ours, packed, in place padded as ours; their contents may be lost */
  mfft_box box[2];   /* [side] of them */
  const char *backend;
} mfft_peer_spec;

typedef struct mfft_peer mfft_peer;
enum { MFFT_PEER_PARTS = 16 };

/* The functions of a peer; each implementation puts the table first in a struct of its own. */
typedef struct mfft_peer_ops {
  void (*fill)(mfft_peer *peer, double amplitude); /* random data in its own input; NULL: it works on our arrays */
  /* For a peer with arrays of its own that can be checked: copies our input to the input of a direction, and the result to
   * our array of that side.  Collective; NULL: it works on our arrays, or is not checked. */
  mfft_status (*take)(mfft_peer *peer, mfft_direction direction);
  mfft_status (*give)(mfft_peer *peer, mfft_direction direction);
  /* For arrays too large for that: the parts of a side on this rank, by their boxes.  Returns their number; NULL: none. */
  int (*parts)(mfft_peer *peer, mfft_side side, mfft_box box[MFFT_PEER_PARTS], mfft_bench_array part[MFFT_PEER_PARTS]);
  mfft_status (*execute)(mfft_peer *peer, mfft_direction direction); /* on a device: before the work is done */
  mfft_status (*synchronize)(mfft_peer *peer); /* NULL: waiting for our plan waits for the peer as well */
  void (*destroy)(mfft_peer *peer);
} mfft_peer_ops;

struct mfft_peer {
  const mfft_peer_ops *ops;
  char call[256]; /* how the peer is called, for the report */
};

typedef struct mfft_peer_kind {
  const char *name;
  int several_ranks;   /* works across ranks; the others are one process */
  mfft_memory memory;  /* of its arrays */
  const char *missing; /* the reason why this build has none, with the remedy; NULL: it has it */
  /* Collective.  MFFT_ERR_UNSUPPORTED with the reason if the peer does not support the case. */
  mfft_status (*create)(const mfft_peer_spec *spec, mfft_peer **peer);
} mfft_peer_kind;

/* The functions `create` of the peers; those that a build lacks are not defined. */
mfft_status mfft_peer_create_fftw(const mfft_peer_spec *spec, mfft_peer **peer);
mfft_status mfft_peer_create_fftw_mpi(const mfft_peer_spec *spec, mfft_peer **peer);
mfft_status mfft_peer_create_cufft(const mfft_peer_spec *spec, mfft_peer **peer);
mfft_status mfft_peer_create_vkfft(const mfft_peer_spec *spec, mfft_peer **peer);
mfft_status mfft_peer_create_cufftxt(const mfft_peer_spec *spec, mfft_peer **peer);

void mfft_peer_destroy(mfft_peer *peer); /* accepts NULL */

/* Writes the calls of FFTW as text: the name of the planner, the effort, the threads, the order and the placement. */
void mfft_peer_describe_fftw(mfft_peer *peer, const char *planner, const mfft_peer_spec *spec);

/* FFTW's flags for an effort and a leave to destroy the input, and the version of FFTW. */
unsigned mfft_peer_flags(mfft_effort effort, int destroy_input);
const char *mfft_peer_version(void);

#endif
