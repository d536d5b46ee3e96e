// TEST labels=apps
// The colours that `mergefft show` chooses: logarithmic for values that span decades and for density contrasts, linear about
// 0 for values of both signs; those that a user requests; values beyond the ends and without a logarithm; what is refused.
#include "../apps/cli/cli.c"
#include "../apps/cli/cli_help.c"
#include "../apps/cli/cli_option.c"
#include "../apps/cli/cli_value.c"
#include "../apps/cli/collective.c"
#include "../apps/cli/number.c"
#include "../apps/cli/option_words.c"
#include "../apps/cli/progress.c"
#include "../apps/cli/report.c"
#include "../apps/show/range.c"
#include "check.h"

enum { COUNT = 1000 };
static const mfft_range_request nothing = {.add = NAN, .lo = NAN, .hi = NAN, .colormap = -1};

/* Values from `lo` to `hi`, equidistant or in geometric progression, in no order. */
static void fill(double *value, double lo, double hi, int geometric) {
  for (int i = 0; i < COUNT; i++) {
    const double t = (double)(i * 37 % COUNT) / (COUNT - 1);
    value[i] = geometric ? lo * pow(hi / lo, t) : lo + t * (hi - lo);
  }
}

static mfft_range choose(const mfft_range_request *request, double *value) {
  mfft_range range;
  CHECK(mfft_range_choose(request, value, COUNT, &range) == MFFT_SUCCESS, "%s", app_message);
  return range;
}

static int near(double a, double b) { return fabs(a - b) <= 1e-12 * fabs(b); }

static void automatic(void) {
  double value[COUNT];
  fill(value, 0.01, 10, 1); /* a density over three decades */
  mfft_range r = choose(&nothing, value);
  CHECK(r.logarithmic && r.add == 0 && r.colormap == MFFT_INFERNO && near(r.lo, 0.01) && near(r.hi, 10), "%g to %g", r.lo,
        r.hi);
  fill(value, 1, 50, 1); /* not two decades */
  r = choose(&nothing, value);
  CHECK(!r.logarithmic && r.colormap == MFFT_VIRIDIS && r.lo == 1, "%g to %g", r.lo, r.hi);
  fill(value, 0.01, 10, 1); /* a density contrast of it */
  for (int i = 0; i < COUNT; i++) value[i] -= 1;
  r = choose(&nothing, value);
  CHECK(r.logarithmic && r.add == 1 && near(r.hi, 10) && fabs(r.lo - 0.01) < 1e-12, "%g + %g to %g", r.add, r.lo, r.hi);
  mfft_range_request request = nothing;
  request.has_unit = 1; /* no density contrast has one */
  CHECK(!choose(&request, value).logarithmic, "values with a unit");
  fill(value, -3, 2, 0); /* a potential */
  r = choose(&nothing, value);
  CHECK(!r.logarithmic && r.add == 0 && r.colormap == MFFT_COOLWARM && r.lo == -3 && r.hi == 3, "%g to %g", r.lo, r.hi);
  fill(value, -0.1, 2, 0); /* hardly of both signs */
  r = choose(&nothing, value);
  CHECK(r.colormap == MFFT_VIRIDIS && near(r.lo, -0.1) && r.hi == 2, "%g to %g", r.lo, r.hi);
  fill(value, -0.4, 60, 0); /* never near -1, so no voids */
  CHECK(!choose(&nothing, value).logarithmic, "values above -1/2");
  fill(value, -1.01, 200, 0); /* below -1 */
  CHECK(!choose(&nothing, value).logarithmic, "values below -1");
}

static void requested(void) {
  double value[COUNT];
  mfft_range_request request = nothing;
  request.scale = MFFT_COLORS_LINEAR;
  fill(value, 0.01, 10, 1);
  CHECK(!choose(&request, value).logarithmic, "linear");
  request = (mfft_range_request){.scale = MFFT_COLORS_LOG, .add = 2, .lo = NAN, .hi = NAN, .colormap = MFFT_CIVIDIS};
  fill(value, -1, 1, 0);
  mfft_range r = choose(&request, value);
  CHECK(r.logarithmic && r.lo == 1 && r.hi == 3 && r.add == 2 && r.colormap == MFFT_CIVIDIS && !r.masked, "%g to %g", r.lo,
        r.hi);
  request.add = NAN; /* a logarithm of what there is */
  r = choose(&request, value);
  CHECK(r.add == 0 && r.masked == COUNT / 2 && r.lo > 0 && r.hi == 1, "%d are masked", (int)r.masked);
  request = nothing;
  request.lo = -2, request.hi = 0.5;
  r = choose(&request, value);
  CHECK(r.lo == -2 && r.hi == 0.5 && r.beyond == MFFT_ABOVE && r.colormap == MFFT_COOLWARM, "%g to %g", r.lo, r.hi);
  request = nothing;
  request.clip = 10;
  fill(value, 1, 2, 0);
  value[7] = NAN, value[8] = INFINITY;
  r = choose(&request, value);
  CHECK(fabs(r.lo - 1.1) < 2e-3 && fabs(r.hi - 1.9) < 2e-3 && r.beyond == (MFFT_BELOW | MFFT_ABOVE), "%g to %g", r.lo, r.hi);
  request = nothing;
  request.lo = -1; /* no logarithm has such an end */
  fill(value, 0.01, 10, 1);
  CHECK(!choose(&request, value).logarithmic, "--min -1");
}

static void corners(void) {
  double value[COUNT];
  mfft_range_request request = nothing;
  mfft_range r;
  fill(value, 3, 3, 0);
  r = choose(&nothing, value);
  CHECK(r.lo == 1.5 && r.hi == 4.5, "%g to %g", r.lo, r.hi);
  CHECK(mfft_range_choose(&nothing, value, 0, &r) == MFFT_SUCCESS && r.lo == 0 && r.hi == 1, "no values");
  for (int i = 0; i < COUNT; i++) value[i] = NAN;
  CHECK(mfft_range_choose(&nothing, value, COUNT, &r) == MFFT_SUCCESS && r.hi > r.lo, "no finite values");
  request.scale = MFFT_COLORS_LOG;
  fill(value, -2, -1, 0);
  CHECK(mfft_range_choose(&request, value, COUNT, &r) == MFFT_ERR_ARG && strstr(app_message, "--add"), "%s", app_message);
  request.lo = -1;
  fill(value, 1, 2, 0);
  CHECK(mfft_range_choose(&request, value, COUNT, &r) == MFFT_ERR_ARG && strstr(app_message, "--min -1"), "%s", app_message);
  request = nothing;
  request.lo = 2, request.hi = 1;
  CHECK(mfft_range_choose(&request, value, COUNT, &r) == MFFT_ERR_ARG && strstr(app_message, "below --max"), "%s",
        app_message);
  fill(value, 0, 1, 0);
  value[0] = -1.7e308, value[1] = 1.7e308;
  CHECK(mfft_range_choose(&nothing, value, COUNT, &r) == MFFT_ERR_ARG && strstr(app_message, "overflows"), "%s",
        app_message);
}

int main(void) {
  automatic();
  requested();
  corners();
  return test_end();
}
