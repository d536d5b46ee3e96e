/* transform.c: transforms on the device.  planner/phases.c decides their phases and passes; this file loads the kernels,
 * uploads the tables, and makes the launches. */
#include "local/cuda/transform.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "local/cuda/planner/phases.h"
#include "local/cuda/planner/print.h"
#include "local/cuda/planner/tables.h"
#include "local/cuda/runtime/graph.h"
#include "local/cuda/runtime/load.h"
#include "local/cuda/trigonometric.h"
#include "local/trials.h"

/* The kernel of a pass. */
typedef struct loaded_pass {
  CUfunction function; /* owned by the process, see load.h */
  CUfunction narrow;   /* the same for pointers without the alignment of wide accesses; NULL: it has no wide accesses */
} loaded_pass;

/* The kernels and tables of a phase on the device. */
typedef struct loaded {
  loaded_pass pass[MFFT_MAX_PASSES];                /* [passes] */
  loaded_pass rest[MFFT_MAX_REST_PASSES];           /* [passes] of a last part of fewer lines */
  CUdeviceptr tables[MFFT_MAX_PASSES][MFFT_TABLES]; /* [passes][MFFT_TABLES] device memory; 0: the pass has no such table */
} loaded;

typedef struct cuda_fft {
  mfft_fft base;
  mfft_cuda_current device; /* the device and context that the plan was made on */
  int64_t complex_bytes;    /* of an element */
  int shares;               /* of a scattered output */
  mfft_phases phases;
  loaded loaded[MFFT_MAX_PHASES]; /* [phases] */
  CUstream second;                /* runs every other part; NULL: no phase has parts */
  CUevent fork, join;
  mfft_graphs *graphs; /* NULL: launches are made one by one */
} cuda_fft;

/* Makes the tables of a pass and uploads them. */
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

static void unload(const mfft_cuda_driver *driver, loaded *l) {
  for (int i = 0; i < MFFT_MAX_PASSES; i++)
    for (int k = 0; k < MFFT_TABLES; k++)
      if (l->tables[i][k]) driver->memory_free(l->tables[i][k]);
}

static void unload_all(cuda_fft *fft) {
  for (int i = 0; i < fft->phases.count; i++) unload(fft->device.driver, &fft->loaded[i]);
  memset(fft->loaded, 0, sizeof fft->loaded);
}

void mfft_cuda_fft_destroy(mfft_fft *base) {
  cuda_fft *fft = (cuda_fft *)base;
  if (!fft) return;
  mfft_trials_free(fft->base.trials);
  mfft_graphs_destroy(fft->graphs);
  unload_all(fft);
  if (fft->fork) fft->device.driver->event_destroy(fft->fork);
  if (fft->join) fft->device.driver->event_destroy(fft->join);
  if (fft->second) fft->device.driver->stream_destroy(fft->second);
  free(fft);
}

/* Loads the kernel of a pass, and where it has wide accesses the one without.  *refused becomes the number of blocks of a
 * cluster that the device cannot hold, if that exceeds its value. */
static mfft_status load_pass(const cuda_fft *fft, const mfft_pass *pass, loaded_pass *l, int *refused) {
  const mfft_kernel *kernel = &pass->kernel;
  MFFT_TRY(mfft_load_kernel(&fft->device, kernel, &l->function));
  const int64_t resident = mfft_clusters_resident(fft->device.driver, l->function, kernel);
  if (!resident && kernel->cluster.blocks > *refused) *refused = kernel->cluster.blocks;
  if (!kernel->in.wide && !kernel->out.wide) return MFFT_SUCCESS;
  mfft_kernel narrow = *kernel;
  narrow.in.wide = narrow.out.wide = 0;
  return mfft_load_kernel(&fft->device, &narrow, &l->narrow);
}

/* Loads the kernels and tables of a phase, and writes the addresses of the tables into its passes.  *refused: see load_pass.
 */
