/* host_arrays.c: see host_arrays.h. */
#include "plan/host_arrays.h"

#include <stdlib.h>

#include "dist/host_copies.h"
#include "plan/distribution.h"

enum { MOST_PARTS = 64, AHEAD = 2 }; /* uploads that are queued before the first is needed */
enum { LEAST_ROW_BYTES = 2048 };     /* copies of shorter rows are slower than waiting for the whole */
enum { READS, WRITES };

/* Parts of an array in the sequence of their copies, each with the stage before or after which it is copied. */
typedef struct part_list {
  struct {
    mfft_extent extent;
    int stage;
  } part[MOST_PARTS]; /* [count] */
  int count;
  int64_t bytes; /* of all parts */
} part_list;

/* ---- What a stage touches -------------------------------------------------------------------------------------------- */

/* Whether a stage of this kind has arrays in `in` and `out`. */
static const struct {
  int in, out;
} has[MFFT_STAGE_KINDS] = {
    [MFFT_STAGE_FFT] = {1, 1},   [MFFT_STAGE_COPY] = {1, 1},   [MFFT_STAGE_CONVERT] = {1, 1}, [MFFT_STAGE_RESIZE] = {1, 1},
    [MFFT_STAGE_START] = {1, 1}, [MFFT_STAGE_FILTER] = {1, 1}, [MFFT_STAGE_WAIT] = {0, 1},    [MFFT_STAGE_TWIDDLE] = {0, 1}};

static int touches(const mfft_stage *s, mfft_buffer buffer, int how) {
  return how == READS ? has[s->kind].in && s->in.buffer == buffer : has[s->kind].out && s->out.buffer == buffer;
}

/* Whether a stage touches bytes of a buffer that no extent says. */
static int touches_more(const mfft_stage *s, mfft_buffer buffer) {
  int more = s->kind == MFFT_STAGE_TWIDDLE && s->out.buffer == buffer;
  more |= s->kind == MFFT_STAGE_START && (s->send.buffer == buffer || s->recv.buffer == buffer);
  for (int i = 0; i < s->shares; i++) more |= s->share[i].buffer == buffer && s->out.buffer != buffer;
  return more;
}

/* ---- Parts ----------------------------------------------------------------------------------------------------------- */

static int is_listed(const part_list *list, const mfft_extent *e) {
  for (int i = 0; i < list->count; i++)
    if (mfft_extent_within(e, &list->part[i].extent)) return 1;
  return 0;
}

/* Adds a part unless it meets another one or has short rows; returns whether it is listed. */
static int add_part(part_list *list, const mfft_extent *e, int stage) {
  if (list->count == MOST_PARTS || !e->rows || (e->rows > 1 && e->row_bytes < LEAST_ROW_BYTES)) return 0;
  for (int i = 0; i < list->count; i++)
    if (!mfft_extents_disjoint(e, &list->part[i].extent)) return 0;
  list->part[list->count].extent = *e;
  list->part[list->count++].stage = stage;
  list->bytes += mfft_extent_bytes(e);
  return 1;
}

static void list_whole(part_list *list, int64_t bytes, int stage) {
  *list = (part_list){.count = bytes > 0, .bytes = bytes};
  list->part[0].extent = (mfft_extent){.row_bytes = bytes, .rows = 1};
  list->part[0].stage = stage;
}

/* The parts of the input, each before the first stage that reads it; one part before all stages where a stage touches more
 * than has been uploaded by then. */
static void list_uploads(const mfft_program *program, mfft_buffer buffer, int64_t bytes, part_list *list) {
  int sound = 1;
  *list = (part_list){0};
  for (int i = 0; i < program->count && sound && list->bytes < bytes; i++) {
    const mfft_stage *s = &program->stage[i];
    const mfft_extent *reads = &s->touch[READS], *writes = &s->touch[WRITES];
    if (touches(s, buffer, READS) && !is_listed(list, reads)) sound = add_part(list, reads, i);
    if (touches(s, buffer, WRITES)) sound &= is_listed(list, writes) || (writes->rows && writes->offset_bytes >= bytes);
    if (touches_more(s, buffer)) sound = 0;
  }
  if (!sound || list->bytes != bytes) list_whole(list, bytes, 0);
}

/* The parts of the output, each after the last stage that writes it, from the end of the program on. */
static void list_downloads(const mfft_program *program, mfft_buffer buffer, int64_t bytes, part_list *list) {
  int sound = 1;
  *list = (part_list){0};
  for (int i = program->count - 1; i >= 0 && sound && list->bytes < bytes; i--) {
    const mfft_stage *s = &program->stage[i];
    const mfft_extent *writes = &s->touch[WRITES];
    if (touches(s, buffer, WRITES) && !is_listed(list, writes)) sound = add_part(list, writes, i);
    if (touches_more(s, buffer)) sound = 0;
  }
  if (!sound || list->bytes != bytes) list_whole(list, bytes, program->count - 1);
}

/* ---- The program ----------------------------------------------------------------------------------------------------- */

typedef struct writer {
  mfft_plan plan;
  mfft_program *program;                  /* the new one */
  mfft_buffer input;                      /* buffer of the input on the device */
  mfft_transfer *transfer[2][MOST_PARTS]; /* [direction][count] */
  part_list list[2];                      /* [direction] */
} writer;

