/* mesh.h: a periodic mesh, its wave numbers and the real-to-complex plan over it, for commands that work in k-space. */
#ifndef MFFT_APPS_MESH_H
#define MFFT_APPS_MESH_H

#include "cli/plan_options.h"
#include "io/sweep.h"
#include "mfft_mpi.h"

typedef struct mfft_mesh {
  int64_t n[3];     /* [axis] */
  double length[3]; /* [axis] */
} mfft_mesh;

/* Limits of the side of a box, on the command line and in files: within them wave numbers, volumes and their squares fit in
 * a double. */
#define MFFT_LENGTH_MIN 1e-30
#define MFFT_LENGTH_MAX 1e30

double mfft_mesh_cells(const mfft_mesh *mesh);  /* the number of cells */
double mfft_mesh_volume(const mfft_mesh *mesh); /* of the box */

/* How many modes of the whole complex array the element with index iz of a halved z axis stands for: 1 on the planes that
 * are their own mirror image (0, and n/2 of an even n), 2 elsewhere. */
static inline int mfft_mode_weight(int64_t iz, int64_t nz) { return iz == 0 || 2 * iz == nz ? 1 : 2; }

/* Wave numbers 2 pi m / length of a whole axis of the transform, halved for z; free them with mfft_free. */
mfft_status mfft_mesh_wave_numbers(const mfft_mesh *mesh, int axis, double **k /* [n], or n/2 + 1 of z */);

/* The least and the largest |k| of the modes but k = 0: the longest wave of the box, and that of the corners of k-space. */
void mfft_mesh_wave_range(const mfft_mesh *mesh, double k[2]);

/* The Nyquist wave number of the axis with the widest cells, among axes of more than one cell; INFINITY if there is none. */
double mfft_mesh_nyquist(const mfft_mesh *mesh);

/* The real-to-complex transform of the mesh in double precision, transposed out, with unscaled forward and a backward that
 * divides by the number of cells, and both arrays. */
typedef struct mfft_mesh_plan {
  mfft_plan plan;
  mfft_swept real;  /* doubles */
  mfft_swept modes; /* pairs of doubles */
  int threads;      /* of this rank for work on the arrays in host memory */
} mfft_mesh_plan;

/* Collective through its plan; every rank must call it.  destroy accepts half-built objects. */
mfft_status mfft_mesh_plan_create(const mfft_mesh *mesh, const mfft_plan_options *options, const mfft_sweep_options *sweep,
                                  mfft_mesh_plan *plan);
void mfft_mesh_plan_destroy(mfft_mesh_plan *plan);

/* The plan alone, without its arrays; and the bytes that it has or would have with them on this rank, of the host and of a
 * device. */
mfft_status mfft_mesh_plan_outline(const mfft_mesh *mesh, const mfft_plan_options *options, mfft_mesh_plan *plan);
mfft_status mfft_mesh_plan_bytes(const mfft_mesh_plan *plan, const mfft_sweep_options *sweep, double *host, double *device);

/* The same with a plan whose backward transforms multiply by filters (mfft_spectrum.h) and preserve their input. */
mfft_status mfft_mesh_filtered_create(const mfft_mesh *mesh, const mfft_plan_options *options,
                                      const mfft_sweep_options *sweep, mfft_mesh_plan *plan);
mfft_status mfft_mesh_filtered_outline(const mfft_mesh *mesh, const mfft_plan_options *options, mfft_mesh_plan *plan);

/* From real to modes or back.  Collective; the input is used up. */
mfft_status mfft_mesh_transform(mfft_mesh_plan *plan, mfft_direction direction);

/* Mean, standard deviation about it, and range of plan->real; the same bits for every number of ranks.  Refuses a field
 * whose squares are beyond a double, or below its normal numbers (MFFT_ERR_NONFINITE).  Collective. */
typedef struct mfft_stats {
  double mean, deviation, min, max;
} mfft_stats;
mfft_status mfft_mesh_stats(const mfft_mesh *mesh, mfft_mesh_plan *plan, mfft_stats *stats);

#endif
