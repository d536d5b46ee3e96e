/* start_mpi.c: see start_mpi.h. */
#include "cli/start_mpi.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "cli/gpu_start.h"

/* Whether no launcher has started this process, so that it is a job of one rank. */
static int started_alone(void) {
  static const char *const launchers[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE",
                                          "MV2_COMM_WORLD_SIZE"};
  for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
    if (getenv(launchers[i])) return 0;
  return 1;
}

static int on_one_node(void) {
  const char *size = getenv("OMPI_COMM_WORLD_SIZE"), *local = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  return size && local && !strcmp(size, local);
}

/* Before a thread starts CUDA, since the environment must not change beside it. */
static void choose_settings(void) {
  const int alone = started_alone();
  /* The component cm loads the libraries of interfaces that match messages themselves, such as Omni-Path, to find that there
   * are none: 0.2 s.  Within a node messages go through shared memory. */
  if (alone || on_one_node()) setenv("OMPI_MCA_pml", "^cm", 0);
  /* A single process would start a daemon, which only MPI_Comm_spawn needs: 0.1 s. */
  if (alone) setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
}

void mfft_app_start_mpi(int argc, char **argv) {
  choose_settings();
  mfft_gpu_start(argc, argv);
  MPI_Init(NULL, NULL);
}
