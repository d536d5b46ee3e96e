#include "bench/bench_plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascending.h"
#include "bench/bench_cases.h"
#include "bench/bench_report.h"
#include "cli/cli.h"
#include "cli/plan_options.h"
#include "cli/report.h"
#include "plot/chart.h"

enum { QUANTITIES = 3, MOST_GROUPS = 8, MOST_SERIES = 12, NAME = 64 };

/* The rows of panels. */
static const mfft_chart_row quantities[QUANTITIES] = {{"time of one run", "s", 1, NAN},
                                                      {"speed, 5 N log2 N operations", "FLOPS", 0, NAN},
                                                      {"ratio: peer's time over ours", NULL, 0, 1}};

/* A case: its position, and its results, ours and the peer's. */
typedef struct entry {
  int group, series;
  mfft_desc desc;
  double value[2][QUANTITIES]; /* [ours, peer] */
} entry;

/* One curve in memory. */
typedef struct curve {
  double *x, *y[2][QUANTITIES]; /* [count] */
  int count;
} curve;

struct mfft_bench_plot {
  entry *entries; /* [count] */
  int count, capacity, failed;
  const char *groups[MOST_GROUPS];
  char series[MOST_SERIES][NAME]; /* the properties that distinguish cases of one group, except size */
  int group_count, series_count;
  const char *peer;
  curve curves[MOST_GROUPS][MOST_SERIES];
};

mfft_bench_plot *mfft_bench_plot_create(void) { return calloc(1, sizeof(mfft_bench_plot)); }

void mfft_bench_plot_destroy(mfft_bench_plot *plot) {
  if (!plot) return;
  for (int g = 0; g < MOST_GROUPS; g++)
    for (int s = 0; s < MOST_SERIES; s++) free(plot->curves[g][s].x); /* one piece of memory with its y */
  free(plot->entries);
  free(plot);
}

/* ---- Collecting ------------------------------------------------------------------------------------------------------ */

static int group_of(mfft_bench_plot *plot, const char *name) {
  for (int i = 0; i < plot->group_count; i++)
    if (!strcmp(plot->groups[i], name)) return i;
  if (plot->group_count == MOST_GROUPS) return -1;
  plot->groups[plot->group_count] = name;
  return plot->group_count++;
}

static int series_of(mfft_bench_plot *plot, const mfft_bench_case *bench) {
  char name[NAME];
  int used = snprintf(name, sizeof name, "%s", mfft_cli_choice_name(MFFT_PRECISIONS, bench->desc.precision));
  used += snprintf(name + used, sizeof name - (size_t)used, " %s", mfft_cli_choice_name(MFFT_KINDS, bench->desc.kind));
  if (bench->run != MFFT_BENCH_FORWARD)
    used += snprintf(name + used, sizeof name - (size_t)used, " %s", mfft_cli_choice_name(MFFT_BENCH_RUNS, (int)bench->run));
  if (mfft_desc_order(&bench->desc) != MFFT_ORDER_NATURAL)
    snprintf(name + used, sizeof name - (size_t)used, " %s",
             mfft_cli_choice_name(MFFT_ORDERS, mfft_desc_order(&bench->desc)));
  for (int i = 0; i < plot->series_count; i++)
    if (!strcmp(plot->series[i], name)) return i;
  if (plot->series_count == MOST_SERIES) return -1;
  memcpy(plot->series[plot->series_count], name, NAME);
  return plot->series_count++;
}

void mfft_bench_plot_add(mfft_bench_plot *plot, const mfft_bench_case *bench, const mfft_bench_result *r) {
  if (!plot || !r->correct) return;
  if (plot->count == plot->capacity) {
    int capacity = plot->capacity ? 2 * plot->capacity : 64;
    entry *entries = realloc(plot->entries, (size_t)capacity * sizeof *entries);
    if (!entries) {
      plot->failed = 1;
      return;
    }
    plot->entries = entries;
    plot->capacity = capacity;
  }
  const double flops = 1e12 * r->tflops, peer_flops = flops * r->time_s / r->peer_time_s;
  entry e = {.group = group_of(plot, bench->group),
             .series = series_of(plot, bench),
             .desc = bench->desc,
             .value = {{r->time_s, flops, r->peer_time_s / r->time_s}, {r->peer_time_s, peer_flops, NAN}}};
  if (bench->vs) plot->peer = bench->vs->name;
  if (e.group >= 0 && e.series >= 0) plot->entries[plot->count++] = e;
}

/* ---- Where a case stands on the axis of its group --------------------------------------------------------------------- */

/* Axes by batch, by the one length of lines and cubes, or by a list of shapes. */
typedef enum axis_kind { BY_BATCH, BY_LENGTH, BY_SHAPE } axis_kind;

static axis_kind axis_of(const mfft_bench_plot *plot, int group) {
  const entry *first = NULL;
  int same_shape = 1, regular = 1, several = 0;
  for (int i = 0; i < plot->count; i++) {
    const mfft_desc *d = &plot->entries[i].desc;
    if (plot->entries[i].group != group) continue;
    if (!first) first = &plot->entries[i];
    several |= d->batch != first->desc.batch;
    same_shape &= d->rank == first->desc.rank && !memcmp(d->n, first->desc.n, sizeof d->n);
    regular &= d->rank == first->desc.rank;
    for (int a = 1; a < d->rank; a++) regular &= d->n[a] == d->n[0];
  }
  return same_shape && several ? BY_BATCH : regular ? BY_LENGTH : BY_SHAPE;
}

