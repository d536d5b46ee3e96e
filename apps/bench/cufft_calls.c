/* cufft_calls.c: see cufft_calls.h. */
#include "bench/cufft_calls.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/peer_driver.h"
#include "cli/report.h"

struct mfft_cufft_call {
  const mfft_cufft_library *cufft;
  const mfft_peer_driver *driver;
  mfft_cufft_transform transform;
  cufftHandle plan;
  int has_plan;
  CUgraphExec graph; /* replays the plan; NULL: the plan is launched */
  double seconds;    /* of one run */
  char words[128];
};

/* ---- Plans ----------------------------------------------------------------------------------------------------------- */

static const cudaDataType real_type[] = {
    [MFFT_DOUBLE] = CUDA_R_64F, [MFFT_SINGLE] = CUDA_R_32F, [MFFT_HALF] = CUDA_R_16F, [MFFT_BFLOAT16] = CUDA_R_16BF};
static const cudaDataType complex_type[] = {
    [MFFT_DOUBLE] = CUDA_C_64F, [MFFT_SINGLE] = CUDA_C_32F, [MFFT_HALF] = CUDA_C_16F, [MFFT_BFLOAT16] = CUDA_C_16BF};

/* The plan of one array in single or double: its lengths are ints. */
static cufftResult make_single(const mfft_cufft_call *call) {
  static const cufftType types[][3] = {
      [MFFT_DOUBLE] = {CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D}, [MFFT_SINGLE] = {CUFFT_C2C, CUFFT_R2C, CUFFT_C2R}};
  const mfft_cufft_transform *t = &call->transform;
  const mfft_cufft_library *cufft = call->cufft;
  size_t work;
  if (t->batch != 1 || t->precision > MFFT_SINGLE) return CUFFT_NOT_SUPPORTED;
  for (int a = 0; a < t->rank; a++)
    if (t->n[a] > INT_MAX) return CUFFT_INVALID_SIZE;
  const cufftType type = types[t->precision][t->kind == MFFT_C2C ? 0 : t->direction == MFFT_FORWARD ? 1 : 2];
  const int x = (int)t->n[0], y = t->rank > 1 ? (int)t->n[1] : 1, z = t->rank > 2 ? (int)t->n[2] : 1;
  if (t->rank == 1) return cufft->cufftMakePlan1d(call->plan, x, type, 1, &work);
  if (t->rank == 2) return cufft->cufftMakePlan2d(call->plan, x, y, type, &work);
  return cufft->cufftMakePlan3d(call->plan, x, y, z, type, &work);
}

/* The plan of many arrays of any precision.  Without embeds cuFFT assumes dense arrays, in place with padded reals. */
static cufftResult make_many(const mfft_cufft_call *call, int embeds) {
  const mfft_cufft_transform *t = &call->transform;
  long long n[3] = {1, 1, 1}, embed[2][3], dist[2] = {1, 1};                       /* [side] of the memory of one array */
  cudaDataType type[2] = {complex_type[t->precision], complex_type[t->precision]}; /* [side] */
  const int last = t->rank - 1;
  for (int a = 0; a < t->rank; a++) n[a] = embed[MFFT_IN][a] = embed[MFFT_OUT][a] = t->n[a];
  if (t->kind == MFFT_R2C) {
    type[MFFT_IN] = real_type[t->precision];
    embed[MFFT_OUT][last] = n[last] / 2 + 1;
    if (t->placement == MFFT_IN_PLACE) embed[MFFT_IN][last] = 2 * embed[MFFT_OUT][last];
  }
  for (int side = 0; side < 2; side++)
    for (int a = 0; a < t->rank; a++) dist[side] *= embed[side][a];
  const mfft_side from = t->direction == MFFT_FORWARD ? MFFT_IN : MFFT_OUT, to = !from;
  size_t work;
  return call->cufft->cufftXtMakePlanMany(call->plan, t->rank, n, embeds ? embed[from] : NULL, 1, dist[from], type[from],
                                          embeds ? embed[to] : NULL, 1, dist[to], type[to], t->batch, &work,
                                          complex_type[t->precision]);
}

