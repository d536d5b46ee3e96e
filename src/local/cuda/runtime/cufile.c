/* cufile.c: see cufile.h.  The few types of cufile.h that are needed are declared here, since toolkits come without it; they
 * are the same in all versions of libcufile.so.0. */
#include "local/cuda/runtime/cufile.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/direct.h"
#include "base/env.h"
#include "base/status.h"
#include "base/system.h"
#include "local/cuda/runtime/library.h"

typedef struct cufile_error {
  int error;  /* 0, or one of the numbers below */
  int driver; /* a CUresult if error is CUDA_ERROR */
} cufile_error;

typedef struct cufile_descriptor {
  int type;
  union {
    int fd;
    void *handle;
  } of;
  const void *operations;
} cufile_descriptor;

typedef void *cufile_handle;

enum {
  DESCRIPTOR_OF_FD = 1,
  ALLOW_COMPAT_MODE = 1, /* CUFILE_PARAM_PROPERTIES_ALLOW_COMPAT_MODE */
  FIRST_ERROR = 5001
};

/* X(result, name, symbol, arguments, later): as in driver.h; later: 1 for functions that older versions lack. */
#define CUFILE_FUNCTIONS(X)                                                                           \
  X(cufile_error, driver_open, "cuFileDriverOpen", (void), 0)                                         \
  X(cufile_error, handle_register, "cuFileHandleRegister", (cufile_handle *, cufile_descriptor *), 0) \
  X(void, handle_deregister, "cuFileHandleDeregister", (cufile_handle), 0)                            \
  X(cufile_error, buffer_register, "cuFileBufRegister", (const void *, size_t, int), 0)               \
  X(cufile_error, buffer_deregister, "cuFileBufDeregister", (const void *), 0)                        \
  X(ssize_t, read, "cuFileRead", (cufile_handle, void *, size_t, off_t, off_t), 0)                    \
  X(ssize_t, write, "cuFileWrite", (cufile_handle, const void *, size_t, off_t, off_t), 0)            \
  X(cufile_error, version, "cuFileGetVersion", (int *), 1)                                            \
  X(cufile_error, set_bool, "cuFileSetParameterBool", (int, bool), 1)

typedef struct cufile_table {
#define DECLARE(result, name, symbol, arguments, later) result(*name) arguments;
  CUFILE_FUNCTIONS(DECLARE)
#undef DECLARE
} cufile_table;
static cufile_table cufile;

