/* steps.c: see steps.h. */
#include "steps.h"

#include <string.h>

#include "base/precision.h"
#include "settings.h"

/* One of the two halves of a transform, from layout 0 to D or back, with the blocks of the layouts at its ends.
 * `transforms`: axes are transformed in its layouts; otherwise it only moves data. */
typedef struct half {
  int to_transposed, transforms;
  int64_t block[2][MFFT_DROPIN_MOST_DIMS]; /* [transposed][dimension] */
} half;

/* A rank's part in a layout. */
typedef struct layout {
  int number;                                                   /* k */
  int64_t lo[MFFT_DROPIN_MOST_AXES], hi[MFFT_DROPIN_MOST_AXES]; /* [rank] */
} layout;

/* Finds the halves of a forward transform; returns their number. */
static int find_halves(const mfft_dropin_shape *s, half halves[2]) {
  static const ptrdiff_t none[MFFT_DROPIN_MOST_DIMS];
  const int from = s->transposed[MFFT_IN], to = s->transposed[MFFT_OUT], count = from == to ? 2 : 1;
  int64_t n[MFFT_DROPIN_MOST_AXES] = {0};
  int64_t middle[MFFT_DROPIN_MOST_DIMS]; /* blocks of the layout at the end of the first half */
  for (int a = 0; a < s->rank; a++) n[a] = mfft_dropin_extent(s, MFFT_OUT, a);
  mfft_dropin_mesh_blocks(&s->mesh, !from, n, none, middle);
  for (int h = 0; h < count; h++) {
    halves[h] = (half){.to_transposed = h == 0 ? !from : to, .transforms = h == 0};
    const int first = h == 0 ? from : !from;
    memcpy(halves[h].block[first], h == 0 ? s->block[MFFT_IN] : middle, sizeof middle);
    memcpy(halves[h].block[!first], h == count - 1 ? s->block[MFFT_OUT] : middle, sizeof middle);
  }
  return count;
}

/* The part of a rank in layout k of a half, of the spectrum if the transform has one.  The blocks of the natural array hold
 * for the axes before the whole one, those of the transposed array for the axes behind it. */
static layout find_layout(const mfft_dropin_shape *s, const half *h, int k, int rank) {
  const int whole = s->mesh.dims - k;
  int64_t n[MFFT_DROPIN_MOST_AXES], lo[2][MFFT_DROPIN_MOST_AXES], hi[2][MFFT_DROPIN_MOST_AXES];
  layout l = {.number = k};
  for (int a = 0; a < s->rank; a++) n[a] = mfft_dropin_extent(s, MFFT_OUT, a);
  for (int t = 0; t < 2; t++) mfft_dropin_mesh_part(&s->mesh, t, s->rank, n, h->block[t], rank, lo[t], hi[t]);
  for (int a = 0; a < s->rank; a++) {
    const int t = a > whole;
    l.lo[a] = a == whole ? 0 : lo[t][a];
    l.hi[a] = a == whole ? n[a] : hi[t][a];
  }
  return l;
}

static int64_t extent_of(const layout *l, int first, int last) {
  int64_t count = 1;
  for (int a = first; a < last; a++) count *= l->hi[a] - l->lo[a];
  return count;
}

/* ---- Local transforms ------------------------------------------------------------------------------------------------ */

/* Fills the descriptor of the transform of the whole axis of a layout other than 0. */
static void describe_axis(const mfft_dropin_shape *s, const layout *l, mfft_desc *desc) {
  const int axis = s->mesh.dims - l->number;
  mfft_desc_init(desc);
  desc->rank = 2;
  desc->axes = 1;
  desc->precision = s->precision;
  desc->kind = s->kind == MFFT_R2R ? MFFT_R2R : MFFT_C2C;
  desc->axis_kind[0] = s->axis_kind[axis];
  desc->n[0] = s->n[axis];
  desc->batch = extent_of(l, 0, axis);
  desc->n[1] = extent_of(l, axis + 1, s->rank) * s->howmany;
  if (axis > 0) return;
  desc->batch = desc->n[1] / s->howmany; /* axis 0 is the fastest of the transposed array, but for the tuple */
  desc->n[1] = s->howmany;
}

