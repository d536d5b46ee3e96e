/* bins.c: see bins.h. */
#include "particles/bins.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cache_line.h"
#include "mfft_memory.h"
#include "particles/loop.h"

const int mfft_pm_tile_log[3] = {MFFT_PM_TILE_LOG_X, MFFT_PM_TILE_LOG_Y, MFFT_PM_TILE_LOG_Z}; /* [axis] */
enum { RECORD = 4 }; /* elements of a sorted particle: its position, its index */

mfft_status mfft_pm_bins_create(const mfft_pm_grid *grid, mfft_workers workers, mfft_pm_bins *bins) {
  bins->grid = grid;
  bins->workers = workers;
  bins->tile_count = 1;
  bins->chunks = mfft_workers_count(workers);
  for (int a = 0; a < 3; a++) {
    bins->tiles[a] = (mfft_box_extent(&grid->own, a) + (1 << mfft_pm_tile_log[a]) - 1) >> mfft_pm_tile_log[a];
    bins->tile_count *= bins->tiles[a];
  }
  if (bins->tile_count > UINT32_MAX)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "a rank has %" PRId64 " tiles of cells, more than 2^32; use more ranks",
                     bins->tile_count);
  bins->start = malloc((size_t)(bins->tile_count + 1) * sizeof(int64_t));
  bins->cursor = malloc((size_t)(bins->chunks * bins->tile_count) * sizeof(int64_t) + 1);
  if (bins->start && bins->cursor) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_MEMORY, "no memory for %" PRId64 " tiles of cells", bins->tile_count);
}

void mfft_pm_bins_free(mfft_pm_bins *bins) {
  mfft_free(bins->memory);
  bins->memory = bins->record = bins->key = NULL;
  bins->own_bytes = 0;
}

void mfft_pm_bins_destroy(mfft_pm_bins *bins) {
  free(bins->start);
  free(bins->cursor);
  mfft_pm_bins_free(bins);
}

static size_t table_bytes(const mfft_pm_bins *bins) {
  return (size_t)((bins->chunks + 1) * bins->tile_count) * sizeof(int64_t);
}

size_t mfft_pm_bins_bytes(const mfft_pm_bins *bins) { return table_bytes(bins) + bins->own_bytes; }

enum { LEAST = 1 << 10, MOST = 1 << 30 }; /* particles that are sorted at a time */

/* Bytes of a record. */
static int64_t record_of(const mfft_particles *particles) { return RECORD * mfft_pm_position_bytes(particles->type); }

size_t mfft_pm_bins_least_bytes(void) { return MFFT_LINE_BYTES + LEAST * (RECORD * sizeof(double) + sizeof(uint32_t)); }

int64_t mfft_pm_bins_capacity(const mfft_particles *particles, size_t bytes) {
  const size_t usable = bytes > MFFT_LINE_BYTES ? bytes - MFFT_LINE_BYTES : 0; /* keys fill whole cache lines */
  int64_t capacity = (int64_t)(usable / ((size_t)record_of(particles) + sizeof(uint32_t)));
  if (capacity < LEAST) capacity = LEAST;
  if (capacity > MOST) capacity = MOST;
  return capacity > particles->count ? particles->count : capacity;
}

static size_t key_bytes(int64_t capacity) { return mfft_whole_lines((size_t)capacity * sizeof(uint32_t)); }

/* Bytes of the keys and records of so many particles. */
static size_t sort_bytes(const mfft_particles *particles, int64_t capacity) {
  return key_bytes(capacity) + (size_t)(capacity * record_of(particles));
}

size_t mfft_pm_bins_bytes_for(const mfft_pm_bins *bins, const mfft_particles *particles, size_t bytes) {
  const size_t needed = sort_bytes(particles, mfft_pm_bins_capacity(particles, bytes));
  return table_bytes(bins) + (needed > bins->own_bytes ? needed : bins->own_bytes);
}

mfft_status mfft_pm_bins_reserve(mfft_pm_bins *bins, const mfft_particles *particles, void *lent, size_t bytes) {
  const int64_t capacity = mfft_pm_bins_capacity(particles, bytes);
  const size_t needed = sort_bytes(particles, capacity);
  if (!lent && needed > bins->own_bytes) {
    mfft_pm_bins_free(bins);
    MFFT_TRY(mfft_alloc(needed, &bins->memory));
    bins->own_bytes = needed;
  }
  bins->capacity = capacity;
  bins->key = lent ? lent : bins->memory;
  bins->record = bins->key ? (char *)bins->key + key_bytes(capacity) : NULL;
  return MFFT_SUCCESS;
}

