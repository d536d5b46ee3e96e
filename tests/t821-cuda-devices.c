// TEST timeout=120
/* A plan for a GPU fits that GPU: shared memory, threads, registers, clusters only if it has them, for every power of two to
 * 2^30, smooth lengths, planes, cubes, real transforms and tensor cores by name, on devices from A100 to Blackwell.  And the
 * twiddle orders of 16-bit passes on tensor cores are powers of two, as they must be. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "devices.h"
#include "local/cuda/planner/phases.h"
#include "local/cuda/planner/print.h"

static int clusters; /* passes in clusters */

static void fits(const mfft_fft_spec *spec, const char *name, const mfft_device_limits *limits) {
  static mfft_phases phases;
  char text[2048];
  const mfft_status made = mfft_phases_make(spec, limits, &phases);
  CHECK(made == MFFT_SUCCESS, "%s, type %d, precision %d, compute %d, %lld x %lld x %lld, batch %lld: %s", name, spec->type,
        spec->precision, spec->compute, (long long)spec->axis[0].n, (long long)spec->axis[1].n, (long long)spec->axis[2].n,
        (long long)spec->loop[0].n, mfft_last_error());
  if (made != MFFT_SUCCESS) return;
  mfft_phases_print(&phases, text, sizeof text);
  for (int p = 0; p < phases.count; p++)
    for (int i = 0; i < phases.phase[p].schedule.count; i++) {
      const mfft_pass *pass = &phases.phase[p].schedule.pass[i];
      const mfft_kernel *k = &pass->kernel;
      const int threads = k->chain.lines * k->chain.threads, warps = (threads + 31) / 32,
                cluster = k->cluster.blocks > 1 ? k->cluster.blocks : 0;
      CHECK(threads >= 1 && threads <= limits->threads, "%s: %d threads: %s", name, threads, text);
      CHECK(k->tile.shared_bytes <= limits->shared_bytes, "%s: %d bytes: %s", name, k->tile.shared_bytes, text);
      CHECK(k->tile.min_blocks * warps * 32 <= limits->sm_threads, "%s: %d blocks of %d threads: %s", name,
            k->tile.min_blocks, threads, text);
      CHECK(cluster <= limits->cluster, "%s: a cluster of %d: %s", name, cluster, text);
      CHECK(pass->blocks >= 1 && pass->blocks <= INT32_MAX, "%s: %lld blocks: %s", name, (long long)pass->blocks, text);
      const int by_angles = k->engine == MFFT_ENGINE_TENSOR || k->engine == MFFT_ENGINE_RESIDENT;
      CHECK(!by_angles || !(pass->twiddle_order & (pass->twiddle_order - 1)), "%s: twiddle order %lld: %s", name,
            (long long)pass->twiddle_order, text);
      clusters += cluster > 0;
    }
}

/* Packed arrays, about 2^27 elements or one array of them. */
static void packed(mfft_fft_type type, mfft_precision precision, mfft_compute compute, int rank, const int64_t *n,
                   int many) {
  mfft_fft_spec s = {.type = type, .precision = precision, .compute = compute, .scale = 1, .naxes = rank, .nloops = 1};
  s.direction = type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD;
  int64_t is = 1, os = 1, half = n[rank - 1] / 2 + 1;
  for (int a = rank - 1; a >= 0; a--) {
    const int last = a == rank - 1;
    s.axis[a] = (mfft_dim){n[a], is, os};
    is *= last && type == MFFT_FFT_C2R ? half : n[a];
    os *= last && type == MFFT_FFT_R2C ? half : n[a];
  }
  const int64_t batch = many ? (1 << 27) / is : 1;
  s.loop[0] = (mfft_dim){batch < 1 ? 1 : batch, is, os};
  for (int i = 0; i < DEVICES; i++) fits(&s, devices[i].name, &devices[i].limits);
}

static void all_types(mfft_precision precision, mfft_compute compute, int rank, const int64_t *n) {
  for (int type = 0; type < 3; type++)
    for (int many = 0; many < 2; many++) packed((mfft_fft_type)type, precision, compute, rank, n, many);
}

int main(void) {
  static const int64_t shapes[][3] = {{64, 64},        {128, 256},      {256, 1024},    {512, 256},        {512, 1024},
                                      {1024, 1024},    {4096, 4096},    {8192, 8192},   {32, 32, 32},      {128, 128, 128},
                                      {256, 256, 256}, {512, 512, 512}, {16, 512, 512}, {1024, 1024, 1024}}; /* [14] */
  for (int p = 0; p < 4; p++) {
    for (int bits = 1; bits <= 30; bits++) all_types((mfft_precision)p, MFFT_COMPUTE_AUTO, 1, &(int64_t){1ll << bits});
    for (int i = 0; i < 14; i++) all_types((mfft_precision)p, MFFT_COMPUTE_AUTO, shapes[i][2] ? 3 : 2, shapes[i]);
    static const int64_t mixed[] = {3,      13,     105,     360,     1001,    1000,    3125,
                                    5000,   7938,   12000,   15015,   98304,   1 << 15, 177147,
                                    390625, 823543, 1771561, 4826809, 6000000, 3 << 20, 15 << 20}; /* [21] */
    for (int i = 0; i < 21; i++) all_types((mfft_precision)p, MFFT_COMPUTE_AUTO, 1, &mixed[i]);
  }
  for (int p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++) {
    for (int bits = 5; bits <= 24; bits++)
      packed(MFFT_FFT_C2C, (mfft_precision)p, MFFT_COMPUTE_TENSOR, 1, &(int64_t){1ll << bits}, bits % 2);
    for (int i = 0; i < 14; i++) all_types((mfft_precision)p, MFFT_COMPUTE_TENSOR, shapes[i][2] ? 3 : 2, shapes[i]);
    for (int64_t n = 2; n < 300; n++) {
      int64_t rest = n;
      for (int f = 2; f <= 13; f++)
        while (rest % f == 0) rest /= f;
      const int64_t odd[3] = {n, 3 * n, 16};
      if (rest == 1) all_types((mfft_precision)p, MFFT_COMPUTE_AUTO, 2, odd);
    }
  }
  CHECK(clusters > 50, "%d passes in clusters", clusters);
  return test_end();
}
#endif
