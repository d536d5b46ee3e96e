/* job.c: see job.h. */
#include "catalogue/job.h"

#include "cli/phases.h"
#include "cli/report.h"
#include "cli/targets.h"
#include "io/threads.h"

static mfft_status make(const mfft_catalogue_job *job, mfft_catalogue *catalogue) {
  const mfft_status status = mfft_catalogue_open(job->input, job->catalogue, job->boxsize, catalogue);
  if (status != MFFT_SUCCESS) return status;
  mfft_json *json = mfft_timing_json();
  mfft_json_string(json, "input", job->input);
  mfft_json_integer(json, "ranks", mfft_app_ranks());
  mfft_json_integer(json, "particles", catalogue->all);
  return job->make(job->values, catalogue);
}

int mfft_catalogue_job_run(const mfft_catalogue_job *job) {
  mfft_target targets[1 + MFFT_TIMING_TARGETS] = {{"--output", job->output, &mfft_field_kind}};
  mfft_catalogue catalogue = {0};
  mfft_timing_targets(job->timing, targets + 1);
  int code = mfft_targets_check(job->command, &job->input, 1, targets, 1 + MFFT_TIMING_TARGETS);
  if (code) return code;
  mfft_timing_begin(job->timing, job->command->name, 0);
  if (mfft_app_failed(mfft_threads_begin(job->sweep))) return MFFT_EXIT_FAILED;
  code = mfft_app_failed(make(job, &catalogue)) ? MFFT_EXIT_FAILED : MFFT_EXIT_OK;
  mfft_phase_enter(MFFT_PHASE_CLOSE);
  mfft_catalogue_close(&catalogue);
  mfft_threads_end();
  return code;
}
