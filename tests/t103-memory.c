// TEST
/* One program for the memory of every backend: fill on the host, upload, transform, wait, download, compare.  It runs on
 * each backend that this machine can use, GPUs included. */
#include <unistd.h>

#include "check.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

enum { N = 24, FIRST = 7 };

/* A wave of frequency 5, transformed by a plan for which only the backend is chosen. */
static void wave(const char *backend) {
  mfft_desc desc;
  mfft_options options;
  mfft_desc_init(&desc);
  mfft_options_init(&options);
  desc.rank = 1;
  desc.n[0] = N;
  options.backend = backend;
  mfft_plan plan = NULL;
  mfft_memory memory = (mfft_memory)9;
  const char *name = NULL;
  double host[2 * N], back[2 * N];
  void *in = NULL, *out = NULL;
  for (int i = 0; i < N; i++) {
    host[2 * i] = cos(6.283185307179586 * 5 * i / N);
    host[2 * i + 1] = sin(6.283185307179586 * 5 * i / N);
  }
  CHECK_OK(mfft_plan_create(&desc, &options, &plan));
  CHECK_OK(mfft_plan_backend(plan, &name));
  CHECK_OK(mfft_plan_memory(plan, &memory));
  CHECK(name && strcmp(name, backend) == 0, "%s: the plan says %s", backend, name ? name : "NULL");
  CHECK(memory == (strcmp(backend, "cuda") ? MFFT_MEMORY_HOST : MFFT_MEMORY_DEVICE), "%s: memory %d", backend, (int)memory);
  CHECK_OK(mfft_memory_alloc(name, sizeof host, &in));
  CHECK_OK(mfft_memory_alloc(name, sizeof host, &out));
  CHECK(in && out && (uintptr_t)in % 64 == 0 && (uintptr_t)out % 64 == 0, "%s: %p and %p", backend, in, out);
  mfft_memory place = (mfft_memory)9;
  CHECK_OK(mfft_memory_locate(name, (char *)in + 17, &place));
  CHECK(place == memory, "%s: the array is in memory %d", backend, (int)place);
  CHECK_OK(mfft_memory_locate(name, host, &place));
  CHECK(place == MFFT_MEMORY_HOST, "%s: an array of the host is in memory %d", backend, (int)place);
  CHECK_OK(mfft_memory_upload(name, in, host, sizeof host));
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, in, out));
  CHECK_OK(mfft_plan_synchronize(plan));
  CHECK_OK(mfft_memory_download(name, back, out, sizeof back));
  for (int k = 0; k < N; k++)
    CHECK(fabs(back[2 * k] - (k == 5 ? N : 0)) < 1e-13 && fabs(back[2 * k + 1]) < 1e-13, "%s: X[%d] = %g %+gi", backend, k,
          back[2 * k], back[2 * k + 1]);
  CHECK_OK(mfft_memory_free(name, in));
  CHECK_OK(mfft_memory_free(name, out));
  mfft_plan_destroy(plan);
}

/* Copies of bytes at any address change those bytes only. */
static void pieces(const char *backend) {
  unsigned char host[100], back[102];
  void *array = NULL;
  for (int i = 0; i < 100; i++) host[i] = (unsigned char)(3 * i + 1);
  memset(back, 0xee, sizeof back);
  CHECK_OK(mfft_memory_alloc(backend, 100, &array));
  CHECK_OK(mfft_memory_upload(backend, array, host, 100));
  CHECK_OK(mfft_memory_upload(backend, (char *)array + FIRST, host + 50, 11));
  CHECK_OK(mfft_memory_upload(backend, array, host, 0));
  CHECK_OK(mfft_memory_copy(backend, (char *)array + 80, (char *)array + 3, 13));
  CHECK_OK(mfft_memory_download(backend, back + 1, array, 100));
  memcpy(host + FIRST, host + 50, 11);
  memcpy(host + 80, host + 3, 13);
  CHECK(memcmp(back + 1, host, 100) == 0 && back[0] == 0xee && back[101] == 0xee, "%s: bytes", backend);
  CHECK_OK(mfft_memory_free(backend, array));
}

