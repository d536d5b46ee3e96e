/* prebuild.c: compiles the kernels of common jobs into a folder (runtime/prebuilt.h), without a GPU:
 *
 *     mergefft_prebuild [--fatbinary=TOOL] FOLDER ARCH... [LENGTH...]
 *
 * such as: mergefft_prebuild build/lib/mergefft/kernels 80 90 64 96.  With TOOL, NVIDIA's program fatbinary, the code is
 * compressed.
 *
 * Common jobs are Poisson solves and power spectra on cubes of 2^k and 3 2^k cells, from 32 to 2048, or of the lengths that
 * are given: real transforms in both directions, in double and single, with and without a filter in the backward direction,
 * on one GPU, and on 2, 4 and 8 GPUs of one node.  Existing entries stay.  One process for each core compiles its share
 * of the kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "local/cuda/engines/table.h"
#include "local/cuda/ops/service.h"
#include "local/cuda/plan_only.h"
#include "local/cuda/runtime/compile.h"
#include "local/cuda/runtime/prebuilt.h"
#include "local/cuda/tuned/tuned.h"
#include "mfft_inspect.h"
#include "prebuild/fatbin.h"
#include "prebuild/node_transforms.h"

static const int all_lengths[] = {32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048};
enum { LENGTHS = sizeof all_lengths / sizeof *all_lengths };
static const int all_ranks[] = {2, 4, 8}; /* GPUs of a node, besides one */

/* The limits of thread blocks on A100, H200 and B200, and the bytes of their L2 caches. */
static const struct {
  mfft_device_limits limits;
  int cache_bytes;
} devices[] = {{{166912, 167936, 1024, 2048, 65536, 80, 128, 0, 108, 0}, 40 << 20},
               {{232448, 233472, 1024, 2048, 65536, 90, 128, 16, 132, 0}, 60 << 20},
               {{232448, 233472, 1024, 2048, 65536, 100, 128, 16, 148, 0}, 126 << 20}};

static struct {
  const char *folder, *fatbinary; /* NULL: not compressed */
  int arch;
  long part, parts, seen; /* index and number of the processes; kernels so far */
  int failed;
} work;

static int fail(const char *what, const char *why) {
  fprintf(stderr, "mergefft_prebuild: %s: %s\n", what, why);
  return work.failed = 1;
}

/* Compiles a kernel unless its entry exists or another process compiles it. */
static void compile(const mfft_compile_options *options) {
  mfft_cubin cubin = {0};
  char why[MFFT_WHY_BYTES];
  if (work.failed || work.seen++ % work.parts != work.part) return;
  if (mfft_prebuilt_read(options, work.arch, &cubin)) {
    free(cubin.data);
    return;
  }
  if (mfft_compile(options, work.arch, &cubin) != MFFT_SUCCESS) {
    fail(options->file, mfft_last_error());
    return;
  }
  if ((work.fatbinary && mfft_fatbin_compress(work.fatbinary, work.folder, work.arch, &cubin, why)) ||
      mfft_prebuilt_write(work.folder, options, work.arch, &cubin, why))
    fail(work.folder, why);
  free(cubin.data);
}

static void compile_passes(const mfft_phases *phases) {
  for (int p = 0; p < phases->count; p++)
    for (int i = 0; i < phases->phase[p].schedule.count; i++) {
      mfft_kernel kernel = phases->phase[p].schedule.pass[i].kernel;
      mfft_compile_options options;
      mfft_engine_options(&kernel, &options);
      compile(&options);
      if (!kernel.in.wide && !kernel.out.wide) continue;
      kernel.in.wide = kernel.out.wide = 0; /* for pointers that are less aligned */
      mfft_engine_options(&kernel, &options);
      compile(&options);
    }
}

/* Compiles the passes of a transform of a distributed plan. */
static void compile_transform(const mfft_fft_spec *spec) {
  mfft_phases phases;
  if (mfft_phases_make(spec, mfft_plan_only.limits, &phases) == MFFT_SUCCESS)
    compile_passes(&phases);
  else
    fail("a transform of several GPUs", mfft_last_error());
}

