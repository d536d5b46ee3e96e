/* boundary.c: see boundary.h. */
#include "poisson/boundary.h"

#include <string.h>

static const struct {
  const char *name;
  mfft_axis_kind transform;
  int doubles, first_mode, sign;
} kinds[] = {[MFFT_PERIODIC] = {"periodic", MFFT_DFT, 1, 0, 0},
             [MFFT_DIRICHLET] = {"dirichlet", MFFT_DST2, 2, 1, -1},
             [MFFT_NEUMANN] = {"neumann", MFFT_DCT2, 2, 0, 1},
             [MFFT_OPEN] = {"open", MFFT_DFT, 2, 0, 0}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Index of the boundary named by the `length` characters at `word`; -1: there is none. */
static int kind_of(const char *word, size_t length) {
  int kind = KINDS - 1;
  while (kind >= 0 && (strlen(kinds[kind].name) != length || strncmp(word, kinds[kind].name, length) != 0)) kind--;
  return kind;
}

int mfft_boundary_parse(const char *text, mfft_boundary boundary[3]) {
  int found[3], count = 0;
  for (const char *word = text;; word++) {
    const size_t length = strcspn(word, ",");
    if (count == 3 || (found[count++] = kind_of(word, length)) < 0) return 1;
    word += length;
    if (!*word) break;
  }
  if (count == 2) return 1;
  int walls = 0;
  for (int a = 0; a < 3; a++) {
    boundary[a] = (mfft_boundary)found[count == 3 ? a : 0];
    walls |= boundary[a] == MFFT_DIRICHLET || boundary[a] == MFFT_NEUMANN;
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
