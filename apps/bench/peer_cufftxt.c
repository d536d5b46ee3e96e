/* peer_cufftxt.c: cuFFT's multi-GPU plan as a peer.  Rank 0 runs it on as many GPUs as there are ranks while the others wait
 * in MPI, their GPUs idle; its arrays are its own, in place: from slabs of x to slabs of y ("shuffled"), which is also the
 * distribution of our transposed order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cufft_library.h"
#include "bench/peer.h"
#include "bench/peer_driver.h"
#include "cli/collective.h"
#include "cli/report.h"
#include "gen/noise.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"

enum { MOST_GPUS = MFFT_PEER_PARTS };

static const mfft_peer_driver *driver;

static mfft_status driver_status(CUresult result, const char *doing) {
  return mfft_peer_driver_status("cufftxt", result, doing);
}

/* ---- The peer ---- */

typedef struct cufftxt_peer {
  mfft_peer base;
  MPI_Comm comm;
  int rank;
  const char *backend;
  mfft_precision precision;
  size_t element_bytes;
  int64_t n[3];    /* after leading axes of length 1 */
  mfft_box box[2]; /* [side] */
  void *array[2];  /* [side] */
  /* On rank 0: */
  const mfft_cufft_library *cufft;
  cufftHandle plan;
  int gpus, has_plan, filled;
  CUcontext context[MOST_GPUS]; /* [gpus] */
  CUcontext ours;               /* to be made current again after cuFFT, which changes it */
  cudaLibXtDesc *data;
} cufftxt_peer;

static mfft_status leave(const cufftxt_peer *p, mfft_status status) {
  if (driver) driver->context_set(p->ours);
  return status;
}

/* Shares the result of rank 0 with all ranks. */
static mfft_status share(const cufftxt_peer *p, mfft_status status) {
  int found = status;
  mfft_app_broadcast(&found, sizeof found, 0, "sharing what rank 0 found");
  return p->rank == 0 || found == MFFT_SUCCESS ? (mfft_status)found
                                               : mfft_app_fail((mfft_status)found, "rank 0 has no cufftxt");
}

static mfft_status synchronize(mfft_peer *base) {
  const cufftxt_peer *p = (cufftxt_peer *)base;
  CUresult result = CUDA_SUCCESS;
  for (int g = 0; p->rank == 0 && g < p->gpus && result == CUDA_SUCCESS; g++) {
    result = driver->context_set(p->context[g]);
    if (result == CUDA_SUCCESS) result = driver->context_synchronize();
  }
  return p->rank == 0 ? leave(p, driver_status(result, "waiting for the GPUs")) : MFFT_SUCCESS;
}

static mfft_status execute(mfft_peer *base, mfft_direction direction) {
  const cufftxt_peer *p = (cufftxt_peer *)base;
  if (p->rank) return MFFT_SUCCESS;
  const int forward = direction == MFFT_FORWARD;
  /* A single transform repeats on the data of the preceding one. */
  p->data->subFormat = forward ? CUFFT_XT_FORMAT_INPLACE : CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
  return leave(p, mfft_cufft_status(
                      p->cufft->cufftXtExecDescriptor(p->plan, p->data, p->data, forward ? CUFFT_FORWARD : CUFFT_INVERSE),
                      "executing on several GPUs"));
}

/* Random data, once: on a device the numbers do not affect the time. */
static void fill(mfft_peer *base, double amplitude) {
  enum { PIECE = 16 << 20 };
  cufftxt_peer *p = (cufftxt_peer *)base;
  const int64_t count = PIECE / (int64_t)p->element_bytes;
  char *noise = p->rank == 0 && !p->filled ? malloc(PIECE) : NULL;
  if (!noise || mfft_noise_store(p->precision, amplitude, 0, 2 * count, noise) != MFFT_SUCCESS) goto done;
  for (int g = 0; g < p->gpus; g++) {
    driver->context_set(p->context[g]);
    const size_t size = p->data->descriptor->size[g];
    for (size_t at = 0; at < size; at += PIECE)
      driver->copy_to_device((CUdeviceptr)p->data->descriptor->data[g] + at, noise, size - at < PIECE ? size - at : PIECE);
  }
  leave(p, MFFT_SUCCESS);
done:
  p->filled = 1;
  free(noise);
}

/* ---- Between our arrays and the peer's, through host memory of rank 0: for checks ---- */

static mfft_box whole_box(const cufftxt_peer *p) {
  mfft_box box = {{0, 0, 0}, {p->n[0], p->n[1], p->n[2]}, {0, 1, 2}};
  if (p->rank) box.hi[0] = 0;
  return box;
}

