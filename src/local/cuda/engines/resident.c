/* resident.c: see resident.h. */
#include "local/cuda/engines/resident.h"

#include <limits.h>
#include <math.h>

#include "local/cuda/engines/occupancy.h"
#include "local/cuda/engines/sixteen.h"
#include "local/cuda/engines/tensor_tables.h"
#include "local/cuda/engines/tiles.h"

/* The least row and column of a plane, the peaks that a thread finds, and the strided lines that fill a sector of memory. */
enum { LEAST_ROW = 64, LEAST_COLUMN = 16, MOST_PEAKS = 4, LEAST_LINES = 8 };

static int64_t elements_of(const mfft_tile_choice *t) { return t->bytes / 4 * t->blocks; }

/* Threads of each block for a tile of so many lines and elements; 0: it is too small for so many blocks. */
static int threads_for(int blocks, int lines, int64_t elements) {
  const int threads = (int)(elements / blocks / MFFT_TILE_VALUES);
  return threads >= 32 && threads % lines == 0 ? threads : 0;
}

static int is_strided(mfft_tile_kind of) { return of == MFFT_TILE_COLUMN || of == MFFT_TILE_PART; }

/* A thread finds the peaks of four lines or planes at most. */
static int most_lines(const mfft_builder *b, mfft_tile_kind of) {
  return b->spec->precision == MFFT_BFLOAT16 && !is_strided(of) ? MOST_PEAKS : MFFT_TILE_LINES;
}

/* Lines of a tile: as many as fill it, but of strided lines no more than fill a cache line of 128 bytes. */
static int lines_for(const mfft_builder *b, const mfft_tile_choice *t, mfft_tile_kind of, int64_t n) {
  const int64_t lines = elements_of(t) / n, most = most_lines(b, of);
  return (int)(lines < most ? lines : most);
}

/* Blocks of a tile.  For strided lines no more than hold one cache line of 128 bytes of each row. */
static int blocks_for(const mfft_tile_choice *t, mfft_tile_kind of, int64_t n) {
  int blocks = t->blocks;
  while (is_strided(of) && blocks > 1 && n * MFFT_TILE_LINES <= t->bytes / 4 * (blocks / 2)) blocks /= 2;
  return blocks;
}

static mfft_tile_kind kind_of(int64_t n, int64_t whole, int strided) {
  return !strided ? MFFT_TILE_LINE : n == whole ? MFFT_TILE_COLUMN : MFFT_TILE_PART;
}

static int fits(const mfft_builder *b, int64_t n, int64_t whole, int strided) {
  const mfft_tile_kind of = kind_of(n, whole, strided);
  const mfft_tile_choice t = mfft_tile_choose(b, of, whole, 0);
  const mfft_tuned *tuned = mfft_tuned_for(b->limits);
  const int64_t least = strided ? tuned->resident_strided[0] : tuned->resident_least,
                room = elements_of(&t) / (strided ? LEAST_LINES : 1);
  if (n < least || n > room || !is_power(n) || (strided && n > tuned->resident_strided[1])) return 0;
  const int blocks = blocks_for(&t, of, n), lines = lines_for(b, &t, of, n);
  return mfft_bits_of(blocks) <= mfft_tile_shared_bits(n, !strided) && threads_for(blocks, lines, n * lines);
}

static int64_t longest_part(const mfft_builder *b, int64_t whole) {
  const int64_t *range = mfft_tuned_for(b->limits)->resident_strided;
  for (int64_t n = range[1]; n >= range[0]; n /= 2)
    if (n < whole && fits(b, n, whole, 1)) return n;
  return 0;
}

static int takes_over(const mfft_pass_draft *d) {
  const mfft_pass *pass = d->pass;
  const mfft_kernel *k = &pass->kernel;
  const int strided = k->in.map == MFFT_MAP_LINE;
  return k->engine == MFFT_ENGINE_TENSOR && !k->named && !k->scatter.shares && pass->vector_in && pass->vector_out &&
         (strided || k->out.map == MFFT_MAP_ELEMENT) && fits(d->b, k->chain.n, d->whole, strided);
}

/* Sets the threads and the shared memory of a block, and how many blocks fit a multiprocessor. */
static void set_block(const mfft_builder *b, mfft_kernel *k, int blocks, int double_buffered, int64_t elements) {
  k->cluster.blocks = blocks;
  k->chain.threads = threads_for(blocks, k->chain.lines, elements) / k->chain.lines;
  k->tile.persistent = 1;
  k->tile.double_buffered = double_buffered;
  k->tile.exchange_bytes = (int)(elements / blocks * 4);
  k->tile.shared_bytes = mfft_tile_shared_bytes(b, k->tile.exchange_bytes, double_buffered);
  mfft_bound_blocks(k, b->limits, mfft_tuned_for(b->limits)->resident_registers);
}

static mfft_status shape(mfft_pass_draft *d) {
  const mfft_builder *b = d->b;
  mfft_kernel *k = &d->pass->kernel;
  MFFT_TRY(mfft_merge_by_sixteen(k));
  const mfft_tile_kind of = kind_of(k->chain.n, d->whole, k->in.map == MFFT_MAP_LINE);
  const mfft_tile_choice t = mfft_tile_choose(b, of, d->whole, 0);
  k->chain.lines = lines_for(b, &t, of, k->chain.n);
  k->second.n = 1;
  k->second.merges = 0;
  set_block(b, k, blocks_for(&t, of, k->chain.n), t.double_buffered, (int64_t)k->chain.lines * k->chain.n);
  return MFFT_SUCCESS;
}