/* Compiles the passes of the plans that the command makes for one cube. */
static void plan(int n, mfft_precision precision, int filtered, int destroy) {
  mfft_desc desc;
  mfft_options options;
  char text[1 << 16];
  size_t needed;
  mfft_desc_init(&desc);
  mfft_options_init(&options);
  for (int a = 0; a < 3; a++) desc.n[a] = n;
  desc.kind = MFFT_R2C;
  desc.order = MFFT_ORDER_TRANSPOSED;
  desc.precision = precision;
  desc.scale[MFFT_BACKWARD] = filtered ? MFFT_SCALE_NONE : MFFT_SCALE_FULL; /* a filter contains the scale */
  desc.filtered = filtered ? 1u << MFFT_BACKWARD : 0;
  desc.allow_destroy_input = destroy;
  options.backend = "cuda";
  options.effort = MFFT_ESTIMATE;
  if (mfft_plan_outline(&desc, &options, text, sizeof text, &needed) != MFFT_SUCCESS) fail("a plan", mfft_last_error());
  for (size_t i = 0; i < sizeof all_ranks / sizeof *all_ranks; i++)
    if (mfft_node_transforms(&desc, &options, all_ranks[i], compile_transform) != MFFT_SUCCESS)
      fail("a plan on several GPUs", mfft_last_error());
}

/* Compiles the kernels other than passes. */
static void compile_services(void) {
  static const mfft_service of_precision[] = {MFFT_SERVICE_FILTER, MFFT_SERVICE_SHELLS, MFFT_SERVICE_NORMAL,
                                              MFFT_SERVICE_SUMS,   MFFT_SERVICE_ROWS,   MFFT_SERVICE_RADIAL};
  mfft_compile_options options;
  for (mfft_precision p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++)
    for (size_t i = 0; i < sizeof of_precision / sizeof *of_precision; i++)
      for (int gathers = 0; gathers < (of_precision[i] == MFFT_SERVICE_SHELLS ? 2 : 1); gathers++) {
        mfft_service_options(&(mfft_service_kernel){.service = of_precision[i], .precision = p, .gathers = gathers},
                             &options);
        compile(&options);
      }
  for (int bytes = 4; bytes <= 16; bytes *= 2) {
    mfft_service_options(&(mfft_service_kernel){.service = MFFT_SERVICE_COPY, .element_bytes = bytes}, &options);
    compile(&options);
  }
  for (int sends = 0; sends < 2; sends++) {
    mfft_service_options(&(mfft_service_kernel){.service = MFFT_SERVICE_SIGNAL, .sends = sends}, &options);
    compile(&options);
  }
}

static void compile_all(const mfft_device_limits *limits, const int *length, int lengths) {
  mfft_plan_only = (mfft_plan_only_hooks){limits, compile_passes};
  work.arch = limits->arch;
  compile_services();
  for (int i = 0; i < lengths; i++)
    for (mfft_precision p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++)
      for (int variant = 0; variant < 4; variant++) plan(length[i], p, variant & 1, variant >> 1);
}

/* Compiles the whole list; returns 0, or 1 after printing the reason of a failure. */
static int compile_list(int count, char **words) {
  int length[LENGTHS], lengths = 0, archs = 0;
  if (mfft_node_transforms_begin() != MFFT_SUCCESS) return fail("MPI_Init", "it failed; see the lines above");
  for (int i = 0; i < count; i++)
    for (int l = 0; l < LENGTHS; l++)
      if (atoi(words[i]) == all_lengths[l] && lengths < LENGTHS) length[lengths++] = all_lengths[l];
  for (size_t d = 0; d < sizeof devices / sizeof *devices; d++)
    for (int i = 0; i < count; i++) {
      mfft_device_limits limits = devices[d].limits;
      if (atoi(words[i]) != limits.arch) continue;
      limits.part_bytes = mfft_tuned_part_bytes(limits.arch, devices[d].cache_bytes);
      compile_all(&limits, lengths ? length : all_lengths, lengths ? lengths : LENGTHS);
      archs++;
    }
  mfft_node_transforms_end();
  return archs ? work.failed : fail("architectures", "name some of 80, 90 and 100");
}

int main(int argc, char **argv) {
  static const char option[] = "--fatbinary=";
  struct stat folder;
  int failed = 0;
  if (argc > 1 && !strncmp(argv[1], option, sizeof option - 1)) {
    work.fatbinary = argv[1] + sizeof option - 1;
    argc--;
    argv++;
  }
  if (argc < 3) return fail("usage", "mergefft_prebuild [--fatbinary=TOOL] FOLDER ARCH... [LENGTH...]");
  work.folder = argv[1];
  work.parts = sysconf(_SC_NPROCESSORS_ONLN);
  if (stat(work.folder, &folder) || !S_ISDIR(folder.st_mode)) return fail(work.folder, "no such folder");
  setenv("MFFT_PREBUILT_DIR", work.folder, 1);
  for (work.part = 0; work.part < work.parts; work.part++) {
    const pid_t child = fork();
    if (child == 0) return compile_list(argc - 2, argv + 2);
    if (child < 0) failed = fail("fork", "no more processes");
  }
  for (int status; wait(&status) > 0;) failed |= status != 0;
  return failed;
}
