/* blocks.c: see blocks.h. */
#include "particles/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/cache_line.h"
#include "base/clock.h"
#include "comm/agree.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"
#include "plan/distribution.h"

struct mfft_pm_blocks {
  mfft_plan plan;     /* the plan whose transforms the blocks replace */
  mfft_plan planes;   /* axes 1 and 2 of this rank's planes; NULL: it has none */
  mfft_plan lines;    /* axis 0 of a block, with its exchange */
  int64_t modes;      /* of axis 2 */
  int64_t width;      /* of them in a block; the last one may have fewer */
  size_t lines_at[3]; /* offsets in the work memory: IN and OUT of a block, and the workspace */
  size_t bytes;       /* of the work memory */
};

int mfft_pm_blocks_suit(mfft_plan plan) {
  const struct mfft_dist *dist = plan->dist;
  if (!dist || dist->ranks < 2 || !dist->padded || plan->desc.placement != MFFT_IN_PLACE) return 0;
  for (int rank = 0; rank < dist->ranks; rank++) {
    const mfft_box *box = &dist->boxes[MFFT_IN].box[rank];
    for (int a = 0; a < 3 && !mfft_box_empty(box); a++)
      if (box->order[a] != a || (a && mfft_box_extent(box, a) != plan->desc.n[a])) return 0;
  }
  return 1;
}

/* The options of both transforms are those of the plan. */
static mfft_options options_of(mfft_plan plan) {
  mfft_options options = plan->options;
  options.backend = plan->backend->name;
  options.radices = NULL;
  options.user_workspace = 1;
  options.grid[0] = options.grid[1] = 0;
  return options;
}

static mfft_status make_planes(mfft_pm_blocks *b) {
  const mfft_plan plan = b->plan;
  const int64_t count = mfft_box_extent(&plan->box[MFFT_IN], 0);
  const mfft_options options = options_of(plan);
  mfft_desc d;
  if (!count) return MFFT_SUCCESS;
  mfft_desc_init(&d);
  d.rank = 2;
  memcpy(d.n, plan->desc.n + 1, 2 * sizeof *d.n);
  d.batch = count;
  d.kind = MFFT_R2C;
  d.precision = plan->desc.precision;
  d.placement = MFFT_IN_PLACE;
  return mfft_plan_create(&d, &options, &b->planes);
}

static mfft_status make_lines(mfft_pm_blocks *b) {
  const mfft_plan plan = b->plan;
  const mfft_options options = options_of(plan);
  mfft_box box = plan->box[MFFT_IN];
  mfft_desc d;
  mfft_desc_init(&d);
  memcpy(d.n, plan->desc.n, sizeof d.n);
  d.n[2] = b->width;
  box.hi[2] = mfft_box_empty(&box) ? 0 : b->width;
  d.in_box = &box;
  d.axes = 1;
  d.precision = plan->desc.precision;
  d.order = MFFT_ORDER_TRANSPOSED;
  d.allow_destroy_input = 1;
  d.filtered = 1u << MFFT_BACKWARD;
  return mfft_plan_create_mpi(plan->dist->comm, &d, &options, &b->lines);
}

static void place(mfft_pm_blocks *b) {
  const size_t planes = b->planes ? b->planes->workspace_bytes : 0, lines = b->lines->workspace_bytes;
  b->lines_at[1] = mfft_whole_lines(b->lines->bytes[MFFT_IN]);
  b->lines_at[2] = b->lines_at[1] + mfft_whole_lines(b->lines->bytes[MFFT_OUT]);
  b->bytes = b->lines_at[2] + (planes > lines ? planes : lines);
}

mfft_status mfft_pm_blocks_create(mfft_plan plan, int parts, mfft_pm_blocks **blocks) {
  mfft_pm_blocks *b = calloc(1, sizeof *b);
  mfft_status status = b ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for the blocks of a transform");
  if (b) {
    b->plan = plan;
    b->modes = plan->desc.n[2] / 2 + 1;
    b->width = (b->modes + parts - 1) / parts;
    status = make_planes(b);
  }
  status = mfft_agree(plan->dist->comm, status);
  if (status == MFFT_SUCCESS) status = make_lines(b);
  if (status == MFFT_SUCCESS) {
    place(b);
    *blocks = b;
  } else {
    mfft_pm_blocks_destroy(b);
  }
  return status;
}

void mfft_pm_blocks_destroy(mfft_pm_blocks *b) {
  if (!b) return;
  mfft_plan_destroy(b->planes);
  mfft_plan_destroy(b->lines);
  free(b);
}

size_t mfft_pm_blocks_bytes(const mfft_pm_blocks *b) { return b ? b->bytes : 0; }

