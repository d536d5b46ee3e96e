// TEST ranks=1,2 labels=dist
/* Arrays beyond any memory are refused before anything is allocated: boxes, batches and elements beyond 2^58 together.  If
 * an exchange cannot be divided into as many chunks as requested, it has as many as possible. */
#include "check.h"
#include "mfft_mpi.h"

static int rank, ranks;

static void refused(const mfft_exchange_desc *d, const char *words) {
  mfft_exchange x = NULL;
  CHECK_FAILS(mfft_exchange_create(MPI_COMM_WORLD, d, NULL, &x), MFFT_ERR_ARG, words);
  CHECK(!x, "a failed call set its output");
  mfft_exchange_destroy(x);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int64_t huge = INT64_C(1) << 32;
  mfft_exchange_desc whole, d;
  mfft_exchange_desc_init(&whole);
  whole.element_bytes = 4;
  whole.from = (mfft_box){{4 * rank, 0, 0}, {4 * rank + 4, 3, 2}, {0, 1, 2}};
  whole.to = (mfft_box){{4 * (ranks - 1 - rank), 0, 0}, {4 * (ranks - rank), 3, 2}, {2, 0, 1}};

  d = whole;
  if (rank == 0) d.to = (mfft_box){{0, 0, 0}, {huge, huge, 1}, {0, 1, 2}}; /* 2^64 elements: 0 of them in 64 bits */
  refused(&d, "desc.to");
  d = whole;
  if (rank == 0) d.from = (mfft_box){{-INT64_MAX, 0, 0}, {INT64_MAX, 3, 2}, {0, 1, 2}};
  refused(&d, "desc.from");
  d = whole;
  d.batch = INT64_MAX;
  refused(&d, "desc.batch");
  d = whole;
  d.element_bytes = 4096;
  d.batch = INT64_C(1) << 50;
  refused(&d, "desc.batch");

  /* Axis 0 has 4 planes, a batch of 1 and one of 3. */
  for (int batch = 1; batch <= 3; batch += 2) {
    mfft_exchange x = NULL;
    float in[3][4][3][2], out[3][3][2][4]; /* [batch] as the boxes are stored */
    d = whole;
    d.batch = batch;
    CHECK_OK(mfft_exchange_create(MPI_COMM_WORLD, &d,
                                  &(mfft_exchange_options){sizeof(mfft_exchange_options), .chunks = INT32_MAX}, &x));
    if (!x) continue;
    for (int b = 0; b < batch; b++)
      for (int i = 0; i < 24; i++) in[b][i / 6][i / 2 % 3][i % 2] = (float)(1000 * b + 100 * rank + i);
    CHECK_OK(mfft_exchange_execute(x, in, out));
    for (int b = 0; b < batch; b++)
      for (int i = 0; i < 24; i++) {
        const float want = (float)(1000 * b + 100 * (ranks - 1 - rank) + i),
                    got = ((float *)out)[24 * b + i % 2 * 12 + i / 2];
        CHECK(got == want, "batch %d element %d: %g, want %g", b, i, (double)got, (double)want);
      }
    mfft_exchange_destroy(x);
  }
  MPI_Finalize();
  return test_end();
}
