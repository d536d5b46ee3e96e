/* transform.c: transforms on the device.
 *
 * A transform is one or two phases of passes.  A phase whose passes can be done for a part of the data at a time, while that
 * part is in the L2 cache, is run part by part, in turn on two streams so that the end of one part overlaps the next: memory
 * then sees little more than the first read and the last write. */
#include "local/cuda/transform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/env.h"
#include "local/cuda/graph.h"
#include "local/cuda/load.h"
#include "local/cuda/tables.h"

enum { MAX_PHASES = 2 };

typedef struct phase {
  mfft_schedule schedule;               /* of one part */
  CUfunction function[MFFT_MAX_PASSES]; /* [schedule.count] owned by the process, see load.h */
  CUfunction narrow[MFFT_MAX_PASSES];   /* [schedule.count] for pointers without the alignment of wide accesses, or NULL */
  CUdeviceptr tables[MFFT_MAX_PASSES][MFFT_TABLES]; /* [schedule.count] on the device, 0 where a pass has none */
  int64_t parts[2];                                 /* outer and inner loop over parts; 1, 1 for all at once */
  int64_t in_step_bytes[2], out_step_bytes[2];
  int from_out; /* works on the output array in place */
  int to_in;    /* works on the input array in place */
} phase;

typedef struct cuda_fft {
  mfft_fft base;
  const mfft_cuda_driver *driver;
  CUcontext context;
  int arch;
  phase phase[MAX_PHASES]; /* [phases] */
  int phases;
  CUstream second; /* beside the caller's; NULL where no phase has parts */
  CUevent fork, join;
  mfft_graphs *graphs; /* NULL where launches are made one by one */
} cuda_fft;

/* Makes the tables of a pass and moves them to the device. */
static mfft_status make_tables(const mfft_cuda_driver *driver, mfft_pass *pass, CUdeviceptr on_device[MFFT_TABLES]) {
  mfft_status status = MFFT_SUCCESS;
  mfft_table table[MFFT_TABLES];
  const void *address[MFFT_TABLES] = {0};
  MFFT_GOTO(done, mfft_tables_make(pass, table));
  for (int i = 0; i < MFFT_TABLES; i++) {
    if (!table[i].bytes) continue;
    MFFT_CUDA_GOTO(done, driver, "memory for twiddles", driver->memory_alloc(&on_device[i], table[i].bytes));
    MFFT_CUDA_GOTO(done, driver, "copying twiddles", driver->copy_to_device(on_device[i], table[i].data, table[i].bytes));
    address[i] = (const void *)on_device[i];
  }
  mfft_tables_place(pass, address);
done:
  mfft_tables_free(table);
  return status;
}

static void free_phase(const mfft_cuda_driver *driver, phase *p) {
  for (int i = 0; i < p->schedule.count; i++)
    for (int k = 0; k < MFFT_TABLES; k++)
      if (p->tables[i][k]) driver->memory_free(p->tables[i][k]);
}

void mfft_cuda_fft_destroy(mfft_fft *base) {
  cuda_fft *fft = (cuda_fft *)base;
  if (!fft) return;
  mfft_graphs_destroy(fft->graphs);
  for (int i = 0; i < fft->phases; i++) free_phase(fft->driver, &fft->phase[i]);
  if (fft->fork) fft->driver->event_destroy(fft->fork);
  if (fft->join) fft->driver->event_destroy(fft->join);
  if (fft->second) fft->driver->stream_destroy(fft->second);
  free(fft);
}

/* ---- Parts ------------------------------------------------------------------------------------------------------------ */

static int64_t side_bytes(const mfft_fft_spec *s, int output) {
  int real = s->type == MFFT_FFT_R2C ? !output : s->type == MFFT_FFT_C2R ? output : 0;
  return (int64_t)mfft_cuda_real_bytes(s->precision) * (real ? 1 : 2);
}

/* Bytes of the complex side, about. */
static double spec_bytes(const mfft_fft_spec *s) {
  double bytes = 2.0 * (double)mfft_cuda_real_bytes(s->precision) / (s->type == MFFT_FFT_C2C ? 1 : 2);
  for (int a = 0; a < s->naxes; a++) bytes *= (double)s->axis[a].n;
  for (int l = 0; l < s->nloops; l++) bytes *= (double)s->loop[l].n;
  return bytes;
}

/* The largest divisor of n that is at most `most`, at least 1. */
static int64_t divisor(int64_t n, int64_t most) {
  if (most >= n) return n;
  for (int64_t d = most; d > 1; d--)
    if (n % d == 0) return d;
  return 1;
}

/* Bytes of a part: half of a 60 MB L2 or so, found by trial; smaller parts lose more to launches and tails than they gain.
 */
static const double part_target = 28e6;