/* Host memory for copies is accessible host memory. */
static void locked(const char *backend) {
  unsigned char *host = NULL, back[100];
  void *array = NULL;
  CHECK_OK(mfft_memory_alloc_host(backend, 100, (void **)&host));
  CHECK(host && (uintptr_t)host % 64 == 0, "%s: %p", backend, (void *)host);
  CHECK_OK(mfft_memory_alloc(backend, 100, &array));
  for (int i = 0; host && i < 100; i++) host[i] = (unsigned char)(7 * i);
  CHECK_OK(mfft_memory_upload(backend, array, host, 100));
  memset(host, 0, 100);
  CHECK_OK(mfft_memory_download(backend, host, array, 100));
  CHECK_OK(mfft_memory_download(backend, back, array, 100));
  for (int i = 0; i < 100; i++)
    CHECK(host[i] == (unsigned char)(7 * i) && back[i] == host[i], "%s: byte %d is %d", backend, i, host[i]);
  CHECK_OK(mfft_memory_free(backend, array));
  CHECK_OK(mfft_memory_free_host(backend, host));
  CHECK_OK(mfft_memory_free_host("abacus", NULL));
}

/* Parts of an array are copied through two buffers to the device and back, with more copies in progress than a queue has
 * entries. */
static void copies(const char *backend) {
  enum { PARTS = 21, PART = 300 };
  unsigned char *buffer[2] = {NULL, NULL}, want[PARTS * PART], got[PARTS * PART];
  void *array = NULL;
  mfft_copies queue = NULL;
  int64_t request[2] = {-1, -1}, last;
  double seconds = -1;
  CHECK_OK(mfft_memory_alloc(backend, sizeof want, &array));
  for (int i = 0; i < 2; i++) CHECK_OK(mfft_memory_alloc_host(backend, PART, (void **)&buffer[i]));
  CHECK_OK(mfft_copies_create(backend, &queue));
  for (size_t i = 0; i < sizeof want; i++) want[i] = (unsigned char)(11 * i + i / 256);
  for (int i = 0; i < PARTS; i++) {
    if (request[i % 2] >= 0) CHECK_OK(mfft_copies_wait(queue, request[i % 2]));
    memcpy(buffer[i % 2], want + i * PART, PART);
    CHECK_OK(mfft_copies_start(queue, (char *)array + i * PART, buffer[i % 2], PART, &request[i % 2]));
  }
  CHECK_OK(mfft_copies_wait(queue, request[(PARTS - 1) % 2]));
  CHECK_OK(mfft_copies_wait(queue, 0)); /* again, long after */
  CHECK_OK(mfft_memory_download(backend, got, array, sizeof got));
  CHECK(!memcmp(got, want, sizeof got), "%s: parts do not arrive", backend);

  for (int i = 0; i < PARTS;
       i++) { /* 15 parts go to the first buffer, the others to the second: the last part of each remains */
    CHECK_OK(mfft_copies_start(queue, buffer[i > 14], (char *)array + i * PART, PART, &last));
    CHECK(last == PARTS + i, "%s: request %d is %d", backend, PARTS + i, (int)last);
  }
  CHECK_OK(mfft_copies_wait(queue, last));
  CHECK(!memcmp(buffer[0], want + 14 * PART, PART) && !memcmp(buffer[1], want + 20 * PART, PART), "%s: not in order",
        backend);
  CHECK_OK(mfft_copies_seconds(queue, &seconds));
  CHECK(seconds >= 0 && seconds < 10, "%s: %g s", backend, seconds);
  CHECK_OK(mfft_copies_start(queue, NULL, NULL, 0, &last));
  CHECK_FAILS(mfft_copies_start(queue, NULL, array, 1, &last), MFFT_ERR_ARG, "to is NULL; 1 bytes");
  CHECK_FAILS(mfft_copies_start(queue, array, NULL, 1, &last), MFFT_ERR_ARG, "from is NULL");
  CHECK_FAILS(mfft_copies_wait(queue, last + 1), MFFT_ERR_ARG, "copies have been started");
  CHECK_OK(mfft_copies_start(queue, array, buffer[0], PART, &last));
  mfft_copies_destroy(queue); /* waits */
  for (int i = 0; i < 2; i++) CHECK_OK(mfft_memory_free_host(backend, buffer[i]));
  CHECK_OK(mfft_memory_free(backend, array));
}

