/* exchange.c: exchanges that an application creates and executes by itself. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cache_line.h"
#include "base/env.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/compare.h"
#include "comm/mpi_status.h"
#include "dist/exchange_desc.h"
#include "dist/failure.h"
#include "dist/group.h"
#include "local/checked.h"
#include "local/device_guard.h"
#include "mfft_mpi.h"

struct mfft_exchange_s {
  MPI_Comm comm;
  int rank, ranks;
  int64_t element_bytes;
  mfft_layout from, to;
  const mfft_transport *transport;
  mfft_topology topology;
  mfft_group group;
  mfft_route route;
  mfft_transfer **transfer; /* [route.chunks] */
  const mfft_backend *backend;
  mfft_device_context context;
  mfft_window window; /* of a direct transport: peers store the target array here */
  mfft_flow flow;
  void *send, *recv; /* send and receive areas; NULL if empty */
  void *stream;
  int64_t in_bytes, out_bytes, sent_bytes;
  mfft_checked checked;  /* arrays of earlier executes that passed the check */
  mfft_failure *failure; /* the failure object of executes; NULL on a single rank */
  int complete;          /* creation succeeded on all ranks */
};

static mfft_status share_box(mfft_exchange x, const mfft_box *mine, mfft_layout *layout) {
  layout->ranks = x->ranks;
  layout->box = malloc((size_t)x->ranks * sizeof *mine);
  MFFT_TRY(mfft_agree(x->comm, layout->box ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for %d boxes", x->ranks)));
  return mfft_collective_allgather(x->comm, mine, sizeof *mine, layout->box, "collecting boxes");
}

/* Checks that boxes of sources do not overlap.  A target box is then covered exactly if its intersections with the
 * sources add up to its size. */
static mfft_status check_cover(const mfft_exchange x) {
  const mfft_box *mine = &x->to.box[x->rank], *source = &x->from.box[x->rank];
  int64_t covered = 0;
  for (int peer = 0; peer < x->ranks; peer++) {
    mfft_box part = mfft_box_intersect(&x->from.box[peer], mine);
    covered += mfft_box_count(&part);
    mfft_box meet = mfft_box_intersect(&x->from.box[peer], source);
    if (peer != x->rank && !mfft_box_empty(&meet))
      return mfft_fail(MFFT_ERR_ARG,
                       "desc.from of ranks %d and %d overlap at (%" PRId64 ",%" PRId64 ",%" PRId64
                       "); every element must have one source",
                       x->rank, peer, meet.lo[0], meet.lo[1], meet.lo[2]);
  }
  if (covered != mfft_box_count(mine))
    return mfft_fail(MFFT_ERR_ARG,
                     "desc.to of rank %d asks for %" PRId64 " elements of which %" PRId64 " have no source in any desc.from",
                     x->rank, mfft_box_count(mine), mfft_box_count(mine) - covered);
  return MFFT_SUCCESS;
}

/* The backend defaults to "fftw", host memory, whatever MFFT_BACKEND says: the exchange moves the caller's arrays and
 * transforms nothing. */
static mfft_status find_backend(mfft_exchange x, const char *name) {
  for (int i = 0; name && mfft_backends[i]; i++)
    if (mfft_backends[i]->device) mfft_backends[i]->device->prefer(x->topology.host_rank);
  MFFT_TRY(mfft_backend_find(name ? name : "fftw", &x->backend));
  if (!x->backend->device)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "options.backend is \"%s\", whose memory exchanges cannot reach; use \"fftw\"",
                     x->backend->name);
  x->topology.device = x->backend->device;
  x->topology.host_memory = x->backend->host_memory;
  return mfft_device_context_find(x->backend->device, &x->context);
}

/* Finds the memory of the arrays and the transport.  Collective. */
static mfft_status find_transport(mfft_exchange x, const mfft_exchange_desc *d, const mfft_exchange_options *options) {
  const mfft_transport *wanted = NULL;
  MFFT_TRY(mfft_topology_make(x->comm, &x->topology));
  mfft_status status = find_backend(x, options->backend);
  if (status == MFFT_SUCCESS) status = mfft_transport_find(options->transport, &wanted);
  MFFT_TRY(mfft_agree(x->comm, status));
  static const char *const memory[] = {"of a device", "of the host"};
  const mfft_agree_item items[] = {mfft_agree_integer("desc.element_bytes", d->element_bytes),
                                   mfft_agree_integer("desc.batch", d->batch),
                                   mfft_agree_integer("options.chunks", options->chunks),
                                   mfft_agree_text("options.transport", wanted ? wanted->name : NULL),
                                   mfft_agree_choice("the memory of options.backend", x->topology.host_memory, memory, 2),
                                   mfft_agree_integer("MFFT_RUN_BYTES", (int64_t)mfft_env_number(MFFT_ENV_RUN_BYTES)),
                                   mfft_agree_integer("MFFT_NODE_RANKS", (int64_t)mfft_env_number(MFFT_ENV_NODE_RANKS))};
  MFFT_TRY(mfft_agree_values(x->comm, items, sizeof items / sizeof items[0]));
  if (!x->topology.host_memory) MFFT_TRY(mfft_topology_warn_shared(&x->topology));
  MFFT_TRY(mfft_transport_choose(&x->topology, wanted, &x->transport));
  if (x->transport->direct) mfft_window_init(&x->topology, &x->window);
  return mfft_failure_open(&x->topology, "exchange", &x->failure);
}

/* Number of chunks if the caller leaves it to the library: more than one only if a device packs, unpacks or copies to the
 * host while messages are under way.  The route of rank 0 decides, which makes all ranks choose alike. */
static mfft_status choose_chunks(mfft_exchange x, const mfft_route_spec *spec, int *chunks) {
  *chunks = 1;
  if (x->topology.host_memory || x->transport->direct) return MFFT_SUCCESS;
  mfft_route_spec first = *spec;
  mfft_route route;
  first.rank = 0;
  first.cut.chunks = 1;
  MFFT_TRY(mfft_route_build(&first, &route));
  if (route.packs || route.unpacks || x->transport == &mfft_transport_staged)
    *chunks = mfft_topology_chunks(&x->topology,
                                   (double)mfft_layout_largest(spec->from) * (double)(spec->batch * spec->element_bytes),
                                   MFFT_DEVICE_CHUNKS);
  mfft_route_free(&route);
  return MFFT_SUCCESS;
}

/* Divides the exchange into `chunks` along the batch or the first axis with that many indices, or into as many as the
 * longest of these has. */
static mfft_status cut(mfft_exchange x, int chunks, mfft_route_spec *spec) {
  int64_t most = 1;
  if (!chunks) MFFT_TRY(choose_chunks(x, spec, &chunks));
  spec->cut = (mfft_cut){.chunks = 1};
  for (int i = spec->batch > 1 ? -1 : 0; i < 3 && most < chunks; i++) {
    const int64_t slices = i < 0 ? spec->batch : mfft_layout_longest(&x->from, i);
    if (slices <= most) continue;
    most = slices < chunks ? slices : chunks;
    spec->cut = (mfft_cut){.axis = i < 0 ? MFFT_CUT_BATCH : i, .chunks = (int)most};
  }
  return MFFT_SUCCESS;
}

static mfft_status build(mfft_exchange x, const mfft_exchange_desc *d, int chunks) {
  mfft_route_spec spec = {.from = &x->from,
                          .to = &x->to,
                          .rank = x->rank,
                          .batch = d->batch,
                          .element_bytes = d->element_bytes,
                          .run_bytes = mfft_topology_run_bytes(&x->topology),
                          .messages = x->transport->direct ? MFFT_ONE_A_PEER : x->transport->messages, /* to other nodes */
                          .near = x->transport->direct ? x->topology.near : NULL};
  MFFT_TRY(cut(x, chunks, &spec));
  MFFT_TRY(mfft_route_build(&spec, &x->route));
  x->in_bytes = d->batch * mfft_box_count(&x->from.box[x->rank]) * d->element_bytes;
  x->out_bytes = d->batch * mfft_box_count(&x->to.box[x->rank]) * d->element_bytes;
  x->transfer = calloc((size_t)x->route.chunks, sizeof *x->transfer);
  if (!x->transfer) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %d chunks", x->route.chunks);
  for (int c = 0; c < x->route.chunks; c++) {
    MFFT_TRY(x->transport->create(&(mfft_transfer_spec){.group = &x->group,
                                                        .chunk = &x->route.chunk[c],
                                                        .what = "an exchange",
                                                        .topology = &x->topology,
                                                        .flow = &x->flow,
                                                        .window = &x->window,
                                                        .far = x->transport->far,
                                                        .element_bytes = d->element_bytes},
                                  &x->transfer[c]));
    x->sent_bytes += x->transfer[c]->sent_bytes;
  }
  if (x->route.send_bytes) MFFT_TRY(x->backend->alloc((size_t)x->route.send_bytes, &x->send));
  if (x->route.recv_bytes) MFFT_TRY(x->backend->alloc((size_t)x->route.recv_bytes, &x->recv));
  return MFFT_SUCCESS;
}

/* Opens the window and connects the transfers to it.  Collective. */
static mfft_status connect(mfft_exchange x) {
  mfft_status status = MFFT_SUCCESS;
  if (!x->transport->direct) return status;
  const int64_t arrays = mfft_line_bytes(x->out_bytes);
  int64_t carried;
  MFFT_TRY(mfft_transport_arrange(x->transport, &x->topology, x->transfer, x->route.chunks, arrays, &carried));
  MFFT_TRY(mfft_window_open(&x->window, (size_t)(arrays + carried)));
  for (int c = 0; c < x->route.chunks && status == MFFT_SUCCESS; c++)
    if (x->transfer[c]->connect) status = x->transfer[c]->connect(x->transfer[c]);
  return mfft_agree(x->comm, status);
}

mfft_status mfft_exchange_create(MPI_Comm comm, const mfft_exchange_desc *desc, const mfft_exchange_options *options,
                                 mfft_exchange *exchange) {
  mfft_status status;
  mfft_exchange_desc d = {0};
  mfft_exchange_options o = {0};
  MPI_Comm own;
  MFFT_TRY(mfft_comm_duplicate(comm, &own));
  mfft_exchange x = calloc(1, sizeof *x);
  status = x ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for an exchange");
  if (status == MFFT_SUCCESS && !exchange)
    status = mfft_fail(MFFT_ERR_ARG, "exchange is NULL; pass the address of an mfft_exchange");
  if (status == MFFT_SUCCESS) status = mfft_exchange_take(desc, options, &d, &o);
  if (x) x->comm = own;
  MFFT_GOTO(fail, mfft_agree(own, status));
  MPI_Comm_rank(own, &x->rank);
  MPI_Comm_size(own, &x->ranks);
  MFFT_GOTO(fail, find_transport(x, &d, &o));
  MFFT_GOTO(fail, share_box(x, &d.from, &x->from));
  MFFT_GOTO(fail, share_box(x, &d.to, &x->to));
  MFFT_GOTO(fail, mfft_agree(own, check_cover(x)));
  MFFT_GOTO(fail, mfft_group_make(own, x->transport->wants_groups, &x->from, &x->to, &x->group));
  x->element_bytes = d.element_bytes;
  MFFT_GOTO(fail, mfft_agree(own, build(x, &d, o.chunks)));
  MFFT_GOTO(fail, connect(x));
  x->complete = 1;
  *exchange = x;
  return MFFT_SUCCESS;
fail:
  if (x)
    mfft_exchange_destroy(x);
  else
    mfft_comm_free(&own);
  return status;
}

static mfft_status copy(mfft_exchange x, const mfft_block_list *list, const void *from, void *to) {
  return list->count ? x->backend->copy(list->block, list->count, x->element_bytes, from, to, x->stream) : MFFT_SUCCESS;
}

static mfft_status run(mfft_exchange x, const void *in, void *out) {
  /* A direct transport stores into the window, which may be the caller's `out` already. */
  void *target = x->transport->direct ? mfft_window_arrays(&x->window, x->rank) : out;
  const mfft_ends ends = {{in, x->send}, {target, x->recv}};
  for (int c = 0; c < x->route.chunks; c++) {
    MFFT_TRY(copy(x, &x->route.chunk[c].pack, in, x->send));
    MFFT_TRY(x->transfer[c]->start(x->transfer[c], &ends, x->stream));
  }
  for (int c = 0; c < x->route.chunks && !x->transport->direct; c++) MFFT_TRY(copy(x, &x->route.chunk[c].self, in, target));
  for (int c = 0; c < x->route.chunks; c++) {
    MFFT_TRY(x->transfer[c]->wait(x->transfer[c], x->stream));
    MFFT_TRY(copy(x, &x->route.chunk[c].unpack, x->recv, target));
  }
  if (target == out || !x->out_bytes) return MFFT_SUCCESS;
  return x->topology.device->copy_bytes(out, target, (size_t)x->out_bytes, x->stream);
}

static mfft_status check(mfft_exchange x, const void *result) {
  if (!x) return mfft_fail(MFFT_ERR_ARG, "the exchange is NULL; make one with mfft_exchange_create");
  return result ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_ARG, "the result is NULL; pass the address of a variable for it");
}

