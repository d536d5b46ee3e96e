/* open.c: see open.h. */
#include "field/open.h"

#include <inttypes.h>
#include <string.h>

#include "field/filters.h"
#include "field/names.h"
#include "field/posix.h"

mfft_status mfft_open_file(const char *path, mfft_h5_file *file) {
  *file = (mfft_h5_file){.id = -1, .path = path};
  MFFT_TRY(mfft_posix_size(path, &file->bytes));
  if (file->bytes == 0) return mfft_fail(MFFT_ERR_CORRUPT, "%s is empty; copy it again from its source", path);

  hid_t access = mfft_h5_file_access(1);
  file->id = H5Fopen(path, H5F_ACC_RDONLY, access);
  htri_t is_hdf5 = file->id < 0 ? H5Fis_hdf5(path) : 1;
  if (is_hdf5 != 0 && file->id < 0)
    file->id = H5Fopen(path, H5F_ACC_RDONLY, access); /* again, for the reason that H5Fis_hdf5 has discarded */
  mfft_status status = MFFT_SUCCESS;
  if (is_hdf5 == 0)
    status = mfft_fail(MFFT_ERR_CORRUPT, "%s is not an HDF5 file, or its beginning is damaged; name an HDF5 file", path);
  else if (file->id < 0)
    status = mfft_h5_fail(
        MFFT_ERR_CORRUPT,
        "%s of %" PRId64 " bytes cannot be opened: it is damaged, cut short or being written; copy it again from its source",
        path, file->bytes);
  mfft_h5_close(access);
  return status;
}

/* ---- The checks of a dataset, in their sequence ---------------------------------------------------------------------- */

/* The data of every check, and of its error messages. */
typedef struct subject {
  const mfft_h5_file *file;
  const char *name;
  mfft_dataset_kind kind;
  hid_t object, creation; /* the dataset, and the properties it was made with */
  H5D_layout_t layout;
  int narrow; /* 1: the values have fewer bits than the bytes that they take, so that HDF5 has to convert them */
  mfft_dataset *found;
} subject;

static mfft_status fail_type(const subject *s, hid_t type) {
  static const char *const class_name[] = {
      "integers",     "floating-point numbers", "times", "text", "bit fields", "opaque data", "compounds", "references",
      "enumerations", "variable-length data",   "arrays"}; /* [H5T_class_t] */
  static const char *const wanted[] = {
      /* [mfft_dataset_kind] */
      [MFFT_DATASET_FIELD] = "only IEEE float and double can be read, convert it",
      [MFFT_DATASET_SUMS] =
          ("checksums are unsigned integers of 8 bytes: write the file again, or remove /Checksum to read it "
           "unverified"),
      [MFFT_DATASET_COLUMN] = "columns of particles are IEEE float or double, or integers of 4 or 8 bytes: convert it"};
  int class = (int)H5Tget_class(type), named = class >= 0 && class < (int)(sizeof class_name / sizeof *class_name);
  return mfft_fail(MFFT_ERR_UNSUPPORTED, "%s: dataset %s holds %s of %zu bytes; %s", s->file->path, s->name,
                   named ? class_name[class] : "data of an unknown type", H5Tget_size(type), wanted[s->kind]);
}

/* Whether a type is a number of 4 or 8 bytes that uses only some of its bits, as SWIFT stores floats with short mantissas
 * and identities of few bits (filter N-bit).  Its fields must lie within its bytes and be no longer than those of IEEE's
 * number of that size, which HDF5 converts it to. */
