/* job.c: see job.h. */
#include "poisson/job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/phases.h"
#include "cli/progress.h"
#include "io/direct.h"
#include "io/output.h"
#include "io/prefetch.h"
#include "io/rows.h"
#include "mfft_inspect.h"
#include "poisson/estimate.h"
#include "poisson/make_solver.h"
#include "poisson/results.h"
#include "poisson/solver_rows.h"

/* ---- Before the solve ------------------------------------------------------------------------------------------------ */

/* Omega_m is that of the option, or else of the file, within the same limits. */
static mfft_status choose_omega_m(mfft_poisson_job *j) {
  const double given = j->v->omega_m, stated = j->info.omega_m;
  j->omega_m = isnan(given) ? stated : given;
  if (isnan(given) && stated == 0)
    return mfft_app_fail(MFFT_ERR_ARG, "'%s' has no attribute Omega_m; give --omega-m", j->input);
  if (!(j->omega_m >= MFFT_OMEGA_M_MIN && j->omega_m <= MFFT_OMEGA_M_MAX))
    return mfft_app_fail(MFFT_ERR_ARG,
                         "Omega_m of '%s' is %.12g, and must be from %g to %g; give the right one by --omega-m", j->input,
                         stated, MFFT_OMEGA_M_MIN, MFFT_OMEGA_M_MAX);
  if (!isnan(given) && stated != 0 && !(fabs(stated / given - 1) <= 1e-6))
    mfft_app_note("--omega-m is %.6g, and Omega_m of '%s' is %.6g: the option counts", given, j->input, stated);
  return MFFT_SUCCESS;
}

/* Computes c of --units cosmo from Omega_m and from the scale factor of the option, or else of the file, within the same
 * limits. */
static mfft_status choose_cosmology(mfft_poisson_job *j) {
  const mfft_poisson_values *v = j->v;
  double a = v->scale_factor;
  if (isnan(a)) {
    if (!j->info.has_redshift)
      return mfft_app_fail(MFFT_ERR_ARG, "'%s' has no attribute Redshift; give --scale-factor", j->input);
    a = 1 / (1 + j->info.redshift);
    if (!(a >= MFFT_SCALE_FACTOR_MIN && a <= MFFT_SCALE_FACTOR_MAX))
      return mfft_app_fail(MFFT_ERR_ARG,
                           "Redshift of '%s' is %.12g, which gives no scale factor a = 1 / (1 + z) from %g to %g; give the "
                           "right one by --scale-factor",
                           j->input, j->info.redshift, MFFT_SCALE_FACTOR_MIN, MFFT_SCALE_FACTOR_MAX);
  }
  if (!isnan(v->scale_factor) && j->info.has_redshift && fabs(a * (1 + j->info.redshift) - 1) > 1e-6)
    mfft_app_note("--scale-factor is %.6g, and Redshift of '%s' is %.6g: the option counts", a, j->input, j->info.redshift);
  const mfft_status status = choose_omega_m(j);
  j->coefficient = 1.5 * j->omega_m * 100 * 100 / a;
  return status;
}

/* The window of mass assignment is that of --assign, or else the one that the file states.  Both must agree, since another
 * window would be divided out without a word. */
static mfft_status choose_window(mfft_poisson_job *j) {
  enum { NOT_STATED = 2 }; /* CIC */
  const int stated = j->info.window_order, given = j->v->assign + 1;
  j->window_order = given ? given : stated ? stated : NOT_STATED;
  if (!j->v->deconvolve || !stated || j->window_order == stated) return MFFT_SUCCESS;
  char word[16]; /* since the next call overwrites what this one returns */
  snprintf(word, sizeof word, "%s", mfft_cli_choice_name(MFFT_ASSIGN_WORDS, given - 1));
  return mfft_app_fail(MFFT_ERR_ARG,
                       "--assign is %s, and '%s' was made by %s, as its attribute WindowOrder says; omit the option", word,
                       j->input, mfft_cli_choice_name(MFFT_ASSIGN_WORDS, stated - 1));
}

