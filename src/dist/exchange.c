/* exchange.c: exchanges as objects of their own. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/env.h"
#include "dist/agree.h"
#include "dist/group.h"
#include "mfft_mpi.h"

struct mfft_exchange_s {
  MPI_Comm comm;
  int rank, ranks;
  int64_t element_bytes;
  mfft_layout from, to;
  const mfft_transport *transport;
  mfft_reach reach;
  mfft_group group;
  mfft_route route;
  mfft_transfer **transfer; /* [route.chunks] */
  const mfft_backend *backend;
  void *send, *recv; /* areas */
  int64_t in_bytes, out_bytes;
  int dead;
};

void mfft_exchange_desc_init_sized(mfft_exchange_desc *desc, size_t struct_size) {
  mfft_exchange_desc whole = {.struct_size = struct_size, .element_bytes = 1, .batch = 1};
  memset(desc, 0, struct_size);
  memcpy(desc, &whole, struct_size < sizeof whole ? struct_size : sizeof whole);
}

static mfft_status check_desc(const mfft_exchange_desc *given, mfft_exchange_desc *d) {
  if (!given) return mfft_fail(MFFT_ERR_ARG, "the exchange descriptor is NULL");
  if (given->struct_size != sizeof *given)
    return mfft_fail(MFFT_ERR_ARG,
                     "desc.struct_size is %zu, this library's is %zu; fill the descriptor with mfft_exchange_desc_init",
                     given->struct_size, sizeof *given);
  *d = *given;
  if (d->element_bytes < 1 || d->element_bytes > 4096)
    return mfft_fail(MFFT_ERR_ARG, "desc.element_bytes is %" PRId64 "; use 1 to 4096", d->element_bytes);
  if (d->batch < 1) return mfft_fail(MFFT_ERR_ARG, "desc.batch is %" PRId64 "; use at least 1", d->batch);
  if (d->chunks < 0) return mfft_fail(MFFT_ERR_ARG, "desc.chunks is %d; use 0 to let the library choose", d->chunks);
  MFFT_TRY(mfft_box_check(&d->from, "desc.from"));
  return mfft_box_check(&d->to, "desc.to");
}

static mfft_status share_box(mfft_exchange x, const mfft_box *mine, mfft_layout *layout) {
  layout->ranks = x->ranks;
  layout->box = malloc((size_t)x->ranks * sizeof *mine);
  MFFT_TRY(mfft_agree(x->comm, layout->box ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for %d boxes", x->ranks)));
  return mfft_mpi_status(MPI_Allgather(mine, (int)sizeof *mine, MPI_BYTE, layout->box, (int)sizeof *mine, MPI_BYTE, x->comm),
                         "MPI_Allgather");
}

/* Sources must not overlap; then a target is covered exactly where its parts add up to it. */
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
                       "); every element "
                       "must have one source",
                       x->rank, peer, meet.lo[0], meet.lo[1], meet.lo[2]);
  }
  if (covered != mfft_box_count(mine))
    return mfft_fail(MFFT_ERR_ARG,
                     "desc.to of rank %d asks for %" PRId64 " elements of which %" PRId64 " have no source in any desc.from",
                     x->rank, mfft_box_count(mine), mfft_box_count(mine) - covered);
  return MFFT_SUCCESS;
}

/* Exchanges move host memory between arrays that come and go with every call, which windows cannot follow. */
static mfft_status find_transport(const char *name, const mfft_transport **transport) {
  MFFT_TRY(mfft_transport_find(name, transport));
  if (!*transport) *transport = &mfft_transport_pairwise;
  if ((*transport)->direct || (*transport)->device_only)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "transport \"%s\" serves plans only; use \"%s\" for an exchange",
                     (*transport)->name, mfft_transport_pairwise.name);
  return MFFT_SUCCESS;
}

static mfft_status build(mfft_exchange x, const mfft_exchange_desc *d) {
  mfft_route_spec spec = {.from = &x->from,
                          .to = &x->to,
                          .rank = x->rank,
                          .batch = d->batch,
                          .element_bytes = d->element_bytes,
                          .cut = {.chunks = d->chunks ? d->chunks : 1, .axis = d->batch > 1 ? MFFT_CUT_BATCH : 0},
                          .run_bytes = (int64_t)mfft_env_number(MFFT_ENV_RUN_BYTES),
                          .one_message = x->transport->one_message};
  MFFT_TRY(mfft_route_build(&spec, &x->route));
  x->in_bytes = d->batch * mfft_box_count(&x->from.box[x->rank]) * d->element_bytes;
  x->out_bytes = d->batch * mfft_box_count(&x->to.box[x->rank]) * d->element_bytes;
  x->transfer = calloc((size_t)x->route.chunks, sizeof *x->transfer);
  if (!x->transfer) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %d chunks", x->route.chunks);
  for (int c = 0; c < x->route.chunks; c++)
    MFFT_TRY(x->transport->create(&(mfft_transfer_spec){.group = &x->group,
                                                        .chunk = &x->route.chunk[c],
                                                        .what = "an exchange",
                                                        .reach = &x->reach,
                                                        .element_bytes = d->element_bytes},
                                  &x->transfer[c]));
  if (x->route.send_bytes) MFFT_TRY(mfft_alloc((size_t)x->route.send_bytes, &x->send));
  if (x->route.recv_bytes) MFFT_TRY(mfft_alloc((size_t)x->route.recv_bytes, &x->recv));
  return mfft_backend_find("fftw", &x->backend);
}

