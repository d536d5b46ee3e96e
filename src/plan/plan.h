/* plan.h: what a plan is, for those who build one (plan_local.c, plan_dist.c).
 *
 * A builder zeroes the plan with mfft_plan_new, fills desc, backend, box, count, bytes, the two programs and
 * workspace_bytes, then calls mfft_plan_finish; on failure it calls mfft_plan_destroy, which accepts a half-built plan. */
#ifndef MFFT_PLAN_PLAN_H
#define MFFT_PLAN_PLAN_H

#include <stdatomic.h>

#include "base/cache_line.h"
#include "local/checked.h"
#include "local/device_guard.h"
#include "local/trials.h"
#include "mfft_inspect.h"
#include "plan/filter_tables.h"
#include "plan/program.h"

typedef struct mfft_dist mfft_dist; /* communicators and transfers of a distributed plan; see plan_dist.c */

/* What the calls on a plan ask of it.  begin, end and look: as in dist/failure.h. */
typedef struct mfft_dist_calls {
  mfft_status (*begin)(mfft_dist *dist, mfft_status mine);
  mfft_status (*end)(mfft_dist *dist, mfft_status mine);
  mfft_status (*look)(mfft_dist *dist);
  void (*free)(mfft_dist *dist);
} mfft_dist_calls;

struct mfft_plan_s {
  mfft_desc desc;       /* resolved: no zeros that mean "default" */
  mfft_options options; /* likewise; backend and transport name static strings, effort is that of the local transforms */
  const mfft_backend *backend;
  mfft_device_context context; /* of its memory, streams and kernels; found by mfft_plan_finish */
  mfft_program program[2];     /* [direction] */
  mfft_fft **fft;              /* [nffts] transforms of both programs, owned */
  mfft_fft_spec *spec;         /* [nffts] what each of them was made from */
  int nffts;
  const mfft_algorithm *algorithm; /* of all of them, NULL: as options.effort says */
  double deadline;                 /* as in mfft_fft_spec */
  int copy_blocks;                 /* as in mfft_transfer_spec, of a direct transport; 0 in other plans */
  int copy_lanes;                  /* mfft_lanes.count likewise; 0: MFFT_COPY_LANES */
  mfft_chosen chosen;              /* and what was tried: of tuned plans, NULL in others */
  mfft_trials *trials;
  mfft_box box[2];                      /* [side] what this process holds, with the axes of the caller's array */
  int64_t count[2];                     /* [side] elements to allocate */
  size_t bytes[2];                      /* [side] the same in bytes */
  int64_t four_step[2];                 /* n1, n2 of one dimension in four steps; zeros in other plans */
  int64_t element_bytes;                /* one complex */
  size_t work_bytes[MFFT_BUFFER_COUNT]; /* [buffer] sizes of WORK, SPARE and SCRATCH, which make up the workspace */
  size_t workspace_bytes;               /* set by mfft_plan_finish */
  void *workspace;
  int owns_workspace;
  void *shared_work; /* WORK and AREA where they lie in a window that peers have mapped, else NULL: parts of the workspace */
  int shares_work;   /* set before mfft_plan_finish where they will lie there */
  void *stream;      /* the backend's queue; NULL on the host */
  mfft_timing timing;
  mfft_trace *trace;            /* the time line, NULL where it is off */
  mfft_filter_tables filter[2]; /* [direction] of desc.filtered */
  atomic_flag busy;
  mfft_checked checked; /* arrays of executes that were good */
  mfft_dist *dist;      /* NULL in local plans */
  const mfft_dist_calls *dist_calls;
};

/* Checks a descriptor and resolves its defaults: what local and distributed plans have in common.  Errors name the field,
 * its value and the remedy.  (desc.c) */
mfft_status mfft_desc_check(const mfft_desc *given, mfft_desc *checked);

/* The same for options, which may be NULL, beside a descriptor of a precision.  The backend stays as it was given.
 * (options.c) */
mfft_status mfft_options_check(const mfft_options *given, mfft_precision precision, mfft_options *checked);

/* Whether the effort is one of those that choose among whole plans; it becomes the effort of their local transforms. */
int mfft_options_tune(mfft_options *options);

