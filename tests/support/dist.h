/* dist.h: one distributed transform checked against FFTW on the whole array, which every rank holds: in double, or in long
 * double in tests that define DIST_LONG_DOUBLE, which alone have plans of that precision. */
#ifndef MFFT_TESTS_DIST_H
#define MFFT_TESTS_DIST_H

#include <complex.h>
#include <fftw3.h>
#include <float.h>
#include <mpi.h>

#include "check.h"
#include "local/host/half.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"
#include "mfft_spectrum.h"
#include "plan/distribution.h"

#ifdef DIST_LONG_DOUBLE
typedef long double dist_real;
#define DIST_FFTW(name) fftwl##_##name /* in this form, since a test with the plain prefix needs FFTW in long double */
#else
typedef double dist_real;
#define DIST_FFTW(name) fftw_##name
#endif

/* Value of element i of the global input: the same on every rank, without structure; in long double with all its bits. */
static inline dist_real dist_value(int64_t i) {
  uint64_t state = (uint64_t)i * 2654435761u + 17;
  const dist_real value = test_random(&state);
  return sizeof value > sizeof(double) ? value / 3 : value;
}

static inline int64_t dist_offset(const mfft_box *b, const int64_t i[3]) {
  int64_t offset = 0, order_is_zero = !b->order[0] && !b->order[1] && !b->order[2];
  for (int level = 0; level < 3; level++) {
    int axis = order_is_zero ? level : b->order[level];
    offset = offset * (b->hi[axis] - b->lo[axis]) + i[axis] - b->lo[axis];
  }
  return offset;
}

static inline int64_t dist_count(const mfft_box *b) {
  int64_t count = 1;
  for (int axis = 0; axis < 3; axis++) count *= b->hi[axis] > b->lo[axis] ? b->hi[axis] - b->lo[axis] : 0;
  return count;
}

static inline void dist_store(void *array, mfft_precision precision, int64_t i, dist_real value) {
  if (precision == MFFT_LONG_DOUBLE) ((long double *)array)[i] = value;
  if (precision == MFFT_DOUBLE) ((double *)array)[i] = (double)value;
  if (precision == MFFT_SINGLE) ((float *)array)[i] = (float)value;
  if (precision == MFFT_HALF) ((uint16_t *)array)[i] = mfft_half_of_float((float)value);
  if (precision == MFFT_BFLOAT16) ((uint16_t *)array)[i] = mfft_bfloat16_of_float((float)value);
}

static inline dist_real dist_load(const void *array, mfft_precision precision, int64_t i) {
  if (precision == MFFT_LONG_DOUBLE) return (dist_real)((const long double *)array)[i];
  if (precision == MFFT_DOUBLE) return ((const double *)array)[i];
  if (precision == MFFT_SINGLE) return ((const float *)array)[i];
  if (precision == MFFT_HALF) return mfft_half_to_float(((const uint16_t *)array)[i]);
  return mfft_bfloat16_to_float(((const uint16_t *)array)[i]);
}

static const double dist_tolerance[] = {[MFFT_DOUBLE] = 4e-16,
                                        [MFFT_SINGLE] = 1.7e-7,
                                        [MFFT_HALF] = 3e-4 * 1.8,
                                        [MFFT_BFLOAT16] = 2.6e-3 * 1.8,
                                        [MFFT_LONG_DOUBLE] = (double)(1.8L * LDBL_EPSILON)};

/* Requests an order: of one dimension scrambled order in place of the transposed one. */
static inline void dist_set_order(mfft_desc *d, mfft_order order) {
  d->scrambled = d->rank == 1 && order == MFFT_ORDER_TRANSPOSED;
  d->order = d->rank == 1 ? MFFT_ORDER_NATURAL : order;
}

/* Lengths of the caller's array, padded by ones to three axes. */
static inline void dist_lengths(const mfft_desc *d, int64_t n[3]) {
  for (int axis = 0; axis < 3; axis++) n[axis] = axis < d->rank ? d->n[axis] : 1;
}

/* Points of an axis of IN; zeros follow them. */
static inline int64_t dist_given(const mfft_desc *d, int axis) {
  return axis >= d->rank ? 1 : d->given[axis] ? d->given[axis] : d->n[axis];
}

