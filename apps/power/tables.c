/* tables.c: the spectrum of `mergefft power` as a table and as JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/json.h"
#include "io/save.h"
#include "poisson/contrast.h"
#include "power/result.h"

typedef struct text {
  char *bytes; /* [size] */
  size_t length, size;
} text;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
add(text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  size_t left = t->size - t->length;
  mfft_app_format(t->bytes + t->length, left, format, args);
  va_end(args);
  t->length += strlen(t->bytes + t->length);
}

/* ---- Description of the measurement ---------------------------------------------------------------------------------- */

/* The compensation by name; "none" without a window. */
static const char *compensation(const mfft_power_result *r) {
  const int windows = r->source[0].assign || r->source[r->sources - 1].assign;
  return windows ? mfft_cli_choice_name(MFFT_POWER_COMPENSATIONS, r->how.compensate) : "none";
}

static void describe_window(text *t, const mfft_power_source *s) {
  add(t, "%s", mfft_cli_choice_name(MFFT_POWER_ASSIGNS, s->assign));
  if (s->interlace > 1) add(t, ", interlaced by %d", s->interlace);
}

static void describe_source(text *t, const mfft_power_source *s, int kind) {
  char types[128];
  if (s->particles) {
    mfft_catalogue_name_types(&s->catalogue, types, sizeof types);
    add(t, "# %" PRId64 " particles of %s%s\n", s->catalogue.all, types, s->rsd != 0 ? ", in redshift space" : "");
    return;
  }
  add(t, "# %s", mfft_cli_choice_name(MFFT_FIELD_KINDS, kind));
  add(t, " with mean %.10g, standard deviation %.10g\n", s->stats.mean, s->stats.deviation);
}

static void name_source(text *t, const char *words, const mfft_power_source *s) {
  if (s->particles)
    add(t, "# %s %s\n", words, s->path);
  else
    add(t, "# %s '%s' of %s\n", words, s->info.dataset, s->path);
}

static void describe(text *t, const mfft_power_result *r) {
  const mfft_power_how *how = &r->how;
  const mfft_mesh *mesh = &r->job->mesh;
  const double z = mfft_power_redshift(&r->source[0]);
  name_source(t, "mergefft power:", &r->source[0]);
  if (r->sources > 1) name_source(t, "cross spectrum with", &r->source[1]);
  add(t, "# cells %" PRId64 " %" PRId64 " %" PRId64 ", box %.10g %.10g %.10g", mesh->n[0], mesh->n[1], mesh->n[2],
      mesh->length[0], mesh->length[1], mesh->length[2]);
  if (!isnan(z)) add(t, ", redshift %.6g", z);
  add(t, "\n");
  for (int i = 0; i < r->sources; i++) describe_source(t, &r->source[i], r->options->field);
  const mfft_power_source *one = &r->source[0], *two = &r->source[r->sources - 1];
  add(t, "# mass assignment ");
  describe_window(t, one);
  if (one->assign != two->assign || one->interlace != two->interlace) {
    add(t, "; of the second ");
    describe_window(t, two);
  }
  add(t, ", compensated: %s", compensation(r));
  if (!isnan(r->shot)) add(t, "; shot noise %.10g, %s", r->shot, how->subtract_shot ? "subtracted" : "not subtracted");
  add(t, "\n");
  if (r->options->ells)
    add(t, "# line of sight %.6g %.6g %.6g\n", r->options->line[0], r->options->line[1], r->options->line[2]);
  if (isfinite(r->limit)) add(t, "# error by window and aliasing below 1 %% of P up to k = %.6g\n", r->limit);
}

/* Whether the error by window and aliasing may exceed MFFT_LIMIT_ERROR in a row. */
static int is_beyond(const mfft_power_result *r, int fold, double k) {
  return k > r->limit * r->how.fold[fold] * (1 + 1e-9);
}

/* ---- The table ------------------------------------------------------------------------------------------------------- */

/* Writes the names of the columns, padded to the widths of the columns. */
static void write_names(text *t, const mfft_power_result *r) {
  char name[32];
  add(t, "# %-16s %-19s", "k", "P");
  for (int i = 0; i < r->options->ells; i++) {
    snprintf(name, sizeof name, "P%d", r->options->ell[i]);
    if (r->options->ell[i]) add(t, " %-19s", name);
  }
  if (r->sources > 1) add(t, " %-19s %-19s", "P_first", "P_second");
  add(t, " %s%s%s\n", mfft_power_tells_fold(r) ? "modes        " : "modes", isnan(r->shot) ? "" : "           shot",
      mfft_power_tells_fold(r) ? "               fold" : "");
}

static void write_row(text *t, const mfft_power_result *r, int fold, int b) {
  const mfft_bins *bins = &r->bins[fold];
  add(t, "%.12e %19.12e", bins->k[b], bins->power[b]);
  for (int i = 0; i < bins->poles; i++)
    if (bins->ell[i]) add(t, " %19.12e", bins->pole[i][b]);
  for (int i = 0; i < 2 && r->sources > 1; i++) add(t, " %19.12e", bins->own[i][b]);
  add(t, " %-12" PRId64, bins->modes[b]);
  if (!isnan(r->shot)) add(t, " %.12e", r->shot);
  if (mfft_power_tells_fold(r)) add(t, " %d", r->how.fold[fold]);
  while (t->length && t->bytes[t->length - 1] == ' ') t->length--;
  add(t, "\n");
}

