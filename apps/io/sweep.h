/* sweep.h: an array of this rank in the memory of a plan, and passes over it on the host, part by part.
 *
 * Where plans take host memory a part is its place in the array, and nothing is copied.  On a device parts pass through two
 * page-locked buffers, the one being copied while the other is worked on: the host reads part k+1 of a file while part k
 * goes to the device, or writes part k while part k+1 comes from there.  So the host memory of a command does not grow with
 * the field.  In both cases parts come in C order and a step sees the same numbers. */
#ifndef MFFT_APPS_SWEEP_H
#define MFFT_APPS_SWEEP_H

#include "cli/cli.h"
#include "mfft.h"
#include "mfft_direct.h"
#include "mfft_memory.h"

/* Elements of a box along an axis and in all, 0 where it is empty. */
static inline int64_t mfft_box_side(const mfft_box *box, int axis) {
  return box->hi[axis] > box->lo[axis] ? box->hi[axis] - box->lo[axis] : 0;
}
static inline int64_t mfft_box_cells(const mfft_box *box) {
  return mfft_box_side(box, 0) * mfft_box_side(box, 1) * mfft_box_side(box, 2);
}

/* The cells of a box in C order of its axes: for (int more = mfft_box_first(box, at); more; more = mfft_box_next(box, at)).
 * Both return 0 if there is no cell, or none left. */
static inline int mfft_box_first(const mfft_box *box, int64_t at[3]) {
  for (int a = 0; a < 3; a++) at[a] = box->lo[a];
  return mfft_box_cells(box) > 0;
}
static inline int mfft_box_next(const mfft_box *box, int64_t at[3]) {
  for (int a = 2; a >= 0; a--) {
    if (++at[a] < box->hi[a]) return 1;
    at[a] = box->lo[a];
  }
  return 0;
}

typedef struct mfft_swept {
  mfft_plan on_device; /* the plan whose array this is, in device memory; NULL: the array is in host memory */
  mfft_side side;      /* of that plan */
  const char *backend;
  void *plan;               /* [bytes] what the plan is given; NULL where there is none yet */
  int shared;               /* `plan` is the caller's, who frees it */
  size_t bytes;             /* allocated */
  mfft_box box;             /* dense, in C order */
  size_t element_bytes;     /* of one element of the box */
  size_t part_bytes;        /* the most of one part */
  void *buffer[2];          /* [part_bytes] NULLs where parts lie in the array */
  mfft_copies copies;       /* NULL there, too */
  double wait_s;            /* how long sweeps waited for copies */
  mfft_direct_array direct; /* of io/direct.h: the registered array; NULL: none */
} mfft_swept;

/* Options of the commands that sweep: the size of parts, and the threads. */
typedef struct mfft_sweep_options {
  double part_mib;
  int64_t io_threads; /* 0: the rank's share of the cores */
} mfft_sweep_options;
extern const mfft_cli_option mfft_sweep_options_table[];

/* An array of `bytes` for one side of the plan.  part_mib: of the options; buffered: 1 to copy through buffers also where
 * plans take host memory, as tests do.  Fails with a message that has the number of bytes of `what` there was no space for.
 * Not collective. destroy accepts zeroed and half-built objects. */
mfft_status mfft_swept_create(mfft_plan plan, mfft_side side, double part_mib, int buffered, const char *what,
                              mfft_swept *swept);
/* The same over an array of the caller's in the memory of the plan. */
mfft_status mfft_swept_share(mfft_plan plan, mfft_side side, void *array, double part_mib, int buffered, const char *what,
                             mfft_swept *swept);
/* The same over host memory of the caller's. */
mfft_swept mfft_swept_over(void *array, const mfft_box *box, size_t element_bytes, double part_mib);
void mfft_swept_destroy(mfft_swept *swept);

/* Copies that have run, and their share that the host did not wait for (NaN where nothing was copied). */
double mfft_swept_copy_s(const mfft_swept *swept);
double mfft_swept_overlap(double copy_s, double wait_s);

/* One step of a sweep: processes a part, whose elements are at `data` in C order.  A failure ends the sweep; nothing
 * collective here, since ranks have different numbers of parts. */
typedef mfft_status mfft_sweep_step(void *context, const mfft_box *part, void *data);

/* READS: the step finds the values of the array.  WRITES: what it leaves is stored.  The plan is at rest (synchronised)
 * before, and everything is in its place on return.  Not collective: pass the status to mfft_app_agree or mfft_app_failed.
 */
enum { MFFT_SWEEP_READS = 1, MFFT_SWEEP_WRITES = 2 };
mfft_status mfft_sweep(mfft_swept *swept, int does, mfft_sweep_step *step, void *context);

/* Takes the checksums (mfft_plan_rows) of rows [first, first + count) of an array. */
typedef mfft_status mfft_swept_take_sums(void *context, int64_t first, int64_t count,
                                         const uint64_t *checksum /* [count] */);

/* Adds up the checksums of all rows of this rank's part of an array of real numbers on a device.  Not collective. */
mfft_status mfft_swept_row_sums(const mfft_swept *swept, mfft_swept_take_sums *take, void *context);

/* The checksum of this rank's part of such an array.  Not collective. */
mfft_status mfft_swept_checksum(const mfft_swept *swept, uint64_t *checksum);

/* Fails, naming the array and the rank, if the checksums of its values on the device and on the host differ. */
mfft_status mfft_swept_compare(const char *name, uint64_t on_device, uint64_t on_host);

/* Memory of the plan alone, with the same message; free it with mfft_memory_free. */
mfft_status mfft_plan_array(mfft_plan plan, size_t bytes, const char *what, void **pointer);

#endif
