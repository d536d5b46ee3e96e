// TEST labels=field+fault+fuzz timeout=120
/* Random damage to field files: flipped bits, other bytes, files truncated, extended again, shifted, blocks
 * exchanged, copied and zeroed.  Querying and reading a damaged file with checksums ends with MFFT_ERR_CORRUPT (if whole
 * objects were moved any error is right), or with exactly what was written: never with other values or attributes.
 * Files of other programs, in HDF5's older format and without checksums, can hide damage to their values.  Neither crashes
 * mergefft or makes it hang.  See fuzz.h for how to repeat a try. */
#define _GNU_SOURCE
#include "fuzz.h"

#include <fcntl.h>

#include "field.h"

/* ---- Files ----------------------------------------------------------------------------------------------------------- */

typedef struct sound_file {
  const char *path, *dataset; /* dataset: of several, the one that is read; NULL: the only one */
  int rank;
  int64_t n[3];
  mfft_precision precision;
  int packed;             /* chunked, shuffled and deflated, as h5repack makes it */
  int foreign;            /* in HDF5's oldest format, without checksums */
  unsigned char *content; /* [bytes] */
  long bytes;
  long *places, nplaces; /* [nplaces] bytes that are not values: metadata, most of those that are not zero */
  mfft_field_info info;
  double *values; /* [n[0] n[1] n[2]] */
} sound_file;

static sound_file files[] = {
    {.path = "flips-single.h5", .rank = 3, .n = {16, 16, 16}, .precision = MFFT_SINGLE},
    {.path = "flips-forces.h5", .dataset = "forces/y", .rank = 3, .n = {12, 9, 14}, .precision = MFFT_DOUBLE},
    {.path = "flips-plane.h5", .rank = 2, .n = {40, 33, 1}, .precision = MFFT_DOUBLE},
    {.path = "flips-packed.h5", .rank = 3, .n = {16, 16, 16}, .precision = MFFT_SINGLE, .packed = 1},
    {.path = "flips-foreign.h5", .rank = 3, .n = {16, 16, 16}, .precision = MFFT_SINGLE, .foreign = 1},
    {.path = "flips-foreign-packed.h5", .rank = 3, .n = {16, 16, 16}, .precision = MFFT_DOUBLE, .packed = 1, .foreign = 1},
};
enum { FILES = sizeof files / sizeof *files, MOST_BYTES = 1 << 17 };
static const char *const bad = "flips-bad.h5";

static void write_file(const sound_file *f, const char *path) {
  static const mfft_field_dataset forces[] = {{"phi", "(km/s)^2"}, {"forces/x", NULL}, {"forces/y", "h/Mpc"}};
  static const mfft_field_dataset one = {"f", "Mpc/h"};
  mfft_field_attribute more[12]; /* more than 8: HDF5 then stores attributes in another structure */
  char name[12][16];
  for (int i = 0; i < 12; i++) {
    snprintf(name[i], sizeof name[i], "Number%d", i);
    more[i] = (mfft_field_attribute){name[i], 1.0 / (i + 1)};
  }
  mfft_field_desc desc;
  mfft_field_desc_init(&desc);
  desc.rank = f->rank;
  memcpy(desc.n, f->n, sizeof desc.n);
  desc.precision = f->precision;
  for (int a = 0; a < f->rank; a++) desc.box_size[a] = 100 + a;
  desc.has_redshift = 1;
  desc.redshift = 0.5;
  desc.dataset = f->dataset ? forces : &one;
  desc.dataset_count = f->dataset ? 3 : 1;
  desc.attribute = more;
  desc.attribute_count = f->dataset ? 12 : 0;
  mfft_box box = mfft_box_whole(f->n);
  mfft_field_file file = NULL;
  CHECK_OK(mfft_field_create(MPI_COMM_SELF, path, &desc, &file));
  for (int d = 0; d < desc.dataset_count; d++) CHECK_OK(mfft_field_put(file, d, &box, MFFT_DOUBLE, f->values));
  CHECK_OK(mfft_field_commit(&file));
}

