/* lattice.h: particles on the points of a mesh, their displacements and velocities, and the output files. */
#ifndef MFFT_APPS_LATTICE_H
#define MFFT_APPS_LATTICE_H

#include "gen/cosmology.h"
#include "mesh/mesh.h"
#include "mfft_field.h"
#include "mfft_snapshot.h"

typedef struct mfft_lattice {
  const mfft_mesh *mesh;
  mfft_box box;                    /* points of this rank, in C order */
  double *displacement, *velocity; /* [3][points] Mpc/h; GADGET's velocities in km/s */
  double rms, most;                /* rms and largest length of all displacements, set by mfft_lattice_measure */
} mfft_lattice;

/* Creates particles at rest at their lattice points.  Collective.  free accepts half-built and zeroed objects. */
mfft_status mfft_lattice_create(const mfft_mesh *mesh, const mfft_box *box, mfft_lattice *lattice);
void mfft_lattice_free(mfft_lattice *lattice);

/* Adds a field of doubles in the lattice's box to one component: times `scale` to the displacements, times `scale` `speed`
 * to the velocities.  Collective. */
mfft_status mfft_lattice_add(mfft_lattice *lattice, mfft_swept *field, int axis, double scale, double speed);

/* Computes the root mean square and the largest length of the displacements.  Collective. */
void mfft_lattice_measure(mfft_lattice *lattice);

/* Writes the displacements as fields dx, dy, dz, and `delta`, an array of doubles in the same box.  Collective. */
mfft_status mfft_lattice_write_fields(mfft_lattice *lattice, const char *path, double redshift, mfft_precision precision,
                                      mfft_swept *delta);

/* Writes the particles as a snapshot.  The mass of each is the mean density times the volume of a cell; masses 1: also as a
 * column.  If the boxes are slabs the file does not depend on the number of ranks; otherwise the order of particles does.
 * files: number of files of the snapshot (mfft_snapshot_create_set).  Collective. */
mfft_status mfft_lattice_write_snapshot(mfft_lattice *lattice, const char *path, const mfft_cosmology *cosmology,
                                        double redshift, mfft_snapshot_number number, int masses, int files);

#endif
