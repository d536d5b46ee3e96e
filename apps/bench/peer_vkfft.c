/* peer_vkfft.c: VkFFT as a peer, on our arrays in device memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peer.h"
#include "bench/vkfft_plans.h"
#include "cli/report.h"

typedef struct vkfft_peer {
  mfft_peer base;
  const mfft_vkfft_plans *plans;
  void *plan[2]; /* [direction]; NULL: that direction is not needed */
} vkfft_peer;

static mfft_status execute(mfft_peer *base, mfft_direction direction) {
  vkfft_peer *p = (vkfft_peer *)base;
  const int failed = p->plans->execute(p->plan[direction]);
  return failed ? mfft_app_fail(MFFT_ERR_CUDA, "VkFFT, executing: its error %d", failed) : MFFT_SUCCESS;
}

static void destroy(mfft_peer *base) {
  vkfft_peer *p = (vkfft_peer *)base;
  for (int d = 0; d < 2; d++) p->plans->destroy(p->plan[d]);
  free(p);
}

static const mfft_peer_ops ops = {.execute = execute, .destroy = destroy};

static mfft_status make_plan(vkfft_peer *p, const mfft_peer_spec *spec, mfft_direction direction) {
  const mfft_side from = direction == MFFT_FORWARD ? MFFT_IN : MFFT_OUT;
  char why[MFFT_VKFFT_WHY_BYTES];
  mfft_vkfft_transform transform = {.rank = spec->rank,
                                    .batch = spec->batch,
                                    .kind = spec->kind,
                                    .direction = direction,
                                    .precision = spec->precision,
                                    .placement = spec->placement,
                                    .in = spec->array[from],
                                    .out = spec->array[!from]};
  memcpy(transform.n, spec->n, sizeof transform.n);
  const int failed = p->plans->create(&transform, &p->plan[direction], why);
  if (!failed) return MFFT_SUCCESS;
  return mfft_app_fail(failed == 1 ? MFFT_ERR_UNSUPPORTED : MFFT_ERR_CUDA, "VkFFT: %s; leave out --vs", why);
}

mfft_status mfft_peer_create_vkfft(const mfft_peer_spec *spec, mfft_peer **peer) {
  const mfft_vkfft_plans *plans;
  mfft_status status = mfft_vkfft_open(&plans);
  if (status != MFFT_SUCCESS) return status;
  vkfft_peer *p = calloc(1, sizeof *p);
  if (!p) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the peer");
  p->base.ops = &ops;
  p->plans = plans;
  for (int d = 0; d < 2 && status == MFFT_SUCCESS; d++)
    if (spec->wanted[d]) status = make_plan(p, spec, (mfft_direction)d);
  if (status != MFFT_SUCCESS) {
    destroy(&p->base);
    return status;
  }
  const int version = plans->version();
  snprintf(p->base.call, sizeof p->base.call, "VkFFT %d.%d.%d", version / 10000, version / 100 % 100, version % 100);
  *peer = &p->base;
  return MFFT_SUCCESS;
}