static mfft_status load_phase(const cuda_fft *fft, mfft_phase *p, loaded *l, int *refused) {
  for (int i = 0; i < p->schedule.count; i++) {
    mfft_pass *pass = &p->schedule.pass[i];
    MFFT_TRY(make_tables(fft->device.driver, pass, l->tables[i]));
    MFFT_TRY(load_pass(fft, pass, &l->pass[i], refused));
    if (!p->uneven) continue;
    mfft_tables_share(pass, &p->rest[i]);
    MFFT_TRY(load_pass(fft, &p->rest[i], &l->rest[i], refused));
  }
  return MFFT_SUCCESS;
}

int mfft_cuda_fuses(const mfft_fft_spec *spec) {
  mfft_cuda_current current;
  mfft_phases phases;
  return !mfft_fft_has_kinds(spec) && mfft_cuda_find_current(&current) == MFFT_SUCCESS &&
         mfft_phases_make(spec, current.limits, &phases) == MFFT_SUCCESS;
}

/* Whether replaying a graph is faster than making launches one by one: if there are many, or if the device runs the few
 * kernels in less time than the host needs for their launches. */
static int replays(const mfft_phases *phases, mfft_precision precision) {
  const mfft_tuned_replay *tuned = &phases->tuned->replay;
  double most = tuned->bytes;
  if (phases->launches == 2 && is_sixteen_bit(precision))
    most = mfft_phases_on_tensor_cores(phases) ? tuned->bytes_on_tensor_cores : tuned->bytes_of_sixteen;
  return phases->launches > tuned->launches || (phases->launches >= 2 && phases->bytes < most);
}

static mfft_status run_all(const void *object, const mfft_graph_arrays *arrays, void *stream);

mfft_status mfft_cuda_fft_create(const mfft_fft_spec *spec, mfft_fft **out) {
  mfft_status status = MFFT_SUCCESS;
  mfft_device_limits limits;
  cuda_fft *fft = calloc(1, sizeof *fft);
  if (!fft) return mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory for a plan of %zu bytes", sizeof *fft);
  MFFT_GOTO(fail, mfft_cuda_find_current(&fft->device));
  limits = *fft->device.limits;
  fft->complex_bytes = 2 * (int64_t)mfft_real_bytes(spec->precision);
  fft->shares = spec->scatter.count;
  for (int refused = MFFT_MAX_CLUSTER + 1; refused;) { /* plans with smaller clusters until the device can hold them */
    refused = 0;
    MFFT_GOTO(fail, mfft_phases_make(spec, &limits, &fft->phases));
    for (int i = 0; i < fft->phases.count; i++)
      MFFT_GOTO(fail, load_phase(fft, &fft->phases.phase[i], &fft->loaded[i], &refused));
    if (!refused) break;
    limits.cluster = refused / 2;
    unload_all(fft);
  }
  fft->base.work_bytes = fft->phases.work_bytes;
  if (fft->phases.streams) {
    MFFT_CUDA_GOTO(fail, fft->device.driver, "a stream",
                   fft->device.driver->stream_create(&fft->second, CU_STREAM_NON_BLOCKING));
    MFFT_CUDA_GOTO(fail, fft->device.driver, "an event",
                   fft->device.driver->event_create(&fft->fork, CU_EVENT_DISABLE_TIMING));
    MFFT_CUDA_GOTO(fail, fft->device.driver, "an event",
                   fft->device.driver->event_create(&fft->join, CU_EVENT_DISABLE_TIMING));
  }
  if (replays(&fft->phases, spec->precision) && mfft_env_number(MFFT_ENV_GRAPHS) > 0) {
    MFFT_GOTO(fail, mfft_graphs_create(fft->device.driver, (int)fft->phases.launches, fft->shares, &fft->graphs));
    MFFT_GOTO(fail, mfft_graphs_record(fft->graphs, run_all, fft));
  }
  *out = &fft->base;
  return MFFT_SUCCESS;
fail:
  mfft_cuda_fft_destroy(&fft->base);
  return status;
}

/* ---- Running ---------------------------------------------------------------------------------------------------------- */

static int wide(int bytes, const void *pointer) { return bytes && (uintptr_t)pointer % (uintptr_t)bytes == 0; }

static int wide_out(const mfft_pass *pass, const mfft_pass_args *args) {
  int all = wide(pass->vector_out, args->out);
  for (int s = 0; s < pass->kernel.scatter.shares; s++) all &= wide(pass->vector_out, args->scatter.out[s]);
  return all;
}

