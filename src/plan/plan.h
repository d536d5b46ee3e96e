/* plan.h: the struct of a plan, for the files that build one (plan_local.c, plan_dist.c).
 *
 * A builder zeroes the plan with mfft_plan_new, fills desc, backend, box, count, bytes and the two programs with their
 * work_bytes, and calls mfft_plan_finish.  On failure it calls mfft_plan_destroy, which accepts a partly built plan. */
#ifndef MFFT_PLAN_PLAN_H
#define MFFT_PLAN_PLAN_H

#include <stdatomic.h>

#include "base/cache_line.h"
#include "local/checked.h"
#include "local/device_guard.h"
#include "local/trials.h"
#include "mfft_inspect.h"
#include "plan/axis_kinds.h"
#include "plan/filter_tables.h"
#include "plan/program.h"

typedef struct mfft_dist mfft_dist; /* communicators and transfers of a distributed plan; see plan_dist.c */

/* The calls of a plan on its distributed part: mfft_failure_begin, mfft_failure_end and mfft_failure_announced of
 * dist/failure.h; mfft_agree; whether named numbers are the same on all ranks, MFFT_ERR_MISMATCH where not; another plan on
 * the same ranks; and what frees it.  Those from `agree` to `create` are collective. */
typedef struct mfft_dist_calls {
  mfft_status (*begin)(mfft_dist *dist, mfft_status mine);
  mfft_status (*end)(mfft_dist *dist, mfft_status mine);
  mfft_status (*open_window)(struct mfft_plan_s *plan, mfft_status mine); /* if no rank has failed; collective */
  mfft_status (*failure)(mfft_dist *dist);
  mfft_status (*agree)(mfft_dist *dist, mfft_status mine);
  mfft_status (*compare)(mfft_dist *dist, const char *const *name, const int64_t *value, int count /* at most 8 */);
  mfft_status (*create)(mfft_dist *dist, const mfft_desc *desc, const mfft_options *options, mfft_plan *plan);
  void (*free)(mfft_dist *dist);
} mfft_dist_calls;

struct mfft_plan_s {
  mfft_desc desc;       /* resolved: no zeros that mean "default" */
  mfft_options options; /* resolved likewise; backend and transport are static strings, effort is that of the local
                           transforms, host_arrays is 0 where the backend takes arrays on the host itself */
  const mfft_backend *backend;
  mfft_device_context context;             /* context of its memory, streams and kernels; set by mfft_plan_finish */
  mfft_program program[2];                 /* [direction] */
  mfft_program both[MFFT_CONVOLVED_KINDS]; /* [mfft_convolved] of both directions (plan/convolve.h); no stages: none */
  unsigned both_made;                      /* bit b: mfft_plan_convolve_make was called for factors of kind b */
  const void *filter_of; /* whose filter MFFT_BACKWARD has: a convolution's, or the user's (the plan itself); NULL: none */
  int meets;      /* backward exchanges begin where forward ones end, so that stages of both directions may run at once */
  mfft_fft **fft; /* [nffts] transforms of all programs; owned */
  mfft_fft_spec *spec; /* [nffts] the spec of each */
  int nffts;
  const mfft_algorithm *algorithm; /* of all transforms; NULL: chosen by options.effort */
  double deadline;                 /* as in mfft_fft_spec */
  int copy_blocks;                 /* as in mfft_transfer_spec, of a direct transport; 0 in other plans */
  int copy_lanes;                  /* likewise mfft_lanes.count; 0: MFFT_COPY_LANES */
  int by_node;                     /* ranks are placed in the process grid by their nodes (dist/grid_order.h) */
  mfft_chosen chosen;              /* how a tuned plan was chosen, and the candidates tried; NULL in other plans */
  mfft_trials *trials;
  mfft_box box[2];                      /* [side] the box of this process, in the axes of the caller's array */
  int64_t count[2];                     /* [side] elements to allocate */
  size_t bytes[2];                      /* [side] the same in bytes */
  int64_t four_step[2];                 /* n1, n2 of the four-step method for rank 1; zeros in other plans */
  int64_t element_bytes;                /* bytes of one complex number */
  size_t work_bytes[MFFT_BUFFER_COUNT]; /* [buffer] sizes of the buffers that make up the workspace */
  size_t workspace_bytes;               /* set by mfft_plan_finish */
  void *workspace;
  int owns_workspace;
  void *shared_work; /* WORK and AREA in a window that peers have mapped; NULL: in the workspace, or it is not open yet */
  int shares_work;   /* set before mfft_plan_finish if WORK and AREA will be in a window */
  void *stream;      /* stream of the backend; NULL on the host */
  mfft_timing timing;
  mfft_trace *trace;            /* the time line; NULL: off */
  mfft_filter_tables filter[2]; /* [direction] for the directions in desc.filtered */
  atomic_flag busy;
  mfft_checked checked; /* arrays of earlier executes that passed the check */
  mfft_dist *dist;      /* NULL in local plans */
  const mfft_dist_calls *dist_calls;
};

