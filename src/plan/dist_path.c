/* dist_path.c: see dist_path.h. */
#include "plan/dist_path.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "comm/agree.h"
#include "comm/collective.h"
#include "plan/arrays.h"

/* ---- Axes and boxes of the caller and of the path ---- */

/* An array of rank 1 or 2 gets leading axes of length 1: axis a of the caller is axis (a + shift) % 3 of the path. */
static mfft_box rotate_box(const mfft_box *box, int shift) {
  mfft_box rotated;
  for (int axis = 0; axis < 3; axis++) {
    rotated.lo[(axis + shift) % 3] = box->lo[axis];
    rotated.hi[(axis + shift) % 3] = box->hi[axis];
    rotated.order[axis] = (box->order[axis] + shift) % 3;
  }
  return rotated;
}

/* A box of the path in the axes of a caller's array of `rank` axes: those that the array lacks have length 1 in empty boxes
 * too. */
static mfft_box box_of_caller(const mfft_box *box, int shift, int rank) {
  mfft_box rotated = rotate_box(box, 3 - shift);
  if (!mfft_box_empty(&rotated)) return rotated;
  for (int axis = rank; axis < 3; axis++) rotated.lo[axis] = 0, rotated.hi[axis] = 1;
  if (!mfft_box_empty(&rotated)) rotated.lo[0] = rotated.hi[0];
  return rotated;
}

/* The block of a long one-dimensional array that a box of its n1 x n2 matrix holds. */
static mfft_box flatten_box(const mfft_box *box) {
  mfft_box flat = {{0, 0, 0}, {0, 1, 1}, {0, 1, 2}};
  int slow = box->order[1], fast = box->order[2]; /* axis 0 has length 1 */
  flat.lo[0] = box->lo[slow] * (box->hi[fast] - box->lo[fast]);
  flat.hi[0] = box->hi[slow] * (box->hi[fast] - box->lo[fast]);
  return flat;
}

/* Axes that the array lacks have length 1; a caller who counts only the axes of the array leaves [0,0) there. */
static mfft_status complete_box(int rank, const char *name, mfft_box *box) {
  int empty = 0;
  for (int axis = 0; axis < rank; axis++) empty |= box->hi[axis] <= box->lo[axis];
  for (int axis = rank; axis < 3; axis++) {
    if (empty || (box->lo[axis] == 0 && box->hi[axis] == 0)) box->lo[axis] = 0, box->hi[axis] = 1;
    if (box->lo[axis] != 0 || box->hi[axis] != 1)
      return mfft_fail(MFFT_ERR_ARG,
                       "%s covers [%" PRId64 ",%" PRId64 ") of axis %d, which an array of rank %d lacks; give [0,1) there",
                       name, box->lo[axis], box->hi[axis], axis, rank);
  }
  return mfft_box_check(box, name);
}

/* n: lengths of the path.  Boxes are checked in the axes of the caller, which messages then name. */
static mfft_status share_boxes(const struct mfft_dist *dist, const mfft_desc *desc, const mfft_box *mine, const int64_t n[3],
                               const char *name, mfft_layout *layout) {
  mfft_box box = *mine;
  mfft_status status = complete_box(desc->rank, name, &box);
  int64_t lengths[3]; /* [axis of the caller] */
  for (int axis = 0; axis < 3; axis++) lengths[axis] = n[(axis + dist->axis_shift) % 3];
  layout->ranks = dist->ranks;
  layout->box = malloc((size_t)dist->ranks * sizeof box);
  if (status == MFFT_SUCCESS && !layout->box) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for %d boxes", dist->ranks);
  MFFT_TRY(mfft_agree(dist->comm, status));
  MFFT_TRY(mfft_collective_allgather(dist->comm, &box, sizeof box, layout->box, "collecting boxes"));
  MFFT_TRY(mfft_agree(dist->comm, mfft_boxes_tile(layout->box, dist->ranks, lengths, name)));
  for (int rank = 0; rank < dist->ranks; rank++) layout->box[rank] = rotate_box(&layout->box[rank], dist->axis_shift);
  return MFFT_SUCCESS;
}

/* ---- The path ---- */

