/* plot.c: the picture of a spectrum and of linear theory. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/report.h"
#include "gen/spectrum_options.h"
#include "mfft_memory.h"
#include "plot/chart.h"
#include "power/result.h"

enum { SPECTRUM, RATIO, ROWS };
enum { MEASURED, LINEAR, SHOT, POLE, SERIES = POLE + MFFT_POLES_MOST };

/* The points of all foldings, one after the other: [count] each. */
typedef struct drawing {
  int count, series;
  double *x, *y[SERIES], *ratio;
  int drawn[SERIES]; /* [series] index of the series in y */
} drawing;

/* Omega_m, Omega_Lambda and h of the snapshot or of the file of the field; 0: it does not contain them all. */
static int file_cosmology(const mfft_power_source *s, mfft_cosmology *c) {
  const mfft_snapshot_info *snapshot = &s->catalogue.info;
  const mfft_field_info *field = &s->info;
  c->omega_m = s->particles ? snapshot->omega_m : field->omega_m;
  c->omega_lambda = s->particles ? snapshot->omega_lambda : field->omega_lambda;
  c->h = s->particles ? snapshot->h : field->h;
  return s->particles ? snapshot->has_cosmology : c->omega_m > 0 && c->h > 0;
}

/* The cosmology of the options, or else of the input, or else the default of `mergefft ic`. */
static mfft_cosmology choose_cosmology(const mfft_power_result *r) {
  const mfft_power_values *p = r->options;
  mfft_cosmology file;
  const int known = file_cosmology(&r->source[0], &file);
  mfft_cosmology c = {
      .omega_b = p->omega_b, .ns = p->ns, .sigma8 = isnan(p->sigma8) && !p->spectrum ? 0.81 : p->sigma8, .t_cmb = 2.7255};
  c.omega_m = !isnan(p->omega_m) ? p->omega_m : known ? file.omega_m : 0.31;
  c.omega_lambda = !isnan(p->omega_lambda)      ? p->omega_lambda
                   : known && isnan(p->omega_m) ? file.omega_lambda
                                                : 1 - c.omega_m;
  c.h = !isnan(p->h) ? p->h : known ? file.h : 0.677;
  return c;
}

/* Measured power minus shot noise; NAN, which is not drawn, if the difference is not positive. */
static double without_shot(const mfft_power_result *r, double power) {
  const double left = isnan(r->shot) || r->how.subtract_shot ? power : power - r->shot;
  return left > 0 ? left : NAN;
}

/* Linear theory at k; NAN where a table does not reach. */
static double linear_at(const mfft_spectrum *spectrum, double k) {
  static const double rounding = 1e-6; /* of tables that are written with few digits */
  const mfft_spectrum_table *table = &spectrum->table;
  if (table->count &&
      (k < mfft_spectrum_table_first(table) * (1 - rounding) || k > mfft_spectrum_table_last(table) * (1 + rounding)))
    return NAN;
  return mfft_spectrum_value(spectrum, k);
}

static void fill(const mfft_power_result *r, const mfft_spectrum *spectrum, drawing *d) {
  int at = 0;
  for (int f = 0; f < r->how.folds; f++)
    for (int b = 0; b < r->bins[f].count; b++) {
      const mfft_bins *bins = &r->bins[f];
      if (!bins->modes[b]) continue;
      d->x[at] = bins->k[b];
      d->y[MEASURED][at] = bins->power[b];
      d->y[LINEAR][at] = linear_at(spectrum, bins->k[b]);
      d->y[SHOT][at] = r->shot;
      for (int i = 0; i < bins->poles; i++) d->y[POLE + i][at] = fabs(bins->pole[i][b]);
      d->ratio[at] = without_shot(r, bins->power[b]) / d->y[LINEAR][at];
      at++;
    }
}

static int curve_at(const void *context, int column, int row, int i, mfft_chart_curve *curve) {
  const drawing *d = context;
  (void)column;
  if (i >= (row == RATIO ? 1 : d->series)) return 0;
  const int series = row == RATIO ? MEASURED : d->drawn[i];
  *curve = (mfft_chart_curve){.color = mfft_chart_color(row == RATIO ? 0 : i),
                              .style = series == LINEAR || series == SHOT ? MFFT_CHART_LINE : MFFT_CHART_FULL,
                              .x = d->x,
                              .y = row == RATIO ? d->ratio : d->y[series],
                              .count = d->count};
  return 1;
}