/* Checks a descriptor and resolves the defaults that local and distributed plans share.  Errors name the field, its value
 * and the remedy.  (desc.c) */
mfft_status mfft_desc_check(const mfft_desc *given, mfft_desc *checked);

/* The same for options, which may be NULL, for a plan of the given precision.  The backend is copied unresolved.
 * (options.c) */
mfft_status mfft_options_check(const mfft_options *given, mfft_precision precision, mfft_options *checked);

/* Whether the effort is a TUNE effort, which chooses among whole plans; it is replaced by the effort of the local
 * transforms. */
int mfft_options_tune(mfft_options *options);

/* Whether the options name the grid, or one side of it. */
int mfft_options_name_grid(const mfft_options *options);

/* Checks of integer fields: MFFT_ERR_ARG with the remedy for a value outside of 0 to max, or of min to max. */
typedef struct mfft_field_range {
  const char *field;
  int64_t value, max;
  const char *remedy;
} mfft_field_range;
mfft_status mfft_check_fields(const mfft_field_range *range, size_t count);
mfft_status mfft_check_range(const char *field, int64_t value, int64_t min, int64_t max, const char *remedy);

/* Lists the strides and distances of a descriptor, by name. */
enum { MFFT_DESC_STRIDES = 8 };
typedef struct mfft_desc_stride {
  const char *field;
  int64_t value;
} mfft_desc_stride;
void mfft_desc_list_strides(const mfft_desc *desc, mfft_desc_stride list[MFFT_DESC_STRIDES]);

/* The relative L2 error of a transform with half-width messages, as docs/accuracy.md states it. */
double mfft_wire_error(mfft_precision precision);

/* The seconds that timing candidates may take; and the deadline of a transform's spec, where 0 leaves the limit to FFTW
 * if no limit was set. */
double mfft_options_time_limit(const mfft_options *options);
double mfft_options_deadline(const mfft_options *options, const mfft_backend *backend);

/* MFFT_ERR_UNSUPPORTED for options that this backend lacks. */
mfft_status mfft_options_suit(const mfft_options *options, const mfft_backend *backend);

/* MFFT_ERR_UNSUPPORTED for options.host_arrays on a backend of device memory: `what` names what cannot have them. */
mfft_status mfft_options_refuse_host_arrays(const mfft_options *options, const mfft_backend *backend, const char *what);

mfft_status mfft_plan_new(mfft_plan *plan);

/* Fills the fields of a spec that steer planning: effort, threads, engine, deadline, algorithm. */
void mfft_plan_steer(mfft_plan plan, mfft_fft_spec *spec);

/* How the plan was chosen; for a plan that is not tuned, how its transforms were.  (trials_of_plan.c) */
mfft_chosen mfft_plan_chosen_by(mfft_plan plan);

/* Whether two arrays, which may be empty, have a byte in common. */
int mfft_memory_overlaps(const void *a, size_t a_bytes, const void *b, size_t b_bytes);

/* Finds or creates the transform of a spec; the plan owns it. */
mfft_status mfft_plan_fft(mfft_plan plan, const mfft_fft_spec *spec, mfft_fft **fft);

/* The spec of the transform of a stage; NULL: the stage has none. */
const mfft_fft_spec *mfft_plan_spec_of(mfft_plan plan, const mfft_stage *stage);

