/* spectrum_options.h: the options that choose a linear power spectrum, and the spectrum that they choose. */
#ifndef MFFT_APPS_SPECTRUM_OPTIONS_H
#define MFFT_APPS_SPECTRUM_OPTIONS_H

#include "gen/cosmology.h"
#include "mesh/mesh.h"

typedef struct mfft_spectrum_options {
  mfft_cosmology cosmology; /* omega_lambda, sigma8: NAN where they are not given, until they are checked */
  const char *table;        /* a file; NULL: the formula of cosmology.h */
  double made;              /* the redshift of the table */
} mfft_spectrum_options;
extern const mfft_cli_option mfft_spectrum_options_table[];

/* Fills in what is not given, and makes the checks that a table of options cannot: MFFT_EXIT_OK or a usage error.  With a
 * table a sigma8 that is not given stays NAN. */
int mfft_spectrum_options_check(const mfft_command *command, mfft_spectrum_options *options);

/* Reads a table on the calling rank alone.  The message of an error names the file. */
mfft_status mfft_spectrum_read(const char *path, mfft_spectrum_table *table);

/* The spectrum at a redshift for the waves of a mesh.  Rank 0 reads the table and prints a line about it.  Fails where a row
 * of the table is refused, or where it has not all waves of the mesh, or of spheres of 8 Mpc/h if it is normalised to
 * sigma8.  Collective.  free accepts a zeroed spectrum. */
mfft_status mfft_spectrum_load(const mfft_spectrum_options *options, double redshift, const mfft_mesh *mesh,
                               mfft_spectrum *spectrum);
void mfft_spectrum_free(mfft_spectrum *spectrum);

#endif
