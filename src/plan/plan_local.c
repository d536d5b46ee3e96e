/* plan_local.c: a plan within one process: the descriptor becomes one transform in each direction.
 *
 * A layout allows an in-place transform if each line writes where it has read: equal strides for C2C; for R2C contiguous
 * rows of the halved axis on both sides, and real strides that are twice the complex ones.  Other in-place layouts, and
 * arrays that zeros follow, are transformed into the workspace and copied back. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/box.h"
#include "mfft_inspect.h"
#include "plan/plan.h"

/* One side of the plan: an array [batch][n[0]][n[1]][n[2]] with strides. */
typedef struct layout {
  int64_t n[3], stride[3]; /* elements */
  int64_t batch, dist;
  size_t element_bytes;
  int64_t span; /* elements from the first to the last, both included */
} layout;

/* Fills strides and dist that are 0: C order of an array of shape `shape`. */
static mfft_status fill_strides(layout *v, const mfft_desc *d, const int64_t shape[3], const int64_t given[3], int64_t dist,
                                const char *side) {
  int64_t packed = 1;
  int any = 0;
  for (int a = 0; a < d->rank; a++) any |= given[a] != 0;
  for (int a = 2; a >= 0; a--) {
    v->stride[a] = any && a < d->rank ? given[a] : packed;
    packed *= shape[a];
    if (v->stride[a] == 0 && v->n[a] > 1)
      return mfft_fail(MFFT_ERR_ARG, "%s_stride[%d] is 0 while others are set; set all of them, or none for packed arrays",
                       side, a);
  }
  v->dist = dist ? dist : packed;
  if (any && !dist && v->batch > 1)
    return mfft_fail(MFFT_ERR_ARG, "%s_dist is 0 for a batch of %" PRId64 " with strides; set the distance between arrays",
                     side, v->batch);
  return MFFT_SUCCESS;
}

/* Computes the span and refuses layouts whose elements may share memory: in ascending order of strides, each loop must
 * step over everything that the faster loops reach. */
static mfft_status check_layout(layout *v, const char *side) {
  static const char *const name[] = {"stride[0]", "stride[1]", "stride[2]", "dist"};
  const int64_t n[4] = {v->n[0], v->n[1], v->n[2], v->batch};                    /* [axis], then the batch */
  const int64_t stride[4] = {v->stride[0], v->stride[1], v->stride[2], v->dist}; /* [axis], then the batch */
  const int64_t most = INT64_C(1) << 57;
  int64_t reach = 1;
  for (unsigned done = 0; done != 15;) {
    int next = -1;
    for (int i = 0; i < 4; i++)
      if (!(done >> i & 1) && (next < 0 || stride[i] < stride[next])) next = i;
    done |= 1u << next;
    if (n[next] == 1) continue;
    if (stride[next] < reach)
      return mfft_fail(MFFT_ERR_ARG,
                       "%s_%s is %" PRId64 ", but the faster loops reach over %" PRId64
                       " elements, so elements would overlap; use %" PRId64 " or more",
                       side, name[next], stride[next], reach, reach);
    int64_t step;
    if (__builtin_mul_overflow(n[next] - 1, stride[next], &step) || step > most - reach)
      return mfft_fail(MFFT_ERR_ARG, "%s_%s is %" PRId64 ", which spreads the array over more than 2^57 elements", side,
                       name[next], stride[next]);
    reach += step;
  }
  v->span = reach;
  return MFFT_SUCCESS;
}

