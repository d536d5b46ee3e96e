/* job.c: one run of `mergefft power`. */
#include "power/job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/wave_number.h"
#include "cli/phases.h"
#include "cli/progress.h"
#include "io/direct.h"
#include "io/prefetch.h"
#include "io/rows.h"
#include "mfft_memory.h"
#include "power/estimate.h"
#include "power/limit.h"
#include "power/modes.h"

/* ---- Bins ------------------------------------------------------------------------------------------------------------ */

enum { MOST_BINS = 1000000, LOG_BINS = 20, GADGET_BINS = 4000, GADGET_REACH = 128 };

/* Makes linear or logarithmic bins of a mesh. */
static mfft_status make_plain(const mfft_power_values *p, const mfft_power_how *how, const mfft_mesh *mesh,
                              mfft_bins *bins) {
  const double fundamental = 2 * MFFT_PI / fmax(mesh->length[0], fmax(mesh->length[1], mesh->length[2]));
  const double nyquist = mfft_mesh_nyquist(mesh);
  double corner = 0;
  for (int a = 0; a < 3; a++) corner += pow(2 * MFFT_PI * floor((double)mesh->n[a] / 2) / mesh->length[a], 2);
  const int logarithmic = how->spacing == MFFT_SPACING_LOG;
  double dk = isnan(p->dk) ? fundamental : p->dk;
  double kmin = !isnan(p->kmin) ? p->kmin : logarithmic ? fundamental : how->from_zero ? 0 : dk / 2;
  double reach = how->corners ? dk * (floor(sqrt(corner) / dk * (1 + 1e-12)) + 1) : nyquist;
  double kmax = !isnan(p->kmax) ? p->kmax : isfinite(nyquist) ? reach : 2 * fmax(kmin, dk);
  if (kmax <= kmin)
    return mfft_app_fail(MFFT_ERR_ARG, "bins from k = %g to %g are empty; choose --kmin below --kmax", kmin, kmax);
  if (!isnan(p->kmax) && !logarithmic) { /* whole bins below it, or those that are asked for */
    const double width = p->bins > 0 && isnan(p->dk) ? 0 : dk, end = kmin + width * (double)(p->bins > 0 ? p->bins : 1);
    if (end > kmax * (1 + 1e-9))
      return mfft_app_fail(
          MFFT_ERR_ARG,
          "bins of width %g from k = %g end at %g, and --kmax is %g; choose a smaller --dk, or a larger --kmax", dk, kmin,
          end, kmax);
  }
  double count = p->bins > 0 ? (double)p->bins : logarithmic ? LOG_BINS : fmax(1, floor((kmax - kmin) / dk + 1e-9));
  if (count > MOST_BINS)
    return mfft_app_fail(MFFT_ERR_ARG, "%.0f bins of width %g are too many; choose a larger --dk", count, dk);
  if (logarithmic) return mfft_bins_create((int)count, 1, kmin, log(kmax / kmin) / count, bins);
  return mfft_bins_create((int)count, 0, kmin, p->bins > 0 && isnan(p->dk) ? (kmax - kmin) / count : dk, bins);
}

/* Makes the bins of GADGET-4, which do not depend on the folding: from 2 pi/L to the largest k of two foldings. */
static mfft_status make_gadget(const mfft_mesh *mesh, int fold, mfft_bins *bins) {
  const double fundamental = 2 * MFFT_PI / (mesh->length[0] * fold);
  const double width = log((double)mesh->n[0] * GADGET_REACH) / GADGET_BINS;
  const mfft_status status = mfft_bins_create(GADGET_BINS, 1, fundamental, width, bins);
  bins->mean_of_logs = 1;
  return status;
}

/* Makes the bins that the options select, for a mesh over the folded box. */
static mfft_status make_bins(const mfft_power_values *p, const mfft_power_how *how, const mfft_mesh *mesh, int fold,
                             mfft_bins *bins) {
  const mfft_status status =
      how->spacing == MFFT_SPACING_GADGET ? make_gadget(mesh, fold, bins) : make_plain(p, how, mesh, bins);
  if (status != MFFT_SUCCESS) return status;
  bins->independent = how->independent;
  return mfft_bins_extend(bins, p->ell, p->ells, p->cross != NULL);
}

/* Refuses a spectrum without modes, or with a power out of the range of a double. */
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