static cufftResult make_dense(const mfft_cufft_call *call) { return make_many(call, 0); }
static cufftResult make_embedded(const mfft_cufft_call *call) { return make_many(call, 1); }

/* Dense, after the kernels have been compiled and linked for this plan. */
static cufftResult make_patient(const mfft_cufft_call *call) {
#if CUFFT_VERSION >= 11200
  if (!call->cufft->cufftSetPlanPropertyInt64) return CUFFT_NOT_SUPPORTED;
  const cufftResult result = call->cufft->cufftSetPlanPropertyInt64(call->plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 1);
  return result == CUFFT_SUCCESS ? make_many(call, 0) : result;
#else
  (void)call;
  return CUFFT_NOT_SUPPORTED;
#endif
}

static const struct maker {
  const char *words;
  int estimate; /* tried with MFFT_ESTIMATE too */
  cufftResult (*make)(const mfft_cufft_call *call);
} makers[] = {{"cufftMakePlan1d to 3d", 1, make_single},
              {"cufftXtMakePlanMany without embeds", 1, make_dense},
              {"cufftXtMakePlanMany with embeds", 0, make_embedded},
              {"cufftXtMakePlanMany without embeds, patient JIT", 0, make_patient}};

/* ---- Runs ------------------------------------------------------------------------------------------------------------ */

static cufftResult launch(const mfft_cufft_call *call) {
  const mfft_cufft_transform *t = &call->transform;
  return call->cufft->cufftXtExec(call->plan, (void *)t->in, t->out,
                                  t->direction == MFFT_FORWARD ? CUFFT_FORWARD : CUFFT_INVERSE);
}

static CUresult replay(const mfft_cufft_call *call) { return call->driver->graph_launch(call->graph, NULL); }

mfft_status mfft_cufft_call_execute(const mfft_cufft_call *call) {
  return call->graph ? mfft_peer_driver_status("cufft", replay(call), "launching a graph")
                     : mfft_cufft_status(launch(call), "executing");
}

/* Captures the launches of the plan; the graph stays NULL if that is impossible.  The default stream of the plan cannot be
 * captured, so it gets another one meanwhile. */