static mfft_status open_field(mfft_poisson_job *j) {
  const mfft_poisson_values *v = j->v;
  mfft_status status = mfft_input_open(j->input, v->dataset, &v->boxsize, &j->info, &j->mesh);
  if (status == MFFT_SUCCESS) status = choose_window(j);
  if (status != MFFT_SUCCESS) return status;
  j->coefficient = isnan(v->coefficient) ? 1 : v->coefficient;
  return v->units == MFFT_UNITS_COSMO ? choose_cosmology(j) : MFFT_SUCCESS;
}

/* Keeps the solver of the preceding field if it fits this one; otherwise replaces it. */
static mfft_status choose_solver(mfft_poisson_job *j) {
  if (!j->solver.plan || mfft_poisson_precision(j) != j->solver.precision ||
      j->window_order != j->solver.options.greens.window_order || memcmp(&j->mesh, &j->solver_mesh, sizeof j->mesh)) {
    mfft_poisson_complete(j); /* its report tells of the plan */
    mfft_poisson_destroy(&j->solver);
    j->solver_mesh = j->mesh;
    j->copied_s = j->waited_s = 0;
    return mfft_poisson_make_solver(j);
  }
  mfft_poisson_reset(&j->solver, j->coefficient);
  j->copied_s = mfft_swept_copy_s(&j->solver.real);
  j->waited_s = j->solver.real.wait_s;
  mfft_status status = mfft_plan_timing_reset(j->solver.plan);
  for (int a = 0; a < 3 && status == MFFT_SUCCESS; a++)
    if (j->solver.walls.axis[a].plan) status = mfft_plan_timing_reset(j->solver.walls.axis[a].plan);
  return status;
}

static mfft_status read_field(mfft_poisson_job *j) {
  mfft_precision precision;
  mfft_swept *field = mfft_poisson_field(&j->solver, &precision);
  const mfft_status status = mfft_input_read(j->input, &j->info, precision, j->v->allow_nonfinite, field, &j->found);
  if (status == MFFT_SUCCESS && j->next && !mfft_direct_reads()) mfft_prefetch_start(j->next);
  return status;
}

/* Removes the mean, unless the field is used unchanged and phi is given on a wall, where any source has a solution. */
static mfft_status centre(mfft_poisson_job *j) {
  mfft_boundary boundary[3]; /* [axis] */
  mfft_boundary_parse(j->v->boundary, boundary);
  j->keeps_mean = j->v->field == MFFT_FIELD_CONTRAST && !mfft_boundary_leaves_constant(boundary);
  const double unchanged[2] = {-j->found.offset, 0};
  return mfft_poisson_centre(&j->solver, j->found.mean, j->keeps_mean ? unchanged : j->found.left, j->info.precision);
}

/* Sets the coefficient of the solve, for a density divided by its mean; notes a uniform or a coarsely rounded field. */
static mfft_status choose_source(mfft_poisson_job *j) {
  const mfft_poisson_values *v = j->v;
  mfft_poisson *p = &j->solver;
  double factor;
  mfft_status status = mfft_contrast_factor(v->field, j->input, p->mean, p->rms, &factor);
  if (status == MFFT_SUCCESS && v->units == MFFT_UNITS_COSMO && v->field == MFFT_FIELD_CONTRAST)
    status = mfft_contrast_plausible(j->input, p->mean, p->rms, p->cells,
                                     "give --field density, which divides by the mean, or --coefficient instead of --units "
                                     "for another field");
  if (status != MFFT_SUCCESS) return status;
  p->options.coefficient = j->coefficient * factor;
  if (j->coefficient != 0 && !isnormal(p->options.coefficient))
    return mfft_app_fail(
        MFFT_ERR_NONFINITE,
        "--coefficient %g, times %g for the mean of the field, is too %s for double precision; choose other units",
        j->coefficient, factor, fabs(p->options.coefficient) < 1 ? "small" : "large");
  if (p->uniform)
    mfft_app_note(
        "the field is uniform: it varies about its mean of %.6g by no more than the rounding of its values; phi is 0",
        p->mean);
  else if (p->rounding > 1e-3 * p->rms)
    mfft_app_note(
        "the file rounds values as large as its mean, %.6g, by up to %.2g, which is %.2g of the rms about the mean; phi "
        "has no more correct digits than that",
        p->mean, p->rounding, p->rounding / p->rms);
  return MFFT_SUCCESS;
}

/* ---- The solve and its results --------------------------------------------------------------------------------------- */

