/* schedule.c: see schedule.h. */
#include "local/cuda/planner/schedule.h"

#include <math.h>
#include <string.h>

#include "local/cuda/engines/table.h"
#include "local/cuda/planner/add_pass.h"
#include "local/cuda/planner/lengths.h"
#include "local/cuda/planner/pruned.h"
#include "local/cuda/planner/real_axis.h"

static mfft_axis complex_axis(const mfft_builder *b, int axis, mfft_place_id src, mfft_place_id dst, int last) {
  return (mfft_axis){.axis = axis, .n = b->spec->axis[axis].n, .src = src, .dst = dst, .last = last};
}

/* Adds two axes, or one long axis, as one launch where that was measured to be faster; *axes is how many.  A line that fits
 * a block is such an axis only where there are few. */
static mfft_status add_pair(mfft_builder *b, int axis, mfft_place_id src, int left, int *axes) {
  const int slow = axis - 1;
  const mfft_axis alone = complex_axis(b, axis, src, MFFT_AT_OUT, 0);
  const mfft_pair_request plane = {MFFT_PAIR_PLANE, slow, axis, src, MFFT_AT_OUT, left == 2},
                          line = {MFFT_PAIR_LINE, axis, axis, src, MFFT_AT_OUT, left == 1};
  const char *const *named = b->spec->radices; /* those are passes of blocks */
  const int by_name = b->spec->cluster > 0, few = 2 * mfft_builder_others(b, axis, axis) <= b->limits->sms;
  int added = 0;
  *axes = 0;
  if (named[axis] || mfft_rest_of_length(b->dims[axis].n) > 1) return MFFT_SUCCESS;
  if (slow >= 0 && mfft_rest_of_length(b->dims[slow].n) == 1 && !named[slow] && b->dims[axis].n > 1 && b->dims[slow].n > 1)
    MFFT_TRY(mfft_engines_try_pair(b, &plane, &added));
  *axes = 2 * added;
  if (added || (!by_name && !few && mfft_axis_fits_one_pass(b, &alone, 1))) return MFFT_SUCCESS;
  MFFT_TRY(mfft_engines_try_pair(b, &line, &added));
  *axes = added;
  return MFFT_SUCCESS;
}

/* The place of the result of an axis: the shares, if these divide the axis. */
static mfft_place_id place_behind(const mfft_fft_spec *spec, int axis) {
  return spec->scatter.count && spec->scatter.axis == axis ? MFFT_AT_SHARES : MFFT_AT_OUT;
}

/* The order in which axes are transformed: the fastest first, and last the one that shares divide. */
static void order_axes(const mfft_fft_spec *spec, int order[3]) {
  const int cut = spec->scatter.count ? spec->scatter.axis : 0;
  int count = 0;
  for (int a = spec->naxes - 1; a >= 0; a--)
    if (a != cut) order[count++] = a;
  order[count] = cut;
}

/* Dense strides for the workspace, in the order of the complex side, with `whole` elements on the last axis. */
static void lay_out_work(mfft_builder *b, mfft_place_id complex_side, int last_axis, int64_t whole) {
  b->work_elements = mfft_builder_lay_out(b, complex_side, last_axis, whole, MFFT_AT_WORK, MFFT_AT_WORK2);
}

/* The loops of the spec as dimensions. */
static void add_loops(mfft_builder *b) {
  const mfft_fft_spec *spec = b->spec;
  for (int i = 0; i < spec->nloops; i++) {
    b->dims[b->count] = (mfft_builder_dim){spec->loop[i].n, {spec->loop[i].is, spec->loop[i].os}, 0};
    b->dims[b->count].stride[MFFT_AT_SHARES] = spec->scatter.stride[0][b->count];
    b->count++;
  }
}

/* One axis of n1 n2 in scrambled order (backend.h): columns and rows of a matrix in place, and the twiddle between them ends
 * the pass over the first.  Nothing is transposed. */
