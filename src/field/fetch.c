/* fetch.c: reads boxes, piece by piece through buffers that fit the cache, or directly into the caller's array. */
#include "field/fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/box.h"
#include "field/convert.h"
#include "field/posix.h"

enum {
  CHUNKED_BYTES = 1 << 24,   /* bytes that HDF5 assembles from chunks at a time */
  CACHE_MOST_BYTES = 1 << 28 /* of HDF5's chunk cache */
};

/* Sizes HDF5's chunk cache for one layer of chunks across the array, so that no chunk is unpacked again for every plane in
 * it. */
static void size_cache(hid_t access, const mfft_source *source) {
  double layer = (double)source->element_bytes, own = layer, most = CACHE_MOST_BYTES;
  if (source->chunk[0] == 0) return;
  for (int axis = 0; axis < source->info.rank; axis++) {
    double c = (double)source->chunk[axis], n = (double)source->info.n[axis];
    own *= c;
    layer *= axis == 0 || c > n ? c : (n > c ? n + c : n);
  }
  if (layer > most) layer = most;
  H5Pset_chunk_cache(access, (size_t)(20 * layer / own) + 521, (size_t)layer, 1.0);
}

/* Opens a dataset that HDF5 reads: the one that rank 0 has examined. */
static mfft_status open_pieces(const mfft_source *source, mfft_fetch *fetch) {
  mfft_h5_settings settings;
  mfft_h5_file file;
  mfft_dataset data;
  mfft_h5_enter(&settings);
  hid_t access = mfft_h5_dataset_access();
  size_cache(access, source);
  mfft_status status = mfft_open_file(fetch->path, &file);
  fetch->file = file.id;
  if (status == MFFT_SUCCESS)
    status = mfft_open_dataset(&file, source->info.dataset, source->kind, access, &fetch->object, &data);
  if (status == MFFT_SUCCESS &&
      (memcmp(data.n, source->info.n, sizeof data.n) != 0 || memcmp(data.chunk, source->chunk, sizeof data.chunk) != 0 ||
       data.element_bytes != source->element_bytes || data.number != source->number || data.offset != source->offset))
    status = mfft_fail(MFFT_ERR_IO, "%s: dataset %s is another one here than on rank 0; use a folder that all nodes share",
                       fetch->path, source->info.dataset);
  mfft_h5_close(access);
  mfft_h5_leave(&settings);
  return status;
}

/* Two buffers if a thread can process one while HDF5 fills the other. */
static int layer_buffers(const mfft_fetch *fetch) { return fetch->pool->threads > 1 ? 2 : 1; }

mfft_status mfft_fetch_open(const mfft_source *source, const char *path, mfft_pool *pool, mfft_fetch *fetch) {
  *fetch = (mfft_fetch){.source = source, .path = path, .pool = pool, .fd = -1, .file = -1, .object = -1};
  int64_t bytes;
  MFFT_TRY(mfft_posix_size(path, &bytes));
  if (bytes != source->file_bytes)
    return mfft_fail(MFFT_ERR_IO,
                     "%s has %" PRId64 " bytes here and %" PRId64 " on rank 0; use a folder that all nodes share", path,
                     bytes, source->file_bytes);

  if (source->offset >= 0) {
    fetch->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fetch->fd < 0) return mfft_fail(MFFT_ERR_IO, "cannot open %s: %s", path, mfft_posix_reason(errno));
    mfft_posix_sequential(fetch->fd);
    return MFFT_SUCCESS;
  }
  const int buffers = layer_buffers(fetch) * CHUNKED_BYTES;
  fetch->unpacked = malloc((size_t)buffers);
  if (!fetch->unpacked) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a buffer of %d bytes", buffers);
  return open_pieces(source, fetch);
}

void mfft_fetch_close(mfft_fetch *fetch) {
  if (fetch->fd >= 0) close(fetch->fd);
  if (fetch->file > 0) {
    mfft_h5_settings settings;
    mfft_h5_enter(&settings);
    mfft_h5_close(fetch->object);
    mfft_h5_close(fetch->file);
    mfft_h5_leave(&settings);
  }
  free(fetch->unpacked);
  *fetch = (mfft_fetch){.fd = -1, .file = -1, .object = -1};
}