static mfft_status make_layouts(const mfft_desc *d, layout side[2]) {
  static const char *const name[] = {[MFFT_IN] = "in", [MFFT_OUT] = "out"};
  const int64_t *const stride[] = {[MFFT_IN] = d->in_stride, [MFFT_OUT] = d->out_stride};
  const int64_t dist[] = {[MFFT_IN] = d->in_dist, [MFFT_OUT] = d->out_dist};
  const int halved = mfft_desc_halved_axis(d);
  for (int s = 0; s < 2; s++) {
    layout *v = &side[s];
    memset(v, 0, sizeof *v);
    memcpy(v->n, s == MFFT_IN ? d->given : d->n, sizeof v->n);
    v->batch = d->batch;
    v->element_bytes = mfft_real_bytes(d->precision) * (mfft_desc_real(d, (mfft_side)s) ? 1 : 2);
    int64_t shape[3]; /* [axis] */
    if (halved >= 0 && s == MFFT_OUT) v->n[halved] = d->n[halved] / 2 + 1;
    memcpy(shape, v->n, sizeof shape);
    if (halved >= 0 && s == MFFT_IN && d->placement == MFFT_IN_PLACE && !mfft_desc_pads(d))
      shape[halved] = 2 * (d->n[halved] / 2 + 1);
    MFFT_TRY(fill_strides(v, d, shape, stride[s], dist[s], name[s]));
    MFFT_TRY(check_layout(v, name[s]));
  }
  return MFFT_SUCCESS;
}

static int fits_in_place(const mfft_desc *d, const layout side[2]) {
  const layout *in = &side[MFFT_IN], *out = &side[MFFT_OUT];
  const int64_t factor = d->kind == MFFT_R2C ? 2 : 1;
  const int halved = mfft_desc_halved_axis(d);
  if (mfft_desc_pads(d)) return 0;
  if (d->batch > 1 && in->dist != factor * out->dist) return 0;
  for (int a = 0; a < 3; a++) {
    if (a == halved && in->stride[a] == 1 && out->stride[a] == 1) continue;
    if (a == halved || (in->n[a] > 1 && in->stride[a] != factor * out->stride[a])) return 0;
  }
  return 1;
}

/* Gives each transformed axis its part of options.radices, or the only part to all of them.  Axes of length 1 count like
 * others. */
static mfft_status share_radices(const char *radices, mfft_fft_spec *spec) {
  const char *part = radices;
  int parts = 1;
  if (!part) return MFFT_SUCCESS;
  for (const char *c = part; *c; c++) parts += *c == 'x';
  if (parts != 1 && parts != spec->naxes)
    return mfft_fail(MFFT_ERR_ARG,
                     "radices are \"%s\" for %d axes, and %d are transformed; give one part for all, or %d separated by x",
                     radices, parts, spec->naxes, spec->naxes);
  for (int a = 0; a < spec->naxes; a++) {
    const size_t length = strcspn(part, "x");
    spec->radices[a] = length ? part : NULL;
    if (parts > 1 && part[length]) part += length + 1;
  }
  return MFFT_SUCCESS;
}

static void add_axis(mfft_fft_spec *spec, mfft_dim dim, mfft_axis_kind kind, int64_t given) {
  spec->kind[spec->naxes] = kind;
  spec->given[spec->naxes] = given < dim.n ? given : 0;
  spec->axis[spec->naxes++] = dim;
}

/* The transform of one direction from layout `from` to layout `to`. */
static mfft_fft_spec make_spec(mfft_plan plan, mfft_direction direction, const layout *from, const layout *to) {
  const mfft_desc *d = &plan->desc;
  static const mfft_fft_type type[][2] = {[MFFT_C2C] = {MFFT_FFT_C2C, MFFT_FFT_C2C},
                                          [MFFT_R2C] = {MFFT_FFT_R2C, MFFT_FFT_C2R},
                                          [MFFT_R2R] = {MFFT_FFT_R2R, MFFT_FFT_R2R}};
  const int halved = mfft_desc_halved_axis(d);
  mfft_fft_spec spec;
  memset(&spec, 0, sizeof spec); /* specs are compared by bytes */
  spec.type = type[d->kind][direction];
  spec.direction = direction;
  spec.precision = d->precision;
  mfft_desc_set_scale(d, direction, &spec);
  spec.destroy_input = d->placement == MFFT_OUT_OF_PLACE && d->allow_destroy_input;
  mfft_plan_steer(plan, &spec);
  if (d->batch > 1) spec.loop[spec.nloops++] = (mfft_dim){d->batch, from->dist, to->dist};
  for (int a = 0; a < d->rank; a++) {
    mfft_dim dim = {d->n[a], from->stride[a], to->stride[a]};
    if (!(d->axes >> a & 1))
      spec.loop[spec.nloops++] = dim;
    else if (a != halved)
      add_axis(&spec, dim, mfft_desc_axis_kind(d, a, direction), d->given[a]);
  }
  if (halved < 0) return spec;
  add_axis(&spec, (mfft_dim){d->n[halved], from->stride[halved], to->stride[halved]}, MFFT_DFT, d->given[halved]);
  return spec;
}