/* Cuts the loops of `spec`, outermost first, so that a part fits the cache; the spec becomes that of one part. */
static void cut(mfft_fft_spec *spec, phase *p) {
  double target = part_target;
  p->parts[0] = p->parts[1] = 1;
  if (spec_bytes(spec) < 4 * target) return;
  mfft_fft_spec whole = *spec;
  int depth = 0;
  for (; depth < 2 && depth < spec->nloops; depth++) {
    double unit = spec_bytes(spec) / (double)spec->loop[depth].n;
    int64_t n = spec->loop[depth].n, most = (int64_t)(target / unit), keep = most < 1 ? 1 : divisor(n, most);
    p->parts[depth] = n / keep;
    p->in_step_bytes[depth] = keep * spec->loop[depth].is * side_bytes(spec, 0);
    p->out_step_bytes[depth] = keep * spec->loop[depth].os * side_bytes(spec, 1);
    spec->loop[depth].n = keep;
    if (most >= 1) break;
  }
  double bytes = spec_bytes(spec);
  if (bytes <= 1.3 * target && bytes >= 0.2 * target) return;
  *spec = whole;
  p->parts[0] = p->parts[1] = 1;
}

/* Makes the phase of a spec.  With `cuttable`, in parts where that helps: where there are passes to keep the data for. */
static mfft_status make_phase(cuda_fft *fft, const mfft_device_limits *limits, const mfft_fft_spec *given, int cuttable,
                              phase *p) {
  mfft_fft_spec spec = *given;
  p->parts[0] = p->parts[1] = 1;
  MFFT_TRY(mfft_schedule_make(&spec, limits, &p->schedule));
  if (cuttable && p->schedule.count > 1) {
    cut(&spec, p);
    mfft_device_limits cached = *limits;
    if (p->parts[0] * p->parts[1] > 1) cached.segment_bytes = 64;
    MFFT_TRY(mfft_schedule_make(&spec, &cached, &p->schedule));
  }
  for (int i = 0; i < p->schedule.count; i++) {
    const mfft_kernel *kernel = &p->schedule.pass[i].kernel;
    MFFT_TRY(make_tables(fft->driver, &p->schedule.pass[i], p->tables[i]));
    MFFT_TRY(mfft_load_kernel(fft->driver, fft->context, kernel, 0, limits->arch, &p->function[i]));
    if (!(kernel->vector & 3)) continue;
    mfft_kernel narrow = *kernel;
    narrow.vector &= ~3;
    MFFT_TRY(mfft_load_kernel(fft->driver, fft->context, &narrow, 0, limits->arch, &p->narrow[i]));
  }
  return MFFT_SUCCESS;
}

static int64_t complex_extent(const mfft_fft_spec *s, int axis) {
  return axis == s->naxes - 1 && s->type != MFFT_FFT_C2C ? s->axis[axis].n / 2 + 1 : s->axis[axis].n;
}

/* The share of the scale that belongs to `n` of all the elements: in 16 bits every axis carries its own, in the others the
 * planes carry it all. */
static double pow_share(const mfft_fft_spec *s, int64_t n) {
  double total = 0;
  if (s->precision == MFFT_DOUBLE || s->precision == MFFT_SINGLE) return 1;
  for (int a = 0; a < s->naxes; a++) total += log((double)s->axis[a].n);
  return pow(s->scale, log((double)n) / total);
}

/* The slowest axis of a 3D transform alone, as complex lines in the output (or, before a C2R, the input) array. */
static mfft_fft_spec slow_axis(const mfft_fft_spec *s) {
  mfft_fft_spec x = *s;
  int input = s->type == MFFT_FFT_C2R;
  x.type = MFFT_FFT_C2C;
  x.naxes = 1;
  x.in_place = 1;
  x.scale = s->scale == 1 ? 1 : pow_share(s, s->axis[0].n);
  x.nloops = 0;
  for (int a = 1; a < 3; a++) {
    int64_t stride = input ? s->axis[a].is : s->axis[a].os;
    x.loop[x.nloops++] = (mfft_dim){complex_extent(s, a), stride, stride};
  }
  for (int l = 0; l < s->nloops; l++) {
    int64_t stride = input ? s->loop[l].is : s->loop[l].os;
    x.loop[x.nloops++] = (mfft_dim){s->loop[l].n, stride, stride};
  }
  int64_t stride = input ? s->axis[0].is : s->axis[0].os;
  x.axis[0] = (mfft_dim){s->axis[0].n, stride, stride};
  x.radices[0] = s->radices[0];
  return x;
}

