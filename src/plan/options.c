/* options.c: the options: defaults, checks, and values that also depend on the descriptor. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/env.h"
#include "base/versioned.h"
#include "plan/plan.h"

static const mfft_versioned versions = {"options", "mfft_options_init", sizeof(mfft_options), sizeof(mfft_options), NULL, 0};

void mfft_options_init_sized(mfft_options *options, size_t struct_size) {
  const mfft_options defaults = {0};
  mfft_versioned_init(options, struct_size, &defaults, sizeof defaults);
}

static mfft_status check_choices(const mfft_options *o) {
  const mfft_field_range fields[] = {
      {"effort", o->effort, MFFT_TUNE_PATIENT,
       "use MFFT_ESTIMATE, MFFT_MEASURE or MFFT_PATIENT, or one of these with TUNE_"},
      {"compute", o->compute, MFFT_COMPUTE_TENSOR, "use MFFT_COMPUTE_AUTO, MFFT_COMPUTE_BUTTERFLY or MFFT_COMPUTE_TENSOR"},
      {"wire", o->wire, MFFT_WIRE_AUTO, "use MFFT_WIRE_FULL, MFFT_WIRE_HALF or MFFT_WIRE_AUTO"},
      {"user_workspace", o->user_workspace, 1, "use 0 or 1"},
      {"reproducible", o->reproducible, 1, "use 0 or 1"},
      {"late_window", o->late_window, 1, "use 0 or 1"},
      {"host_arrays", o->host_arrays, 1, "use 0 or 1"},
      {"threads", o->threads, 4096, "use 1 to 4096, or 0 for 1"},
      {"grid[0]", o->grid[0], INT32_MAX, "use a count of ranks, or 0 to have it chosen"},
      {"grid[1]", o->grid[1], INT32_MAX, "use a count of ranks, or 0 to have it chosen"},
      {"chunks", o->chunks, INT32_MAX, "use 1 or more, or 0 to have it chosen"},
  };
  MFFT_TRY(mfft_check_fields(fields, sizeof fields / sizeof *fields));
  return mfft_check_range("overlap_split", o->overlap_split, -1, 15,
                          "use 1 to 15 sixteenths, -1 for none, or 0 to have it chosen");
}

/* A NaN fails these comparisons. */
static mfft_status check_reals(const mfft_options *o) {
  if (!(o->tolerance >= 0 && o->tolerance <= 1))
    return mfft_fail(MFFT_ERR_ARG, "tolerance is %g; use a relative error from 0 to 1", o->tolerance);
  if (!(o->time_limit >= 0 && o->time_limit <= 1e6))
    return mfft_fail(MFFT_ERR_ARG, "time_limit is %g; use 0 to 1e6 seconds, 0 for the default of the effort", o->time_limit);
  return MFFT_SUCCESS;
}

static mfft_status check_wire(const mfft_options *o, mfft_precision precision) {
  if (o->wire == MFFT_WIRE_AUTO && o->tolerance == 0)
    return mfft_fail(MFFT_ERR_ARG,
                     "wire is MFFT_WIRE_AUTO and tolerance is 0; set tolerance to the relative error that you accept, %g or "
                     "more for half the width",
                     mfft_wire_error(precision));
  if (o->wire != MFFT_WIRE_AUTO && o->tolerance > 0)
    return mfft_fail(MFFT_ERR_ARG, "tolerance is %g, but wire is not MFFT_WIRE_AUTO; set wire to it, or tolerance to 0",
                     o->tolerance);
  if (o->wire == MFFT_WIRE_HALF && mfft_sixteen_bit(precision))
    return mfft_fail(MFFT_ERR_ARG, "options.wire is MFFT_WIRE_HALF for 16-bit numbers; it is for wider ones");
  return MFFT_SUCCESS;
}

static mfft_status check_reproducible(const mfft_options *o, mfft_precision precision) {
  if (!o->reproducible) return MFFT_SUCCESS;
  if (mfft_sixteen_bit(precision))
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "options.reproducible is 1 for 16-bit numbers; it is for wider ones");
  if (o->wire != MFFT_WIRE_FULL)
    return mfft_fail(MFFT_ERR_ARG,
                     "options.reproducible is 1, and what options.wire rounds depends on the ranks; use MFFT_WIRE_FULL");
  return MFFT_SUCCESS;
}

mfft_status mfft_options_suit(const mfft_options *o, const mfft_backend *backend) {
  if (!o->reproducible || backend->reproduces) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_UNSUPPORTED, "options.reproducible is 1, and the backend is \"%s\"; use \"fftw\"",
                   backend->name);
}

mfft_status mfft_options_refuse_host_arrays(const mfft_options *o, const mfft_backend *backend, const char *what) {
  if (!o->host_arrays || backend->host_memory) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_UNSUPPORTED, "options.host_arrays is 1 for %s, which needs arrays on the device; leave it 0",
                   what);
}

double mfft_wire_error(mfft_precision precision) {
  static const double error[MFFT_PRECISION_COUNT] = {[MFFT_DOUBLE] = 6e-8,
                                                     [MFFT_SINGLE] = 5e-4,
                                                     [MFFT_HALF] = INFINITY,
                                                     [MFFT_BFLOAT16] = INFINITY,
                                                     [MFFT_LONG_DOUBLE] = 1.2e-16};
  return error[precision];
}

int mfft_options_tune(mfft_options *options) {
  static const mfft_effort local[] = {
      [MFFT_MEASURE] = MFFT_MEASURE,      [MFFT_ESTIMATE] = MFFT_ESTIMATE,      [MFFT_PATIENT] = MFFT_PATIENT,
      [MFFT_TUNE_MEASURE] = MFFT_MEASURE, [MFFT_TUNE_ESTIMATE] = MFFT_ESTIMATE, [MFFT_TUNE_PATIENT] = MFFT_PATIENT};
  const int tunes = local[options->effort] != options->effort;
  options->effort = local[options->effort];
  return tunes;
}

int mfft_options_name_grid(const mfft_options *options) { return options->grid[0] || options->grid[1]; }

double mfft_options_time_limit(const mfft_options *options) {
  static const double fallback[] = {[MFFT_MEASURE] = 5, [MFFT_ESTIMATE] = 0, [MFFT_PATIENT] = 60};
  if (options->time_limit > 0) return options->time_limit;
  return *mfft_env_string(MFFT_ENV_TUNE_S) ? mfft_env_number(MFFT_ENV_TUNE_S) : fallback[options->effort];
}

double mfft_options_deadline(const mfft_options *options, const mfft_backend *backend) {
  const int limited = options->time_limit > 0 || *mfft_env_string(MFFT_ENV_TUNE_S) || !backend->host_memory;
  return limited ? mfft_now() + mfft_options_time_limit(options) : 0;
}

mfft_status mfft_options_check(const mfft_options *given, mfft_precision precision, mfft_options *checked) {
  mfft_options o = {0};
  if (given) MFFT_TRY(mfft_versioned_take(&versions, given, &o));
  MFFT_TRY(check_choices(&o));
  MFFT_TRY(check_reals(&o));
  MFFT_TRY(check_wire(&o, precision));
  MFFT_TRY(check_reproducible(&o, precision));
  o.struct_size = sizeof o;
  if (o.threads == 0) o.threads = 1;
  *checked = o;
  return MFFT_SUCCESS;
}