/* ---- Measuring ------------------------------------------------------------------------------------------------------- */

/* Adds the description of the job to the JSON file of --timing. */
static void describe_job(const mfft_power_job *j) {
  const mfft_mesh_plan *plan = &j->plan;
  const double wait_s = mfft_app_slowest(plan->real.wait_s), copy_s = mfft_app_slowest(mfft_swept_copy_s(&plan->real));
  mfft_json *json = mfft_timing_json();
  mfft_json_string(json, "input", j->input);
  mfft_json_integer(json, "ranks", mfft_app_ranks());
  mfft_json_string(json, "backend", plan->real.backend);
  mfft_json_number(json, "copy_s", copy_s);
  mfft_json_number(json, "copy_overlap", mfft_swept_overlap(copy_s, wait_s));
}

static mfft_status make_plan(mfft_power_job *j, int particles) {
  if (j->plan.plan && !memcmp(&j->mesh, &j->plan_mesh, sizeof j->mesh)) return MFFT_SUCCESS;
  const mfft_plan_options how = particles ? mfft_catalogue_plan_options(&j->p->plan) : j->p->plan;
  mfft_mesh_plan_destroy(&j->plan);
  j->plan_mesh = j->mesh;
  const mfft_status status = mfft_mesh_plan_create(&j->mesh, &how, &j->p->sweep, &j->plan);
  return status == MFFT_SUCCESS ? mfft_field_threads(MPI_COMM_WORLD, &j->plan.threads) : status;
}

/* Adds up the modes of this rank.  mfft_plan_shells has neither multipoles nor cross spectra; modes.h has both. */
static mfft_status add_modes(mfft_power_job *j, const mfft_power_result *r, const mfft_mesh *folded, const double *first,
                             mfft_bins *bins) {
  const mfft_compensation compensation = (mfft_compensation)r->how.compensate;
  const int order[2] = {r->source[0].assign, r->source[r->sources - 1].assign}; /* [source] */
  if (!first && !bins->poles && !bins->mean_of_logs && !bins->independent)
    return mfft_bins_add(folded, &j->plan, compensation, order[0], bins);
  return mfft_modes_add(folded, &j->plan, first, j->p->line, compensation, order, bins);
}

/* Measures one folding: transforms all sources and adds their modes to the bins. */
static mfft_status measure_fold(mfft_power_job *j, mfft_power_result *r, int fold, mfft_bins *bins) {
  const mfft_power_values *p = j->p;
  const int centered = r->source[0].info.centered || r->source[r->sources - 1].info.centered;
  mfft_mesh folded = j->mesh;
  double *first = NULL;
  for (int a = 0; a < 3; a++) folded.length[a] /= fold;
  mfft_status status = make_bins(p, &r->how, &folded, fold, bins);
  for (int i = 0; i < r->sources && status == MFFT_SUCCESS; i++) {
    status = mfft_power_source_transform(&r->source[i], p, fold, p->line, centered, &j->mesh, &j->plan);
    if (i + 1 < r->sources && status == MFFT_SUCCESS) status = mfft_modes_copy(&j->plan, &first);
  }
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_SHELLS);
  if (j->next && fold == r->how.fold[r->how.folds - 1] && !mfft_direct_reads()) mfft_prefetch_start(j->next);
  if (status == MFFT_SUCCESS) status = mfft_app_agree(add_modes(j, r, &folded, first, bins));
  mfft_free(first);
  if (status == MFFT_SUCCESS) {
    const double volume = mfft_mesh_volume(&j->mesh), one = r->source[0].scale, two = r->source[r->sources - 1].scale;
    const double own[2] = {volume * one * one, volume * two * two};
    mfft_bins_finish(bins, volume * one * two, own);
    status = mfft_app_agree(check_bins(bins, r->source[0].stats.deviation));
  }
  mfft_phase_enter(before);
  return status;
}

/* Sets the shot noise, from the options or from the particles; two different sets of particles have no common shot noise. */
static void choose_shot(const mfft_power_values *p, mfft_power_result *r, double volume) {
  r->shot = p->shot;
  if (!isnan(p->particles)) r->shot = volume / p->particles;
  if (isnan(r->shot) && r->sources == 1) r->shot = r->source[0].shot;
  if (isnan(r->shot)) r->how.subtract_shot = 0;
  for (int f = 0; f < r->how.folds && r->how.subtract_shot; f++)
    for (int b = 0; b < r->bins[f].count; b++) {
      r->bins[f].power[b] -= r->shot;
      for (int i = 0; i < r->bins[f].poles; i++)
        if (r->bins[f].ell[i] == 0) r->bins[f].pole[i][b] -= r->shot;
    }
}

