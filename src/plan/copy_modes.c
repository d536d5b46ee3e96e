/* copy_modes.c: the modes that two real transforms have in common, from the spectrum of one plan to that of another.
 *
 * On the axes before the last they are two ranges of indices, of wave numbers from 0 and of negative ones, hence four boxes.
 * Each is copied by one block from array to array; between ranks it is packed, exchanged and unpacked. */
#include <string.h>

#include "base/box.h"
#include "comm/agree.h"
#include "mfft_mpi.h"
#include "plan/array_calls.h"
#include "plan/distribution.h"

enum { QUARTERS = 4 };

/* One side of a copy: the own part of a quarter in the array of a plan. */
typedef struct part {
  mfft_box box;              /* in indices of the quarter: 0 is its first mode */
  int64_t offset, stride[3]; /* [axis] */
} part;

/* The largest wave number of both plans on an axis; modes at n/2 of an even n do not count, since they are of both signs. */
static int64_t most_of(const mfft_desc *from, const mfft_desc *to, int axis) {
  const int64_t n = from->n[axis] < to->n[axis] ? from->n[axis] : to->n[axis];
  return (n - 1) / 2;
}

static part part_of(mfft_plan plan, int quarter, const int64_t most[3]) {
  const mfft_box *own = &plan->box[MFFT_OUT];
  part p = {.box = *own};
  int empty = mfft_box_empty(own);
  mfft_box_strides(own, p.stride);
  if (!plan->dist) memcpy(p.stride, plan->desc.out_stride, sizeof p.stride);
  for (int a = 0; a < 3; a++) {
    const int negative = a < 2 && (quarter >> a & 1);
    const int64_t shift = negative ? plan->desc.n[a] - most[a] : 0, length = negative ? most[a] : most[a] + 1;
    const int64_t lo = own->lo[a] - shift, hi = own->hi[a] - shift;
    p.box.lo[a] = lo > 0 ? lo : 0;
    p.box.hi[a] = hi < length ? hi : length;
    p.offset += (p.box.lo[a] - lo) * p.stride[a];
    empty |= p.box.lo[a] >= p.box.hi[a];
    p.box.order[a] = a;
  }
  if (empty) memset(p.box.lo, 0, sizeof p.box.lo), memset(p.box.hi, 0, sizeof p.box.hi);
  return p;
}

/* The block between two parts of the same box. */
static mfft_block block_of(const part *from, const part *to) {
  mfft_block b = {.n = {1}, .in_offset = from->offset, .out_offset = to->offset};
  for (int a = 0; a < 3; a++) {
    b.n[a + 1] = mfft_box_extent(&from->box, a);
    b.is[a + 1] = from->stride[a];
    b.os[a + 1] = to->stride[a];
  }
  return b;
}

/* The same box in a dense array. */
static part dense(const part *p) {
  part d = {.box = p->box};
  mfft_box_strides(&p->box, d.stride);
  return d;
}

static mfft_status copy_block(mfft_plan plan, const part *from, const part *to, const void *in, void *out) {
  const mfft_block block = block_of(from, to);
  if (mfft_box_empty(&from->box)) return MFFT_SUCCESS;
  return plan->backend->copy(&block, 1, plan->element_bytes, in, out, plan->stream);
}

/* ---- Between ranks --------------------------------------------------------------------------------------------------- */

typedef struct moving {
  mfft_plan plan;
  part from, to;
  void *packed[2]; /* dense arrays of the two parts, in the memory of the plans */
  mfft_exchange exchange;
} moving;

static size_t bytes_of(const moving *m, const part *p) {
  return (size_t)mfft_box_count(&p->box) * (size_t)m->plan->element_bytes + 1;
}

static mfft_status pack(moving *m, const void *in) {
  const part to = dense(&m->from);
  MFFT_TRY(m->plan->backend->alloc(bytes_of(m, &m->from), &m->packed[0]));
  MFFT_TRY(m->plan->backend->alloc(bytes_of(m, &m->to), &m->packed[1]));
  MFFT_TRY(copy_block(m->plan, &m->from, &to, in, m->packed[0]));
  return m->plan->backend->synchronize(m->plan->stream);
}

static mfft_status unpack(moving *m, void *out) {
  const part from = dense(&m->to);
  MFFT_TRY(copy_block(m->plan, &from, &m->to, m->packed[1], out));
  return m->plan->backend->synchronize(m->plan->stream);
}

