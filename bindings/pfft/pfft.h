/* pfft.h: the interface of PFFT (Pippig 2013, PFFT: An extension of FFTW to massively parallel architectures) as
 * libmergefft_pfft.so has it, for programs that are compiled without PFFT.  Names, types and values are those of PFFT 1.0,
 * so that programs which were compiled with its own header can be linked with this library too.
 *
 * Arrays.  A mesh of processes, a Cartesian communicator of one, two or three dimensions (any other communicator: all ranks
 * in one), divides the first axes of an array, each into blocks of ceil(n/P) unless iblock or oblock, one for each
 * dimension, say otherwise (NULL, or PFFT_DEFAULT_BLOCK).  A transposed array is divided along the axes that follow the
 * first one, and its first axis comes behind them in memory: [y][x][z] on one dimension, [y][z][x] on two, and on three as
 * well, with [1][2][3][0] for four axes.  Spectra of real arrays have n/2 + 1 complex numbers along the last axis; rows
 * of reals are packed, or 2 (n/2 + 1) long with PFFT_PADDED_R2C.  Arrays are in host memory, or in that of a GPU if one
 * transforms (docs/fftw.md).
 *
 * The sizes of a rank, local_ni and local_i_start of the input, local_no and local_o_start of the output, are written in the
 * order of the axes, not of memory.  What local_size returns is the length that either array needs, in complex numbers
 * (reals for r2r).  They are not collective.  Plans and their executes are collective over the communicator; an execute
 * returns when the result is there.  Forward is exp(-i...), nothing is scaled.  A plan that cannot be made is NULL, and rank
 * 0 writes the reason to stderr (docs/fftw.md lists them). */
#ifndef PFFT_H
#define PFFT_H 1

#include <fftw3-mpi.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PFFT_FORWARD  FFTW_FORWARD
#define PFFT_BACKWARD FFTW_BACKWARD
/* Kinds of r2r plans.  mergefft has the cosines and sines, not R2HC, HC2R and DHT. */
#define PFFT_R2HC    FFTW_R2HC
#define PFFT_HC2R    FFTW_HC2R
#define PFFT_DHT     FFTW_DHT
#define PFFT_REDFT00 FFTW_REDFT00
#define PFFT_REDFT01 FFTW_REDFT01
#define PFFT_REDFT10 FFTW_REDFT10
#define PFFT_REDFT11 FFTW_REDFT11
#define PFFT_RODFT00 FFTW_RODFT00
#define PFFT_RODFT01 FFTW_RODFT01
#define PFFT_RODFT10 FFTW_RODFT10
#define PFFT_RODFT11 FFTW_RODFT11

/* Flags of plans and of local sizes.  SHIFTED: indices of that array begin at -n/2, for even n.  TUNE: whole plans of
 * mergefft are tuned, with MEASURE and more.  Input is preserved out of place unless DESTROY_INPUT is set. */
#define PFFT_TRANSPOSED_NONE  (0U)
#define PFFT_TRANSPOSED_IN    (1U << 0)
#define PFFT_TRANSPOSED_OUT   (1U << 1)
#define PFFT_SHIFTED_NONE     (0U)
#define PFFT_SHIFTED_IN       (1U << 2)
#define PFFT_SHIFTED_OUT      (1U << 3)
#define PFFT_MEASURE          (0U)
#define PFFT_ESTIMATE         (1U << 4)
#define PFFT_PATIENT          (1U << 5)
#define PFFT_EXHAUSTIVE       (1U << 6)
#define PFFT_NO_TUNE          (0U)
#define PFFT_TUNE             (1U << 7)
#define PFFT_PRESERVE_INPUT   (1U << 8)
#define PFFT_DESTROY_INPUT    (1U << 9)
#define PFFT_BUFFERED_INPLACE (1U << 10)
#define PFFT_PADDED_R2C       (1U << 11)
#define PFFT_PADDED_C2R       PFFT_PADDED_R2C
#define PFFT_DEFAULT_BLOCK    FFTW_MPI_DEFAULT_BLOCK
#define PFFT_DEFAULT_BLOCKS   NULL
#define PFFT_NO_GCELLS        NULL