static mfft_status same_mesh(const mfft_power_job *j, const mfft_power_result *r, const mfft_mesh *other) {
  for (int a = 0; a < 3; a++)
    if (other->n[a] != j->mesh.n[a] || fabs(other->length[a] - j->mesh.length[a]) > 1e-6 * j->mesh.length[a])
      return mfft_app_fail(MFFT_ERR_ARG,
                           "--cross: '%s' has %lld cells on %g along axis %d, '%s' %lld on %g; name inputs of one mesh and "
                           "box, or give --boxsize",
                           r->source[1].path, (long long)other->n[a], other->length[a], a, r->source[0].path,
                           (long long)j->mesh.n[a], j->mesh.length[a]);
  return MFFT_SUCCESS;
}

/* Refuses options that no source can follow: --rsd and --fold need snapshots alone, the others at least one snapshot or one
 * field. */
static mfft_status check_options(const mfft_power_values *p, const mfft_power_result *r) {
  const char *field = NULL, *snapshot = NULL;
  for (int i = 0; i < r->sources; i++) *(r->source[i].particles ? &snapshot : &field) = r->source[i].path;
  const struct {
    const char *name;
    int given, met, particles;
  } of[] = {{"n", p->n.count > 0, snapshot != NULL, 1},
            {"type", p->catalogue.types != NULL, snapshot != NULL, 1},
            {"interlace", p->how.interlace > 1, snapshot != NULL, 1},
            {"units", p->has_units, snapshot != NULL, 1},
            {"unweighted", p->catalogue.unweighted, snapshot != NULL, 1},
            {"rsd", p->rsd, field == NULL, 1},
            {"fold", p->how.folds > 0, field == NULL, 1},
            {"dataset", p->dataset != NULL, field != NULL, 0},
            {"field", p->has_field, field != NULL, 0}};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    if (of[i].given && !of[i].met)
      return mfft_app_fail(MFFT_ERR_ARG, "--%s is for %ss, and '%s' is %s; omit it, or name a %s", of[i].name,
                           of[i].particles ? "snapshot" : "field", of[i].particles ? field : snapshot,
                           p->untrusted.untrusted ? "read as a field by --untrusted" : "none",
                           of[i].particles ? "snapshot" : "field");
  return MFFT_SUCCESS;
}

/* Refuses --subtract-shot where nothing says what to subtract. */
static mfft_status check_shot(const mfft_power_values *p, const mfft_power_result *r) {
  const int known = r->sources == 1 && (r->source[0].particles || !isnan(r->source[0].shot));
  if (!p->subtract_shot || known || !isnan(p->shot) || !isnan(p->particles)) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_ARG, "--subtract-shot: the shot noise of %s is not known; give --shot or --particles",
                       r->sources > 1 ? "a cross spectrum" : "a field");
}

/* Chooses the windows of the sources.  Refuses fields whose files say that their mesh points are half a cell apart. */
static mfft_status choose_windows(const mfft_power_values *p, mfft_power_result *r) {
  mfft_power_source *one = &r->source[0], *two = r->sources > 1 ? &r->source[1] : NULL;
  mfft_status status = mfft_power_source_window(one, p, &r->how, two);
  if (status != MFFT_SUCCESS || !two) return status;
  status = mfft_power_source_window(two, p, &r->how, one);
  const int stated = one->info.window_order && two->info.window_order;
  if (status != MFFT_SUCCESS || !stated || one->info.centered == two->info.centered) return status;
  const char *centered = (one->info.centered ? one : two)->path, *other = (one->info.centered ? two : one)->path;
  return mfft_app_fail(
      MFFT_ERR_ARG,
      "--cross: the mesh points of '%s' are at (i + 1/2) h, as its attribute Centered says, those of '%s' at "
      "i h; make both with or without --centered",
      centered, other);
}