static inline int dist_half_axis(const mfft_desc *d) {
  unsigned axes = d->axes ? d->axes : (1u << d->rank) - 1;
  for (int a = 0; a < 3; a++)
    if (d->axis_kind[a]) axes &= ~(1u << a);
  return d->kind == MFFT_R2C ? (axes & 4 ? 2 : axes & 2 ? 1 : 0) : -1;
}

/* Transforms an axis of a whole array of complex numbers, in place, by cosines or sines.  Returns what the transform and its
 * inverse multiply by. */
static inline double dist_sum_truth(mfft_axis_kind kind, const int64_t n[3], int axis, dist_real *a) {
  static const DIST_FFTW(r2r_kind) kinds[] = {
      0, FFTW_REDFT00, FFTW_REDFT10, FFTW_REDFT01, FFTW_REDFT11, FFTW_RODFT00, FFTW_RODFT10, FFTW_RODFT01, FFTW_RODFT11};
  int64_t outer = 1, inner = 2;
  for (int b = 0; b < axis; b++) outer *= n[b];
  for (int b = axis + 1; b < 3; b++) inner *= n[b];
  DIST_FFTW(iodim64) dim = {n[axis], inner, inner}, loops[2] = {{outer, n[axis] * inner, n[axis] * inner}, {inner, 1, 1}};
  DIST_FFTW(plan) plan = DIST_FFTW(plan_guru64_r2r)(1, &dim, 2, loops, a, a, &kinds[kind], FFTW_ESTIMATE);
  DIST_FFTW(execute)(plan);
  DIST_FFTW(destroy_plan)(plan);
  return 2.0 * (double)(n[axis] + (kind == MFFT_DST1) - (kind == MFFT_DCT1));
}

/* The spectrum of the whole array by FFTW: complex, full length on every axis. */
static inline DIST_FFTW(complex) * dist_truth(const mfft_desc *d, int64_t b, double *norm) {
  int64_t n[3];
  dist_lengths(d, n);
  int64_t total = n[0] * n[1] * n[2];
  unsigned axes = d->axes ? d->axes : (1u << d->rank) - 1;
  DIST_FFTW(complex) *a = DIST_FFTW(malloc)((size_t)total * sizeof *a);
  *norm = 1;
  for (int64_t i = 0; i < total; i++) {
    dist_real *z = (dist_real *)&a[i];
    z[0] = dist_value(2 * (b * total + i));
    z[1] = d->kind != MFFT_C2C ? 0 : dist_value(2 * (b * total + i) + 1);
    if (i / (n[1] * n[2]) >= dist_given(d, 0) || i / n[2] % n[1] >= dist_given(d, 1) || i % n[2] >= dist_given(d, 2))
      z[0] = z[1] = 0;
  }
  DIST_FFTW(iodim64) dims[3], loops[3];
  int nd = 0, nl = 0;
  int64_t stride[3] = {n[1] * n[2], n[2], 1};
  for (int axis = 0; axis < 3; axis++) {
    DIST_FFTW(iodim64) dim = {n[axis], stride[axis], stride[axis]};
    if (axes >> axis & 1 && axis < d->rank && d->axis_kind[axis]) {
      *norm *= dist_sum_truth(d->axis_kind[axis], n, axis, (dist_real *)a);
      loops[nl++] = dim;
    } else if (axes >> axis & 1 && axis < d->rank) {
      dims[nd++] = dim;
      *norm *= (double)n[axis];
    } else {
      loops[nl++] = dim;
    }
  }
  if (!nd) return a;
  DIST_FFTW(plan) plan = DIST_FFTW(plan_guru64_dft)(nd, dims, nl, loops, a, a, FFTW_FORWARD, FFTW_ESTIMATE);
  DIST_FFTW(execute)(plan);
  DIST_FFTW(destroy_plan)(plan);
  return a;
}

/* Position in the global OUT array of the truth: natural order, except for one dimension in scrambled order. */
static inline int64_t dist_truth_index(const mfft_desc *d, mfft_plan plan, const int64_t n[3], const int64_t i[3]) {
  int64_t n1, n2;
  if (d->scrambled && mfft_plan_four_step(plan, &n1, &n2) == MFFT_SUCCESS) return i[0] / n2 + n1 * (i[0] % n2);
  return (i[0] * n[1] + i[1]) * n[2] + i[2];
}

