/* power.c: `mergefft power` measures the power spectrum of a field. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/environment.h"
#include "cli/phases.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/targets.h"
#include "io/input.h"
#include "io/json.h"
#include "io/rows.h"
#include "io/save.h"
#include "io/untrusted.h"
#include "poisson/contrast.h"
#include "power/bins.h"

typedef struct power {
  const char *input, *dataset, *output, *json, *timing;
  mfft_cli_reals boxsize;
  int field, spacing, assign, compensate, subtract_shot, allow_nonfinite;
  int64_t bins;
  double kmin, kmax, dk, shot, particles;
  mfft_plan_options plan;
  mfft_sweep_options sweep;
  mfft_untrusted_options untrusted;
} power;

enum { LINEAR, LOG };
static const char spacing_choices[] = "linear|log", assign_choices[] = "none|ngp|cic|tsc|pcs",
                  compensate_choices[] = "sinc|jing|none";

#define AT(member) offsetof(power, member)
static const mfft_cli_option options[] = {
    {"dataset", 'd', MFFT_CLI_TEXT, AT(dataset), "NAME", .help = "the dataset; without it the only one at the root"},
    {"boxsize", 'L', MFFT_CLI_REALS, AT(boxsize), "L",
     "side of the periodic box, or Lx,Ly,Lz; without it BoxSize of the file", .min = MFFT_LENGTH_MIN,
     .max = MFFT_LENGTH_MAX},
    {"field", 'f', MFFT_CLI_CHOICE, AT(field), "KIND",
     "what the file holds; a density is divided by its mean and 1 is subtracted", .fallback = "contrast",
     .choices = MFFT_FIELD_KINDS},
    {"spacing", 0, MFFT_CLI_CHOICE, AT(spacing), "KIND", "of the bins", .fallback = "linear", .choices = spacing_choices},
    {"bins", 0, MFFT_CLI_INT, AT(bins), "N",
     "number of bins; without it as many of width --dk as fit below --kmax, or 20 logarithmic ones", .min = 1, .max = 1e6},
    {"kmin", 0, MFFT_CLI_REAL, AT(kmin), "K",
     "lower edge of the first bin; without it half of --dk (linear), or 2 pi over the longest side (log)", .max = 1e30},
    {"kmax", 0, MFFT_CLI_REAL, AT(kmax), "K",
     "upper end of the bins; without it the lowest Nyquist wave number of the three axes", .min = 1e-30, .max = 1e30},
    {"dk", 0, MFFT_CLI_REAL, AT(dk), "K", "width of linear bins; without it 2 pi over the longest side", .min = 1e-30,
     .max = 1e30},
    {"assign", 'a', MFFT_CLI_CHOICE, AT(assign), "ORDER", "how particles were assigned to the mesh", .fallback = "none",
     .choices = assign_choices},
    {"compensate", 0, MFFT_CLI_CHOICE, AT(compensate), "HOW", "for --assign: what the power is divided by",
     .fallback = "sinc", .choices = compensate_choices},
    {"shot", 0, MFFT_CLI_REAL, AT(shot), "P", "shot noise, as a power: adds a column", .max = 1e30},
    {"particles", 0, MFFT_CLI_REAL, AT(particles), "COUNT", "number of particles: shot noise is the box volume over it",
     .min = 1, .max = 1e30},
    {"subtract-shot", 0, MFFT_CLI_FLAG, AT(subtract_shot), NULL, .help = "subtract the shot noise from P"},
    {"output", 'o', MFFT_CLI_TEXT, AT(output), "FILE", .help = "write the table there and not to stdout"},
    {"json", 'j', MFFT_CLI_TEXT, AT(json), "FILE", .help = "write all as JSON too; - is stdout, in place of the table"},
    {"timing", 't', MFFT_CLI_TEXT, AT(timing), "FILE",
     .help = "write the times of the parts of the run as JSON, - for stdout"},
    {"allow-nonfinite", 0, MFFT_CLI_FLAG, AT(allow_nonfinite), NULL,
     .help = "let NaN and infinite values count as the mean of the others"},
    {"plan", 0, MFFT_CLI_TABLE, offsetof(power, plan), .table = mfft_plan_options_table},
    {"sweep", 0, MFFT_CLI_TABLE, offsetof(power, sweep), .table = mfft_sweep_options_table},
    {"untrusted", 0, MFFT_CLI_TABLE, offsetof(power, untrusted), .table = mfft_untrusted_options_table},
    {0}};

static const char description[] =
    "Measures the power spectrum P(k) = V / cells^2 <|F(k)|^2> of a field on a periodic mesh, F its unscaled transform: in "
    "(Mpc/h)^3 for a box in Mpc/h. Boxes and meshes need not be cubes.\n"
    "\n"
    "The table has a row for every bin that holds modes: k (the mean of |k| over its modes), P, modes (how many of the "
    "whole complex array it holds: both k and -k count; exact), and the shot noise where it is known. Lines that begin with "
    "# say what was measured. The mode k = 0 is never counted.\n"
    "\n"
    "Linear bins are centred on multiples of the fundamental wave number, so that no mode of a cube lies on an edge; a mode "
    "that does lie on the edge of a bin counts in the upper bin.\n"
    "\n"
    "Compensation divides the power of each mode by the squared window of the mass assignment: sinc is the window itself, "
    "jing the sum over its aliases, right where the power at the Nyquist frequency is mostly shot noise (Jing 2005).\n"
    "\n"
    "Examples:\n"
    "  mpirun -n 4 mergefft power delta.h5 -o pk.txt --json pk.json\n"
    "  mergefft power snapshot.h5 -d /mesh/rho -L 500 --field density --assign cic --particles 16777216\n"
    "  mergefft power delta.h5 --spacing log --bins 30";

static int check(const power *p) {
  if (!isnan(p->shot) && !isnan(p->particles))
    return mfft_cli_usage(&mfft_command_power, "--shot and --particles: give one of them");
  if (p->subtract_shot && isnan(p->shot) && isnan(p->particles))
    return mfft_cli_usage(&mfft_command_power, "--subtract-shot: needs --shot or --particles");
  if (p->spacing == LOG && !isnan(p->dk))
    return mfft_cli_usage(&mfft_command_power, "--dk: is for linear bins, give --bins with --spacing log");
  if (p->spacing == LOG && p->kmin == 0)
    return mfft_cli_usage(&mfft_command_power, "--kmin 0: must be above 0 with --spacing log");
  const mfft_target targets[] = {{"--output", p->output, &mfft_table_kind},
                                 {"--json", p->json, &mfft_json_kind},
                                 {"--timing", p->timing, &mfft_json_kind}};
  return mfft_targets_check(&mfft_command_power, &p->input, 1, targets, 3);
}

/* The bins that the options and the mesh ask for. */
static mfft_status make_bins(const power *p, const mfft_mesh *mesh, mfft_bins *bins) {
  enum { MOST = 1000000, LOG_BINS = 20 };
  const double pi = 3.14159265358979323846;
  double fundamental = 2 * pi / fmax(mesh->length[0], fmax(mesh->length[1], mesh->length[2])), nyquist = INFINITY;
  for (int a = 0; a < 3; a++)
    if (mesh->n[a] > 1) nyquist = fmin(nyquist, pi * (double)mesh->n[a] / mesh->length[a]);
  double dk = isnan(p->dk) ? fundamental : p->dk;
  double kmin = !isnan(p->kmin) ? p->kmin : p->spacing == LOG ? fundamental : dk / 2;
  double kmax = !isnan(p->kmax) ? p->kmax : isfinite(nyquist) ? nyquist : 2 * kmin;
  if (kmax <= kmin)
    return mfft_app_fail(MFFT_ERR_ARG, "bins from k = %g to %g hold nothing; choose --kmin below --kmax", kmin, kmax);
  double count = p->bins > 0 ? (double)p->bins : p->spacing == LOG ? LOG_BINS : fmax(1, floor((kmax - kmin) / dk + 1e-9));
  if (count > MOST)
    return mfft_app_fail(MFFT_ERR_ARG, "%.0f bins of width %g are too many; choose a larger --dk", count, dk);
  if (p->spacing == LOG) return mfft_bins_create((int)count, 1, kmin, log(kmax / kmin) / count, bins);
  return mfft_bins_create((int)count, 0, kmin, p->bins > 0 && isnan(p->dk) ? (kmax - kmin) / count : dk, bins);
}

