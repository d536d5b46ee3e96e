/* hdf5.h: HDF5 as the library uses it: it prints nothing, loads no plugins, and its reasons are part of our error messages.
 */
#ifndef MFFT_FIELD_HDF5_H
#define MFFT_FIELD_HDF5_H

#include <hdf5.h>

#include "base/status.h"

/* The settings of the process, which leave() restores. */
typedef struct mfft_h5_settings {
  H5E_auto2_t print;
  void *print_data;
  unsigned plugins;
} mfft_h5_settings;

/* Between the two calls HDF5 prints nothing and loads no plugin. */
void mfft_h5_enter(mfft_h5_settings *old);
void mfft_h5_leave(const mfft_h5_settings *old);

/* As mfft_fail, followed by " (HDF5: the innermost reason on its stack)"; MFFT_ERR_CORRUPT becomes MFFT_ERR_MEMORY if HDF5
 * could not allocate memory. */
mfft_status mfft_h5_fail(mfft_status status, const char *format, ...) MFFT_PRINTF(2, 3);

/* Access to files: plain POSIX input and output.  With `locking`, HDF5 refuses a file that another program has open for
 * writing, if the file system supports locks. */
hid_t mfft_h5_file_access(int locking);

/* Link and dataset access that follows no external link: following one fails, and the next mfft_h5_met_external() returns 1,
 * those after it 0. */
hid_t mfft_h5_link_access(void);
hid_t mfft_h5_dataset_access(void);
int mfft_h5_met_external(void);

/* Close handles; those <= 0 are ignored. */
void mfft_h5_close(hid_t object);

#endif
