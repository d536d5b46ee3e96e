/* device.c: see device.h. */
#include "device.h"

#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/precision.h"
#include "mfft_memory.h"
#include "nesting.h"
#include "reorder.h"
#include "report.h"
#include "settings.h"
#include "speeds.h"

/* ---- Whether there is a GPU to use, found once in a process ---------------------------------------------------------- */

static pthread_once_t probed = PTHREAD_ONCE_INIT;
static int usable;

/* Finds whether there is a GPU.  If there is none although MFFT_FFTW asks for one, rank 0 prints the reason once. */
static void probe(void) {
  void *array = NULL;
  int running = 0, rank = 0;
  usable = mfft_memory_alloc(MFFT_DROPIN_GPU, 256, &array) == MFFT_SUCCESS;
  if (usable) mfft_memory_free(MFFT_DROPIN_GPU, array);
  if (usable || mfft_dropin_mode() != MFFT_DROPIN_MODE_GPU) return;
  MPI_Initialized(&running);
  if (running) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) fprintf(stderr, "mergefft: warning: MFFT_FFTW is gpu, and CPUs transform: %s\n", mfft_last_error());
}

/* Whether so many ranks of a node share its GPUs that their contexts, of some 500 MB each, cost more than a GPU saves.  The
 * number of ranks is read from the environment of the launcher, since MPI_Init may not have been called; without it, the
 * ranks of all nodes are counted. */
static int is_crowded(void) {
  enum { MOST_RANKS = 16 };
  static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"};
  int running = 0, ranks = 1;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (getenv(names[i])) return atoi(getenv(names[i])) > MOST_RANKS;
  MPI_Initialized(&running);
  if (running) MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks > MOST_RANKS;
}

static int is_usable(void) {
  const mfft_dropin_mode_t mode = mfft_dropin_mode();
  if (mode != MFFT_DROPIN_MODE_GPU && (mode != MFFT_DROPIN_MODE_AUTO || is_crowded())) return 0;
  pthread_once(&probed, probe);
  return usable;
}

/* ---- The rule -------------------------------------------------------------------------------------------------------- */

int mfft_dropin_device_holds(const void *array) {
  mfft_memory memory = MFFT_MEMORY_HOST;
  return array && is_usable() && mfft_memory_locate(MFFT_DROPIN_GPU, array, &memory) == MFFT_SUCCESS &&
         memory == MFFT_MEMORY_DEVICE;
}

/* Whether copies to and from the GPU and a transform there take less time than a transform on the cores of the ranks. */
static int copies_pay(const mfft_dropin_shape *s, int ranks) {
  const mfft_dropin_speeds *v = mfft_dropin_measure_speeds();
  if (!v) return 0;
  double points = 1, flops = 0;
  for (int a = 0; a < s->rank; a++) points *= (double)s->n[a];
  points *= (double)s->howmany;
  const int numbers = s->kind == MFFT_C2C ? 2 : 1; /* real numbers in a point */
  flops = 2.5 * numbers * points * log2(points);
  const double bytes = points * (double)mfft_real_bytes(s->precision) * numbers;
  const double cpu_s = flops / v->cpu_flops / ranks * (s->precision == MFFT_DOUBLE ? 1 : 0.5);
  const double passes = 4; /* a transform and its exchange read and write the array this often */
  const double gpu_s = 2 * bytes / ranks * (1 / v->link_bytes_per_s + passes / v->gpu_bytes_per_s) + v->call_s;
  return gpu_s < cpu_s;
}

int mfft_dropin_device_suits(const mfft_dropin_shape *s, int ranks, const void *in, const void *out) {
  if (mfft_dropin_needs_reorder(s) || s->precision == MFFT_LONG_DOUBLE || !is_usable()) return 0;
  if (mfft_dropin_mode() == MFFT_DROPIN_MODE_GPU) return 1;
  return mfft_dropin_device_holds(in) || mfft_dropin_device_holds(out) || copies_pay(s, ranks);
}

/* ---- Page-locked memory ---------------------------------------------------------------------------------------------- */

/* The time of a copy of fewer bytes is that of starting it, and page-locking so small an array takes many times as long. */
enum { LEAST_BYTES = 1 << 16 };

typedef struct locked {
  struct locked *next;
  void *array;
} locked;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static locked *all;

void *mfft_dropin_locked_alloc(size_t bytes) {
  void *array = NULL;
  if (bytes < LEAST_BYTES || mfft_dropin_inside || !is_usable()) return NULL;
  locked *entry = malloc(sizeof *entry);
  if (!entry) return NULL;
  mfft_dropin_inside++;
  const mfft_status status = mfft_memory_alloc_host(MFFT_DROPIN_GPU, bytes, &array);
  mfft_dropin_inside--;
  if (status) {
    free(entry);
    return NULL;
  }
  entry->array = array;
  pthread_mutex_lock(&lock);
  entry->next = all;
  all = entry;
  pthread_mutex_unlock(&lock);
  return array;
}

int mfft_dropin_locked_free(void *array) {
  pthread_mutex_lock(&lock);
  locked **at = &all;
  while (*at && (*at)->array != array) at = &(*at)->next;
  locked *found = *at;
  if (found) *at = found->next;
  pthread_mutex_unlock(&lock);
  if (!found) return 0;
  free(found);
  mfft_memory_free_host(MFFT_DROPIN_GPU, array);
  return 1;
}