/* The planes of a 3D transform; the slow axis becomes a loop inside the others. */
static mfft_fft_spec planes(const mfft_fft_spec *s) {
  mfft_fft_spec p = *s;
  p.naxes = 2;
  p.axis[0] = s->axis[1];
  p.axis[1] = s->axis[2];
  p.radices[0] = s->radices[1];
  p.radices[1] = s->radices[2];
  p.loop[p.nloops++] = s->axis[0];
  p.scale = s->scale == 1 ? 1 : s->scale / pow_share(s, s->axis[0].n);
  return p;
}

/* One phase, or for large 3D transforms two: planes in parts that stay in cache, and the axis across them. */
static mfft_status make_phases(cuda_fft *fft, const mfft_device_limits *limits, const mfft_fft_spec *spec) {
  double unit = spec_bytes(spec);
  for (int l = 0; l < spec->nloops; l++) unit /= (double)spec->loop[l].n;
  int may_split = spec->naxes == 3 && spec->nloops <= 2 && spec->axis[0].n > 1 &&
                  (spec->type != MFFT_FFT_C2R || spec->destroy_input || spec->in_place);
  if (!may_split || unit <= 1.3 * part_target || spec_bytes(spec) < 4 * part_target) {
    fft->phases = 1;
    return make_phase(fft, limits, spec, 1, &fft->phase[0]);
  }
  mfft_fft_spec in_plane = planes(spec), across = slow_axis(spec);
  int first = spec->type == MFFT_FFT_C2R; /* the slow axis comes first */
  fft->phases = 2;
  fft->phase[!first].from_out = !first;
  fft->phase[0].to_in = first;
  MFFT_TRY(make_phase(fft, limits, &in_plane, 1, &fft->phase[first]));
  return make_phase(fft, limits, &across, 0, &fft->phase[!first]);
}

/* A plan that asks for tensor cores by name must have a pass on them. */
static mfft_status check_compute(const cuda_fft *fft, const mfft_fft_spec *spec) {
  if (spec->compute != MFFT_COMPUTE_TENSOR) return MFFT_SUCCESS;
  for (int i = 0; i < fft->phases; i++)
    for (int k = 0; k < fft->phase[i].schedule.count; k++) {
      mfft_engine engine = fft->phase[i].schedule.pass[k].kernel.engine;
      if (engine == MFFT_ENGINE_TENSOR || engine == MFFT_ENGINE_SPLIT) return MFFT_SUCCESS;
    }
  return mfft_fail(MFFT_ERR_UNSUPPORTED,
                   "compute is MFFT_COMPUTE_TENSOR and no axis of this transform can be done on tensor cores: they take "
                   "complex lines of 2^4, 2^5, ... elements; use MFFT_COMPUTE_AUTO");
}

mfft_status mfft_cuda_fft_create(const mfft_fft_spec *spec, mfft_fft **out) {
  mfft_status status = MFFT_SUCCESS;
  mfft_device_limits limits;
  cuda_fft *fft = calloc(1, sizeof *fft);
  if (!fft) return mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory for a plan of %zu bytes", sizeof *fft);
  fft->base.backend = &mfft_backend_cuda;
  MFFT_GOTO(fail, mfft_cuda_device(&fft->driver, &fft->context, &limits));
  fft->arch = limits.arch;
  MFFT_GOTO(fail, make_phases(fft, &limits, spec));
  MFFT_GOTO(fail, check_compute(fft, spec));
  int parts = 0;
  int64_t launches = 0;
  for (int i = 0; i < fft->phases; i++) {
    const phase *p = &fft->phase[i];
    launches += p->parts[0] * p->parts[1] * p->schedule.count;
    int two = p->parts[0] * p->parts[1] > 1; /* streams, each with a workspace of its own */
    size_t bytes = p->schedule.work_bytes * (size_t)(two ? 2 : 1);
    if (bytes > fft->base.work_bytes) fft->base.work_bytes = bytes;
    parts += two;
  }
  if (parts) {
    MFFT_CUDA_GOTO(fail, fft->driver, "a stream", fft->driver->stream_create(&fft->second, CU_STREAM_NON_BLOCKING));
    MFFT_CUDA_GOTO(fail, fft->driver, "an event", fft->driver->event_create(&fft->fork, CU_EVENT_DISABLE_TIMING));
    MFFT_CUDA_GOTO(fail, fft->driver, "an event", fft->driver->event_create(&fft->join, CU_EVENT_DISABLE_TIMING));
  }
  /* Measured: a replay beats launches one by one where there are many, or where three take no longer than their launches. */
  int replay = launches > 3 || (launches == 3 && spec_bytes(spec) < 6e6);
  if (replay && mfft_env_number(MFFT_ENV_GRAPHS) > 0) MFFT_GOTO(fail, mfft_graphs_create(fft->driver, &fft->graphs));
  *out = &fft->base;
  return MFFT_SUCCESS;
fail:
  mfft_cuda_fft_destroy(&fft->base);
  return status;
}

