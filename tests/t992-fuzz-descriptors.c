// TEST labels=fuzz timeout=120
/* Random descriptors and options, valid and not, for local plans, for distributed ones of one rank, and for outlines of
 * "cuda": a plan is made within its time and is right in both directions, as FFTW in long double has it, with filters and in
 * scrambled order too; or the call returns an error.  Wrong calls on a plan are refused and do not change it.  Nothing
 * beyond the structs is read, nothing beyond an array is written.  See fuzz.h for how to repeat a try. */
#define _GNU_SOURCE
#include "fuzz_desc.h"

#include <time.h>

#include "base/box.h"
#include "filter_case.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"
#include "mfft_spectrum.h"
#include "plan/plan.h"

enum { ROW_SOUND, ROW_FIELD, ROW_FIELDS, ROW_SIZE, ROW_BYTES, ROW_MPI, ROW_MPI_FIELDS, ROW_OUTLINE, ROW_CALLS, ROWS };
static const char *const row_name[] = {"sound descriptor",
                                       "one field changed",
                                       "several fields changed",
                                       "struct_size cut",
                                       "bytes changed",
                                       "sound, by MPI on one rank",
                                       "changed, by MPI on one rank",
                                       "changed, outline for cuda",
                                       "wrong call on a sound plan"};
enum { MOST_ELEMENTS = 30000 };
#ifdef __SANITIZE_ADDRESS__
static const double slower = 5;
#else
static const double slower = 1;
#endif

/* ---- Making plans ---------------------------------------------------------------------------------------------------- */

/* A copy of the caller's version of a struct, of `whole` bytes here, that ends at an inaccessible page. `which`: 0 or 1,
 * each with pages of its own. */
static void *at_page_end(int which, const void *object, size_t whole) {
  static unsigned char *both[2];
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), least = sizeof(size_t);
  size_t size;
  memcpy(&size, object, sizeof size);
  if (!both[which]) {
    both[which] = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (both[which] == MAP_FAILED || mprotect(both[which] + page, page, PROT_NONE) != 0) exit(3);
  }
  unsigned char *pages = both[which];
  const size_t capacity = size < least ? least : (size + 7) / 8 * 8; /* a struct is aligned */
  memset(pages, 0, page);
  memcpy(pages + page - capacity, object, capacity < whole ? capacity : whole);
  return pages + page - capacity;
}

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The longest line that memory may hold: tables of roots cost some 0.3 us an element on "ref", and plans for large primes on
 * "fftw".  0 if a line is longer, so that the plan must be refused soon: searching the divisors of 2^58 elements in one line
 * takes some 3 s. */
static double longest_line(const mfft_desc *d) {
  int64_t longest = 0;
  for (int a = 0; a < 3; a++)
    if (a < d->rank && d->n[a] > longest) longest = d->n[a];
  return longest < INT64_C(1) << 28 ? (double)longest : 0;
}

static mfft_status make_plan(fuzz_try *t, const fuzz_desc *f, int row, mfft_plan *plan) {
  const mfft_desc *d = at_page_end(0, &f->desc, sizeof f->desc);
  const mfft_options *o = at_page_end(1, &f->options, sizeof f->options);
  const double start = cpu_seconds();
  mfft_status status;
  char text[200];
  if (row == ROW_OUTLINE)
    status = mfft_plan_outline(d, o, text, (size_t)fuzz_draw(t, sizeof text + 1), NULL);
  else if (row == ROW_MPI || row == ROW_MPI_FIELDS)
    status = mfft_plan_create_mpi(MPI_COMM_SELF, d, o, plan);
  else
    status = mfft_plan_create(d, o, plan);
  const double seconds = cpu_seconds() - start;
  if (seconds > slower * (4 + 1e-6 * longest_line(&f->desc)))
    fuzz_wrong(t, "it took %.1f s of processor time until %s", seconds, mfft_strerror(status));
  if (status != MFFT_SUCCESS && !*mfft_last_error()) fuzz_wrong(t, "no message for %s", mfft_strerror(status));
  return status;
}

/* The descriptor as the library reads it: fields beyond struct_size are defaults, and zeros mean defaults. */
static fuzz_desc understood(const fuzz_desc *given) {
  fuzz_desc f;
  memset(&f, 0, sizeof f);
  memcpy(&f.desc, &given->desc, given->desc.struct_size < sizeof f.desc ? given->desc.struct_size : sizeof f.desc);
  memcpy(&f.options, &given->options,
         given->options.struct_size < sizeof f.options ? given->options.struct_size : sizeof f.options);
  if (!f.desc.rank) f.desc.rank = 3;
  if (!f.desc.batch) f.desc.batch = 1;
  return f;
}

