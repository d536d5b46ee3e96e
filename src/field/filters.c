/* filters.c: see filters.h. */
#include "field/filters.h"

#include <string.h>

enum { NAME_BYTES = 64, PARAMETERS = 20 /* those of scale-offset; N-bit has 8 for numbers */ };

typedef struct filter {
  H5Z_filter_t id;
  char name[NAME_BYTES];
  size_t count;
  unsigned parameter[PARAMETERS]; /* [count] */
} filter;

/* The filters that are read, each at most once for a dataset, since data that are packed twice could unpack to a million
 * times their size. */
static const struct {
  H5Z_filter_t id;
  int trusting, sums; /* 1: decodes data of any length; 1: has a checksum of its own */
} known[] = {{H5Z_FILTER_DEFLATE, 0, 1},
             {H5Z_FILTER_SHUFFLE, 0, 0},
             {H5Z_FILTER_FLETCHER32, 0, 1},
             {H5Z_FILTER_SCALEOFFSET, 1, 0},
             {H5Z_FILTER_NBIT, 1, 0}};
enum { KNOWN = sizeof known / sizeof *known };

static int get(hid_t creation, int i, filter *f) {
  unsigned flags, config;
  memset(f, 0, sizeof *f);
  f->count = PARAMETERS;
  f->id = H5Pget_filter2(creation, (unsigned)i, &flags, &f->count, f->parameter, NAME_BYTES, f->name, &config);
  return f->id >= 0;
}

static int find(H5Z_filter_t id) {
  for (int k = 0; k < KNOWN; k++)
    if (known[k].id == id && H5Zfilter_avail(id) > 0) return k;
  return -1;
}

mfft_status mfft_filters_check(hid_t creation, const char *path, const char *name) {
  const int filters = H5Pget_nfilters(creation);
  int seen[KNOWN] = {0};
  filter f, trusting = {.id = -1}; /* the last one of its kind that no checksum guards yet */
  if (filters < 0) return mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: the filters of %s cannot be read", path, name);
  for (int i = 0; i < filters; i++) {
    if (!get(creation, i, &f)) return mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: filter %d of %s cannot be read", path, i, name);
    const int k = find(f.id);
    if (k < 0 || seen[k]++)
      return mfft_fail(
          MFFT_ERR_UNSUPPORTED,
          "%s: dataset %s is packed with filter %d %s; deflate, shuffle, fletcher32, scale-offset and N-bit can "
          "be read, each once: unpack it with h5repack -f NONE",
          path, name, (int)f.id, f.name);
    if (known[k].trusting)
      trusting = f;
    else if (known[k].sums)
      trusting.id = -1;
  }
  if (trusting.id < 0) return MFFT_SUCCESS;
  return mfft_fail(
      MFFT_ERR_UNSUPPORTED,
      "%s: dataset %s is packed with filter %d %s and no checksum after it, so that damage could not be noticed; "
      "write it with fletcher32 too, or unpack it with h5repack -f NONE",
      path, name, (int)trusting.id, trusting.name);
}

/* Parameters of scale-offset: kind and factor of the scale, values of a chunk, class, bytes of a value ...; those of N-bit:
 * their number, whether nothing is packed, values of a chunk, class (1: numbers), bytes of a value, byte order, bits,
 * position of the lowest bit. */
static int fits(const filter *f, int64_t count, int element_bytes) {
  const unsigned *p = f->parameter;
  if (f->id == H5Z_FILTER_SCALEOFFSET)
    return f->count == PARAMETERS && (int64_t)p[2] == count && p[4] == (unsigned)element_bytes;
  const unsigned bits = 8 * (unsigned)element_bytes;
  return f->count == 8 && (p[1] || ((int64_t)p[2] == count && p[3] == 1 && p[4] == (unsigned)element_bytes && p[5] <= 1 &&
                                    p[6] >= 1 && p[6] <= bits && p[7] <= bits - p[6]));
}

int mfft_filters_fit(hid_t creation, int64_t count, int element_bytes) {
  const int filters = H5Pget_nfilters(creation);
  filter f;
  for (int i = 0; i < filters; i++) {
    const int k = get(creation, i, &f) ? find(f.id) : -1;
    if (k < 0 || (known[k].trusting && !fits(&f, count, element_bytes))) return 0;
  }
  return 1;
}

int mfft_filters_collapse(hid_t creation) {
  unsigned flags, config;
  size_t count = 0;
  return H5Pget_filter_by_id2(creation, H5Z_FILTER_SCALEOFFSET, &flags, &count, NULL, 0, NULL, &config) >= 0;
}
