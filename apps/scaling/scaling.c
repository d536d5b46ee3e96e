/* scaling.c: `mergefft scaling` combines the results of several `mergefft bench`: tables and curves of strong and weak
 * scaling. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/report.h"
#include "cli/targets.h"
#include "mfft_memory.h"
#include "plot/chart.h"
#include "scaling/scaling_series.h"

enum { MOST_FILES = 512, MOST_DRAWN = 8 };

typedef struct values {
  const char *files[MOST_FILES], *plot, *title;
  int only; /* 0: both kinds, else 1 + mfft_scaling */
} values;

static const mfft_cli_option options[] = {
    {"only", 0, MFFT_CLI_CHOICE, offsetof(values, only), "KIND", "the series to print and draw", .fallback = "both",
     .choices = "both|strong|weak"},
    {"plot", 0, MFFT_CLI_TEXT, offsetof(values, plot), "FILE", .help = "draw the series as a picture: " MFFT_PICTURE_FILE},
    {"title", 0, MFFT_CLI_TEXT, offsetof(values, title), "TEXT", "the title of the picture",
     .fallback = "mergefft: scaling"},
    {0}};

static const char *const kinds[MFFT_SCALINGS] = {"strong scaling", "weak scaling"};

/* ---- Tables ---------------------------------------------------------------------------------------------------------- */

static void print_series(const mfft_scaling_series *s) {
  mfft_app_print("%s: %s\n", kinds[s->kind], s->name);
  mfft_app_print("%7s %-18s %-18s %12s %14s %8s %10s\n", "ranks", "n", "grid, transport", "time [ms]", "exchange [ms]",
                 "speed", "efficiency");
  for (int i = 0; i < s->count; i++)
    mfft_app_print("%7.0f %-18s %-18s %12.4f %14.4f %8.3f %10.3f\n", s->ranks[i], s->point[i]->shape, s->point[i]->layout,
                   1e3 * s->time_s[i], 1e3 * s->point[i]->exchange_s, s->speed[i], s->efficiency[i]);
  mfft_app_print("\n");
}

/* ---- The picture ----------------------------------------------------------------------------------------------------- */

enum { TIME, EFFICIENCY, ROWS };
static const mfft_chart_row rows[ROWS] = {{"time of one run", "s", 1, NAN}, {"efficiency", NULL, 0, 1}};

typedef struct drawing {
  const mfft_scaling_series *series; /* [count] */
  int count;
  mfft_scaling column[MFFT_SCALINGS]; /* [columns] */
  double *ideal[MOST_DRAWN];          /* [series][series.count] seconds at an efficiency of 1 */
} drawing;

/* The curves of a panel: the series of its kind, and for times the ideal ones, dashed. */
static int curve_at(const void *context, int column, int row, int i, mfft_chart_curve *curve) {
  const drawing *d = context;
  for (int s = 0; s < d->count; s++) {
    if (d->series[s].kind != d->column[column]) continue;
    for (int ideal = 0; ideal < (row == TIME ? 2 : 1); ideal++)
      if (i-- == 0) {
        const mfft_scaling_series *p = &d->series[s];
        *curve = (mfft_chart_curve){.color = mfft_chart_color(s),
                                    .style = ideal ? MFFT_CHART_DASHED : MFFT_CHART_FULL,
                                    .x = p->ranks,
                                    .y = row == EFFICIENCY ? p->efficiency
                                         : ideal           ? d->ideal[s]
                                                           : p->time_s,
                                    .count = p->count};
        return 1;
      }
  }
  return 0;
}