static void refusals(void) {
  char byte = 0;
  void *pointer = &byte;
  mfft_memory memory;
  const char *name;
  CHECK_FAILS(mfft_memory_alloc("fftw", 8, NULL), MFFT_ERR_ARG, "pointer is NULL");
  CHECK_FAILS(mfft_memory_alloc("abacus", 8, &pointer), MFFT_ERR_ARG, "backend is \"abacus\"");
  CHECK(pointer == &byte, "a failed mfft_memory_alloc wrote its output");
  CHECK_FAILS(mfft_memory_free("abacus", pointer), MFFT_ERR_ARG, "abacus");
  CHECK_OK(mfft_memory_free("abacus", NULL));
  CHECK_FAILS(mfft_memory_alloc_host("fftw", 8, NULL), MFFT_ERR_ARG, "pointer is NULL");
  CHECK_FAILS(mfft_memory_free_host("abacus", pointer), MFFT_ERR_ARG, "abacus");
  CHECK_FAILS(mfft_memory_locate("fftw", NULL, &memory), MFFT_ERR_ARG, "pointer is NULL");
  CHECK_FAILS(mfft_memory_locate("fftw", &byte, NULL), MFFT_ERR_ARG, "memory is NULL");
  CHECK_FAILS(mfft_memory_upload("fftw", NULL, &byte, 1), MFFT_ERR_ARG, "device is NULL; 1 bytes");
  CHECK_FAILS(mfft_memory_upload("fftw", &byte, NULL, 1), MFFT_ERR_ARG, "host is NULL");
  CHECK_FAILS(mfft_memory_download("fftw", NULL, &byte, 1), MFFT_ERR_ARG, "host is NULL");
  CHECK_FAILS(mfft_memory_download("fftw", &byte, NULL, 1), MFFT_ERR_ARG, "device is NULL");
  CHECK_FAILS(mfft_memory_copy("fftw", NULL, &byte, 1), MFFT_ERR_ARG, "to is NULL");
  CHECK_FAILS(mfft_copies_create("abacus", NULL), MFFT_ERR_ARG, "copies is NULL");
  CHECK_FAILS(mfft_copies_wait(NULL, 0), MFFT_ERR_ARG, "copies is NULL");
  mfft_copies_destroy(NULL);
  CHECK_FAILS(mfft_plan_synchronize(NULL), MFFT_ERR_ARG, "plan is NULL");
  CHECK_FAILS(mfft_plan_memory(NULL, &memory), MFFT_ERR_ARG, "plan is NULL");
  CHECK_FAILS(mfft_plan_backend(NULL, &name), MFFT_ERR_ARG, "plan is NULL");
}

static size_t resident_bytes(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file && fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
  if (file) fclose(file);
  return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* A plan that needs much memory is created without touching that memory, which would take seconds. */
static void untouched(const char *backend) {
  enum { BATCH = 1 << 28, MOST_BYTES = 256 << 20 };
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  size_t work = 0;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = 1;
  d.kind = MFFT_R2C;
  d.precision = MFFT_BFLOAT16;
  d.batch = BATCH;
  d.filtered = 1 << MFFT_BACKWARD;
  options.effort = MFFT_ESTIMATE;
  options.backend = backend;
  const size_t before = resident_bytes();
  const mfft_status status = mfft_plan_create(&d, &options, &plan);
  if (status != MFFT_SUCCESS) {
    CHECK(status == MFFT_ERR_MEMORY, "%s", mfft_last_error());
    return;
  }
  const size_t after = resident_bytes();
  CHECK_OK(mfft_plan_workspace_bytes(plan, &work));
  CHECK(work > MOST_BYTES && after < before + MOST_BYTES, "%s: of a workspace of %zu bytes %zu are touched", backend, work,
        after - before);
  mfft_plan_destroy(plan);
}

int main(void) {
  for (int i = 0; mfft_backend_name(i); i++) {
    if (!mfft_backend_usable(mfft_backend_name(i), NULL, 0)) continue;
    wave(mfft_backend_name(i));
    pieces(mfft_backend_name(i));
    locked(mfft_backend_name(i));
    copies(mfft_backend_name(i));
  }
  untouched("ref");
  untouched("fftw");
  setenv("MFFT_BACKEND", "ref", 1); /* NULL means what it means in a descriptor */
  void *pointer = NULL;
  CHECK_OK(mfft_memory_alloc(NULL, 8, &pointer));
  CHECK_OK(mfft_memory_free(NULL, pointer));
  refusals();
  return test_end();
}
