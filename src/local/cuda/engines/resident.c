/* resident.c: see resident.h. */
#include "local/cuda/engines/resident.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "local/cuda/planner/shape.h"

enum {
  LEAST_LINE = 8192, /* shorter ones are done as well as can be (tensor_shape.c) */
  LEAST_STRIDED = 256,
  MOST_STRIDED = 8192,
  LEAST_ROW = 64,
  LEAST_COLUMN = 16,
  MOST_LINES = 32,
  MOST_PEAKS = 4,
  LEAST_LINES = 8,
  ROUNDS = 4, /* of a thread in a merge, 16 elements each */
  THREAD_VALUES = 16 * ROUNDS
};

typedef struct tile {
  int64_t bytes; /* of a block; 0: there are none */
  int blocks;
  int ahead; /* 1: room for the next one beside it */
} tile;

/* What was the fastest on an H200 with 2^27 elements (docs/performance.md), by more than passes of blocks were: the first
 * row that suits. */
typedef enum kind {
  LINE,   /* contiguous */
  COLUMN, /* strided, of a whole axis */
  PART,   /* of a pass, one of several, of a long line */
  PLANE
} kind;
enum { HALF = 1 << MFFT_HALF, BFLOAT16 = 1 << MFFT_BFLOAT16, BOTH = HALF | BFLOAT16, KB = 1024 };
static const struct {
  kind of;
  unsigned precisions;
  int64_t least, most; /* length of the axis; of a plane, its slow one */
  int64_t fast;        /* of a plane */
  int far;             /* only of what comes from memory, and not in a part that stays in the cache */
  tile tile;
} fastest[] = {
    {LINE, BOTH, 1 << 14, 1 << 14, 0, 0, {64 * KB, 1, 0}},
    {LINE, BOTH, 1 << 15, 1 << 15, 0, 0, {128 * KB, 1, 0}},
    {COLUMN, HALF, 1024, 1024, 0, 1, {128 * KB, 1, 0}},
    {COLUMN, HALF, 2048, 2048, 0, 0, {128 * KB, 1, 0}},
    {COLUMN, BFLOAT16, 2048, 4096, 0, 0, {128 * KB, 1, 0}},
    {PART, BFLOAT16, 1 << 19, 1 << 19, 0, 1, {128 * KB, 1, 0}},
    {PART, BFLOAT16, 1 << 20, 1 << 20, 0, 1, {64 * KB, 1, 1}},
    {PART, BFLOAT16, 1 << 21, 1 << 22, 0, 0, {128 * KB, 1, 0}},
    {PLANE, BOTH, 64, 64, 64, 0, {32 * KB, 1, 1}},
    {PLANE, HALF, 64, 64, 128, 0, {32 * KB, 1, 0}},
    {PLANE, BFLOAT16, 64, 64, 128, 0, {32 * KB, 1, 1}},
    {PLANE, BOTH, 128, 128, 128, 0, {64 * KB, 1, 0}},
    {PLANE, BOTH, 128, 128, 256, 0, {128 * KB, 1, 0}},
};

static int bits_of(int64_t n) {
  int bits = 0;
  while ((int64_t)1 << (bits + 1) <= n) bits++;
  return bits;
}

/* Bits of an element by which blocks can share a tile: those of the last digit, merged by 2 to 16, that no unit holds. */
static int shared_bits(int64_t n, int contiguous) {
  const int last = (bits_of(n) - 1) % 4 + 1;
  return !contiguous ? last : last > 2 ? last - 2 : 0;
}

/* Shared memory of a block: its share of a tile, and what is copied ahead of the next, all but the last round. */
static int shared_bytes(const builder *b, int64_t bytes, int ahead) {
  const int peaks = b->spec->precision == MFFT_BFLOAT16 ? 2 * 4 * MOST_LINES : 0;
  return (int)(bytes + (ahead ? bytes / ROUNDS * (ROUNDS - 1) : 0)) + peaks;
}