/* Launches the passes of a phase, or of a part of it.  rest: 1: of the last part, which has fewer lines; first_line: the
 * first of the part's lines that have twiddles; shift [mfft_filtered]: complex elements from the input (output) of the
 * transform to that of this part; share [shares]: element 0 of the part's first line in the shares of a scattered output. */
static mfft_status run_passes(const cuda_fft *fft, const mfft_phase *p, const loaded *l, int rest,
                              const char *const place[MFFT_PLACES], int64_t first_line, const int64_t shift[4],
                              char *const share[MFFT_MAX_SHARES], const void *tables, void *stream) {
  for (int i = 0; i < p->schedule.count; i++) {
    const mfft_pass *pass = rest ? &p->rest[i] : &p->schedule.pass[i];
    mfft_pass_args args = pass->args;
    args.in = place[pass->src];
    args.out = (void *)(uintptr_t)place[pass->dst];
    if (pass->kernel.ends == 2) args.in = (const char *)args.in - fft->complex_bytes; /* rows begin with element 1 */
    args.ends = pass->kernel.ends ? place[MFFT_AT_ENDS] : NULL;
    args.filter.tables = tables;
    args.filter.base = shift[pass->kernel.filter.side];
    args.outer_first = (unsigned)first_line;
    for (int s = 0; s < pass->kernel.scatter.shares; s++) args.scatter.out[s] = share[s];
    const int aligned =
        pass->kernel.in.wide == wide(pass->vector_in, args.in) && pass->kernel.out.wide == wide_out(pass, &args);
    const loaded_pass *kernels = rest ? &l->rest[i] : &l->pass[i];
    const CUfunction function = kernels->narrow && !aligned ? kernels->narrow : kernels->function;
    const mfft_graph_kernel kernel = {function,
                                      fft->device.limits->arch,
                                      pass->kernel.cluster.blocks,
                                      (unsigned)pass->blocks,
                                      (unsigned)(pass->kernel.chain.lines * pass->kernel.chain.threads),
                                      (unsigned)pass->kernel.tile.shared_bytes};
    /* Kernels that do not scatter are compiled without the member `scatter`, the last of the arguments. */
    const size_t args_bytes = pass->kernel.scatter.shares ? sizeof args : offsetof(mfft_pass_args, scatter);
    MFFT_TRY(mfft_graphs_launch(fft->graphs, fft->device.driver, &kernel, &args, args_bytes, stream));
  }
  return MFFT_SUCCESS;
}

/* Bytes from the output to the first address that is aligned to complexes, where the rows of half spectra begin. */
static int64_t rows_offset(const cuda_fft *fft, const void *out) {
  return (int64_t)(-(uintptr_t)out % (uintptr_t)fft->complex_bytes);
}

/* Runs the parts of a phase; if there are several, every other one on the second stream. */
static mfft_status run_parts(const cuda_fft *fft, int number, const mfft_graph_arrays *arrays, void *stream) {
  const mfft_phase *p = &fft->phases.phase[number];
  const char *work = arrays->work, *between = work + fft->phases.between_offset_bytes;
  const char *array[] = {[MFFT_AT_IN] = arrays->in,
                         [MFFT_AT_OUT] = arrays->out,
                         [MFFT_AT_WORK] = between,
                         [MFFT_AT_ROWS] = (const char *)arrays->out + rows_offset(fft, arrays->out)};
  const char *in = array[p->src] + p->src_first_bytes, *out = array[p->dst] + p->dst_first_bytes;
  int second = p->beside;
  for (int64_t i = 0; i < p->parts[0]; i++)
    for (int64_t j = 0; j < p->parts[1]; j++, second ^= 1) {
      const char *area = work + (size_t)second * p->schedule.work_bytes;
      const char *place[MFFT_PLACES];
      mfft_schedule_places(&p->schedule, in + i * p->in_step_bytes[0] + j * p->in_step_bytes[1],
                           out + i * p->out_step_bytes[0] + j * p->out_step_bytes[1], area, place);
      place[MFFT_AT_ENDS] = between + i * p->ends_step_bytes[0] + j * p->ends_step_bytes[1];
      const int64_t shift[] = {[MFFT_FILTER_INPUT] = (place[MFFT_AT_IN] - in) / fft->complex_bytes,
                               [MFFT_FILTER_OUTPUT] = (place[MFFT_AT_OUT] - out) / fft->complex_bytes,
                               [MFFT_FILTER_BETWEEN] = (place[MFFT_AT_IN] - in) / fft->complex_bytes};
      char *share[MFFT_MAX_SHARES];
      for (int s = 0; s < fft->shares; s++)
        share[s] =
            (char *)arrays->to[s] + p->share_first_bytes[s] + i * p->share_step_bytes[0][s] + j * p->share_step_bytes[1][s];
      const int64_t index[2] = {i, j};
      MFFT_TRY(run_passes(fft, p, &fft->loaded[number], mfft_is_rest(p, index), place,
                          i * p->twiddle_step[0] + j * p->twiddle_step[1], shift, share, arrays->tables,
                          second ? (void *)fft->second : stream));
    }
  return MFFT_SUCCESS;
}