mfft_status mfft_dist_path_spec(struct mfft_dist *dist, const mfft_desc *desc, const mfft_options *options,
                                mfft_layout user[2], mfft_path_spec *spec) {
  const mfft_order order =
      desc->scrambled ? MFFT_ORDER_TRANSPOSED : desc->order; /* for rank 1: order of the n1 x n2 matrix */
  *spec = (mfft_path_spec){
      .n = {1, 1, 1}, .kind = desc->kind, .ranks = dist->ranks, .order = order, .ordered = options->reproducible};
  memcpy(spec->grid, options->grid, sizeof spec->grid);
  if (desc->rank == 2 && mfft_options_name_grid(options)) { /* axis 0 of the path has length 1, so that Q takes all ranks */
    MFFT_TRY(mfft_path_check_grid(options->grid, dist->ranks));
    spec->grid[0] = 1;
    spec->grid[1] = dist->ranks;
  }
  if (!dist->grid_given && dist->topology.node_ranks < dist->ranks) spec->node_of = dist->topology.node_of;
  dist->axis_shift = 3 - desc->rank;
  for (int axis = 0; axis < desc->rank; axis++) {
    spec->n[axis + dist->axis_shift] = desc->given[axis];
    spec->full[axis + dist->axis_shift] = desc->n[axis];
    if (desc->axes >> axis & 1) spec->axes |= 1u << (axis + dist->axis_shift);
  }
  spec->trigonometric = mfft_desc_trigonometric_axes(desc) << dist->axis_shift;

  spec->four_step = desc->rank == 1 && !spec->trigonometric && (dist->ranks > 1 || desc->scrambled);
  if (spec->four_step) {
    if (desc->kind != MFFT_C2C)
      return mfft_fail(MFFT_ERR_UNSUPPORTED,
                       "desc.kind is R2C for one distributed dimension; use MFFT_C2C with zero imaginary parts");
    if (mfft_desc_pads(desc))
      return mfft_fail(MFFT_ERR_UNSUPPORTED,
                       "desc.given[0] is %" PRId64 " of %" PRId64 " points for one distributed dimension; give all of them",
                       desc->given[0], desc->n[0]);
    if (desc->in_box || desc->out_box)
      return mfft_fail(MFFT_ERR_UNSUPPORTED,
                       "desc.%s is given for one distributed dimension; take the plan's blocks and move the data "
                       "with mfft_exchange_execute",
                       desc->in_box ? "in_box" : "out_box");
    spec->node_of = NULL;
    spec->n[1] = dist->four_step[0] = mfft_four_step_rows(desc->n[0]);
    spec->n[2] = dist->four_step[1] = desc->n[0] / dist->four_step[0];
    memset(spec->full, 0, sizeof spec->full);
    spec->axes = 6;
    spec->grid[0] = 1;
    spec->grid[1] = dist->ranks;
  }

  int64_t out_n[3]; /* [axis] */
  for (int axis = 0; axis < 3; axis++) out_n[axis] = spec->full[axis] ? spec->full[axis] : spec->n[axis];
  if (desc->kind == MFFT_R2C) {
    int half = mfft_desc_halved_axis(desc) + dist->axis_shift;
    out_n[half] = out_n[half] / 2 + 1;
  }
  if (desc->in_box) {
    MFFT_TRY(share_boxes(dist, desc, desc->in_box, spec->n, "desc.in_box", &user[MFFT_IN]));
    spec->in = &user[MFFT_IN];
  }
  if (desc->out_box) {
    MFFT_TRY(share_boxes(dist, desc, desc->out_box, out_n, "desc.out_box", &user[MFFT_OUT]));
    spec->out = &user[MFFT_OUT];
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_dist_find_padding(struct mfft_dist *dist, const mfft_desc *desc) {
  const mfft_path *path = &dist->path;
  dist->padded = desc->padded || (desc->placement == MFFT_IN_PLACE && desc->kind == MFFT_R2C && !desc->in_box &&
                                  path->half_axis == 2 && !mfft_desc_pads(desc));
  if (!desc->padded) return MFFT_SUCCESS;
  if (mfft_desc_pads(desc))
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "desc.padded is 1 with desc.given, whose rows are packed; set padded = 0");
  if (path->half_axis != 2)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "desc.padded is 1, but the last axis is not halved; set padded = 0");
  for (int rank = 0; rank < dist->ranks; rank++) {
    const mfft_box *box = &path->step[0].in.box[rank];
    int64_t stride[3]; /* [axis] */
    mfft_box_strides(box, stride);
    if (mfft_box_empty(box) || (stride[2] == 1 && mfft_box_extent(box, 2) == path->n[2])) continue;
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "desc.padded is 1, but the box of rank %d does not hold whole contiguous rows of the last axis; "
                     "set padded = 0",
                     rank);
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_dist_fill_sides(mfft_plan plan) {
  struct mfft_dist *dist = plan->dist;
  mfft_path *path = &dist->path;
  const mfft_desc *desc = &plan->desc;
  mfft_layout *const ours[2] = {&path->step[0].in, &path->step[path->count - 1].out}; /* [side] */
  for (int side = 0; side < 2; side++) {
    mfft_layout *theirs = &dist->boxes[side];
    const int same = dist->axis_shift == 0 && !dist->four_step[0]; /* three axes */
    MFFT_TRY(same ? mfft_layout_share(ours[side], theirs) : mfft_layout_copy(ours[side], theirs));
    for (int rank = 0; rank < dist->ranks && !same; rank++)
      theirs->box[rank] = dist->four_step[0] ? flatten_box(&theirs->box[rank])
                                             : box_of_caller(&theirs->box[rank], dist->axis_shift, desc->rank);
    plan->box[side] = theirs->box[dist->rank];

    const int real = mfft_desc_real(desc, (mfft_side)side), padded = side == MFFT_IN && dist->padded;
    const mfft_array a = mfft_array_of(desc->precision, &ours[side]->box[dist->rank], desc->batch, real, padded);
    dist->callers_bytes[side] = mfft_array_bytes(&a);
    plan->count[side] = dist->callers_bytes[side] / a.element_bytes;
    plan->bytes[side] = (size_t)dist->callers_bytes[side];
  }
  return MFFT_SUCCESS;
}

/* ---- What is for local plans ---- */

mfft_status mfft_dist_refuse_local_fields(const mfft_desc *d, const char *radices) {
  mfft_desc_stride local[MFFT_DESC_STRIDES];
  mfft_desc_list_strides(d, local);
  for (int i = 0; i < MFFT_DESC_STRIDES; i++)
    if (local[i].value)
      return mfft_fail(MFFT_ERR_UNSUPPORTED, "%s is %" PRId64 ", which is for local plans; leave it 0 and give boxes",
                       local[i].field, local[i].value);
  if (!radices) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_UNSUPPORTED, "radices are \"%s\", which a distributed plan chooses itself; leave them NULL",
                   radices);
}