static void capture(mfft_cufft_call *call) {
  const mfft_peer_driver *driver = call->driver;
  CUstream stream = NULL;
  CUgraph made = NULL;
  if (driver->stream_create(&stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS) return;
  if (call->cufft->cufftSetStream(call->plan, stream) == CUFFT_SUCCESS &&
      driver->capture_begin(stream, CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_SUCCESS) {
    const cufftResult launched = launch(call);
    if (driver->capture_end(stream, &made) == CUDA_SUCCESS && launched == CUFFT_SUCCESS &&
        driver->graph_instantiate(&call->graph, made, 0) != CUDA_SUCCESS)
      call->graph = NULL;
    if (made) driver->graph_destroy(made);
  }
  call->cufft->cufftSetStream(call->plan, NULL);
  driver->stream_destroy(stream);
}

/* Seconds of one of `runs` consecutive runs; INFINITY if one fails. */
static double time_runs(const mfft_cufft_call *call, const CUevent mark[2], int runs) {
  const mfft_peer_driver *driver = call->driver;
  float ms = 0;
  if (driver->event_record(mark[0], NULL) != CUDA_SUCCESS) return INFINITY;
  for (int i = 0; i < runs; i++)
    if (call->graph ? replay(call) != CUDA_SUCCESS : launch(call) != CUFFT_SUCCESS) return INFINITY;
  if (driver->event_record(mark[1], NULL) != CUDA_SUCCESS || driver->event_synchronize(mark[1]) != CUDA_SUCCESS ||
      driver->event_elapsed(&ms, mark[0], mark[1]) != CUDA_SUCCESS)
    return INFINITY;
  return 1e-3 * (double)ms / runs;
}

/* The least of a few samples of 2 ms and more, after two runs to warm up. */
static double time_call(const mfft_cufft_call *call) {
  enum { SAMPLES = 5, MOST_RUNS = 200 };
  const double sample_s = 2e-3;
  CUevent mark[2] = {NULL, NULL};
  double least = INFINITY;
  if (call->driver->event_create(&mark[0], CU_EVENT_DEFAULT) == CUDA_SUCCESS &&
      call->driver->event_create(&mark[1], CU_EVENT_DEFAULT) == CUDA_SUCCESS) {
    double once = time_runs(call, mark, 1);
    if (once < INFINITY) once = time_runs(call, mark, 1);
    const int runs = once < sample_s ? (int)fmin(MOST_RUNS, sample_s / fmax(once, 1e-9)) + 1 : 1;
    for (int i = 0; i < SAMPLES && once < INFINITY; i++) least = fmin(least, time_runs(call, mark, runs));
  }
  for (int i = 0; i < 2; i++)
    if (mark[i]) call->driver->event_destroy(mark[i]);
  return least;
}

/* ---- The fastest ----------------------------------------------------------------------------------------------------- */

static void drop_graph(mfft_cufft_call *call) {
  if (call->graph) call->driver->graph_exec_destroy(call->graph);
  call->graph = NULL;
}

static void drop(mfft_cufft_call *call) {
  drop_graph(call);
  if (call->has_plan) call->cufft->cufftDestroy(call->plan);
  call->has_plan = 0;
}

/* Makes a plan and times it launched and as a graph; seconds are INFINITY if it does not run. */
static cufftResult try_maker(const struct maker *maker, mfft_cufft_call *call) {
  cufftResult result = call->cufft->cufftCreate(&call->plan);
  call->seconds = INFINITY;
  call->has_plan = result == CUFFT_SUCCESS;
  if (result == CUFFT_SUCCESS) result = maker->make(call);
  if (result != CUFFT_SUCCESS) return result;
  call->seconds = time_call(call);
  if (call->seconds == INFINITY) return CUFFT_EXEC_FAILED;
  capture(call);
  const double replayed = call->graph ? time_call(call) : INFINITY;
  if (replayed < call->seconds)
    call->seconds = replayed;
  else
    drop_graph(call);
  snprintf(call->words, sizeof call->words, "%s%s", maker->words, call->graph ? ", as a CUDA graph" : "");
  return CUFFT_SUCCESS;
}

/* The more informative of two results: a failure rather than that a call does not apply. */
static cufftResult worse(cufftResult a, cufftResult b) { return a == CUFFT_SUCCESS || a == CUFFT_NOT_SUPPORTED ? b : a; }

mfft_status mfft_cufft_call_create(const mfft_cufft_library *cufft, const mfft_cufft_transform *transform,
                                   mfft_cufft_call **call) {
  mfft_cufft_call best = {.cufft = cufft, .transform = *transform, .seconds = INFINITY};
  cufftResult failed = CUFFT_SUCCESS;
  mfft_status status = mfft_peer_driver_open("cufft", &best.driver);
  if (status != MFFT_SUCCESS) return status;
  for (size_t m = 0; m < sizeof makers / sizeof *makers; m++) {
    if (transform->effort == MFFT_ESTIMATE && !makers[m].estimate) continue;
    mfft_cufft_call tried = {.cufft = cufft, .driver = best.driver, .transform = *transform};
    failed = worse(failed, try_maker(&makers[m], &tried));
    if (tried.seconds < best.seconds) {
      drop(&best);
      best = tried;
    } else {
      drop(&tried);
    }
  }
  if (!best.has_plan) return mfft_cufft_status(failed, "making a plan");
  *call = malloc(sizeof **call);
  if (!*call) {
    drop(&best);
    return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a call of cuFFT");
  }
  **call = best;
  return MFFT_SUCCESS;
}

const char *mfft_cufft_call_words(const mfft_cufft_call *call) { return call->words; }

void mfft_cufft_call_destroy(mfft_cufft_call *call) {
  if (!call) return;
  drop(call);
  free(call);
}