/* at_end: the transform is the first or the last step, which leads from an array of the program or to one. */
static mfft_status add_transform(const mfft_dropin_shape *s, const layout *l, int at_end, const mfft_options *options,
                                 mfft_dropin_steps *steps) {
  mfft_desc desc;
  const int64_t planes = extent_of(l, 0, s->mesh.dims);
  if (l->number == 0)
    mfft_dropin_describe_local(s, planes ? planes : 1, &desc);
  else
    describe_axis(s, l, &desc);
  desc.placement = at_end ? MFFT_OUT_OF_PLACE : MFFT_IN_PLACE;
  desc.allow_destroy_input = at_end && (l->number == 0) == (s->direction == MFFT_BACKWARD); /* it reads no program's array */
  mfft_dropin_step *step = &steps->step[steps->count++];
  return extent_of(l, 0, s->rank) ? mfft_plan_create(&desc, options, &step->plan) : MFFT_SUCCESS;
}

/* ---- Exchanges ------------------------------------------------------------------------------------------------------- */

/* The processes that differ from this rank in one dimension of the mesh alone, in the sequence of their coordinates. */
static mfft_status find_line(MPI_Comm comm, const mfft_dropin_mesh *mesh, int rank, int dimension, MPI_Comm *line) {
  int stride = 1;
  for (int d = dimension + 1; d < mesh->dims; d++) stride *= mesh->n[d];
  const int coordinate = rank / stride % mesh->n[dimension];
  return MPI_Comm_split(comm, rank - coordinate * stride, coordinate, line) == MPI_SUCCESS ? MFFT_SUCCESS : MFFT_ERR_MPI;
}

/* The box of a layout in the exchange that divides axis f + 1 in the place of f, or back: {f, f + 1, the axes behind}. */
static mfft_box find_box(const mfft_dropin_shape *s, const layout *l, int f) {
  mfft_box box = {{l->lo[f], l->lo[f + 1], 0}, {l->hi[f], l->hi[f + 1], extent_of(l, f + 2, s->rank)}, {0, 1, 2}};
  const int transposed[3] = {1, 2, 0}; /* [position slow to fast] axis */
  if (l->number == s->mesh.dims) memcpy(box.order, transposed, sizeof transposed);
  return box;
}

static mfft_status add_exchange(MPI_Comm comm, const mfft_dropin_shape *s, const layout *from, const layout *to, int rank,
                                const mfft_options *options, mfft_dropin_steps *steps) {
  const int later = from->number > to->number ? from->number : to->number, f = s->mesh.dims - later;
  mfft_exchange_desc desc;
  mfft_exchange_options how;
  MPI_Comm line = MPI_COMM_NULL;
  mfft_exchange_desc_init(&desc);
  mfft_exchange_options_init(&how);
  how.transport = mfft_dropin_transport();
  how.backend = options->backend;
  const mfft_box box[2] = {find_box(s, from, f), find_box(s, to, f)}; /* {from, to} */
  const int backward = s->direction == MFFT_BACKWARD;
  desc.element_bytes = (int64_t)mfft_real_bytes(s->precision) * (s->kind == MFFT_R2R ? 1 : 2) * s->howmany;
  desc.batch = extent_of(from, 0, f);
  desc.from = box[backward];
  desc.to = box[!backward];
  steps->moves[steps->count] = 1;
  mfft_dropin_step *step = &steps->step[steps->count++];
  mfft_status status = find_line(comm, &s->mesh, rank, f, &line);
  if (status == MFFT_SUCCESS && desc.batch > 0 && box[0].hi[2] > 0) /* the same for all processes of the line */
    status = mfft_exchange_create(line, &desc, &how, &step->exchange);
  if (line != MPI_COMM_NULL) MPI_Comm_free(&line);
  return status;
}