typedef struct contrast {
  double mean, factor;
} contrast;

static mfft_status contrast_part(void *context, const mfft_box *part, void *data) {
  const contrast *c = context;
  double *field = data;
  for (int64_t i = 0, cells = mfft_box_cells(part); i < cells; i++) field[i] = (field[i] - c->mean) * c->factor;
  return MFFT_SUCCESS;
}

/* The contrast of the field that was read, with its mean removed, which would only add its rounding to the modes. */
static mfft_status make_contrast(const power *p, const mfft_stats *stats, mfft_mesh_plan *plan) {
  contrast c = {.mean = stats->mean};
  mfft_status status = mfft_contrast_factor(p->field, p->input, stats->mean, stats->deviation, &c.factor);
  if (status != MFFT_SUCCESS) return status;
  return mfft_sweep(&plan->real, MFFT_SWEEP_READS | MFFT_SWEEP_WRITES, contrast_part, &c);
}

/* A spectrum without modes, or with a power that is beyond a double, is no result. */
static mfft_status check_bins(const mfft_bins *bins, double deviation) {
  int64_t modes = 0;
  for (int b = 0; b < bins->count; b++) {
    modes += bins->modes[b];
    if (bins->modes[b] && !isfinite(bins->power[b]))
      return mfft_app_fail(MFFT_ERR_NONFINITE,
                           "the power in the bin from k = %g to %g is %g, with a field of standard deviation %.3g; choose "
                           "other units",
                           bins->edge[b], bins->edge[b + 1], bins->power[b], deviation);
  }
  if (modes) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_ARG,
                       "no mode of this mesh lies in the bins from k = %g to %g; choose --kmin, --kmax or --dk",
                       bins->edge[0], bins->edge[bins->count]);
}