/* Opens the sources and chooses the method and the mesh. */
static mfft_status open_sources(mfft_power_job *j, mfft_power_result *r) {
  const mfft_power_values *p = j->p;
  mfft_mesh other;
  mfft_status status = MFFT_SUCCESS;
  for (int i = 0; i < r->sources && status == MFFT_SUCCESS; i++)
    status = mfft_power_source_open(i ? p->cross : j->input, p, &r->source[i]);
  if (status == MFFT_SUCCESS) status = check_options(p, r);
  if (status != MFFT_SUCCESS) return status;
  const mfft_power_source *second = r->sources > 1 ? &r->source[1] : NULL;
  r->how = p->how;
  mfft_power_complete(&r->how, p->like, r->source[0].particles || (second && second->particles));
  status = choose_windows(p, r);
  if (status == MFFT_SUCCESS) status = check_shot(p, r);
  if (status == MFFT_SUCCESS) status = mfft_power_source_mesh(&r->source[0], p, second, &j->mesh);
  if (status != MFFT_SUCCESS || !second) return status;
  status = mfft_power_source_mesh(second, p, &r->source[0], &other);
  return status == MFFT_SUCCESS ? same_mesh(j, r, &other) : status;
}

static mfft_status measure(mfft_power_job *j, mfft_power_result *r) {
  const int particles = r->source[0].particles || r->source[r->sources - 1].particles;
  mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_PLAN);
  if (!particles && !j->plan.plan) mfft_prefetch_start(mfft_untrusted_path(j->input));
  mfft_status status = mfft_app_agree(make_plan(j, particles));
  mfft_phase_enter(before);
  for (int f = 0; f < r->how.folds && status == MFFT_SUCCESS; f++) status = measure_fold(j, r, r->how.fold[f], &r->bins[f]);
  if (status != MFFT_SUCCESS) return status;
  r->limit = INFINITY;
  for (int i = 0; i < r->sources; i++)
    r->limit = fmin(r->limit, mfft_power_limit(&j->mesh, (mfft_compensation)r->how.compensate, r->source[i].assign,
                                               r->source[i].interlace));
  choose_shot(j->p, r, mfft_mesh_volume(&j->mesh));
  mfft_progress_end();
  before = mfft_phase_enter(MFFT_PHASE_REPORT);
  status = mfft_app_agree(mfft_power_write(r));
  if (status == MFFT_SUCCESS && j->hdf5) status = mfft_power_write_hdf5(r, j->hdf5);
  mfft_phase_enter(before);
  return status;
}

/* Bytes of the values that have been read, for --bound. */
static int64_t bytes_read(const mfft_power_job *j, const mfft_power_source *s) {
  if (s->particles) return 3 * s->catalogue.all * (int64_t)mfft_catalogue_number_bytes(s->catalogue.number);
  return (int64_t)mfft_mesh_cells(&j->mesh) * (int64_t)mfft_real_bytes(s->info.precision);
}

int mfft_power_job_run(mfft_power_job *j) {
  mfft_power_result *r = calloc(1, sizeof *r);
  int failed = mfft_app_failed(r ? MFFT_SUCCESS : mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a spectrum"));
  if (failed) {
    free(r);
    return MFFT_EXIT_FAILED;
  }
  r->job = j;
  r->options = j->p;
  r->sources = j->p->cross ? 2 : 1;
  mfft_timing_field_begin(j->input, j->several);
  failed = mfft_app_failed(open_sources(j, r));
  if (!failed) failed = mfft_app_failed(j->p->dry_run ? mfft_power_estimate(j, r) : measure(j, r));
  if (!failed && !j->p->dry_run) {
    mfft_timing_field_describe();
    describe_job(j);
    failed = mfft_app_failed(mfft_timing_field_end());
    if (!failed)
      failed = mfft_app_failed(mfft_timing_bound(mfft_untrusted_path(j->input), bytes_read(j, &r->source[0]), NULL, 0));
  }
  for (int f = 0; f < MFFT_FOLDS_MOST; f++) mfft_bins_destroy(&r->bins[f]);
  for (int i = 0; i < 2; i++) mfft_power_source_close(&r->source[i]);
  free(r);
  if (failed) mfft_mesh_plan_destroy(&j->plan); /* after a failed transform the plan cannot be reused */
  return failed ? MFFT_EXIT_FAILED : MFFT_EXIT_OK;
}
