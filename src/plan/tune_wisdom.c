/* tune_wisdom.c: the wisdom of whole plans, one line for each:
 *
 *     KEY  effort measure complete 1 limit 5 seconds 0.0123 transport p2p grid 4x1 chunks auto overlap-split auto
 *          copy-blocks auto copy-lanes auto wire full local rule
 *
 * A value that this build would not write, because it is damaged or of another version, is ignored. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/env.h"
#include "base/log.h"
#include "base/text.h"
#include "base/wisdom_store.h"
#include "base/words.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "dist/topology.h"
#include "plan/tune.h"

enum { VALUE_BYTES = MFFT_CANDIDATE_BYTES + 128, MODEL_BYTES = 64, LINKS_BYTES = 16 };

typedef struct machine {
  char model[MODEL_BYTES], links[LINKS_BYTES]; /* of the GPU of rank 0 */
  int nodes, node_ranks;                       /* node_ranks: the most ranks of any node */
  uint64_t mapping;                            /* hash of the node of each rank */
} machine;

/* Sums up the caller's boxes over the ranks; the sum depends on which rank holds which box. */
static mfft_status sum_boxes(MPI_Comm comm, const mfft_tune_scope *scope, uint64_t *sum) {
  const mfft_box *const box[2] = {scope->desc->in_box, scope->desc->out_box}; /* [side] */
  *sum = 0;
  for (int side = 0; side < 2; side++)
    for (int axis = 0; box[side] && axis < 3; axis++) {
      const uint64_t parts[3] = {(uint64_t)box[side]->lo[axis], (uint64_t)box[side]->hi[axis],
                                 (uint64_t)box[side]->order[axis]};
      for (int i = 0; i < 3; i++)
        *sum += (parts[i] + 1) * (0x9e3779b97f4a7c15u ^ (uint64_t)(scope->rank * 32 + side * 16 + axis * 4 + i));
    }
  return mfft_collective_allreduce(comm, sum, 1, MPI_UINT64_T, MPI_SUM, "comparing boxes");
}

static mfft_status describe_machine(MPI_Comm comm, const mfft_backend *backend, machine *m) {
  mfft_topology topology;
  memset(m, 0, sizeof *m);
  mfft_status status = mfft_topology_make(comm, &topology);
  if (status == MFFT_SUCCESS && backend->device) status = backend->device->model(m->model, MODEL_BYTES);
  if (status == MFFT_SUCCESS && backend->device) status = backend->device->links(m->links, LINKS_BYTES);
  int nodes = topology.node_rank == 0, node_ranks = topology.node_ranks;
  if (status == MFFT_SUCCESS)
    m->mapping = mfft_text_hash((const char *)topology.node_of, (size_t)topology.ranks * sizeof *topology.node_of);
  mfft_topology_free(&topology);
  MFFT_TRY(mfft_agree(comm, status));
  MFFT_TRY(mfft_collective_broadcast(comm, m, sizeof *m, 0, "sharing the name of a card"));
  MFFT_TRY(mfft_collective_allreduce(comm, &nodes, 1, MPI_INT, MPI_SUM, "counting nodes"));
  MFFT_TRY(mfft_collective_allreduce(comm, &node_ranks, 1, MPI_INT, MPI_MAX, "counting ranks of a node"));
  m->nodes = nodes;
  m->node_ranks = node_ranks;
  return MFFT_SUCCESS;
}

/* The wire word of the key says whether half the width is requested or allowed, but not the tolerance. */
static const char *wire_word(const mfft_desc *d, const mfft_options *o) {
  if (o->wire == MFFT_WIRE_AUTO && o->tolerance >= mfft_wire_error(d->precision)) return "either";
  return o->wire == MFFT_WIRE_HALF ? "half" : "full";
}