static mfft_status build_scrambled(mfft_builder *b) {
  const mfft_fft_spec *spec = b->spec;
  const mfft_dim whole = spec->axis[0];
  const int64_t n1 = spec->scrambled, n2 = whole.n / n1;
  MFFT_TRY(mfft_check_smooth(whole.n));
  b->dims[b->count++] = (mfft_builder_dim){n1, {n2 * whole.is, n2 * whole.os}, 0};
  b->dims[b->count++] = (mfft_builder_dim){n2, {whole.is, whole.os}, 0};
  b->log_total = log((double)whole.n);
  add_loops(b);
  lay_out_work(b, MFFT_AT_OUT, 1, n2);
  const int first = spec->direction == MFFT_BACKWARD; /* columns, or rows */
  const mfft_axis begin = {.axis = first, .n = b->dims[first].n, .src = MFFT_AT_IN, .dst = MFFT_AT_OUT},
                  end = {.axis = !first, .n = b->dims[!first].n, .src = MFFT_AT_OUT, .dst = MFFT_AT_OUT, .last = 1};
  b->dims[!first].twiddled = b->dims[!first].n;
  if (!mfft_axis_fits_one_pass(b, &begin, 0))
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: %s of %lld elements in scrambled order take several passes",
                     first ? "rows" : "columns", (long long)begin.n);
  MFFT_TRY(mfft_axis_add(b, &begin));
  b->dims[!first].twiddled = 0;
  return mfft_axis_add(b, &end);
}

/* One axis of a phase: the index of a loop enters its twiddle, or its complexes are pairs of reals. */
static mfft_status build_line(mfft_builder *b) {
  const mfft_fft_spec *spec = b->spec;
  const mfft_dim axis = spec->axis[0];
  const int pairs_in = spec->pairs == 1, pairs_out = spec->pairs == 2;
  MFFT_TRY(mfft_check_smooth(axis.n));
  if (spec->twiddle_loop && spec->loop[spec->twiddle_loop - 1].n == 1 && spec->twiddle_lines > 1)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: one line alone of %lld with an inter-pass twiddle",
                     (long long)spec->twiddle_lines);
  b->dims[b->count++] = (mfft_builder_dim){axis.n, {axis.is, axis.os}, 0};
  for (int i = 0; i < spec->nloops; i++) {
    const mfft_dim *l = &spec->loop[i];
    b->dims[b->count++] = (mfft_builder_dim){
        l->n, {l->is * (1 + pairs_in), l->os * (1 + pairs_out)}, i + 1 == spec->twiddle_loop ? spec->twiddle_lines : 0};
  }
  b->log_total = log((double)axis.n);
  lay_out_work(b, pairs_out ? MFFT_AT_IN : MFFT_AT_OUT, 0, axis.n);
  const mfft_axis line = {.axis = 0,
                          .n = axis.n,
                          .src = MFFT_AT_IN,
                          .dst = MFFT_AT_OUT,
                          .load = pairs_in ? MFFT_FORM_REAL_PAIR : MFFT_FORM_COMPLEX,
                          .store = pairs_out ? MFFT_FORM_REAL_PAIR : MFFT_FORM_COMPLEX,
                          .last = 1};
  return mfft_axis_add(b, &line);
}

/* The pass of a long packed real axis that loads or stores the half spectrum: its first or its last. */
static mfft_status build_piece(mfft_builder *b) {
  const mfft_fft_spec *spec = b->spec;
  const mfft_dim axis = spec->axis[0];
  const int first = spec->type == MFFT_FFT_C2R;
  const int64_t n = axis.n / 2, others = n / spec->piece;
  const mfft_form in = first ? MFFT_FORM_HALF_EVEN : MFFT_FORM_COMPLEX,
                  out = first ? MFFT_FORM_COMPLEX : MFFT_FORM_HALF_EVEN;
  b->dims[b->count++] = (mfft_builder_dim){n, {axis.is, axis.os}, 0};
  add_loops(b);
  const mfft_pass_geometry piece = {.axis = 0,
                                    .n = spec->piece,
                                    .before = first ? 1 : others,
                                    .after = first ? others : 1,
                                    .src = MFFT_AT_IN,
                                    .dst = MFFT_AT_OUT,
                                    .load = in,
                                    .store = out,
                                    .last = 1};
  return mfft_add_pass(b, &piece);
}

/* Elements of a row of the workspace. */
static int64_t work_row(const mfft_fft_spec *spec) {
  const int64_t n = spec->axis[spec->naxes - 1].n;
  return spec->type == MFFT_FFT_C2C || n % 2 ? n : spec->naxes == 1 ? n / 2 : n / 2 + 1;
}

