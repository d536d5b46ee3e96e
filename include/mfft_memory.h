/* mfft_memory.h: the memory that plans work on, and copies to and from it.
 *
 * The arrays of a plan are in the memory of its backend: host memory for "ref" and "fftw", memory of a GPU for "cuda".  The
 * calls of this header are the same for both, so a program that fills an array on the host, transforms it and reads the
 * result is the same with and without a GPU:
 *
 *     mfft_plan_backend(plan, &backend);
 *     mfft_memory_alloc(backend, bytes, &array);
 *     mfft_memory_upload(backend, array, values, bytes);
 *     mfft_execute(plan, MFFT_FORWARD, array, result), mfft_plan_synchronize(plan);
 *     mfft_memory_download(backend, modes, result, result_bytes);
 *
 * These calls are optional: a plan accepts any pointer into the memory of its backend, such as one from cudaMalloc.
 *
 * `backend` is a name as in mfft_options: "ref", "fftw", "cuda", or NULL for MFFT_BACKEND (environment), else the best of
 * the machine.  All sizes are in bytes.  No call is collective.  On a device the calls use the current context of the
 * calling thread; if there is none, the device with the process's index on its node, as distributed plans or the launcher
 * (Open MPI, MPICH, Slurm) give it, else device 0.  The errors of all calls: MFFT_ERR_ARG for an unknown backend or a NULL
 * pointer, MFFT_ERR_NO_DEVICE for a backend that the machine cannot run, MFFT_ERR_MEMORY, MFFT_ERR_CUDA. */
#ifndef MFFT_MEMORY_H
#define MFFT_MEMORY_H

#include "mfft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The memory of a plan's arrays: accessible to the CPU, or memory of a device. */
typedef enum mfft_memory { MFFT_MEMORY_HOST = 0, MFFT_MEMORY_DEVICE = 1 } mfft_memory;

/* The memory of the plan's arrays and workspace, and the name of its backend, a text that belongs to the library.  Neither
 * call blocks.  MFFT_ERR_ARG for a plan or a result that is NULL. */
MFFT_API mfft_status mfft_plan_memory(mfft_plan plan, mfft_memory *memory);
MFFT_API mfft_status mfft_plan_backend(mfft_plan plan, const char **name);

/* The memory that an address is in, as far as the driver of the backend knows: memory that is none of the device's counts as
 * the host's, and all memory does for host backends.  Does not block. */
MFFT_API mfft_status mfft_memory_locate(const char *backend, const void *pointer, mfft_memory *memory);

/* Starts the device of a backend in the background, which takes some tenths of a second on a GPU: call it before MPI_Init,
 * and the first plan finds it started.  Returns at once; on host backends, and where no launcher has told this process its
 * place on the node (see above), it does nothing.  An error there is returned by the first call that needs the device.  A
 * thread of the library does the work; it calls no MPI, and is waited for when the process ends. */
MFFT_API mfft_status mfft_backend_start(const char *backend);

/* ---- Arrays -------------------------------------------------------------------------------------------------------- */

/* Host memory aligned to 64 bytes.  Free it with mfft_free, which accepts NULL. */
MFFT_API mfft_status mfft_alloc(size_t bytes, void **pointer);
MFFT_API void mfft_free(void *pointer);

/* Memory of a backend, aligned to 64 bytes and not cleared.  Free it with the same name; free accepts a NULL pointer, and on
 * a device waits for work that may still use the memory. */
MFFT_API mfft_status mfft_memory_alloc(const char *backend, size_t bytes, void **pointer);
MFFT_API mfft_status mfft_memory_free(const char *backend, void *pointer);

/* Host memory for copies to and from the backend at full speed: page-locked for a device, that of mfft_alloc for a host.
 * Large page-locked arrays take time to allocate and reduce the memory of other programs.  Free it with the same name; NULL
 * is accepted. */
MFFT_API mfft_status mfft_memory_alloc_host(const char *backend, size_t bytes, void **pointer);
MFFT_API mfft_status mfft_memory_free_host(const char *backend, void *pointer);

/* The workspace of a plan, in bytes, in the memory of its backend.  A plan allocates its workspace unless user_workspace is
 * set.  One workspace may serve any number of plans that do not run at the same time: give each of them the largest of their
 * sizes.  set_workspace stores the pointer.  MFFT_ERR_ARG for fewer bytes than the plan needs, for an address that is not a
 * multiple of 64, and for host memory if the plan works on a device.  No array of an execute may overlap it. */
MFFT_API mfft_status mfft_plan_workspace_bytes(mfft_plan plan, size_t *bytes);

/* The bytes of the array of this rank that the other ranks of its node have mapped, with transport "p2p": the plan owns it,
 * beside the workspace; 0 with other transports.  MFFT_ERR_ARG for NULL. */
MFFT_API mfft_status mfft_plan_window_bytes(mfft_plan plan, size_t *bytes);

MFFT_API mfft_status mfft_plan_set_workspace(mfft_plan plan, void *workspace, size_t bytes);

/* ---- Blocking copies ----------------------------------------------------------------------------------------------- */

/* Copies from host memory to memory of the backend, and back.  Any addresses are allowed, the ranges do not overlap, and the
 * copy is complete when the call returns.  It is ordered after the default stream only: call mfft_plan_synchronize before
 * reading what a plan with another stream wrote, or overwriting what it reads. */
MFFT_API mfft_status mfft_memory_upload(const char *backend, void *device, const void *host, size_t bytes);
MFFT_API mfft_status mfft_memory_download(const char *backend, void *host, const void *device, size_t bytes);

/* The same between two arrays in the memory of the backend. */
MFFT_API mfft_status mfft_memory_copy(const char *backend, void *to, const void *from, size_t bytes);

/* ---- Asynchronous copies -------------------------------------------------------------------------------------------
 *
 * Copies that run while the caller reads a file or works on another part of an array:
 *
 *     mfft_copies_start(copies, device, part, bytes, &request);
 *     ...                                                           reads the next part into other memory
 *     mfft_copies_wait(copies, request);                            now `part` may be overwritten
 *
 * They run one after another in the sequence of their starts, in either direction between host memory and that of the
 * backend.  Host memory should be from mfft_memory_alloc_host; with other memory start may block until the copy is done.
 * The copies are not ordered with the stream of any plan: call mfft_plan_synchronize before, and mfft_copies_wait before a
 * plan runs.  On host backends start does the copy.  One thread uses an object at a time. */
typedef struct mfft_copies_s *mfft_copies;

/* destroy waits for all copies that were started, and accepts NULL. */
MFFT_API mfft_status mfft_copies_create(const char *backend, mfft_copies *copies);
MFFT_API void mfft_copies_destroy(mfft_copies copies);

/* start returns a request, the number of the copy; wait blocks until that copy and all earlier ones are complete. */
MFFT_API mfft_status mfft_copies_start(mfft_copies copies, void *to, const void *from, size_t bytes, int64_t *request);
MFFT_API mfft_status mfft_copies_wait(mfft_copies copies, int64_t request);

/* Seconds taken by the copies that have been waited for, by the clock of the device, or of the host on host backends. */
MFFT_API mfft_status mfft_copies_seconds(mfft_copies copies, double *seconds);

#ifdef __cplusplus
}
#endif
#endif