typedef struct dist_sum {
  long double error, truth; /* long, for sums over many elements */
} dist_sum;

static inline double dist_relative(MPI_Comm comm, dist_sum sum) {
  long double both[2] = {sum.error, sum.truth};
  MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_LONG_DOUBLE, MPI_SUM, comm);
  return (double)sqrtl(both[1] > 0 ? both[0] / both[1] : both[0]);
}

/* Row length in reals of a padded in-place array, or of the box. */
static inline int64_t dist_in_offset(const mfft_desc *d, const mfft_box *b, int padded, int64_t batch, const int64_t i[3]) {
  if (!padded) return batch * dist_count(b) + dist_offset(b, i);
  int last = d->rank - 1;
  mfft_box wide = *b;
  wide.hi[last] = wide.lo[last] + 2 * (d->n[last] / 2 + 1);
  return batch * dist_count(&wide) + dist_offset(&wide, i);
}

#define DIST_EACH(box, i)                                \
  for (i[0] = (box).lo[0]; i[0] < (box).hi[0]; i[0]++)   \
    for (i[1] = (box).lo[1]; i[1] < (box).hi[1]; i[1]++) \
      for (i[2] = (box).lo[2]; i[2] < (box).hi[2]; i[2]++)

/* The two arrays on the host, where they are filled and checked, and those in the memory of the plan. */
typedef struct dist_arrays {
  void *host[2], *device[2]; /* [side] the same as those of the host if the plan uses host memory */
  size_t bytes[2];           /* [side] */
  const char *backend;
  int has_device_arrays, in_place;
} dist_arrays;

static inline void dist_arrays_make(mfft_plan plan, int in_place, dist_arrays *a) {
  mfft_memory memory = MFFT_MEMORY_HOST;
  CHECK_OK(mfft_plan_memory(plan, &memory));
  CHECK_OK(mfft_plan_backend(plan, &a->backend));
  a->has_device_arrays = memory == MFFT_MEMORY_DEVICE;
  a->in_place = in_place;
  memcpy(a->device, a->host, sizeof a->device);
  for (int side = 0; a->has_device_arrays && side < (in_place ? 1 : 2); side++)
    CHECK_OK(mfft_memory_alloc(a->backend, a->bytes[side], &a->device[side]));
  if (in_place) a->device[1] = a->device[0];
}

static inline void dist_upload(dist_arrays *a, int side) {
  if (a->has_device_arrays && !(a->in_place && side))
    CHECK_OK(mfft_memory_upload(a->backend, a->device[side], a->host[side], a->bytes[side]));
}

static inline void dist_download(mfft_plan plan, dist_arrays *a) {
  CHECK_OK(mfft_plan_synchronize(plan));
  for (int side = 0; a->has_device_arrays && side < (a->in_place ? 1 : 2); side++)
    CHECK_OK(mfft_memory_download(a->backend, a->host[side], a->device[side], a->bytes[side]));
}

static inline void dist_arrays_free(dist_arrays *a) {
  for (int side = 0; a->has_device_arrays && side < (a->in_place ? 1 : 2); side++)
    CHECK_OK(mfft_memory_free(a->backend, a->device[side]));
}

/* Whether a range of bytes from a place overlaps an array. */
static inline int dist_meets(mfft_place at, int64_t span, mfft_place array, int64_t bytes) {
  return at.buffer == array.buffer && at.offset_bytes + span > array.offset_bytes &&
         at.offset_bytes < array.offset_bytes + bytes;
}

/* Whether a place is in an array. */
static inline int dist_within(mfft_place at, mfft_place array, int64_t bytes) { return dist_meets(at, 1, array, bytes); }

