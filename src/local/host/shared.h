/* shared.h: memory that the processes of a node share.  It consists of anonymous files (memfd_create), which the size of
 * /dev/shm does not limit and which the kernel deletes with their last user.  The entries have the types of device.h. */
#ifndef MFFT_LOCAL_HOST_SHARED_H
#define MFFT_LOCAL_HOST_SHARED_H

#include "base/status.h"
#include "local/device.h"

mfft_status mfft_host_shared_alloc(size_t bytes, void **pointer, mfft_handle *handle);
mfft_status mfft_host_shared_open(const mfft_handle *handle, void **pointer);
void mfft_host_shared_unmap(void *pointer); /* allocated or opened; accepts NULL */

#endif
