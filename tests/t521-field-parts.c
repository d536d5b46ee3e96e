// TEST ranks=1,2,3,5 labels=field
// TEST ranks=1,3 labels=field env=MFFT_IO_THREADS=4
// Fields written and read part by part: the same file and the same values as in one piece, for every division; parts that
// are missing, too large or fail on one rank give errors on all; the checksums of what a rank has put and read.
#include "base/checksum.h"
#include "field.h"

static const int64_t n[3] = {9, 10, 11};

/* Part i of 6 of a box: 3 divisions of its slowest axis, 2 of the next. */
static mfft_box part_of(const mfft_box *box, int i) {
  mfft_box part = *box;
  const int slow = box->order[0], next = box->order[1];
  const int64_t rows = mfft_box_extent(box, slow), columns = mfft_box_extent(box, next);
  part.lo[slow] = box->lo[slow] + mfft_part(rows, i / 2, 3), part.hi[slow] = box->lo[slow] + mfft_part(rows, i / 2 + 1, 3);
  part.lo[next] = box->lo[next] + mfft_part(columns, i % 2, 2);
  part.hi[next] = box->lo[next] + mfft_part(columns, i % 2 + 1, 2);
  return part;
}

/* The checksums of both, of all parts of a box of planes. */
static void check_sums(field_cut cut, mfft_precision stored, const mfft_box *box, uint64_t put, uint64_t read) {
  CHECK(put == read, "cut %d: checksum %016llx was put, %016llx read", cut, (unsigned long long)put,
        (unsigned long long)read);
  if (cut != CUT_SLABS) return;
  void *values = filled_array(box, stored);
  const uint64_t want = mfft_checksum(values, stored == MFFT_SINGLE ? 4 : 8, box->lo[0] * n[1] * n[2], mfft_box_count(box));
  CHECK(put == want, "checksum %016llx, want %016llx", (unsigned long long)put, (unsigned long long)want);
  free(values);
}

static void same(field_cut cut, mfft_precision stored, mfft_precision memory) {
  mfft_field_desc desc = desc_of_f(3, n, stored);
  mfft_box box = cut_box(cut, n, world_rank(), world_size());
  mfft_field_file file = NULL;
  mfft_field_reading reading = NULL;
  void *values = filled_array(&box, memory);
  uint64_t put = 0, read = 0;
  if (!(box.order[0] + box.order[1] + box.order[2])) box.order[1] = 1, box.order[2] = 2;
  CHECK_OK(mfft_field_write(MPI_COMM_WORLD, "whole.h5", &desc, &box, memory, values));
  CHECK_OK(mfft_field_create(MPI_COMM_WORLD, "parts.h5", &desc, &file));
  CHECK_OK(mfft_field_put_begin(file, 0, &box, memory));
  for (int i = 5; i >= 0; i--) {
    mfft_box part = part_of(&box, i);
    void *piece = filled_array(&part, memory);
    CHECK_OK(mfft_field_put_part(file, &part, piece));
    free(piece);
  }
  CHECK_OK(mfft_field_put_checksum(file, &put));
  CHECK_OK(mfft_field_put_end(file));
  CHECK_FAILS(mfft_field_put_checksum(file, &put), MFFT_ERR_STATE, "no dataset of");
  CHECK_OK(mfft_field_commit(&file));
  if (world_rank() == 0) CHECK(same_content("whole.h5", "parts.h5"), "cut %d: other files", cut);

  CHECK_OK(mfft_field_read_begin(MPI_COMM_WORLD, "whole.h5", "f", &box, memory, 0, &reading));
  const size_t element = memory == MFFT_SINGLE ? 4 : 8;
  for (int i = 0; i < 6; i++) {
    mfft_box part = part_of(&box, i);
    void *want = filled_array(&part, memory);
    unsigned char *got = malloc((size_t)mfft_box_count(&part) * element + 1);
    got[(size_t)mfft_box_count(&part) * element] = 77;
    CHECK_OK(mfft_field_read_part(reading, &part, got));
    CHECK(!memcmp(got, want, (size_t)mfft_box_count(&part) * element), "cut %d part %d: other values", cut, i);
    CHECK(got[(size_t)mfft_box_count(&part) * element] == 77, "cut %d part %d: after the array", cut, i);
    free(want);
    free(got);
  }
  CHECK_OK(mfft_field_read_checksum(reading, &read));
  check_sums(cut, stored, &box, put, read);
  CHECK_OK(mfft_field_read_end(&reading));
  CHECK(reading == NULL, "freed");
  free(values);
}

