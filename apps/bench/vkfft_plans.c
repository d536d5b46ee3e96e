/* vkfft_plans.c: the module that is compiled with VkFFT's headers; see vkfft_plans.h.
 *
 * VkFFT transforms `buffer`; out of place a forward transform reads `inputBuffer` first, and a backward one returns its
 * result there.  It compiles its kernels whenever a plan is made, so compiled plans are stored in files. */
#define VKFFT_BACKEND 1
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#endif
#include <vkFFT.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "bench/vkfft_plans.h"

enum { MOST_BYTES = 1 << 28 };

typedef struct plan {
  VkFFTApplication app;
  VkFFTLaunchParams launch;
  CUdevice device;
  cudaStream_t stream;
  void *buffer, *input; /* VkFFT has the addresses of these two */
  char *loaded;         /* a compiled plan from a file */
  int sign;             /* -1 forward, 1 backward */
} plan;

static void destroy(void *object) {
  plan *p = object;
  if (!p) return;
  deleteVkFFT(&p->app);
  free(p->loaded);
  free(p);
}

static int execute(void *object) {
  plan *p = object;
  return (int)VkFFTAppend(&p->app, p->sign, &p->launch);
}

/* Path of the file with the compiled plan of a transform; empty: there is none. */
static void name_file(const mfft_vkfft_transform *t, char *path, size_t size) {
  const long long n1 = t->rank > 1 ? (long long)t->n[1] : 0, n2 = t->rank > 2 ? (long long)t->n[2] : 0;
  path[0] = '\0';
  if (!t->cache_folder) return;
  snprintf(path, size, "%s/vkfft-%d-%d%d%d%d-%lldx%lldx%lldx%lld", t->cache_folder, VkFFTGetVersion(), (int)t->kind,
           (int)t->direction, (int)t->precision, (int)t->placement, (long long)t->n[0], n1, n2, (long long)t->batch);
}

static void configure(const mfft_vkfft_transform *t, plan *p, VkFFTConfiguration *c) {
  const int backward = t->direction == MFFT_BACKWARD, out_of_place = t->placement == MFFT_OUT_OF_PLACE;
  p->buffer = backward ? t->in : t->out;
  p->input = backward ? t->out : t->in;
  p->sign = backward ? 1 : -1;
  c->FFTdim = (pfUINT)t->rank;
  for (int i = 0; i < t->rank; i++) c->size[i] = (pfUINT)t->n[t->rank - 1 - i];
  c->numberBatches = (pfUINT)t->batch;
  c->device = &p->device;
  c->buffer = &p->buffer;
  c->doublePrecision = t->precision == MFFT_DOUBLE;
  c->halfPrecision = t->precision == MFFT_HALF;
  c->performR2C = t->kind == MFFT_R2C;
  c->isInputFormatted = (pfUINT)out_of_place;
  c->inverseReturnToInputBuffer = (pfUINT)(out_of_place && backward);
  if (out_of_place) c->inputBuffer = &p->input;
  c->makeForwardPlanOnly = (pfUINT)!backward;
  c->makeInversePlanOnly = (pfUINT)backward;
  if (t->stream) {
    p->stream = (cudaStream_t)t->stream;
    c->stream = &p->stream;
    c->num_streams = 1;
  }
  p->launch.buffer = &p->buffer;
  if (out_of_place) p->launch.inputBuffer = &p->input;
}

static int create(const mfft_vkfft_transform *t, void **out, char why[MFFT_VKFFT_WHY_BYTES]) {
  char path[1024], reason[MFFT_WHY_BYTES];
  size_t length = 0;
  VkFFTConfiguration c = VKFFT_ZERO_INIT;
  if (t->precision == MFFT_BFLOAT16) return snprintf(why, MFFT_VKFFT_WHY_BYTES, "it has no bfloat16"), 1;
  plan *p = calloc(1, sizeof *p);
  if (!p) return snprintf(why, MFFT_VKFFT_WHY_BYTES, "no memory for a plan"), 2;
  if (cuCtxGetDevice(&p->device) != CUDA_SUCCESS) {
    free(p);
    return snprintf(why, MFFT_VKFFT_WHY_BYTES, "no CUDA context is current"), 2;
  }
  configure(t, p, &c);
  name_file(t, path, sizeof path);
  if (*path && mfft_file_read(path, MOST_BYTES, &p->loaded, &length, reason)) p->loaded = NULL;
  c.loadApplicationString = p->loaded;
  c.loadApplicationFromString = p->loaded != NULL;
  c.saveApplicationToString = *path && !p->loaded;
  const VkFFTResult failed = initializeVkFFT(&p->app, c);
  if (failed != VKFFT_SUCCESS) {
    snprintf(why, MFFT_VKFFT_WHY_BYTES, "%s", getVkFFTErrorString(failed));
    free(p->loaded); /* VkFFT has freed its own objects */
    free(p);
    return (int)failed;
  }
  if (c.saveApplicationToString)
    mfft_file_write(path, &mfft_kernel_kind, p->app.saveApplicationString, p->app.applicationStringSize, reason);
  *out = p;
  return 0;
}

static int version(void) { return VkFFTGetVersion(); }

__attribute__((visibility("default")))
const mfft_vkfft_plans mfft_vkfft_table = {.version = version, .create = create, .execute = execute, .destroy = destroy};
