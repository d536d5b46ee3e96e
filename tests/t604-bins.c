// TEST labels=apps
// The parts of `mergefft power` that need no transform: windows against products and sums over aliases, and the bin of a
// wave number on the edge of two, also when it is rounded up or down.
#include <mpi.h>

#include "../apps/cli/cli.c"
#include "../apps/cli/cli_help.c"
#include "../apps/cli/cli_option.c"
#include "../apps/cli/cli_value.c"
#include "../apps/cli/collective.c"
#include "../apps/cli/number.c"
#include "../apps/cli/option_words.c"
#include "../apps/cli/phases.c"
#include "../apps/cli/plan_options.c"
#include "../apps/cli/process.c"
#include "../apps/cli/progress.c"
#include "../apps/cli/report.c"
#include "../apps/io/json_absent.c"
#include "../apps/io/rows.c"
#include "../apps/io/save.c"
#include "../apps/io/sweep.c"
#include "../apps/mesh/exact_sum.c"
#include "../apps/mesh/mesh.c"
#include "../apps/mesh/window.c"
#include "../apps/power/bins.c"
#include "check.h"

static long double sinc(long double x) { return x == 0 ? 1 : sinl(x) / x; }

static void windows(void) {
  const long double pi_l = 3.14159265358979323846264338327950288L;
  static const int64_t lengths[] = {1, 2, 7, 12, 31};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
    for (int64_t n = lengths[i], m = -(n - 1) / 2; m <= n / 2; m++)
      for (int order = 1; order <= 4; order++) {
        long double alone = powl(sinc(pi_l * m / n), 2 * order), aliases = 0;
        enum { REACH = 20000 };
        int reach = order == 1 ? REACH : 300;
        for (int a = reach; a >= -reach; a--) aliases += powl(sinc(pi_l * ((long double)m / n + a)), 2 * order);
        double got = mfft_window_power(MFFT_COMPENSATE_SINC, order, m, n);
        CHECK(fabsl(got - alone) <= 1e-14L * alone, "sinc %d, %d of %d: %.17g, want %.17Lg", order, (int)m, (int)n, got,
              alone);
        got = mfft_window_power(MFFT_COMPENSATE_JING, order, m, n);
        CHECK(fabsl(got - aliases) <= (order == 1 ? 2e-5L : 1e-8L), "jing %d, %d of %d: %.17g, want %.17Lg", order, (int)m,
              (int)n, got, aliases);
        CHECK(mfft_window_power(MFFT_COMPENSATE_NONE, order, m, n) == 1 &&
                  mfft_window_power(MFFT_COMPENSATE_SINC, 0, m, n) == 1,
              "no window");
      }
}

/* The bin of a wave number, from the value that mfft_plan_shells compares. */
static int find(const mfft_bins *bins, const double *edge, double k) {
  int b = -1;
  while (b < bins->count && k >= edge[b + 1]) b++;
  return b < bins->count ? b : -1;
}

/* Wave numbers on every edge, or a few units in the last place below it, belong to the upper bin; those clearly below to the
 * lower. */
static void edges(int count, int logarithmic, double k_min, double width) {
  const mfft_mesh mesh = {.n = {4, 4, 4}, .length = {1, 1, 1}};
  mfft_bins bins;
  mfft_bin_tables tables;
  CHECK_OK(mfft_bins_create(count, logarithmic, k_min, width, &bins));
  CHECK_OK(mfft_bin_tables_create(&mesh, &bins, MFFT_COMPENSATE_NONE, 0, &tables));
  const double *shells = tables.edge; /* [count + 1] */
  for (int b = 0; b <= count; b++) {
    double edge = bins.edge[b];
    double want = logarithmic ? k_min * exp(b * width) : k_min + b * width;
    CHECK(fabs(edge - want) <= 1e-14 * want, "edge %d: %.17g", b, edge);
    int above = b < count ? b : -1, below = b - 1;
    for (int ulps = -4; ulps <= 4; ulps++) {
      double k = edge * (1 + ulps * 2.2e-16);
      if (edge > 0) CHECK(find(&bins, shells, k) == above, "%d ulps from edge %d: bin %d", ulps, b, find(&bins, shells, k));
    }
    if (edge > 0) CHECK(find(&bins, shells, edge * (1 - 1e-10)) == below, "below edge %d", b);
    if (edge > 0) CHECK(find(&bins, shells, edge * (1 + 1e-10)) == above, "above edge %d", b);
  }
  CHECK(find(&bins, shells, 1e300) == -1 && find(&bins, shells, NAN) == -1, "far away");
  CHECK(find(&bins, shells, 0) == -1, "the mean is in a bin");
  mfft_bin_tables_destroy(&tables);
  mfft_bins_destroy(&bins);
}

static void modes(void) {
  CHECK(mfft_signed_mode(0, 4) == 0 && mfft_signed_mode(2, 4) == 2 && mfft_signed_mode(3, 4) == -1, "even");
  CHECK(mfft_signed_mode(2, 5) == 2 && mfft_signed_mode(3, 5) == -2 && mfft_signed_mode(0, 1) == 0, "odd");
  for (int n = 1; n < 12; n++) {
    int whole = 0;
    for (int z = 0; z <= n / 2; z++) whole += mfft_mode_weight(z, n);
    CHECK(whole == n, "the weights of %d add up to %d", n, whole);
  }
}

int main(void) {
  windows();
  edges(40, 0, 0.05, 0.1);
  edges(33, 0, 0, 0.7);
  edges(1, 0, 3, 1e-3);
  edges(20, 1, 0.01, 0.3);
  edges(300, 1, 1e-3, 0.01);
  modes();
  return test_end();
}
