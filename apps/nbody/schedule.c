/* schedule.c: see schedule.h. */
#include "nbody/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/report.h"

enum { MOST_OUTPUTS = 1000 };
static const double same = 1e-9; /* times with a smaller relative difference count as equal */

double mfft_schedule_middle(int spacing, double a0, double a1) {
  return spacing == MFFT_SPACING_A ? 0.5 * (a0 + a1) : sqrt(a0 * a1);
}

double mfft_schedule_redshift(double a) { return fabs(a - 1) > same ? 1 / a - 1 : 0; }

int mfft_schedule_find(const mfft_nbody_schedule *s, double a) {
  for (int i = 0; i <= s->steps; i++)
    if (s->a[i] == a) return i;
  return -1;
}

void mfft_schedule_free(mfft_nbody_schedule *s) {
  free(s->a);
  free(s->output);
  memset(s, 0, sizeof *s);
}

/* Marks the time of an output, and divides the step that contains it. */
static void insert(mfft_nbody_schedule *s, double a) {
  int i = 0;
  while (i < s->steps && s->a[i] < a * (1 - same)) i++;
  if (fabs(s->a[i] / a - 1) > same) {
    for (int j = ++s->steps; j > i; j--) {
      s->a[j] = s->a[j - 1];
      s->output[j] = s->output[j - 1];
    }
    s->a[i] = a;
  }
  s->output[i] = 1;
}

/* Reads one redshift of the list, up to a comma or the end. */
static mfft_status take_output(mfft_nbody_schedule *s, const char *text, size_t length) {
  char word[64], why[MFFT_CLI_WHY_BYTES];
  double z;
  snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), text);
  if (mfft_cli_read_real(word, -0.99, 1e5, &z, why))
    return mfft_app_fail(MFFT_ERR_ARG, "--outputs: '%s' %s; give redshifts with commas between them, such as 2,1,0.5", word,
                         why);
  const double a = 1 / (1 + z);
  if (a < s->a[0] * (1 - same) || a > s->a[s->steps] * (1 + same))
    return mfft_app_fail(MFFT_ERR_ARG, "--outputs: redshift %g is not between those of the run, %g and %g; omit it", z,
                         1 / s->a[0] - 1, 1 / s->a[s->steps] - 1);
  insert(s, a);
  return MFFT_SUCCESS;
}

mfft_status mfft_schedule_create(double first, double last, int steps, int spacing, const char *outputs,
                                 mfft_nbody_schedule *s) {
  s->steps = steps;
  s->a = calloc((size_t)(steps + 1 + MOST_OUTPUTS), sizeof *s->a);
  s->output = calloc((size_t)(steps + 1 + MOST_OUTPUTS), sizeof *s->output);
  if (!s->a || !s->output) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the times of %d steps", steps);
  for (int i = 0; i <= steps; i++) {
    const double share = (double)i / steps;
    s->a[i] = spacing == MFFT_SPACING_A ? first + share * (last - first) : first * exp(share * log(last / first));
  }
  s->a[steps] = last;
  s->output[steps] = 1;
  int count = 0;
  for (const char *at = outputs; at && *at; count++) {
    const size_t length = strcspn(at, ",");
    if (count == MOST_OUTPUTS)
      return mfft_app_fail(MFFT_ERR_ARG, "--outputs has more than %d redshifts; give fewer", MOST_OUTPUTS);
    const mfft_status status = take_output(s, at, length);
    if (status != MFFT_SUCCESS) return status;
    at += length + (at[length] == ',');
  }
  return MFFT_SUCCESS;
}