/* ---- All steps ------------------------------------------------------------------------------------------------------- */

static mfft_status add_half(MPI_Comm comm, const mfft_dropin_shape *s, const half *h, int is_last, int rank,
                            const mfft_options *options, mfft_dropin_steps *steps) {
  mfft_status status = MFFT_SUCCESS;
  const int layouts = s->mesh.dims + 1;
  layout before = {0};
  for (int i = 0; i < layouts; i++) {
    const layout l = find_layout(s, h, h->to_transposed ? i : layouts - 1 - i, rank);
    mfft_status made = i ? add_exchange(comm, s, &before, &l, rank, options, steps) : MFFT_SUCCESS;
    if (status == MFFT_SUCCESS) status = made;
    const int at_end = !steps->count || (is_last && i == layouts - 1);
    made = h->transforms ? add_transform(s, &l, at_end, options, steps) : MFFT_SUCCESS;
    if (status == MFFT_SUCCESS) status = made;
    const size_t bytes = (size_t)(extent_of(&l, 0, s->rank) * s->howmany) * 2 * mfft_real_bytes(s->precision);
    if (bytes > steps->array_bytes) steps->array_bytes = bytes;
    before = l;
  }
  return status;
}

static void reverse(mfft_dropin_steps *steps) {
  for (int i = 0, j = steps->count - 1; i < j; i++, j--) {
    const mfft_dropin_step step = steps->step[i];
    const int moves = steps->moves[i];
    steps->step[i] = steps->step[j], steps->moves[i] = steps->moves[j];
    steps->step[j] = step, steps->moves[j] = moves;
  }
}

mfft_status mfft_dropin_steps_create(MPI_Comm comm, const mfft_dropin_shape *s, int rank, const mfft_options *options,
                                     mfft_dropin_steps *steps) {
  half halves[2];
  const int count = find_halves(s, halves);
  mfft_options own = *options;
  own.user_workspace = 0;
  mfft_status status = MFFT_SUCCESS;
  for (int h = 0; h < count; h++) {
    const mfft_status made = add_half(comm, s, &halves[h], h == count - 1, rank, &own, steps);
    if (status == MFFT_SUCCESS) status = made;
  }
  steps->array_bytes = (steps->array_bytes + 63) / 64 * 64;
  if (s->direction == MFFT_BACKWARD) reverse(steps);
  return status;
}

void mfft_dropin_steps_destroy(mfft_dropin_steps *steps) {
  for (int i = 0; i < steps->count; i++) {
    mfft_plan_destroy(steps->step[i].plan);
    mfft_exchange_destroy(steps->step[i].exchange);
  }
  memset(steps, 0, sizeof *steps);
}

mfft_status mfft_dropin_steps_run(const mfft_dropin_steps *steps, mfft_direction direction, void *in, void *out,
                                  void *spare) {
  char *const array[2] = {spare, (char *)spare + steps->array_bytes};
  int at = 0; /* the array that the next exchange reads, and transforms work in */
  mfft_status status = MFFT_SUCCESS;
  for (int i = 0; i < steps->count && status == MFFT_SUCCESS; i++) {
    const mfft_dropin_step *step = &steps->step[i];
    void *from = i ? array[at] : in;
    if (i && steps->moves[i]) at = !at;
    void *to = i < steps->count - 1 ? array[at] : out;
    if (step->plan) status = mfft_execute(step->plan, direction, from, to);
    if (step->exchange) status = mfft_exchange_execute(step->exchange, from, to);
  }
  return status;
}

mfft_status mfft_dropin_steps_synchronize(const mfft_dropin_steps *steps) {
  mfft_status status = MFFT_SUCCESS;
  for (int i = 0; i < steps->count && status == MFFT_SUCCESS; i++) {
    if (steps->step[i].plan) status = mfft_plan_synchronize(steps->step[i].plan);
    if (steps->step[i].exchange && status == MFFT_SUCCESS) status = mfft_exchange_synchronize(steps->step[i].exchange);
  }
  return status;
}