/* The field of `from` as another program stores it: packed, in an older format, with or without the checksums. */
static void make_other(const sound_file *f, const char *from, const char *to) {
  const hsize_t chunk[3] = {5, 16, 8};
  const H5F_libver_t format = f->foreign ? H5F_LIBVER_EARLIEST : H5F_LIBVER_V110;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), layout = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_libver_bounds(access, format, H5F_LIBVER_V110);
  if (f->packed) H5Pset_chunk(layout, 3, chunk), H5Pset_shuffle(layout), H5Pset_deflate(layout, 4);
  if (f->packed && !f->foreign) H5Pset_fletcher32(layout);
  hid_t in = H5Fopen(from, H5F_ACC_RDONLY, H5P_DEFAULT), out = H5Fcreate(to, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  make_foreign(out, "f", f->precision == MFFT_SINGLE ? H5T_IEEE_F32LE : H5T_IEEE_F64BE, f->rank, f->n, layout);
  if (!f->foreign)
    CHECK(H5Ocopy(in, "Checksum", out, "Checksum", H5P_DEFAULT, H5P_DEFAULT) >= 0, "the checksums cannot be copied");
  CHECK(H5Ocopy(in, "Header", out, "Header", H5P_DEFAULT, H5P_DEFAULT) >= 0, "the header cannot be copied");
  H5Pclose(access), H5Pclose(layout), H5Fclose(in);
  CHECK(H5Fclose(out) >= 0, "%s", to);
}

/* Everything in the file except contiguous values; zeros now and then. */
static void find_places(sound_file *f) {
  static const char *const names[] = {"f", "phi", "forces/x", "forces/y"};
  unsigned char *value = calloc(1, (size_t)f->bytes);
  hid_t file = H5Fopen(f->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (f->dataset ? i == 0 : i > 0) continue;
    hid_t object = H5Dopen2(file, names[i], H5P_DEFAULT);
    const haddr_t offset = H5Dget_offset(object);
    if (offset != HADDR_UNDEF) memset(value + offset, 1, (size_t)H5Dget_storage_size(object));
    H5Dclose(object);
  }
  H5Fclose(file);
  f->places = malloc((size_t)f->bytes * sizeof *f->places);
  for (long i = 0; i < f->bytes; i++)
    if (!value[i] && (f->content[i] || i % 16 == 0)) f->places[f->nplaces++] = i;
  free(value);
}

static void make_file(sound_file *f) {
  static const char *const plain = "flips-plain.h5";
  const int other = f->packed || f->foreign;
  mfft_box box = mfft_box_whole(f->n);
  f->values = filled_array(&box, MFFT_DOUBLE);
  write_file(f, other ? plain : f->path);
  if (other) make_other(f, plain, f->path);
  mfft_field_info_init(&f->info);
  CHECK_OK(mfft_field_query(MPI_COMM_SELF, f->path, f->dataset, &f->info));
  CHECK(f->info.checksummed == !f->foreign && f->info.has_box_size && f->info.contiguous == !f->packed, "%s", f->path);
  f->content = file_bytes(f->path, &f->bytes);
  CHECK(f->bytes > 0 && f->bytes < MOST_BYTES / 2, "%s has %ld bytes", f->path, f->bytes);
  find_places(f);
}

/* ---- Damage ---------------------------------------------------------------------------------------------------------- */

typedef struct damaged {
  unsigned char *content; /* [bytes], of MOST_BYTES */
  long bytes;
} damaged;

/* An offset in the file: every other one in the metadata. */
static long draw_place(fuzz_try *t, const sound_file *f) {
  return fuzz_draw(t, 2) ? f->places[fuzz_draw(t, f->nplaces)] : (long)fuzz_draw(t, f->bytes);
}
/* 1 .. most, small and large numbers with equal probability. */
static long draw_length(fuzz_try *t, long most) {
  const long length = (long)exp2((test_random(&t->state) + 0.5) * log2((double)most + 1));
  return length > most ? most : length;
}
static long least(long a, long b) { return a < b ? a : b; }
static unsigned char draw_byte(fuzz_try *t) { return (unsigned char)fuzz_draw(t, 256); }