/* The first particle of chunk c. */
static int64_t chunk_start(const mfft_pm_bins *bins, int64_t c) { return mfft_part(bins->count, c, bins->chunks); }

/* Computes the tiles of some particles, key[count], and adds to the number of particles of each tile. */
static mfft_status find_tiles(mfft_pm_bins *bins, double g[3][MFFT_PM_BATCH], int64_t first, int count, uint32_t *key,
                              int64_t *cursor) {
  const mfft_box *own = &bins->grid->own;
  int32_t cell[3][MFFT_PM_BATCH]; /* [axis][particle] */
  uint32_t outside = 0;
  for (int a = 0; a < 3; a++) {
    const int32_t lo = (int32_t)own->lo[a];
    const uint32_t extent = (uint32_t)mfft_box_extent(own, a);
    for (int i = 0; i < count; i++) cell[a][i] = (int32_t)g[a][i] - lo;
    for (int i = 0; i < count; i++) outside |= (uint32_t)cell[a][i] >= extent;
  }
  for (int i = 0; i < count && outside; i++)
    for (int a = 0; a < 3; a++)
      if ((uint32_t)cell[a][i] >= (uint32_t)mfft_box_extent(own, a))
        return mfft_pm_refuse_foreign(bins->grid, first + i, (const double[3]){g[0][i], g[1][i], g[2][i]});
  const uint32_t across = (uint32_t)bins->tiles[1], along = (uint32_t)bins->tiles[2];
  for (int i = 0; i < count; i++)
    key[i] = ((uint32_t)(cell[0][i] >> MFFT_PM_TILE_LOG_X) * across + (uint32_t)(cell[1][i] >> MFFT_PM_TILE_LOG_Y)) * along +
             (uint32_t)(cell[2][i] >> MFFT_PM_TILE_LOG_Z);
  for (int i = 0; i < count; i++) cursor[key[i]]++;
  return MFFT_SUCCESS;
}

/* Counts the tiles key[count] that differ from the preceding key; `before` keys of the chunk precede these. */
static int64_t count_changes(const uint32_t *key, int count, int64_t before) {
  int64_t changes = before > 0 && key[0] != key[-1];
  for (int i = 1; i < count; i++) changes += key[i] != key[i - 1];
  return changes;
}

void mfft_pm_bins_note(mfft_pm_bins *bins, int64_t first, int64_t changes, int64_t pairs) {
  bins->changes = changes + (first ? bins->changes : 0);
  bins->pairs = pairs + (first ? bins->pairs : 0);
}

static mfft_status count_chunk(void *context, int64_t c, int worker) {
  mfft_pm_bins *bins = context;
  int64_t *cursor = bins->cursor + c * bins->tile_count;
  const int64_t end = chunk_start(bins, c + 1);
  double g[3][MFFT_PM_BATCH]; /* [axis][particle] in cells */
  int64_t changes = 0;
  (void)worker;
  memset(cursor, 0, (size_t)bins->tile_count * sizeof *cursor);
  for (int64_t i = chunk_start(bins, c); i < end; i += MFFT_PM_BATCH) {
    const int count = (int)(end - i < MFFT_PM_BATCH ? end - i : MFFT_PM_BATCH);
    const int64_t bad = mfft_pm_locate(bins->grid, &bins->from, bins->first + i, count, g);
    if (bad >= 0) return mfft_pm_refuse_position(&bins->from, bad, bad);
    MFFT_TRY(find_tiles(bins, g, bins->first + i, count, bins->key + i, cursor));
    changes += count_changes(bins->key + i, count, i - chunk_start(bins, c));
  }
  atomic_fetch_add(&bins->found, changes);
  return MFFT_SUCCESS;
}

