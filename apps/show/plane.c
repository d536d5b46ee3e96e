/* plane.c: see plane.h. */
#include "show/plane.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "io/sweep.h"
#include "io/untrusted.h"
#include "mesh/mesh.h"
#include "mfft_memory.h"

enum { PIECE_CELLS = 1 << 22, MOST_CELLS = 1 << 29 };

/* The combination of values in one pixel. */
static double start_value(mfft_plane_projection projection) {
  return projection == MFFT_PROJECT_MAX ? -INFINITY : projection == MFFT_PROJECT_MIN ? INFINITY : 0;
}

static void combine(mfft_plane_projection projection, double value, double *pixel) {
  switch (projection) {
    case MFFT_PROJECT_MAX:
      if (value > *pixel) *pixel = value; /* the comparison is false for NaN, which is counted elsewhere */
      return;
    case MFFT_PROJECT_MIN:
      if (value < *pixel) *pixel = value;
      return;
    case MFFT_PROJECT_MEAN:
    case MFFT_PROJECT_SUM:
      *pixel += value;
  }
}

static void add_piece(const mfft_box *box, const double *data, const mfft_view *view, mfft_plane *plane) {
  int64_t at[3]; /* [axis] */
  for (int more = mfft_box_first(box, at); more; more = mfft_box_next(box, at), data++) {
    plane->nonfinite += !isfinite(*data);
    combine(view->projection, *data, &plane->value[at[plane->vertical] * plane->nh + at[plane->horizontal]]);
  }
}

/* Reduces an axis of a box to part `part` of `parts`, with the division of mfft_part. */
static void cut(mfft_box *box, int axis, int64_t parts, int64_t part) {
  int64_t lo = box->lo[axis], count = box->hi[axis] - lo;
  box->lo[axis] = lo + part * count / parts;
  box->hi[axis] = lo + (part + 1) * count / parts;
}

static void reduce(const mfft_view *view, mfft_plane *plane) {
  MPI_Op op = view->projection == MFFT_PROJECT_MAX ? MPI_MAX : view->projection == MFFT_PROJECT_MIN ? MPI_MIN : MPI_SUM;
  int count = (int)(plane->nh * plane->nv);
  mfft_app_reduce_to_root(plane->value, count, MPI_DOUBLE, op, "combining the parts of the picture");
  mfft_app_reduce(&plane->nonfinite, 1, MPI_INT64_T, MPI_SUM, "counting values that are not finite");
  if (mfft_app_rank() == 0 && view->projection == MFFT_PROJECT_MEAN)
    for (int i = 0; i < count; i++) plane->value[i] /= (double)view->depth;
}

/* Reads this rank's part of the region, in so many steps along an axis.  The field is read as one box, so that slabs that
 * are read completely are verified while they are read, and only the others are read once more to verify them. */
static mfft_status read_steps(const char *path, const mfft_field_info *info, const mfft_view *view, const mfft_box *region,
                              int axis, int64_t steps, int partial, double *data, mfft_plane *plane) {
  mfft_field_reading reading = NULL;
  mfft_status status = mfft_field_read_begin(MPI_COMM_WORLD, mfft_untrusted_path(path), info->dataset, region, MFFT_DOUBLE,
                                             partial ? MFFT_FIELD_SKIP_PARTIAL : 0, &reading);
  if (status != MFFT_SUCCESS) return status;
  mfft_progress_start("reading", steps);
  for (int64_t step = 0; step < steps && status == MFFT_SUCCESS; step++, mfft_progress_step(step)) {
    mfft_box box = *region;
    cut(&box, axis, steps, step);
    status = mfft_field_read_part(reading, &box, data);
    if (status == MFFT_SUCCESS) add_piece(&box, data, view, plane);
  }
  if (info->checksummed) mfft_progress_start("verifying", 0);
  return mfft_field_read_end(&reading);
}

int mfft_plane_read(const char *path, const mfft_field_info *info, const mfft_view *view, int partial, mfft_plane *plane) {
  static const int others[3][2] = {{1, 2}, {0, 2}, {0, 1}}; /* [line of sight]{horizontal, vertical} */
  double *data = NULL;                                      /* [PIECE_CELLS or one cut] */
  mfft_status status = MFFT_SUCCESS;
  memset(plane, 0, sizeof *plane);
  plane->horizontal = others[view->axis][0];
  plane->vertical = others[view->axis][1];
  plane->nh = info->n[plane->horizontal];
  plane->nv = info->n[plane->vertical];

  /* The region is divided over the ranks along x if it has several planes; each rank reads in steps of a piece. */
  mfft_box region = {{0, 0, 0}, {info->n[0], info->n[1], info->n[2]}, {0, 1, 2}};
  region.lo[view->axis] = view->first;
  region.hi[view->axis] = view->first + view->depth;
  int axis = region.hi[0] - region.lo[0] > 1 ? 0 : 1;
  int64_t length = region.hi[axis] - region.lo[axis];
  int64_t ranks = mfft_app_ranks(), most = (length + ranks - 1) / ranks;
  int64_t layer = mfft_box_cells(&region) / length;
  int64_t per_step = layer > PIECE_CELLS ? 1 : PIECE_CELLS / layer;
  int64_t steps = (most + per_step - 1) / per_step;

  if (plane->nh * plane->nv > MOST_CELLS)
    status =
        mfft_app_fail(MFFT_ERR_UNSUPPORTED, "a plane of %" PRId64 " x %" PRId64 " cells is too large to draw; choose --axis",
                      plane->nh, plane->nv);
  if (status == MFFT_SUCCESS)
    status = mfft_app_alloc(plane->nh * plane->nv, sizeof(double), "the picture plane", (void **)&plane->value);
  if (status == MFFT_SUCCESS)
    status = mfft_app_alloc((most / steps + 1) * layer, sizeof(double), "a piece of the field", (void **)&data);
  if (mfft_app_failed(status)) goto fail;
  for (int64_t i = 0; i < plane->nh * plane->nv; i++) plane->value[i] = start_value(view->projection);

  cut(&region, axis, ranks, mfft_app_rank());
  if (mfft_app_failed(read_steps(path, info, view, &region, axis, steps, partial, data, plane))) goto fail;
  mfft_free(data);
  reduce(view, plane);
  return 0;
fail:
  mfft_free(data);
  mfft_plane_destroy(plane);
  return 1;
}

void mfft_plane_destroy(mfft_plane *plane) {
  mfft_free(plane->value);
  memset(plane, 0, sizeof *plane);
}