/* Bytes from the start of a stage's output to the end of that array. */
static inline int64_t dist_span(mfft_plan plan, const mfft_stage *s) {
  int64_t last = 0;
  if (s->kind == MFFT_STAGE_RESIZE) { /* one block */
    for (int i = 0; i < 4; i++) last += (s->blocks->n[i] - 1) * s->blocks->os[i];
    return (s->blocks->out_offset + last + 1) * plan->element_bytes / (s->packs ? 2 : 1);
  }
  int k = 0;
  while (k < plan->nffts && plan->fft[k] != s->fft) k++;
  if (k == plan->nffts) return 1;
  const mfft_fft_spec *spec = &plan->spec[k];
  for (int i = 0; i < spec->naxes + spec->nloops; i++) {
    const mfft_dim *d = i < spec->naxes ? &spec->axis[i] : &spec->loop[i - spec->naxes];
    const int64_t n = i == spec->naxes - 1 && spec->type == MFFT_FFT_R2C ? d->n / 2 + 1 : d->n;
    last += (n - 1) * d->os;
  }
  return (last + 1) * plan->element_bytes / (3 - mfft_fft_parts(spec->type, 1));
}

/* Whether stage i begins to move an array back to where an exchange takes it from: data that stays on this rank is not sent.
 */
static inline int dist_returns(const mfft_program *program, int i, mfft_place array) {
  while (i < program->count && program->stage[i].kind != MFFT_STAGE_START) i++;
  return i < program->count && dist_within(program->stage[i].out, array, 1);
}

/* Whether stage i writes to an array from which an exchange copies the data that stays on its rank. */
static inline int dist_writes(mfft_plan plan, const mfft_program *program, int i, mfft_place array, int64_t bytes) {
  const mfft_stage *s = &program->stage[i];
  const int transforms = s->kind == MFFT_STAGE_FFT || s->kind == MFFT_STAGE_RESIZE;
  int writes = transforms && dist_meets(s->out, dist_span(plan, s), array, bytes);
  for (int share = 0; share < s->shares; share++)
    writes |= dist_within(s->share[share], array, bytes) && !dist_returns(program, i, array);
  return writes;
}

/* Whether stage i computes a chunk of the exchange that stage `start` began: its later chunks start afterwards. */
static inline int dist_makes(const mfft_program *program, int i, int start) {
  int exchange = 0; /* after that stage */
  for (int k = start + 1; k < program->count; k++) {
    const mfft_stage *s = &program->stage[k];
    if (s->kind != MFFT_STAGE_START) continue;
    exchange += mfft_stage_begins_exchange(s);
    if (k > i) return !exchange;
  }
  return 0;
}

/* Whether an exchange that starts in stage i, while that of stage `start` is in progress, stores into the array from which
 * that one sends, and not every element back to its place. */
static inline int dist_brings_others(mfft_plan plan, int direction, int i, int start, int64_t bytes) {
  const struct mfft_dist *dist = plan->dist;
  const mfft_stage *stage = plan->program[direction].stage;
  const int forward = direction == MFFT_FORWARD, last = dist->path.count - 1;
  int exchange = -1, from = 0; /* of stage i, and of `start` */
  for (int k = 0; k <= i; k++) {
    exchange += mfft_stage_begins_exchange(&stage[k]);
    if (k == start) from = exchange;
  }
  if (stage[i].kind != MFFT_STAGE_START || exchange == from || !dist_within(stage[i].out, stage[start].in, bytes)) return 0;
  const mfft_path_step *step = dist->path.step;
  return !(forward ? mfft_layout_equal(&step[from].out, &step[exchange + 1].in)
                   : mfft_layout_equal(&step[last - from].in, &step[last - exchange - 1].out));
}

/* Direct copies run at the same time as the stages: no stage may write to data that a chunk still sends, except to compute
 * later chunks of the same exchange. */