static mfft_status run_phase(const cuda_fft *fft, int number, const mfft_graph_arrays *arrays, void *stream) {
  const mfft_cuda_driver *d = fft->device.driver;
  const mfft_phase *p = &fft->phases.phase[number];
  const int alone = !mfft_in_parts(p) && !p->beside && !p->joins;
  if (alone || mfft_graphs_setting(fft->graphs)) return run_parts(fft, number, arrays, stream);
  MFFT_CUDA_TRY(d, "recording an event", d->event_record(fft->fork, (CUstream)stream));
  MFFT_CUDA_TRY(d, "waiting for an event", d->stream_wait(fft->second, fft->fork, 0));
  const mfft_status status = run_parts(fft, number, arrays, stream);
  if (p->beside && status == MFFT_SUCCESS) return status;
  /* The streams are joined after a failed launch too, so that waiting for the caller's stream always waits for all kernels
   * that access the arrays. */
  CUresult joined = d->event_record(fft->join, fft->second);
  if (joined == CUDA_SUCCESS) joined = d->stream_wait((CUstream)stream, fft->join, 0);
  if (status == MFFT_SUCCESS) MFFT_CUDA_TRY(d, "joining two streams", joined);
  return status;
}

/* Makes all launches of the transform. */
static mfft_status run_all(const void *object, const mfft_graph_arrays *arrays, void *stream) {
  const cuda_fft *fft = object;
  const int rows = rows_offset(fft, arrays->out) ? 2 : 1;
  for (int i = 0; i < fft->phases.count; i++)
    if (!fft->phases.phase[i].rows || fft->phases.phase[i].rows == rows) MFFT_TRY(run_phase(fft, i, arrays, stream));
  return MFFT_SUCCESS;
}

static mfft_status run(const mfft_fft *base, const mfft_graph_arrays *arrays, void *stream) {
  const cuda_fft *fft = (const cuda_fft *)base;
  const int others = fft->phases.ends_bytes && rows_offset(fft, arrays->out); /* phases that no graph has */
  return fft->graphs && !others ? mfft_graphs_run(fft->graphs, arrays, stream, run_all, fft) : run_all(fft, arrays, stream);
}

mfft_status mfft_cuda_fft_execute(const mfft_fft *fft, const void *in, void *out, void *work, void *stream) {
  const mfft_graph_arrays arrays = {.in = in, .out = out, .work = work, .tables = fft->factors};
  return run(fft, &arrays, stream);
}

mfft_status mfft_cuda_fft_scatter(const mfft_fft *fft, const void *in, void *out, void *const *to, void *work,
                                  void *stream) {
  const mfft_graph_arrays arrays = {
      .in = in, .out = out, .work = work, .to = to, .shares = ((const cuda_fft *)fft)->shares, .tables = fft->factors};
  return run(fft, &arrays, stream);
}

void mfft_cuda_fft_print(const mfft_fft *base, char *text, size_t size) {
  mfft_phases_print(&((const cuda_fft *)base)->phases, text, size);
}