static mfft_status check_arrays(mfft_exchange x, const void *in, const void *out) {
  if ((!in && x->in_bytes) || (!out && x->out_bytes))
    return mfft_fail(MFFT_ERR_ARG, "%s is NULL; it needs %" PRId64 " bytes", in ? "out" : "in",
                     in ? x->out_bytes : x->in_bytes);
  if (in && in == out) return mfft_fail(MFFT_ERR_ARG, "in and out are the same array; an exchange needs two");
  MFFT_TRY(mfft_check_array(x->backend, &x->checked, in, (size_t)x->in_bytes, "in"));
  return mfft_check_array(x->backend, &x->checked, out, (size_t)x->out_bytes, "out");
}

mfft_status mfft_exchange_execute(mfft_exchange exchange, const void *in, void *out) {
  mfft_device_guard guard;
  MFFT_TRY(check(exchange, exchange));
  mfft_status status = mfft_device_guard_enter(&exchange->context, &guard);
  if (status == MFFT_SUCCESS) {
    status = mfft_failure_begin(exchange->failure, check_arrays(exchange, in, out));
    if (status == MFFT_SUCCESS) status = run(exchange, in, out);
  }
  status = mfft_failure_end(exchange->failure, status);
  mfft_device_guard_leave(&guard);
  return status;
}

