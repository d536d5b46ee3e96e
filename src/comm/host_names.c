/* host_names.c: see host_names.h. */
#include "comm/host_names.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  char **name; /* [count] each once, never freed: messages hold them */
  int count;
  int *of_rank; /* [ranks of MPI_COMM_WORLD] 1 + the index of its name; 0: unknown */
} table;        /* guarded by lock */

const char *mfft_host_name_here(void) {
  static _Thread_local char name[MFFT_HOST_NAME_BYTES];
  if (!name[0] && gethostname(name, sizeof name - 1) != 0) strncat(name, "unknown host", sizeof name - 1);
  name[strcspn(name, ".")] = '\0';
  return name;
}

/* The ranks of MPI_COMM_WORLD that the ranks of a communicator are: world[ranks], MPI_UNDEFINED for others. */
static void find_world_ranks(MPI_Comm comm, const int *rank, int ranks, int *world) {
  MPI_Group group, all;
  MPI_Comm_group(comm, &group);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  if (MPI_Group_translate_ranks(group, ranks, rank, all, world) != MPI_SUCCESS)
    for (int r = 0; r < ranks; r++) world[r] = MPI_UNDEFINED;
  MPI_Group_free(&group);
  MPI_Group_free(&all);
}

/* Whether the host of every rank is known.  The lock is held. */
static int all_known(const int *world, int ranks) {
  for (int r = 0; r < ranks; r++)
    if (world[r] != MPI_UNDEFINED && (!table.of_rank || !table.of_rank[world[r]])) return 0;
  return 1;
}

/* 1 + the index of a name, which is added where it is new; 0: no memory.  `hint` is a likely answer: neighbours in rank
 * mostly share a host.  The lock is held. */
static int index_of(const char *name, int hint) {
  if (hint && strcmp(table.name[hint - 1], name) == 0) return hint;
  for (int i = 0; i < table.count; i++)
    if (strcmp(table.name[i], name) == 0) return i + 1;
  char **grown = realloc(table.name, ((size_t)table.count + 1) * sizeof *grown);
  if (!grown) return 0;
  table.name = grown;
  table.name[table.count] = strdup(name);
  return table.name[table.count] ? ++table.count : 0;
}

void mfft_host_names_record(const int *world, const char *all, int ranks) {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  pthread_mutex_lock(&lock);
  if (!table.of_rank) table.of_rank = calloc((size_t)size, sizeof *table.of_rank);
  for (int r = 0, hint = 0; table.of_rank && r < ranks; r++) {
    if (world[r] == MPI_UNDEFINED) continue;
    hint = index_of(all + (size_t)r * MFFT_HOST_NAME_BYTES, hint);
    table.of_rank[world[r]] = hint;
  }
  pthread_mutex_unlock(&lock);
}

int mfft_host_names_known(MPI_Comm comm, const int *rank, int ranks, int *world) {
  find_world_ranks(comm, rank, ranks, world);
  pthread_mutex_lock(&lock);
  const int known = all_known(world, ranks);
  pthread_mutex_unlock(&lock);
  return known;
}

const char *mfft_host_name_of(MPI_Comm comm, int rank) {
  int world = MPI_UNDEFINED;
  find_world_ranks(comm, &rank, 1, &world);
  if (world == MPI_UNDEFINED) return "";
  pthread_mutex_lock(&lock);
  const int index = table.of_rank ? table.of_rank[world] : 0;
  const char *name = index ? table.name[index - 1] : "";
  pthread_mutex_unlock(&lock);
  return name;
}

int mfft_host_names_differ(void) {
  pthread_mutex_lock(&lock);
  const int differ = table.count > 1;
  pthread_mutex_unlock(&lock);
  return differ;
}
