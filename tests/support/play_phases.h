/* play_phases.h: the phases of a transform and their parts, executed on the CPU. */
#ifndef MFFT_TESTS_PLAY_PHASES_H
#define MFFT_TESTS_PLAY_PHASES_H

#include "play_schedule.h"

/* Executes phases in parts, as transform.c does.  Returns how many of them have parts of several passes. */
static inline int play_phases(const mfft_phases *phases, void *in, void *out) {
  int in_parts = 0;
  double *work = malloc(phases->work_bytes + 8);
  double *between = work + phases->between_offset_bytes / 8;
  double *array[] = {[MFFT_AT_IN] = in, [MFFT_AT_OUT] = out, [MFFT_AT_WORK] = between, [MFFT_AT_ROWS] = out};
  for (size_t i = 0; i < phases->work_bytes / 8; i++) work[i] = NAN;
  for (int i = 0; i < phases->count; i++) {
    const mfft_phase *p = &phases->phase[i];
    if (p->rows == 2) continue; /* for an output of less alignment */
    in_parts += p->parts[0] * p->parts[1] > 1 && p->schedule.count > 1;
    for (int64_t j = 0, parity = 0; j < p->parts[0] * p->parts[1]; j++, parity ^= 1) {
      const int64_t outer = j / p->parts[1], inner = j % p->parts[1];
      const char *place[MFFT_PLACES], *area = (char *)work + (size_t)parity * p->schedule.work_bytes;
      const char *from = (char *)array[p->src] + p->src_first_bytes, *to = (char *)array[p->dst] + p->dst_first_bytes;
      mfft_schedule_places(&p->schedule, from + outer * p->in_step_bytes[0] + inner * p->in_step_bytes[1],
                           to + outer * p->out_step_bytes[0] + inner * p->out_step_bytes[1], area, place);
      place[MFFT_AT_ENDS] = (char *)between + outer * p->ends_step_bytes[0] + inner * p->ends_step_bytes[1];
      play_passes(mfft_is_rest(p, (const int64_t[]){outer, inner}) ? p->rest : p->schedule.pass, p->schedule.count,
                  outer * p->twiddle_step[0] + inner * p->twiddle_step[1], place);
    }
  }
  free(work);
  return in_parts;
}

#endif