static int64_t launch_blocks(const mfft_builder *b, const mfft_pass *pass) {
  const mfft_kernel *k = &pass->kernel;
  const int64_t tiles = (pass->args.lines + k->chain.lines - 1) / k->chain.lines,
                room = (int64_t)k->tile.min_blocks * b->limits->sms / k->cluster.blocks, most = room > 1 ? room : 1;
  return (tiles < most ? tiles : most) * k->cluster.blocks;
}

/* ---- Planes ----------------------------------------------------------------------------------------------------------- */

/* Merges and twiddles of a plane share its scale, so that no intermediate result overflows; the merge between the axes has
 * no twiddles, so that the one before it does its part. */
static void share_scale(const mfft_builder *b, mfft_pass *pass) {
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

/* Whether a tile holds the plane of two axes, whose rows are contiguous. */
static int holds_plane(const mfft_builder *b, const mfft_tile_choice *t, const mfft_pair_request *r) {
  const mfft_builder_dim *f = &b->dims[r->fast], *s = &b->dims[r->slow];
  return f->n * s->n <= elements_of(t) && f->n >= LEAST_ROW && s->n >= LEAST_COLUMN && is_power(f->n) && is_power(s->n) &&
         f->stride[r->src] == 1 && f->stride[r->dst] == 1 && mfft_bits_of(t->blocks) <= mfft_tile_shared_bits(s->n, 0);
}

/* The merges of both axes. */
static mfft_status set_chains(mfft_kernel *k, int64_t fast, int64_t slow) {
  mfft_kernel second = {.chain.n = (int)slow};
  k->engine = MFFT_ENGINE_RESIDENT;
  k->chain.n = (int)fast;
  MFFT_TRY(mfft_merge_by_sixteen(k));
  MFFT_TRY(mfft_merge_by_sixteen(&second));
  k->second = second.chain;
  k->second.lines = k->second.threads = 1;
  return MFFT_SUCCESS;
}

/* Planes of a tile. */
static int planes_for(const mfft_builder *b, const mfft_tile_choice *t, const mfft_pair_request *r) {
  const int64_t area = b->dims[r->fast].n * b->dims[r->slow].n, planes = mfft_builder_others(b, r->slow, r->fast);
  int lines = 1;
  while (lines * 2 * area <= elements_of(t) && lines * 2 <= most_lines(b, MFFT_TILE_PLANE) && lines * 2 <= planes)
    lines *= 2;
  return lines;
}

static mfft_status try_plane(mfft_builder *b, const mfft_pair_request *r, int *added) {
  const mfft_builder_dim *f = &b->dims[r->fast], *s = &b->dims[r->slow];
  const int64_t area = f->n * s->n;
  if (r->kind != MFFT_PAIR_PLANE) return MFFT_SUCCESS;
  const mfft_tile_choice t = mfft_tile_choose(b, MFFT_TILE_PLANE, s->n, f->n);
  const int lines = planes_for(b, &t, r);
  if (!holds_plane(b, &t, r) || !threads_for(t.blocks, lines, lines * area)) return MFFT_SUCCESS;
  mfft_pass *pass;
  MFFT_TRY(mfft_builder_new_pass(b, r->src, r->dst, &pass));
  mfft_kernel *k = &pass->kernel;
  MFFT_TRY(set_chains(k, f->n, s->n));
  k->in.map = k->map_mid = k->out.map = MFFT_MAP_ELEMENT;
  k->in.unit = k->out.unit = 1;
  pass->args.in_stride = pass->args.line_out = 1;
  pass->args.line_in = s->stride[r->src];
  pass->args.out_stride = s->stride[r->dst];
  MFFT_TRY(mfft_builder_loops(b, pass, r->fast, r->slow, NULL, 0, 1));
  k->chain.lines = lines;
  set_block(b, k, t.blocks, t.double_buffered, lines * area);
  k->in.wide = k->out.wide = 1;
  pass->vector_in = pass->vector_out = 16;
  share_scale(b, pass);
  const int64_t count = launch_blocks(b, pass);
  k->wide_counts = pass->args.lines > (long long)UINT_MAX - k->chain.lines * count;
  *added = 1;
  return mfft_builder_set_blocks(pass, count);
}

static void print(const mfft_kernel *k, mfft_line *line) {
  if (k->second.merges) {
    mfft_line_add(line, " and %d", k->second.n);
    mfft_line_radices(line, &k->second);
    mfft_line_add(line, ")");
  }
  if (k->cluster.blocks > 1) mfft_line_add(line, " over %d blocks", k->cluster.blocks);
}

const mfft_engine mfft_engine_resident = {
    .name = "resident ",
    .source = "resident.cu",
    .on_tensor_cores = 1,
    .takes_over = takes_over,
    .longest_part = longest_part,
    .holds = fits,
    .shape = shape,
    .adjust = mfft_share_scale_of_merges,
    .blocks = launch_blocks,
    .try_pair = try_plane,
    .tables = mfft_resident_tables,
    .options = mfft_options_of_two_chains,
    .print = print,
};