/* ---- The truth ------------------------------------------------------------------------------------------------------- */

typedef struct more_truth {
  const mfft_filter *filter[2]; /* [direction] or NULL */
  int64_t n1;                   /* of a scrambled line: element k1 + n1*k2 is at k1*n2 + k2; 0: natural order */
} more_truth;

static void filter_spectrum(const mfft_filter *filter, const test_layout *v, long double *spectrum) {
  TEST_EACH(v, at, {
    const double complex value = filter_value(filter, (const int64_t[3]){i_, j_, k_});
    const long double re = spectrum[2 * at], im = spectrum[2 * at + 1];
    spectrum[2 * at] = re * (long double)creal(value) - im * (long double)cimag(value);
    spectrum[2 * at + 1] = re * (long double)cimag(value) + im * (long double)creal(value);
  })
}

/* Forward the truth is in natural order and becomes scrambled, backward the reverse. */
static void scramble(const test_layout *v, mfft_direction direction, int64_t n1, long double *spectrum) {
  const int64_t n = v->n[0], n2 = n / n1;
  long double *copy = malloc((size_t)n * 2 * sizeof *copy); /* [n] complexes of one batch */
  for (int64_t b = 0; b < v->batch; b++) {
    long double *line = spectrum + 2 * b * v->dist;
    for (int64_t i = 0; i < n; i++) memcpy(copy + 2 * i, line + 2 * i * v->stride[0], 2 * sizeof *copy);
    for (int64_t k1 = 0; k1 < n1; k1++)
      for (int64_t k2 = 0; k2 < n2; k2++) {
        const int64_t natural = k1 + n1 * k2, scrambled = k1 * n2 + k2;
        const int64_t to = direction == MFFT_FORWARD ? scrambled : natural, from = natural + scrambled - to;
        memcpy(line + 2 * to * v->stride[0], copy + 2 * from, 2 * sizeof *copy);
      }
  }
  free(copy);
}

static void change_spectrum(const mfft_desc *d, mfft_direction direction, const test_layout *v, long double *spectrum,
                            void *data) {
  const more_truth *more = data;
  (void)d;
  if (more->filter[direction]) filter_spectrum(more->filter[direction], v, spectrum);
  if (more->n1) scramble(v, direction, more->n1, spectrum);
}

/* ---- Running plans --------------------------------------------------------------------------------------------------- */

/* Strides of a whole box in its own order.  0 if there is no such order. */
static int box_strides(const mfft_box *given, const int64_t n[3], int64_t batch, int64_t stride[3], int64_t *dist) {
  mfft_box box = *given;
  if (mfft_box_check(&box, "box") != MFFT_SUCCESS) return 0;
  int64_t next = 1;
  for (int i = 2; i >= 0; i--) stride[box.order[i]] = next, next *= n[box.order[i]];
  *dist = batch > 1 ? next : 0;
  return 1;
}

/* Whether the plan is small enough to execute, and its layouts are described by the descriptor. */
static int can_run(mfft_plan plan, int distributed, fuzz_desc *f) {
  mfft_desc *d = &f->desc;
  int64_t count[2], elements = d->batch;
  for (int side = 0; side < 2; side++)
    if (mfft_plan_count(plan, (mfft_side)side, &count[side]) != MFFT_SUCCESS || count[side] > MOST_ELEMENTS) return 0;
  for (int a = 0; a < 3; a++) {
    if (a >= d->rank) d->n[a] = 1;
    if (a < d->rank && d->given[a] && d->given[a] < d->n[a]) return 0; /* t214 and t356 have the truth of these */
    if (__builtin_mul_overflow(elements, d->n[a], &elements) || elements > MOST_ELEMENTS) return 0;
  }
  if (f->options.threads > 8) return 0;
  int64_t n_out[3] = {d->n[0], d->n[1], d->n[2]};
  if (d->kind == MFFT_R2C) n_out[test_halved_axis(d)] = d->n[test_halved_axis(d)] / 2 + 1;
  if (!distributed) return 1;
  if ((d->in_box || d->out_box) && d->placement == MFFT_IN_PLACE) return 0;
  if (d->in_box && !box_strides(d->in_box, d->n, d->batch, d->in_stride, &d->in_dist)) return 0;
  mfft_box out; /* without the caller's, OUT may have the memory order of in_box */
  if (d->out_box)
    out = *d->out_box;
  else
    CHECK_OK(mfft_plan_box(plan, MFFT_OUT, &out));
  return !(d->in_box || d->out_box) || box_strides(&out, n_out, d->batch, d->out_stride, &d->out_dist);
}

