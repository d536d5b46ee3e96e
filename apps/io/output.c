/* output.c: see output.h. */
#include "io/output.h"

#include "cli/phases.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "io/direct.h"
#include "mfft_memory.h"

typedef struct putting {
  mfft_field_file file;
  const mfft_swept *array;
  int reports; /* 1: planes are the steps of the progress */
} putting;

static mfft_status put_part(void *context, const mfft_box *part, void *data) {
  const putting *p = context;
  const mfft_status status = mfft_field_put_part(p->file, part, data);
  if (status == MFFT_SUCCESS && p->reports) mfft_progress_step(part->hi[0] - p->array->box.lo[0]);
  return status;
}

/* The checksum that the values of this rank should have: that of the device before they were copied to the host. */
typedef struct expected {
  const char *name;
  uint64_t checksum;
} expected;

static mfft_status compare(mfft_field_file file, const expected *before) {
  uint64_t checksum;
  const mfft_status status = mfft_field_put_checksum(file, &checksum);
  return status == MFFT_SUCCESS ? mfft_swept_compare(before->name, before->checksum, checksum) : status;
}

typedef struct part_visit {
  mfft_field_visit *visit;
  void *context;
} part_visit;

static mfft_status put(mfft_field_file file, int dataset, mfft_precision precision, mfft_swept *array, part_visit visit,
                       const expected *before) {
  int direct = 0;
  putting what = {file, array, mfft_progress_count(mfft_box_side(&array->box, 0))};
  mfft_status status = mfft_field_put_begin(file, dataset, &array->box, precision);
  if (status != MFFT_SUCCESS) return status;
  status = mfft_field_put_visit(file, visit.visit, visit.context);
  if (status == MFFT_SUCCESS && !visit.visit) status = mfft_direct_write(array, file, &direct);
  if (status == MFFT_SUCCESS && !direct) status = mfft_sweep(array, MFFT_SWEEP_READS, put_part, &what);
  if (status == MFFT_SUCCESS && before) status = compare(file, before);
  status = mfft_app_agree(status);
  const mfft_status end = mfft_field_put_end(file);
  return status == MFFT_SUCCESS ? end : status;
}

mfft_status mfft_output_put(mfft_field_file file, int dataset, mfft_precision precision, mfft_swept *array,
                            mfft_field_visit *visit, void *context) {
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_WRITE);
  const mfft_status status = put(file, dataset, precision, array, (part_visit){visit, context}, NULL);
  mfft_phase_enter(before);
  return status;
}

mfft_status mfft_output_put_checked(mfft_field_file file, int dataset, const char *name, mfft_precision precision,
                                    mfft_swept *array, uint64_t checksum) {
  const expected on_device = {name, checksum};
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_WRITE);
  const mfft_status status = put(file, dataset, precision, array, (part_visit){NULL, NULL}, &on_device);
  mfft_phase_enter(before);
  return status;
}

mfft_status mfft_output_begin(mfft_field_file file, int dataset, mfft_precision precision, const mfft_swept *array,
                              mfft_field_visit *visit, void *context) {
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_WRITE);
  mfft_status status = mfft_field_put_begin(file, dataset, &array->box, precision);
  if (status == MFFT_SUCCESS) {
    status = mfft_field_put_visit(file, visit, context);
    if (status == MFFT_SUCCESS && mfft_box_cells(&array->box)) status = mfft_field_put_start(file, &array->box, array->plan);
    status = mfft_app_agree(status);
  }
  mfft_phase_enter(before);
  return status;
}

mfft_status mfft_output_end(mfft_field_file file) {
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_WRITE);
  const mfft_status status = mfft_field_put_end(file);
  mfft_phase_enter(before);
  return status;
}