static mfft_stage *add_fft(mfft_plan plan, mfft_direction direction, mfft_fft *fft) {
  static const char *const axes_name[] = {"", "x", "y", "x,y", "z", "x,z", "y,z", "x,y,z"};
  mfft_stage *stage = mfft_program_add(&plan->program[direction], MFFT_STAGE_FFT, "fft %s", axes_name[plan->desc.axes]);
  if (!stage) return NULL;
  stage->fft = fft;
  stage->in.buffer = MFFT_BUFFER_SRC;
  stage->out.buffer = MFFT_BUFFER_DST;
  return stage;
}

static mfft_status no_memory(void) { return mfft_fail(MFFT_ERR_MEMORY, "no memory for a program of two stages"); }

/* Adds the FILTER stage before a backward transform.  If the input may be destroyed, it is filtered in place; otherwise
 * the filtered spectrum goes to the workspace, and the transform reads it there. */
static mfft_status filter_input(mfft_plan plan, const layout *from, mfft_place *product) {
  const mfft_place input = {MFFT_BUFFER_SRC, 0};
  const int separate = plan->desc.placement == MFFT_OUT_OF_PLACE && !plan->desc.allow_destroy_input;
  *product = (mfft_place){separate ? MFFT_BUFFER_PRODUCT : MFFT_BUFFER_SRC, 0};
  if (separate) plan->work_bytes[MFFT_BUFFER_PRODUCT] = plan->bytes[MFFT_OUT];
  return mfft_plan_add_filter(plan, MFFT_BACKWARD, from->stride, from->dist, input, *product);
}

/* Adds the FILTER stage after a forward transform. */
static mfft_status filter_output(mfft_plan plan, const layout *to) {
  const mfft_place output = {MFFT_BUFFER_DST, 0};
  return mfft_plan_add_filter(plan, MFFT_FORWARD, to->stride, to->dist, output, output);
}

/* Lets the transform apply the filter to its input or output, the array of layout `out`, if the backend can. */
static int fuse(mfft_plan plan, const layout *out, mfft_filtered which, mfft_fft_spec *spec) {
  mfft_fft_spec filtered = *spec;
  filtered.filtered = which;
  filtered.filter = mfft_plan_filter_shape(plan, &plan->box[MFFT_OUT], out->stride, out->batch, out->dist);
  if (!plan->backend->fuses || !plan->backend->fuses(&filtered)) return 0;
  *spec = filtered;
  return 1;
}

/* Adds one stage from the caller's input, or the filtered input, to the caller's output. */
static mfft_status build_direct(mfft_plan plan, mfft_direction direction, const layout *from, const layout *to) {
  mfft_fft_spec spec = make_spec(plan, direction, from, to);
  mfft_fft *fft = NULL;
  mfft_place input = {MFFT_BUFFER_SRC, 0};
  const int forward = direction == MFFT_FORWARD;
  int filtered = mfft_desc_filters(&plan->desc, direction);
  MFFT_TRY(share_radices(plan->options.radices, &spec));
  spec.in_place = plan->desc.placement == MFFT_IN_PLACE;
  if (filtered && fuse(plan, forward ? to : from, forward ? MFFT_FILTER_OUTPUT : MFFT_FILTER_INPUT, &spec)) filtered = 0;
  if (filtered && !forward) MFFT_TRY(filter_input(plan, from, &input));
  spec.destroy_input |= input.buffer == MFFT_BUFFER_PRODUCT;
  MFFT_TRY(mfft_plan_fft(plan, &spec, &fft));
  mfft_stage *stage = add_fft(plan, direction, fft);
  if (!stage) return no_memory();
  stage->in = input;
  return filtered && forward ? filter_output(plan, to) : MFFT_SUCCESS;
}

