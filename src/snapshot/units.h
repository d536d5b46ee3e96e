/* units.h: units and cosmology of a GADGET HDF5 file, from the groups of the different codes. */
#ifndef MFFT_SNAPSHOT_UNITS_H
#define MFFT_SNAPSHOT_UNITS_H

#include "field/hdf5.h"
#include "mfft_snapshot.h"

/* The units in which files are read and written, so that a file that mergefft has written is read as the same numbers.  They
 * have the digits of GADGET's parameter files, which the constant of gravity (apps/gen/gravity.h) is of too. */
#define MFFT_SNAP_MPC_CM      3.085678e24
#define MFFT_SNAP_1E10_MSUN_G 1.989e43
#define MFFT_SNAP_KM_CM       1e5

/* Fills in the cosmology and the units of `info`, whose time and redshift are set, from groups of the file: the ids of
 * /Header, /Parameters, /Units and /Cosmology; -1: the file does not have the group.  MFFT_ERR_CORRUPT for attributes that
 * cannot be read. */
mfft_status mfft_snap_units(const char *path, hid_t header, hid_t parameters, hid_t units, hid_t cosmology,
                            mfft_snapshot_info *info);

#endif
