/* particles.c: see particles.h.  Deposit and gather are here, other calls in particle_*.c. */
#include "local/cuda/ops/particles.h"

#include <string.h>

#include "local/cuda/kernels/args/particle_args.h"
#include "local/cuda/ops/memory.h"
#include "local/cuda/ops/particle_cells.h"
#include "local/cuda/ops/particle_direct.h"
#include "local/cuda/ops/particle_kernels.h"
#include "local/cuda/ops/particle_motion.h"
#include "local/cuda/ops/particle_owners.h"
#include "local/cuda/ops/particle_sort.h"
#include "local/cuda/tuned/particle_rules.h"

/* ---- Kernels --------------------------------------------------------------------------------------------------------- */

/* The service that reads differences: one field at least must fit into shared memory beside the potential. */
static mfft_service slopes_of(const mfft_cuda_current *current, const mfft_particle_space *space) {
  const int bytes = mfft_cuda_particle_kernel(MFFT_SERVICE_SLOPES, space, 1).shared_bytes;
  return bytes <= current->limits->shared_bytes ? MFFT_SERVICE_SLOPES : MFFT_SERVICE_SLOPES_APART;
}

static mfft_status prepare(const mfft_particle_space *space) {
  mfft_cuda_current current;
  CUfunction function;
  MFFT_TRY(mfft_cuda_find_current(&current));
  const struct {
    mfft_service service;
    int first, last; /* steps of the service, a kernel each; none if last < first */
  } all[] = {{MFFT_SERVICE_PARTICLE_SORT, 0, 3},
             {MFFT_SERVICE_PARTICLE_SCAN, 0, 0},
             {MFFT_SERVICE_SEQUENCE, 0, 1},
             {MFFT_SERVICE_DEPOSIT, 0, 0},
             {MFFT_SERVICE_GATHER, 1, MFFT_GATHER_FIELDS},
             {slopes_of(&current, space), 1, MFFT_GATHER_FIELDS},
             {MFFT_SERVICE_CELLS, 0, 1},
             {MFFT_SERVICE_WEIGHTS, 0, 2},
             {MFFT_SERVICE_FOLD, 0, 0},
             {MFFT_SERVICE_DIRECT, 0, mfft_tuned_sorts(space->order) ? -1 : 0}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    for (int step = all[i].first; step <= all[i].last; step++) {
      const mfft_service_kernel kernel = mfft_cuda_particle_kernel(all[i].service, space, step);
      if (kernel.shared_bytes <= current.limits->shared_bytes) MFFT_TRY(mfft_service_load(&current, &kernel, &function));
    }
  return MFFT_SUCCESS;
}

/* ---- The calls ------------------------------------------------------------------------------------------------------- */

static mfft_status deposit(const mfft_particle_space *space, const mfft_particle_sort *s, const mfft_particle_values *weight,
                           const double to[2], const mfft_particle_target *target, void *stream) {
  const mfft_service_kernel kernel = mfft_cuda_particle_kernel(MFFT_SERVICE_DEPOSIT, space, 0);
  mfft_deposit_args args = {.from = mfft_cuda_sorted_particles(space, s),
                            .value = weight->value,
                            .value_double = weight->precision == MFFT_DOUBLE,
                            .value_stride = weight->stride,
                            .to = {to[0], to[1]},
                            .own = target->own,
                            .rims = target->rims,
                            .own_start = target->own_start,
                            .axis = target->axis,
                            .lo = (int)target->lo,
                            .hi = (int)target->hi};
  mfft_cuda_particle_cells(space, &args.cells);
  return mfft_cuda_particle_launch_items(&kernel, s->items, &args, stream, "depositing particles");
}

/* The most fields, of the first `fields`, that shared memory holds at a time. */
static int fields_at_once(const mfft_cuda_current *current, mfft_service service, const mfft_particle_space *space,
                          int fields) {
  int some = fields < MFFT_GATHER_FIELDS ? fields : MFFT_GATHER_FIELDS;
  while (some > 1 && mfft_cuda_particle_kernel(service, space, some).shared_bytes > current->limits->shared_bytes) some--;
  return some;
}

/* Reads fields at particles: one launch takes as many fields as shared memory holds. */
static mfft_status gather(const mfft_particle_space *space, const mfft_particle_sort *s, const mfft_particle_values *value,
                          void *const *own, void *const *rims, int fields, const mfft_particle_slopes *slopes,
                          void *stream) {
  mfft_cuda_current current;
  MFFT_TRY(mfft_cuda_find_current(&current));
  const mfft_service service = slopes ? slopes_of(&current, space) : MFFT_SERVICE_GATHER;
  for (int f = 0, some; f < fields; f += some) {
    some = fields_at_once(&current, service, space, fields - f);
    const mfft_service_kernel kernel = mfft_cuda_particle_kernel(service, space, some);
    mfft_gather_args args = {.from = mfft_cuda_sorted_particles(space, s)};
    mfft_cuda_particle_cells(space, &args.cells);
    if (slopes) mfft_cuda_particle_rims(slopes->space, &args.cells); /* which have more layers */
    for (int i = 0; i < some; i++) {
      args.own[i] = own[slopes ? 0 : f + i];
      args.rims[i] = rims[slopes ? 0 : f + i];
      args.value[i] = value[f + i].value;
      args.value_double[i] = value[f + i].precision == MFFT_DOUBLE;
      args.value_stride[i] = value[f + i].stride;
      args.add[i] = value[f + i].add != 0;
      args.axis[i] = slopes ? slopes->axis[f + i] : -1;
      args.factor[i] = slopes ? slopes->factor[f + i] : 0;
    }
    MFFT_TRY(mfft_cuda_particle_launch_items(&kernel, s->items, &args, stream, "reading the mesh at particles"));
  }
  return MFFT_SUCCESS;
}

const mfft_particle_calls mfft_cuda_particle_calls = {.tile_log = mfft_tile_log,
                                                      .prepare = prepare,
                                                      .table_bytes = mfft_cuda_sort_table_bytes,
                                                      .record_bytes = mfft_cuda_sort_record_bytes,
                                                      .sort = mfft_cuda_particles_sort,
                                                      .deposit = deposit,
                                                      .sorts = mfft_tuned_sorts,
                                                      .deposit_direct = mfft_cuda_particles_deposit_direct,
                                                      .gather = gather,
                                                      .largest = mfft_cuda_weights_largest,
                                                      .magnitudes = mfft_cuda_weights_magnitudes,
                                                      .integers = mfft_cuda_weights_integers,
                                                      .clear = mfft_cuda_cells_clear,
                                                      .store = mfft_cuda_cells_store,
                                                      .arrange = mfft_cuda_particles_arrange,
                                                      .owner_bytes = mfft_cuda_particles_owner_bytes,
                                                      .order = mfft_cuda_particles_order,
                                                      .reorder = mfft_cuda_particles_reorder,
                                                      .kick = mfft_cuda_particles_kick,
                                                      .drift = mfft_cuda_particles_drift,
                                                      .energy_bytes = mfft_cuda_particles_energy_bytes,
                                                      .energies = mfft_cuda_particles_energies,
                                                      .fold = mfft_cuda_cells_fold};
