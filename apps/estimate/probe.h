/* probe.h: how long the parts of a particle mesh take here and now.
 *
 * A particle for each cell of a mesh of 64^3 cells, with the ranks, threads and transport of the job, is deposited,
 * transformed and read back.  Times of the job are these, times its particles, and its cells times their logarithm: right to
 * a factor of two or so, and too short where messages are large in the job and small here, or where particles lie in no
 * order. */
#ifndef MFFT_APPS_PROBE_H
#define MFFT_APPS_PROBE_H

#include "mesh/mesh.h"
#include "mfft_particles.h"
#include "mfft_snapshot.h"

/* The parts of a job. */
typedef struct mfft_probe_work {
  const mfft_plan_options *plan;
  mfft_precision precision;
  mfft_assignment assignment; /* 0: no particles */
  int threads;                /* of deposits and gathers */
  int reproducible;           /* transforms are */
  double deposits, gathers;   /* of particles, each of one field */
  double transforms;          /* sum over transforms of cells times their binary logarithm */
} mfft_probe_work;

/* Cells times their binary logarithm of one transform of a mesh. */
double mfft_probe_transform(const mfft_mesh *mesh);

/* Expected seconds of the work.  Collective. */
mfft_status mfft_probe(const mfft_probe_work *work, double *seconds);

/* Expected seconds of reading so many bytes of columns of a snapshot, by reading positions of at most 64 MiB.  stored: bytes
 * of a coordinate in the file.  Collective. */
mfft_status mfft_probe_snapshot(mfft_snapshot snapshot, unsigned types, int stored, double bytes, double *seconds);

#endif
