/* boundary.c: see boundary.h. */
#include "poisson/boundary.h"

#include <stddef.h>

#include "cli/name_list.h"

static const struct {
  const char *name;
  mfft_axis_kind transform;
  int doubles, first_mode, sign;
  mfft_boundary derivative;
  int quarter_turns;
} kinds[] = {[MFFT_PERIODIC] = {"periodic", MFFT_DFT, 1, 0, 0, MFFT_PERIODIC, 1},
             [MFFT_DIRICHLET] = {"dirichlet", MFFT_DST2, 2, 1, -1, MFFT_NEUMANN, 0},
             [MFFT_NEUMANN] = {"neumann", MFFT_DCT2, 2, 0, 1, MFFT_DIRICHLET, 2},
             [MFFT_OPEN] = {"open", MFFT_DFT, 2, 0, 0, MFFT_OPEN, 1}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const char *name_of(int kind) { return kind < KINDS ? kinds[kind].name : NULL; }

int mfft_boundary_parse(const char *text, mfft_boundary boundary[3]) {
  int found[3]; /* [axis] */
  const int count = mfft_cli_read_names(text, name_of, found);
  if (count != 1 && count != 3) return 1;
  int walls = 0;
  for (int a = 0; a < 3; a++) {
    boundary[a] = (mfft_boundary)found[count == 3 ? a : 0];
    walls |= mfft_boundary_wall(boundary[a]);
  }
  return walls && mfft_boundary_open(boundary);
}

int mfft_boundary_all_periodic(const mfft_boundary boundary[3]) {
  return boundary[0] == MFFT_PERIODIC && boundary[1] == MFFT_PERIODIC && boundary[2] == MFFT_PERIODIC;
}

int mfft_boundary_leaves_constant(const mfft_boundary boundary[3]) {
  for (int a = 0; a < 3; a++)
    if (boundary[a] == MFFT_DIRICHLET || boundary[a] == MFFT_OPEN) return 0;
  return 1;
}

int mfft_boundary_open(const mfft_boundary boundary[3]) {
  return boundary[0] == MFFT_OPEN || boundary[1] == MFFT_OPEN || boundary[2] == MFFT_OPEN;
}

int64_t mfft_boundary_period(mfft_boundary boundary, int64_t n) { return kinds[boundary].doubles * n; }
int64_t mfft_boundary_mode(mfft_boundary boundary, int64_t i) { return i + kinds[boundary].first_mode; }
mfft_axis_kind mfft_boundary_transform(mfft_boundary boundary) { return kinds[boundary].transform; }
int mfft_boundary_sign(mfft_boundary boundary) { return kinds[boundary].sign; }
int mfft_boundary_wall(mfft_boundary boundary) { return kinds[boundary].sign != 0; }
mfft_boundary mfft_boundary_derivative(mfft_boundary boundary) { return kinds[boundary].derivative; }
int mfft_boundary_quarter_turns(mfft_boundary boundary) { return kinds[boundary].quarter_turns; }
