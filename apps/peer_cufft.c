/* peer_cufft.c: cuFFT as a peer, on our arrays in device memory. */
#include <stdlib.h>
#include <string.h>

#include "cufft_library.h"
#include "peer.h"
#include "report.h"

typedef struct cufft_peer {
  mfft_peer base;
  const mfft_cufft_library *cufft;
  mfft_kind kind;
  void *array[2];      /* [side] */
  cufftHandle plan[2]; /* [direction]; the same for C2C */
  int made;            /* plans to destroy */
} cufft_peer;

static mfft_status execute(mfft_peer *base, mfft_direction direction) {
  cufft_peer *p = (cufft_peer *)base;
  const int forward = direction == MFFT_FORWARD;
  return mfft_cufft_status(
      p->cufft->cufftXtExec(p->plan[direction], p->array[forward ? MFFT_IN : MFFT_OUT],
                            p->array[forward ? MFFT_OUT : MFFT_IN], forward ? CUFFT_FORWARD : CUFFT_INVERSE),
      "executing");
}

static void destroy(mfft_peer *base) {
  cufft_peer *p = (cufft_peer *)base;
  for (int i = 0; i < p->made; i++) p->cufft->cufftDestroy(p->plan[i]);
  free(p);
}

static const mfft_peer_ops ops = {.execute = execute, .destroy = destroy};

/* A plan of one direction: packed arrays, in place with real rows padded to whole complexes. */
static cufftResult make_plan(const mfft_cufft_library *cufft, const mfft_peer_spec *spec, mfft_direction direction,
                             cufftHandle plan) {
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
  return cufft->cufftXtMakePlanMany(plan, spec->rank, n, room[from], 1, dist[from], type[from], room[to], 1, dist[to],
                                    type[to], spec->batch, &work, complex[spec->precision]);
}

mfft_status mfft_peer_create_cufft(const mfft_peer_spec *spec, mfft_peer **peer) {
  const mfft_cufft_library *cufft;
  mfft_status status = mfft_cufft_open("cufft", &cufft);
  if (status != MFFT_SUCCESS) return status;
  cufft_peer *p = calloc(1, sizeof *p);
  if (!p) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the peer");
  p->base.ops = &ops;
  p->cufft = cufft;
  p->kind = spec->kind;
  memcpy(p->array, spec->array, sizeof p->array);
  const int plans = spec->kind == MFFT_C2C ? 1 : 2;
  while (p->made < plans && status == MFFT_SUCCESS) {
    status = mfft_cufft_status(cufft->cufftCreate(&p->plan[p->made]), "making a plan");
    if (status != MFFT_SUCCESS) break;
    status = mfft_cufft_status(make_plan(cufft, spec, (mfft_direction)p->made, p->plan[p->made]), "making a plan");
    p->made++;
  }
  if (status != MFFT_SUCCESS) {
    destroy(&p->base);
    return status;
  }
  if (plans == 1) p->plan[MFFT_BACKWARD] = p->plan[MFFT_FORWARD];
  *peer = &p->base;
  return MFFT_SUCCESS;
}