/* Fails since the values of an output are out of the range of the precision of the results. */
static mfft_status beyond_precision(const mfft_poisson_job *j, const char *output, const char *size, const char *remedy) {
  return mfft_app_fail(
      MFFT_ERR_NONFINITE,
      "%s is too %s for the precision of the results, with coefficient %.3g and a field of rms %.3g; choose "
      "a %s --coefficient, other units or a wider --precision",
      output, size, j->solver.options.coefficient, j->solver.rms, remedy);
}

/* The precision of the arithmetic. */
static mfft_precision computed_in(const mfft_poisson *p) { return p->wide ? MFFT_SINGLE : p->precision; }

/* The least magnitude of a sum whose terms, down to epsilon times the sum, are normal numbers, so that underflow costs no
 * digit. */
static double precise_from(const mfft_poisson *p) {
  const mfft_precision precision = computed_in(p);
  return mfft_row_smallest_normal(precision) / mfft_row_epsilon(precision);
}

/* Refuses an output that the precision of the results cannot represent; the force only after its last component.  With a
 * filter, such as a wide --asmth, phi may rightly underflow to 0, and a field of Nyquist modes alone has no force. */
static mfft_status check_output(mfft_poisson_job *j, int output, double largest) {
  const mfft_poisson *p = &j->solver;
  /* Without a residual nothing would tell that the terms of which phi is the sum have underflowed. */
  const double smallest = p->open.plan ? precise_from(p) : mfft_row_smallest_normal(computed_in(p));
  if (!isfinite(largest)) return beyond_precision(j, mfft_poisson_output_names[output], "large", "smaller");
  const int force = output > 0;
  if (force) j->largest_force = largest = fmax(j->largest_force, largest);
  if ((force && output < MFFT_POISSON_OUTPUTS - 1) || p->uniform || j->coefficient == 0 || largest >= smallest)
    return MFFT_SUCCESS;
  const int certain = largest > 0 || (!force && mfft_greens_unfiltered(&p->options.greens));
  if (certain || mfft_poisson_expected_rms(p, force) < smallest)
    return beyond_precision(j, force ? "the force" : "phi", "small", "larger");
  mfft_app_note("%s is 0: after the filter or the gradient, its values are below the range of the precision of the results",
                force ? "the force" : "phi");
  return MFFT_SUCCESS;
}

static mfft_status check_solution(mfft_poisson_job *j) {
  const mfft_poisson *p = &j->solver;
  const double rms = p->phi_rms * fabs(p->options.coefficient);
  j->check = mfft_poisson_verify(&j->solver);
  if (j->check.passed) return MFFT_SUCCESS;
  if (!isfinite(p->phi_rms)) return beyond_precision(j, "the square of phi", "large", "smaller");
  if (!isfinite(j->check.residual) && rms > 1 / precise_from(p))
    return beyond_precision(j, "the Laplacian of phi", "large", "smaller");
  if (rms < precise_from(p) && (rms > 0 || mfft_poisson_expected_rms(p, 0) < precise_from(p)))
    return beyond_precision(j, "phi", "small", "larger");
  return mfft_app_fail(MFFT_ERR_INTERNAL,
                       "the residual |laplacian(phi) - rhs| / |rhs| is %.3g and rounding explains %.3g: the solution is "
                       "wrong and not written; please report it",
                       j->check.residual, j->check.explained);
}

/* Waits until the output in the background, if there is one, has been written, and checks it. */
static mfft_status finish_output(mfft_poisson_job *j) {
  double largest;
  const int output = j->writing - 1;
  if (output < 0) return MFFT_SUCCESS;
  j->writing = 0;
  mfft_status status = mfft_output_end(j->file);
  mfft_phase_enter(MFFT_PHASE_WRITE);
  status = mfft_poisson_inspect_end(&j->inspection, status, &largest);
  return status == MFFT_SUCCESS ? check_output(j, output, largest) : status;
}

/* Inspects and writes an output in the memory of a GPU. */
static mfft_status write_from_gpu(mfft_poisson_job *j, int output) {
  double largest;
  uint64_t checksum;
  mfft_status status = mfft_poisson_inspect_rows(&j->solver, output - 1, &largest, &checksum);
  if (status == MFFT_SUCCESS) status = check_output(j, output, largest);
  if (status != MFFT_SUCCESS) return status;
  return mfft_output_put_checked(j->file, output, mfft_poisson_output_names[output], j->solver.precision, &j->solver.real,
                                 checksum);
}

