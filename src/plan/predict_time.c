/* predict_time.c: walks along a program and adds up the times of its stages.
 *
 * A rank has one processor, or one stream, which does the stages in sequence; a queue of copies to near ranks; one of copies
 * that stay; and one of messages to other nodes.  START puts a transfer into the queues, WAIT holds the processor until it
 * is through.  All ranks do the same at the same time, so a rank receives a chunk when it has sent its own. */
#include <math.h>

#include "plan/distribution.h"
#include "plan/predict_model.h"

typedef struct timeline {
  const mfft_machine *machine;
  mfft_plan plan;
  double far_bandwidth;                  /* out of this rank while all ranks of its node send */
  double now;                            /* the processor or stream is free from then on */
  double near_free, here_free, far_free; /* moments from which the queues are free */
  mfft_predicted sum;
} timeline;

/* The stream works for `seconds`, longer by what busy queues take of its memory bandwidth. */
static void work(timeline *t, double seconds, double *sum) {
  const double begin = t->now, end = begin + seconds;
  double extra = 0;
  if (!t->machine->host_memory && seconds > 0) {
    const double near = fmin(end, t->near_free) - begin, here = fmin(end, t->here_free) - begin;
    if (near > 0) extra += near * t->machine->near_memory * t->machine->near_bandwidth / t->machine->memory_bandwidth;
    if (here > 0) extra += here;
  }
  t->now = end + extra;
  *sum += seconds + extra;
}

static double queue(double now, double *free, double seconds) {
  if (seconds > 0) *free = fmax(now, *free) + seconds;
  return seconds > 0 ? *free : now;
}

/* Out of this rank to others of its node: messages of MPI, copies of a GPU, or those that the processor makes itself, as it
 * copies what stays; near_bandwidth is that of messages. */
static double near_seconds(const mfft_machine *m, const mfft_traffic *move) {
  if (!move->near_bytes) return 0;
  if (m->host_memory && move->self_by_transfer) return 2 * (double)move->near_bytes / m->copy_bandwidth;
  return (double)move->near_messages * m->near_message_s + (double)move->near_bytes / m->near_bandwidth;
}

/* Puts a transfer into the queues of both links, and the copies of what stays on the rank into theirs. */
static void start(timeline *t, mfft_model_transfer *x) {
  const mfft_machine *m = t->machine;
  const mfft_traffic *move = &x->traffic;
  const int64_t far_bytes = move->far_bytes > move->far_received ? move->far_bytes : move->far_received;
  const double near_s = near_seconds(m, move);
  const double of_leaders = m->far_share * m->far_bandwidth * move->leaders; /* out of the leaders, for each rank */
  const double far_bandwidth = move->leaders > 0 ? fmin(t->far_bandwidth, of_leaders) : t->far_bandwidth;
  const double far_s = (double)move->far_messages * m->far_message_s + (far_bytes ? (double)far_bytes / far_bandwidth : 0);
  const double staged_s = move->staged_bytes ? (double)move->staged_bytes / m->far_bandwidth : 0; /* the host is as far */
  const double self_s = move->self_by_transfer ? 2 * (double)move->self_bytes / m->copy_bandwidth : 0;
  x->near_left = x->far_left = 0;
  x->near_end = t->now + (near_s > 0 ? m->near_latency_s + near_s : 0);
  x->far_end = t->now + (far_s > 0 ? m->far_latency_s + far_s : 0);
  t->sum.near_s += near_s;
  t->sum.far_s += far_s;
  if (!m->host_memory) { /* copies and messages run beside the stream */
    x->near_end = fmax(x->near_end, queue(t->now, &t->near_free, near_s));
    x->near_end = fmax(x->near_end, queue(t->now, &t->here_free, self_s));
    t->sum.copies_s += self_s;
  } else if (move->self_by_transfer) { /* the calling thread copies */
    work(t, self_s, &t->sum.copies_s);
    t->now += near_s;
  } else { /* MPI copies between the ranks of a node while this rank waits */
    x->near_left = near_s;
  }
  if (m->host_memory && !m->far_overlaps)
    x->far_left = far_s;
  else
    x->far_end = fmax(x->far_end, queue(t->now, &t->far_free, far_s)) + staged_s;
  t->sum.near_bytes += move->near_bytes;
  t->sum.far_bytes += move->far_bytes;
  t->sum.near_messages += move->near_messages;
  t->sum.far_messages += move->far_messages;
}

