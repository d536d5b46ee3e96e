/* read.c: looking at and reading a dataset, together. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/box.h"
#include "field/arguments.h"
#include "field/convert.h"
#include "field/fetch.h"
#include "field/together.h"
#include "field/verify.h"
#include "mfft_field.h"

void mfft_field_info_init_sized(mfft_field_info *info, size_t struct_size) {
  memset(info, 0, struct_size);
  info->struct_size = struct_size;
}

/* Rank 0 looks, all ranks know.  The checksums are freed by the caller. */
static mfft_status look_together(MPI_Comm comm, const char *path, const char *dataset, mfft_source *source,
                                 uint64_t **sums) {
  MFFT_TRY(mfft_agree(comm, mfft_field_check_path(path)));
  MFFT_TRY(mfft_together_same_text(comm, path, "path"));
  MFFT_TRY(mfft_together_same_text(comm, dataset, "dataset"));

  mfft_source found;
  memset(&found, 0, sizeof found);
  uint64_t *found_sums = NULL;
  int rank = mfft_together_rank(comm);
  mfft_status status = rank == 0 ? mfft_source_look(path, dataset, &found, &found_sums) : MFFT_SUCCESS;
  MFFT_GOTO(fail, mfft_agree(comm, status));
  MFFT_GOTO(fail, mfft_together_share(comm, &found, sizeof found));
  if (rank != 0 && found.slabs.count) {
    found_sums = malloc((size_t)found.slabs.count * sizeof *found_sums); /* [slabs.count] */
    if (!found_sums) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for %" PRId64 " checksums", found.slabs.count);
  }
  MFFT_GOTO(fail, mfft_agree(comm, status));
  if (found.slabs.count)
    MFFT_GOTO(fail, mfft_together_share(comm, found_sums, (size_t)found.slabs.count * sizeof *found_sums));
  *source = found;
  *sums = found_sums;
  return MFFT_SUCCESS;
fail:
  free(found_sums);
  return status;
}

mfft_status mfft_field_query(MPI_Comm comm, const char *path, const char *dataset, mfft_field_info *info) {
  MPI_Comm mine;
  mfft_source source;
  uint64_t *sums = NULL;
  mfft_status status;
  MFFT_GOTO(done, mfft_together_begin(comm, &mine));
  size_t size = info ? info->struct_size : 0;
  if (!info)
    status = mfft_fail(MFFT_ERR_ARG, "info is NULL");
  else if (size == 0 || size > sizeof *info)
    status = mfft_fail(MFFT_ERR_ARG, "info.struct_size is %zu, not 1 to %zu; call mfft_field_info_init first", size,
                       sizeof *info);
  MFFT_GOTO(done, mfft_agree(mine, status));
  MFFT_GOTO(done, look_together(mine, path, dataset, &source, &sums));
  source.info.struct_size = size;
  memcpy(info, &source.info, size);
done:
  free(sums);
  mfft_together_end(&mine);
  return status;
}

mfft_status mfft_field_read(MPI_Comm comm, const char *path, const char *dataset, const mfft_box *box,
                            mfft_precision precision, void *data, unsigned flags) {
  MPI_Comm mine;
  mfft_source source;
  mfft_box part;
  mfft_fetch fetch = {.fd = -1, .file = -1, .object = -1};
  uint64_t *stored = NULL, *sums = NULL; /* [slabs.count] */
  int64_t lost = 0;
  mfft_status status;
  MFFT_GOTO(done, mfft_together_begin(comm, &mine));
  const mfft_agree_item same[] = {{"flags", (int64_t)flags}};
  MFFT_GOTO(done, mfft_agree_values(mine, same, 1));
  if (flags & ~(unsigned)MFFT_FIELD_SKIP_PARTIAL)
    status = mfft_fail(MFFT_ERR_ARG, "flags is %u; give 0 or MFFT_FIELD_SKIP_PARTIAL", flags);
  MFFT_GOTO(done, mfft_agree(mine, status));
  MFFT_GOTO(done, look_together(mine, path, dataset, &source, &stored));

  status = mfft_field_check_array(box, source.info.n, precision, data, &part);
  if (status == MFFT_SUCCESS) status = mfft_fetch_open(&source, path, &fetch);
  if (status == MFFT_SUCCESS && stored) {
    sums = calloc((size_t)source.slabs.count, sizeof *sums);
    if (!sums) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for %" PRId64 " checksums", source.slabs.count);
  }
  MFFT_GOTO(done, mfft_agree(mine, status));
  MFFT_GOTO(done, mfft_agree(mine, mfft_fetch_box(&fetch, &part, precision, data, sums, &lost)));
  if (stored) MFFT_GOTO(done, mfft_verify_boxes(mine, &fetch, &part, sums, stored, flags));
  if (lost)
    status =
        mfft_fail(MFFT_ERR_NONFINITE, "%s: %" PRId64 " values of dataset %s do not fit single precision; read it as double",
                  path, lost, source.info.dataset);
  status = mfft_agree(mine, status);
done:
  mfft_fetch_close(&fetch);
  free(sums);
  free(stored);
  mfft_together_end(&mine);
  return status;
}
