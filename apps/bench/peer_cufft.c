/* peer_cufft.c: cuFFT as a peer, on our arrays in device memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cufft_calls.h"
#include "bench/peer.h"
#include "cli/report.h"

typedef struct cufft_peer {
  mfft_peer base;
  mfft_cufft_call *call[2]; /* [direction]; NULL: that direction is not needed */
} cufft_peer;

static mfft_status execute(mfft_peer *base, mfft_direction direction) {
  return mfft_cufft_call_execute(((cufft_peer *)base)->call[direction]);
}

static void destroy(mfft_peer *base) {
  cufft_peer *p = (cufft_peer *)base;
  for (int d = 0; d < 2; d++) mfft_cufft_call_destroy(p->call[d]);
  free(p);
}

static const mfft_peer_ops ops = {.execute = execute, .destroy = destroy};

static mfft_status make_call(const mfft_cufft_library *cufft, const mfft_peer_spec *spec, mfft_direction direction,
                             mfft_cufft_call **call) {
  const mfft_side from = direction == MFFT_FORWARD ? MFFT_IN : MFFT_OUT;
  mfft_cufft_transform transform = {.rank = spec->rank,
                                    .batch = spec->batch,
                                    .kind = spec->kind,
                                    .direction = direction,
                                    .precision = spec->precision,
                                    .placement = spec->placement,
                                    .effort = spec->effort,
                                    .in = spec->array[from],
                                    .out = spec->array[!from]};
  memcpy(transform.n, spec->n, sizeof transform.n);
  return mfft_cufft_call_create(cufft, &transform, call);
}

static void describe(const mfft_cufft_library *cufft, cufft_peer *p) {
  int version = 0, used;
  const char *words[2] = {NULL, NULL}; /* [direction] */
  cufft->cufftGetVersion(&version);
  used = snprintf(p->base.call, sizeof p->base.call, "cuFFT %d.%d.%d, ", version / 1000, version / 100 % 10, version % 100);
  for (int d = 0; d < 2; d++)
    if (p->call[d]) words[d] = mfft_cufft_call_words(p->call[d]);
  const char *first = words[0] ? words[0] : words[1];
  const int differ = words[0] && words[1] && strcmp(words[0], words[1]);
  snprintf(p->base.call + used, sizeof p->base.call - (size_t)used, "%s%s%s", first, differ ? "; backward " : "",
           differ ? words[1] : "");
}

mfft_status mfft_peer_create_cufft(const mfft_peer_spec *spec, mfft_peer **peer) {
  const mfft_cufft_library *cufft;
  mfft_status status = mfft_cufft_open("cufft", &cufft);
  if (status != MFFT_SUCCESS) return status;
  cufft_peer *p = calloc(1, sizeof *p);
  if (!p) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the peer");
  p->base.ops = &ops;
  for (int d = 0; d < 2 && status == MFFT_SUCCESS; d++)
    if (spec->wanted[d]) status = make_call(cufft, spec, (mfft_direction)d, &p->call[d]);
  if (status != MFFT_SUCCESS) {
    destroy(&p->base);
    return status;
  }
  describe(cufft, p);
  *peer = &p->base;
  return MFFT_SUCCESS;
}