mfft_status mfft_tune_key(MPI_Comm comm, const mfft_tune_scope *scope, char key[MFFT_KEY_BYTES]) {
  const mfft_desc *d = scope->desc;
  const mfft_options *o = scope->asked;
  machine m;
  uint64_t boxes;
  MFFT_TRY(sum_boxes(comm, scope, &boxes));
  MFFT_TRY(describe_machine(comm, scope->backend, &m));
  snprintf(key, MFFT_KEY_BYTES,
           "v%d,card=%s,links=%s,nodes=%d,per-node=%d,mapping=%016" PRIx64
           ",ranks=%d,backend=%s,compute=%d,threads=%d,"
           "n=%" PRId64 "x%" PRId64 "x%" PRId64 ",given=%" PRId64 "x%" PRId64 "x%" PRId64 ",rank=%d,axes=%u,batch=%" PRId64
           ",kind=%d.%d%d%d,precision=%d,"
           "placement=%d,destroy=%d,order=%d,scrambled=%d,filtered=%u,padded=%d,grid=%dx%d,transport=%s,chunks=%d,"
           "overlap-split=%d,wire=%s,reproducible=%d,run=%.0f,chunk=%.0f,overlap=%.0f,blocks=%.0f,lanes=%.0f,"
           "boxes=%016" PRIx64,
           MFFT_VERSION, m.model, m.links, m.nodes, m.node_ranks, m.mapping, scope->ranks, scope->backend->name, o->compute,
           o->threads, d->n[0], d->n[1], d->n[2], d->given[0], d->given[1], d->given[2], d->rank, d->axes, d->batch, d->kind,
           d->axis_kind[0], d->axis_kind[1], d->axis_kind[2], d->precision, d->placement, d->allow_destroy_input, d->order,
           d->scrambled, d->filtered, d->padded, o->grid[0], o->grid[1], o->transport ? o->transport : "", o->chunks,
           o->overlap_split, wire_word(d, o), o->reproducible, mfft_env_number(MFFT_ENV_RUN_BYTES),
           mfft_env_number(MFFT_ENV_CHUNK_BYTES), mfft_env_number(MFFT_ENV_OVERLAP_BYTES),
           mfft_env_number(MFFT_ENV_COPY_BLOCKS), mfft_env_number(MFFT_ENV_COPY_LANES), boxes);
  mfft_wisdom_word(key);
  return MFFT_SUCCESS;
}

static int parse_effort(const char *name, mfft_effort *effort) {
  for (int e = 0; e <= MFFT_PATIENT; e++)
    if (strcmp(mfft_effort_words[e], name) == 0) {
      *effort = (mfft_effort)e;
      return 1;
    }
  return 0;
}

/* Parses "NAME WORD NAME WORD ...": every parameter once, in the sequence of the table, and nothing else. */
static int parse_candidate(const char *text, mfft_candidate *candidate) {
  for (int p = 0; p < MFFT_PARAMETERS; p++) {
    char name[MFFT_WORD_BYTES];
    int end = 0;
    if (sscanf(text, " %31s %31s%n", name, candidate->word[p], &end) != 2 || strcmp(name, mfft_parameters[p].name) != 0)
      return 0;
    text += end;
  }
  return *text == '\0';
}

static int parse(const mfft_tune_scope *scope, const char *value, mfft_candidate *candidate, double *seconds) {
  char effort_word[16];
  mfft_effort effort;
  mfft_request request;
  int complete, end = 0;
  double limit;
  if (sscanf(value, "effort %15s complete %d limit %lf seconds %lf%n", effort_word, &complete, &limit, seconds, &end) != 4 ||
      !parse_effort(effort_word, &effort) || !parse_candidate(value + end, candidate) ||
      !mfft_candidate_request(scope, candidate, &request)) {
    if (scope->rank == 0) mfft_log(MFFT_LOG_WARNING, "ignoring wisdom that is not valid here: \"%s\"", value);
    return 0;
  }
  if (scope->asked->effort == MFFT_ESTIMATE) return 1;
  return mfft_effort_reaches(effort, scope->asked->effort) && (complete || limit >= mfft_options_time_limit(scope->asked));
}

mfft_status mfft_tune_recall(MPI_Comm comm, const mfft_tune_scope *scope, const char *key, mfft_candidate *candidate,
                             double *seconds, int *found) {
  char value[VALUE_BYTES] = "";
  if (scope->rank == 0 && !mfft_wisdom_get(key, value, sizeof value)) value[0] = '\0';
  MFFT_TRY(mfft_collective_broadcast(comm, value, sizeof value, 0, "sharing wisdom"));
  *found = value[0] && parse(scope, value, candidate, seconds);
  /* Time limits may differ between ranks: that of rank 0 counts. */
  return mfft_collective_broadcast(comm, found, sizeof *found, 0, "sharing wisdom");
}

mfft_status mfft_tune_remember(const mfft_tune_scope *scope, const char *key, const mfft_trials *trials) {
  char value[VALUE_BYTES];
  snprintf(value, sizeof value, "effort %s complete %d limit %g seconds %.9g %s", mfft_effort_words[scope->asked->effort],
           trials->complete, trials->limit, trials->seconds, trials->candidate);
  return mfft_wisdom_put(key, value);
}
