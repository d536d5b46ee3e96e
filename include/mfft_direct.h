/* mfft_direct.h: memory of a GPU that files are read into and written from with no copy in host memory.
 *
 * NVIDIA GPUDirect Storage moves bytes between storage and device memory by DMA.  Its library, libcufile.so.0, is opened at
 * run time; nothing is linked to it.  Whether it can be used is decided in three steps, each of which may refuse with
 * MFFT_ERR_UNSUPPORTED and the reason: the library and the driver of this machine (mfft_direct_create), the array
 * (mfft_direct_create), and the file system (mfft_field_direct.h, which reads and writes fields).  A caller that is refused
 * goes through host memory instead.
 *
 * cuFile also has a compatibility mode, in which it copies through its own buffers in host memory.  The library's own path
 * through host memory does the same, converts, and adds up checksums on the way, so the compatibility mode counts as
 * unsupported unless MFFT_CUFILE is "compat"; "on" opens cuFile where the driver nvidia-fs is not loaded, too, and "off"
 * never (docs/environment.md). */
#ifndef MFFT_DIRECT_H
#define MFFT_DIRECT_H

#include "mfft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mfft_direct_s *mfft_direct_array;

/* Registers an array of `bytes` bytes in the memory of a backend (as in mfft_memory.h), which takes a millisecond per GiB or
 * so and locks the array in place: create one object for the life of an array.  The first call of a process starts the
 * driver of GPUDirect Storage.  Errors: MFFT_ERR_UNSUPPORTED with the reason for host backends and where the machine or the
 * array do not allow it; MFFT_ERR_ARG for NULL; those of mfft_memory.h.  Neither call is collective.  The array must not be
 * freed before destroy, which accepts NULL; readings and files that have used the object end before it. */
MFFT_API mfft_status mfft_direct_create(const char *backend, void *array, size_t bytes, mfft_direct_array *direct);
MFFT_API void mfft_direct_destroy(mfft_direct_array direct);

/* One line about this machine: the version of cuFile and how it is used, or why it is not.  Starts the driver as create
 * does.  Returns MFFT_SUCCESS in either case, MFFT_ERR_ARG for NULL and unknown backends. */
MFFT_API mfft_status mfft_direct_describe(const char *backend, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