/* Units of four elements are neighbours wherever a pass meets them. */
static int in_fours(const builder *b) {
  for (int d = 0; d < b->count; d++)
    for (int place = MFFT_AT_IN; place <= MFFT_AT_OUT; place++) {
      const int64_t stride = b->dims[d].stride[place], n = b->dims[d].n;
      if (n > 1 && (stride == 1 ? n % 4 : stride % 4)) return 0;
    }
  return 1;
}

/* Whether there are tiles for most of the places that the multiprocessors have. */
static int is_busy(const builder *b, const tile *t) {
  const int64_t places =
      (int64_t)(b->limits->sm_shared_bytes / (shared_bytes(b, t->bytes, t->ahead) + 1024)) * b->limits->sms;
  return 5 * mfft_builder_others(b, -1, -1) >= 3 * (t->bytes / 4) * places;
}

/* Only what is copied ahead may go to another block of a cluster: see resident.cu. */
static int can_take(const builder *b, const tile *t) {
  const int most_blocks = !t->ahead || b->limits->arch < 90            ? 1
                          : b->limits->cluster < MFFT_PORTABLE_CLUSTER ? b->limits->cluster
                                                                       : MFFT_PORTABLE_CLUSTER;
  const int64_t threads = t->bytes / 4 / THREAD_VALUES;
  return is_power(t->bytes) && shared_bytes(b, t->bytes, t->ahead) <= b->limits->shared_bytes && is_power(t->blocks) &&
         (t->blocks == 1 || t->blocks <= most_blocks) && threads >= 32 && threads <= b->limits->threads && in_fours(b);
}

int mfft_resident_known(mfft_precision precision, int64_t n, int64_t whole, int strided) {
  for (size_t i = 0; i < sizeof fastest / sizeof *fastest; i++) {
    const int this_way = fastest[i].of == PART || (n == whole && fastest[i].of == (strided ? COLUMN : LINE));
    if (this_way && is_power(whole) && fastest[i].precisions >> precision & 1 && whole >= fastest[i].least &&
        whole <= fastest[i].most)
      return 1;
  }
  return 0;
}

/* The tile for an axis of `length`, or for a plane whose slow axis that is: what the spec asks for, or what was the fastest.
 */
static tile choose(const builder *b, kind of, int64_t length, int64_t fast) {
  const mfft_fft_spec *s = b->spec;
  const tile none = {0, 1, 0}, asked = {s->tile_bytes, s->cluster > 1 ? s->cluster : 1, s->tile_ahead};
  if (!is_power(length) || s->tile_bytes < 0 || s->type != MFFT_FFT_C2C || !is_sixteen_bit(s->precision) ||
      s->compute == MFFT_COMPUTE_BUTTERFLY || s->filtered || s->scatter.count)
    return none;
  if (asked.bytes) return can_take(b, &asked) ? asked : none;
  for (size_t i = 0; i < sizeof fastest / sizeof *fastest; i++)
    if (fastest[i].of == of && !(fastest[i].far && mfft_in_cache(b->limits)) && fastest[i].precisions >> s->precision & 1 &&
        length >= fastest[i].least && length <= fastest[i].most && fast == fastest[i].fast && is_busy(b, &fastest[i].tile) &&
        can_take(b, &fastest[i].tile))
      return fastest[i].tile;
  return none;
}

static int64_t elements_of(const tile *t) { return t->bytes / 4 * t->blocks; }

/* Threads of each block for a tile of so many lines and elements; 0: it is too small for so many blocks. */
static int threads_for(int blocks, int lines, int64_t elements) {
  const int threads = (int)(elements / blocks / THREAD_VALUES);
  return threads >= 32 && threads % lines == 0 ? threads : 0;
}

static int is_strided(kind of) { return of == COLUMN || of == PART; }

/* A thread finds the peaks of four lines or planes at most. */
static int most_lines(const builder *b, kind of) {
  return b->spec->precision == MFFT_BFLOAT16 && !is_strided(of) ? MOST_PEAKS : MOST_LINES;
}