/* Failures of reading: a box that is not read whole, a part outside, both on the last rank alone. */
static void bad_reading(void) {
  mfft_box box = cut_box(CUT_SLABS, n, world_rank(), world_size());
  mfft_field_reading reading = NULL;
  const int last = world_rank() == world_size() - 1;
  double *values = malloc(sizeof(double) * 1000);
  CHECK_OK(mfft_field_read_begin(MPI_COMM_WORLD, "whole.h5", "f", &box, MFFT_DOUBLE, 0, &reading));
  mfft_box part = box;
  part.hi[2] -= last;
  CHECK_OK(mfft_field_read_part(reading, &part, values));
  CHECK_FAILS(mfft_field_read_end(&reading), MFFT_ERR_STATE, "values of a box of dataset f have been read");
  CHECK_OK(mfft_field_read_begin(MPI_COMM_WORLD, "whole.h5", "f", &box, MFFT_DOUBLE, 0, &reading));
  if (last) {
    part.hi[0]++;
    part.hi[0] = part.hi[0] > n[0] ? n[0] : part.hi[0];
    part.lo[0] = 0, part.lo[1] = -1;
    CHECK_FAILS(mfft_field_read_part(reading, &part, values), MFFT_ERR_ARG, "[-1,");
    CHECK_FAILS(mfft_field_read_part(reading, &box, values), MFFT_ERR_STATE, "failed before");
  } else
    CHECK_OK(mfft_field_read_part(reading, &box, values));
  CHECK_FAILS(mfft_field_read_end(&reading), MFFT_ERR_ARG, "");
  CHECK(reading == NULL, "freed");
  CHECK_OK(mfft_field_read_end(&reading));
  CHECK_FAILS(mfft_field_read_begin(MPI_COMM_WORLD, "whole.h5", "g", &box, MFFT_DOUBLE, 0, &reading), MFFT_ERR_ARG, "g");
  CHECK_FAILS(mfft_field_read_part(NULL, &box, values), MFFT_ERR_ARG, "reading is NULL");
  free(values);
}

/* Failures of writing: no file remains. */
static void bad_putting(void) {
  mfft_field_desc desc = desc_of_f(3, n, MFFT_DOUBLE);
  mfft_box box = cut_box(CUT_SLABS, n, world_rank(), world_size());
  mfft_field_file file = NULL;
  const int last = world_rank() == world_size() - 1;
  double *values = filled_array(&box, MFFT_DOUBLE);
  for (int fault = 0; fault < 3; fault++) {
    mfft_box part = box;
    CHECK_OK(mfft_field_create(MPI_COMM_WORLD, "bad.h5", &desc, &file));
    if (fault == 0) CHECK_FAILS(mfft_field_put_part(file, &part, values), MFFT_ERR_STATE, "no dataset");
    CHECK_OK(mfft_field_put_begin(file, 0, &box, MFFT_DOUBLE));
    if (fault == 1 && last) part.hi[1]--;
    if (fault == 2 && last) part.hi[2]++;
    if (fault < 2) CHECK_OK(mfft_field_put_part(file, &part, values));
    if (fault == 2 && last) CHECK_FAILS(mfft_field_put_part(file, &part, values), MFFT_ERR_ARG, "axis 2");
    if (fault == 2 && !last) CHECK_OK(mfft_field_put_part(file, &part, values));
    if (fault == 0) CHECK_FAILS(mfft_field_put_begin(file, 0, &box, MFFT_DOUBLE), MFFT_ERR_STATE, "still being put");
    if (fault == 1) CHECK_FAILS(mfft_field_put_end(file), MFFT_ERR_STATE, "have been put");
    if (fault == 2) CHECK_FAILS(mfft_field_put_end(file), MFFT_ERR_ARG, "axis 2");
    CHECK_FAILS(mfft_field_commit(&file), MFFT_ERR_STATE, "failed before");
    CHECK(file == NULL && !there_is("bad.h5") && !there_is("bad.h5.mfft-partial"), "fault %d leaves a file", fault);
  }
  free(values);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (field_cut cut = 0; cut < CUT_COUNT; cut++) {
    same(cut, MFFT_DOUBLE, MFFT_DOUBLE);
    same(cut, MFFT_SINGLE, MFFT_DOUBLE);
    same(cut, MFFT_DOUBLE, MFFT_SINGLE);
  }
  same(CUT_SLABS, MFFT_DOUBLE, MFFT_DOUBLE);
  bad_reading();
  bad_putting();
  MPI_Finalize();
  return test_end();
}
