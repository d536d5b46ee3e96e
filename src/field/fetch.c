/* fetch.c: reading boxes, piece by piece through a buffer that stays in cache, or straight into the caller's array. */
#include "field/fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "field/convert.h"
#include "field/pieces.h"
#include "field/posix.h"

enum {
  PLAIN_BYTES = 1 << 18,     /* of a piece; 512 MiB take 0.21 s of processor time, with 1 MiB 0.24 s, with 4 MiB 0.31 s */
  CHUNKED_BYTES = 1 << 24,   /* of a piece that HDF5 puts together from chunks */
  CACHE_MOST_BYTES = 1 << 28 /* of HDF5's chunk cache */
};

/* Room for one layer of chunks across the array, so that no chunk is unpacked again for every plane in it. */
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

/* Opens a dataset that HDF5 reads: that which rank 0 has looked at. */
static mfft_status open_pieces(const mfft_source *source, mfft_fetch *fetch) {
  mfft_h5_manners manners;
  mfft_h5_file file;
  mfft_dataset data;
  mfft_h5_enter(&manners);
  hid_t access = mfft_h5_dataset_access();
  size_cache(access, source);
  mfft_status status = mfft_open_file(fetch->path, &file);
  fetch->file = file.id;
  if (status == MFFT_SUCCESS)
    status = mfft_open_dataset(&file, source->info.dataset, MFFT_DATASET_FIELD, access, &fetch->object, &data);
  if (status == MFFT_SUCCESS &&
      (memcmp(data.n, source->info.n, sizeof data.n) != 0 || memcmp(data.chunk, source->chunk, sizeof data.chunk) != 0 ||
       data.element_bytes != source->element_bytes || data.offset != source->offset))
    status = mfft_fail(MFFT_ERR_IO, "%s: dataset %s is another one here than on rank 0; use a folder that all nodes share",
                       fetch->path, source->info.dataset);
  mfft_h5_close(access);
  mfft_h5_leave(&manners);
  return status;
}

mfft_status mfft_fetch_open(const mfft_source *source, const char *path, mfft_fetch *fetch) {
  *fetch = (mfft_fetch){.source = source, .path = path, .fd = -1, .file = -1, .object = -1};
  int64_t bytes;
  MFFT_TRY(mfft_posix_size(path, &bytes));
  if (bytes != source->file_bytes)
    return mfft_fail(MFFT_ERR_IO,
                     "%s has %" PRId64 " bytes here and %" PRId64 " on rank 0; use a folder that all nodes share", path,
                     bytes, source->file_bytes);

  fetch->buffer_bytes = source->offset >= 0 ? PLAIN_BYTES : CHUNKED_BYTES;
  fetch->buffer = malloc((size_t)fetch->buffer_bytes);
  if (!fetch->buffer) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a buffer of %" PRId64 " bytes", fetch->buffer_bytes);
  if (source->offset >= 0) {
    fetch->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fetch->fd < 0) return mfft_fail(MFFT_ERR_IO, "cannot open %s: %s", path, mfft_posix_reason(errno));
    return MFFT_SUCCESS;
  }
  return open_pieces(source, fetch);
}

void mfft_fetch_close(mfft_fetch *fetch) {
  if (fetch->fd >= 0) close(fetch->fd);
  if (fetch->file > 0) {
    mfft_h5_manners manners;
    mfft_h5_enter(&manners);
    mfft_h5_close(fetch->object);
    mfft_h5_close(fetch->file);
    mfft_h5_leave(&manners);
  }
  free(fetch->buffer);
  *fetch = (mfft_fetch){.fd = -1, .file = -1, .object = -1};
}

static mfft_status fetch_plain(mfft_fetch *fetch, const mfft_box *piece, void *packed) {
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
  mfft_h5_manners manners;
  mfft_h5_enter(&manners);
  hid_t type = info->precision == MFFT_SINGLE ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  hid_t space = H5Dget_space(fetch->object), memory = H5Screate_simple(info->rank, count, NULL);
  mfft_status status = MFFT_SUCCESS;
  if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) < 0 ||
      H5Dread(fetch->object, type, memory, space, H5P_DEFAULT, packed) < 0)
    status = mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: dataset %s cannot be read at planes %" PRId64 " to %" PRId64, fetch->path,
                          info->dataset, piece->lo[0], piece->hi[0] - 1);
  mfft_h5_close(memory);
  mfft_h5_close(space);
  mfft_h5_leave(&manners);
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

mfft_status mfft_fetch_box(mfft_fetch *fetch, const mfft_box *box, mfft_precision memory, void *data, uint64_t *sums,
                           int64_t *lost) {
  const mfft_source *source = fetch->source;
  mfft_pieces pieces = mfft_pieces_of(box, fetch->buffer_bytes / source->element_bytes);
  while (mfft_pieces_next(&pieces)) {
    const mfft_box *piece = &pieces.piece;
    int64_t at;
    int direct = data && memory == source->info.precision && mfft_convert_direct(piece, box, &at);
    void *packed = direct ? (char *)data + at * source->element_bytes : fetch->buffer;
    MFFT_TRY(source->offset >= 0 ? fetch_plain(fetch, piece, packed) : fetch_chunked(fetch, piece, packed));
    if (sums) add_sums(source, piece, packed, sums);
    if (data && !direct) *lost += mfft_convert_in(piece, packed, source->info.precision, box, data, memory);
  }
  return MFFT_SUCCESS;
}
