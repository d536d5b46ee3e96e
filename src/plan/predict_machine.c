/* predict_machine.c: the numbers of a machine: defaults, checks, and the time of a local transform. */
#include <math.h>

#include "base/versioned.h"
#include "plan/predict_model.h"

static const mfft_versioned versions = {"machine", "mfft_machine_init", sizeof(mfft_machine), sizeof(mfft_machine), NULL, 0};

void mfft_machine_init_sized(mfft_machine *machine, size_t struct_size) {
  const mfft_machine defaults = {0};
  mfft_versioned_init(machine, struct_size, &defaults, sizeof defaults);
}

/* ---- Checks ---- */

typedef struct number {
  const char *field;
  double value;
  const char *needed_by; /* what needs a number above 0; NULL: nothing does */
} number;

/* A NaN fails these comparisons. */
static mfft_status check_number(const number *n) {
  if (n->value >= 0 && n->value < INFINITY && (n->value > 0 || !n->needed_by)) return MFFT_SUCCESS;
  if (!n->needed_by) return mfft_fail(MFFT_ERR_ARG, "machine.%s is %g; give a number from 0", n->field, n->value);
  return mfft_fail(MFFT_ERR_ARG, "machine.%s is %g; give a number above 0, for %s", n->field, n->value, n->needed_by);
}

static mfft_status check_passes(const char *field, const mfft_machine_pass *pass /* [count] */, int count) {
  if (count < 0 || count > MFFT_MACHINE_PASSES)
    return mfft_fail(MFFT_ERR_ARG, "machine.%s_count is %d; use 0 to %d", field, count, MFFT_MACHINE_PASSES);
  for (int i = 0; i < count; i++)
    if (!(pass[i].passes > 0 && pass[i].passes < INFINITY) || pass[i].n < 1 || (i && pass[i].n <= pass[i - 1].n))
      return mfft_fail(MFFT_ERR_ARG,
                       "machine.%s[%d] is %g passes for a length of %lld; give passes above 0, lengths ascending", field, i,
                       pass[i].passes, (long long)pass[i].n);
  return MFFT_SUCCESS;
}

mfft_status mfft_model_machine(const mfft_cluster *cluster, mfft_machine *m) {
  if (!cluster) return mfft_fail(MFFT_ERR_ARG, "cluster is NULL; pass the machine, its nodes and the ranks of a node");
  MFFT_TRY(mfft_versioned_take(&versions, cluster->machine, m));
  MFFT_TRY(mfft_check_range("cluster.nodes", cluster->nodes, 1, 1 << 20, "use 1 to 1048576"));
  MFFT_TRY(mfft_check_range("cluster.node_ranks", cluster->node_ranks, 1, 1 << 10, "use 1 to 1024"));
  MFFT_TRY(mfft_check_range("cluster.nodes * node_ranks", (int64_t)cluster->nodes * cluster->node_ranks, 1, 1 << 20,
                            "use at most 1048576 ranks"));
  MFFT_TRY(mfft_check_range("cluster.cyclic", cluster->cyclic, 0, 1, "use 0 or 1"));
  const number numbers[] = {
      {"memory_bytes", m->memory_bytes, NULL},
      {"memory_bandwidth", m->memory_bandwidth, "transforms"},
      {"copy_bandwidth", m->copy_bandwidth, NULL},
      {"flops[0]", m->flops[0], NULL},
      {"flops[1]", m->flops[1], NULL},
      {"real_rows", m->real_rows, NULL},
      {"scatter", m->scatter, NULL},
      {"stage_s", m->stage_s, NULL},
      {"near_bandwidth", m->near_bandwidth, cluster->node_ranks > 1 ? "several ranks on a node" : NULL},
      {"near_message_s", m->near_message_s, NULL},
      {"near_memory", m->near_memory, NULL},
      {"near_latency_s", m->near_latency_s, NULL},
      {"far_bandwidth", m->far_bandwidth, cluster->nodes > 1 ? "several nodes" : NULL},
      {"node_bandwidth", m->node_bandwidth, NULL},
      {"far_message_s", m->far_message_s, NULL},
      {"far_latency_s", m->far_latency_s, NULL},
      {"far_share", m->far_share, NULL}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) MFFT_TRY(check_number(&numbers[i]));
  MFFT_TRY(check_passes("contiguous", m->contiguous, m->contiguous_count));
  MFFT_TRY(check_passes("strided", m->strided, m->strided_count));
  if (m->copy_bandwidth == 0) m->copy_bandwidth = m->memory_bandwidth;
  if (m->node_bandwidth == 0) m->node_bandwidth = m->far_bandwidth * cluster->node_ranks;
  if (m->real_rows == 0) m->real_rows = 1;
  if (m->near_memory == 0) m->near_memory = 2;
  if (m->scatter == 0) m->scatter = 1;
  if (m->far_share == 0) m->far_share = 1;
  return MFFT_SUCCESS;
}

/* ---- Local transforms ---- */

/* Reads and writes of the array for an axis of length n, from a list. */
static double passes_at(const mfft_machine_pass *pass /* [count] */, int count, int64_t n) {
  int i = 0;
  while (i < count && pass[i].n < n) i++;
  if (!count) return 1;
  if (i == 0) return pass[0].passes;
  if (i == count) return pass[count - 1].passes;
  const double share = log2((double)n / (double)pass[i - 1].n) / log2((double)pass[i].n / (double)pass[i - 1].n);
  return pass[i - 1].passes + share * (pass[i].passes - pass[i - 1].passes);
}

/* Operations a second; 0: no bound.  x87 computes one number at a time, without vectors: FFTW 3.3.10 took 13 to 25 times
 * as long in long double as in double (docs/accuracy.md). */
static double rate_of(const mfft_machine *m, mfft_precision precision) {
  const double long_double = 1.0 / 16;
  return precision == MFFT_LONG_DOUBLE ? long_double * m->flops[0] : m->flops[precision != MFFT_DOUBLE];
}

double mfft_model_fft_s(const mfft_machine *m, const mfft_fft_spec *spec) {
  const int halves = spec->type == MFFT_FFT_R2C || spec->type == MFFT_FFT_C2R, reals = spec->type == MFFT_FFT_R2R;
  const double complex_bytes = 2 * (double)mfft_real_bytes(spec->precision);
  double lines = 1, points = 1, stored = 1, passes = 0; /* stored: complex numbers of the larger side of one transform */
  for (int i = 0; i < spec->nloops; i++) lines *= (double)spec->loop[i].n;
  for (int a = 0; a < spec->naxes; a++) {
    const mfft_dim *axis = &spec->axis[a];
    const int contiguous = axis->is == 1 || axis->os == 1;
    points *= (double)axis->n;
    const int64_t stored_points = halves && a == spec->naxes - 1 ? axis->n / 2 + 1 : axis->n;
    stored *= (double)stored_points;
    passes += contiguous ? passes_at(m->contiguous, m->contiguous_count, axis->n)
                         : passes_at(m->strided, m->strided_count, axis->n);
  }
  if (reals) stored /= 2;
  const double bytes_s = passes * 2 * lines * stored * complex_bytes / m->memory_bandwidth;
  const double rate = rate_of(m, spec->precision);
  const double operations = 5 * lines * points * log2(points) * (halves || reals ? 0.5 : 1);
  /* The rate of a CPU was measured with its passes, which therefore do not count again. */
  return spec->naxes * m->stage_s + (rate > 0 ? operations / rate : bytes_s);
}