/* Writes the output that is in the field; if there is a second field, in the background until finish_output. */
static mfft_status write_output(mfft_poisson_job *j, int output, int last) {
  double largest;
  mfft_precision precision;
  if (mfft_poisson_by_rows(&j->solver)) return write_from_gpu(j, output);
  mfft_swept *field = mfft_poisson_field(&j->solver, &precision);
  mfft_status status = mfft_poisson_inspect_begin(&j->solver, output - 1, mfft_field_put_workers(j->file), &j->inspection);
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS && j->solver.spare && !last) {
    status = mfft_output_begin(j->file, output, precision, field, mfft_poisson_inspect, &j->inspection);
    if (status != MFFT_SUCCESS) return status;
    j->writing = output + 1;
    j->inspection.beside = 1;
    mfft_poisson_swap_arrays(&j->solver);
    return MFFT_SUCCESS;
  }
  if (status == MFFT_SUCCESS)
    status = mfft_output_put(j->file, output, precision, field, mfft_poisson_inspect, &j->inspection);
  status = mfft_poisson_inspect_end(&j->inspection, status, &largest);
  return status == MFFT_SUCCESS ? check_output(j, output, largest) : status;
}

/* Computes an output, 0: phi, 1 to 3: a component of the force, and writes it. */
static int put_output(mfft_poisson_job *j, int output, int outputs) {
  mfft_phase_enter(MFFT_PHASE_TRANSFORM);
  mfft_progress_start("solving", 2 * outputs + 1);
  mfft_progress_step(2 * output + 1);
  if (mfft_app_failed(mfft_poisson_output(&j->solver, output - 1))) return 1;
  mfft_progress_step(2 * output + 2);
  mfft_phase_enter(MFFT_PHASE_WRITE);
  if (mfft_app_failed(finish_output(j))) return 1;
  const double bytes = j->solver.cells * (double)mfft_real_bytes(j->solver.wide ? MFFT_SINGLE : j->solver.precision);
  mfft_progress_start_bytes("writing", 0, bytes);
  return mfft_app_failed(write_output(j, output, output == outputs - 1));
}

static int solve_and_write(mfft_poisson_job *j) {
  const int outputs = j->v->gradient == MFFT_GRADIENT_NONE ? 1 : MFFT_POISSON_OUTPUTS;
  mfft_phase_enter(MFFT_PHASE_TRANSFORM);
  mfft_progress_start("solving", 2 * outputs + 1);
  if (mfft_app_failed(mfft_poisson_source(&j->solver))) return 1;
  for (int output = 0; output < outputs; output++)
    if (put_output(j, output, outputs)) return 1;
  mfft_progress_end();
  mfft_phase_enter(MFFT_PHASE_CHECK);
  const int failed = j->solver.options.check && mfft_app_failed(check_solution(j));
  mfft_phase_enter(MFFT_PHASE_OTHER);
  return failed;
}

static void book_solver(mfft_poisson_job *j) {
  mfft_plan_book_phases(j->solver.plan);
  for (int a = 0; a < 3; a++) mfft_plan_book_phases(j->solver.walls.axis[a].plan);
  j->copy_s = mfft_app_slowest(mfft_swept_copy_s(&j->solver.real) - j->copied_s);
  j->overlap = mfft_swept_overlap(j->copy_s, mfft_app_slowest(j->solver.real.wait_s - j->waited_s));
}

/* Everything of a run except the report. */
static int solve_field(mfft_poisson_job *j) {
  mfft_phase_enter(MFFT_PHASE_OPEN);
  if (mfft_app_failed(open_field(j))) return 1;
  mfft_phase_enter(MFFT_PHASE_PLAN);
  if (j->v->dry_run) return mfft_app_failed(mfft_poisson_dry_run(j));
  if (mfft_app_failed(mfft_poisson_estimate(j))) return 1;
  mfft_progress_start("planning", 0);
  if (!j->solver.plan) mfft_prefetch_start(mfft_untrusted_path(j->input)); /* the next field has been begun with already */
  if (mfft_app_failed(choose_solver(j))) return 1;
  mfft_progress_start("reading", 0);
  mfft_phase_enter(MFFT_PHASE_READ);
  if (mfft_app_failed(read_field(j))) return 1;
  const int waited = j->before != NULL;
  mfft_poisson_complete(j);
  j->stopped = waited && mfft_fields_stop(j->counts, j->v->stop_file, j->number);
  if (j->stopped) return 0;
  mfft_phase_enter(MFFT_PHASE_CENTRE);
  if (mfft_app_failed(centre(j))) return 1;
  if (mfft_app_failed(choose_source(j))) return 1;
  mfft_phase_enter(MFFT_PHASE_CREATE);
  if (mfft_app_failed(mfft_poisson_create_file(j))) return 1;
  return solve_and_write(j);
}

