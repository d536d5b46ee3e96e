/* particle_sort.c: see particle_sort.h. */
#include "local/cuda/ops/particle_sort.h"

#include "local/cuda/ops/memory.h"
#include "local/cuda/ops/particle_kernels.h"
#include "local/cuda/tuned/particle_rules.h"

enum { WORD_BYTES = 256 };
_Static_assert(sizeof(mfft_particle_words) <= WORD_BYTES, "words come before the tables");

/* ---- Memory ---------------------------------------------------------------------------------------------------------- */

/* The tables of a sort, as offsets in bytes: the counters come first, then the items, the bounds of the tiles of each axis,
 * the number of particles of each tile, and the first record of each tile. */
typedef struct tables {
  int64_t tile_count, item_count;
  size_t item, bound, particles, start, bytes;
} tables;

static tables tables_of(const mfft_particle_space *space, int64_t capacity) {
  int64_t tiles[3]; /* [axis] */
  tables t = {.tile_count = mfft_cuda_particle_tiles(space, tiles), .item = WORD_BYTES};
  t.item_count = t.tile_count + capacity / MFFT_PARTICLE_ITEM;
  t.bound = t.item + (size_t)t.item_count * 2 * sizeof(unsigned);
  t.particles = t.bound + (size_t)(tiles[0] + tiles[1] + tiles[2] + 3) * sizeof(unsigned long long);
  t.start = t.particles + (size_t)t.tile_count * sizeof(unsigned);
  t.bytes = t.start + (size_t)(t.tile_count + 1) * sizeof(unsigned);
  return t;
}

size_t mfft_cuda_sort_table_bytes(const mfft_particle_space *space, int64_t capacity) {
  return tables_of(space, capacity).bytes;
}

/* Bytes of the records, and of the index of each particle within its tile, which follows them. */
size_t mfft_cuda_sort_record_bytes(int64_t capacity, int position_bytes) {
  return (size_t)capacity * (4 * (size_t)position_bytes + sizeof(unsigned));
}

mfft_sorted_particles mfft_cuda_sorted_particles(const mfft_particle_space *space, const mfft_particle_sort *s) {
  const tables t = tables_of(space, s->capacity);
  mfft_sorted_particles from = {.start = (const unsigned *)((const char *)s->tables + t.start),
                                .item = (const unsigned *)((const char *)s->tables + t.item),
                                .record = s->in_list ? NULL : s->records,
                                .stride = s->list.stride,
                                .type = s->type};
  for (int a = 0; a < 3; a++) from.position[a] = s->list.position[a];
  return from;
}

/* ---- The sort -------------------------------------------------------------------------------------------------------- */

static mfft_particle_sort_args args_of(const mfft_particle_space *space, const mfft_particle_list *list,
                                       const mfft_particle_sort *s) {
  const tables t = tables_of(space, s->capacity);
  char *memory = s->tables;
  mfft_particle_sort_args args = {.stride = list->stride,
                                  .type = list->type,
                                  .count = (unsigned)list->count,
                                  .tile_count = (unsigned)t.tile_count,
                                  .tile_particles = (unsigned *)(memory + t.particles),
                                  .start = (unsigned *)(memory + t.start),
                                  .item = (unsigned *)(memory + t.item),
                                  .item_count = (unsigned)t.item_count,
                                  .bound = (unsigned long long *)(memory + t.bound),
                                  .record = s->records,
                                  .words = s->tables};
  args.rank = (unsigned *)((char *)s->records + (size_t)s->capacity * 4 * (size_t)list->position_bytes);
  mfft_cuda_particle_cells(space, &args.cells);
  for (int a = 0; a < 3; a++) args.position[a] = list->position[a];
  return args;
}

/* Finds the tables of a list that is in the sequence of the tiles; words->out_of_sequence says if it is not. */
static mfft_status find_sequence(const mfft_particle_space *space, mfft_particle_sort_args *args, mfft_particle_words *words,
                                 void *stream) {
  mfft_service_kernel kernel = mfft_cuda_particle_kernel(MFFT_SERVICE_SEQUENCE, space, 0);
  int64_t threads = ((int64_t)args->tile_count / MFFT_SEQUENCE_TILES + 1) * 32, bounds = 3;
  for (int a = 0; a < 3; a++) bounds += args->cells.tiles[a];
  if (threads < bounds) threads = bounds;
  MFFT_TRY(mfft_cuda_words_clear(args->words, stream));
  MFFT_TRY(mfft_cuda_particle_launch_items(&kernel, (threads + MFFT_PARTICLE_THREADS - 1) / MFFT_PARTICLE_THREADS, args,
                                           stream, "finding the first particles of tiles"));
  MFFT_TRY(mfft_cuda_words_read(args->words, words, stream));
  if (words->out_of_sequence) return MFFT_SUCCESS;
  kernel.step = 1;
  MFFT_TRY(
      mfft_cuda_particle_launch_items(&kernel, (int64_t)words->items, args, stream, "checking the sequence of particles"));
  return mfft_cuda_words_read(args->words, words, stream);
}

static mfft_status scan(const mfft_particle_space *space, mfft_particle_sort_args *args, void *stream) {
  const mfft_service_kernel kernel = mfft_cuda_particle_kernel(MFFT_SERVICE_PARTICLE_SCAN, space, 0);
  const unsigned blocks = (args->tile_count + MFFT_PARTICLE_SCAN_TILES - 1) / MFFT_PARTICLE_SCAN_TILES;
  mfft_cuda_current current;
  CUfunction function;
  MFFT_TRY(mfft_cuda_find_current(&current));
  MFFT_TRY(mfft_service_load(&current, &kernel, &function));
  return mfft_launch(current.driver, function, 0, blocks ? blocks : 1, 1, MFFT_PARTICLE_SCAN_THREADS, 0, args, stream,
                     "adding up tiles");
}

static mfft_status make_records(const mfft_particle_space *space, int in_no_order, mfft_particle_sort_args *args,
                                mfft_particle_words *words, void *stream) {
  mfft_service_kernel kernel = mfft_cuda_particle_kernel(MFFT_SERVICE_PARTICLE_SORT, space, in_no_order ? 2 : 0);
  MFFT_TRY(mfft_cuda_words_clear(args->words, stream));
  MFFT_TRY(mfft_cuda_clear(args->tile_particles, args->tile_count * sizeof(unsigned), stream));
  MFFT_TRY(mfft_cuda_particle_launch(&kernel, args->count, args, stream, "counting the particles of tiles"));
  MFFT_TRY(scan(space, args, stream));
  kernel.step++;
  MFFT_TRY(mfft_cuda_particle_launch(&kernel, args->count, args, stream, "sorting particles by tiles"));
  return mfft_cuda_words_read(args->words, words, stream);
}

mfft_status mfft_cuda_particles_sort(const mfft_particle_space *space, const mfft_particle_list *list, mfft_particle_sort *s,
                                     int64_t bad[2], void *stream) {
  mfft_particle_sort_args args = args_of(space, list, s);
  mfft_particle_words words = {.out_of_sequence = 1};
  if (s->may_be_in_sequence && list->count) MFFT_TRY(find_sequence(space, &args, &words, stream));
  s->in_list = !words.out_of_sequence;
  if (!s->in_list) MFFT_TRY(make_records(space, mfft_tuned_in_no_order(s->disorder), &args, &words, stream));
  s->list = *list;
  s->items = (int64_t)words.items;
  s->type = list->type;
  s->changes = (int64_t)words.changes;
  mfft_cuda_words_refused(&words, bad);
  return MFFT_SUCCESS;
}