/* Types of pfft_get_args. */
#define PFFT_INT       (1U)
#define PFFT_PTRDIFF_T (2U)
#define PFFT_FLOAT     (3U)
#define PFFT_DOUBLE    (4U)
#define PFFT_LDOUBLE   (5U)
#define PFFT_UNSIGNED  (6U)
#define PFFT_SWITCH    (7U)

/* Flags of plans for ghost cells.  TRANSPOSED: of the transposed array.  R2C and PADDED: of an array of a real transform
 * with lengths n: complex numbers, n/2 + 1 along the last axis; reals in padded rows, whose padding counts as cells.
 * SENDRECV and RMA, two methods of PFFT, change nothing. */
#define PFFT_GC_TRANSPOSED_NONE (0U)
#define PFFT_GC_TRANSPOSED      (1U << 0)
#define PFFT_GC_SENDRECV        (1U << 1)
#define PFFT_GC_RMA             (1U << 2)
#define PFFT_GC_R2C             (1U << 3)
#define PFFT_GC_PADDED          (1U << 4)
#define PFFT_GC_C2R             PFFT_GC_R2C
#define PFFT_GC_PADDED_R2C      (PFFT_GC_R2C | PFFT_GC_PADDED)
#define PFFT_GC_PADDED_C2R      PFFT_GC_PADDED_R2C

typedef fftw_complex pfft_complex;
typedef fftwf_complex pfftf_complex;
typedef fftw_r2r_kind pfft_r2r_kind;
typedef fftwf_r2r_kind pfftf_r2r_kind;

/* Argument lists that many functions share.  n: [rank] lengths of the transform.  ni, no: [rank] lengths of input and
 * output, up to n.  Zeros are appended to a shorter input, and a shorter output is the first part of the result; with
 * shifted indices both are the middle part, and on the halved axis of a spectrum the last.  local_ni, local_i_start,
 * local_no, local_o_start: [rank] receive the lengths and starts of a rank's parts. */
#define PFFT_LOCAL  ptrdiff_t *local_ni, ptrdiff_t *local_i_start, ptrdiff_t *local_no, ptrdiff_t *local_o_start
#define PFFT_SIDES  const ptrdiff_t *ni, const ptrdiff_t *no
#define PFFT_BLOCKS const ptrdiff_t *iblock, const ptrdiff_t *oblock
#define PFFT_MANY   int rank, const ptrdiff_t *n, PFFT_SIDES, ptrdiff_t howmany, PFFT_BLOCKS
#define PFFT_RANGE  const ptrdiff_t *local_n, const ptrdiff_t *local_start
#define PFFT_WIDTHS const ptrdiff_t *below, const ptrdiff_t *above
#define PFFT_CELLS  int rank, const ptrdiff_t *n, ptrdiff_t howmany, const ptrdiff_t *block, PFFT_WIDTHS