static size_t box_bytes(const cufftxt_peer *p, const mfft_box *box) {
  int64_t count = 1;
  for (int a = 0; a < 3; a++) count *= box->hi[a] > box->lo[a] ? box->hi[a] - box->lo[a] : 0;
  return (size_t)count * p->element_bytes;
}

static mfft_status move(const cufftxt_peer *p, const mfft_box *from, const void *in, const mfft_box *to, void *out) {
  mfft_exchange exchange = NULL;
  mfft_exchange_desc desc;
  mfft_exchange_desc_init(&desc);
  desc.element_bytes = (int64_t)p->element_bytes;
  desc.from = *from;
  desc.to = *to;
  mfft_status status = mfft_exchange_create(p->comm, &desc, NULL, &exchange);
  if (status == MFFT_SUCCESS) status = mfft_exchange_execute(exchange, in, out);
  mfft_exchange_destroy(exchange);
  return status;
}

/* Copy the side of our arrays, in natural order in host memory of rank 0, to the peer and back. */
static mfft_status transfer(cufftxt_peer *p, mfft_side side, int give) {
  const mfft_box whole = whole_box(p), *mine = &p->box[side];
  const size_t bytes = box_bytes(p, mine);
  void *part = NULL, *all = NULL;
  mfft_status status = mfft_alloc(bytes ? bytes : 1, &part);
  if (status == MFFT_SUCCESS) status = mfft_alloc(box_bytes(p, &whole) + 1, &all);
  const int failed = mfft_app_anywhere(status != MFFT_SUCCESS);
  if (failed && status == MFFT_SUCCESS) status = mfft_app_fail(MFFT_ERR_MEMORY, "another rank has no memory");
  if (status == MFFT_SUCCESS && !give) {
    status = mfft_memory_download(p->backend, part, p->array[side], bytes);
    if (status == MFFT_SUCCESS) status = move(p, mine, part, &whole, all);
    if (status == MFFT_SUCCESS && p->rank == 0) {
      p->data->subFormat = CUFFT_XT_FORMAT_INPLACE;
      status = mfft_cufft_status(p->cufft->cufftXtMemcpy(p->plan, p->data, all, CUFFT_COPY_HOST_TO_DEVICE), "copying in");
      leave(p, status);
    }
  } else if (status == MFFT_SUCCESS) {
    if (p->rank == 0) { /* the copy brings shuffled data into natural order */
      status = mfft_cufft_status(p->cufft->cufftXtMemcpy(p->plan, all, p->data, CUFFT_COPY_DEVICE_TO_HOST), "copying out");
      leave(p, status);
    }
    status = share(p, status);
    if (status == MFFT_SUCCESS) status = move(p, &whole, all, mine, part);
    if (status == MFFT_SUCCESS) status = mfft_memory_upload(p->backend, p->array[side], part, bytes);
  }
  mfft_free(part);
  mfft_free(all);
  return status;
}

static mfft_status take(mfft_peer *base, mfft_direction direction) {
  cufftxt_peer *p = (cufftxt_peer *)base;
  mfft_status status = share(p, transfer(p, MFFT_IN, 0));
  p->filled = 0;
  if (status == MFFT_SUCCESS && direction == MFFT_BACKWARD) status = execute(base, MFFT_FORWARD);
  return status;
}

static mfft_status give(mfft_peer *base, mfft_direction direction) {
  return transfer((cufftxt_peer *)base, direction == MFFT_FORWARD ? MFFT_OUT : MFFT_IN, 1);
}

/* Slabs of x, or when shuffled of y; the first ones are larger by one if they are not equal. */
static int parts(mfft_peer *base, mfft_side side, mfft_box box[MFFT_PEER_PARTS], mfft_bench_array part[MFFT_PEER_PARTS]) {
  const cufftxt_peer *p = (cufftxt_peer *)base;
  const int axis = side == MFFT_IN ? 0 : 1;
  int64_t at = 0;
  for (int g = 0; g < p->gpus; g++) {
    const int64_t extent = p->n[axis] / p->gpus + (g < p->n[axis] % p->gpus);
    box[g] = (mfft_box){{0, 0, 0}, {p->n[0], p->n[1], p->n[2]}, {0, 1, 2}};
    box[g].lo[axis] = at;
    box[g].hi[axis] = at += extent;
    part[g] = (mfft_bench_array){.backend = p->backend,
                                 .memory = MFFT_MEMORY_DEVICE,
                                 .data = p->data->descriptor->data[g],
                                 .bytes = box_bytes(p, &box[g])};
  }
  return p->gpus;
}

/* ---- Creation ---- */

static void destroy(mfft_peer *base) {
  cufftxt_peer *p = (cufftxt_peer *)base;
  if (p->data) p->cufft->cufftXtFree(p->data);
  if (p->has_plan) p->cufft->cufftDestroy(p->plan);
  for (int g = 0; g < p->gpus; g++) driver->primary_release(g);
  if (p->gpus) leave(p, MFFT_SUCCESS);
  free(p);
}

