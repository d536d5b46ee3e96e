// TEST ranks=1,2,3 labels=apps
// TEST ranks=1,2 labels=apps+cuda args=cuda
// TEST ranks=2 labels=apps+emulated timeout=300 args=cuda
// Sweeps: parts in C order that tile the box, through two buffers as in place; values that are uploaded, downloaded and
// changed in between; a failure on one rank that all report.
#include <mpi.h>

#include "../apps/cli/cli.c"
#include "../apps/cli/cli_help.c"
#include "../apps/cli/cli_option.c"
#include "../apps/cli/cli_value.c"
#include "../apps/cli/collective.c"
#include "../apps/cli/number.c"
#include "../apps/cli/option_words.c"
#include "../apps/cli/phases.c"
#include "../apps/cli/process.c"
#include "../apps/cli/progress.c"
#include "../apps/cli/report.c"
#include "../apps/io/sweep.c"
#include "check.h"
#include "mfft_inspect.h"
#include "mfft_mpi.h"

typedef struct walk {
  const mfft_box *box;
  int64_t next;  /* offset in the box of the next element */
  int64_t parts; /* so far */
  int64_t fail_at;
  size_t most; /* elements of a part */
} walk;

static int64_t rows_before(const mfft_box *box, const mfft_box *part) {
  return (part->lo[0] - box->lo[0]) * (box->hi[1] - box->lo[1]) + part->lo[1] - box->lo[1];
}

static mfft_status visit(walk *w, const mfft_box *part) {
  const int64_t row = w->box->hi[2] - w->box->lo[2];
  CHECK(part->lo[2] == w->box->lo[2] && part->hi[2] == w->box->hi[2], "whole rows");
  CHECK(rows_before(w->box, part) * row == w->next, "part %d begins at row %d", (int)w->parts,
        (int)rows_before(w->box, part));
  CHECK(part->hi[0] - part->lo[0] == 1 || (part->lo[1] == w->box->lo[1] && part->hi[1] == w->box->hi[1]), "contiguous");
  CHECK((size_t)mfft_box_cells(part) <= w->most || mfft_box_cells(part) == row, "a part of %d elements",
        (int)mfft_box_cells(part));
  w->next += mfft_box_cells(part);
  return w->parts++ == w->fail_at ? mfft_app_fail(MFFT_ERR_IO, "part %d is bad", (int)w->fail_at) : MFFT_SUCCESS;
}

static mfft_status fill(void *context, const mfft_box *part, void *data) {
  walk *w = context;
  const int64_t first = w->next;
  for (int64_t i = 0; i < mfft_box_cells(part); i++) ((double *)data)[i] = (double)(first + i);
  return visit(w, part);
}

static mfft_status change(void *context, const mfft_box *part, void *data) {
  walk *w = context;
  const int64_t first = w->next;
  for (int64_t i = 0; i < mfft_box_cells(part); i++) {
    double *value = (double *)data + i;
    CHECK(*value == (double)(first + i), "element %d is %g", (int)(first + i), *value);
    *value = 2 * *value + 1;
  }
  return visit(w, part);
}

static mfft_status look(void *context, const mfft_box *part, void *data) {
  walk *w = context;
  const int64_t first = w->next;
  for (int64_t i = 0; i < mfft_box_cells(part); i++) {
    const double value = ((double *)data)[i], want = (double)(2 * (first + i) + 1);
    CHECK(value == want, "element %d is %g", (int)(first + i), value);
    ((double *)data)[i] = -1; /* not to be stored, buffered */
  }
  return visit(w, part);
}

static void sweep(const char *backend, const int64_t n[3], size_t part_bytes, int buffered) {
  mfft_desc desc;
  mfft_options options;
  mfft_plan plan;
  mfft_swept s;
  mfft_desc_init(&desc);
  mfft_options_init(&options);
  memcpy(desc.n, n, sizeof desc.n);
  desc.kind = MFFT_R2C;
  options.backend = backend;
  options.effort = MFFT_ESTIMATE;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &desc, &options, &plan));
  CHECK_OK(mfft_swept_create(plan, MFFT_IN, (double)part_bytes / 0x1p20, buffered, "the field", &s));
  const int64_t cells = mfft_box_cells(&s.box);
  walk w = {.box = &s.box, .fail_at = -1, .most = part_bytes / 8};
#define AGAIN(failing) w = (walk){.box = &s.box, .fail_at = failing, .most = part_bytes / 8}
  CHECK_OK(mfft_sweep(&s, MFFT_SWEEP_WRITES, fill, &w));
  CHECK(w.next == cells && w.parts == part_count(&s), "%d of %d cells", (int)w.next, (int)cells);
  AGAIN(-1);
  CHECK_OK(mfft_sweep(&s, MFFT_SWEEP_READS | MFFT_SWEEP_WRITES, change, &w));
  CHECK(w.next == cells, "%d of %d cells", (int)w.next, (int)cells);
  for (int again = 0; again < (s.copies ? 2 : 1); again++) {
    AGAIN(-1);
    CHECK_OK(mfft_sweep(&s, MFFT_SWEEP_READS, look, &w));
    CHECK(w.next == cells, "%d of %d cells", (int)w.next, (int)cells);
  }
  CHECK(!s.copies || cells == 0 || mfft_swept_copy_s(&s) > 0, "no time");

  /* The last rank fails in its second part; all ranks report it. */
  const int last = mfft_app_rank() == mfft_app_ranks() - 1, fails = last && w.parts > 1;
  int any = fails;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  AGAIN(last ? 1 : -1);
  mfft_status status = mfft_app_agree(mfft_sweep(&s, MFFT_SWEEP_WRITES, fill, &w));
  CHECK((status != MFFT_SUCCESS) == any, "got %s", mfft_strerror(status));
  if (fails) CHECK(status == MFFT_ERR_IO && w.parts == 2, "%s after %d parts", mfft_strerror(status), (int)w.parts);
  if (any) CHECK(!strcmp(mfft_app_message(), "part 1 is bad"), "rank %d hears something else", mfft_app_rank());
  AGAIN(-1); /* and the array can be used again */
  CHECK_OK(mfft_sweep(&s, MFFT_SWEEP_WRITES, fill, &w));
  mfft_swept_destroy(&s);
  mfft_swept_destroy(&s);
  mfft_plan_destroy(plan);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const char *backend = argc > 1 ? argv[1] : "fftw";
  if (!mfft_backend_usable(backend, NULL, 0)) {
    MPI_Finalize();
    return TEST_SKIPPED;
  }
  static const int64_t shapes[][3] = {{12, 10, 14}, {7, 1, 9}, {1, 30, 8}, {2, 3, 1}, {40, 2, 2}};
  static const size_t bytes[] = {1 << 20, 2300, 700, 112, 1};
  const size_t some = test_small() ? 2 : sizeof shapes / sizeof *shapes;
  for (size_t shape = 0; shape < some; shape++)
    for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++)
      for (int buffered = argc > 1; buffered < 2; buffered++) sweep(backend, shapes[shape], bytes[b], buffered);
  MPI_Finalize();
  return test_end();
}
