/* field.c: the times of reading and writing a field, from some of its planes. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/process.h"
#include "cli/report.h"
#include "estimate/estimate.h"
#include "io/rows.h"
#include "io/sweep.h"
#include "io/untrusted.h"
#include "mfft_memory.h"

enum { PROBE_BYTES = 64 << 20, NAME_BYTES = 4096 };

/* The planes that are read or written, at most PROBE_BYTES of them but one for each rank, and this rank's part. */
static int64_t planes_of(const int64_t n[3], mfft_precision precision, mfft_box *box) {
  const int64_t bytes = n[1] * n[2] * (int64_t)mfft_real_bytes(precision), rank = mfft_app_rank();
  int64_t planes = PROBE_BYTES / bytes > mfft_app_ranks() ? PROBE_BYTES / bytes : mfft_app_ranks();
  if (planes > n[0]) planes = n[0];
  *box =
      (mfft_box){{planes * rank / mfft_app_ranks(), 0, 0}, {planes * (rank + 1) / mfft_app_ranks(), n[1], n[2]}, {0, 1, 2}};
  return planes;
}

static mfft_status time_read(mfft_estimate *e, const mfft_field_info *info) {
  mfft_box box;
  void *array = NULL;
  const int64_t planes = planes_of(info->n, info->precision, &box);
  mfft_status status = mfft_app_alloc(mfft_box_cells(&box), mfft_real_bytes(info->precision), "planes to read", &array);
  status = mfft_app_agree(status);
  const double start = mfft_process_now();
  if (status == MFFT_SUCCESS)
    status = mfft_field_read(MPI_COMM_WORLD, mfft_untrusted_path(e->input), info->dataset, &box, info->precision, array,
                             MFFT_FIELD_SKIP_PARTIAL);
  e->read_s = mfft_app_slowest(mfft_process_now() - start) * (double)info->n[0] / (double)planes;
  mfft_free(array);
  return status;
}

static mfft_status time_write(mfft_estimate *e, const mfft_estimate_field *field) {
  const mfft_field_dataset dataset = {.name = "planes"};
  const size_t bytes = mfft_real_bytes(field->stored);
  char name[NAME_BYTES];
  mfft_field_desc desc;
  mfft_box box;
  void *array = NULL;
  const int length = snprintf(name, sizeof name, "%s.mfft-probe", e->output);
  mfft_field_desc_init(&desc);
  memcpy(desc.n, field->info->n, sizeof desc.n);
  desc.n[0] = planes_of(field->info->n, field->stored, &box);
  desc.precision = field->stored;
  desc.dataset = &dataset;
  desc.dataset_count = 1;
  mfft_status status = length < NAME_BYTES ? mfft_app_alloc(mfft_box_cells(&box), bytes, "planes to write", &array)
                                           : mfft_app_fail(MFFT_ERR_ARG, "'%s' is too long a name", e->output);
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) memset(array, 0x3c, (size_t)mfft_box_cells(&box) * bytes);
  const double start = mfft_process_now();
  if (status == MFFT_SUCCESS) status = mfft_field_write(MPI_COMM_WORLD, name, &desc, &box, field->stored, array);
  const double written = (double)(desc.n[0] * desc.n[1] * desc.n[2]) * (double)bytes;
  e->write_s = mfft_app_slowest(mfft_process_now() - start) * e->write_bytes / written;
  if (status == MFFT_SUCCESS && mfft_app_rank() == 0) unlink(name);
  mfft_free(array);
  return status;
}

mfft_status mfft_estimate_time_field(mfft_estimate *e, const mfft_estimate_field *field) {
  const mfft_status status = time_read(e, field->info);
  return status == MFFT_SUCCESS ? time_write(e, field) : status;
}
