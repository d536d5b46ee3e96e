/* own.c: the files of a prefix belong to one run at a time: two would mix their energies and settings, and the end of one
 * would remove the checkpoint of the other.
 *
 * A run begins the field PREFIX-running.h5 and never finishes it.  Its partial file is locked by rank 0 for as long as the
 * process is there, however it ends, so that a second run is refused; that of a run that was killed is replaced. */
#include <unistd.h>

#include "cli/collective.h"
#include "cli/report.h"
#include "nbody/run.h"

static mfft_status take(mfft_nbody *r) {
  static const mfft_field_dataset dataset = {"nothing", NULL};
  char path[MFFT_NBODY_NAME_BYTES];
  mfft_field_desc desc;
  mfft_field_desc_init(&desc);
  for (int axis = 0; axis < 3; axis++) desc.n[axis] = 1;
  desc.dataset = &dataset;
  desc.dataset_count = 1;
  mfft_status status = mfft_nbody_name(r->v, "running.h5", path);
  if (status == MFFT_SUCCESS) status = mfft_field_create(MPI_COMM_WORLD, path, &desc, &r->owned);
  if (status != MFFT_ERR_BUSY) return status;
  return mfft_app_fail(status, "--output %s: the files of this prefix are those of another run; give another prefix: %s",
                       r->v->output, mfft_last_error());
}

mfft_status mfft_nbody_own(mfft_nbody *r) {
  char restart[MFFT_NBODY_NAME_BYTES];
  mfft_status status = mfft_nbody_name(r->v, "restart.hdf5", restart);
  if (status == MFFT_SUCCESS) status = take(r);
  if (status != MFFT_SUCCESS || r->v->restart) return status;
  if (!mfft_app_anywhere(mfft_app_rank() == 0 && access(restart, F_OK) == 0)) return MFFT_SUCCESS;
  return mfft_app_fail(
      MFFT_ERR_ARG, "'%s' exists: an earlier run has not ended; give --restart to resume it, or remove the file", restart);
}
