/* abilities.c: see abilities.h. */
#include "plan/abilities.h"

#include "base/env.h"
#include "comm/collective.h"
#include "plan/assign.h"
#include "plan/half_width.h"
#include "plan/peer_store.h"
#include "plan/step_spec.h"

/* Whether the transform next to the spectrum can apply the filter while it reads or writes; the filter then costs no pass
 * and no memory. */
static int can_fuse_filter(const mfft_emitter *e) {
  const mfft_step *s = e->filtered;
  if (!s || !e->plan->backend->fuses) return 0;
  const mfft_region all = {s->in.box, 0, s->in.batch};
  if (mfft_box_empty(&all.box)) return 1;
  mfft_place from, to;
  mfft_fft_spec spec = mfft_step_spec(e, s, &all, &s->in, &s->out, &from, &to);
  spec.in_place = mfft_emitter_in_place(e) && s->real_before == s->real_after;
  return e->plan->backend->fuses(&spec);
}

static void find_of_exchanges(mfft_emitter *e, mfft_exchange_abilities *can /* [count - 1] */) {
  for (int i = 0; i + 1 < e->count; i++) {
    can[i].stores = mfft_can_store(e, i);
    can[i].stores_own = mfft_can_store_own(e, i);
    can[i].narrows[0] = mfft_can_narrow(e, i, 0);
    const int before = i > 0 && (can[i - 1].narrows[0] || can[i - 1].narrows[1]);
    can[i].narrows[1] = before && mfft_can_narrow(e, i, 1);
  }
}

/* For transports of messages: finds whether buffers can be assigned to the arrays of this rank together with its packing and
 * unpacking. */
static mfft_status find_assignments(mfft_emitter *e, mfft_abilities *mine) {
  const int last = !e->dist->topology.host_memory; /* only device memory can have areas beside the arrays */
  for (int beside = 0; beside <= last; beside++) {
    e->areas_beside = beside;
    MFFT_TRY(mfft_describe_steps(e));
    const int fits = (double)e->areas_bytes <= mfft_env_number(MFFT_ENV_OVERLAP_BYTES);
    for (int fused = 0; fused < 2; fused++) {
      mfft_emitter_set_filter(e, fused);
      mine->with[fused].assigns[beside] = fits && mfft_assign_buffers(e, 0);
    }
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_find_abilities(mfft_emitter *e, mfft_abilities *mine) {
  *mine = (mfft_abilities){.has_beside = (double)e->unit_bytes <= mfft_env_number(MFFT_ENV_OVERLAP_BYTES)};
  mfft_emitter_set_filter(e, 1);
  mine->fuses_filter = can_fuse_filter(e);
  for (int fused = 0; fused <= mine->fuses_filter; fused++) {
    mfft_emitter_set_filter(e, fused);
    find_of_exchanges(e, mine->with[fused].exchange);
  }
  if (!e->dist->transport->direct) return find_assignments(e, mine);
  for (int fused = 0; fused < 2; fused++) mine->with[fused].assigns[0] = 1; /* the assignment does not depend on the rank */
  return MFFT_SUCCESS;
}

mfft_status mfft_share_abilities(MPI_Comm comm, mfft_abilities *abilities, int count) {
  const int64_t numbers = count * (int64_t)(sizeof *abilities / sizeof(int));
  return mfft_collective_allreduce(comm, abilities, numbers, MPI_INT, MPI_MIN, "comparing what ranks can do");
}