/* What there is to tell, on rank 0. */
typedef struct result {
  const power *options;
  const mfft_field_info *info;
  const mfft_mesh *mesh;
  const mfft_bins *bins;
  mfft_stats stats;
  double shot; /* NAN: unknown */
} result;

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

static mfft_status write_table(const result *r) {
  const power *p = r->options;
  const mfft_bins *bins = r->bins;
  text t = {NULL, 0, 4096 + 4 * strlen(p->input) + 128 * (size_t)bins->count};
  t.bytes = malloc(t.size);
  if (!t.bytes) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a table of %d bins; use fewer", bins->count);
  t.bytes[0] = 0;
  add(&t, "# mergefft power: '%s' of %s\n", r->info->dataset, p->input);
  add(&t, "# cells %" PRId64 " %" PRId64 " %" PRId64 ", box %.10g %.10g %.10g", r->mesh->n[0], r->mesh->n[1], r->mesh->n[2],
      r->mesh->length[0], r->mesh->length[1], r->mesh->length[2]);
  if (r->info->has_redshift) add(&t, ", redshift %.6g", r->info->redshift);
  add(&t, "\n# %s", mfft_cli_choice_name(MFFT_FIELD_KINDS, p->field));
  add(&t, " with mean %.10g, standard deviation %.10g\n", r->stats.mean, r->stats.deviation);
  add(&t, "# mass assignment %s", mfft_cli_choice_name(assign_choices, p->assign));
  add(&t, ", compensated: %s", p->assign ? mfft_cli_choice_name(compensate_choices, p->compensate) : "none");
  if (!isnan(r->shot)) add(&t, "; shot noise %.10g, %s", r->shot, p->subtract_shot ? "subtracted" : "not subtracted");
  add(&t, "\n# %-16s %-19s %s%s\n", "k", "P", "modes", isnan(r->shot) ? "" : "           shot");
  for (int b = 0; b < bins->count; b++) {
    if (!bins->modes[b]) continue;
    add(&t, "%.12e %19.12e %-12" PRId64, bins->k[b], bins->power[b], bins->modes[b]);
    if (!isnan(r->shot)) add(&t, " %.12e", r->shot);
    while (t.length && t.bytes[t.length - 1] == ' ') t.length--;
    add(&t, "\n");
  }
  mfft_status status = mfft_app_save(p->output ? p->output : "-", &mfft_table_kind, t.bytes, t.length);
  free(t.bytes);
  return status;
}