/* Adds a START or WAIT stage of part i. */
static mfft_status add_copy(writer *w, mfft_link_direction direction, mfft_stage_kind kind, int i) {
  static const char *const label[2][2] = {{"upload", "uploaded"}, {"computed", "download"}}; /* [direction][waits] */
  const int waits = kind == MFFT_STAGE_WAIT, down = direction == MFFT_HOST_DOWNLOAD, count = w->list[direction].count;
  const int number = down ? count - 1 - i : i;
  mfft_stage *stage = mfft_program_add(w->program, kind, "%s %d/%d", label[direction][waits], number, count);
  if (!stage) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a stage");
  stage->in.buffer = down ? MFFT_BUFFER_DST : MFFT_BUFFER_HOST_SRC;
  stage->out.buffer = down ? MFFT_BUFFER_HOST_DST : w->input;
  stage->chunk = -1;
  stage->transfer = w->transfer[direction][i];
  return MFFT_SUCCESS;
}

static mfft_status create_transfers(writer *w) {
  for (int d = 0; d < 2; d++)
    for (int i = 0; i < w->list[d].count; i++) {
      /* Number 0 is the first upload, and the last download: these are listed from the last one on. */
      const mfft_host_part part = {.direction = (mfft_link_direction)d, .extent = w->list[d].part[i].extent, .edge = i == 0};
      MFFT_TRY(mfft_host_copies_add(w->plan->dist->host_copies, &part, &w->transfer[d][i]));
    }
  return MFFT_SUCCESS;
}

/* Queues uploads up to number `end`. */
static mfft_status start_uploads(writer *w, int *started, int end) {
  const int count = w->list[MFFT_HOST_UPLOAD].count;
  for (; *started < end && *started < count; ++*started) MFFT_TRY(add_copy(w, MFFT_HOST_UPLOAD, MFFT_STAGE_START, *started));
  return MFFT_SUCCESS;
}

/* The stages of the old program with the copies between them: upload 0, upload 1, uploaded 0, FFT, upload 2, ..., FFT,
 * computed 0, FFT, computed 1, ..., download 0, download 1, ... */
static mfft_status write_stages(writer *w, mfft_stage *old /* [count] */, int count) {
  const part_list *up = &w->list[MFFT_HOST_UPLOAD], *down = &w->list[MFFT_HOST_DOWNLOAD];
  int started = 0, needed = 0, computed = down->count - 1;
  MFFT_TRY(start_uploads(w, &started, AHEAD));
  for (int i = 0; i < count; i++) {
    for (; needed < up->count && up->part[needed].stage <= i; needed++) {
      MFFT_TRY(start_uploads(w, &started, needed + 1));
      MFFT_TRY(add_copy(w, MFFT_HOST_UPLOAD, MFFT_STAGE_WAIT, needed));
    }
    mfft_stage *stage = mfft_program_add(w->program, old[i].kind, "%s", old[i].label);
    if (!stage) return mfft_fail(MFFT_ERR_MEMORY, "no memory for stage %d", i);
    *stage = old[i];
    old[i].blocks = NULL; /* the new stage owns them */
    MFFT_TRY(start_uploads(w, &started, needed + AHEAD));
    for (; computed >= 0 && down->part[computed].stage == i; computed--)
      MFFT_TRY(add_copy(w, MFFT_HOST_DOWNLOAD, MFFT_STAGE_START, computed));
  }
  for (int i = down->count - 1; i >= 0; i--) MFFT_TRY(add_copy(w, MFFT_HOST_DOWNLOAD, MFFT_STAGE_WAIT, i));
  return MFFT_SUCCESS;
}

static mfft_status add_to_program(mfft_plan plan, mfft_direction direction) {
  const int in_place = plan->desc.placement == MFFT_IN_PLACE, forward = direction == MFFT_FORWARD;
  mfft_program old = plan->program[direction];
  writer w = {.plan = plan, .program = &plan->program[direction], .input = in_place ? MFFT_BUFFER_DST : MFFT_BUFFER_SRC};
  if (!old.count) return MFFT_SUCCESS; /* this rank has no elements, or nothing is computed in place */
  const int64_t *bytes = plan->dist->callers_bytes;
  list_uploads(&old, w.input, bytes[forward ? MFFT_IN : MFFT_OUT], &w.list[MFFT_HOST_UPLOAD]);
  list_downloads(&old, MFFT_BUFFER_DST, bytes[forward ? MFFT_OUT : MFFT_IN], &w.list[MFFT_HOST_DOWNLOAD]);
  MFFT_TRY(create_transfers(&w));
  w.program->stage = NULL;
  w.program->count = w.program->capacity = 0;
  const mfft_status status = write_stages(&w, old.stage, old.count);
  mfft_program_free(&old);
  return status;
}

mfft_status mfft_host_arrays_add(mfft_plan plan) {
  const size_t *bytes = plan->bytes, more = bytes[0] > bytes[1] ? bytes[0] : bytes[1];
  const int in_place = plan->desc.placement == MFFT_IN_PLACE;
  plan->work_bytes[MFFT_BUFFER_DEVICE_IN] = in_place ? more : bytes[MFFT_IN];
  plan->work_bytes[MFFT_BUFFER_DEVICE_OUT] = in_place ? 0 : bytes[MFFT_OUT];
  MFFT_TRY(mfft_host_copies_create(plan->backend->device, &plan->dist->host_copies));
  for (int d = 0; d < 2; d++) MFFT_TRY(add_to_program(plan, (mfft_direction)d));
  return MFFT_SUCCESS;
}
