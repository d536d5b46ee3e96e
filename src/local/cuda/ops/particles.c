/* particles.c: see particles.h.  The sort, deposit and gather are here, other calls in particle_*.c. */
#include "local/cuda/ops/particles.h"

#include <string.h>

#include "local/cuda/kernels/args/particle_args.h"
#include "local/cuda/ops/memory.h"
#include "local/cuda/ops/particle_cells.h"
#include "local/cuda/ops/particle_direct.h"
#include "local/cuda/ops/particle_kernels.h"
#include "local/cuda/ops/particle_motion.h"
#include "local/cuda/ops/particle_owners.h"
#include "local/cuda/tuned/particle_rules.h"

enum { WORD_BYTES = 256 };
_Static_assert(sizeof(mfft_particle_words) <= WORD_BYTES, "words come before the tables");

/* ---- Kernels --------------------------------------------------------------------------------------------------------- */

static mfft_status prepare(const mfft_particle_space *space) {
  const struct {
    mfft_service service;
    int first, last; /* steps of the service, a kernel each; none if last < first */
  } all[] = {{MFFT_SERVICE_PARTICLE_SORT, 0, 1},
             {MFFT_SERVICE_PARTICLE_SCAN, 0, 0},
             {MFFT_SERVICE_DEPOSIT, 0, 0},
             {MFFT_SERVICE_GATHER, 1, MFFT_GATHER_FIELDS},
             {MFFT_SERVICE_SLOPES, 1, MFFT_GATHER_FIELDS},
             {MFFT_SERVICE_CELLS, 0, 1},
             {MFFT_SERVICE_WEIGHTS, 0, 2},
             {MFFT_SERVICE_FOLD, 0, 0},
             {MFFT_SERVICE_DIRECT, 0, mfft_tuned_sorts(space->order) ? -1 : 0}};
  mfft_cuda_current current;
  CUfunction function;
  MFFT_TRY(mfft_cuda_find_current(&current));
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    for (int step = all[i].first; step <= all[i].last; step++) {
      const mfft_service_kernel kernel = mfft_cuda_particle_kernel(all[i].service, space, step);
      if (kernel.shared_bytes <= current.limits->shared_bytes) MFFT_TRY(mfft_service_load(&current, &kernel, &function));
    }
  return MFFT_SUCCESS;
}

/* ---- Memory ---------------------------------------------------------------------------------------------------------- */

/* Offsets, in bytes, in the tables of a sort: the counters come first, then the items, the number of particles of each tile,
 * and the first record of each tile. */
typedef struct room {
  size_t item, particles, start, bytes;
} room;

static room make_room(const mfft_particle_space *space, int64_t capacity) {
  int64_t tiles[3];
  const int64_t count = mfft_cuda_particle_tiles(space, tiles);
  room r = {.item = WORD_BYTES};
  r.particles = r.item + (size_t)(count + capacity / MFFT_PARTICLE_ITEM) * 2 * sizeof(unsigned);
  r.start = r.particles + (size_t)count * sizeof(unsigned);
  r.bytes = r.start + (size_t)(count + 1) * sizeof(unsigned);
  return r;
}

static size_t table_bytes(const mfft_particle_space *space, int64_t capacity) { return make_room(space, capacity).bytes; }

/* Bytes of the records, and of the index of each particle within its tile, which follows them. */
static size_t record_bytes(int64_t capacity, int position_bytes) {
  return (size_t)capacity * (4 * (size_t)position_bytes + sizeof(unsigned));
}

/* ---- The calls ------------------------------------------------------------------------------------------------------- */

