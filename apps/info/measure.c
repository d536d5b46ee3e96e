/* measure.c: see measure.h. */
#include "info/measure.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/collective.h"
#include "cli/environment.h"
#include "cli/nodes.h"
#include "cli/report.h"
#include "info/machine.h"
#include "info/measure_links.h"
#include "info/measure_samples.h"
#include "io/save.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"

const mfft_file_kind mfft_machine_kind = {"a machine of mergefft", "mergefft machine", 16, 1, 0};

typedef struct job {
  const char *backend;
  double seconds; /* for the samples of one number */
  int host_memory;
  mfft_app_nodes nodes;
  mfft_machine_text out;
} job;

/* ---- Memory and transforms ---- */

typedef struct copy {
  const job *j;
  void *from, *to;
  size_t bytes;
} copy;

static mfft_status run_copy(void *context) {
  const copy *c = context;
  return mfft_memory_copy(c->j->backend, c->to, c->from, c->bytes);
}

static mfft_status measure_memory(job *j) {
  copy c = {.j = j, .bytes = (size_t)(j->host_memory ? 64 : 1024) << 20};
  double seconds = NAN;
  mfft_status status = mfft_memory_alloc(j->backend, c.bytes, &c.from);
  if (status == MFFT_SUCCESS) status = mfft_memory_alloc(j->backend, c.bytes, &c.to);
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) status = mfft_measure_samples(run_copy, &c, j->seconds, &seconds);
  mfft_memory_free(j->backend, c.from);
  mfft_memory_free(j->backend, c.to);
  j->out.machine.memory_bandwidth = 2 * (double)c.bytes / seconds;
  return status;
}

typedef struct transform {
  mfft_plan plan;
  void *array[2]; /* [side] */
} transform;

static mfft_status run_transform(void *context) {
  const transform *t = context;
  const mfft_status status = mfft_execute(t->plan, MFFT_FORWARD, t->array[MFFT_IN], t->array[MFFT_OUT]);
  return status == MFFT_SUCCESS ? mfft_plan_synchronize(t->plan) : status;
}

/* Seconds of a local forward transform of these lengths along these axes, and the bytes of its output. */
static mfft_status time_transform(const job *j, mfft_kind kind, mfft_precision precision, const int64_t n[3], unsigned axes,
                                  double *seconds, double *bytes) {
  transform t = {.plan = NULL};
  mfft_desc desc;
  mfft_options options;
  size_t size[2] = {0}; /* [side] bytes */
  mfft_desc_init(&desc);
  mfft_options_init(&options);
  memcpy(desc.n, n, sizeof desc.n);
  desc.axes = axes;
  desc.kind = kind;
  desc.precision = precision;
  options.backend = j->backend;
  options.time_limit = 1;
  mfft_status status = mfft_plan_create(&desc, &options, &t.plan);
  for (int side = 0; side < 2 && status == MFFT_SUCCESS; side++) {
    status = mfft_plan_bytes(t.plan, side, &size[side]);
    if (status == MFFT_SUCCESS) status = mfft_memory_alloc(j->backend, size[side], &t.array[side]);
  }
  if (status == MFFT_SUCCESS && j->host_memory)
    memset(t.array[MFFT_IN], 0, size[MFFT_IN]); /* on the host denormal numbers would be slow */
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) status = mfft_measure_samples(run_transform, &t, j->seconds, seconds);
  mfft_plan_destroy(t.plan);
  for (int side = 0; side < 2; side++) mfft_memory_free(j->backend, t.array[side]);
  *bytes = (double)size[MFFT_OUT];
  return status;
}

/* Measures what bounds local transforms: operations a second on CPUs, passes over memory on GPUs. */
static mfft_status measure_flops(job *j) {
  enum { N = 128 };
  const int64_t n[3] = {N, N, N}; /* [axis] */
  mfft_status status = MFFT_SUCCESS;
  for (int p = 0; p < 2 && status == MFFT_SUCCESS; p++) {
    double seconds = NAN, bytes;
    status = time_transform(j, MFFT_C2C, p ? MFFT_SINGLE : MFFT_DOUBLE, n, 7, &seconds, &bytes);
    j->out.machine.flops[p] = 5.0 * N * N * N * log2((double)N * N * N) / seconds;
  }
  return status;
}

/* Passes over the output that a local forward transform of these lengths along these axes takes, in single. */
static mfft_status count_passes(const job *j, mfft_kind kind, const int64_t n[3], unsigned axes, double *passes) {
  double seconds = NAN, bytes = 0;
  const mfft_status status = time_transform(j, kind, MFFT_SINGLE, n, axes, &seconds, &bytes);
  *passes = seconds * j->out.machine.memory_bandwidth / (2 * bytes);
  return status;
}

/* The index of a length that the list has. */
static int index_of(const mfft_machine_pass *list, int64_t length) {
  int i = 0;
  while (list[i].n != length) i++;
  return i;
}

/* The passes of one strided axis of this length, from an array of three axes of which two have it: what all take less the
 * rows, halved, since a transform of several axes keeps parts of the array in the cache between them.  Long axes, which
 * would leave short rows, are measured alone. */