static int is_narrow(hid_t type, mfft_number_kind *number) {
  const size_t bytes = H5Tget_size(type), bits = 8 * bytes, precision = H5Tget_precision(type);
  const H5T_order_t order = H5Tget_order(type);
  const int offset = H5Tget_offset(type);
  const H5T_class_t class = H5Tget_class(type);
  size_t sign, exponent, exponent_bits, mantissa, mantissa_bits;
  if ((bytes != 4 && bytes != 8) || (order != H5T_ORDER_LE && order != H5T_ORDER_BE)) return 0;
  if (precision < 1 || precision >= bits || offset < 0 || (size_t)offset > bits - precision) return 0;
  if (class == H5T_INTEGER) {
    *number = H5Tget_sign(type) == H5T_SGN_NONE ? MFFT_NUMBER_UNSIGNED : MFFT_NUMBER_SIGNED;
    return 1;
  }
  if (class != H5T_FLOAT || H5Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits) < 0) return 0;
  *number = MFFT_NUMBER_FLOAT;
  return exponent_bits >= 1 && exponent_bits <= (bytes == 4 ? 8u : 11u) && mantissa_bits >= 1 &&
         mantissa_bits <= (bytes == 4 ? 23u : 52u) && sign < precision && exponent <= precision - exponent_bits &&
         mantissa <= precision - mantissa_bits;
}

static mfft_status check_type(subject *s) {
  hid_t type = H5Dget_type(s->object);
  if (type < 0) return mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: the type of %s cannot be read", s->file->path, s->name);
  enum {
    REALS = 1 << MFFT_DATASET_FIELD | 1 << MFFT_DATASET_COLUMN,
    INTEGERS = 1 << MFFT_DATASET_COLUMN,
    COUNTS = 1 << MFFT_DATASET_SUMS | 1 << MFFT_DATASET_COLUMN
  };
  const struct {
    hid_t type;
    int bytes, big_endian;
    mfft_number_kind number;
    unsigned kinds; /* a bit for each mfft_dataset_kind that may have this class */
  } known[] = {{H5T_IEEE_F32LE, 4, 0, MFFT_NUMBER_FLOAT, REALS},      {H5T_IEEE_F32BE, 4, 1, MFFT_NUMBER_FLOAT, REALS},
               {H5T_IEEE_F64LE, 8, 0, MFFT_NUMBER_FLOAT, REALS},      {H5T_IEEE_F64BE, 8, 1, MFFT_NUMBER_FLOAT, REALS},
               {H5T_STD_I32LE, 4, 0, MFFT_NUMBER_SIGNED, INTEGERS},   {H5T_STD_I32BE, 4, 1, MFFT_NUMBER_SIGNED, INTEGERS},
               {H5T_STD_I64LE, 8, 0, MFFT_NUMBER_SIGNED, INTEGERS},   {H5T_STD_I64BE, 8, 1, MFFT_NUMBER_SIGNED, INTEGERS},
               {H5T_STD_U32LE, 4, 0, MFFT_NUMBER_UNSIGNED, INTEGERS}, {H5T_STD_U32BE, 4, 1, MFFT_NUMBER_UNSIGNED, INTEGERS},
               {H5T_STD_U64LE, 8, 0, MFFT_NUMBER_UNSIGNED, COUNTS},   {H5T_STD_U64BE, 8, 1, MFFT_NUMBER_UNSIGNED, COUNTS}};
  mfft_number_kind number = MFFT_NUMBER_FLOAT;
  s->narrow = s->kind != MFFT_DATASET_SUMS && is_narrow(type, &number);
  mfft_status status = MFFT_ERR_UNSUPPORTED;
  for (size_t i = 0; i < sizeof known / sizeof *known && status != MFFT_SUCCESS; i++) {
    const int converts = s->narrow && number == known[i].number && H5Tget_size(type) == (size_t)known[i].bytes;
    if (!(known[i].kinds >> s->kind & 1) || !(converts || H5Tequal(type, known[i].type) > 0)) continue;
    s->found->number = known[i].number;
    s->found->element_bytes = known[i].bytes;
    s->found->big_endian = known[i].big_endian;
    status = MFFT_SUCCESS;
  }
  if (status != MFFT_SUCCESS) fail_type(s, type);
  mfft_h5_close(type);
  return status;
}

static mfft_status check_storage(subject *s) {
  const char *path = s->file->path;
  s->layout = H5Pget_layout(s->creation);
  if (H5Pget_external_count(s->creation) > 0)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "%s: dataset %s keeps its values in other files; copy it with h5repack", path,
                     s->name);
  if (s->layout != H5D_CONTIGUOUS && s->layout != H5D_CHUNKED && s->layout != H5D_COMPACT)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "%s: dataset %s is %s; copy it with h5repack", path, s->name,
                     s->layout == H5D_VIRTUAL ? "virtual, its values are in other files" : "stored by an unknown method");
  return mfft_filters_check(s->creation, path, s->name);
}

