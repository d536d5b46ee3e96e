/* context.c: see context.h. */
#include "local/cuda/runtime/context.h"

#include <pthread.h>
#include <stdlib.h>

#include "local/cuda/tuned/tuned.h"

static int preferred = -1;

void mfft_cuda_prefer(int place) { preferred = place; }

/* The index of this process on its node as the launcher has set it in the environment, which is known before MPI_Init;
 * -1: not set. */
static int place_by_launcher(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK",
                                      "SLURM_LOCALID", "PMI_LOCAL_RANK"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *text = getenv(names[i]);
    if (text && *text) return atoi(text);
  }
  return -1;
}

int mfft_cuda_placed(void) { return preferred >= 0 || place_by_launcher() >= 0; }

static mfft_status make_current(const mfft_cuda_driver *d, CUcontext *context) {
  CUdevice device = 0;
  int count = 0;
  MFFT_CUDA_TRY(d, "the number of devices", d->device_count(&count));
  const int place = (preferred >= 0 ? preferred : place_by_launcher()) % count;
  MFFT_CUDA_TRY(d, "a device", d->device_get(&device, place < 0 ? 0 : place));
  MFFT_CUDA_TRY(d, "the primary context of a device", d->primary_retain(context, device));
  MFFT_CUDA_TRY(d, "making the context current", d->context_set(*context));
  return MFFT_SUCCESS;
}

/* ---- Limits, which are stored for each device, since they outlive its contexts --------------------------------------- */

typedef struct known {
  struct known *next;
  CUdevice device;
  mfft_device_limits limits;
} known;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static known *all; /* guarded by lock */

static mfft_status ask(const mfft_cuda_driver *d, CUdevice device, mfft_device_limits *limits) {
  int major = 0, minor = 0, clusters = 0, cache = 0;
  const struct {
    CUdevice_attribute what;
    int *answer;
  } questions[] = {{CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &limits->shared_bytes},
                   {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, &limits->sm_shared_bytes},
                   {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &limits->threads},
                   {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, &limits->sm_threads},
                   {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, &limits->sm_registers},
                   {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &limits->sms},
                   {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, &cache},
                   {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major},
                   {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor}};
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
    MFFT_CUDA_TRY(d, "a device attribute", d->device_attribute(questions[i].answer, questions[i].what, device));
  limits->arch = 10 * major + minor;
  limits->segment_bytes = 128;
  limits->part_bytes = mfft_tuned_part_bytes(limits->arch, cache);
  if (limits->arch >= 90)
    MFFT_CUDA_TRY(d, "a device attribute", d->device_attribute(&clusters, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, device));
  limits->cluster = clusters ? MFFT_MAX_CLUSTER : 0;
  if (limits->arch < 80)
    return mfft_fail(MFFT_ERR_NO_DEVICE, "cuda: the GPU has compute capability %d.%d, 8.0 or newer is needed", major, minor);
  return MFFT_SUCCESS;
}

/* Finds the entry of a device, or makes it.  The caller holds the lock. */
static mfft_status find(const mfft_cuda_driver *d, CUdevice device, const known **found) {
  for (*found = all; *found && (*found)->device != device;) *found = (*found)->next;
  if (*found) return MFFT_SUCCESS;
  known *made = calloc(1, sizeof *made);
  if (!made) return mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory for the limits of a device, %zu bytes", sizeof *made);
  const mfft_status status = ask(d, device, &made->limits);
  if (status != MFFT_SUCCESS) {
    free(made);
    return status;
  }
  made->device = device;
  made->next = all;
  *found = all = made;
  return MFFT_SUCCESS;
}

mfft_status mfft_cuda_find_current(mfft_cuda_current *current) {
  const mfft_cuda_driver *d;
  CUdevice device = 0;
  const known *found;
  MFFT_TRY(mfft_cuda_open(&d));
  *current = (mfft_cuda_current){.driver = d};
  MFFT_CUDA_TRY(d, "the current context", d->context_current(&current->context));
  if (!current->context) MFFT_TRY(make_current(d, &current->context));
  MFFT_CUDA_TRY(d, "the device of the context", d->context_device(&device));
  if (d->context_id) MFFT_CUDA_TRY(d, "the identity of the context", d->context_id(current->context, &current->context_id));
  pthread_mutex_lock(&lock);
  const mfft_status status = find(d, device, &found);
  pthread_mutex_unlock(&lock);
  if (status == MFFT_SUCCESS) current->limits = &found->limits;
  return status;
}