mfft_status mfft_exchange_transport(mfft_exchange exchange, const char **name, int64_t *sent_bytes) {
  MFFT_TRY(check(exchange, name));
  *name = exchange->transport->name;
  if (sent_bytes) *sent_bytes = exchange->sent_bytes;
  return MFFT_SUCCESS;
}

mfft_status mfft_exchange_window(mfft_exchange exchange, void **window) {
  MFFT_TRY(check(exchange, window));
  *window = exchange->transport->direct ? mfft_window_arrays(&exchange->window, exchange->rank) : NULL;
  return MFFT_SUCCESS;
}

mfft_status mfft_exchange_set_stream(mfft_exchange exchange, void *stream) {
  MFFT_TRY(check(exchange, exchange));
  if (stream && exchange->topology.host_memory)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "stream is %p, but host memory has no streams; pass NULL", stream);
  exchange->stream = stream;
  return MFFT_SUCCESS;
}

mfft_status mfft_exchange_synchronize(mfft_exchange exchange) {
  mfft_device_guard guard;
  MFFT_TRY(check(exchange, exchange));
  MFFT_TRY(mfft_device_guard_enter(&exchange->context, &guard));
  mfft_status status = exchange->backend->synchronize(exchange->stream);
  if (status == MFFT_SUCCESS) status = mfft_failure_announced(exchange->failure);
  mfft_device_guard_leave(&guard);
  return status;
}

void mfft_exchange_destroy(mfft_exchange exchange) {
  mfft_exchange x = exchange;
  mfft_device_guard guard;
  if (!x) return;
  (void)mfft_device_guard_enter(&x->context, &guard);
  /* Peers free memory that this rank may still be storing into, hence the synchronization. */
  if (x->window.opened) x->backend->synchronize(x->stream);
  if (x->complete && x->transport->end_collectives && !mfft_mpi_is_over())
    (void)x->transport->end_collectives(&x->topology, x->transfer, x->route.chunks);
  for (int c = 0; x->transfer && c < x->route.chunks; c++)
    if (x->transfer[c]) x->transfer[c]->destroy(x->transfer[c]);
  mfft_window_close(&x->window);
  free(x->transfer);
  mfft_route_free(&x->route);
  mfft_group_free(&x->group, x->comm);
  mfft_layout_free(&x->from);
  mfft_layout_free(&x->to);
  if (x->backend && x->send) x->backend->free(x->send);
  if (x->backend && x->recv) x->backend->free(x->recv);
  mfft_failure_close(x->failure);
  mfft_topology_free(&x->topology);
  mfft_comm_free(&x->comm);
  mfft_device_guard_leave(&guard);
  free(x);
}