/* The axes and loops of a plain transform, and the workspace. */
static mfft_status set_dimensions(mfft_builder *b) {
  const mfft_fft_spec *spec = b->spec;
  const int last = spec->naxes - 1;
  const int64_t n = spec->axis[last].n;
  for (int i = 0; i < spec->naxes; i++) {
    MFFT_TRY(mfft_check_length(spec->axis[i].n));
    b->dims[b->count++] = (mfft_builder_dim){spec->axis[i].n, {spec->axis[i].is, spec->axis[i].os}, 0};
    b->dims[i].stride[MFFT_AT_SHARES] = spec->scatter.stride[0][i];
    const int packed = i == last && spec->type != MFFT_FFT_C2C && n % 2 == 0;
    b->log_total += log((double)(packed ? n / 2 : spec->axis[i].n));
  }
  add_loops(b);
  lay_out_work(b, spec->type == MFFT_FFT_C2R ? MFFT_AT_IN : MFFT_AT_OUT, last, work_row(spec));
  return MFFT_SUCCESS;
}

static mfft_status build_complex(mfft_builder *b) {
  const mfft_fft_spec *spec = b->spec;
  mfft_place_id at = MFFT_AT_IN;
  int left = 0, order[3]; /* left: axes still to be done; the last one carries the scale */
  for (int i = 0; i < spec->naxes; i++) left += spec->axis[i].n > 1;
  order_axes(spec, order);
  for (int i = 0; i < spec->naxes; i++) {
    const int a = order[i];
    int axes = 0;
    if (spec->axis[a].n == 1 && !(i == spec->naxes - 1 && at == MFFT_AT_IN)) continue;
    MFFT_TRY(add_pair(b, a, at, left, &axes));
    left -= axes ? axes : 1;
    const mfft_axis alone = complex_axis(b, a, at, place_behind(spec, a), left <= 0);
    if (!axes) MFFT_TRY(mfft_axis_add(b, &alone));
    i += axes ? axes - 1 : 0;
    at = MFFT_AT_OUT;
  }
  return MFFT_SUCCESS;
}

static mfft_status build_real_to_half(mfft_builder *b) {
  const mfft_fft_spec *spec = b->spec;
  const int last = spec->naxes - 1;
  const int64_t n = spec->axis[last].n;
  int order[3]; /* [step] axis */
  order_axes(spec, order);
  MFFT_TRY(mfft_axis_real_to_half(b, last, n, last ? MFFT_AT_OUT : place_behind(spec, last)));
  b->dims[last].n = n / 2 + 1;
  for (int i = 0; i <= last; i++) {
    const int a = order[i];
    const mfft_axis x = complex_axis(b, a, MFFT_AT_OUT, place_behind(spec, a), 0);
    if (a != last && x.n > 1) MFFT_TRY(mfft_axis_add(b, &x));
  }
  return MFFT_SUCCESS;
}

static mfft_status build_half_to_real(mfft_builder *b) {
  const mfft_fft_spec *spec = b->spec;
  const int last = spec->naxes - 1;
  const int64_t n = spec->axis[last].n;
  const mfft_place_id to = spec->in_place || spec->destroy_input ? MFFT_AT_IN : MFFT_AT_WORK;
  mfft_place_id at = MFFT_AT_IN;
  b->dims[last].n = n / 2 + 1 - spec->ends;
  for (int a = 0; a < last; a++) {
    const mfft_axis x = complex_axis(b, a, at, to, 0);
    if (x.n == 1) continue;
    MFFT_TRY(mfft_axis_add(b, &x));
    at = to;
  }
  b->dims[last].n = n;
  return mfft_axis_half_to_real(b, last, n, at);
}

/* Lines of cosines or sines as one pass of their DFT. */
static mfft_status build_trigonometric(mfft_builder *b) {
  const mfft_fft_spec *spec = b->spec;
  const mfft_dim axis = spec->axis[0];
  const int complex = spec->type == MFFT_FFT_C2C, back = spec->type == MFFT_FFT_C2R, pairs = !complex && axis.n % 2 == 0;
  const mfft_form whole = spec->line_pair[0] ? MFFT_FORM_LINE_PAIR : MFFT_FORM_COMPLEX;
  const mfft_form real = complex ? whole
                         : pairs ? MFFT_FORM_REAL_PAIR
                                 : MFFT_FORM_REAL,
                  half = complex ? whole
                         : pairs ? MFFT_FORM_HALF_EVEN
                                 : MFFT_FORM_HALF_ODD;
  const mfft_axis x = {.n = pairs ? axis.n / 2 : axis.n,
                       .src = MFFT_AT_IN,
                       .dst = MFFT_AT_OUT,
                       .load = back ? half : real,
                       .store = back ? real : half,
                       .last = 1};
  MFFT_TRY(mfft_check_smooth(axis.n));
  b->dims[b->count++] = (mfft_builder_dim){x.n, {axis.is, axis.os}, 0};
  b->log_total = log((double)x.n);
  add_loops(b);
  int added;
  MFFT_TRY(mfft_axis_try_columns(b, &x, &added));
  if (added) return MFFT_SUCCESS;
  if ((pairs && !mfft_axis_packs(b, &x)) || !mfft_axis_fits_sectors(b, &x))
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: cosines or sines by a DFT of %lld, which is no single pass",
                     (long long)axis.n);
  return mfft_axis_add_whole(b, &x);
}