static mfft_status fetch_plain(const mfft_fetch *fetch, const mfft_box *piece, void *packed) {
  const mfft_source *source = fetch->source;
  mfft_runs runs = mfft_runs_of(piece, source->info.n);
  int64_t run_bytes = runs.length * source->element_bytes;
  char *at = packed;
  for (int64_t i = 0; i < runs.count[0]; i++)
    for (int64_t j = 0; j < runs.count[1]; j++, at += run_bytes) {
      int64_t first = runs.start + i * runs.step[0] + j * runs.step[1];
      MFFT_TRY(mfft_posix_read(fetch->fd, at, run_bytes, source->offset + first * source->element_bytes, fetch->path));
    }
  if (source->info.big_endian != mfft_big_endian_machine())
    mfft_swap_bytes(packed, source->element_bytes, mfft_box_count(piece));
  return MFFT_SUCCESS;
}

static mfft_status fetch_chunked(mfft_fetch *fetch, const mfft_box *piece, void *packed) {
  const mfft_field_info *info = &fetch->source->info;
  hsize_t start[3], count[3]; /* [rank] */
  for (int axis = 0; axis < info->rank; axis++) {
    start[axis] = (hsize_t)piece->lo[axis];
    count[axis] = (hsize_t)mfft_box_extent(piece, axis);
  }
  mfft_h5_settings settings;
  mfft_h5_enter(&settings);
  const hid_t types[3][2] = {{H5T_NATIVE_FLOAT, H5T_NATIVE_DOUBLE},
                             {H5T_NATIVE_INT32, H5T_NATIVE_INT64},
                             {H5T_NATIVE_UINT32, H5T_NATIVE_UINT64}}; /* [mfft_number_kind][4 or 8 bytes] */
  hid_t type = types[fetch->source->number][fetch->source->element_bytes == 8];
  hid_t space = H5Dget_space(fetch->object), memory = H5Screate_simple(info->rank, count, NULL);
  mfft_status status = MFFT_SUCCESS;
  if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) < 0 ||
      H5Dread(fetch->object, type, memory, space, H5P_DEFAULT, packed) < 0)
    status = mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: dataset %s cannot be read at planes %" PRId64 " to %" PRId64, fetch->path,
                          info->dataset, piece->lo[0], piece->hi[0] - 1);
  mfft_h5_close(memory);
  mfft_h5_close(space);
  mfft_h5_leave(&settings);
  return status;
}

static void add_sums(const mfft_source *source, const mfft_box *piece, const void *packed, uint64_t *sums) {
  mfft_runs runs = mfft_runs_of(piece, source->info.n);
  const char *at = packed;
  for (int64_t i = 0; i < runs.count[0]; i++)
    for (int64_t j = 0; j < runs.count[1]; j++, at += runs.length * source->element_bytes)
      mfft_sums_add(&source->slabs, sums, at, source->element_bytes, runs.start + i * runs.step[0] + j * runs.step[1],
                    runs.length);
}

/* The address at which a piece can be stored as it is packed in the file: in the caller's array, or NULL if the piece is not
 * contiguous there. */
static void *place_of(const mfft_fetch_job *job, const mfft_box *piece) {
  int64_t at;
  if (!job->data || !mfft_convert_direct(piece, &job->box, &at)) return NULL;
  return (char *)job->data + at * mfft_value_bytes(job->memory);
}

/* All work on the values of a piece while they are in cache.  packed: the values as they are stored, which are at `place`
 * already if no conversion is needed. */
static mfft_status use_piece(mfft_fetch_job *job, const mfft_box *piece, const void *packed, void *place, int worker) {
  const mfft_source *source = job->fetch->source;
  const mfft_precision stored = source->info.precision;
  if (job->sums) add_sums(source, piece, packed, job->sums);
  if (!job->visitor.visit) {
    if (job->data && packed != place) job->lost += mfft_convert_in(piece, packed, stored, &job->box, job->data, job->memory);
    return MFFT_SUCCESS;
  }
  void *values = place ? place : mfft_pool_buffer(job->fetch->pool, worker, 1);
  if (packed != values) job->lost += mfft_convert_in(piece, packed, stored, piece, values, job->memory);
  MFFT_TRY(job->visitor.visit(job->visitor.context, worker, piece, values));
  if (job->data && !place) mfft_convert_in(piece, values, job->memory, &job->box, job->data, job->memory);
  return MFFT_SUCCESS;
}

