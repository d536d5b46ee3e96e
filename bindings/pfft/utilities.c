/* utilities.c: see utilities.h. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "utilities.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mfft_mpi.h"
#include "pfft.h"

void mfft_pfft_call(const char *name) {
  void (*function)(void);
  *(void **)&function = dlsym(RTLD_DEFAULT, name);
  if (function) function();
}

int mfft_pfft_create_mesh(int dims, MPI_Comm comm, const int *np, MPI_Comm *comm_cart) {
  int size, n[MFFT_DROPIN_MOST_DIMS] = {1}, periods[MFFT_DROPIN_MOST_DIMS] = {1};
  MPI_Comm_size(comm, &size);
  if (dims < 0 || dims > MFFT_DROPIN_MOST_DIMS) return 1;
  for (int d = 0; d < dims; d++) {
    if (np[d] < 1 || size % np[d]) return 1;
    size /= np[d];
    n[d] = np[d];
    periods[d] = 1;
  }
  return size != 1 ? 1 : MPI_Cart_create(comm, dims, n, periods, 0, comm_cart);
}

void mfft_pfft_largest(double *value, int count, MPI_Comm comm) {
  MPI_Request request;
  if (MPI_Iallreduce(MPI_IN_PLACE, value, count, MPI_DOUBLE, MPI_MAX, comm, &request) != MPI_SUCCESS) return;
  mfft_wait(comm, &request, NULL, 1, "the largest value of all ranks");
}

void mfft_pfft_print_times(const mfft_dropin_plan *plan, const char *name, MPI_Comm comm) {
  int rank = 0;
  if (!plan) return;
  double average = plan->calls ? plan->seconds / (double)plan->calls : 0;
  mfft_pfft_largest(&average, 1, comm);
  MPI_Comm_rank(comm, &rank);
  if (rank) return;
  FILE *file = name ? fopen(name, "a") : stdout;
  if (!file) {
    fprintf(stderr, "mergefft: warning: the times of a plan cannot be written to %s: %s\n", name, strerror(errno));
    return;
  }
  fprintf(file, "%% %lld executes of %.6e s on average, on the slowest rank: %s\n", (long long)plan->calls, average,
          plan->native->where);
  if (name ? fclose(file) : fflush(file))
    fprintf(stderr, "mergefft: warning: the times of a plan are not complete in %s: %s\n", name ? name : "stdout",
            strerror(errno));
}

void mfft_pfft_print(MPI_Comm comm, FILE *stream, const char *format, va_list list) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) vfprintf(stream, format, list);
}

/* PFFT's types of arguments. */
static const struct {
  unsigned type;
  const char *format;
  size_t bytes;
} types[] = {{PFFT_INT, "%d", sizeof(int)},           {PFFT_PTRDIFF_T, "%td", sizeof(ptrdiff_t)},
             {PFFT_FLOAT, "%f", sizeof(float)},       {PFFT_DOUBLE, "%lf", sizeof(double)},
             {PFFT_UNSIGNED, "%u", sizeof(unsigned)}, {PFFT_LDOUBLE, "%Lf", sizeof(long double)}};

void mfft_pfft_read_arguments(int argc, char **argv, const char *name, int count, unsigned type, void *values) {
  for (int a = 1; a < argc; a++) {
    if (strcmp(argv[a], name)) continue;
    if (type == PFFT_SWITCH) *(int *)values = 1;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
      for (int i = 0; types[t].type == type && i < count && a + 1 + i < argc; i++)
        sscanf(argv[a + 1 + i], types[t].format, (char *)values + (size_t)i * types[t].bytes);
  }
}