/* Integer fields that both check: MFFT_ERR_ARG with the remedy for a value beyond 0 to max, or min to max. */
typedef struct mfft_field_range {
  const char *field;
  int64_t value, max;
  const char *remedy;
} mfft_field_range;
mfft_status mfft_check_fields(const mfft_field_range *range, size_t count);
mfft_status mfft_check_range(const char *field, int64_t value, int64_t min, int64_t max, const char *remedy);

/* The strides and distances of a descriptor, by name. */
enum { MFFT_DESC_STRIDES = 8 };
typedef struct mfft_desc_stride {
  const char *field;
  int64_t value;
} mfft_desc_stride;
void mfft_desc_list_strides(const mfft_desc *desc, mfft_desc_stride list[MFFT_DESC_STRIDES]);

/* The relative L2 error of a transform that docs/accuracy.md states for half the width on the wire. */
double mfft_wire_error(mfft_precision precision);

/* Seconds that timing candidates may take; and when that ends, for the spec of a transform: 0 for FFTW, which has limits of
 * its own, where nobody has set one. */
double mfft_options_time_limit(const mfft_options *options);
double mfft_options_deadline(const mfft_options *options, const mfft_backend *backend);

mfft_status mfft_plan_new(mfft_plan *plan);

/* Fills what steers the planning of a local transform: effort, threads, engine, deadline, algorithm. */
void mfft_plan_steer(mfft_plan plan, mfft_fft_spec *spec);

/* How the plan, or where it is not tuned a transform of it, was chosen.  (trials.c) */
mfft_chosen mfft_plan_chosen_by(mfft_plan plan);

/* Creates a transform with the plan's backend, or finds one of an equal spec that the plan already has. */
mfft_status mfft_plan_fft(mfft_plan plan, const mfft_fft_spec *spec, mfft_fft **fft);

/* Adds up work_bytes, raises SCRATCH to what the transforms want, and allocates the workspace unless the user gives one. */
mfft_status mfft_plan_finish(mfft_plan plan);

/* n1 of n = n1*n2 in four steps: the divisor nearest the square root, from below. */
int64_t mfft_four_step_rows(int64_t n);

/* Both programs of a local plan of rank 1 in scrambled order; what the caller asked for is checked.  (plan_four_step.c) */
mfft_status mfft_plan_build_four_step(mfft_plan plan);

/* Equal for plans that do the same on this rank. */
uint64_t mfft_plan_hash(mfft_plan plan);

/* Writes the plan to stderr where MFFT_LOG asks for it. */
void mfft_plan_log(mfft_plan plan);

/* Length of the OUT array along an axis, and so of the tables of filters and shells. */
int64_t mfft_plan_out_length(mfft_plan plan, int axis);

/* MFFT_ERR_ARG where such a table, which may be NULL, holds a number that is not finite. */
mfft_status mfft_plan_check_table(mfft_plan plan, const char *name, int axis, const double *table);

/* Where the filter of a plan is applied to a part `box` (the caller's axes) of the OUT array that lies in memory by these
 * strides, with so many arrays of a batch at a distance of dist. */
mfft_filter_shape mfft_plan_filter_shape(mfft_plan plan, const mfft_box *box, const int64_t stride[3], int64_t batch,
                                         int64_t dist);

/* Adds the FILTER stage of a direction: the caller's OUT array, from one place to another or in place. */
mfft_status mfft_plan_add_filter(mfft_plan plan, mfft_direction direction, const int64_t stride[3], int64_t dist,
                                 mfft_place from, mfft_place to);

/* Whether a direction of the descriptor may be filtered. */
static inline int mfft_desc_filters(const mfft_desc *desc, mfft_direction direction) {
  return desc->filtered >> direction & 1;
}

/* The axis of the caller that R2C halves, the highest that is transformed; -1 for C2C. */
int mfft_desc_halved_axis(const mfft_desc *desc);

/* The factor by which a direction of the descriptor multiplies. */
double mfft_desc_scale(const mfft_desc *desc, mfft_direction direction);

#endif
