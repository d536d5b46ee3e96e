/* pad.c: see pad.h. */
#include "ic/pad.h"

#include <string.h>

#include "cli/report.h"
#include "mesh/move_box.h"
#include "mfft_memory.h"

int64_t mfft_pad_side(int64_t n) { return 3 * ((n + 1) / 2); }

enum { PAIR = 2 }; /* a complex number is two doubles */

/* One of the four quarters of the coarse modes, by the signs of mx and my, in indices of the fine mesh. */
static mfft_box quarter(const mfft_mesh *coarse, const mfft_mesh *fine, int which) {
  mfft_box box = {.order = {0, 1, 2}};
  for (int axis = 0; axis < 3; axis++) {
    const int64_t most = (coarse->n[axis] - 1) / 2; /* the largest wave number of both meshes */
    const int negative = axis < 2 && (which >> axis & 1);
    box.lo[axis] = negative ? fine->n[axis] - most : 0;
    box.hi[axis] = negative ? fine->n[axis] : most + 1;
  }
  return box;
}

/* The intersection of a mesh's mode box with a quarter, in indices of the fine mesh: those of the mesh plus `shift`. */
static mfft_box part_of(const mfft_box *own, const mfft_box *quarter_box, const int64_t shift[3]) {
  mfft_box part = {.order = {0, 1, 2}};
  int empty = 0;
  for (int axis = 0; axis < 3; axis++) {
    const int64_t lo = own->lo[axis] + shift[axis], hi = own->hi[axis] + shift[axis];
    part.lo[axis] = lo > quarter_box->lo[axis] ? lo : quarter_box->lo[axis];
    part.hi[axis] = hi < quarter_box->hi[axis] ? hi : quarter_box->hi[axis];
    empty |= part.lo[axis] >= part.hi[axis];
  }
  if (empty) memset(part.lo, 0, sizeof part.lo), memset(part.hi, 0, sizeof part.hi);
  return part;
}

/* Copies the rows of a part from the array of the mode box to a dense array (pack 1), or back (0). */
static void copy_part(const mfft_box *own, const int64_t shift[3], const mfft_box *part, double *modes, double *dense,
                      int pack, double scale) {
  const int64_t ny = own->hi[1] - own->lo[1], nz = own->hi[2] - own->lo[2], row = PAIR * mfft_box_side(part, 2);
  for (int64_t x = part->lo[0]; x < part->hi[0]; x++)
    for (int64_t y = part->lo[1]; y < part->hi[1]; y++, dense += row) {
      double *at =
          modes + PAIR * (((x - shift[0] - own->lo[0]) * ny + (y - shift[1] - own->lo[1])) * nz + part->lo[2] - own->lo[2]);
      for (int64_t i = 0; i < row; i++) {
        if (pack)
          dense[i] = scale * at[i];
        else
          at[i] = dense[i];
      }
    }
}

mfft_status mfft_pad(const mfft_mesh *coarse, const mfft_box *coarse_box, double *coarse_modes, const mfft_mesh *fine,
                     const mfft_box *fine_box, double *fine_modes, int to_fine, double scale) {
  const mfft_box *from_box = to_fine ? coarse_box : fine_box, *to_box = to_fine ? fine_box : coarse_box;
  double *from_modes = to_fine ? coarse_modes : fine_modes, *to_modes = to_fine ? fine_modes : coarse_modes;
  memset(to_modes, 0, (size_t)mfft_box_cells(to_box) * PAIR * sizeof(double));
  mfft_status status = MFFT_SUCCESS;
  for (int which = 0; which < 4 && status == MFFT_SUCCESS; which++) {
    int64_t shift[2][3] = {{0}}; /* [coarse, fine] shifts of indices */
    for (int axis = 0; axis < 2; axis++) shift[0][axis] = which >> axis & 1 ? fine->n[axis] - coarse->n[axis] : 0;
    const mfft_box all = quarter(coarse, fine, which);
    if (all.lo[0] >= all.hi[0] || all.lo[1] >= all.hi[1])
      continue; /* a side of one or two cells has no negative wave numbers */
    const mfft_box from = part_of(from_box, &all, shift[!to_fine]), to = part_of(to_box, &all, shift[to_fine]);
    void *in = NULL, *out = NULL;
    status = mfft_app_alloc(PAIR * mfft_box_cells(&from), sizeof(double), "modes to send", &in);
    if (status == MFFT_SUCCESS)
      status = mfft_app_alloc(PAIR * mfft_box_cells(&to), sizeof(double), "modes to receive", &out);
    status = mfft_app_agree(status);
    if (status == MFFT_SUCCESS) {
      copy_part(from_box, shift[!to_fine], &from, from_modes, in, 1, scale);
      status = mfft_move_box(PAIR * sizeof(double), &from, in, &to, out);
    }
    if (status == MFFT_SUCCESS) copy_part(to_box, shift[to_fine], &to, to_modes, out, 0, 1);
    mfft_free(in);
    mfft_free(out);
  }
  return status;
}