static double bound_of(const fuzz_desc *f) {
  const mfft_desc *d = &f->desc;
  if (f->options.wire != MFFT_WIRE_FULL) return fmin(1e-2, 20 * mfft_wire_error(d->precision));
  return 8 * test_bound(d->precision, test_points(d)); /* wrong, not inaccurate, is what is looked for */
}

/* Sets the plan's workspace; an execute before that must be refused. */
static void *give_workspace(fuzz_try *t, mfft_plan plan) {
  size_t bytes = 0;
  void *workspace = NULL;
  CHECK_OK(mfft_plan_workspace_bytes(plan, &bytes));
  if (bytes && mfft_plan_set_workspace(plan, NULL, bytes) == MFFT_SUCCESS)
    fuzz_wrong(t, "a workspace that is NULL is taken");
  CHECK_OK(mfft_alloc(bytes + !bytes, &workspace));
  CHECK_OK(mfft_plan_set_workspace(plan, workspace, bytes));
  return workspace;
}

/* Both directions against the truth. */
static void run_plan(fuzz_try *t, mfft_plan plan, const fuzz_desc *f) {
  const mfft_desc *d = &f->desc;
  static filter_case filters[2];
  more_truth more = {{NULL, NULL}, 0};
  void *workspace = f->options.user_workspace ? give_workspace(t, plan) : NULL;
  const unsigned axes = d->axes ? d->axes : 7u >> (3 - d->rank);
  int tables =
      d->precision < MFFT_HALF && d->kind != MFFT_R2R; /* a filter that overflows no 16 bits, and has space for its tables */
  for (int a = 0; a < 3; a++) tables = tables && d->n[a] <= FILTER_MOST;
  for (int direction = 0; direction < 2; direction++) {
    if (!tables || !(d->filtered >> direction & 1) || fuzz_one_in(t, 4)) continue;
    filter_make((int)fuzz_draw(t, FILTER_CASES), d->n, axes, &filters[direction]);
    CHECK_OK(mfft_plan_set_filter(plan, (mfft_direction)direction, &filters[direction].filter));
    more.filter[direction] = &filters[direction].filter;
  }
  int64_t n2;
  if (d->scrambled) CHECK_OK(mfft_plan_four_step(plan, &more.n1, &n2));
  const uint64_t seed = (uint64_t)fuzz_draw(t, 1 << 30);
  const size_t misalign = fuzz_draw(t, 2) ? 0 : mfft_real_bytes(d->precision);
  for (int direction = 0; direction < 2; direction++) {
    test_errors e = test_direction_of(plan, d, (mfft_direction)direction, test_fill_random, seed, misalign, "plan",
                                      change_spectrum, &more);
    if (!(e.l2 <= bound_of(f))) fuzz_wrong(t, "direction %d: relative L2 error %.3g", direction, e.l2);
  }
  mfft_free(workspace);
}

/* The calls that query any plan. */
static void query_plan(fuzz_try *t, mfft_plan plan) {
  const size_t size = (size_t)fuzz_draw(t, 300);
  char *text = malloc(size + 1);
  size_t needed = 0, bytes;
  mfft_box box;
  mfft_chosen by;
  mfft_timing timing;
  const char *words;
  int64_t count;
  memset(text, TEST_PATTERN, size + 1);
  CHECK_OK(mfft_plan_describe(plan, text, size, &needed));
  CHECK((unsigned char)text[size] == TEST_PATTERN && (!size || strlen(text) < size), "a description of %zu bytes", size);
  for (int side = 0; side < 2; side++) {
    CHECK_OK(mfft_plan_box(plan, (mfft_side)side, &box));
    CHECK_OK(mfft_plan_bytes(plan, (mfft_side)side, &bytes));
  }
  CHECK_OK(mfft_plan_chosen(plan, &by, &words));
  CHECK_OK(mfft_plan_trial_count(plan, &count));
  CHECK_OK(mfft_plan_timing(plan, &timing));
  CHECK_OK(mfft_plan_backend(plan, &words));
  free(text);
}

