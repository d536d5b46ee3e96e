/* delta.h: the linear density that `mergefft ic` reads or draws: its mesh, its redshift and its cosmology. */
#ifndef MFFT_APPS_IC_DELTA_H
#define MFFT_APPS_IC_DELTA_H

#include "cli/cli.h"
#include "ic/settings.h"
#include "mesh/mesh.h"
#include "mfft_field.h"

/* Finds the mesh from the options or from the file of --delta, and where such a file is read, sets the redshift and the
 * cosmology of `values` to those that it states.  What an option contradicts is refused for the redshift, of which the
 * amplitude of the density is, and noted for the cosmology.  command: the one whose options these are.  info: the field of
 * --delta, else not written.  Collective. */
mfft_status mfft_ic_open(const mfft_command *command, mfft_ic_values *values, mfft_field_info *info, mfft_mesh *mesh);

#endif