static mfft_status check_lengths(const subject *s, const hsize_t *dims, int rank) {
  int64_t values = 1;
  for (int axis = 0; axis < rank; axis++) {
    if (dims[axis] == 0)
      return mfft_fail(MFFT_ERR_UNSUPPORTED, "%s: dataset %s has length 0 along axis %d; name one that holds values",
                       s->file->path, s->name, axis);
    if (dims[axis] > (hsize_t)(INT64_MAX / 16 / values))
      return mfft_fail(MFFT_ERR_CORRUPT,
                       "%s: dataset %s claims length %" PRIu64
                       " along axis %d, more than a file can hold; copy it again from its source",
                       s->file->path, s->name, (uint64_t)dims[axis], axis);
    s->found->n[axis] = (int64_t)dims[axis];
    values *= s->found->n[axis];
  }
  return MFFT_SUCCESS;
}

static mfft_status check_shape(const subject *s) {
  static const struct {
    int most;
    const char *words;
  } ranks[] = {[MFFT_DATASET_FIELD] = {3, "fields have rank 1 to 3"},
               [MFFT_DATASET_SUMS] = {1, "checksums have rank 1"},
               [MFFT_DATASET_COLUMN] = {2, "columns of particles have rank 1 or 2"}}; /* [mfft_dataset_kind] */
  mfft_status status;
  hsize_t dims[H5S_MAX_RANK]; /* [rank] */
  hid_t space = H5Dget_space(s->object);
  int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
  if (rank < 0)
    status = mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: the shape of %s cannot be read", s->file->path, s->name);
  else if (H5Sget_simple_extent_type(space) != H5S_SIMPLE || rank < 1 || rank > ranks[s->kind].most)
    status = mfft_fail(MFFT_ERR_UNSUPPORTED, "%s: dataset %s has rank %d; %s", s->file->path, s->name, rank,
                       ranks[s->kind].words);
  else if (H5Sget_simple_extent_dims(space, dims, NULL) != rank)
    status = mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: the lengths of %s cannot be read", s->file->path, s->name);
  else
    status = check_lengths(s, dims, rank);
  s->found->rank = rank;
  mfft_h5_close(space);
  return status;
}

/* The lengths of a chunk and its bytes; 0 if they are impossible. */
static int64_t chunk_bytes(const subject *s) {
  hsize_t chunk[H5S_MAX_RANK]; /* [rank] */
  const int rank = s->found->rank;
  int64_t bytes = s->found->element_bytes;
  if (H5Pget_chunk(s->creation, rank, chunk) != rank) return 0;
  for (int axis = 0; axis < rank; axis++) {
    if (chunk[axis] == 0 || chunk[axis] > (hsize_t)(INT64_MAX / bytes)) return 0;
    s->found->chunk[axis] = (int64_t)chunk[axis];
    bytes *= (int64_t)chunk[axis];
  }
  return bytes;
}

/* Values that can be read at their offset in the file, unless they are narrow. */
static mfft_status check_contiguous(const subject *s, int64_t bytes, int64_t stored) {
  haddr_t offset = H5Dget_offset(s->object);
  if (offset == HADDR_UNDEF)
    return mfft_fail(MFFT_ERR_CORRUPT, "%s: dataset %s was never written; make the file again", s->file->path, s->name);
  if (stored != bytes || (int64_t)offset < 0 || (int64_t)offset > s->file->bytes - bytes)
    return mfft_fail(MFFT_ERR_CORRUPT,
                     "%s: the file has %" PRId64 " bytes, but dataset %s takes %" PRId64 " at %" PRIu64
                     "; copy it again from its source",
                     s->file->path, s->file->bytes, s->name, bytes, (uint64_t)offset);
  if (!s->narrow) s->found->offset = (int64_t)offset;
  return MFFT_SUCCESS;
}