/* Converts the counts to the first position of the particles of each chunk in each tile. */
static void place(mfft_pm_bins *bins) {
  int64_t at = 0;
  for (int64_t t = 0; t < bins->tile_count; t++) {
    bins->start[t] = at;
    for (int64_t c = 0; c < bins->chunks; c++) {
      int64_t *cursor = &bins->cursor[c * bins->tile_count + t];
      const int64_t count = *cursor;
      *cursor = at;
      at += count;
    }
  }
  bins->start[bins->tile_count] = at;
}

/* Copies the positions and indices of a chunk into records in the order of tiles.  A position of 4 or 8 bytes has a function
 * of its own, which copies it as an integer. */
#define COPY(name, type)                                                                               \
  static void copy_##name(const mfft_pm_bins *bins, int64_t c) {                                       \
    const int64_t end = chunk_start(bins, c + 1), stride = bins->from.stride;                          \
    int64_t *cursor = bins->cursor + c * bins->tile_count;                                             \
    const type *from[3];                                                                               \
    type(*record)[RECORD] = bins->record;                                                              \
    for (int a = 0; a < 3; a++) from[a] = (const type *)bins->from.position[a] + bins->first * stride; \
    for (int64_t i = chunk_start(bins, c); i < end; i++) {                                             \
      type *to = record[cursor[bins->key[i]]++];                                                       \
      for (int a = 0; a < 3; a++) to[a] = from[a][i * stride];                                         \
      to[3] = (type)i;                                                                                 \
    }                                                                                                  \
  }
COPY(words, uint32_t)
COPY(long_words, uint64_t)

static mfft_status copy_chunk(void *context, int64_t c, int worker) {
  const mfft_pm_bins *bins = context;
  (void)worker;
  (mfft_pm_position_bytes(bins->from.type) == 4 ? copy_words : copy_long_words)(bins, c);
  return MFFT_SUCCESS;
}

mfft_status mfft_pm_bins_sort(mfft_pm_bins *bins, const mfft_particles *particles, int64_t first) {
  const int64_t rest = particles->count - first, count = rest < bins->capacity ? rest : bins->capacity;
  if (bins->valid && bins->first == first && bins->count == count) return MFFT_SUCCESS;
  bins->from = *particles;
  bins->first = first;
  bins->count = count;
  MFFT_TRY(mfft_pm_refuse_all(bins->grid, particles)); /* there would be no tile to count them in */
  atomic_store(&bins->found, 0);
  MFFT_TRY(mfft_pm_run(bins->workers, bins->chunks, count_chunk, bins));
  mfft_pm_bins_note(bins, first, atomic_load(&bins->found), count - 1);
  place(bins);
  MFFT_TRY(mfft_pm_run(bins->workers, bins->chunks, copy_chunk, bins));
  const int bytes = mfft_pm_position_bytes(particles->type);
  bins->sorted = bins->from;
  bins->sorted.count = count;
  bins->sorted.stride = RECORD;
  for (int a = 0; a < 3; a++) bins->sorted.position[a] = (const char *)bins->record + a * bytes;
  return MFFT_SUCCESS;
}

mfft_pm_tile mfft_pm_bins_tile(const mfft_pm_bins *bins, int64_t t) {
  const mfft_pm_grid *grid = bins->grid;
  const int64_t at[3] = {t / (bins->tiles[1] * bins->tiles[2]), t / bins->tiles[2] % bins->tiles[1],
                         t % bins->tiles[2]}; /* [axis] */
  mfft_pm_tile tile;
  tile.box = grid->own;
  for (int a = 0; a < 3; a++) {
    const int64_t lo = grid->own.lo[a] + (at[a] << mfft_pm_tile_log[a]), hi = lo + (1 << mfft_pm_tile_log[a]);
    tile.box.lo[a] = lo - grid->low;
    tile.box.hi[a] = (hi < grid->own.hi[a] ? hi : grid->own.hi[a]) + grid->high;
  }
  tile.stride[1] = tile.box.hi[2] - tile.box.lo[2];
  tile.stride[0] = tile.stride[1] * (tile.box.hi[1] - tile.box.lo[1]);
  return tile;
}

int64_t mfft_pm_bins_tile_cells(const mfft_pm_bins *bins) {
  int64_t cells = 1;
  for (int a = 0; a < 3; a++) cells *= (1 << mfft_pm_tile_log[a]) + bins->grid->low + bins->grid->high;
  return cells;
}