/* Local sizes of one kind of transforms: of this rank, and of rank pid of the communicator. */
#define PFFT_DEFINE_SIZES(PX, kind)                                                                              \
  ptrdiff_t PX(local_size_##kind##_3d)(const ptrdiff_t *n, MPI_Comm comm, unsigned flags, PFFT_LOCAL);           \
  ptrdiff_t PX(local_size_##kind)(int rank, const ptrdiff_t *n, MPI_Comm comm, unsigned flags, PFFT_LOCAL);      \
  ptrdiff_t PX(local_size_many_##kind)(PFFT_MANY, MPI_Comm comm, unsigned flags, PFFT_LOCAL);                    \
  void PX(local_block_##kind##_3d)(const ptrdiff_t *n, MPI_Comm comm, int pid, unsigned flags, PFFT_LOCAL);      \
  void PX(local_block_##kind)(int rank, const ptrdiff_t *n, MPI_Comm comm, int pid, unsigned flags, PFFT_LOCAL); \
  void PX(local_block_many_##kind)(int rank, PFFT_SIDES, PFFT_BLOCKS, MPI_Comm comm, int pid, unsigned flags, PFFT_LOCAL);

/* Plans of one kind, whose input has the type FROM and whose output has TO.  HOW: the sign, or the kinds of the axes. */
#define PFFT_DEFINE_PLANS(PX, kind, FROM, TO, HOW)                                                                   \
  PX(plan) PX(plan_##kind##_3d)(const ptrdiff_t *n, FROM *in, TO *out, MPI_Comm comm, HOW, unsigned flags);          \
  PX(plan) PX(plan_##kind)(int rank, const ptrdiff_t *n, FROM *in, TO *out, MPI_Comm comm, HOW, unsigned flags);     \
  PX(plan) PX(plan_many_##kind)(PFFT_MANY, FROM * in, TO * out, MPI_Comm comm, HOW, unsigned flags);                 \
  PX(plan)                                                                                                           \
  PX(plan_many_##kind##_skipped)(PFFT_MANY, const int *skip, FROM *in, TO *out, MPI_Comm comm, HOW, unsigned flags); \
  void PX(execute_##kind)(const PX(plan) plan, FROM *in, TO *out);

/* Fill an array with numbers that depend only on the index, and find the largest difference from them, for test programs. */
#define PFFT_DEFINE_CHECKS(PX, what, TYPE, R)                                                      \
  void PX(init_input_##what##_3d)(const ptrdiff_t *n, PFFT_RANGE, TYPE *data);                     \
  void PX(init_input_##what)(int rank, const ptrdiff_t *n, PFFT_RANGE, TYPE *data);                \
  void PX(clear_input_##what##_3d)(const ptrdiff_t *n, PFFT_RANGE, TYPE *data);                    \
  void PX(clear_input_##what)(int rank, const ptrdiff_t *n, PFFT_RANGE, TYPE *data);               \
  R PX(check_output_##what##_3d)(const ptrdiff_t *n, PFFT_RANGE, const TYPE *data, MPI_Comm comm); \
  R PX(check_output_##what)(int rank, const ptrdiff_t *n, PFFT_RANGE, const TYPE *data, MPI_Comm comm);

/* Plans for any number of ghost cells around a rank's part of a periodic array; NULL if none are requested, or, with an
 * error message, if arguments are wrong.  pfft_exchange takes the own cells, packed at the beginning of data, and returns
 * them with the ghost cells around them, as an array of the lengths of pfft_local_size_gc.  pfft_reduce adds the ghost cells
 * to the own cells of their ranks, packs these at the beginning, and zeros what follows.  Both are collective, and block. */
#define PFFT_DEFINE_GHOSTS(PX, kind, TYPE)                                                                          \
  PX(gcplan) PX(plan_##kind##_3d)(const ptrdiff_t *n, PFFT_WIDTHS, TYPE *data, MPI_Comm comm, unsigned flags);      \
  PX(gcplan) PX(plan_##kind)(int rank, const ptrdiff_t *n, PFFT_WIDTHS, TYPE *data, MPI_Comm comm, unsigned flags); \
  PX(gcplan) PX(plan_many_##kind)(PFFT_CELLS, TYPE * data, MPI_Comm comm, unsigned flags);

/* The times of a plan: mergefft counts executes and their seconds; the times of single steps are 0. */
#define PFFT_DEFINE_TIMERS(PX)                                                        \
  typedef struct PX(timer_s) {                                                        \
    int rnk_pm, rnk_trafo, rnk_remap;                                                 \
    int iter;                                                                         \
    double whole;                                                                     \
    double *trafo, *remap; /* [rnk_trafo], [rnk_remap] */                             \
    double remap_3dto2d[2], itwiddle, otwiddle;                                       \
  } * PX(timer);                                                                      \
  void PX(reset_timer)(PX(plan) plan);                                                \
  PX(timer) PX(get_timer)(const PX(plan) plan);                                       \
  PX(timer) PX(copy_timer)(const PX(timer) timer);                                    \
  PX(timer) PX(add_timers)(const PX(timer) a, const PX(timer) b);                     \
  PX(timer) PX(reduce_max_timer)(const PX(timer) timer, MPI_Comm comm);               \
  double *PX(convert_timer2vec)(const PX(timer) timer);                               \
  PX(timer) PX(convert_vec2timer)(const double *times);                               \
  void PX(average_timer)(PX(timer) timer);                                            \
  void PX(destroy_timer)(PX(timer) timer);                                            \
  void PX(print_average_timer)(const PX(plan) plan, MPI_Comm comm);                   \
  void PX(print_average_timer_adv)(const PX(plan) plan, MPI_Comm comm);               \
  void PX(write_average_timer)(const PX(plan) plan, const char *name, MPI_Comm comm); \
  void PX(write_average_timer_adv)(const PX(plan) plan, const char *name, MPI_Comm comm);

/* The times of ghost cells, which are not measured: NULL. */
#define PFFT_DEFINE_GHOST_TIMERS(PX)                                                      \
  typedef struct PX(gctimer_s) * PX(gctimer);                                             \
  void PX(reset_gctimers)(PX(gcplan) plan);                                               \
  PX(gctimer) PX(get_gctimer_exg)(const PX(gcplan) plan);                                 \
  PX(gctimer) PX(get_gctimer_red)(const PX(gcplan) plan);                                 \
  PX(gctimer) PX(copy_gctimer)(const PX(gctimer) timer);                                  \
  PX(gctimer) PX(add_gctimers)(const PX(gctimer) a, const PX(gctimer) b);                 \
  PX(gctimer) PX(reduce_max_gctimer)(const PX(gctimer) timer, MPI_Comm comm);             \
  void PX(average_gctimer)(PX(gctimer) timer);                                            \
  void PX(destroy_gctimer)(PX(gctimer) timer);                                            \
  void PX(print_average_gctimer)(const PX(gcplan) plan, MPI_Comm comm);                   \
  void PX(print_average_gctimer_adv)(const PX(gcplan) plan, MPI_Comm comm);               \
  void PX(write_average_gctimer)(const PX(gcplan) plan, const char *name, MPI_Comm comm); \
  void PX(write_average_gctimer_adv)(const PX(gcplan) plan, const char *name, MPI_Comm comm);

/* Prints an array of three axes, rank by rank.  Permuted: axis i of the array is axis perm_i of local_n.  Collective. */
#define PFFT_DEFINE_PRINTS(PX, what, TYPE)                                                                           \
  void PX(apr_##what##_3d)(const TYPE *data, PFFT_RANGE, const char *name, MPI_Comm comm);                           \
  void PX(apr_##what##_permuted_3d)(const TYPE *data, PFFT_RANGE, int perm0, int perm1, int perm2, const char *name, \
                                    MPI_Comm comm);

#define PFFT_DEFINE_UTILITIES(PX)                                                                        \
  int PX(create_procmesh)(int dims, MPI_Comm comm, const int *np, MPI_Comm *comm_cart);                  \
  int PX(create_procmesh_1d)(MPI_Comm comm, int np0, MPI_Comm *comm_cart);                               \
  int PX(create_procmesh_2d)(MPI_Comm comm, int np0, int np1, MPI_Comm *comm_cart);                      \
  ptrdiff_t PX(prod_INT)(int count, const ptrdiff_t *a);                                                 \
  ptrdiff_t PX(sum_INT)(int count, const ptrdiff_t *a);                                                  \
  int PX(equal_INT)(int count, const ptrdiff_t *a, const ptrdiff_t *b);                                  \
  void PX(vcopy_INT)(int count, const ptrdiff_t *a, ptrdiff_t *b);                                       \
  void PX(vadd_INT)(int count, const ptrdiff_t *a, const ptrdiff_t *b, ptrdiff_t *sum);                  \
  void PX(vsub_INT)(int count, const ptrdiff_t *a, const ptrdiff_t *b, ptrdiff_t *difference);           \
  void PX(vfprintf)(MPI_Comm comm, FILE * stream, const char *format, va_list list);                     \
  void PX(fprintf)(MPI_Comm comm, FILE * stream, const char *format, ...);                               \
  void PX(printf)(MPI_Comm comm, const char *format, ...);                                               \
  void PX(get_args)(int argc, char **argv, const char *name, int count, unsigned type, void *values);    \
  ptrdiff_t PX(local_size_gc_3d)(PFFT_RANGE, PFFT_WIDTHS, ptrdiff_t * ngc, ptrdiff_t * gc_start);        \
  ptrdiff_t PX(local_size_gc)(int rank, PFFT_RANGE, PFFT_WIDTHS, ptrdiff_t *ngc, ptrdiff_t *gc_start);   \
  ptrdiff_t PX(local_size_many_gc)(int rank, PFFT_RANGE, ptrdiff_t howmany, PFFT_WIDTHS, ptrdiff_t *ngc, \
                                   ptrdiff_t *gc_start);                                                 \
  void PX(exchange)(PX(gcplan) plan);                                                                    \
  void PX(reduce)(PX(gcplan) plan);                                                                      \
  void PX(destroy_gcplan)(PX(gcplan) plan);

#define PFFT_DEFINE_API(PX, R, C)                              \
  typedef struct PX(plan_s) * PX(plan);                        \
  typedef struct PX(gcplan_s) * PX(gcplan);                    \
  void PX(init)(void);                                         \
  void PX(cleanup)(void);                                      \
  void PX(plan_with_nthreads)(int threads);                    \
  int PX(get_nthreads)(void);                                  \
  void *PX(malloc)(size_t bytes);                              \
  R *PX(alloc_real)(size_t count);                             \
  C *PX(alloc_complex)(size_t count);                          \
  void PX(free)(void *p);                                      \
  PFFT_DEFINE_SIZES(PX, dft)                                   \
  PFFT_DEFINE_SIZES(PX, dft_r2c)                               \
  PFFT_DEFINE_SIZES(PX, dft_c2r)                               \
  PFFT_DEFINE_SIZES(PX, r2r)                                   \
  PFFT_DEFINE_PLANS(PX, dft, C, C, int sign)                   \
  PFFT_DEFINE_PLANS(PX, dft_r2c, R, C, int sign)               \
  PFFT_DEFINE_PLANS(PX, dft_c2r, C, R, int sign)               \
  PFFT_DEFINE_PLANS(PX, r2r, R, R, const PX(r2r_kind) * kinds) \
  void PX(execute)(const PX(plan) plan);                       \
  void PX(destroy_plan)(PX(plan) plan);                        \
  PFFT_DEFINE_GHOSTS(PX, rgc, R)                               \
  PFFT_DEFINE_GHOSTS(PX, cgc, C)                               \
  PFFT_DEFINE_CHECKS(PX, complex, C, R)                        \
  PFFT_DEFINE_CHECKS(PX, complex_hermitian, C, R)              \
  PFFT_DEFINE_CHECKS(PX, real, R, R)                           \
  PFFT_DEFINE_PRINTS(PX, complex, C)                           \
  PFFT_DEFINE_PRINTS(PX, real, R)                              \
  PFFT_DEFINE_TIMERS(PX)                                       \
  PFFT_DEFINE_GHOST_TIMERS(PX)                                 \
  PFFT_DEFINE_UTILITIES(PX)

#define PFFT_MANGLE_DOUBLE(name) pfft_##name
#define PFFT_MANGLE_FLOAT(name)  pfftf_##name
PFFT_DEFINE_API(PFFT_MANGLE_DOUBLE, double, pfft_complex)
PFFT_DEFINE_API(PFFT_MANGLE_FLOAT, float, pfftf_complex)

#ifdef __cplusplus
}
#endif
#endif