/* Lines of a tile: what fills it, or whole cache lines of memory if they are strided. */
static int lines_for(const builder *b, const tile *t, kind of, int64_t n) {
  const int64_t lines = elements_of(t) / n, most = most_lines(b, of);
  return (int)(lines < most ? lines : most);
}

/* Blocks of a tile of strided lines: no more than whole cache lines of memory want. */
static int blocks_for(const tile *t, kind of, int64_t n) {
  int blocks = t->blocks;
  while (is_strided(of) && blocks > 1 && n * MOST_LINES <= t->bytes / 4 * (blocks / 2)) blocks /= 2;
  return blocks;
}

static kind kind_of(int64_t n, int64_t whole, int strided) { return !strided ? LINE : n == whole ? COLUMN : PART; }

int64_t mfft_resident_longest(const builder *b, int64_t whole) {
  for (int64_t n = MOST_STRIDED; n >= LEAST_STRIDED; n /= 2)
    if (n < whole && mfft_resident_fits(b, n, whole, 1)) return n;
  return 0;
}

int mfft_resident_fits(const builder *b, int64_t n, int64_t whole, int strided) {
  const kind of = kind_of(n, whole, strided);
  const tile t = choose(b, of, whole, 0);
  const int64_t least = strided ? LEAST_STRIDED : LEAST_LINE, room = elements_of(&t) / (strided ? LEAST_LINES : 1);
  if (n < least || n > room || !is_power(n) || (strided && n > MOST_STRIDED)) return 0;
  const int blocks = blocks_for(&t, of, n), lines = lines_for(b, &t, of, n);
  return bits_of(blocks) <= shared_bits(n, !strided) && threads_for(blocks, lines, n * lines);
}

int mfft_resident_suits(const builder *b, const mfft_pass *pass, int64_t whole) {
  const mfft_kernel *k = &pass->kernel;
  const int strided = k->in.map == MFFT_MAP_LINE;
  return k->engine == MFFT_ENGINE_TENSOR && !k->named && pass->vector_in && pass->vector_out &&
         (strided || k->out.map == MFFT_MAP_ELEMENT) && mfft_resident_fits(b, k->chain.n, whole, strided);
}

/* The block, and how many fit a multiprocessor. */
static void set_block(const builder *b, mfft_kernel *k, int blocks, int ahead, int64_t elements) {
  k->cluster.blocks = blocks;
  k->chain.threads = threads_for(blocks, k->chain.lines, elements) / k->chain.lines;
  k->tile.persistent = 1;
  k->tile.two_areas = ahead;
  k->tile.exchange_bytes = (int)(elements / blocks * 4);
  k->tile.shared_bytes = shared_bytes(b, k->tile.exchange_bytes, ahead);
  mfft_bound_blocks(k, b->limits, 80);
}

mfft_status mfft_resident_shape(const builder *b, mfft_kernel *k, int64_t whole) {
  for (int i = 0; i < MFFT_MAX_MERGES; i++) k->chain.radix[i] = 1;
  MFFT_TRY(mfft_merge_by_sixteen(k));
  const kind of = kind_of(k->chain.n, whole, k->in.map == MFFT_MAP_LINE);
  const tile t = choose(b, of, whole, 0);
  k->chain.lines = lines_for(b, &t, of, k->chain.n);
  k->second.n = 1;
  k->second.merges = 0;
  set_block(b, k, blocks_for(&t, of, k->chain.n), t.ahead, (int64_t)k->chain.lines * k->chain.n);
  return MFFT_SUCCESS;
}

int64_t mfft_resident_blocks(const builder *b, const mfft_pass *pass) {
  const mfft_kernel *k = &pass->kernel;
  const int64_t tiles = (pass->args.lines + k->chain.lines - 1) / k->chain.lines,
                room = (int64_t)k->tile.min_blocks * b->limits->sms / k->cluster.blocks, most = room > 1 ? room : 1;
  return (tiles < most ? tiles : most) * k->cluster.blocks;
}

