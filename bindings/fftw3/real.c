/* real.c: see real.h. */
#define _GNU_SOURCE /* RTLD_NEXT, dladdr */
#include "real.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file that contains an address; "" if there is none. */
static const char *file_of(const void *address) {
  Dl_info info;
  return address && dladdr(address, &info) && info.dli_fname ? info.dli_fname : "";
}

static int is_ours(const void *address) {
  Dl_info theirs, ours;
  return dladdr(address, &theirs) && dladdr((const void *)&is_ours, &ours) && theirs.dli_fbase == ours.dli_fbase;
}

/* FFTW's own libraries, one for each precision: the prefixes of its functions in C and Fortran, the file names that programs
 * are linked with, and the path found when this library was built, since a file name may resolve to this library
 * (docs/fftw.md). */
static const struct {
  const char *prefix, *fortran, *file[2], *init;
} libraries[] = {{"fftw_", "dfftw_", {"libfftw3_mpi.so.3", MFFT_FFTW3_MPI_DOUBLE}, "fftw_mpi_init"},
                 {"fftwf_", "sfftw_", {"libfftw3f_mpi.so.3", MFFT_FFTW3_MPI_SINGLE}, "fftwf_mpi_init"},
#ifdef MFFT_FFTW3_MPI_LONG_DOUBLE
                 {"fftwl_", "lfftw_", {"libfftw3l_mpi.so.3", MFFT_FFTW3_MPI_LONG_DOUBLE}, "fftwl_mpi_init"}
#endif
};
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

/* The index of the library that has a function. */
static int library_of(const char *name) {
  for (int i = 0; i < LIBRARIES; i++) {
    const char *prefix = libraries[i].prefix, *fortran = libraries[i].fortran;
    if (!strncmp(name, prefix, strlen(prefix)) || !strncmp(name, fortran, strlen(fortran))) return i;
  }
  return 0;
}

/* Opens a library, once in a process. */
static void *open_library(int precision) {
  static void *handle[LIBRARIES];
  for (int i = 0; i < 2 && !handle[precision]; i++) {
    void *opened = dlopen(libraries[precision].file[i], RTLD_NOW | RTLD_GLOBAL);
    void *found = opened ? dlsym(opened, libraries[precision].init) : NULL;
    if (found && !is_ours(found)) handle[precision] = opened;
  }
  return handle[precision];
}

void *mfft_dropin_real_or_null(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found && !is_ours(found)) return found;
  void *library = open_library(library_of(name));
  found = library ? dlsym(library, name) : NULL;
  return found && !is_ours(found) ? found : NULL;
}

void *mfft_dropin_real(const char *name) {
  void *found = mfft_dropin_real_or_null(name);
  if (found) return found;
  fprintf(stderr, "mergefft: error: the program calls %s, which no library of the process defines; install %s\n", name,
          libraries[library_of(name)].file[0]);
  abort();
}

/* Whether a library is FFTW: it defines a variable with its version, which wrappers of other libraries do not. */
static int is_fftw(const char *prefix, const void *execute) {
  char name[32];
  snprintf(name, sizeof name, "%s_version", prefix);
  const char *version = mfft_dropin_real_or_null(name);
  return version && !strcmp(file_of(version), file_of(execute)) && !strncmp(version, "fftw-3", 6);
}

int mfft_dropin_reachable(const char *prefix, char *why, size_t size) {
  static const char *const names[] = {"execute", "destroy_plan", "execute_dft", "execute_dft_r2c", "execute_dft_c2r"};
  char name[64];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(name, sizeof name, "%s_%s", prefix, names[i]);
    const void *program = dlsym(RTLD_DEFAULT, name);
    if (program && is_ours(program)) continue;
    snprintf(why, size, "calls of %s reach %s first; put this library before it, by LD_PRELOAD", name, file_of(program));
    return 0;
  }
  snprintf(name, sizeof name, "%s_execute", prefix);
  const void *real = mfft_dropin_real_or_null(name);
  if (is_fftw(prefix, real)) return 1;
  snprintf(why, size, "%s after this library comes from %s, which is not FFTW 3; link the program with FFTW", name,
           real ? file_of(real) : "nowhere");
  return 0;
}

int mfft_dropin_is_fftw_mpi(const char *prefix, const void *address) {
  char name[32];
  snprintf(name, sizeof name, "%s_mpi_init", prefix);
  const char *library = file_of(mfft_dropin_real_or_null(name));
  return *library && !strcmp(file_of(address), library);
}