static void one_bit(fuzz_try *t, const sound_file *f, damaged *d) {
  const long at = draw_place(t, f);
  d->content[at] ^= (unsigned char)(1 << fuzz_draw(t, 8));
}
static void few_bytes(fuzz_try *t, const sound_file *f, damaged *d) {
  for (long i = 1 + (long)fuzz_draw(t, 16); i > 0; i--) {
    const long at = draw_place(t, f);
    d->content[at] = draw_byte(t);
  }
}
static void run_of_bytes(fuzz_try *t, const sound_file *f, damaged *d) {
  const long at = draw_place(t, f), end = at + least(draw_length(t, 4096), d->bytes - at);
  for (long i = at; i < end; i++) d->content[i] = draw_byte(t);
}
static void same_bytes(fuzz_try *t, const sound_file *f, damaged *d, int byte) {
  const long at = draw_place(t, f);
  memset(d->content + at, byte, (size_t)least(draw_length(t, 8192), d->bytes - at));
}
static void zeroed(fuzz_try *t, const sound_file *f, damaged *d) { same_bytes(t, f, d, 0); }
static void all_ones(fuzz_try *t, const sound_file *f, damaged *d) { same_bytes(t, f, d, 0xff); }
static void cut(fuzz_try *t, const sound_file *f, damaged *d) { d->bytes = draw_place(t, f); }
static void cut_and_filled(fuzz_try *t, const sound_file *f, damaged *d) {
  const long at = draw_place(t, f);
  memset(d->content + at, 0, (size_t)(d->bytes - at));
}
static void swapped(fuzz_try *t, const sound_file *f, damaged *d) {
  const long size = draw_length(t, d->bytes / 3), blocks = d->bytes / size;
  const long a = (long)fuzz_draw(t, blocks) * size, b = (long)fuzz_draw(t, blocks) * size;
  memcpy(d->content + a, f->content + b, (size_t)size);
  memcpy(d->content + b, f->content + a, (size_t)size);
}
static void copied(fuzz_try *t, const sound_file *f, damaged *d) {
  const long from = draw_place(t, f), to = draw_place(t, f), size = draw_length(t, 8192);
  memmove(d->content + to, f->content + from, (size_t)least(size, d->bytes - (from > to ? from : to)));
}
static void inserted(fuzz_try *t, const sound_file *f, damaged *d) {
  const long at = draw_place(t, f), size = draw_length(t, 4096);
  memmove(d->content + at + size, d->content + at, (size_t)(d->bytes - at));
  for (long i = 0; i < size; i++) d->content[at + i] = fuzz_draw(t, 2) ? 0 : draw_byte(t);
  d->bytes += size;
}
static void removed(fuzz_try *t, const sound_file *f, damaged *d) {
  const long at = draw_place(t, f), size = least(draw_length(t, 4096), d->bytes - at);
  memmove(d->content + at, d->content + at + size, (size_t)(d->bytes - at - size));
  d->bytes -= size;
}
static void appended(fuzz_try *t, const sound_file *f, damaged *d) {
  (void)f;
  for (long i = draw_length(t, 8192); i > 0; i--) d->content[d->bytes++] = draw_byte(t);
}

/* Changes from FIRST_MOVING on move bytes, also whole objects of HDF5 to where another one is expected. */
static void (*const damage[])(fuzz_try *, const sound_file *, damaged *) = {
    one_bit, few_bytes, run_of_bytes, zeroed, all_ones, cut, cut_and_filled, swapped, copied, inserted, removed, appended};
enum { FIRST_MOVING = 7 };
#define DAMAGE_NAMES(where)                                                                                     \
  "one bit flipped" where, "a few bytes changed" where, "a run of bytes changed" where, "a block zeroed" where, \
      "a block of ones" where, "cut short" where, "cut and filled up" where, "blocks exchanged" where,          \
      "a block copied over another" where, "bytes inserted" where, "bytes removed" where, "bytes appended" where
static const char *const damage_name[] = {DAMAGE_NAMES(""), DAMAGE_NAMES(", no checksums")};
enum { DAMAGES = sizeof damage / sizeof *damage };

/* ---- Reading --------------------------------------------------------------------------------------------------------- */

static mfft_box draw_box(fuzz_try *t, const int64_t n[3]) {
  mfft_box box = mfft_box_whole(n);
  for (int a = 0; a < 3; a++) {
    box.lo[a] = fuzz_draw(t, n[a]);
    box.hi[a] = box.lo[a] + 1 + fuzz_draw(t, n[a] - box.lo[a]);
  }
  return box;
}

/* The box at once, or plane by plane. */
static mfft_status read_box(const sound_file *f, const mfft_box *box, mfft_precision precision, int parts, char *values) {
  const char *dataset = f->dataset;
  if (!parts) return mfft_field_read(MPI_COMM_SELF, bad, dataset, box, precision, values, 0);
  mfft_field_reading reading = NULL;
  mfft_status status = mfft_field_read_begin(MPI_COMM_SELF, bad, dataset, box, precision, 0, &reading);
  if (status != MFFT_SUCCESS) return status;
  mfft_box part = *box;
  const int64_t plane = mfft_box_count(box) / (box->hi[0] - box->lo[0]) * (precision == MFFT_SINGLE ? 4 : 8);
  for (part.lo[0] = box->lo[0]; part.lo[0] < box->hi[0] && status == MFFT_SUCCESS; part.lo[0]++) {
    part.hi[0] = part.lo[0] + 1;
    status = mfft_field_read_part(reading, &part, values + (part.lo[0] - box->lo[0]) * plane);
  }
  const mfft_status end = mfft_field_read_end(&reading);
  return status == MFFT_SUCCESS ? end : status;
}