/* The fewest bytes that values can take in a file, however well they are packed. */
static int64_t least_stored(const subject *s, int64_t bytes, int64_t piece) {
  if (mfft_filters_collapse(s->creation) && piece > 0) return bytes / piece * MFFT_FILTERS_LEAST_BYTES;
  return (bytes > piece ? bytes : piece) / MFFT_FILTERS_MOST;
}

/* Values that HDF5 reads: in chunks, or (compact) among the metadata.  HDF5 (1.10.8) reads beyond its buffers if a damaged
 * file has chunks without filters that are shorter than their lengths say. */
static mfft_status check_pieces(const subject *s, int64_t bytes, int64_t stored) {
  const char *path = s->file->path, *name = s->name;
  const int chunked = s->layout == H5D_CHUNKED;
  const int64_t piece = chunked ? chunk_bytes(s) : bytes, most = s->file->bytes;
  if (least_stored(s, bytes, piece) > most)
    return mfft_fail(MFFT_ERR_CORRUPT,
                     "%s: dataset %s claims %" PRId64 " bytes of values in pieces of %" PRId64
                     ", more than a file of %" PRId64 " can hold; copy it again from its source",
                     path, name, bytes, piece, most);
  if (chunked && stored == 0)
    return mfft_fail(MFFT_ERR_CORRUPT, "%s: dataset %s was never written; make the file again", path, name);
  const int whole = !chunked ? stored == bytes : piece > 0 && (H5Pget_nfilters(s->creation) != 0 || stored % piece == 0);
  if (!whole || stored < 0 || stored > most)
    return mfft_fail(MFFT_ERR_CORRUPT,
                     "%s: dataset %s takes %" PRId64 " bytes in the file, which are not whole pieces of its %" PRId64
                     "; copy it again from its source",
                     path, name, stored, bytes);
  if (chunked && !mfft_filters_fit(s->creation, piece / s->found->element_bytes, s->found->element_bytes))
    return mfft_fail(MFFT_ERR_CORRUPT,
                     "%s: the filters of dataset %s were set for chunks of other sizes or values of another type; copy it "
                     "again from its source",
                     path, name);
  return MFFT_SUCCESS;
}

static mfft_status check_sizes(const subject *s) {
  const mfft_dataset *found = s->found;
  const int64_t bytes = found->n[0] * found->n[1] * found->n[2] * found->element_bytes;
  const int64_t stored = (int64_t)H5Dget_storage_size(s->object);
  return (s->layout == H5D_CONTIGUOUS ? check_contiguous : check_pieces)(s, bytes, stored);
}

static mfft_status check(subject *s) {
  MFFT_TRY(check_type(s));
  s->creation = H5Dget_create_plist(s->object);
  if (s->creation < 0) return mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: the layout of %s cannot be read", s->file->path, s->name);
  MFFT_TRY(check_storage(s));
  MFFT_TRY(check_shape(s));
  return check_sizes(s);
}

mfft_status mfft_open_dataset(const mfft_h5_file *file, const char *name, mfft_dataset_kind kind, hid_t access,
                              hid_t *object, mfft_dataset *dataset) {
  mfft_dataset found = {.n = {1, 1, 1}, .offset = -1};
  subject s = {.file = file, .name = name, .kind = kind, .object = -1, .creation = -1, .found = &found};
  mfft_status status;
  MFFT_GOTO(done, mfft_names_open(file->id, file->path, name, &s.object));
  if (H5Iget_type(s.object) != H5I_DATASET) {
    status = mfft_fail(MFFT_ERR_ARG, "%s: %s is a %s; name a dataset in it", file->path, name,
                       H5Iget_type(s.object) == H5I_GROUP ? "group" : "named type");
    goto done;
  }
  MFFT_GOTO(done, check(&s));
  if (access != H5P_DEFAULT) { /* a property that can only be given when an object is opened as a dataset */
    mfft_h5_close(s.object);
    s.object = H5Dopen2(file->id, name, access);
    if (s.object < 0) MFFT_GOTO(done, mfft_h5_fail(MFFT_ERR_CORRUPT, "%s: dataset %s cannot be opened", file->path, name));
  }
  *object = s.object;
  *dataset = found;
  s.object = -1;
done:
  mfft_h5_close(s.creation);
  mfft_h5_close(s.object);
  return status;
}
