/* host_arrays.h: plans whose executes take arrays in host memory while a device computes (options.host_arrays).
 *
 * The workspace has a copy of each array on the device, and the programs are the ones for arrays there.  Uploads and
 * downloads are stages that are added to a program once it is complete: what each stage reads and writes is known from its
 * extents (mfft_stage.touch), so a part is uploaded before the first stage that reads it, and downloaded after the last one
 * that writes it.  Both are on streams of their own (dist/host_copies.h). */
#ifndef MFFT_PLAN_HOST_ARRAYS_H
#define MFFT_PLAN_HOST_ARRAYS_H

#include "plan/plan.h"

/* Adds the copies to both programs of a plan whose stages are complete, and the memory for them to the workspace, which is
 * not allocated yet. */
mfft_status mfft_host_arrays_add(mfft_plan plan);

#endif
