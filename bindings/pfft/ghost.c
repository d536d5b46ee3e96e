/* ghost.c: ghost cells: their sizes, and what mergefft says instead of exchanging them. */
#include <stdio.h>

#include "layout.h"

static int refused; /* a plan of ghost cells */

static ptrdiff_t cells(const ptrdiff_t *wanted, int axis) { return wanted ? wanted[axis] : 0; }

ptrdiff_t mfft_pfft_ghost_size(int rank, const ptrdiff_t *n, const ptrdiff_t *start, ptrdiff_t howmany,
                               const ptrdiff_t *below, const ptrdiff_t *above, ptrdiff_t *ngc, ptrdiff_t *gc_start) {
  ptrdiff_t count = howmany;
  for (int a = 0; a < rank; a++) {
    ngc[a] = cells(below, a) + n[a] + cells(above, a);
    gc_start[a] = start[a] - cells(below, a);
    count *= ngc[a];
  }
  return count;
}

void *mfft_pfft_ghost_plan(int rank, const ptrdiff_t *below, const ptrdiff_t *above, MPI_Comm comm) {
  int wanted = 0, mine = 0;
  for (int a = 0; a < rank; a++) wanted |= cells(below, a) != 0 || cells(above, a) != 0;
  if (!wanted) return NULL;
  refused = 1;
  MPI_Comm_rank(comm, &mine);
  if (mine == 0)
    fprintf(stderr,
            "mergefft: error: no plan for ghost cells: PFFT's interface of mergefft does not exchange them; "
            "mfft_particles.h and mfft_exchange (mfft_mpi.h) do\n");
  return NULL;
}

void mfft_pfft_ghost_exchange(const char *what) {
  if (!refused) return;
  fprintf(stderr, "mergefft: error: %s: the plan for ghost cells was refused, and without them results would be wrong\n",
          what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
