// TEST
/* Block copies of both host backends: random blocks of any element size against a loop in the test; nothing outside the
 * block changes. */
#include "check.h"
#include "local/backend.h"

static int64_t pick(uint64_t *state, int64_t count) { return (int64_t)((test_random(state) + 0.5) * (double)count); }

/* Strides of a packed array whose axes lie in a random order, each axis with space for up to two more elements. */
static int64_t spread(uint64_t *state, const int64_t n[4], int64_t stride[4]) {
  int order[4] = {0};
  int64_t next = 1;
  for (int i = 0; i < 4; i++) {
    int at = (int)pick(state, i + 1);
    order[i] = order[at];
    order[at] = i;
  }
  for (int i = 0; i < 4; i++) {
    stride[order[i]] = next;
    next *= n[order[i]] + (pick(state, 2) ? 0 : pick(state, 3));
  }
  return next;
}

static void one(uint64_t *state, const mfft_backend *backend) {
  static const int64_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 100, 4096};
  const int64_t bytes = sizes[pick(state, sizeof sizes / sizeof *sizes)];
  mfft_block block = {.in_offset = pick(state, 4), .out_offset = pick(state, 4)};
  const int64_t limit = bytes > 100 ? 3 : 2 + pick(state, 40);
  for (int a = 0; a < 4; a++) block.n[a] = pick(state, 3) ? 1 + pick(state, a == 0 ? 3 : limit) : 1;
  const int64_t in_count = block.in_offset + spread(state, block.n, block.is);
  const int64_t out_count = block.out_offset + spread(state, block.n, block.os);
  unsigned char *in = malloc((size_t)(in_count * bytes)), *out = malloc((size_t)(out_count * bytes));
  unsigned char *want = malloc((size_t)(out_count * bytes));
  for (int64_t i = 0; i < in_count * bytes; i++) in[i] = (unsigned char)(int)(test_random(state) * 256);
  memset(out, 0xa5, (size_t)(out_count * bytes));
  memset(want, 0xa5, (size_t)(out_count * bytes));
  int64_t i[4];
  for (i[0] = 0; i[0] < block.n[0]; i[0]++)
    for (i[1] = 0; i[1] < block.n[1]; i[1]++)
      for (i[2] = 0; i[2] < block.n[2]; i[2]++)
        for (i[3] = 0; i[3] < block.n[3]; i[3]++) {
          int64_t from = block.in_offset, to = block.out_offset;
          for (int a = 0; a < 4; a++) from += i[a] * block.is[a], to += i[a] * block.os[a];
          memcpy(want + to * bytes, in + from * bytes, (size_t)bytes);
        }
  CHECK_OK(backend->copy(&block, 1, bytes, in, out, NULL));
  CHECK(memcmp(out, want, (size_t)(out_count * bytes)) == 0, "%s: %lldx%lldx%lldx%lld of %lld bytes", backend->name,
        (long long)block.n[0], (long long)block.n[1], (long long)block.n[2], (long long)block.n[3], (long long)bytes);
  free(in);
  free(out);
  free(want);
}

int main(void) {
  static const char *const name[] = {"fftw", "ref"};
  for (int b = 0; b < 2; b++) {
    const mfft_backend *backend = NULL;
    uint64_t state = 111;
    CHECK_OK(mfft_backend_find(name[b], &backend));
    for (int i = 0; i < 1500 && backend; i++) one(&state, backend);
  }
  return test_end();
}