/* The factors of a spectrum between both directions of a plan. */
typedef struct mfft_factors {
  mfft_convolved by;              /* BY_FILTER: of the plan, for the backward direction */
  const void *array;              /* BY_ARRAY, BY_CONJUGATE: like one array of side MFFT_OUT, in memory of the backend */
  const mfft_filter_shape *shape; /* likewise: of all arrays of side MFFT_OUT */
} mfft_factors;

/* As two executes and a product between them: `in` forward to `spectrum`, that times the factors, and backward to `out`; as
 * one program if mfft_plan_convolve_make (convolve.h) has made one.  Out of place `in` and `out`, arrays of side MFFT_IN,
 * may be one; in place all three are one.  The spectrum, an array of side MFFT_OUT, is undefined afterwards.  Collective;
 * returns before the work is done where mfft_execute does.  Errors: those of mfft_execute; MFFT_ERR_ARG if `in` and `out`
 * overlap without being one.  factors->array is not checked. */
mfft_status mfft_plan_convolve(mfft_plan plan, const mfft_factors *factors, const void *in, void *spectrum, void *out);

/* Sets the entries of buffers that are parts of the workspace, or of the window, to their addresses; others stay. */
void mfft_plan_place_workspace(mfft_plan plan, void *buffer[MFFT_BUFFER_COUNT]);

/* Sums up work_bytes, raises SCRATCH to the need of the transforms, and allocates the workspace unless the caller
 * provides it. */
mfft_status mfft_plan_finish(mfft_plan plan);

/* n1 of n = n1*n2 for the four-step method: the largest divisor up to the square root. */
int64_t mfft_four_step_rows(int64_t n);

/* Builds both programs of a local plan of rank 1 in scrambled order, whose descriptor is checked.  (plan_four_step.c) */
mfft_status mfft_plan_build_four_step(mfft_plan plan);

/* Checks an array of a side: MFFT_ERR_ARG, with its name, unless it is not NULL, accessible to the backend, aligned, and
 * disjoint from the workspace.  The calling thread has entered the plan's device. */
mfft_status mfft_plan_check_array(mfft_plan plan, mfft_side side, const void *array, const char *name);

/* Checks that two arrays of a side, both with their names, are one array or apart: MFFT_ERR_ARG if they overlap in part,
 * since elements would be overwritten before they are read. */
mfft_status mfft_plan_check_result(mfft_plan plan, mfft_side side, const void *from, const char *from_name, const void *to,
                                   const char *to_name);

/* A hash that is equal for plans with the same stages on this rank. */
uint64_t mfft_plan_hash(mfft_plan plan);

/* Prints the plan to stderr if MFFT_LOG asks for it. */
void mfft_plan_log(mfft_plan plan);

/* Length of the OUT array along an axis, which is also that of filter and shell tables. */
int64_t mfft_plan_out_length(mfft_plan plan, int axis);

/* MFFT_ERR_ARG if such a table (may be NULL) contains a number that is not finite. */
mfft_status mfft_plan_check_table(mfft_plan plan, const char *name, int axis, const double *table);

/* The shape with which a filter is applied to part `box` (in the caller's axes) of the OUT array, given its strides, the
 * number of arrays and the distance between them. */
mfft_filter_shape mfft_plan_filter_shape(mfft_plan plan, const mfft_box *box, const int64_t stride[3], int64_t batch,
                                         int64_t dist);

/* Adds the FILTER stage of a direction, which filters the caller's OUT array from one place to another or in place. */
mfft_status mfft_plan_add_filter(mfft_plan plan, mfft_direction direction, const int64_t stride[3], int64_t dist,
                                 mfft_place from, mfft_place to);

/* Whether the descriptor is of a real field: one array of rank 3, with a DFT of each axis. */
int mfft_desc_is_field(const mfft_desc *d);

/* MFFT_ERR_UNSUPPORTED if it is not; the message names the field that differs.  plan: names the plan, such as "the plan to
 * copy from"; what: what is refused, such as "modes". */
mfft_status mfft_desc_require_field(const mfft_desc *d, const char *plan, const char *what);

/* Whether a direction of the descriptor may be filtered. */
static inline int mfft_desc_filters(const mfft_desc *desc, mfft_direction direction) {
  return desc->filtered >> direction & 1;
}

#endif