static mfft_status draw(const values *v, const mfft_scaling_series *series, int count) {
  drawing d = {series, count < MOST_DRAWN ? count : MOST_DRAWN, {0}, {0}};
  mfft_chart_key keys[MOST_DRAWN + 1];      /* [series, and the ideal] */
  mfft_chart_column columns[MFFT_SCALINGS]; /* [columns] */
  int column_count = 0;
  mfft_status status = MFFT_SUCCESS;
  if (d.count < count) mfft_app_note("%d series, of which the first %d are drawn; give fewer files", count, d.count);
  for (int s = 0; s < d.count && status == MFFT_SUCCESS; s++) {
    status = mfft_app_alloc(series[s].count, sizeof **d.ideal, "ideal times", (void **)&d.ideal[s]);
    for (int i = 0; i < series[s].count && status == MFFT_SUCCESS; i++)
      d.ideal[s][i] = series[s].time_s[i] * series[s].efficiency[i];
    keys[s] = (mfft_chart_key){series[s].name, mfft_chart_color(s), MFFT_CHART_FULL};
    if (!column_count || d.column[column_count - 1] != series[s].kind) { /* series are sorted by kind */
      d.column[column_count] = series[s].kind;
      columns[column_count++] = (mfft_chart_column){.title = kinds[series[s].kind], .x_name = "ranks"};
    }
  }
  keys[d.count] = (mfft_chart_key){"ideal", 0x303030, MFFT_CHART_DASHED};
  const mfft_chart chart = {.title = v->title,
                            .key = keys,
                            .keys = d.count + 1,
                            .column = columns,
                            .columns = column_count,
                            .row = rows,
                            .rows = ROWS,
                            .curve = curve_at,
                            .context = &d};
  if (status == MFFT_SUCCESS) status = mfft_chart_save(&chart, v->plot);
  for (int s = 0; s < d.count; s++) mfft_free(d.ideal[s]);
  return status;
}

/* ---- The command ----------------------------------------------------------------------------------------------------- */

static mfft_status tell(const values *v, mfft_scaling_set *set) {
  const mfft_scaling_series *series;
  int count;
  mfft_status status = MFFT_SUCCESS;
  if (!set) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for results");
  for (int i = 0; i < MOST_FILES && v->files[i] && status == MFFT_SUCCESS; i++) {
    int wrong = 0;
    status = mfft_scaling_add(set, v->files[i], &wrong);
    if (wrong) mfft_app_note("'%s': %d wrong results are left out", v->files[i], wrong);
  }
  if (status == MFFT_SUCCESS) status = mfft_scaling_find(set, &series, &count);
  if (status != MFFT_SUCCESS) return status;
  int strong = 0; /* they come first */
  while (strong < count && series[strong].kind == MFFT_SCALING_STRONG) strong++;
  if (v->only == 1 + MFFT_SCALING_STRONG) count = strong;
  if (v->only == 1 + MFFT_SCALING_WEAK) series += strong, count -= strong;
  if (!count)
    return mfft_app_fail(MFFT_ERR_ARG,
                         "no two results are of the same transform, or of as many elements a rank, on different numbers of "
                         "ranks; give the files of `mergefft bench --json` of several");
  for (int s = 0; s < count; s++) print_series(&series[s]);
  return v->plot ? draw(v, series, count) : MFFT_SUCCESS;
}

static int run(void *given) {
  const values *v = given;
  int code = mfft_targets_check(&mfft_command_scaling, v->files, MOST_FILES,
                                &(mfft_target){"--plot", v->plot, mfft_picture_kind(v->plot)}, 1);
  if (code) return code;
  mfft_scaling_set *set = mfft_app_rank() == 0 ? mfft_scaling_create() : NULL;
  int failed = mfft_app_failed(mfft_app_rank() == 0 ? tell(v, set) : MFFT_SUCCESS);
  mfft_scaling_destroy(set);
  return failed ? MFFT_EXIT_FAILED : MFFT_EXIT_OK;
}

const mfft_command mfft_command_scaling = {
    .name = "scaling",
    .summary = "strong and weak scaling, from the results of several benches",
    .operands = "BENCH.json...",
    .min_operands = 1,
    .max_operands = MOST_FILES,
    .operands_offset = offsetof(values, files),
    .description =
        "Reads what `mergefft bench --json` wrote on several numbers of ranks. Results of the same transform make a series "
        "of strong scaling, those of as many elements a rank one of weak scaling; where there are several on as many ranks "
        "the fastest counts.\n"
        "\n"
        "speed is work over time, N log2 N being the work of N elements, relative to that of the fewest ranks; "
        "efficiency is speed a rank. In the picture dashed lines are what an efficiency of 1 would take.\n"
        "\n"
        "  for p in 1 2 4; do mpirun -n $p mergefft bench --n 256x256x256 --json $p.json; done\n"
        "  mergefft scaling 1.json 2.json 4.json --plot scaling.png\n"
        "\n"
        "scripts/slurm/scaling.sh runs such a sweep under Slurm.",
    .options = options,
    .values_bytes = sizeof(values),
    .run = run,
};