/* The shapes of a group in the order in which they came. */
enum { MOST_LABELS = 64 };
typedef struct shapes {
  char text[MOST_LABELS][NAME];
  const char *label[MOST_LABELS];
  int count;
} shapes;

static int shape_number(const mfft_desc *desc, shapes *list) {
  char text[NAME];
  int i = 0;
  mfft_bench_shape_text(desc, text);
  while (i < list->count && strcmp(list->text[i], text)) i++;
  if (i == list->count && i < MOST_LABELS) memcpy(list->text[list->count++], text, NAME);
  return i < MOST_LABELS ? i : MOST_LABELS - 1;
}

static double x_of(axis_kind kind, const mfft_desc *desc, shapes *list) {
  if (kind == BY_BATCH) return (double)desc->batch;
  return kind == BY_LENGTH ? (double)desc->n[0] : shape_number(desc, list);
}

/* ---- Curves ---------------------------------------------------------------------------------------------------------- */

enum { FIELDS = 1 + 2 * QUANTITIES };

static mfft_status make_curve(mfft_bench_plot *plot, int group, int series, axis_kind kind, shapes *list) {
  curve *c = &plot->curves[group][series];
  int count = 0;
  for (int i = 0; i < plot->count; i++) count += plot->entries[i].group == group && plot->entries[i].series == series;
  double(*points)[FIELDS] = malloc((size_t)(count + 1) * sizeof *points); /* x, values */
  double *fields = malloc((size_t)(count + 1) * FIELDS * sizeof(double));
  if (!points || !fields) {
    free(points);
    free(fields);
    return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a curve of %d points", count);
  }
  for (int i = 0; i < plot->count; i++) {
    const entry *e = &plot->entries[i];
    if (e->group != group || e->series != series) continue;
    points[c->count][0] = x_of(kind, &e->desc, list);
    memcpy(points[c->count++] + 1, e->value, sizeof e->value);
  }
  qsort(points, (size_t)count, sizeof *points, mfft_ascending_double);
  c->x = fields;
  for (int side = 0; side < 2; side++)
    for (int q = 0; q < QUANTITIES; q++) c->y[side][q] = fields + (1 + side * QUANTITIES + q) * (count + 1);
  for (int k = 0; k < count; k++)
    for (int f = 0; f < FIELDS; f++) fields[f * (count + 1) + k] = points[k][f];
  free(points);
  return MFFT_SUCCESS;
}

static int curve_at(const void *context, int column, int row, int i, mfft_chart_curve *out) {
  const mfft_bench_plot *plot = context;
  const int series = i / 2, side = i % 2;
  if (series >= plot->series_count) return 0;
  const curve *c = &plot->curves[column][series];
  *out = (mfft_chart_curve){.color = mfft_chart_color(series),
                            .style = side ? MFFT_CHART_DASHED : MFFT_CHART_FULL,
                            .x = c->x,
                            .y = c->y[side][row],
                            .count = c->count};
  return 1;
}

mfft_status mfft_bench_plot_save(mfft_bench_plot *plot, const char *path) {
  static const char *const x_names[] = {"arrays of a batch", "length of an axis", "shape"};
  if (!plot || plot->failed) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the plot '%s'", path);
  if (!plot->count) return mfft_app_fail(MFFT_ERR_ARG, "there is nothing to plot in '%s': no case was right", path);
  mfft_chart_column columns[MOST_GROUPS]; /* [group] */
  mfft_chart_key keys[MOST_SERIES + 2];   /* [both sides, and the series] */
  char title[128];
  int key_count = 0;
  mfft_status status = MFFT_SUCCESS;
  shapes *list = calloc(MOST_GROUPS, sizeof *list);
  if (!list) status = mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the plot '%s'", path);
  for (int g = 0; g < plot->group_count && status == MFFT_SUCCESS; g++) {
    const axis_kind kind = axis_of(plot, g);
    for (int s = 0; s < plot->series_count && status == MFFT_SUCCESS; s++) status = make_curve(plot, g, s, kind, &list[g]);
    for (int i = 0; i < list[g].count; i++) list[g].label[i] = list[g].text[i];
    columns[g] = (mfft_chart_column){.title = plot->groups[g],
                                     .x_name = x_names[kind],
                                     .label = kind == BY_SHAPE ? list[g].label : NULL,
                                     .labels = list[g].count};
  }
  if (plot->peer) { /* else all curves have one style */
    keys[key_count++] = (mfft_chart_key){"mergefft", 0x303030, MFFT_CHART_FULL};
    keys[key_count++] = (mfft_chart_key){plot->peer, 0x303030, MFFT_CHART_DASHED};
  }
  for (int s = 0; s < plot->series_count; s++)
    keys[key_count++] = (mfft_chart_key){plot->series[s], mfft_chart_color(s), MFFT_CHART_FULL};
  snprintf(title, sizeof title, plot->peer ? "mergefft and %s" : "mergefft", plot->peer);
  const mfft_chart chart = {.title = title,
                            .key = keys,
                            .keys = key_count,
                            .column = columns,
                            .columns = plot->group_count,
                            .row = quantities,
                            .rows = plot->peer ? QUANTITIES : QUANTITIES - 1,
                            .curve = curve_at,
                            .context = plot};
  if (status == MFFT_SUCCESS) status = mfft_chart_save(&chart, path);
  free(list);
  return status;
}
