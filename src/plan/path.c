/* path.c: chooses the steps and the grid. */
#include "plan/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "dist/grid_order.h"

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

/* Boxes that the first step has too, as at the end of a path in natural order, are shared with it. */
static mfft_status share_first(mfft_path *path, mfft_layout *layout) {
  if (path->count == 0 || !mfft_layout_equal(&path->step[0].in, layout)) return MFFT_SUCCESS;
  mfft_layout_free(layout);
  return mfft_layout_share(&path->step[0].in, layout);
}

/* Appends a step with input layout `layout`, which the step then owns. */
static mfft_status add_node(mfft_path *path, mfft_layout *layout, unsigned axes, int twiddle) {
  int64_t n[3]; /* [axis] */
  mfft_path_out_lengths(path, n);
  MFFT_TRY(share_first(path, layout));
  mfft_path_step *step = &path->step[path->count++];
  *step = (mfft_path_step){.in = *layout, .axes = axes, .twiddle = twiddle};
  *layout = (mfft_layout){0};
  int changes = 0;
  for (int axis = 0; axis < 3; axis++) changes |= axes >> axis & 1 && !mfft_layout_holds(&step->in, axis, n[axis]);
  if (!changes) return mfft_layout_share(&step->in, &step->out);
  MFFT_TRY(mfft_layout_copy(&step->in, &step->out));
  for (int rank = 0; rank < step->out.ranks; rank++)
    for (int axis = 0; axis < 3; axis++)
      if (axes >> axis & 1 && !mfft_box_empty(&step->in.box[rank])) step->out.box[rank].hi[axis] = n[axis];
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

/* Chooses the layout of the next step.  straight: the caller's OUT boxes as soon as they hold all pending axes whole, and
 * until then pencils along an axis that they do not hold. */
static mfft_status next_layout(const mfft_path_spec *spec, const mfft_path *path, int straight, unsigned pending,
                               const int64_t n[3], int *axis, mfft_layout *layout) {
  const int *next = spec->four_step ? four_step_order : natural_order;
  const int as_out = !mfft_path_pads(path, pending) && /* no axis is left whose length differs in the OUT boxes */
                     (path->half_axis < 0 || !(pending >> path->half_axis & 1));
  const unsigned held = straight && as_out ? ready_axes(spec, path, spec->out, pending, n) : 0;
  while (!((held == pending ? pending : pending & ~held) >> *next & 1)) next++;
  *axis = *next;
  return held == pending ? mfft_layout_copy(spec->out, layout)
                         : mfft_layout_pencils(n, *next, path->grid, path->order, layout);
}

/* The OUT layout of natural order: the caller's IN boxes if they fit, otherwise pencils. */
static mfft_status natural_out(const mfft_path_spec *spec, const mfft_path *path, const int64_t n[3], mfft_layout *layout) {
  if (spec->in && path->half_axis < 0 && !spec->four_step && !mfft_path_pads(path, 7))
    return mfft_layout_copy(spec->in, layout);
  MFFT_TRY(mfft_layout_pencils(n, spec->four_step ? 1 : 2, path->grid, path->order, layout));
  if (spec->four_step) /* k = k2*n1 + k1: axis 2 is divided, axis 1 is contiguous */
    for (int rank = 0; rank < layout->ranks; rank++) {
      const int order[3] = {0, 2, 1}; /* [position slow to fast] axis */
      memcpy(layout->box[rank].order, order, sizeof order);
    }
  return MFFT_SUCCESS;
}

/* Sets what a path has before its first step.  order [P][Q]; NULL: p*Q + q. */
static mfft_status begin(const mfft_path_spec *spec, const int grid[2], const int *order, mfft_path *path) {
  memset(path, 0, sizeof *path);
  memcpy(path->n, spec->n, sizeof path->n);
  for (int axis = 0; axis < 3; axis++) path->full[axis] = spec->full[axis] ? spec->full[axis] : spec->n[axis];
  memcpy(path->grid, grid, sizeof path->grid);
  path->half_axis = spec->kind == MFFT_R2C ? highest_axis(spec->axes & ~spec->trigonometric) : -1;
  path->real = spec->kind == MFFT_R2R;
  path->ordered = spec->ordered;
  if (!order) return MFFT_SUCCESS;
  const size_t bytes = (size_t)spec->ranks * sizeof *order;
  path->order = malloc(bytes);
  if (!path->order) return mfft_fail(MFFT_ERR_MEMORY, "no memory for the places of %d ranks in a grid", spec->ranks);
  memcpy(path->order, order, bytes);
  return MFFT_SUCCESS;
}

static mfft_status build_on_grid(const mfft_path_spec *spec, const int grid[2], const int *order, int straight,
                                 mfft_path *path) {
  mfft_status status;
  mfft_layout layout = {0};
  int64_t n[3]; /* [axis] */
  MFFT_GOTO(fail, begin(spec, grid, order, path));
  memcpy(n, spec->n, sizeof n); /* lengths of the array at the current step */

  if (spec->in)
    MFFT_GOTO(fail, mfft_layout_copy(spec->in, &layout));
  else
    MFFT_GOTO(fail, mfft_layout_pencils(n, 2, grid, path->order, &layout));

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

  const mfft_layout *last = &path->step[path->count - 1].out;
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
    const mfft_path_step *step = &path->step[i];
    double in = (double)mfft_layout_largest(&step->in), out = (double)mfft_layout_largest(&step->out);
    if (step->axes) cost += 3 * out;
    if (i) cost += 2 * in;
    if (in > largest) largest = in;
  }
  for (int axis = 0; axis < 3; axis++) total *= (double)path->n[axis];
  return cost * largest * path->step[0].in.ranks / total;
}