/* ---- Running ---------------------------------------------------------------------------------------------------------- */

static int wide(int bytes, const void *pointer) { return bytes && (uintptr_t)pointer % (uintptr_t)bytes == 0; }

static mfft_status run_passes(const cuda_fft *fft, const phase *p, const char *const place[MFFT_PLACES], void *stream) {
  for (int i = 0; i < p->schedule.count; i++) {
    const mfft_pass *pass = &p->schedule.pass[i];
    mfft_pass_args args = pass->args;
    args.in = place[pass->src];
    args.out = (void *)(uintptr_t)place[pass->dst];
    int vector = (wide(pass->vector_in, args.in) ? 1 : 0) | (wide(pass->vector_out, args.out) ? 2 : 0);
    CUfunction function = p->narrow[i] && (pass->kernel.vector & 3) != vector ? p->narrow[i] : p->function[i];
    MFFT_TRY(mfft_launch_clusters(fft->driver, function, fft->arch, pass->kernel.cluster, (unsigned)pass->blocks, 1,
                                  (unsigned)(pass->kernel.lines * pass->kernel.threads), (unsigned)pass->kernel.shared_bytes,
                                  &args, stream, "launching a pass"));
  }
  return MFFT_SUCCESS;
}

static mfft_status run_phase(const cuda_fft *fft, const phase *p, const char *in, const char *out, const char *work,
                             void *stream) {
  const mfft_cuda_driver *d = fft->driver;
  if (p->from_out) in = out;
  if (p->to_in) out = in;
  int two = p->parts[0] * p->parts[1] > 1, turn = 0;
  if (two) {
    MFFT_CUDA_TRY(d, "recording an event", d->event_record(fft->fork, (CUstream)stream));
    MFFT_CUDA_TRY(d, "waiting for an event", d->stream_wait(fft->second, fft->fork, 0));
  }
  for (int64_t i = 0; i < p->parts[0]; i++)
    for (int64_t j = 0; j < p->parts[1]; j++, turn ^= 1) {
      const char *area = work + (size_t)turn * p->schedule.work_bytes;
      const char *place[MFFT_PLACES] = {in + i * p->in_step_bytes[0] + j * p->in_step_bytes[1],
                                        out + i * p->out_step_bytes[0] + j * p->out_step_bytes[1], area,
                                        area + p->schedule.work2_offset_bytes};
      MFFT_TRY(run_passes(fft, p, place, turn ? (void *)fft->second : stream));
    }
  if (two) {
    MFFT_CUDA_TRY(d, "recording an event", d->event_record(fft->join, fft->second));
    MFFT_CUDA_TRY(d, "waiting for an event", d->stream_wait((CUstream)stream, fft->join, 0));
  }
  return MFFT_SUCCESS;
}

/* All launches of the transform. */
static mfft_status run_all(const void *object, const mfft_graph_arrays *arrays, void *stream) {
  const cuda_fft *fft = object;
  for (int i = 0; i < fft->phases; i++)
    MFFT_TRY(run_phase(fft, &fft->phase[i], arrays->in, arrays->out, arrays->work, stream));
  return MFFT_SUCCESS;
}

mfft_status mfft_cuda_fft_execute(const mfft_fft *base, const void *in, void *out, void *work, void *stream) {
  const cuda_fft *fft = (const cuda_fft *)base;
  CUcontext now = NULL;
  MFFT_CUDA_TRY(fft->driver, "the current context", fft->driver->context_current(&now));
  if (now != fft->context)
    MFFT_CUDA_TRY(fft->driver, "making the plan's context current", fft->driver->context_set(fft->context));
  const mfft_graph_arrays arrays = {in, out, work};
  mfft_status status =
      fft->graphs ? mfft_graphs_run(fft->graphs, &arrays, stream, run_all, fft) : run_all(fft, &arrays, stream);
  if (now && now != fft->context) fft->driver->context_set(now);
  return status;
}

void mfft_cuda_fft_print(const mfft_fft *base, char *text, size_t size) {
  const cuda_fft *fft = (const cuda_fft *)base;
  size_t used = (size_t)snprintf(text, size, "cuda: ");
  for (int i = 0; i < fft->phases && used < size; i++) {
    const phase *p = &fft->phase[i];
    int64_t parts = p->parts[0] * p->parts[1];
    if (i) used += (size_t)snprintf(text + used, size - used, ", then ");
    if (parts > 1 && used < size) used += (size_t)snprintf(text + used, size - used, "%lld parts of ", (long long)parts);
    if (used < size) mfft_schedule_print(&p->schedule, text + used, size - used);
    used += strlen(text + (used < size ? used : size ? size - 1 : 0));
  }
}
