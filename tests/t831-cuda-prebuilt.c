// TEST labels=emulated timeout=300
/* Kernels compiled beforehand: one that exists is loaded without compiling; one that is damaged, of another architecture or
 * refused by the driver is compiled as if it did not exist; the folder is MFFT_PREBUILT_DIR or next to the program. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include <dirent.h>
#include <sys/stat.h>

#include "local/cuda/backend.h"
#include "local/cuda/engines/table.h"
#include "local/cuda/planner/phases.h"
#include "local/cuda/runtime/compile.h"
#include "local/cuda/runtime/load.h"
#include "local/cuda/runtime/prebuilt.h"

static int entries(const char *folder) {
  DIR *dir = opendir(folder);
  int found = 0;
  for (struct dirent *e; dir && (e = readdir(dir));) found += e->d_name[0] != '.';
  if (dir) closedir(dir);
  return found;
}

static mfft_fft_spec line_of(int n) {
  return (mfft_fft_spec){.precision = MFFT_DOUBLE, .scale = 1, .naxes = 1, .axis[0] = {n, 1, 1}, .effort = MFFT_ESTIMATE};
}

/* The one kernel of a line, compiled for an architecture. */
static void compile(int n, int arch, mfft_compile_options *options, mfft_cubin *cubin) {
  static mfft_phases phases;
  const mfft_fft_spec spec = line_of(n);
  mfft_cuda_current current;
  CHECK_OK(mfft_cuda_find_current(&current));
  CHECK_OK(mfft_phases_make(&spec, current.limits, &phases));
  CHECK(phases.count == 1 && phases.phase[0].schedule.count == 1, "a line of %d is more than one kernel", n);
  mfft_engine_options(&phases.phase[0].schedule.pass[0].kernel, options);
  CHECK_OK(mfft_compile(options, arch, cubin));
}

/* Makes and runs a transform of a constant; returns how many kernels were compiled. */
static int run(int n, const char *cache) {
  const mfft_fft_spec spec = line_of(n);
  const size_t bytes = (size_t)n * 2 * sizeof(double);
  double host[2 * 512];
  mfft_fft *fft = NULL;
  void *in = NULL, *out = NULL, *work = NULL;
  const int before = entries(cache);
  for (int i = 0; i < 2 * n; i++) host[i] = 1;
  CHECK_OK(mfft_backend_cuda.fft_create(&spec, &fft));
  CHECK_OK(mfft_backend_cuda.alloc(bytes, &in));
  CHECK_OK(mfft_backend_cuda.alloc(bytes, &out));
  if (fft->work_bytes) CHECK_OK(mfft_backend_cuda.alloc(fft->work_bytes, &work));
  CHECK_OK(mfft_backend_cuda.upload(in, host, bytes));
  CHECK_OK(mfft_backend_cuda.fft_execute(fft, in, out, work, NULL));
  CHECK_OK(mfft_backend_cuda.synchronize(NULL));
  CHECK_OK(mfft_backend_cuda.download(host, out, bytes));
  CHECK(host[0] == n && host[1] == n && fabs(host[2]) < 1e-9, "%d: %g %g %g", n, host[0], host[1], host[2]);
  mfft_backend_cuda.free(in);
  mfft_backend_cuda.free(out);
  if (work) mfft_backend_cuda.free(work);
  mfft_backend_cuda.fft_destroy(fft);
  return entries(cache) - before;
}

static void damage(const char *folder) {
  DIR *dir = opendir(folder);
  for (struct dirent *e; (e = readdir(dir));) {
    char path[600];
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    FILE *file = fopen(path, "r+b");
    fseek(file, -1, SEEK_END);
    const int last = fgetc(file);
    fseek(file, -1, SEEK_END);
    fputc(last ^ 1, file);
    fclose(file);
  }
  closedir(dir);
}

int main(void) {
  enum { GOOD = 16, DAMAGED = 32, FOREIGN = 64, REFUSED = 128 };
  char cache[] = "/tmp/mergefft-test-XXXXXX", other[] = "/tmp/mergefft-test-XXXXXX", folder[] = "/tmp/mergefft-test-XXXXXX";
  char text[600], why[MFFT_WHY_BYTES];
  mfft_compile_options options;
  mfft_cubin cubin;
  CHECK(mkdtemp(cache) && mkdtemp(other) && mkdtemp(folder), "no folders");
  CHECK(strstr(mfft_prebuilt_folder(text, sizeof text), "/bin/mergefft/kernels"), "next to the program is %s", text);
  setenv("MFFT_PREBUILT_DIR", folder, 1);
  CHECK(!strcmp(mfft_prebuilt_folder(text, sizeof text), folder), "%s, not %s", text, folder);

  setenv("MFFT_CACHE_DIR", other, 1); /* what is compiled here is not found below */
  compile(DAMAGED, 90, &options, &cubin);
  CHECK(!mfft_prebuilt_write(folder, &options, 90, &cubin, why), "%s", why);
  free(cubin.data);
  damage(folder);
  compile(GOOD, 90, &options, &cubin);
  CHECK(!mfft_prebuilt_write(folder, &options, 90, &cubin, why), "%s", why);
  free(cubin.data);
  compile(FOREIGN, 80, &options, &cubin);
  CHECK(!mfft_prebuilt_write(folder, &options, 80, &cubin, why), "%s", why);
  free(cubin.data);
  compile(REFUSED, 90, &options, &cubin);
  memset(cubin.data, 'x', cubin.bytes);
  CHECK(!mfft_prebuilt_write(folder, &options, 90, &cubin, why), "%s", why);
  free(cubin.data);
  CHECK(mfft_prebuilt_write("/no/such/folder", &options, 90, &cubin, why), "written to a folder that is not there");

  setenv("MFFT_CACHE_DIR", cache, 1);
  CHECK(run(GOOD, cache) == 0, "a kernel that was there is compiled");
  CHECK(run(DAMAGED, cache) == 1, "a damaged kernel is not compiled again");
  CHECK(run(FOREIGN, cache) == 1, "a kernel of another architecture is not compiled");
  CHECK(run(REFUSED, cache) == 1, "a kernel that the driver refuses is not compiled");
  snprintf(text, sizeof text, "rm -r %s %s %s", cache, other, folder);
  CHECK(system(text) == 0, "%s", text);
  return test_end();
}
#endif
