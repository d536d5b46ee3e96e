/* builder.c: dimensions, loops and places; see builder.h. */
#include "local/cuda/planner/builder.h"

#include <limits.h>
#include <math.h>
#include <string.h>

int64_t mfft_builder_others(const mfft_builder *b, int slow, int fast) {
  int64_t count = 1;
  for (int d = 0; d < b->count; d++)
    if (d != slow && d != fast) count *= b->dims[d].n;
  return count;
}

void mfft_builder_use_work(mfft_builder *b, mfft_place_id place) {
  int areas = place == MFFT_AT_WORK ? 1 : place == MFFT_AT_WORK2 ? 2 : 0;
  int padded = place == MFFT_AT_PADDED ? 1 : place == MFFT_AT_PADDED2 ? 2 : 0;
  if (areas > b->work_areas) b->work_areas = areas;
  if (padded > b->padded_areas) b->padded_areas = padded;
}

int64_t mfft_builder_lay_out(mfft_builder *b, mfft_place_id side, int axis, int64_t whole, mfft_place_id first,
                             mfft_place_id second) {
  int order[MAX_DIMS];
  for (int d = 0; d < b->count; d++) {
    int at = d;
    order[d] = d;
    while (at > 0 && b->dims[order[at]].stride[side] < b->dims[order[at - 1]].stride[side]) {
      int swap = order[at];
      order[at] = order[at - 1];
      order[at - 1] = swap;
      at--;
    }
  }
  int64_t stride = 1;
  for (int i = 0; i < b->count; i++) {
    mfft_builder_dim *d = &b->dims[order[i]];
    d->stride[first] = d->stride[second] = stride;
    stride *= order[i] == axis ? whole : d->n;
  }
  return stride;
}

int mfft_builder_same_memory(const mfft_builder *b, mfft_place_id x, mfft_place_id y) {
  return x == y || (b->spec->in_place && x <= MFFT_AT_OUT && y <= MFFT_AT_OUT);
}

int mfft_builder_twiddled(const mfft_builder *b, int axis) {
  int d = b->count - 1;
  while (d >= 0 && (d == axis || b->dims[d].twiddled <= 1)) d--;
  return d;
}

int64_t mfft_builder_twiddle_order(const mfft_builder *b, int axis, int64_t n, int64_t after) {
  const int d = mfft_builder_twiddled(b, axis);
  const int64_t lines = d < 0 ? after : after * b->dims[d].twiddled;
  return lines > 1 ? n * lines : 0;
}

static int smaller(const mfft_builder_loop *x, const mfft_builder_loop *y, int input) {
  int64_t a = input ? x->is : x->os, b = input ? y->is : y->os;
  if (a != b) return a < b;
  return x->n < y->n;
}

/* Whether the index of a loop has a meaning of its own, so that the loop cannot be joined with another. */
static int is_alone(const mfft_builder_loop *l) { return l->outer || l->mirror || l->along || l->real_lines; }

/* Drops loops of one element, unless that is a pair of lines, sorts the others inner to outer by their strides in input or
 * output, and joins a loop to the one inside it if it continues that. */
static int arrange(mfft_builder_loop *loops, int count, int input) {
  int left = 0;
  for (int i = 0; i < count; i++)
    if (loops[i].n > 1 || loops[i].real_lines) loops[left++] = loops[i];
  for (int i = 1; i < left; i++)
    for (int j = i; j > 0 && smaller(&loops[j], &loops[j - 1], input); j--) {
      mfft_builder_loop swap = loops[j];
      loops[j] = loops[j - 1];
      loops[j - 1] = swap;
    }
  int joined = 0;
  for (int i = 0; i < left; i++) {
    mfft_builder_loop *last = joined ? &loops[joined - 1] : NULL;
    int separate = !last || is_alone(last) || is_alone(&loops[i]) || loops[i].dim >= 0;
    if (!separate && loops[i].is == last->is * last->n && loops[i].os == last->os * last->n)
      last->n *= loops[i].n;
    else
      loops[joined++] = loops[i];
  }
  if (!joined) loops[joined++] = (mfft_builder_loop){.n = 1, .dim = -1};
  return joined;
}