/* ---- Wrong calls ----------------------------------------------------------------------------------------------------- */

typedef struct call_arrays {
  char *in, *out; /* aligned; the same if the plan is in place */
} call_arrays;

static mfft_status wrong_shells(fuzz_try *t, mfft_plan plan, const char *out) {
  double edge[3] = {0, 2, 1}, radius[2], power[2];
  int64_t modes[2];
  mfft_shells shells;
  mfft_shells_init(&shells);
  shells.count = fuzz_draw(t, 3) - 1;
  shells.edge = fuzz_one_in(t, 3) ? NULL : edge;
  if (shells.count == 1) edge[1] = NAN;
  return mfft_plan_shells(plan, &shells, fuzz_draw(t, 2) ? out : NULL, modes, radius, power);
}

static mfft_status wrong_filter(fuzz_try *t, mfft_plan plan, const mfft_desc *d) {
  const mfft_direction direction = (mfft_direction)fuzz_draw(t, 3);
  mfft_filter filter;
  mfft_filter_init(&filter);
  const int may = direction < 2 && d->filtered >> direction & 1;
  switch (may ? fuzz_draw(t, 4) : 4) {
    case 0:
      filter.scale = NAN;
      break;
    case 1:
      filter.quarter_turns = 4;
      break;
    case 2:
      filter.singular = -INFINITY;
      break;
    case 3:
      filter.struct_size = 3;
  }
  return mfft_plan_set_filter(plan, direction, &filter);
}

static mfft_status wrong_call(fuzz_try *t, mfft_plan plan, const mfft_desc *d, call_arrays a) {
  const int in_place = d->placement == MFFT_IN_PLACE;
  const mfft_direction direction = (mfft_direction)fuzz_draw(t, 2);
  int64_t count, n1, n2;
  size_t bytes;
  mfft_box box;
  mfft_trial trial;
  mfft_span span;
  switch (fuzz_draw(t, 16)) {
    case 0:
      return mfft_execute(plan, direction, NULL, a.out);
    case 1:
      return mfft_execute(plan, direction, a.in, NULL);
    case 2:
      return mfft_execute(plan, direction, a.in, in_place ? a.in + 64 : a.in);
    case 3:
      return mfft_execute(plan, (mfft_direction)(2 + fuzz_draw(t, 100)), a.in, a.out);
    case 4:
      return mfft_execute(plan, direction, a.in + 1, in_place ? a.in + 1 : a.out);
    case 5:
      return mfft_execute(NULL, direction, a.in, a.out);
    case 6:
      return mfft_plan_set_stream(plan, a.in);
    case 7:
      return wrong_filter(t, plan, d);
    case 8:
      return wrong_shells(t, plan, a.out);
    case 9:
      return mfft_plan_count(plan, (mfft_side)(2 + fuzz_draw(t, 100)), &count);
    case 10:
      return mfft_plan_bytes(fuzz_draw(t, 2) ? plan : NULL, (mfft_side)-1, &bytes);
    case 11:
      return fuzz_draw(t, 2) ? mfft_plan_box(plan, MFFT_IN, NULL) : mfft_plan_box(NULL, MFFT_IN, &box);
    case 12:
      return mfft_plan_trial(plan, fuzz_number(t), &trial);
    case 13:
      return mfft_plan_trace_span(plan, fuzz_number(t), &span);
    case 14:
      return mfft_plan_set_workspace(plan, a.in + 1, 1);
    default:
      return d->scrambled ? MFFT_ERR_ARG : mfft_plan_four_step(plan, &n1, &n2);
  }
}

static mfft_status try_wrong_call(fuzz_try *t, mfft_plan plan, const fuzz_desc *f) {
  const mfft_desc *d = &f->desc;
  size_t bytes[2];
  for (int side = 0; side < 2; side++) CHECK_OK(mfft_plan_bytes(plan, (mfft_side)side, &bytes[side]));
  const size_t most = (bytes[0] > bytes[1] ? bytes[0] : bytes[1]) + 128;
  test_memory in = test_memory_new(most, 0), out = test_memory_new(most, 0);
  void *workspace = f->options.user_workspace ? give_workspace(t, plan) : NULL;
  const call_arrays arrays = {(char *)in.data, (char *)(d->placement == MFFT_IN_PLACE ? in.data : out.data)};
  const mfft_status status = wrong_call(t, plan, d, arrays);
  unsigned char *none = calloc(1, in.all);
  if (status == MFFT_SUCCESS) fuzz_wrong(t, "a wrong call is accepted");
  if (test_broken_bytes(&in, none) || test_broken_bytes(&out, none)) fuzz_wrong(t, "a call that is refused wrote something");
  free(none);
  free(in.base);
  free(out.base);
  mfft_free(workspace);
  return status;
}