/* ---- The end of a field ---------------------------------------------------------------------------------------------- */

/* Brings the file of the results to disk under its name. */
static int commit(mfft_poisson_job *j) {
  mfft_phase_enter(MFFT_PHASE_COMMIT);
  const int failed = mfft_app_failed(mfft_field_commit(&j->file));
  mfft_phase_enter(MFFT_PHASE_OTHER);
  return failed;
}

static int report(mfft_poisson_job *j) {
  mfft_phase_enter(MFFT_PHASE_REPORT);
  mfft_poisson_print(j);
  mfft_timing_field_describe();
  mfft_poisson_describe(j);
  int failed = mfft_app_failed(mfft_timing_field_end());
  if (!failed) failed = mfft_app_failed(mfft_poisson_bound(j));
  mfft_phase_enter(MFFT_PHASE_OTHER);
  return failed;
}

/* A field that has been solved, as its job was then, and with its own copy of the name of the results. */
struct mfft_poisson_before {
  mfft_poisson_job job;
  mfft_timing_held times;
};

/* Stores a job as `before`, and begins its commit in the background; 0 without memory. */
static int keep(mfft_poisson_job *j) {
  struct mfft_poisson_before *before = malloc(sizeof *before);
  char *output = strdup(j->output);
  if (mfft_app_anywhere(!before || !output || mfft_field_commit_start(j->file) != MFFT_SUCCESS)) {
    free(before);
    free(output);
    return 0;
  }
  *before = (struct mfft_poisson_before){*j, mfft_timing_field_hold()};
  before->job.output = output;
  j->before = before;
  j->file = NULL;
  return 1;
}

void mfft_poisson_complete(mfft_poisson_job *j) {
  struct mfft_poisson_before *before = j->before;
  if (!before) return;
  const mfft_job_phase phase = mfft_phase_enter(MFFT_PHASE_COMMIT);
  const mfft_timing_held times = mfft_timing_field_hold();
  j->before = NULL;
  mfft_timing_field_resume(&before->times);
  mfft_fields_name_messages("poisson", before->job.input, j->several);
  const int failed = commit(&before->job) || report(&before->job);
  mfft_fields_count_result(j->counts, before->job.input, failed);
  mfft_fields_name_messages("poisson", j->input, j->several);
  mfft_timing_field_resume(&times);
  free((char *)before->job.output);
  free(before);
  mfft_phase_enter(phase);
}

int mfft_poisson_job_run(mfft_poisson_job *j) {
  j->largest_force = 0;
  j->begun = 1;
  mfft_timing_field_begin(j->input, j->several);
  int failed = solve_field(j);
  mfft_poisson_complete(j); /* if this one failed before it was read */
  if (j->stopped) return 0;
  if (!failed && !j->v->dry_run) {
    book_solver(j);
    j->memory = mfft_app_slowest((double)j->solver.bytes);
    if (j->next && !j->v->untrusted.untrusted && keep(j)) return 0;
    failed = commit(j) || report(j);
  }
  mfft_phase_enter(MFFT_PHASE_OTHER);
  mfft_fields_count_result(j->counts, j->input, failed);
  if (failed) mfft_poisson_job_destroy(j); /* after a failed transform the solver cannot be reused */
  return failed;
}

void mfft_poisson_job_destroy(mfft_poisson_job *j) {
  mfft_field_abandon(&j->file); /* first, since it waits for the background thread that reads the solver's arrays */
  mfft_poisson_inspect_drop(&j->inspection);
  j->writing = 0;
  mfft_poisson_destroy(&j->solver);
}