mfft_status mfft_builder_new_pass(mfft_builder *b, mfft_place_id src, mfft_place_id dst, mfft_pass **made) {
  if (b->schedule->count == MFFT_MAX_PASSES)
    return mfft_fail(MFFT_ERR_INTERNAL, "cuda: more than %d passes", MFFT_MAX_PASSES);
  mfft_pass *pass = &b->schedule->pass[b->schedule->count++];
  memset(pass, 0, sizeof *pass);
  pass->src = src;
  pass->dst = dst;
  pass->kernel.precision = b->spec->precision;
  for (int m = 0; m < MFFT_MAX_MERGES; m++) pass->args.merge_scale[m] = 1;
  pass->kernel.sign = b->spec->direction == MFFT_FORWARD ? -1 : 1;
  pass->args.scale = pass->share = 1;
  mfft_builder_use_work(b, src);
  mfft_builder_use_work(b, dst);
  *made = pass;
  return MFFT_SUCCESS;
}

mfft_status mfft_builder_set_blocks(mfft_pass *pass, int64_t blocks) {
  pass->blocks = blocks;
  if (blocks > INT_MAX)
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "cuda: a pass needs %lld blocks, and one launch takes %d; use smaller arrays or more ranks",
                     (long long)blocks, INT_MAX);
  return MFFT_SUCCESS;
}

double mfft_builder_scale(const mfft_builder *b, int64_t n, int last) {
  const mfft_fft_spec *s = b->spec;
  if (is_sixteen_bit(s->precision) && s->scale < 1 && b->log_total > 0) return pow(s->scale, log((double)n) / b->log_total);
  return last ? s->scale : 1;
}

/* Notes which loop is that over pairs of real lines, and the distances of the two lines of a pair. */
static void set_pairs(mfft_pass *pass, int loop, const mfft_builder_loop *pairs) {
  pass->kernel.real_pairs = loop + 1;
  pass->args.real_lines = (unsigned long long)pairs->real_lines;
  if (mfft_is_odd_end(pass->kernel.in.form)) pass->args.in_pair = pairs->is / 2;
  if (mfft_is_odd_end(pass->kernel.out.form)) pass->args.out_pair = pairs->os / 2;
}

mfft_status mfft_builder_loops(mfft_builder *b, mfft_pass *pass, int axis, int other, const mfft_builder_loop *extra,
                               int extras, int input) {
  mfft_builder_loop loops[MAX_DIMS + 2];
  int count = 0;
  const int own_addresses = pass->kernel.scatter.shares && !pass->kernel.scatter.uniform;
  const int odd_end = mfft_is_odd_end(pass->kernel.in.form) || mfft_is_odd_end(pass->kernel.out.form);
  for (int i = 0; i < extras; i++) loops[count++] = extra[i];
  for (int d = 0; d < b->count; d++)
    if (d != axis && d != other)
      loops[count++] = (mfft_builder_loop){.n = b->dims[d].n,
                                           .is = b->dims[d].stride[pass->src],
                                           .os = b->dims[d].stride[pass->dst],
                                           .outer = b->dims[d].twiddled > 1,
                                           .real_lines = odd_end && d + 1 == b->pairs ? b->real_lines : 0,
                                           .dim = own_addresses ? d : -1};
  count = arrange(loops, count, input);
  if (count > MFFT_PASS_LOOPS)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: %d loops around an axis, %d are possible", count, MFFT_PASS_LOOPS);
  pass->kernel.loops = count;
  pass->args.lines = 1;
  for (int i = 0; i < count; i++) {
    pass->args.loop_n[i] = (unsigned long long)loops[i].n;
    pass->args.loop_in[i] = loops[i].is;
    pass->args.loop_out[i] = loops[i].os;
    for (int s = 0; s < pass->kernel.scatter.shares; s++)
      pass->args.scatter.loop[s][i] = loops[i].dim >= 0 ? b->spec->scatter.stride[s][loops[i].dim] : loops[i].os;
    pass->args.lines *= loops[i].n;
    if (loops[i].outer == 1) pass->kernel.twiddle.loop = i + 1;
    if (loops[i].outer > 1) pass->kernel.twiddle.second_loop = i + 1, pass->args.outer_step = (unsigned)loops[i].outer;
    if (loops[i].mirror) pass->kernel.mirror = i + 1;
    if (loops[i].along) pass->kernel.bluestein.loop = i + 1;
    if (loops[i].real_lines) set_pairs(pass, i, &loops[i]);
  }
  return MFFT_SUCCESS;
}

int64_t mfft_builder_least_stride(const mfft_builder *b, int axis, mfft_place_id place, const mfft_builder_loop *extra,
                                  int extras, int input) {
  int64_t least = INT64_MAX;
  for (int d = 0; d < b->count; d++)
    if (d != axis && b->dims[d].n > 1 && b->dims[d].stride[place] < least) least = b->dims[d].stride[place];
  for (int i = 0; i < extras; i++) {
    int64_t stride = input ? extra[i].is : extra[i].os;
    if (extra[i].n > 1 && stride < least) least = stride;
  }
  return least;
}