static mfft_status read_piece(mfft_fetch_job *job, const mfft_box *piece, int worker) {
  void *place = place_of(job, piece);
  const int direct = place && job->memory == job->fetch->source->info.precision;
  void *packed = direct ? place : mfft_pool_buffer(job->fetch->pool, worker, 0);
  MFFT_TRY(fetch_plain(job->fetch, piece, packed));
  return use_piece(job, piece, packed, place, worker);
}

/* A piece of the data that HDF5 has assembled, which contains it in one of its rows, planes or groups of planes. */
static mfft_status pass_piece(mfft_fetch_job *job, const mfft_box *piece, int worker) {
  int64_t at = 0;
  (void)mfft_convert_direct(piece, &job->at, &at);
  return use_piece(job, piece, (const char *)job->packed + at * job->fetch->source->element_bytes, place_of(job, piece),
                   worker);
}

static mfft_status do_span(void *context, int64_t iteration, int worker) {
  mfft_fetch_job *job = context;
  const int64_t from = iteration * job->span, to = from + job->span;
  for (int64_t i = from; i < to && i < job->pieces.all; i++) {
    const mfft_box piece = mfft_pieces_get(&job->pieces, i);
    MFFT_TRY(job->packed ? pass_piece(job, &piece, worker) : read_piece(job, &piece, worker));
  }
  return MFFT_SUCCESS;
}

/* Divides a box into pieces and returns the number of spans. */
static int64_t cut(mfft_fetch_job *job, const mfft_box *box) {
  const int stored = job->fetch->source->element_bytes, memory = mfft_value_bytes(job->memory);
  job->pieces = mfft_pieces_of(box, MFFT_PIECE_BYTES / (stored > memory ? stored : memory));
  job->span = mfft_pieces_span(&job->pieces, job->fetch->pool->threads, MFFT_SPAN_PIECES);
  return (job->pieces.all + job->span - 1) / job->span;
}

/* Only this thread calls HDF5, layer after layer; the others process the preceding layer meanwhile. */
static mfft_status fetch_unpacked(mfft_fetch_job *job) {
  mfft_fetch *fetch = job->fetch;
  mfft_pool *pool = fetch->pool;
  const mfft_pieces layers = mfft_pieces_of(&job->box, CHUNKED_BYTES / fetch->source->element_bytes);
  mfft_status status = MFFT_SUCCESS;
  for (int64_t i = 0; i < layers.all && status == MFFT_SUCCESS; i++) {
    const mfft_box layer = mfft_pieces_get(&layers, i);
    char *unpacked = (char *)fetch->unpacked + i % layer_buffers(fetch) * CHUNKED_BYTES;
    const mfft_status read = fetch_chunked(fetch, &layer, unpacked);
    status = mfft_pool_wait(pool); /* of the preceding layer, which takes precedence if both fail */
    if (status == MFFT_SUCCESS) status = read;
    if (status != MFFT_SUCCESS) break;
    job->at = layer;
    job->packed = unpacked;
    if (layer_buffers(fetch) > 1)
      mfft_pool_start(pool, cut(job, &layer), do_span, job);
    else
      status = mfft_pool_run(pool, cut(job, &layer), do_span, job);
  }
  const mfft_status last = mfft_pool_wait(pool);
  return status == MFFT_SUCCESS ? last : status;
}

mfft_status mfft_fetch_box(mfft_fetch_job *job) {
  if (job->fetch->source->offset < 0) return fetch_unpacked(job);
  job->packed = NULL;
  return mfft_pool_run(job->fetch->pool, cut(job, &job->box), do_span, job);
}

mfft_status mfft_fetch_start(mfft_fetch_job *job) {
  if (job->fetch->source->offset < 0) return fetch_unpacked(job);
  job->packed = NULL;
  mfft_pool_start(job->fetch->pool, cut(job, &job->box), do_span, job);
  return MFFT_SUCCESS;
}