static mfft_status write_json(const result *r) {
  const power *p = r->options;
  const mfft_bins *bins = r->bins;
  mfft_json *json = mfft_json_create();
  mfft_json_object(json, NULL);
  mfft_json_string(json, "command", "mergefft power");
  mfft_json_string(json, "file", p->input);
  mfft_json_string(json, "dataset", r->info->dataset);
  mfft_json_integers(json, "n", r->mesh->n, 3);
  mfft_json_numbers(json, "boxsize", r->mesh->length, 3);
  mfft_json_number(json, "redshift", r->info->has_redshift ? r->info->redshift : NAN);
  mfft_json_string(json, "field", mfft_cli_choice_name(MFFT_FIELD_KINDS, p->field));
  mfft_json_number(json, "mean", r->stats.mean);
  mfft_json_number(json, "deviation", r->stats.deviation);
  mfft_json_string(json, "assign", mfft_cli_choice_name(assign_choices, p->assign));
  mfft_json_string(json, "compensate", p->assign ? mfft_cli_choice_name(compensate_choices, p->compensate) : "none");
  mfft_json_number(json, "shot", r->shot);
  mfft_json_boolean(json, "shot_subtracted", p->subtract_shot);
  mfft_json_string(json, "spacing", mfft_cli_choice_name(spacing_choices, p->spacing));
  mfft_json_array(json, "bins");
  for (int b = 0; b < bins->count; b++) {
    mfft_json_object(json, NULL);
    mfft_json_number(json, "k_min", bins->edge[b]);
    mfft_json_number(json, "k_max", bins->edge[b + 1]);
    mfft_json_number(json, "k", bins->modes[b] ? bins->k[b] : NAN);
    mfft_json_number(json, "P", bins->modes[b] ? bins->power[b] : NAN);
    mfft_json_integer(json, "modes", bins->modes[b]);
    mfft_json_end(json);
  }
  mfft_json_end(json);
  mfft_json_end(json);
  mfft_status status = mfft_json_save(json, p->json);
  mfft_json_destroy(json);
  return status;
}

static mfft_status write_results(const result *r) {
  const power *p = r->options;
  mfft_status status = MFFT_SUCCESS;
  if (mfft_app_rank() != 0) return status;
  int json_is_output = mfft_app_is_stdout(p->json) && !p->output;
  if (!json_is_output) status = write_table(r);
  if (status == MFFT_SUCCESS && p->json) status = write_json(r);
  return status;
}

