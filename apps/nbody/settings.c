/* settings.c: a file with what determines the result of a run, which a restart must share: the snapshot, and options. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "cli/collective.h"
#include "cli/report.h"
#include "io/save.h"
#include "nbody/run.h"

enum { MOST = 1 << 16 };

/* The particles that a run began with, by which --restart tells their snapshot from another of the same name. */
typedef struct origin {
  int64_t all, count; /* particles, and how many of them the checksum is of */
  uint64_t checksum;  /* of their positions */
} origin;

/* Sets it on rank 0.  Collective. */
static mfft_status find_origin(const mfft_nbody *r, origin *o) {
  enum { FIRST = 1024 };
  double position[3 * FIRST];
  int64_t first, count;
  mfft_status status = mfft_snapshot_share(r->input, 1u << r->type, &first, &count, &o->all);
  o->count = mfft_app_rank() > 0 ? 0 : o->all < FIRST ? o->all : FIRST;
  if (status == MFFT_SUCCESS)
    status = mfft_snapshot_read(r->input, 1u << r->type, "Coordinates", 0, o->count, MFFT_SNAPSHOT_FLOAT64, 3,
                                o->count > 0 ? position : NULL);
  if (status == MFFT_SUCCESS) o->checksum = mfft_checksum(position, sizeof *position, 0, 3 * o->count);
  return mfft_app_agree(status);
}

/* Writes a line of the snapshot, and one for each option of the table that determines the result, as on the command line. */
static int write_settings(const mfft_nbody *r, const origin *from, char *text, size_t size) {
  static const char *const decides[] = {"until",   "steps",        "spacing",  "n",          "kick",      "assign",
                                        "type",    "greens",       "gradient", "deconvolve", "precision", "units",
                                        "omega-m", "omega-lambda", "outputs",  "no-energy"};
  FILE *out = fmemopen(text, size, "w");
  if (!out) return -1;
  fprintf(out,
          "# mergefft nbody: what determines the result of the run\n"
          "snapshot %s of %" PRId64 " particles, with checksum %016" PRIx64 " of the first %" PRId64 "\n",
          r->v->input, from->all, from->checksum, from->count);
  for (size_t i = 0; i < sizeof decides / sizeof *decides; i++)
    for (const mfft_cli_option *o = mfft_nbody_options_table; o->name; o++) {
      if (strcmp(o->name, decides[i])) continue;
      fprintf(out, "--%s ", o->name);
      mfft_cli_write_value(o, (const char *)r->v + o->offset, out);
      fputc('\n', out);
    }
  return fclose(out);
}

static mfft_status make(const mfft_nbody *r, const origin *o, char **text) {
  *text = calloc(1, MOST);
  if (*text && write_settings(r, o, *text, MOST - 1) == 0) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the settings of the run, or they are longer than %d bytes", MOST);
}

static mfft_status save(const char *path, char *text) { return mfft_app_save(path, &mfft_table_kind, text, strlen(text)); }

/* The number of a text of MOST bytes that ends in zeros: 53 bits, as a double holds them. */
static double mark_of(const char *text) { return (double)(mfft_checksum(text, 8, 0, MOST / 8) >> 11); }

/* Calls a function with the name of the file of settings and their text on rank 0; all ranks return its status. */
static mfft_status on_first_rank(mfft_nbody *r, mfft_status (*work)(const char *path, char *text)) {
  char path[MFFT_NBODY_NAME_BYTES], *text = NULL;
  origin o = {0};
  mfft_status status = mfft_nbody_name(r->v, "settings.txt", path);
  if (status == MFFT_SUCCESS) status = find_origin(r, &o);
  if (status == MFFT_SUCCESS && mfft_app_rank() == 0) {
    status = make(r, &o, &text);
    if (status == MFFT_SUCCESS) r->mark = mark_of(text);
    if (status == MFFT_SUCCESS) status = work(path, text);
  }
  free(text);
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) mfft_app_broadcast(&r->mark, sizeof r->mark, 0, "sharing the settings");
  return status;
}

mfft_status mfft_nbody_settings_save(mfft_nbody *r) { return on_first_rank(r, save); }

/* Compares line by line, and fails with the first line that differs. */
static mfft_status compare(const char *path, char *before, char *now) {
  while (*before || *now) {
    const size_t old = strcspn(before, "\n"), new = strcspn(now, "\n");
    if (old != new || memcmp(before, now, old))
      return mfft_app_fail(MFFT_ERR_ARG,
                           "--restart: the run began with `%.*s`, and now there is `%.*s`; give the options of '%s'",
                           (int)old, before, (int)new, now, path);
    before += old + (before[old] == '\n');
    now += new + (now[new] == '\n');
  }
  return MFFT_SUCCESS;
}

static mfft_status read_and_compare(const char *path, char *now) {
  char *before = NULL, why[MFFT_WHY_BYTES];
  size_t length;
  if (mfft_file_read(path, MOST, &before, &length, why))
    return mfft_app_fail(MFFT_ERR_IO, "'%s' cannot be read, which --restart needs: %s", path, why);
  const mfft_status status = compare(path, before, now);
  free(before);
  return status;
}

mfft_status mfft_nbody_settings_compare(mfft_nbody *r) { return on_first_rank(r, read_and_compare); }
