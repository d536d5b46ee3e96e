/* path.c: chooses the nodes and the grid. */
#include "plan/path.h"

#include <string.h>

#include "base/status.h"

static const int natural_order[] = {2, 1, 0}; /* the axis that R2C halves comes before the other DFTs, which are slower */
static const int four_step_order[] = {1, 2};  /* columns of the n1 x n2 matrix, then rows */

static int highest_axis(unsigned axes) { return axes & 4 ? 2 : axes & 2 ? 1 : 0; }

void mfft_path_out_lengths(const mfft_path *path, int64_t n[3]) {
  memcpy(n, path->full, 3 * sizeof *n);
  if (path->half_axis >= 0) n[path->half_axis] = n[path->half_axis] / 2 + 1;
}

int mfft_path_pads(const mfft_path *path, unsigned axes) {
  for (int axis = 0; axis < 3; axis++)
    if (axes >> axis & 1 && path->n[axis] < path->full[axis]) return 1;
  return 0;
}

/* Lengths of the array while these axes are still to be transformed. */
static void lengths_before(const mfft_path *path, unsigned pending, int64_t n[3]) {
  mfft_path_out_lengths(path, n);
  for (int axis = 0; axis < 3; axis++)
    if (pending >> axis & 1) n[axis] = path->n[axis];
}

/* Appends a node with input layout `layout`, which the node then owns. */
static mfft_status add_node(mfft_path *path, mfft_layout *layout, unsigned axes, int twiddle) {
  mfft_node *node = &path->node[path->count++];
  *node = (mfft_node){.in = *layout, .axes = axes, .twiddle = twiddle};
  layout->box = NULL;
  MFFT_TRY(mfft_layout_copy(&node->in, &node->out));
  int64_t n[3];
  mfft_path_out_lengths(path, n);
  for (int rank = 0; rank < node->out.ranks; rank++)
    for (int axis = 0; axis < 3; axis++)
      if (axes >> axis & 1 && !mfft_box_empty(&node->in.box[rank])) node->out.box[rank].hi[axis] = n[axis];
  return MFFT_SUCCESS;
}

/* The axes of `pending` that every rank holds whole.  The halved axis is the first DFT: while it is pending and not held
 * whole, only cosines and sines are ready.  Of an ordered path no axis is ready before a higher one. */
static unsigned ready_axes(const mfft_path_spec *spec, const mfft_path *path, const mfft_layout *layout, unsigned pending,
                           const int64_t n[3]) {
  unsigned ready = 0;
  for (int axis = 2; axis >= 0; axis--) {
    if (!(pending >> axis & 1)) continue;
    if (mfft_layout_holds(layout, axis, n[axis]))
      ready |= 1u << axis;
    else if (path->ordered)
      break;
  }
  if (path->half_axis >= 0 && pending >> path->half_axis & 1 && !(ready >> path->half_axis & 1))
    ready &= spec->trigonometric;
  return ready;
}

/* Chooses the layout of the next node.  straight: the caller's OUT boxes as soon as they hold all pending axes whole, and
 * until then pencils along an axis that they do not hold. */
static mfft_status next_layout(const mfft_path_spec *spec, const mfft_path *path, int straight, unsigned pending,
                               const int64_t n[3], int *axis, mfft_layout *layout) {
  const int *next = spec->four_step ? four_step_order : natural_order;
  const int as_out = !mfft_path_pads(path, pending) && /* no axis is left whose length differs in the OUT boxes */
                     (path->half_axis < 0 || !(pending >> path->half_axis & 1));
  const unsigned held = straight && as_out ? ready_axes(spec, path, spec->out, pending, n) : 0;
  while (!((held == pending ? pending : pending & ~held) >> *next & 1)) next++;
  *axis = *next;
  return held == pending ? mfft_layout_copy(spec->out, layout) : mfft_layout_pencils(n, *next, path->grid, layout);
}

/* The OUT layout of natural order: the caller's IN boxes if they fit, otherwise pencils. */
static mfft_status natural_out(const mfft_path_spec *spec, const mfft_path *path, const int64_t n[3], mfft_layout *layout) {
  if (spec->in && path->half_axis < 0 && !spec->four_step && !mfft_path_pads(path, 7))
    return mfft_layout_copy(spec->in, layout);
  MFFT_TRY(mfft_layout_pencils(n, spec->four_step ? 1 : 2, path->grid, layout));
  if (spec->four_step) /* k = k2*n1 + k1: axis 2 is divided, axis 1 is contiguous */
    for (int rank = 0; rank < layout->ranks; rank++) {
      const int order[3] = {0, 2, 1};
      memcpy(layout->box[rank].order, order, sizeof order);
    }
  return MFFT_SUCCESS;
}