mfft_status mfft_exchange_create(MPI_Comm comm, const mfft_exchange_desc *desc, mfft_exchange *exchange) {
  mfft_status status;
  mfft_exchange_desc d = {0};
  MPI_Comm own;
  MFFT_TRY(mfft_comm_duplicate(comm, &own));
  mfft_exchange x = calloc(1, sizeof *x);
  status = x ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for an exchange");
  if (status == MFFT_SUCCESS && !exchange)
    status = mfft_fail(MFFT_ERR_ARG, "exchange is NULL; pass the address of an mfft_exchange");
  if (status == MFFT_SUCCESS) status = check_desc(desc, &d);
  if (status == MFFT_SUCCESS) status = find_transport(d.transport, &x->transport);
  if (x) x->comm = own;
  MFFT_GOTO(fail, mfft_agree(own, status));
  MPI_Comm_rank(own, &x->rank);
  MPI_Comm_size(own, &x->ranks);
  x->reach = (mfft_reach){.comm = own, .rank = x->rank, .ranks = x->ranks, .device = &mfft_device_host, .host_memory = 1};

  int transport = 0;
  while (strcmp(mfft_transport_name(transport), x->transport->name) != 0) transport++;
  const mfft_agree_item items[] = {{"desc.element_bytes", d.element_bytes},
                                   {"desc.batch", d.batch},
                                   {"desc.chunks", d.chunks},
                                   {"desc.transport (number)", transport},
                                   {"MFFT_RUN_BYTES", (int64_t)mfft_env_number(MFFT_ENV_RUN_BYTES)}};
  MFFT_GOTO(fail, mfft_agree_values(own, items, sizeof items / sizeof items[0]));
  MFFT_GOTO(fail, share_box(x, &d.from, &x->from));
  MFFT_GOTO(fail, share_box(x, &d.to, &x->to));
  MFFT_GOTO(fail, mfft_agree(own, check_cover(x)));
  MFFT_GOTO(fail, mfft_group_make(own, x->transport->wants_groups, &x->from, &x->to, &x->group));
  x->element_bytes = d.element_bytes;
  MFFT_GOTO(fail, mfft_agree(own, build(x, &d)));
  *exchange = x;
  return MFFT_SUCCESS;
fail:
  if (x)
    mfft_exchange_destroy(x);
  else
    MPI_Comm_free(&own);
  return status;
}

static mfft_status copy(mfft_exchange x, const mfft_block_list *list, const void *from, void *to) {
  return list->count ? x->backend->copy(list->block, list->count, x->element_bytes, from, to, NULL) : MFFT_SUCCESS;
}

static mfft_status run(mfft_exchange x, const void *in, void *out) {
  const mfft_ends ends = {{in, x->send}, {out, x->recv}};
  for (int c = 0; c < x->route.chunks; c++) {
    MFFT_TRY(copy(x, &x->route.chunk[c].pack, in, x->send));
    MFFT_TRY(x->transfer[c]->start(x->transfer[c], &ends, NULL));
  }
  for (int c = 0; c < x->route.chunks; c++) MFFT_TRY(copy(x, &x->route.chunk[c].self, in, out));
  for (int c = 0; c < x->route.chunks; c++) {
    MFFT_TRY(x->transfer[c]->wait(x->transfer[c], NULL));
    MFFT_TRY(copy(x, &x->route.chunk[c].unpack, x->recv, out));
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_exchange_execute(mfft_exchange exchange, const void *in, void *out) {
  mfft_exchange x = exchange;
  if (!x) return mfft_fail(MFFT_ERR_ARG, "the exchange is NULL; make one with mfft_exchange_create");
  if (x->dead) return mfft_fail(MFFT_ERR_STATE, "the exchange is dead since an execute failed; destroy it and make another");
  if ((!in && x->in_bytes) || (!out && x->out_bytes))
    return mfft_fail(MFFT_ERR_ARG, "%s is NULL; it needs %" PRId64 " bytes", in ? "out" : "in",
                     in ? x->out_bytes : x->in_bytes);
  if (in && in == out) return mfft_fail(MFFT_ERR_ARG, "in and out are the same array; an exchange needs two");
  mfft_status status = run(x, in, out);
  x->dead = status != MFFT_SUCCESS;
  return status;
}

void mfft_exchange_destroy(mfft_exchange exchange) {
  mfft_exchange x = exchange;
  if (!x) return;
  for (int c = 0; x->transfer && c < x->route.chunks; c++)
    if (x->transfer[c]) x->transfer[c]->destroy(x->transfer[c]);
  free(x->transfer);
  mfft_route_free(&x->route);
  mfft_group_free(&x->group, x->comm);
  mfft_layout_free(&x->from);
  mfft_layout_free(&x->to);
  mfft_free(x->send);
  mfft_free(x->recv);
  MPI_Comm_free(&x->comm);
  free(x);
}