static mfft_status sort(const mfft_particle_space *space, const mfft_particle_list *list, mfft_particle_sort *s,
                        int64_t bad[2], void *stream) {
  const room at = make_room(space, s->capacity);
  int64_t tiles[3];
  mfft_particle_sort_args args = {.stride = list->stride, .type = list->type, .count = (unsigned)list->count};
  mfft_particle_words words;
  mfft_cuda_current current;
  CUfunction scan;
  mfft_service_kernel kernel = mfft_cuda_particle_kernel(MFFT_SERVICE_PARTICLE_SORT, space, 0);
  mfft_cuda_particle_cells(space, &args.cells);
  args.tile_count = (unsigned)mfft_cuda_particle_tiles(space, tiles);
  for (int a = 0; a < 3; a++) args.position[a] = list->position[a];
  args.words = s->tables;
  args.item = (unsigned *)((char *)s->tables + at.item);
  args.tile_particles = (unsigned *)((char *)s->tables + at.particles);
  args.start = (unsigned *)((char *)s->tables + at.start);
  args.record = s->records;
  args.rank = (unsigned *)((char *)s->records + (size_t)s->capacity * 4 * (size_t)list->position_bytes);
  MFFT_TRY(mfft_cuda_words_clear(s->tables, stream));
  MFFT_TRY(mfft_cuda_clear(args.tile_particles, args.tile_count * sizeof(unsigned), stream));
  MFFT_TRY(mfft_cuda_particle_launch(&kernel, list->count, &args, stream, "counting the particles of tiles"));
  kernel.service = MFFT_SERVICE_PARTICLE_SCAN;
  kernel.step = 0;
  MFFT_TRY(mfft_cuda_find_current(&current));
  MFFT_TRY(mfft_service_load(&current, &kernel, &scan));
  const unsigned blocks = (args.tile_count + MFFT_PARTICLE_SCAN_TILES - 1) / MFFT_PARTICLE_SCAN_TILES;
  MFFT_TRY(mfft_launch(current.driver, scan, 0, blocks ? blocks : 1, 1, MFFT_PARTICLE_SCAN_THREADS, 0, &args, stream,
                       "adding up tiles"));
  kernel.service = MFFT_SERVICE_PARTICLE_SORT;
  kernel.step = 1;
  MFFT_TRY(mfft_cuda_particle_launch(&kernel, list->count, &args, stream, "sorting particles by tiles"));
  MFFT_TRY(mfft_cuda_words_read(s->tables, &words, stream));
  s->items = (int64_t)words.items;
  s->type = list->type;
  s->changes = (int64_t)words.changes;
  mfft_cuda_words_refused(&words, bad);
  return MFFT_SUCCESS;
}

static mfft_status deposit(const mfft_particle_space *space, const mfft_particle_sort *s, const mfft_particle_values *weight,
                           const double to[2], const mfft_particle_target *target, void *stream) {
  const room at = make_room(space, s->capacity);
  const mfft_service_kernel kernel = mfft_cuda_particle_kernel(MFFT_SERVICE_DEPOSIT, space, 0);
  mfft_deposit_args args = {.start = (const unsigned *)((const char *)s->tables + at.start),
                            .item = (const unsigned *)((const char *)s->tables + at.item),
                            .record = s->records,
                            .type = s->type,
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

/* The rims of the ghost cells that differences need. */
static void take_rims(const mfft_particle_space *of, mfft_particle_cells *cells) {
  for (int rim = 0; rim < MFFT_RIMS; rim++) {
    cells->rim_start[rim] = of->rim_start[rim];
    for (int a = 0; a < 3; a++) cells->rim_stride[rim][a] = of->rim_stride[rim][a];
  }
}

/* Reads fields at particles: one launch takes as many fields as shared memory holds. */
static mfft_status gather(const mfft_particle_space *space, const mfft_particle_sort *s, const mfft_particle_values *value,
                          void *const *own, void *const *rims, int fields, const mfft_particle_slopes *slopes,
                          void *stream) {
  const mfft_service service = slopes ? MFFT_SERVICE_SLOPES : MFFT_SERVICE_GATHER;
  const room at = make_room(space, s->capacity);
  mfft_cuda_current current;
  MFFT_TRY(mfft_cuda_find_current(&current));
  for (int f = 0, some; f < fields; f += some) {
    some = fields_at_once(&current, service, space, fields - f);
    const mfft_service_kernel kernel = mfft_cuda_particle_kernel(service, space, some);
    mfft_gather_args args = {.start = (const unsigned *)((const char *)s->tables + at.start),
                             .item = (const unsigned *)((const char *)s->tables + at.item),
                             .record = s->records,
                             .type = s->type};
    mfft_cuda_particle_cells(space, &args.cells);
    if (slopes) take_rims(slopes->space, &args.cells);
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
                                                      .table_bytes = table_bytes,
                                                      .record_bytes = record_bytes,
                                                      .sort = sort,
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