/* Adds a transform into a packed array in the workspace, and a copy back to the caller's array. */
static mfft_status build_through_work(mfft_plan plan, mfft_direction direction, const layout *from, const layout *to) {
  layout packed = *to;
  int64_t stride = 1;
  for (int a = 2; a >= 0; a--) packed.stride[a] = stride, stride *= packed.n[a];
  packed.dist = stride;
  const size_t packed_bytes = (size_t)(stride * packed.batch) * packed.element_bytes;

  mfft_fft_spec spec = make_spec(plan, direction, from, &packed);
  spec.destroy_input = 1;
  mfft_fft *fft = NULL;
  mfft_place input;
  const int filtered = mfft_desc_filters(&plan->desc, direction);
  if (filtered && direction == MFFT_BACKWARD) MFFT_TRY(filter_input(plan, from, &input)); /* in place */
  MFFT_TRY(share_radices(plan->options.radices, &spec));
  MFFT_TRY(mfft_plan_fft(plan, &spec, &fft));
  mfft_stage *stage = add_fft(plan, direction, fft);
  if (!stage) return no_memory();
  stage->out.buffer = MFFT_BUFFER_WORK;

  mfft_stage *copy = mfft_program_add(&plan->program[direction], MFFT_STAGE_COPY, "back in place");
  if (!copy) return no_memory();
  copy->blocks = calloc(1, sizeof *copy->blocks);
  if (!copy->blocks) return no_memory();
  copy->nblocks = 1;
  copy->element_bytes = (int64_t)to->element_bytes;
  copy->in.buffer = MFFT_BUFFER_WORK;
  copy->out.buffer = MFFT_BUFFER_DST;
  *copy->blocks = (mfft_block){.n = {to->batch, to->n[0], to->n[1], to->n[2]},
                               .is = {packed.dist, packed.stride[0], packed.stride[1], packed.stride[2]},
                               .os = {to->dist, to->stride[0], to->stride[1], to->stride[2]}};
  if (packed_bytes > plan->work_bytes[MFFT_BUFFER_WORK]) plan->work_bytes[MFFT_BUFFER_WORK] = packed_bytes;
  return filtered && direction == MFFT_FORWARD ? filter_output(plan, to) : MFFT_SUCCESS;
}

/* Sets the sizes that the caller allocates.  In place both sides have the same bytes. */
static void fill_sides(mfft_plan plan, const layout side[2]) {
  for (int s = 0; s < 2; s++) {
    plan->box[s] = mfft_box_whole(side[s].n);
    plan->count[s] = side[s].span;
    plan->bytes[s] = (size_t)side[s].span * side[s].element_bytes;
  }
  if (plan->desc.placement != MFFT_IN_PLACE) return;
  size_t bytes = plan->bytes[MFFT_IN] > plan->bytes[MFFT_OUT] ? plan->bytes[MFFT_IN] : plan->bytes[MFFT_OUT];
  for (int s = 0; s < 2; s++) {
    plan->count[s] = (int64_t)((bytes + side[s].element_bytes - 1) / side[s].element_bytes);
    plan->bytes[s] = (size_t)plan->count[s] * side[s].element_bytes;
  }
}