static inline void dist_check_order(mfft_plan plan, const char *name) {
  const struct mfft_dist *dist = plan->dist;
  int all = dist->transport->family == mfft_transport_p2p;
  int64_t most = 1; /* bytes of an array in transfer, at full width */
  for (int i = 0; i < dist->path.count; i++) {
    const int64_t count = mfft_layout_largest(&dist->path.step[i].out);
    most = count > most ? count : most;
  }
  most *= plan->desc.batch * plan->element_bytes / (plan->options.wire == MFFT_WIRE_HALF ? 2 : 1);
  for (int i = 0; i < dist->path.count; i++) /* nothing is sent from an empty box */
    all = all && !mfft_box_empty(&dist->path.step[i].in.box[dist->rank]) &&
          !mfft_box_empty(&dist->path.step[i].out.box[dist->rank]);
  for (int direction = 0; direction < 2; direction++) /* messages are sent from areas */
    for (int i = 0; i < plan->program[direction].count; i++)
      all = all && plan->program[direction].stage[i].kind != MFFT_STAGE_CONVERT;
  for (int direction = 0; all && direction < 2; direction++) {
    const mfft_program *program = &plan->program[direction];
    for (int k = 0; k < program->count; k++) {
      const mfft_stage *start = &program->stage[k];
      if (start->kind != MFFT_STAGE_START) continue;
      for (int i = k + 1; i < program->count; i++) {
        const mfft_stage *s = &program->stage[i];
        if (s->kind == MFFT_STAGE_WAIT && s->transfer == start->transfer) break;
        CHECK(!dist_writes(plan, program, i, start->in, most) || dist_makes(program, i, k),
              "%s: stage %d (%s) overwrites what %s still sends", name, i, s->label, start->label);
        CHECK(!dist_brings_others(plan, direction, i, k, most),
              "%s: stage %d (%s) moves other data to where %s still sends from", name, i, s->label, start->label);
      }
    }
  }
}

/* Executes forward twice (the second time to check that the input was preserved) and backward, and checks both results and
 * the bytes after the arrays. */