/* While MPI copies for near ranks, the network goes on. */
static void wait(timeline *t, mfft_model_transfer *x) {
  t->now = fmax(t->now + fmax(x->near_left, x->far_left), fmax(x->near_end, x->far_end));
  x->near_left = x->far_left = 0;
}

static double block_bytes(const mfft_stage *stage, double element_bytes) {
  double elements = 0;
  for (int64_t i = 0; i < stage->nblocks; i++) {
    const mfft_block *b = &stage->blocks[i];
    elements += (double)b->n[0] * (double)b->n[1] * (double)b->n[2] * (double)b->n[3];
  }
  return elements * element_bytes;
}

static void transform(timeline *t, const mfft_stage *stage) {
  const mfft_fft_spec *spec = &((const mfft_model_fft *)stage->fft)->spec;
  const double rows = t->plan->desc.kind == MFFT_R2C && !t->machine->host_memory ? t->machine->real_rows : 1;
  const double factor = rows * (spec->scatter.count ? t->machine->scatter : 1);
  work(t, factor * mfft_model_fft_s(t->machine, spec), &t->sum.transforms_s);
}

static void copy(timeline *t, const mfft_stage *stage) {
  work(t, t->machine->stage_s + 2 * block_bytes(stage, (double)stage->element_bytes) / t->machine->copy_bandwidth,
       &t->sum.copies_s);
}

/* One side has half the width. */
static void convert(timeline *t, const mfft_stage *stage) {
  const double element = stage->kind == MFFT_STAGE_RESIZE ? (double)t->plan->element_bytes : (double)stage->element_bytes;
  work(t, t->machine->stage_s + 1.5 * block_bytes(stage, element) / t->machine->copy_bandwidth, &t->sum.copies_s);
}

static void twiddle(timeline *t, const mfft_stage *stage) {
  const int64_t *n = stage->twiddle.n;
  const double bytes = (double)n[0] * (double)n[1] * (double)n[2] * (double)t->plan->element_bytes;
  work(t, t->machine->stage_s + 2 * bytes / t->machine->memory_bandwidth, &t->sum.transforms_s);
}

static void filter(timeline *t, const mfft_stage *stage) {
  (void)stage;
  work(t, t->machine->stage_s + 2 * (double)t->plan->bytes[MFFT_OUT] / t->machine->memory_bandwidth, &t->sum.transforms_s);
}

static void begin_transfer(timeline *t, const mfft_stage *stage) {
  t->now += t->machine->stage_s;
  start(t, (mfft_model_transfer *)stage->transfer);
}

static void end_transfer(timeline *t, const mfft_stage *stage) { wait(t, (mfft_model_transfer *)stage->transfer); }

static void open_window(timeline *t, const mfft_stage *stage) {
  (void)stage;
  t->now += t->machine->stage_s;
}

void mfft_model_time(const mfft_machine *machine, const mfft_cluster *cluster, mfft_plan plan, mfft_direction direction,
                     mfft_predicted *predicted) {
  static void (*const take[MFFT_STAGE_KINDS])(timeline *, const mfft_stage *) = {
      [MFFT_STAGE_FFT] = transform,        [MFFT_STAGE_COPY] = copy,         [MFFT_STAGE_CONVERT] = convert,
      [MFFT_STAGE_RESIZE] = convert,       [MFFT_STAGE_TWIDDLE] = twiddle,   [MFFT_STAGE_OPEN] = open_window,
      [MFFT_STAGE_START] = begin_transfer, [MFFT_STAGE_WAIT] = end_transfer, [MFFT_STAGE_FILTER] = filter};
  const double shared = machine->node_bandwidth / cluster->node_ranks;
  timeline t = {.machine = machine, .plan = plan};
  t.far_bandwidth = machine->far_share * fmin(machine->far_bandwidth, shared);
  const mfft_program *program = &plan->program[direction];
  for (int i = 0; i < program->count; i++) take[program->stage[i].kind](&t, &program->stage[i]);
  const double all = t.sum.transforms_s + t.sum.copies_s + t.sum.near_s + t.sum.far_s;
  t.sum.time_s = t.now;
  t.sum.hidden_s = fmax(0, all - t.now);
  *predicted = t.sum;
}