/* Whether boxes of the caller are pencils in this order of the ranks, as those of another plan may be. */
static mfft_status are_pencils(const mfft_layout *boxes, const int64_t n[3], const int grid[2], const int *order, int *are) {
  for (int axis = 0; boxes && axis < 3 && !*are; axis++) {
    mfft_layout pencils;
    MFFT_TRY(mfft_layout_pencils(n, axis, grid, order, &pencils));
    *are = mfft_layout_equal(boxes, &pencils);
    mfft_layout_free(&pencils);
  }
  return MFFT_SUCCESS;
}

/* The order of the ranks on a grid: order [P][Q], or *own = 1: p*Q + q, as boxes of the caller are expected to be.  *far
 * orders grids of the same cost: by their data between nodes, then by their peers. */
static mfft_status order_ranks(const mfft_path_spec *spec, const int grid[2], int *order, int *own, double *far) {
  int are = 0;
  mfft_path path;
  int64_t n[3]; /* [axis] */
  *own = 1;
  *far = 0;
  if (!order) return MFFT_SUCCESS;
  MFFT_TRY(mfft_grid_order(spec->node_of, grid, order, own, far));
  *far += 1e-6 * (grid[0] + grid[1]) / spec->ranks;
  if (*own || (!spec->in && !spec->out)) return MFFT_SUCCESS;
  MFFT_TRY(begin(spec, grid, NULL, &path));
  mfft_path_out_lengths(&path, n);
  MFFT_TRY(are_pencils(spec->in, spec->n, grid, order, &are));
  MFFT_TRY(are_pencils(spec->out, n, grid, order, &are));
  *own = !are;
  return MFFT_SUCCESS;
}

/* The best grid so far. */
typedef struct choice {
  int grid[2], straight; /* {P, Q} */
  double cost, far;      /* cost 0: none yet */
} choice;

static int is_better(const choice *a, const choice *b) {
  if (b->cost == 0 || fabs(a->cost - b->cost) > 1e-9 * b->cost) return b->cost == 0 || a->cost < b->cost;
  return a->far < b->far - 1e-9;
}

/* Tries grids from slabs on: of equal ones the first is taken.  order [ranks]: scratch memory, for the ranks in the order of
 * their nodes; NULL: they keep their own. */
static mfft_status choose_grid(const mfft_path_spec *spec, int *order, choice *best) {
  const int variants = spec->out && !spec->four_step && !spec->ordered ? 2 : 1, ranks = spec->ranks;
  mfft_path path;
  int own;
  for (int p = ranks; p >= 1; p--) {
    choice c = {.grid = {p, ranks / p}};
    if (ranks % p || (spec->grid[0] && spec->grid[0] != p) || (spec->grid[1] && spec->grid[1] != ranks / p)) continue;
    MFFT_TRY(order_ranks(spec, c.grid, order, &own, &c.far));
    for (c.straight = 0; c.straight < variants; c.straight++) {
      MFFT_TRY(build_on_grid(spec, c.grid, own ? NULL : order, c.straight, &path));
      c.cost = mfft_path_cost(&path);
      mfft_path_free(&path);
      if (is_better(&c, best)) *best = c;
    }
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_path_check_grid(const int grid[2], int ranks) {
  const int p = grid[0], q = grid[1];
  if (p ? ranks % p == 0 && (!q || q == ranks / p) : !q || ranks % q == 0) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "options.grid is %d x %d, which does not make %d ranks; choose factors of it, or 0", p, q,
                   ranks);
}

mfft_status mfft_path_build(const mfft_path_spec *spec, mfft_path *path) {
  MFFT_TRY(mfft_path_check_grid(spec->grid, spec->ranks));
  choice best = {.grid = {spec->ranks, 1}};
  int own = 1, *order = spec->node_of ? malloc((size_t)spec->ranks * sizeof *order) : NULL;
  mfft_status status = spec->node_of && !order ? mfft_fail(MFFT_ERR_MEMORY, "no memory for a grid of %d ranks", spec->ranks)
                                               : choose_grid(spec, order, &best);
  if (status == MFFT_SUCCESS) status = order_ranks(spec, best.grid, order, &own, &best.far);
  if (status == MFFT_SUCCESS) status = build_on_grid(spec, best.grid, own ? NULL : order, best.straight, path);
  free(order);
  return status;
}

void mfft_path_free(mfft_path *path) {
  for (int i = 0; i < path->count; i++) {
    mfft_layout_free(&path->step[i].in);
    mfft_layout_free(&path->step[i].out);
  }
  free(path->order);
  path->order = NULL;
  path->count = 0;
}
