/* outputs.c: the files of all outputs of a run, checked before its first step: one that cannot be written would cost all the
 * steps since the last checkpoint. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/report.h"
#include "cli/targets.h"
#include "nbody/run.h"

enum { NAME_BYTES = MFFT_NBODY_NAME_BYTES + 32 };

/* Checks that a file can be written, and is neither of the input nor that of another option. */
static int check_file(const mfft_command *command, const mfft_nbody *r, const char *path, const mfft_file_kind *kind) {
  mfft_target targets[1 + MFFT_TIMING_TARGETS] = {{"--output", path, kind}};
  mfft_timing_targets(&r->v->timing, targets + 1);
  return mfft_targets_check(command, &r->v->input, 1, targets, 1 + MFFT_TIMING_TARGETS);
}

/* Begins a set of two files and abandons it: it is refused where a set of any number would be, as where a single file has
 * its name. */
static mfft_status try_set(const mfft_nbody *r, const char *path) {
  const mfft_snapshot_column column = {1, "Coordinates", 3, MFFT_SNAPSHOT_FLOAT32};
  mfft_snapshot_info info;
  mfft_snapshot_file file = NULL;
  if (r->v->files > r->all)
    return mfft_app_fail(MFFT_ERR_ARG, "--files %" PRId64 ": '%s' has %" PRId64 " particles; give no more files than these",
                         r->v->files, r->v->input, r->all);
  mfft_snapshot_info_init(&info);
  info.types = 6;
  info.count[1] = 2;
  info.mass[1] = 1;
  const mfft_status status = mfft_snapshot_create_set(MPI_COMM_WORLD, path, &info, &column, 1, 2, &file);
  mfft_snapshot_abandon(&file);
  return status;
}

static int check_snapshot(const mfft_command *command, const mfft_nbody *r, const char *stem) {
  char path[NAME_BYTES];
  int code = MFFT_EXIT_OK;
  for (int i = 0; i < r->v->files && code == MFFT_EXIT_OK; i++) {
    snprintf(path, sizeof path, r->v->files > 1 ? "%s.%d.hdf5" : "%s.hdf5", stem, i);
    code = check_file(command, r, path, &mfft_field_kind);
  }
  if (code != MFFT_EXIT_OK || r->v->files == 1) return code;
  snprintf(path, sizeof path, "%s.hdf5", stem);
  return mfft_app_failed(try_set(r, path)) ? MFFT_EXIT_FAILED : MFFT_EXIT_OK;
}

int mfft_nbody_check_outputs(const mfft_command *command, const mfft_nbody *r) {
  const mfft_nbody_schedule *s = &r->schedule;
  char words[MFFT_NBODY_REDSHIFT_BYTES], stem[MFFT_NBODY_NAME_BYTES], path[NAME_BYTES];
  int code = MFFT_EXIT_OK;
  for (int i = 0; i <= s->steps && code == MFFT_EXIT_OK; i++) {
    if (!s->output[i]) continue;
    mfft_nbody_redshift(s, i, words);
    if (mfft_app_failed(mfft_nbody_name(r->v, words, stem))) return MFFT_EXIT_FAILED;
    if (!r->v->no_snapshots) code = check_snapshot(command, r, stem);
    snprintf(path, sizeof path, "%s-density.h5", stem);
    if (code == MFFT_EXIT_OK && r->v->density) code = check_file(command, r, path, &mfft_field_kind);
    snprintf(path, sizeof path, "%s-power.txt", stem);
    if (code == MFFT_EXIT_OK && r->v->power) code = check_file(command, r, path, &mfft_table_kind);
  }
  return code;
}
