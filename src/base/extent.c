/* extent.c: see extent.h. */
#include "base/extent.h"

int64_t mfft_extent_end(const mfft_extent *e) {
  return e->rows ? e->offset_bytes + (e->rows - 1) * e->stride_bytes + e->row_bytes : e->offset_bytes;
}

/* Columns and rows of an extent in the table whose rows are stride_bytes long, if no row of the extent crosses an end. */
typedef struct cells {
  int64_t row, column;
} cells;

static int find_cells(const mfft_extent *e, int64_t stride_bytes, cells *first) {
  *first = (cells){e->offset_bytes / stride_bytes, e->offset_bytes % stride_bytes};
  return first->column + e->row_bytes <= stride_bytes;
}

/* Whether both extents are parts of one table; `a` and `b` are then their first cells. */
static int share_table(const mfft_extent *x, const mfft_extent *y, cells *a, cells *b) {
  return x->rows > 1 && y->rows > 1 && x->stride_bytes == y->stride_bytes && find_cells(x, x->stride_bytes, a) &&
         find_cells(y, y->stride_bytes, b);
}

int mfft_extents_disjoint(const mfft_extent *x, const mfft_extent *y) {
  cells a, b;
  if (!x->rows || !y->rows) return 0;
  if (mfft_extent_end(x) <= y->offset_bytes || mfft_extent_end(y) <= x->offset_bytes) return 1;
  if (!share_table(x, y, &a, &b)) return 0;
  return a.column + x->row_bytes <= b.column || b.column + y->row_bytes <= a.column || a.row + x->rows <= b.row ||
         b.row + y->rows <= a.row;
}

int mfft_extent_within(const mfft_extent *x, const mfft_extent *y) {
  cells a, b;
  if (!x->rows || !y->rows) return 0;
  if (y->rows == 1) return x->offset_bytes >= y->offset_bytes && mfft_extent_end(x) <= mfft_extent_end(y);
  if (!share_table(x, y, &a, &b)) return 0;
  return a.column >= b.column && a.column + x->row_bytes <= b.column + y->row_bytes && a.row >= b.row &&
         a.row + x->rows <= b.row + y->rows;
}
