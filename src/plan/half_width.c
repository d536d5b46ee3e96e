/* half_width.c: see half_width.h. */
#include "plan/half_width.h"

#include "plan/peer_store.h"
#include "plan/step_spec.h"

/* Whether the exchange from a to b moves complex numbers, with a transform on at least one side. */
static int complex_ends(const mfft_step *a, const mfft_step *b) {
  return (a->path_step->axes || b->path_step->axes) && !a->path_step->twiddle && !b->path_step->twiddle && !a->real_after &&
         !b->real_before;
}

static void set_narrow(mfft_step *a, mfft_step *b, int narrows) {
  a->narrows = narrows;
  a->sent = a->out;
  if (narrows) a->sent.element_bytes /= 2;
  b->in.element_bytes = narrows ? a->sent.element_bytes : a->out.element_bytes;
}

/* Whether this rank's transforms before and after the exchange can store and load narrow numbers; the steps are already
 * set so. */
static int backend_narrows(const mfft_emitter *e, const mfft_step *a, const mfft_step *b) {
  const mfft_backend *backend = e->plan->backend;
  const mfft_step *side[] = {a, b};
  if (!backend->fft_scatter || !backend->resize) return 0;
  for (int i = 0; i < 2; i++) {
    const mfft_region all = {side[i]->in.box, 0, side[i]->in.batch};
    mfft_place from, to;
    if (mfft_box_empty(&all.box) || !side[i]->path_step->axes) continue;
    mfft_fft_spec spec = mfft_step_spec(e, side[i], &all, &side[i]->in, &side[i]->out, &from, &to);
    spec.in_place = 0;
    if (i == 0 && !mfft_scatter_own(e, a, b, &all, &spec)) return 0;
    if (!backend->fuses(&spec)) return 0;
  }
  return 1;
}

int mfft_can_narrow(mfft_emitter *e, int i, int before) {
  const struct mfft_dist *dist = e->dist;
  const mfft_desc *desc = &e->plan->desc;
  const int grows = desc->placement == MFFT_IN_PLACE &&
                    desc->kind == MFFT_R2C; /* a transform in place that grows has no buffer for intermediate results */
  mfft_step *a = &e->step[i], *b = a + 1;
  if (e->plan->options.wire != MFFT_WIRE_HALF || !dist->transport->direct || dist->transport->stores ||
      dist->transport->far || grows)
    return 0;
  if (!complex_ends(a, b) || (before && !a->path_step->axes)) return 0;
  if (before) set_narrow(a - 1, a, 1);
  set_narrow(a, b, 1);
  const int can = backend_narrows(e, a, b);
  set_narrow(a, b, 0);
  if (before) set_narrow(a - 1, a, 0);
  return can;
}

void mfft_narrow(mfft_emitter *e, int i) { set_narrow(&e->step[i], &e->step[i + 1], 1); }

int mfft_forget_narrow(mfft_emitter *e) {
  int forgotten = 0;
  for (int i = 0; i + 1 < e->count; i++) {
    if (!e->step[i].narrows) continue;
    set_narrow(&e->step[i], &e->step[i + 1], 0);
    forgotten = 1;
  }
  return forgotten;
}
