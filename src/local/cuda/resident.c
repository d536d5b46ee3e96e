/* resident.c: see resident.h. */
#include "local/cuda/resident.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "local/cuda/shape.h"

enum {
  LEAST_LINE = 8192, /* shorter ones are done as well as can be (tensor_shape.c) */
  LEAST_STRIDED = 256,
  MOST_STRIDED = 8192,
  LEAST_ROW = 64,
  LEAST_COLUMN = 16,
  MOST_LINES = 32,
  MOST_PEAKS = 4,
  LEAST_LINES = 8,
  ROUND_VALUES = 16
};

static int is_power(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

static int bits_of(int64_t n) {
  int bits = 0;
  while ((int64_t)1 << (bits + 1) <= n) bits++;
  return bits;
}

static int blocks_of(const builder *b) { return b->spec->cluster > 1 ? b->spec->cluster : 1; }
static int values_of(const builder *b) { return b->spec->cluster_values ? b->spec->cluster_values : 4 * ROUND_VALUES; }

/* Bits of an element by which blocks can share a tile: those of the last digit, merged by 2 to 16, that no unit holds. */
static int shared_bits(int64_t n, int contiguous) {
  const int last = (bits_of(n) - 1) % 4 + 1;
  return !contiguous ? last : last > 2 ? last - 2 : 0;
}

/* Elements of a tile in all its blocks, 0 where the spec asks for none. */
static int64_t tile_elements(const builder *b) {
  const mfft_fft_spec *s = b->spec;
  const int64_t bytes = s->tile_bytes, blocks = blocks_of(b), values = values_of(b);
  const int most_blocks = b->limits->arch < 90                         ? 1
                          : b->limits->cluster < MFFT_PORTABLE_CLUSTER ? b->limits->cluster
                                                                       : MFFT_PORTABLE_CLUSTER;
  if (bytes <= 0 || s->type != MFFT_FFT_C2C || !is_sixteen_bit(s->precision) || s->compute == MFFT_COMPUTE_BUTTERFLY ||
      s->filtered || s->scatter.count)
    return 0;
  if (!is_power(bytes) || bytes > b->limits->shared_bytes || !is_power(blocks) || (blocks > 1 && blocks > most_blocks))
    return 0;
  if (!is_power(values) || values < ROUND_VALUES || bytes / 4 / values > b->limits->threads || bytes / 4 / values < 32)
    return 0;
  return bytes / 4 * blocks;
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

/* Threads of each block for a tile of so many lines and elements; 0: it is too small for so many blocks. */
static int threads_for(const builder *b, int blocks, int lines, int64_t elements) {
  const int threads = (int)(elements / blocks / values_of(b));
  return threads >= 32 && threads % lines == 0 ? threads : 0;
}

/* A thread finds the peaks of four lines or planes at most. */
static int most_lines(const builder *b, int strided) {
  return b->spec->precision == MFFT_BFLOAT16 && !strided ? MOST_PEAKS : MOST_LINES;
}

/* Lines of a tile: what fills it, or whole cache lines of memory if they are strided. */
static int lines_for(const builder *b, int64_t n, int strided) {
  const int64_t lines = tile_elements(b) / n, most = most_lines(b, strided);
  return (int)(lines < most ? lines : most);
}

/* Blocks of a tile of strided lines: no more than whole cache lines of memory want. */
static int blocks_for(const builder *b, int64_t n, int strided) {
  int blocks = blocks_of(b);
  while (strided && blocks > 1 && n * MOST_LINES <= b->spec->tile_bytes / 4 * (blocks / 2)) blocks /= 2;
  return blocks;
}

int64_t mfft_resident_longest(const builder *b) {
  const int64_t most = in_fours(b) ? tile_elements(b) / LEAST_LINES : 0;
  return most < MOST_STRIDED ? most : MOST_STRIDED;
}

int mfft_resident_fits(const builder *b, int64_t n, int strided) {
  const int64_t most = strided ? mfft_resident_longest(b) : in_fours(b) ? tile_elements(b) : 0;
  if (n < (strided ? LEAST_STRIDED : LEAST_LINE) || n > most || !is_power(n)) return 0;
  const int blocks = blocks_for(b, n, strided), lines = lines_for(b, n, strided);
  return bits_of(blocks) <= shared_bits(n, !strided) && threads_for(b, blocks, lines, n * lines);
}

int mfft_resident_suits(const builder *b, const mfft_pass *pass) {
  const mfft_kernel *k = &pass->kernel;
  const int strided = k->map_in == MFFT_MAP_LINE;
  return k->engine == MFFT_ENGINE_TENSOR && !k->named && pass->vector_in && pass->vector_out &&
         (strided || k->map_out == MFFT_MAP_ELEMENT) && mfft_resident_fits(b, k->n, strided);
}

/* The block, and how many fit a multiprocessor. */
static void set_block(const builder *b, mfft_kernel *k, int blocks, int64_t elements) {
  k->cluster = blocks;
  k->threads = threads_for(b, blocks, k->lines, elements) / k->lines;
  k->kept = k->cluster == 1; /* a cluster takes one tile: it goes where there is room for one */
  k->exchange_bytes = k->shared_bytes = (int)(elements / k->cluster * 4);
  if (k->precision == MFFT_BFLOAT16) k->shared_bytes += 2 * 4 * (k->lines > 1 ? k->lines : 2); /* peaks */
  mfft_bound_blocks(k, b->limits, values_of(b) > 32 ? 80 : 64);
}

mfft_status mfft_resident_shape(const builder *b, mfft_kernel *k) {
  for (int i = 0; i < MFFT_MAX_MERGES; i++) k->radix[i] = 1;
  MFFT_TRY(mfft_merge_by_sixteen(k));
  const int strided = k->map_in == MFFT_MAP_LINE;
  k->lines = lines_for(b, k->n, strided);
  k->second.n = 1;
  k->second.merges = 0;
  set_block(b, k, blocks_for(b, k->n, strided), (int64_t)k->lines * k->n);
  return MFFT_SUCCESS;
}

int64_t mfft_resident_blocks(const builder *b, const mfft_pass *pass) {
  const mfft_kernel *k = &pass->kernel;
  const int64_t blocks = (pass->args.lines + k->lines - 1) / k->lines * k->cluster,
                most = (int64_t)k->min_blocks * b->limits->sms;
  return !k->kept || blocks < most ? blocks : most;
}

/* ---- Planes ----------------------------------------------------------------------------------------------------------- */

/* Merges and twiddles of a plane share its scale, so that nothing overflows on the way; the merge between the axes has no
 * twiddles, so that the one before it does its part. */
static void share_scale(const builder *b, mfft_pass *pass) {
  mfft_kernel *k = &pass->kernel;
  const int count = k->merges + k->second.merges;
  const double whole = pow(b->spec->scale, log((double)k->n * k->second.n) / b->log_total);
  k->scaled = b->spec->scale != 1;
  if (k->precision == MFFT_BFLOAT16) pass->args.scale = whole;
  for (int m = 0; m < count && k->scaled && k->precision == MFFT_HALF; m++) {
    const int second = m >= k->merges;
    const double share =
        pow(whole, log((double)(second ? k->second.radix[m - k->merges] : k->radix[m])) / log((double)k->n * k->second.n));
    if (m == count - 1)
      pass->args.scale = share;
    else
      pass->args.merge_scale[m == k->merges - 1 ? m - 1 : m] *= (float)share;
  }
}

mfft_status mfft_resident_try_plane(builder *b, int slow, int fast, mfft_place_id src, mfft_place_id dst, int *added) {
  const dim *f = &b->dims[fast], *s = &b->dims[slow];
  const int64_t elements = tile_elements(b), area = f->n * s->n;
  *added = 0;
  if (!elements || area > elements || f->n < LEAST_ROW || s->n < LEAST_COLUMN || !is_power(f->n) || !is_power(s->n) ||
      !in_fours(b) || f->stride[src] != 1 || f->stride[dst] != 1 || bits_of(blocks_of(b)) > shared_bits(s->n, 0))
    return MFFT_SUCCESS;
  int64_t planes = 1;
  for (int d = 0; d < b->count; d++)
    if (d != slow && d != fast) planes *= b->dims[d].n;
  int lines = 1;
  while (lines * 2 * area <= elements && lines * 2 <= most_lines(b, 0) && lines * 2 <= planes) lines *= 2;
  if (!threads_for(b, blocks_of(b), lines, lines * area)) return MFFT_SUCCESS;
  mfft_pass *pass = mfft_builder_new_pass(b, src, dst);
  if (!pass) return mfft_fail(MFFT_ERR_INTERNAL, "cuda: more than %d passes", MFFT_MAX_PASSES);
  mfft_kernel *k = &pass->kernel, second = {.n = (int)s->n};
  k->engine = MFFT_ENGINE_RESIDENT;
  k->n = (int)f->n;
  for (int i = 0; i < MFFT_MAX_MERGES; i++) k->radix[i] = second.radix[i] = 1;
  MFFT_TRY(mfft_merge_by_sixteen(k));
  MFFT_TRY(mfft_merge_by_sixteen(&second));
  k->second = (mfft_chain){.n = second.n, .merges = second.merges, .lines = 1, .threads = 1};
  memcpy(k->second.radix, second.radix, sizeof k->second.radix);
  k->map_in = k->map_mid = k->map_out = MFFT_MAP_ELEMENT;
  k->unit_in = k->unit_out = 1;
  pass->args.in_stride = pass->args.line_out = 1;
  pass->args.line_in = s->stride[src];
  pass->args.out_stride = s->stride[dst];
  MFFT_TRY(mfft_builder_loops(b, pass, fast, slow, NULL, 0, 1));
  k->lines = lines;
  set_block(b, k, blocks_of(b), lines * area);
  k->vector = 3;
  pass->vector_in = pass->vector_out = 16;
  share_scale(b, pass);
  pass->blocks = mfft_resident_blocks(b, pass);
  k->wide = pass->args.lines > (long long)UINT_MAX - k->lines * pass->blocks;
  if (pass->blocks > INT_MAX)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: %lld blocks, more than one launch takes", (long long)pass->blocks);
  *added = 1;
  return MFFT_SUCCESS;
}