static const mfft_peer_ops ops = {.fill = fill,
                                  .take = take,
                                  .give = give,
                                  .parts = parts,
                                  .execute = execute,
                                  .synchronize = synchronize,
                                  .destroy = destroy};

static mfft_status take_gpus(cufftxt_peer *p, int wanted) {
  int count = 0;
  mfft_status status = mfft_peer_driver_open("cufftxt", &driver);
  if (status == MFFT_SUCCESS) status = driver_status(driver->context_current(&p->ours), "the current context");
  if (status == MFFT_SUCCESS) status = driver_status(driver->device_count(&count), "counting GPUs");
  if (status != MFFT_SUCCESS) return status;
  if (count > wanted) count = wanted;
  if (count > MOST_GPUS) count = MOST_GPUS;
  if (count < 2)
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED,
                         "--vs cufftxt needs at least two ranks and two GPUs, and there are %d; use --vs cufft on one",
                         count);
  for (; p->gpus < count && status == MFFT_SUCCESS; p->gpus++) {
    status = driver_status(driver->primary_retain(&p->context[p->gpus], p->gpus), "the context of a GPU");
    if (status != MFFT_SUCCESS) break;
  }
  return status;
}

static mfft_status make_plan(cufftxt_peer *p, const mfft_peer_spec *spec) {
  const cudaDataType type = spec->precision == MFFT_DOUBLE ? CUDA_C_64F : CUDA_C_32F;
  long long n[3];         /* [axis] */
  int gpu[MOST_GPUS];     /* [GPU] */
  size_t work[MOST_GPUS]; /* [GPU] */
  for (int a = 0; a < spec->rank; a++) n[a] = spec->n[a];
  for (int g = 0; g < p->gpus; g++) gpu[g] = g;
  snprintf(p->base.call, sizeof p->base.call, "cufftXtMakePlanMany without embeds on %d GPUs, in place", p->gpus);
  mfft_status status = mfft_cufft_status(p->cufft->cufftCreate(&p->plan), "making a plan");
  p->has_plan = status == MFFT_SUCCESS;
  if (status == MFFT_SUCCESS) status = mfft_cufft_status(p->cufft->cufftXtSetGPUs(p->plan, p->gpus, gpu), "taking the GPUs");
  if (status == MFFT_SUCCESS)
    status = mfft_cufft_status(
        p->cufft->cufftXtMakePlanMany(p->plan, spec->rank, n, NULL, 1, 1, type, NULL, 1, 1, type, 1, work, type),
        "making a plan for several GPUs");
  if (status == MFFT_SUCCESS)
    status = mfft_cufft_status(p->cufft->cufftXtMalloc(p->plan, &p->data, CUFFT_XT_FORMAT_INPLACE), "memory on all GPUs");
  return status;
}

static mfft_status check_spec(const mfft_peer_spec *spec) {
  if (spec->kind != MFFT_C2C || spec->rank < 2 || spec->batch != 1 || spec->precision > MFFT_SINGLE)
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED,
                         "--vs cufftxt does c2c, 2D and 3D, one array at a time, in single and double; leave out --vs");
  if (spec->order != MFFT_ORDER_TRANSPOSED)
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "--vs cufftxt leaves its output shuffled; use --order transposed");
  return MFFT_SUCCESS;
}

mfft_status mfft_peer_create_cufftxt(const mfft_peer_spec *spec, mfft_peer **peer) {
  int ranks;
  mfft_status status = check_spec(spec);
  if (status != MFFT_SUCCESS) return status;
  cufftxt_peer *p = calloc(1, sizeof *p);
  if (!p) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the peer");
  p->base.ops = &ops;
  p->comm = spec->comm;
  p->backend = spec->backend;
  p->precision = spec->precision;
  p->element_bytes = spec->precision == MFFT_DOUBLE ? 16 : 8;
  for (int a = 0; a < 3; a++) p->n[a] = a < spec->rank ? spec->n[a] : 1;
  memcpy(p->box, spec->box, sizeof p->box);
  memcpy(p->array, spec->array, sizeof p->array);
  MPI_Comm_rank(p->comm, &p->rank);
  MPI_Comm_size(p->comm, &ranks);
  if (p->rank == 0) {
    status = take_gpus(p, ranks);
    if (status == MFFT_SUCCESS) status = mfft_cufft_open("cufftxt", &p->cufft);
    if (status == MFFT_SUCCESS) status = make_plan(p, spec);
    leave(p, status);
  }
  status = share(p, status);
  if (status != MFFT_SUCCESS)
    destroy(&p->base);
  else
    *peer = &p->base;
  return status;
}
