/* peer_cufft.c: cuFFT as a peer, on our arrays in device memory.  The headers are needed to build, the library when it is
 * asked for.  Compiled only where the headers were found; see peer.c. */
#include <cufftXt.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "report.h"

#define FUNCTIONS(X) X(cufftCreate) X(cufftDestroy) X(cufftXtMakePlanMany) X(cufftXtExec)

static struct {
#define X(name) __typeof__(name) *name;
  FUNCTIONS(X)
#undef X
} cufft;

/* The one from the toolkit of the build, or of the library path. */
static mfft_status open_library(void) {
  static const char *const files[] = {"libcufft.so." MFFT_CUFFT_MAJOR, "libcufft.so",
                                      MFFT_CUFFT_FOLDER "/libcufft.so." MFFT_CUFFT_MAJOR};
  static void *library;
  char why[256] = "";
  for (size_t i = 0; i < sizeof files / sizeof *files && !library; i++) {
    library = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
    if (!library && !*why) snprintf(why, sizeof why, "%s", dlerror());
  }
  if (!library)
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "--vs cufft: %s; put the folder of libcufft on the library path", why);
  void *address;
#define X(name)                                                                                                     \
  address = dlsym(library, #name);                                                                                  \
  if (!address) return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "--vs cufft: libcufft has no " #name "; it is too old"); \
  memcpy(&cufft.name, &address, sizeof address);
  FUNCTIONS(X)
#undef X
  return MFFT_SUCCESS;
}

static const char *result_name(cufftResult result) {
  static const struct {
    cufftResult result;
    const char *name;
  } names[] = {{CUFFT_ALLOC_FAILED, "CUFFT_ALLOC_FAILED"},   {CUFFT_INVALID_TYPE, "CUFFT_INVALID_TYPE"},
               {CUFFT_INVALID_VALUE, "CUFFT_INVALID_VALUE"}, {CUFFT_INTERNAL_ERROR, "CUFFT_INTERNAL_ERROR"},
               {CUFFT_EXEC_FAILED, "CUFFT_EXEC_FAILED"},     {CUFFT_SETUP_FAILED, "CUFFT_SETUP_FAILED"},
               {CUFFT_INVALID_SIZE, "CUFFT_INVALID_SIZE"},   {CUFFT_NOT_SUPPORTED, "CUFFT_NOT_SUPPORTED"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].result == result) return names[i].name;
  return "an error without a name";
}

typedef struct cufft_peer {
  mfft_peer base;
  mfft_kind kind;
  void *array[2];      /* [side] */
  cufftHandle plan[2]; /* [direction]; the same for C2C */
  int made;            /* plans to destroy */
} cufft_peer;

static mfft_status execute(mfft_peer *base, mfft_direction direction) {
  cufft_peer *p = (cufft_peer *)base;
  const int forward = direction == MFFT_FORWARD;
  cufftResult result = cufft.cufftXtExec(p->plan[direction], p->array[forward ? MFFT_IN : MFFT_OUT],
                                         p->array[forward ? MFFT_OUT : MFFT_IN], forward ? CUFFT_FORWARD : CUFFT_INVERSE);
  return result == CUFFT_SUCCESS ? MFFT_SUCCESS : mfft_app_fail(MFFT_ERR_CUDA, "cuFFT: executing: %s", result_name(result));
}

static void destroy(mfft_peer *base) {
  cufft_peer *p = (cufft_peer *)base;
  for (int i = 0; i < p->made; i++) cufft.cufftDestroy(p->plan[i]);
  free(p);
}

static const mfft_peer_ops ops = {.execute = execute, .destroy = destroy};

/* A plan of one direction: packed arrays, in place with real rows padded to whole complexes. */
static cufftResult make_plan(const mfft_peer_spec *spec, mfft_direction direction, cufftHandle plan) {
  static const cudaDataType real[] = {
      [MFFT_DOUBLE] = CUDA_R_64F, [MFFT_SINGLE] = CUDA_R_32F, [MFFT_HALF] = CUDA_R_16F, [MFFT_BFLOAT16] = CUDA_R_16BF};
  static const cudaDataType complex[] = {
      [MFFT_DOUBLE] = CUDA_C_64F, [MFFT_SINGLE] = CUDA_C_32F, [MFFT_HALF] = CUDA_C_16F, [MFFT_BFLOAT16] = CUDA_C_16BF};
  long long n[3], room[2][3], dist[2] = {1, 1}; /* [side] of the memory of one array */
  const int last = spec->rank - 1;
  cudaDataType type[2] = {complex[spec->precision], complex[spec->precision]}; /* [side] */
  for (int a = 0; a < spec->rank; a++) n[a] = room[MFFT_IN][a] = room[MFFT_OUT][a] = spec->n[a];
  if (spec->kind == MFFT_R2C) {
    type[MFFT_IN] = real[spec->precision];
    room[MFFT_OUT][last] = n[last] / 2 + 1;
    if (spec->placement == MFFT_IN_PLACE) room[MFFT_IN][last] = 2 * room[MFFT_OUT][last];
  }
  for (int side = 0; side < 2; side++)
    for (int a = 0; a < spec->rank; a++) dist[side] *= room[side][a];
  const mfft_side from = direction == MFFT_FORWARD ? MFFT_IN : MFFT_OUT, to = !from;
  size_t work;
  return cufft.cufftXtMakePlanMany(plan, spec->rank, n, room[from], 1, dist[from], type[from], room[to], 1, dist[to],
                                   type[to], spec->batch, &work, complex[spec->precision]);
}

mfft_status mfft_peer_create_cufft(const mfft_peer_spec *spec, mfft_peer **peer) {
  mfft_status status = open_library();
  if (status != MFFT_SUCCESS) return status;
  cufft_peer *p = calloc(1, sizeof *p);
  if (!p) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the peer");
  p->base.ops = &ops;
  p->kind = spec->kind;
  memcpy(p->array, spec->array, sizeof p->array);
  const int plans = spec->kind == MFFT_C2C ? 1 : 2;
  cufftResult result = CUFFT_SUCCESS;
  while (p->made < plans && result == CUFFT_SUCCESS) {
    result = cufft.cufftCreate(&p->plan[p->made]);
    if (result != CUFFT_SUCCESS) break;
    result = make_plan(spec, (mfft_direction)p->made, p->plan[p->made]);
    p->made++;
  }
  if (result == CUFFT_SUCCESS) {
    if (plans == 1) p->plan[MFFT_BACKWARD] = p->plan[MFFT_FORWARD];
    *peer = &p->base;
    return MFFT_SUCCESS;
  }
  destroy(&p->base);
  const int refused = result == CUFFT_NOT_SUPPORTED || result == CUFFT_INVALID_SIZE || result == CUFFT_INVALID_VALUE ||
                      result == CUFFT_INVALID_TYPE;
  return mfft_app_fail(refused ? MFFT_ERR_UNSUPPORTED : MFFT_ERR_CUDA, "cuFFT has no plan for this transform: %s%s",
                       result_name(result), refused ? "; leave out --vs" : "");
}