/* The convolution of an axis, as one pass. */
static mfft_status build_convolved(mfft_builder *b) {
  const mfft_fft_spec *spec = b->spec;
  const mfft_dim axis = spec->axis[0];
  const mfft_axis x = {.n = axis.n, .src = MFFT_AT_IN, .dst = place_behind(spec, 0), .last = 1};
  MFFT_TRY(mfft_check_smooth(axis.n));
  b->dims[b->count] = (mfft_builder_dim){axis.n, {axis.is, axis.os}, 0};
  b->dims[b->count++].stride[MFFT_AT_SHARES] = spec->scatter.stride[0][0];
  add_loops(b);
  if (!mfft_axis_fits_one_pass(b, &x, 1))
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: a convolution of %lld elements as one pass", (long long)axis.n);
  return mfft_axis_add_whole(b, &x);
}

static mfft_status build(mfft_builder *b) {
  const mfft_fft_spec *spec = b->spec;
  if (spec->convolved) return build_convolved(b);
  if (spec->trigonometric) return build_trigonometric(b);
  if (spec->scrambled) return build_scrambled(b);
  if (spec->twiddle_loop || spec->pairs) return build_line(b);
  if (spec->piece) return build_piece(b);
  MFFT_TRY(set_dimensions(b));
  if (mfft_fft_pads(spec)) return mfft_pruned_build(b, work_row(spec));
  if (spec->type == MFFT_FFT_C2C) return build_complex(b);
  return spec->type == MFFT_FFT_R2C ? build_real_to_half(b) : build_half_to_real(b);
}

/* A part of the workspace; padded lines are as wide as the arithmetic. */
static size_t area_bytes(int64_t elements, int element_bytes) {
  return ((size_t)elements * (size_t)element_bytes + 255) / 256 * 256;
}

mfft_status mfft_schedule_make(const mfft_fft_spec *spec, const mfft_device_limits *limits, mfft_schedule *schedule) {
  memset(schedule, 0, sizeof *schedule);
  mfft_builder b = {.spec = spec, .limits = limits, .schedule = schedule};
  MFFT_TRY(build(&b));
  if (spec->scatter.count && (!schedule->count || schedule->pass[schedule->count - 1].dst != MFFT_AT_SHARES))
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: the last pass of this transform is none that can store into shares");
  const size_t area = area_bytes(b.work_elements, complex_bytes(spec->precision)),
               padded = area_bytes(b.padded_elements, value_bytes(spec->precision));
  schedule->work2_offset_bytes = area;
  schedule->padded_offset_bytes[0] = area * (size_t)b.work_areas;
  schedule->padded_offset_bytes[1] = schedule->padded_offset_bytes[0] + padded;
  schedule->work_bytes = schedule->padded_offset_bytes[0] + padded * (size_t)b.padded_areas;
  return MFFT_SUCCESS;
}

void mfft_schedule_in_parts(const mfft_tuned_parts *tuned, const mfft_fft_spec *spec, mfft_schedule *schedule) {
  for (int i = 0; i < schedule->count; i++) {
    mfft_pass *pass = &schedule->pass[i];
    int in_place = pass->src == pass->dst || (spec->in_place && pass->src <= MFFT_AT_OUT && pass->dst <= MFFT_AT_OUT);
    const int stays = in_place || (tuned->pairs_stay && spec->pairs == 2 && i > 0);
    if (pass->kernel.second.n && pass->kernel.cluster.columns == 1)
      continue; /* matrices in clusters are read and written once each */
    pass->kernel.in.last_use = !stays;
    pass->kernel.out.last_use = i == schedule->count - 1;
  }
}
