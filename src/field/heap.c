/* heap.c: see heap.h, and "Global Heap" in the specification of the file format.
 *
 *     reference    length [4] | address of the collection [addresses] | index [4]
 *     collection   "GCOL" 1 0 0 0 | length of the whole [lengths] | objects
 *     object       index [2] | references [2] | 0 [4] | length [lengths] | content, filled up to a multiple of 8
 *
 * Numbers are little-endian; index 0 is the free space at the end. */
#include "field/heap.h"

#include <inttypes.h>
#include <string.h>

#include "field/posix.h"

enum { MOST_REFERENCE = 24, MOST_HEAD = 16, MOST_OBJECTS = 65536, MOST_TEXT = 65536 };

typedef struct heap {
  int file;
  int64_t base;              /* offset in the file from which addresses count */
  size_t addresses, lengths; /* bytes of one */
} heap;

static uint64_t number(const unsigned char *bytes, size_t count) {
  uint64_t value = 0;
  for (size_t i = 0; i < count; i++) value |= (uint64_t)bytes[i] << 8 * i;
  return value;
}

static int read_at(const heap *h, uint64_t at, void *to, size_t bytes) {
  if (at > (uint64_t)INT64_MAX / 2) return 0;
  return mfft_posix_read(h->file, to, (int64_t)bytes, h->base + (int64_t)at, "a global heap") == MFFT_SUCCESS;
}

/* The offset of object `index` of a collection, and its length. */
static int find_object(const heap *h, uint64_t collection, uint64_t index, uint64_t *place, uint64_t *length) {
  static const unsigned char magic[8] = {'G', 'C', 'O', 'L', 1};
  unsigned char head[MOST_HEAD];
  const size_t head_bytes = 8 + h->lengths;
  if (!read_at(h, collection, head, head_bytes) || memcmp(head, magic, sizeof magic) != 0) return 0;
  const uint64_t end = number(head + 8, h->lengths);
  uint64_t at = head_bytes;
  for (int i = 0; i < MOST_OBJECTS && at < end && end - at >= head_bytes; i++) {
    if (!read_at(h, collection + at, head, head_bytes)) return 0;
    const uint64_t own = number(head, 2), bytes = number(head + 8, h->lengths);
    at += head_bytes;
    if (own == 0 || bytes > end - at) return 0;
    if (own == index) {
      *place = collection + at;
      *length = bytes;
      return 1;
    }
    at += (bytes + 7) / 8 * 8;
  }
  return 0;
}

static int read_text(const heap *h, const unsigned char *reference, char *text, size_t size) {
  const uint64_t wanted = number(reference, 4), collection = number(reference + 4, h->addresses),
                 index = number(reference + 4 + h->addresses, 4);
  uint64_t place, length;
  if (wanted == 0 || wanted > MOST_TEXT) return 0;
  if (index == 0 || !find_object(h, collection, index, &place, &length) || wanted > length) return -1;
  const size_t copied = wanted < size ? (size_t)wanted : size - 1;
  char read[MOST_TEXT];
  if (!read_at(h, place, read, copied)) return -1;
  memcpy(text, read, copied);
  text[copied] = '\0';
  return 1;
}

/* ---- What HDF5 is asked for ------------------------------------------------------------------------------------------- */

/* The file descriptor, and the sizes of the numbers of the file. */
static int describe(hid_t attribute, heap *h) {
  void *handle = NULL;
  hsize_t base = 0;
  hid_t file = H5Iget_file_id(attribute), access = mfft_h5_file_access(1), creation = H5Fget_create_plist(file);
  int well = file >= 0 && creation >= 0 && H5Fget_vfd_handle(file, access, &handle) >= 0 && handle &&
             H5Pget_sizes(creation, &h->addresses, &h->lengths) >= 0 && H5Pget_userblock(creation, &base) >= 0 &&
             h->addresses >= 2 && h->addresses <= 8 && h->lengths >= 2 && h->lengths <= 8;
  if (well) {
    h->file = *(const int *)handle;
    h->base = (int64_t)base;
  }
  mfft_h5_close(creation);
  mfft_h5_close(access);
  mfft_h5_close(file);
  return well;
}

/* The numbers as they are stored, which are the bytes of the reference. */
static herr_t keep_bytes(hid_t from, hid_t to, H5T_cdata_t *state, size_t count, size_t stride, size_t background_stride,
                         void *buffer, void *background, hid_t transfer) {
  (void)from, (void)to, (void)count, (void)stride, (void)background_stride, (void)buffer, (void)background, (void)transfer;
  state->need_bkg = H5T_BKG_NO;
  return 0;
}

int mfft_heap_text(hid_t attribute, hid_t type, char *text, size_t size) {
  static const char name[] = "mergefft: references as they are";
  unsigned char reference[MOST_REFERENCE] = {0};
  heap h;
  if (!size || !describe(attribute, &h)) return -1;
  hid_t raw = H5Tcreate(H5T_OPAQUE, 4 + h.addresses + 4);
  int well = raw >= 0 && H5Tregister(H5T_PERS_SOFT, name, type, raw, keep_bytes) >= 0;
  if (well) {
    well = H5Aread(attribute, raw, reference) >= 0;
    H5Tunregister(H5T_PERS_SOFT, name, -1, -1, keep_bytes);
  }
  mfft_h5_close(raw);
  return well ? read_text(&h, reference, text, size) : -1;
}