size_t mfft_pm_blocks_window_bytes(const mfft_pm_blocks *b) {
  size_t bytes = 0;
  return b && mfft_plan_window_bytes(b->lines, &bytes) == MFFT_SUCCESS ? bytes : 0;
}

/* Copies the modes from `first` on between the array and a block. */
static mfft_status copy_modes(const mfft_pm_blocks *b, int64_t first, int into, void *array, void *block) {
  const mfft_box *box = &b->plan->box[MFFT_IN];
  const int64_t rest = b->modes - first, count = rest < b->width ? rest : b->width;
  const int64_t rows = mfft_box_extent(box, 0) * mfft_box_extent(box, 1);
  mfft_block copy = {.n = {1, 1, rows, count}, .in_offset = first, .is = {0, 0, b->modes, 1}, .os = {0, 0, b->width, 1}};
  const double begin = mfft_now();
  mfft_device_guard guard;
  if (!rows) return MFFT_SUCCESS;
  if (!into)
    copy = (mfft_block){.n = {1, 1, rows, count}, .is = {0, 0, b->width, 1}, .out_offset = first, .os = {0, 0, b->modes, 1}};
  MFFT_TRY(mfft_device_guard_enter(&b->plan->context, &guard));
  const mfft_status status =
      b->plan->backend->copy(&copy, 1, b->plan->element_bytes, into ? array : block, into ? block : array, b->plan->stream);
  mfft_device_guard_leave(&guard);
  if (b->plan->backend->host_memory) b->plan->timing.copy += mfft_now() - begin;
  return status;
}

/* Adds the seconds of a part of the transform to those of the plan. */
static void book(mfft_plan plan, mfft_plan part) {
  mfft_timing *sum = &plan->timing, *own = &part->timing;
  sum->fft += own->fft;
  sum->copy += own->copy;
  sum->exchange += own->exchange;
  sum->total += own->total;
  sum->sent_bytes += own->sent_bytes;
  *own = (mfft_timing){0};
}

/* Exchanges, transforms and filters one block, and brings it back.  Where the last block has fewer modes, those of the block
 * before it are transformed once more, and left there. */
static mfft_status solve_block(mfft_pm_blocks *b, const mfft_filter *whole, int64_t first, void *array, char *memory) {
  void *const in = memory, *const out = memory + b->lines_at[1];
  mfft_filter filter = *whole;
  filter.factor[2] += first;
  filter.divisor[2] += first;
  mfft_status status = copy_modes(b, first, 1, array, in);
  if (status == MFFT_SUCCESS) status = mfft_plan_set_filter(b->lines, MFFT_BACKWARD, &filter);
  MFFT_TRY(mfft_agree(b->plan->dist->comm, status));
  MFFT_TRY(mfft_execute(b->lines, MFFT_FORWARD, in, out));
  MFFT_TRY(mfft_execute(b->lines, MFFT_BACKWARD, out, in));
  return copy_modes(b, first, 0, array, in);
}

/* Has a part of the transform run on the stream of the plan, with the workspace at the end of the work memory. */
static mfft_status lend(const mfft_pm_blocks *b, mfft_plan part, char *memory) {
  MFFT_TRY(mfft_plan_set_stream(part, b->plan->stream));
  if (!part->workspace_bytes) return MFFT_SUCCESS;
  return mfft_plan_set_workspace(part, memory + b->lines_at[2], b->bytes - b->lines_at[2]);
}

static mfft_status begin(mfft_pm_blocks *b, mfft_green green, double factor, void *array, char *memory,
                         mfft_filter *filter) {
  MFFT_TRY(mfft_green_filter(green, -1, factor, filter));
  MFFT_TRY(lend(b, b->lines, memory));
  if (!b->planes) return MFFT_SUCCESS;
  MFFT_TRY(lend(b, b->planes, memory));
  return mfft_execute(b->planes, MFFT_FORWARD, array, array);
}

mfft_status mfft_pm_blocks_solve(mfft_pm_blocks *b, mfft_green green, double factor, void *array, void *memory) {
  const MPI_Comm comm = b->plan->dist->comm;
  mfft_filter filter;
  MFFT_TRY(mfft_agree(comm, begin(b, green, factor, array, memory, &filter)));
  mfft_status status = MFFT_SUCCESS;
  for (int64_t first = 0; first < b->modes && status == MFFT_SUCCESS; first += b->width)
    status = solve_block(b, &filter, first, array, memory);
  if (status == MFFT_SUCCESS && b->planes) status = mfft_execute(b->planes, MFFT_BACKWARD, array, array);
  if (status == MFFT_SUCCESS && b->planes) status = mfft_plan_synchronize(b->planes);
  book(b->plan, b->lines);
  if (b->planes) book(b->plan, b->planes);
  b->plan->timing.executes += 2;
  return mfft_agree(comm, status);
}