static inline void dist_check(MPI_Comm comm, const mfft_desc *d, const mfft_options *options, const char *name) {
  mfft_plan plan = NULL;
  mfft_status made = mfft_plan_create_mpi(comm, d, options, &plan);
  CHECK(made == MFFT_SUCCESS, "%s: %s", name, mfft_last_error());
  if (made != MFFT_SUCCESS) return;

  dist_check_order(plan, name);
  enum { GUARD = 64 };
  mfft_box box[2];
  size_t bytes[2];
  int in_place = d->placement == MFFT_IN_PLACE, real = d->kind != MFFT_C2C, out_parts = d->kind == MFFT_R2R ? 1 : 2;
  for (int side = 0; side < 2; side++) {
    CHECK_OK(mfft_plan_box(plan, (mfft_side)side, &box[side]));
    CHECK_OK(mfft_plan_bytes(plan, (mfft_side)side, &bytes[side]));
  }
  size_t capacity[2] = {bytes[0], bytes[1]};
  if (in_place) capacity[0] = capacity[1] = bytes[0] > bytes[1] ? bytes[0] : bytes[1];
  unsigned char *in = malloc(capacity[0] + GUARD), *out = in_place ? in : malloc(capacity[1] + GUARD);
  memset(in, 0x5a, capacity[0] + GUARD);
  memset(out, 0x5a, capacity[1] + GUARD);
  dist_arrays arrays = {.host = {in, out}, .bytes = {capacity[0] + GUARD, capacity[1] + GUARD}};
  dist_arrays_make(plan, in_place, &arrays);

  int64_t n[3], i[3];
  dist_lengths(d, n);
  int64_t total = n[0] * n[1] * n[2];
  int pads = 0;
  for (int axis = 0; axis < d->rank; axis++) pads |= dist_given(d, axis) < d->n[axis];
  int padded = d->padded || (in_place && d->kind == MFFT_R2C && !d->in_box && dist_half_axis(d) == d->rank - 1 && !pads);
  for (int64_t b = 0; b < d->batch; b++) DIST_EACH(box[0], i) {
      int64_t at = dist_in_offset(d, &box[0], padded, b, i), g = b * total + (i[0] * n[1] + i[1]) * n[2] + i[2];
      if (real) {
        dist_store(in, d->precision, at, dist_value(2 * g));
      } else {
        dist_store(in, d->precision, 2 * at, dist_value(2 * g));
        dist_store(in, d->precision, 2 * at + 1, dist_value(2 * g + 1));
      }
    }

  double norm = 1;
  long double scales[3];
  dist_sum forward = {0, 0}, backward = {0, 0};
  dist_upload(&arrays, 0);
  dist_upload(&arrays, 1);
  if (!in_place && !d->allow_destroy_input) CHECK_OK(mfft_execute(plan, MFFT_FORWARD, arrays.device[0], arrays.device[1]));
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, arrays.device[0], arrays.device[1]));
  dist_download(plan, &arrays);
  for (int64_t b = 0; b < d->batch; b++) {
    DIST_FFTW(complex) *truth = dist_truth(d, b, &norm);
    scales[MFFT_SCALE_NONE] = 1;
    scales[MFFT_SCALE_SQRT] = 1 / sqrtl(norm);
    scales[MFFT_SCALE_FULL] = 1 / (long double)norm;
    dist_real s = (dist_real)scales[d->scale[MFFT_FORWARD]];
    DIST_EACH(box[1], i) {
      int64_t at = b * dist_count(&box[1]) + dist_offset(&box[1], i);
      const dist_real *z = (const dist_real *)&truth[dist_truth_index(d, plan, n, i)];
      for (int part = 0; part < out_parts; part++) {
        dist_real t = s * z[part], e = dist_load(out, d->precision, out_parts * at + part) - t;
        forward.error += e * e;
        forward.truth += t * t;
      }
    }
    DIST_FFTW(free)(truth);
  }
  double bound = dist_tolerance[d->precision] * sqrt(fmax(1, log2(norm)));
  mfft_wire wire = MFFT_WIRE_FULL;
  CHECK_OK(mfft_plan_wire(plan, &wire));
  if (wire == MFFT_WIRE_HALF) bound += mfft_wire_error(d->precision); /* docs/accuracy.md */
  double error = dist_relative(comm, forward);
  CHECK(error <= bound, "%s: forward is off by %.3g, bound %.3g", name, error, bound);

  if (!in_place && !d->allow_destroy_input) CHECK_OK(mfft_execute(plan, MFFT_BACKWARD, arrays.device[1], arrays.device[0]));
  CHECK_OK(mfft_execute(plan, MFFT_BACKWARD, arrays.device[1], arrays.device[0]));
  dist_download(plan, &arrays);
  dist_real s = (dist_real)(norm * scales[d->scale[MFFT_FORWARD]] * scales[d->scale[MFFT_BACKWARD]]);
  for (int64_t b = 0; b < d->batch; b++) DIST_EACH(box[0], i) {
      int64_t at = dist_in_offset(d, &box[0], padded, b, i), g = b * total + (i[0] * n[1] + i[1]) * n[2] + i[2];
      for (int part = 0; part < (real ? 1 : 2); part++) {
        dist_real t = s * dist_value(2 * g + part), e = dist_load(in, d->precision, real ? at : 2 * at + part) - t;
        backward.error += e * e;
        backward.truth += t * t;
      }
    }
  error = dist_relative(comm, backward);
  CHECK(error <= 2 * bound, "%s: backward is off by %.3g, bound %.3g", name, error, 2 * bound);

  for (int g = 0; g < GUARD; g++)
    CHECK(in[capacity[0] + (size_t)g] == 0x5a && out[capacity[1] + (size_t)g] == 0x5a,
          "%s: byte %d after an array was written", name, g);
  dist_arrays_free(&arrays);
  free(in);
  if (!in_place) free(out);
  mfft_plan_destroy(plan);
}

/* The same, for a transform of three axes, with IN slabs of the last axis in another memory order, and OUT slabs of the
 * middle one: every axis moves. */
static inline void dist_check_boxes(MPI_Comm comm, const mfft_desc *of, const mfft_options *options, const char *name) {
  int rank, ranks;
  mfft_desc d = *of;
  mfft_box in = {{0, 0, 0}, {1, 1, 1}, {1, 2, 0}}, out = {{0, 0, 0}, {d.n[0], d.n[1], d.n[2]}, {0, 1, 2}};
  const int half = dist_half_axis(&d);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  for (int a = 0; a < 3; a++) in.hi[a] = dist_given(&d, a);
  if (half >= 0) out.hi[half] = d.n[half] / 2 + 1;
  const int64_t ins = in.hi[2], outs = out.hi[1];
  in.lo[2] = ins * rank / ranks, in.hi[2] = ins * (rank + 1) / ranks;
  out.lo[1] = outs * rank / ranks, out.hi[1] = outs * (rank + 1) / ranks;
  d.in_box = &in, d.out_box = &out;
  dist_check(comm, &d, options, name);
}

#endif