static mfft_status build_on_grid(const mfft_path_spec *spec, const int grid[2], int straight, mfft_path *path) {
  mfft_status status;
  mfft_layout layout = {0};
  int64_t n[3]; /* [axis] */
  memset(path, 0, sizeof *path);
  memcpy(path->n, spec->n, sizeof path->n);
  for (int axis = 0; axis < 3; axis++) path->full[axis] = spec->full[axis] ? spec->full[axis] : spec->n[axis];
  memcpy(path->grid, grid, sizeof path->grid);
  path->half_axis = spec->kind == MFFT_R2C ? highest_axis(spec->axes & ~spec->trigonometric) : -1;
  path->real = spec->kind == MFFT_R2R;
  path->ordered = spec->ordered;
  memcpy(n, spec->n, sizeof n); /* lengths of the array at the current node */

  if (spec->in)
    MFFT_GOTO(fail, mfft_layout_copy(spec->in, &layout));
  else
    MFFT_GOTO(fail, mfft_layout_pencils(n, 2, grid, &layout));

  unsigned pending = spec->axes;
  unsigned ready = spec->four_step ? 0 : ready_axes(spec, path, &layout, pending, n);
  for (;;) {
    int twiddle = spec->four_step && ready == 2;
    MFFT_GOTO(fail, add_node(path, &layout, ready, twiddle));
    pending &= ~ready;
    lengths_before(path, pending, n);
    if (!pending) break;

    int next;
    MFFT_GOTO(fail, next_layout(spec, path, straight, pending, n, &next, &layout));
    ready = spec->four_step ? 1u << next : ready_axes(spec, path, &layout, pending, n);
  }

  const mfft_layout *last = &path->node[path->count - 1].out;
  if (spec->out)
    MFFT_GOTO(fail, mfft_layout_copy(spec->out, &layout));
  else if (spec->order == MFFT_ORDER_NATURAL)
    MFFT_GOTO(fail, natural_out(spec, path, n, &layout));
  if (layout.box && !mfft_layout_equal(last, &layout)) MFFT_GOTO(fail, add_node(path, &layout, 0, 0));
  mfft_layout_free(&layout);
  return MFFT_SUCCESS;
fail:
  mfft_layout_free(&layout);
  mfft_path_free(path);
  return status;
}

double mfft_path_cost(const mfft_path *path) {
  double cost = 0, largest = 0, total = 1;
  for (int i = 0; i < path->count; i++) {
    const mfft_node *node = &path->node[i];
    double in = (double)mfft_layout_largest(&node->in), out = (double)mfft_layout_largest(&node->out);
    if (node->axes) cost += 3 * out;
    if (i) cost += 2 * in;
    if (in > largest) largest = in;
  }
  for (int axis = 0; axis < 3; axis++) total *= (double)path->n[axis];
  return cost * largest * path->node[0].in.ranks / total;
}

mfft_status mfft_path_build(const mfft_path_spec *spec, mfft_path *path) {
  const int variants = spec->out && !spec->four_step && !spec->ordered ? 2 : 1;
  int ranks = spec->ranks, best[2] = {ranks, 1}, best_straight = 0; /* slabs, unless another grid has a lower cost */
  double least = 0;
  for (int p = ranks; p >= 1; p--) {
    const int grid[2] = {p, ranks / p};
    if (ranks % p || (spec->grid[0] && spec->grid[0] != grid[0]) || (spec->grid[1] && spec->grid[1] != grid[1])) continue;
    for (int straight = 0; straight < variants; straight++) {
      MFFT_TRY(build_on_grid(spec, grid, straight, path));
      double cost = mfft_path_cost(path);
      mfft_path_free(path);
      if (least != 0 && cost >= least) continue;
      least = cost;
      memcpy(best, grid, sizeof best);
      best_straight = straight;
    }
  }
  if (least == 0 && (spec->grid[0] || spec->grid[1]))
    return mfft_fail(MFFT_ERR_ARG, "options.grid is %d x %d, which does not make %d ranks; choose factors of it, or 0",
                     spec->grid[0], spec->grid[1], ranks);
  return build_on_grid(spec, best, best_straight, path);
}

void mfft_path_free(mfft_path *path) {
  for (int i = 0; i < path->count; i++) {
    mfft_layout_free(&path->node[i].in);
    mfft_layout_free(&path->node[i].out);
  }
  path->count = 0;
}
