/* other_pfft.c: a library with the names of PFFT that t954's program calls, in the place of PFFT's own: a program that
 * reaches it ends. */
#include <stdio.h>
#include <stdlib.h>

#define NAME(name)                                  \
  void name(void);                                  \
  void name(void) {                                 \
    fprintf(stderr, "the other PFFT: %s\n", #name); \
    exit(3);                                        \
  }
NAME(pfft_init)
NAME(pfft_cleanup)
NAME(pfft_create_procmesh_2d)
NAME(pfft_local_size_dft_r2c_3d)
NAME(pfft_local_size_gc_3d)
NAME(pfft_plan_dft_r2c_3d)
NAME(pfft_plan_dft_c2r_3d)
NAME(pfft_plan_many_dft)
NAME(pfft_plan_many_dft_skipped)
NAME(pfft_plan_r2r_3d)
NAME(pfft_plan_rgc_3d)
NAME(pfft_exchange)
NAME(pfft_execute)
NAME(pfft_destroy_plan)
NAME(pfft_print_average_timer)
NAME(pfft_get_timer)
NAME(pfft_destroy_timer)
NAME(pfft_alloc_real)
NAME(pfft_alloc_complex)
NAME(pfft_free)