static void check_info(fuzz_try *t, const sound_file *f, const mfft_field_info *info) {
  const mfft_field_info *want = &f->info;
  if (strcmp(info->dataset, want->dataset) || info->rank != want->rank || memcmp(info->n, want->n, sizeof info->n) ||
      info->precision != want->precision || info->big_endian != want->big_endian || !info->checksummed)
    fuzz_wrong(t, "%s: another dataset, shape or type, or no checksums", f->path);
  else if (info->has_box_size != want->has_box_size || memcmp(info->box_size, want->box_size, sizeof info->box_size) ||
           info->has_redshift != want->has_redshift || info->redshift != want->redshift || strcmp(info->units, want->units))
    fuzz_wrong(t, "%s: box %d %g %g %g redshift %d %g units \"%s\"", f->path, info->has_box_size, info->box_size[0],
               info->box_size[1], info->box_size[2], info->has_redshift, info->redshift, info->units);
}

static int open_files(void) {
  int count = 0;
  for (int fd = 0; fd < 256; fd++) count += fcntl(fd, F_GETFD) >= 0;
  return count;
}

/* A damaged copy of one of the files under the name `bad`. */
static const sound_file *make_bad(fuzz_try *t) {
  static unsigned char content[MOST_BYTES];
  const sound_file *f = &files[fuzz_draw(t, FILES)];
  damaged d = {content, f->bytes};
  const int kind = fuzz_draw(t, 3) ? (int)fuzz_draw(t, DAMAGES) : 0; /* single bits more often */
  fuzz_set_row(t, kind + (f->foreign ? DAMAGES : 0));
  memcpy(content, f->content, (size_t)f->bytes);
  damage[kind](t, f, &d);
  FILE *file = fopen(bad, "wb");
  if (!file || fwrite(content, 1, (size_t)d.bytes, file) != (size_t)d.bytes || fclose(file) != 0) _exit(3);
  return f;
}

static int attempt(fuzz_try *t) {
  const sound_file *f = make_bad(t);
  const int before = open_files();
  mfft_field_info info;
  mfft_field_info_init(&info);
  const mfft_status looked = mfft_field_query(MPI_COMM_SELF, bad, f->dataset, &info);
  if (looked == MFFT_SUCCESS && !f->foreign) check_info(t, f, &info);
  const mfft_precision precision = fuzz_draw(t, 2) ? MFFT_SINGLE : MFFT_DOUBLE;
  const mfft_box box = fuzz_draw(t, 2) ? mfft_box_whole(f->n) : draw_box(t, f->n);
  const int parts = fuzz_one_in(t, 4);
  void *values = new_array(&box, precision);
  const mfft_status status = read_box(f, &box, precision, parts, values);
  const int64_t wrong = status == MFFT_SUCCESS ? wrong_values(&box, precision, values) : 0;
  free(values);
  if (status == MFFT_SUCCESS && looked != MFFT_SUCCESS)
    fuzz_wrong(t, "%s: it can be read, but looking at it says %s", f->path, mfft_strerror(looked));
  if (wrong && !f->foreign) fuzz_wrong(t, "%s: %lld wrong values without an error", f->path, (long long)wrong);
  if (status != MFFT_SUCCESS && status != MFFT_ERR_CORRUPT && t->row < FIRST_MOVING)
    fuzz_wrong(t, "%s: a damaged file is answered by %s: %s", f->path, mfft_strerror(status), mfft_last_error());
  if (status != MFFT_SUCCESS && !strstr(mfft_last_error(), bad))
    fuzz_wrong(t, "%s: the message does not name the file: %s", f->path, mfft_last_error());
  if (open_files() > before) fuzz_wrong(t, "%s: a file stays open after %s", f->path, mfft_strerror(status));
  return wrong ? FUZZ_UNSEEN : (int)status;
}

int main(int argc, char **argv) {
  static const fuzz_harness harness = {.name = "flips",
                                       .row = damage_name,
                                       .rows = 2 * DAMAGES,
                                       .seconds = 20,
                                       .memory = (size_t)3 << 30,
                                       .attempt = attempt};
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0); /* without mpirun, many at once */
  setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  MPI_Init(&argc, &argv);
  for (int i = 0; i < FILES; i++) make_file(&files[i]);
  if (!test_failures) fuzz_main(&harness, 2000, argc, argv);
  for (int i = 0; i < FILES; i++) free(files[i].values), free(files[i].content), free(files[i].places);
  int failed = test_end();
  MPI_Finalize();
  return failed;
}