/* How long each part took, on the slowest rank; waiting for copies between host and device is a part of its own. */
static mfft_status write_timing(const power *p, const mfft_mesh_plan *plan, mfft_phases *phases) {
  const double wait_s = plan->real.wait_s, copy_s = mfft_app_slowest(mfft_swept_copy_s(&plan->real));
  mfft_phases_add(phases, "copy", wait_s);
  mfft_phases_gather(phases);
  const double overlap = mfft_swept_overlap(copy_s, mfft_app_slowest(wait_s));
  if (!p->timing || mfft_app_rank() != 0) return MFFT_SUCCESS;
  mfft_json *json = mfft_json_create();
  mfft_json_object(json, NULL);
  mfft_json_string(json, "command", "power");
  mfft_environment_json(json, "environment");
  mfft_json_string(json, "input", p->input);
  mfft_json_integer(json, "ranks", mfft_app_ranks());
  mfft_json_string(json, "backend", plan->real.backend);
  mfft_phases_json(phases, json, "phases");
  mfft_json_number(json, "copy_s", copy_s);
  mfft_json_number(json, "copy_overlap", overlap);
  mfft_json_end(json);
  mfft_status status = mfft_json_save(json, p->timing);
  mfft_json_destroy(json);
  return status;
}

/* Runs a step and books its time, less what it waited for copies. */
#define TIMED(name, call)                                                      \
  (start = mfft_app_time() - plan.real.wait_s, failed = mfft_app_failed(call), \
   mfft_phases_add(&phases, name, mfft_app_time() - plan.real.wait_s - start), failed)

static int measure(void *values) {
  const power *p = values;
  mfft_phases phases = {.count = 0};
  double start;
  int failed;
  mfft_field_info info;
  mfft_mesh mesh;
  mfft_mesh_plan plan = {0};
  mfft_bins bins = {0};
  mfft_input_found found;
  int code = MFFT_EXIT_FAILED;
  if (mfft_app_failed(mfft_input_open(p->input, p->dataset, &p->boxsize, &info, &mesh))) return code;
  if (mfft_app_failed(make_bins(p, &mesh, &bins))) goto done;
  if (TIMED("plan", mfft_mesh_plan_create(&mesh, &p->plan, &p->sweep, &plan))) goto done;
  if (TIMED("read", mfft_input_read(p->input, &info, MFFT_DOUBLE, p->allow_nonfinite, &plan.real, &found))) goto done;

  double volume = mfft_mesh_volume(&mesh), cells = mfft_mesh_cells(&mesh);
  result r = {.options = p, .info = &info, .mesh = &mesh, .bins = &bins, .shot = p->shot};
  if (TIMED("contrast", mfft_mesh_stats(&mesh, &plan, &r.stats))) goto done;
  if (!isnan(p->particles)) r.shot = volume / p->particles;
  if (TIMED("contrast", make_contrast(p, &r.stats, &plan))) goto done;
  if (mfft_row_uniform(info.precision, r.stats.mean, r.stats.deviation))
    mfft_app_note("the field is uniform: it varies by no more than the rounding of its values, and so does what P(k) shows");
  mfft_progress_start("transforming", 0);
  if (TIMED("transform", mfft_mesh_transform(&plan, MFFT_FORWARD))) goto done;
  if (TIMED("shells", mfft_bins_add(&mesh, &plan, (mfft_compensation)p->compensate, p->assign, &bins))) goto done;
  mfft_bins_finish(&bins, volume / (cells * cells));
  if (mfft_app_failed(check_bins(&bins, r.stats.deviation))) goto done;
  for (int b = 0; b < bins.count && p->subtract_shot; b++) bins.power[b] -= r.shot;
  mfft_progress_end();
  if (mfft_app_failed(write_results(&r))) goto done;
  if (mfft_app_failed(write_timing(p, &plan, &phases))) goto done;
  code = MFFT_EXIT_OK;
done:
  mfft_mesh_plan_destroy(&plan);
  mfft_bins_destroy(&bins);
  return code;
}

static int run(void *values) {
  const power *p = values;
  const int code = check(p);
  if (code) return code;
  const char *written = p->output ? p->output : p->json;
  return mfft_untrusted_run(&p->untrusted, p->input, p->dataset, written, measure, values);
}

const mfft_command mfft_command_power = {
    "power", "measure the power spectrum of a field", "IN.h5", 1, 1, AT(input), description, options, sizeof(power), run};