/* Creates a plan on the backend that `find` returns for the name in the options. */
static mfft_status create(const mfft_desc *desc, const mfft_options *options,
                          mfft_status (*find)(const char *, const mfft_backend **), mfft_plan *plan) {
  mfft_status status = MFFT_SUCCESS;
  mfft_plan made = NULL;
  layout side[2]; /* [side] */
  MFFT_TRY(mfft_plan_new(&made));
  MFFT_GOTO(fail, mfft_desc_check(desc, &made->desc));
  MFFT_GOTO(fail, mfft_options_check(options, made->desc.precision, &made->options));
  mfft_options_tune(&made->options); /* a local plan chooses only among its transforms */
  if (made->desc.padded)
    MFFT_GOTO(fail, mfft_fail(MFFT_ERR_UNSUPPORTED, "padded is 1, which is for distributed plans; set in_stride"));
  MFFT_GOTO(fail, make_layouts(&made->desc, side));
  MFFT_GOTO(fail, mfft_desc_find_backend(&made->desc, made->options.backend, find, &made->backend));
  made->options.backend = made->backend->name;
  MFFT_GOTO(fail, mfft_options_suit(&made->options, made->backend));
  MFFT_GOTO(fail, mfft_options_refuse_host_arrays(&made->options, made->backend, "a local plan"));
  made->options.host_arrays = 0; /* the backend takes them itself */
  made->deadline = mfft_options_deadline(&made->options, made->backend);
  for (int a = 0; a < 3; a++) {
    made->desc.in_stride[a] = side[MFFT_IN].stride[a];
    made->desc.out_stride[a] = side[MFFT_OUT].stride[a];
  }
  made->desc.in_dist = side[MFFT_IN].dist;
  made->desc.out_dist = side[MFFT_OUT].dist;
  made->element_bytes = 2 * (int64_t)mfft_real_bytes(made->desc.precision);
  fill_sides(made, side);

  const int direct = made->desc.placement == MFFT_OUT_OF_PLACE || fits_in_place(&made->desc, side);
  const int scrambled = made->desc.scrambled;
  if (scrambled && made->options.radices)
    MFFT_GOTO(fail,
              mfft_fail(MFFT_ERR_UNSUPPORTED,
                        "radices are \"%s\", and a scrambled transform of one dimension chooses its own; set scrambled = 0",
                        made->options.radices));
  if (scrambled) MFFT_GOTO(fail, mfft_plan_build_four_step(made));
  for (int direction = 0; direction < 2 && !scrambled; direction++) {
    const layout *from = &side[direction == MFFT_FORWARD ? MFFT_IN : MFFT_OUT];
    const layout *to = &side[direction == MFFT_FORWARD ? MFFT_OUT : MFFT_IN];
    MFFT_GOTO(fail, (direct ? build_direct : build_through_work)(made, (mfft_direction)direction, from, to));
  }
  MFFT_GOTO(fail, mfft_plan_finish(made));
  made->options.radices = NULL; /* the text of the caller may be freed */
  *plan = made;
  return MFFT_SUCCESS;

fail:
  mfft_plan_destroy(made);
  return status;
}

mfft_status mfft_plan_create(const mfft_desc *desc, const mfft_options *options, mfft_plan *plan) {
  mfft_plan made = NULL;
  if (!plan) return mfft_fail(MFFT_ERR_ARG, "plan is NULL; pass the address of a variable for the result");
  MFFT_TRY(create(desc, options, mfft_backend_find, &made));
  mfft_plan_log(made);
  *plan = made;
  return MFFT_SUCCESS;
}

/* Uses the plan-only backend if there is one, and allocates no workspace in any case. */
mfft_status mfft_plan_outline(const mfft_desc *desc, const mfft_options *options, char *text, size_t size, size_t *needed) {
  mfft_desc checked;
  mfft_options outline;
  mfft_plan plan = NULL;
  MFFT_TRY(mfft_desc_check(desc, &checked));
  MFFT_TRY(mfft_options_check(options, checked.precision, &outline));
  outline.user_workspace = 1;
  MFFT_TRY(create(&checked, &outline, mfft_backend_find_plan_only, &plan));
  mfft_status status = mfft_plan_describe(plan, text, size, needed);
  mfft_plan_destroy(plan);
  return status;
}