static mfft_status count_strided(const job *j, int64_t length, double *passes) {
  enum { ROW = 256 };
  static const int64_t elements = 1 << 28; /* of 8 bytes each, so that two arrays and a workspace fit any device */
  const mfft_machine *m = &j->out.machine;
  const int64_t row = elements / length / length < length ? elements / length / length : length;
  const int64_t alone[3] = {length, 1, elements / 4 / length}, three[3] = {length, length, row}; /* [axis] */
  if (row < ROW) return count_passes(j, MFFT_C2C, alone, 1, passes);
  const mfft_status status = count_passes(j, MFFT_C2C, three, 7, passes);
  *passes = (*passes - m->contiguous[index_of(m->contiguous, row)].passes) / 2;
  return status;
}

/* Compares the time of rows of n/2 + 1 complex numbers with that of rows of n: R2C of a cube with the passes that its C2C
 * took in count_strided(). */
static mfft_status compare_reals(job *j) {
  enum { N = 512 };
  static const int64_t cube[3] = {N, N, N}; /* [axis] */
  mfft_machine *m = &j->out.machine;
  const int i = index_of(m->strided, N);
  double r2c = NAN;
  const mfft_status status = count_passes(j, MFFT_R2C, cube, 7, &r2c);
  m->real_rows = r2c / (m->contiguous[i].passes + 2 * m->strided[i].passes);
  return status;
}

static mfft_status measure_passes(job *j) {
  enum { ELEMENTS = 1 << 26 };
  static const int64_t lengths[] = {256, 512, 1024, 2048, 4096, 8192}; /* every row of count_strided() is one of these */
  mfft_machine *m = &j->out.machine;
  const int64_t small[3] = {64, 64, 64}; /* [axis] */
  double seconds = NAN, bytes, passes = NAN;
  mfft_status status = time_transform(j, MFFT_C2C, MFFT_SINGLE, small, 7, &seconds, &bytes);
  m->stage_s = seconds / 3;
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths && status == MFFT_SUCCESS; i++) {
    const int64_t rows[3] = {ELEMENTS / lengths[i], 1, lengths[i]}; /* [axis] */
    status = count_passes(j, MFFT_C2C, rows, 4, &passes);
    m->contiguous[m->contiguous_count++] = (mfft_machine_pass){lengths[i], passes};
    if (status == MFFT_SUCCESS) status = count_strided(j, lengths[i], &passes);
    m->strided[m->strided_count++] = (mfft_machine_pass){lengths[i], passes};
  }
  if (status == MFFT_SUCCESS) status = compare_reals(j);
  return status;
}

/* ---- The job ---- */

static mfft_status find_nodes(job *j) {
  mfft_app_nodes_find(&j->nodes);
  if (j->nodes.even) return MFFT_SUCCESS;
  return mfft_app_agree(mfft_app_fail(MFFT_ERR_ARG, "nodes have different numbers of ranks; start as many on each"));
}

static mfft_status find_backend(job *j) {
  for (int i = 0; !j->backend && i < mfft_backend_count(); i++)
    if (mfft_backend_usable(mfft_backend_name(i), NULL, 0)) j->backend = mfft_backend_name(i);
  j->host_memory = j->backend && strcmp(j->backend, "cuda") != 0;
  j->out.machine.host_memory = j->host_memory;
  return mfft_app_agree(j->backend ? MFFT_SUCCESS : mfft_app_fail(MFFT_ERR_NO_DEVICE, "no backend is usable here"));
}

static mfft_status write_machine(job *j, const char *path) {
  char source[192], date[16], *bytes = NULL;
  size_t length = 0;
  time_t now = time(NULL);
  struct tm utc;
  if (mfft_app_rank() != 0) return MFFT_SUCCESS;
  FILE *text = open_memstream(&bytes, &length);
  if (!text) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the text of a machine");
  gmtime_r(&now, &utc);
  strftime(date, sizeof date, "%Y-%m-%d", &utc);
  snprintf(j->out.title, sizeof j->out.title, "%s, %s", mfft_environment_host(), mfft_environment_cpu());
  snprintf(source, sizeof source, "measured: %s, %d nodes of %d ranks, %s, mergefft %d", date, j->nodes.nodes,
           j->nodes.node_ranks, j->backend, mfft_version());
  mfft_machine_write(text, &j->out, source);
  const int failed = ferror(text) | fclose(text);
  const mfft_status status = failed ? mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the text of a machine")
                                    : mfft_app_save(path, &mfft_machine_kind, bytes, length);
  free(bytes);
  return status;
}

static mfft_status measure_links(job *j) {
  const mfft_measure_setup setup = {j->backend, j->host_memory, j->seconds, &j->nodes};
  return mfft_measure_links(&setup, &j->out.machine);
}

mfft_status mfft_measure_machine(const char *path, const char *backend, double seconds) {
  static mfft_status (*const parts[])(job *) = {find_nodes, find_backend, measure_memory, measure_links, NULL};
  job j = {.backend = backend, .seconds = seconds};
  mfft_status status = MFFT_SUCCESS;
  mfft_machine_init(&j.out.machine);
  for (int i = 0; parts[i] && status == MFFT_SUCCESS; i++) status = parts[i](&j);
  if (status == MFFT_SUCCESS) status = j.host_memory ? measure_flops(&j) : measure_passes(&j);
  if (status == MFFT_SUCCESS && j.host_memory)
    j.out.machine.memory_bytes = mfft_environment_memory_bytes() / (double)j.nodes.node_ranks;
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) status = mfft_app_agree(write_machine(&j, path));
  mfft_app_nodes_free(&j.nodes);
  return status;
}
