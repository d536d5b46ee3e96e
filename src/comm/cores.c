/* cores.c: see cores.h. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "comm/cores.h"

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comm/agree.h"
#include "comm/collective.h"

enum { MASK_WORDS = CPU_SETSIZE / 64 };

/* The cores of one rank, as all ranks get them. */
typedef struct cores_of_rank {
  char node[64];             /* the kernel it runs on */
  uint64_t mask[MASK_WORDS]; /* bit i of word w: it may run on core 64 w + i */
} cores_of_rank;

/* The kernel's number of this boot tells nodes apart also where their names are equal, and joins containers of one node; the
 * name of the host stands in where it cannot be read. */
static void find_node(char node[64]) {
  FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
  const int found = file && fgets(node, 64, file);
  if (file) fclose(file);
  if (!found && gethostname(node, 63) != 0) node[0] = '\0';
}

/* The affinity mask of this process.  If the system does not report it (more cores than a mask has bits), all cores that are
 * online count as the rank's. */
static void find_mask(uint64_t mask[MASK_WORDS]) {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int known = sched_getaffinity(0, sizeof set, &set) == 0;
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  for (int core = 0; core < CPU_SETSIZE; core++)
    if (known ? CPU_ISSET((size_t)core, &set) : core < online) mask[core / 64] |= UINT64_C(1) << core % 64;
}

/* Each core of mine over the number of ranks that have it. */
static double add_shares(const cores_of_rank *mine, const cores_of_rank *all, int size) {
  int ranks[CPU_SETSIZE] = {0}; /* [CPU_SETSIZE] that may run on a core of this node */
  double share = 0;
  for (int r = 0; r < size; r++) {
    if (strcmp(all[r].node, mine->node) != 0) continue;
    for (int core = 0; core < CPU_SETSIZE; core++) ranks[core] += (int)(all[r].mask[core / 64] >> core % 64 & 1);
  }
  for (int core = 0; core < CPU_SETSIZE; core++)
    if (mine->mask[core / 64] >> core % 64 & 1) share += 1.0 / ranks[core];
  return share;
}

mfft_status mfft_cores_share(MPI_Comm comm, int *cores) {
  const int size = mfft_comm_size(comm);
  cores_of_rank mine = {.node = ""};
  find_node(mine.node);
  find_mask(mine.mask);
  cores_of_rank *all = malloc((size_t)size * sizeof *all); /* [size] */
  mfft_status status = all ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for the affinity masks of %d ranks", size);
  MFFT_GOTO(done, mfft_agree(comm, status));
  MFFT_GOTO(done, mfft_collective_allgather(comm, &mine, sizeof mine, all, "sharing the cores of a node"));
  const double share = add_shares(&mine, all, size) + 1e-6; /* sums of thirds are rounded */
  *cores = share < 1 ? 1 : (int)share;
done:
  free(all);
  return status;
}