/* Texts of the errors for which a machine, a file or an array has no direct transfers, and of errors of transfers. */
static const char *error_text(int error) {
  static const struct {
    int error;
    const char *text;
  } texts[] = {{5001, "the nvidia-fs driver is not loaded"},
               {5004, "the nvidia-fs driver is of another version"},
               {5007, "the platform has none"},
               {5008, "the file system has none"},
               {5009, "the GPU has none"},
               {5011, "the CUDA driver failed"},
               {5016, "the array is larger than the memory that may be pinned"},
               {5020, "the file is not open for direct transfers"},
               {5025, "no permission"},
               {5034, "it is switched off for this file system"},
               {5036, "the memory of the GPU cannot be pinned"},
               {5044, "input/output error"}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (texts[i].error == error) return texts[i].text;
  return "see cufile.log";
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int started;
static char found[256]; /* the version and mode that start has found, or the reason why cuFile cannot be used */

static int set_to(const char *variable, const char *value) {
  const char *now = getenv(variable);
  return now && !strcmp(now, value);
}

/* Makes cuFile refuse transfers that it would do by copies in host memory.  Returns 0 if this version has no such setting,
 * and writes that to `found`. */
static int forbid_compat_mode(void) {
  if (set_to("CUFILE_ALLOW_COMPAT_MODE", "false")) return 1;
  if (cufile.set_bool && cufile.set_bool(ALLOW_COMPAT_MODE, false).error == 0) return 1;
  snprintf(found, sizeof found,
           "this cuFile copies on the host without telling; set CUFILE_ALLOW_COMPAT_MODE=false, or MFFT_CUFILE=compat");
  return 0;
}

static void open_cufile(void) {
  static const char *const files[] = {"libcufile.so.0", "libcufile.so", "/usr/local/cuda/lib64/libcufile.so.0", NULL};
#define SYMBOL(result, name, symbol, arguments, later) {symbol, offsetof(cufile_table, name), later},
  static const mfft_library_symbol symbols[] = {CUFILE_FUNCTIONS(SYMBOL)};
#undef SYMBOL
  const char *wanted = mfft_env_string(MFFT_ENV_CUFILE);
  const int compat = !strcmp(wanted, "compat");
  int version = 0;
  if (!compat && strcmp(wanted, "on") && strcmp(wanted, "auto")) {
    snprintf(found, sizeof found, "MFFT_CUFILE is %.64s", wanted);
    return;
  }
  /* Without this check cuFile would write a log file into the working directory. */
  if (!strcmp(wanted, "auto") && access("/proc/driver/nvidia-fs", F_OK) != 0) {
    snprintf(found, sizeof found, "the nvidia-fs driver is not loaded; with MFFT_CUFILE=on cuFile is asked all the same");
    return;
  }
  if (!mfft_library_open(files, symbols, (int)(sizeof symbols / sizeof *symbols), &cufile, found, sizeof found)) return;
  if (!compat && !forbid_compat_mode()) return;
  const cufile_error error = cufile.driver_open();
  if (error.error) {
    snprintf(found, sizeof found, "cuFile answers %d: %s", error.error, error_text(error.error));
    return;
  }
  if (cufile.version) cufile.version(&version);
  snprintf(found, sizeof found, "cuFile %d.%d%s", version / 1000, version % 1000 / 10,
           compat ? ", its copies on the host allowed" : "");
  started = 1;
}

static mfft_status start(void) {
  pthread_once(&once, open_cufile);
  return started ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_UNSUPPORTED, "no GPUDirect Storage: %s", found);
}

static void describe(char *text, size_t size) { snprintf(text, size, "%s", found); }

static mfft_status attach(void *array, size_t bytes) {
  const cufile_error error = cufile.buffer_register(array, bytes, 0);
  if (!error.error) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_UNSUPPORTED, "no GPUDirect Storage for an array of %zu bytes: cuFile answers %d: %s", bytes,
                   error.error, error_text(error.error));
}

static void detach(void *array) { (void)cufile.buffer_deregister(array); }

static mfft_status open_file(int fd, const char *path, void **file) {
  cufile_descriptor descriptor = {.type = DESCRIPTOR_OF_FD, .of.fd = fd};
  const cufile_error error = cufile.handle_register(file, &descriptor);
  if (!error.error) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_UNSUPPORTED, "%s: no GPUDirect Storage: cuFile answers %d: %s", path, error.error,
                   error_text(error.error));
}

static void close_file(void *file) { cufile.handle_deregister(file); }

/* Sets the message of a transfer that failed.  cuFile returns -1 and sets errno, or returns one of its own error numbers or
 * of errno's, negated. */
static mfft_status move_failed(const mfft_direct_range *range, int64_t done, ssize_t answer, int system, const char *path) {
  const int error = answer == -1 ? system : (int)-answer;
  const char *why = error < FIRST_ERROR ? mfft_posix_reason(error) : error_text(error);
  return mfft_fail(MFFT_ERR_IO, "%s: %s %" PRId64 " bytes at %" PRId64 " by GPUDirect Storage: %s (%d)", path,
                   range->writes ? "writing" : "reading", range->bytes - done, range->offset + done, why, error);
}

static mfft_status move(void *file, void *array, const mfft_direct_range *range, const char *path) {
  for (int64_t done = 0; done < range->bytes;) {
    const size_t bytes = (size_t)(range->bytes - done);
    const off_t offset = (off_t)(range->offset + done), place = (off_t)(range->place + done);
    errno = 0;
    const ssize_t answer =
        range->writes ? cufile.write(file, array, bytes, offset, place) : cufile.read(file, array, bytes, offset, place);
    const int system = errno;
    if (answer == -1 && system == EINTR) continue;
    if (answer < 0) return move_failed(range, done, answer, system, path);
    if (answer == 0 && range->writes) return move_failed(range, done, -ENOSPC, 0, path);
    if (answer == 0)
      return mfft_fail(MFFT_ERR_CORRUPT, "%s ends at byte %" PRId64 ", inside data; copy it again from its source", path,
                       range->offset + done);
    done += answer;
  }
  return MFFT_SUCCESS;
}

const mfft_device_files mfft_cufile_calls = {start, describe, attach, detach, open_file, close_file, move};