static mfft_status exchange_packed(moving *m) {
  mfft_exchange_desc desc;
  mfft_exchange_options how;
  mfft_exchange_desc_init(&desc);
  mfft_exchange_options_init(&how);
  desc.element_bytes = m->plan->element_bytes;
  desc.from = m->from.box;
  desc.to = m->to.box;
  if (!m->plan->backend->host_memory) how.backend = m->plan->backend->name;
  MFFT_TRY(mfft_exchange_create(m->plan->dist->comm, &desc, &how, &m->exchange));
  MFFT_TRY(mfft_exchange_execute(m->exchange, m->packed[0], m->packed[1]));
  return mfft_exchange_synchronize(m->exchange);
}

static mfft_status move_quarter(mfft_plan plan, const part *from, const part *to, const void *in, void *out) {
  moving m = {.plan = plan, .from = *from, .to = *to};
  mfft_status status = mfft_agree(plan->dist->comm, pack(&m, in));
  if (status == MFFT_SUCCESS) status = exchange_packed(&m);
  if (status == MFFT_SUCCESS) status = unpack(&m, out);
  mfft_exchange_destroy(m.exchange);
  for (int i = 0; i < 2; i++)
    if (m.packed[i]) plan->backend->free(m.packed[i]);
  return mfft_agree(plan->dist->comm, status);
}

/* ---- The call -------------------------------------------------------------------------------------------------------- */

static mfft_status clear(mfft_plan plan, void *array) {
  const size_t bytes = plan->bytes[MFFT_OUT];
  if (plan->backend->clear) return bytes ? plan->backend->clear(array, bytes, plan->stream) : MFFT_SUCCESS;
  memset(array, 0, bytes);
  return MFFT_SUCCESS;
}

static mfft_status copy_all(mfft_plan from, const void *in, mfft_plan to, void *out) {
  const int64_t most[3] = {most_of(&from->desc, &to->desc, 0), most_of(&from->desc, &to->desc, 1),
                           most_of(&from->desc, &to->desc, 2)};
  mfft_status status = from->backend->synchronize(from->stream); /* the copies are on the stream of `to` */
  if (status == MFFT_SUCCESS) status = clear(to, out);
  if (to->dist) status = mfft_agree(to->dist->comm, status);
  for (int quarter = 0; quarter < QUARTERS && status == MFFT_SUCCESS; quarter++) {
    const part source = part_of(from, quarter, most), target = part_of(to, quarter, most);
    if ((quarter & 1 && !most[0]) || (quarter & 2 && !most[1])) continue; /* no negative wave numbers */
    status = to->dist && to->dist->ranks > 1 ? move_quarter(to, &source, &target, in, out)
                                             : copy_block(to, &source, &target, in, out);
  }
  return status == MFFT_SUCCESS ? to->backend->synchronize(to->stream) : status;
}

static mfft_status check_plan(mfft_plan plan, const char *name) {
  if (!plan) return mfft_fail(MFFT_ERR_ARG, "%s is NULL; make a plan with mfft_plan_create_mpi", name);
  return mfft_desc_require_field(&plan->desc, name, "modes");
}

static mfft_status check(mfft_plan from, const void *in, mfft_plan to, const void *out) {
  MFFT_TRY(check_plan(from, "the plan to copy from"));
  MFFT_TRY(check_plan(to, "the plan to copy to"));
  if (from->backend != to->backend || from->desc.precision != to->desc.precision)
    return mfft_fail(MFFT_ERR_ARG, "the plans have backends %s and %s and precisions %d and %d; they must be the same",
                     from->backend->name, to->backend->name, (int)from->desc.precision, (int)to->desc.precision);
  const int ranks[2] = {from->dist ? from->dist->ranks : 1, to->dist ? to->dist->ranks : 1}; /* {from, to} */
  if (ranks[0] != ranks[1])
    return mfft_fail(MFFT_ERR_ARG, "the plans are on %d and %d ranks; make both on one communicator", ranks[0], ranks[1]);
  MFFT_TRY(mfft_plan_check_array(from, MFFT_OUT, in, "the array to copy from"));
  return mfft_plan_check_array(to, MFFT_OUT, out, "the array to copy to");
}

mfft_status mfft_plan_copy_modes(mfft_plan from, const void *in, mfft_plan to, void *out) {
  mfft_device_guard guard;
  if (!to) return check(from, in, to, out);
  MFFT_TRY(mfft_plan_enter(to, &guard));
  mfft_status status = check(from, in, to, out);
  if (to->dist && to->dist->ranks > 1) status = mfft_agree(to->dist->comm, status);
  if (status == MFFT_SUCCESS) status = copy_all(from, in, to, out);
  mfft_plan_leave(to, &guard);
  return status;
}
