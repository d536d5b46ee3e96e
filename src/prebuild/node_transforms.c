/* node_transforms.c: plans one rank of a node as for a prediction (plan/predict_model.h), whose transforms record their
 * specs. */
#include "prebuild/node_transforms.h"

#include <mpi.h>
#include <stdlib.h>

#include "plan/predict.h"
#include "plan/predict_model.h"

mfft_status mfft_node_transforms_begin(void) {
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0); /* Open MPI starts no daemon for a process that spawns no other */
  return MPI_Init(NULL, NULL) == MPI_SUCCESS ? MFFT_SUCCESS : MFFT_ERR_MPI;
}

void mfft_node_transforms_end(void) { MPI_Finalize(); }

static mfft_status of_rank(mfft_model *model, int rank, void (*made)(const mfft_fft_spec *spec)) {
  mfft_plan plan;
  MFFT_TRY(mfft_model_plan(model, rank, &plan));
  for (int d = 0; d < 2; d++)
    for (int i = 0; i < plan->program[d].count; i++) {
      const mfft_stage *stage = &plan->program[d].stage[i];
      if (stage->kind == MFFT_STAGE_FFT) made(&((const mfft_model_fft *)stage->fft)->spec);
    }
  mfft_plan_destroy(plan);
  return MFFT_SUCCESS;
}

mfft_status mfft_node_transforms(const mfft_desc *desc, const mfft_options *options, int ranks,
                                 void (*made)(const mfft_fft_spec *spec)) {
  mfft_machine machine; /* a plan by rule does not depend on its numbers */
  mfft_model model;
  mfft_machine_init(&machine);
  machine.memory_bandwidth = machine.flops[0] = machine.flops[1] = machine.near_bandwidth = 1;
  const mfft_cluster node = {.machine = &machine, .nodes = 1, .node_ranks = ranks};
  MFFT_TRY(mfft_model_make(desc, options, &node, &model));
  MFFT_TRY(of_rank(&model, 0, made));
  return of_rank(&model, ranks - 1, made);
}