/* ---- Planes ----------------------------------------------------------------------------------------------------------- */

/* Merges and twiddles of a plane share its scale, so that nothing overflows on the way; the merge between the axes has no
 * twiddles, so that the one before it does its part. */
static void share_scale(const builder *b, mfft_pass *pass) {
  mfft_kernel *k = &pass->kernel;
  const int count = k->chain.merges + k->second.merges;
  const double whole = pow(b->spec->scale, log((double)k->chain.n * k->second.n) / b->log_total);
  k->scaled = b->spec->scale != 1;
  if (k->precision == MFFT_BFLOAT16) pass->args.scale = whole;
  for (int m = 0; m < count && k->scaled && k->precision == MFFT_HALF; m++) {
    const int second = m >= k->chain.merges;
    const double share = pow(whole, log((double)(second ? k->second.radix[m - k->chain.merges] : k->chain.radix[m])) /
                                        log((double)k->chain.n * k->second.n));
    if (m == count - 1)
      pass->args.scale = share;
    else
      pass->args.merge_scale[m == k->chain.merges - 1 ? m - 1 : m] *= (float)share;
  }
}

mfft_status mfft_resident_try_plane(builder *b, int slow, int fast, mfft_place_id src, mfft_place_id dst, int *added) {
  const dim *f = &b->dims[fast], *s = &b->dims[slow];
  const int64_t area = f->n * s->n;
  const tile t = choose(b, PLANE, s->n, f->n);
  *added = 0;
  if (area > elements_of(&t) || f->n < LEAST_ROW || s->n < LEAST_COLUMN || !is_power(f->n) || !is_power(s->n) ||
      f->stride[src] != 1 || f->stride[dst] != 1 || bits_of(t.blocks) > shared_bits(s->n, 0))
    return MFFT_SUCCESS;
  int64_t planes = 1;
  for (int d = 0; d < b->count; d++)
    if (d != slow && d != fast) planes *= b->dims[d].n;
  int lines = 1;
  while (lines * 2 * area <= elements_of(&t) && lines * 2 <= most_lines(b, PLANE) && lines * 2 <= planes) lines *= 2;
  if (!threads_for(t.blocks, lines, lines * area)) return MFFT_SUCCESS;
  mfft_pass *pass = mfft_builder_new_pass(b, src, dst);
  if (!pass) return mfft_fail(MFFT_ERR_INTERNAL, "cuda: more than %d passes", MFFT_MAX_PASSES);
  mfft_kernel *k = &pass->kernel, second = {.chain.n = (int)s->n};
  k->engine = MFFT_ENGINE_RESIDENT;
  k->chain.n = (int)f->n;
  for (int i = 0; i < MFFT_MAX_MERGES; i++) k->chain.radix[i] = second.chain.radix[i] = 1;
  MFFT_TRY(mfft_merge_by_sixteen(k));
  MFFT_TRY(mfft_merge_by_sixteen(&second));
  k->second = second.chain;
  k->second.lines = k->second.threads = 1;
  k->in.map = k->map_mid = k->out.map = MFFT_MAP_ELEMENT;
  k->in.unit = k->out.unit = 1;
  pass->args.in_stride = pass->args.line_out = 1;
  pass->args.line_in = s->stride[src];
  pass->args.out_stride = s->stride[dst];
  MFFT_TRY(mfft_builder_loops(b, pass, fast, slow, NULL, 0, 1));
  k->chain.lines = lines;
  set_block(b, k, t.blocks, t.ahead, lines * area);
  k->in.wide = k->out.wide = 1;
  pass->vector_in = pass->vector_out = 16;
  share_scale(b, pass);
  pass->blocks = mfft_resident_blocks(b, pass);
  k->wide_counts = pass->args.lines > (long long)UINT_MAX - k->chain.lines * pass->blocks;
  if (pass->blocks > INT_MAX)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: %lld blocks, more than one launch takes", (long long)pass->blocks);
  *added = 1;
  return MFFT_SUCCESS;
}
