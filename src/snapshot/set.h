/* set.h: the names of the files of a set.
 *
 * GADGET names file i of a set BASE.i.hdf5, in binary formats BASE.i; a snapshot in one file is BASE.hdf5 or BASE. */
#ifndef MFFT_SNAPSHOT_SET_H
#define MFFT_SNAPSHOT_SET_H

#include "base/status.h"

enum { MFFT_SNAP_PATH_BYTES = 4200 };

typedef struct mfft_snap_set {
  char first[MFFT_SNAP_PATH_BYTES];  /* the file that was found */
  char prefix[MFFT_SNAP_PATH_BYTES]; /* the name up to the number of the file; the whole name if it has no number */
  char suffix[16];                   /* the name after the number */
  int numbered;                      /* 1: the names have a number */
  int number;                        /* number of the file that was found */
} mfft_snap_set;

/* Finds the file `path`, or the first file of the set of that name. */
mfft_status mfft_snap_set_find(const char *path, mfft_snap_set *set);

/* The number of the file of a set that `file` is, by a name with that number, or the one that was found, by any name; -1: it
 * is none.  Looks at few files, however many the set has, since a job may ask for each pair of its inputs and outputs. */
int mfft_snap_set_index(const mfft_snap_set *set, const char *file);

/* Writes the name of file i of a set of `files`; MFFT_ERR_ARG if the names have no number. */
mfft_status mfft_snap_set_name(const mfft_snap_set *set, int files, int i, char name[MFFT_SNAP_PATH_BYTES]);

/* The name of file i of a set of `files` that is to be written to `path`: BASE.i.hdf5 for BASE.hdf5 or BASE; `path` itself
 * for a single file. */
mfft_status mfft_snap_set_part(const char *path, int files, int i, char name[MFFT_SNAP_PATH_BYTES]);

/* Fails where a single file that readers of such a set would find first is there. */
mfft_status mfft_snap_set_free(const char *path, int files);

#endif