/* ---- Tries ----------------------------------------------------------------------------------------------------------- */

static void draw_desc(fuzz_try *t, int row, fuzz_desc *f) {
  mfft_desc *d = &f->desc;
  if (row == ROW_MPI || row == ROW_MPI_FIELDS)
    fuzz_sound_mpi(t, f);
  else
    fuzz_sound_local(t, f);
  if (row == ROW_OUTLINE) f->options.backend = fuzz_one_in(t, 10) ? NULL : "cuda";
  if (row == ROW_SIZE && fuzz_draw(t, 2))
    d->struct_size = (size_t)fuzz_draw(t, sizeof *d + 64);
  else if (row == ROW_SIZE)
    f->options.struct_size = (size_t)fuzz_draw(t, sizeof f->options + 64);
  if (row == ROW_BYTES)
    for (int64_t i = fuzz_draw(t, 4); i >= 0; i--) {
      const fuzz_field *field = &fuzz_numbers[fuzz_draw(t, FUZZ_NUMBERS)];
      unsigned char *object = field->how ? (unsigned char *)&f->options : (unsigned char *)d;
      object[field->offset + (size_t)fuzz_draw(t, (int64_t)field->bytes)] = (unsigned char)fuzz_draw(t, 256);
    }
  const int spoilt = row == ROW_FIELD                                                   ? 1
                     : row == ROW_FIELDS || row == ROW_MPI_FIELDS || row == ROW_OUTLINE ? 1 + (int)fuzz_draw(t, 4)
                     : row == ROW_SIZE                                                  ? (int)fuzz_draw(t, 2)
                                                                                        : 0;
  for (int i = 0; i < spoilt; i++) fuzz_spoil(t, f);
}

static int attempt(fuzz_try *t) {
  static const int rows[] = {ROW_SOUND, ROW_SOUND, ROW_SOUND, ROW_FIELD, ROW_FIELD,      ROW_FIELDS,  ROW_SIZE,
                             ROW_BYTES, ROW_BYTES, ROW_MPI,   ROW_MPI,   ROW_MPI_FIELDS, ROW_OUTLINE, ROW_CALLS};
  const int row = rows[fuzz_draw(t, sizeof rows / sizeof *rows)], failures = test_failures;
  mfft_plan plan = NULL;
  fuzz_desc f;
  char words[512];
  fuzz_set_row(t, row);
  draw_desc(t, row, &f);
  mfft_status status = make_plan(t, &f, row, &plan);
  const int sound = row == ROW_SOUND || row == ROW_MPI || row == ROW_CALLS;
  if (sound && status != MFFT_SUCCESS) fuzz_wrong(t, "refused: %s", mfft_last_error());
  if (plan) {
    fuzz_desc known = understood(&f);
    query_plan(t, plan);
    const int runs = can_run(plan, row == ROW_MPI || row == ROW_MPI_FIELDS, &known);
    if (row == ROW_CALLS && runs) status = try_wrong_call(t, plan, &known);
    if (runs) run_plan(t, plan, &known);
    mfft_plan_destroy(plan);
  }
  if (test_failures > failures) fuzz_wrong(t, "a check failed");
  if (t->wrong) {
    fuzz_describe(&f, words);
    fprintf(stderr, "    %s\n", words);
  }
  return (int)status;
}

int main(int argc, char **argv) {
  static const fuzz_harness harness = {
      .name = "descriptors", .row = row_name, .rows = ROWS, .seconds = 120, .memory = (size_t)3 << 30, .attempt = attempt};
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0); /* without mpirun, many at once */
  setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  setenv("MFFT_TUNE_S", "0.02", 1); /* measuring is not what is looked at */
  MPI_Init(&argc, &argv);
  fuzz_main(&harness, 1000, argc, argv);
  int failed = test_end();
  MPI_Finalize();
  return failed;
}