static mfft_status write_table(const mfft_power_result *r) {
  enum { HEAD_BYTES = 8192, ROW_BYTES = 128, COLUMN_BYTES = 24 };
  size_t rows = 0, paths = strlen(r->job->input) + (r->options->cross ? strlen(r->options->cross) : 0);
  int marked = 0;
  for (int f = 0; f < r->how.folds; f++) rows += (size_t)r->bins[f].count;
  text t = {NULL, 0, HEAD_BYTES + 4 * paths + rows * (ROW_BYTES + COLUMN_BYTES * (2 + (size_t)r->options->ells))};
  t.bytes = malloc(t.size);
  if (!t.bytes) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a table of %zu bins; use fewer", rows);
  t.bytes[0] = 0;
  describe(&t, r);
  write_names(&t, r);
  for (int f = 0; f < r->how.folds; f++)
    for (int b = 0; b < r->bins[f].count; b++) {
      if (!r->bins[f].modes[b]) continue;
      const int beyond = is_beyond(r, f, r->bins[f].k[b]);
      if (beyond && !marked) add(&t, "# beyond: the error by window and aliasing may exceed 1 %% of P\n");
      if (!beyond && marked) add(&t, "# again: the error by window and aliasing is below 1 %% of P\n");
      marked = beyond;
      write_row(&t, r, f, b);
    }
  mfft_status status = mfft_app_save(r->job->output ? r->job->output : "-", &mfft_table_kind, t.bytes, t.length);
  free(t.bytes);
  return status;
}

/* ---- JSON ------------------------------------------------------------------------------------------------------------ */

static void window_json(mfft_json *json, const mfft_power_source *s) {
  mfft_json_string(json, "assign", mfft_cli_choice_name(MFFT_POWER_ASSIGNS, s->assign));
  mfft_json_integer(json, "interlace", s->interlace);
}

static void source_json(mfft_json *json, const mfft_power_source *s, int kind) {
  mfft_json_string(json, "file", s->path);
  mfft_json_string(json, "dataset", s->particles ? NULL : s->info.dataset);
  mfft_json_number(json, "redshift", mfft_power_redshift(s));
  mfft_json_string(json, "field", s->particles ? "particles" : mfft_cli_choice_name(MFFT_FIELD_KINDS, kind));
  if (s->particles) {
    mfft_json_integer(json, "particles", s->catalogue.all);
    mfft_json_boolean(json, "redshift_space", s->rsd != 0);
  } else {
    mfft_json_number(json, "mean", s->stats.mean);
    mfft_json_number(json, "deviation", s->stats.deviation);
  }
}

static void bin_json(mfft_json *json, const mfft_power_result *r, int fold, int b) {
  static const char *const own[] = {"P_first", "P_second"};
  const mfft_bins *bins = &r->bins[fold];
  const int some = bins->modes[b] > 0;
  char name[16];
  mfft_json_object(json, NULL);
  mfft_json_number(json, "k_min", bins->edge[b]);
  mfft_json_number(json, "k_max", bins->edge[b + 1]);
  mfft_json_number(json, "k", some ? bins->k[b] : NAN);
  mfft_json_number(json, "P", some ? bins->power[b] : NAN);
  for (int i = 0; i < bins->poles; i++) {
    snprintf(name, sizeof name, "P%d", bins->ell[i]);
    mfft_json_number(json, name, some ? bins->pole[i][b] : NAN);
  }
  for (int i = 0; i < 2 && r->sources > 1; i++) mfft_json_number(json, own[i], some ? bins->own[i][b] : NAN);
  mfft_json_integer(json, "modes", bins->modes[b]);
  if (mfft_power_tells_fold(r)) mfft_json_integer(json, "fold", r->how.fold[fold]);
  if (some && isfinite(r->limit)) mfft_json_boolean(json, "beyond", is_beyond(r, fold, bins->k[b]));
  mfft_json_end(json);
}

static mfft_status write_json(const mfft_power_result *r) {
  const mfft_power_how *how = &r->how;
  mfft_json *json = mfft_json_create();
  mfft_json_object(json, NULL);
  mfft_json_string(json, "command", "mergefft power");
  source_json(json, &r->source[0], r->options->field);
  if (r->sources > 1) {
    mfft_json_object(json, "cross");
    source_json(json, &r->source[1], r->options->field);
    window_json(json, &r->source[1]);
    mfft_json_end(json);
  }
  mfft_json_integers(json, "n", r->job->mesh.n, 3);
  mfft_json_numbers(json, "boxsize", r->job->mesh.length, 3);
  window_json(json, &r->source[0]);
  mfft_json_string(json, "compensate", compensation(r));
  mfft_json_number(json, "limit", r->limit);
  mfft_json_number(json, "shot", r->shot);
  mfft_json_boolean(json, "shot_subtracted", how->subtract_shot);
  mfft_json_numbers(json, "line_of_sight", r->options->line, 3);
  mfft_json_string(json, "spacing", mfft_cli_choice_name(MFFT_POWER_SPACINGS, how->spacing));
  mfft_json_array(json, "bins");
  for (int f = 0; f < how->folds; f++)
    for (int b = 0; b < r->bins[f].count; b++)
      if (how->spacing != MFFT_SPACING_GADGET || r->bins[f].modes[b]) bin_json(json, r, f, b);
  mfft_json_end(json);
  mfft_json_end(json);
  mfft_status status = mfft_json_save(json, r->job->json);
  mfft_json_destroy(json);
  return status;
}

mfft_status mfft_power_write(const mfft_power_result *r) {
  const mfft_power_values *p = r->options;
  mfft_status status = MFFT_SUCCESS;
  if (mfft_app_rank() != 0) return status;
  int json_is_output = mfft_app_is_stdout(p->json) && !p->output;
  if (!json_is_output) status = write_table(r);
  if (status == MFFT_SUCCESS && p->json) status = write_json(r);
  if (status == MFFT_SUCCESS && r->job->plot) status = mfft_power_plot(r, r->job->plot);
  return status;
}