static mfft_status save(const mfft_power_result *r, const char *path, double z, drawing *d) {
  mfft_chart_key key[SERIES];
  char name[MFFT_POLES_MOST][16], title[512];
  const char *const fixed[] = {[MEASURED] = r->how.subtract_shot ? "measured minus shot noise" : "measured",
                               [LINEAR] = "linear theory",
                               [SHOT] = "shot noise"};
  for (int s = 0; s < POLE + r->options->ells; s++) {
    if ((s == SHOT && isnan(r->shot)) || (s >= POLE && r->options->ell[s - POLE] == 0)) continue;
    if (s >= POLE) snprintf(name[s - POLE], sizeof name[0], "|P%d|", r->options->ell[s - POLE]);
    key[d->series] = (mfft_chart_key){s >= POLE ? name[s - POLE] : fixed[s], mfft_chart_color(d->series),
                                      s == LINEAR || s == SHOT ? MFFT_CHART_LINE : MFFT_CHART_FULL};
    d->drawn[d->series++] = s;
  }
  snprintf(title, sizeof title, "%.400s at redshift %.4g", r->job->input, z);
  const mfft_chart_column column = {.title = "", .x_name = "k [h/Mpc]", .measured = 1};
  const mfft_chart_row rows[ROWS] = {
      [SPECTRUM] = {"P [(Mpc/h)³]", NULL, 1, NAN},
      [RATIO] = {isnan(r->shot) ? "P / linear theory" : "(P - shot noise) / linear theory", NULL, 1, 1}};
  const mfft_chart chart = {.title = title,
                            .key = key,
                            .keys = d->series,
                            .column = &column,
                            .columns = 1,
                            .row = rows,
                            .rows = ROWS,
                            .curve = curve_at,
                            .context = d};
  return mfft_chart_save(&chart, path);
}

/* Says what linear theory is drawn for where the input does not. */
static void note_assumptions(const mfft_power_result *r, const mfft_cosmology *cosmology) {
  const mfft_power_source *s = &r->source[0];
  const mfft_catalogue *c = &s->catalogue;
  mfft_cosmology file;
  if (s->particles && c->unit != c->to_mpc_h)
    mfft_app_note("--plot: linear theory is drawn as if lengths were in Mpc/h, which '%s' %s; give --units", c->path,
                  c->to_mpc_h > 0 ? "does not use" : "does not say");
  if (!file_cosmology(s, &file) && isnan(r->options->omega_m))
    mfft_app_note("--plot: '%s' does not contain its cosmology; linear theory is that of Omega_m %g and h %g", s->path,
                  cosmology->omega_m, cosmology->h);
}

/* Linear theory at a redshift, by the formula or the table of the options.  Freed by mfft_spectrum_free. */
static mfft_status make_linear(const mfft_power_values *p, const mfft_cosmology *cosmology, double z,
                               mfft_spectrum *spectrum) {
  mfft_spectrum_table table = {0};
  *spectrum = (mfft_spectrum){0};
  if (!p->spectrum) {
    mfft_spectrum_init(spectrum, cosmology, z);
    return MFFT_SUCCESS;
  }
  const mfft_status status = mfft_spectrum_read(p->spectrum, &table);
  if (status == MFFT_SUCCESS)
    mfft_spectrum_init_table(spectrum, &table, isnan(p->spectrum_z) ? 0 : p->spectrum_z, cosmology, z);
  return status;
}

mfft_status mfft_power_plot(const mfft_power_result *r, const char *path) {
  const mfft_cosmology cosmology = choose_cosmology(r);
  const double known = mfft_power_redshift(&r->source[0]), z = isnan(known) ? 0 : known;
  mfft_spectrum spectrum;
  drawing d = {0};
  void *memory = NULL;
  for (int f = 0; f < r->how.folds; f++)
    for (int b = 0; b < r->bins[f].count; b++) d.count += r->bins[f].modes[b] > 0;
  if (cosmology.omega_b >= cosmology.omega_m)
    return mfft_app_fail(MFFT_ERR_ARG, "--omega-b %g: must be less than Omega_m, %g", cosmology.omega_b, cosmology.omega_m);
  note_assumptions(r, &cosmology);
  mfft_status status = make_linear(r->options, &cosmology, z, &spectrum);
  if (status == MFFT_SUCCESS)
    status = mfft_app_alloc((int64_t)d.count * (SERIES + 2), sizeof(double), "the picture", &memory);
  if (status != MFFT_SUCCESS) {
    mfft_spectrum_free(&spectrum);
    return status;
  }
  d.x = memory;
  d.ratio = d.x + d.count;
  for (int s = 0; s < SERIES; s++) d.y[s] = d.x + (s + 2) * (int64_t)d.count;
  fill(r, &spectrum, &d);
  status = save(r, path, z, &d);
  mfft_spectrum_free(&spectrum);
  mfft_free(memory);
  return status;
}
