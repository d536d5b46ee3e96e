// TEST labels=dist
/* The number of exchanges of a transform: one from slabs to any slabs along another axis, with any cuts, two to slabs along
 * the same axis; never a last exchange if the caller's boxes gather the result. */
#include "check.h"
#include "dist/decomp.h"
#include "dist/grid_order.h"
#include "plan/path.h"

/* Slabs along an axis; uneven: all parts but the last are one plane. */
static mfft_layout slabs(const int64_t n[3], int ranks, int axis, int uneven) {
  mfft_layout layout;
  const int grid[2] = {ranks, 1};
  CHECK_OK(mfft_layout_pencils(n, (axis + 1) % 3, grid, NULL, &layout));
  for (int rank = 0; rank < ranks; rank++) {
    layout.box[rank] = mfft_box_whole(n);
    layout.box[rank].lo[axis] = uneven ? rank : mfft_part(n[axis], rank, ranks);
    layout.box[rank].hi[axis] = uneven && rank + 1 < ranks ? rank + 1 : mfft_part(n[axis], rank + 1, ranks);
  }
  layout.box[ranks - 1].hi[axis] = n[axis];
  return layout;
}

static void expect(const char *what, mfft_kind kind, mfft_order order, int ranks, const int grid[2], const mfft_layout *out,
                   int exchanges) {
  mfft_path path;
  mfft_path_spec spec = {.n = {24, 20, 32}, .axes = 7, .kind = kind, .ranks = ranks, .order = order, .out = out};
  memcpy(spec.grid, grid, sizeof spec.grid);
  const mfft_status status = mfft_path_build(&spec, &path);
  CHECK(status == MFFT_SUCCESS, "%s: %s", what, mfft_last_error());
  if (status != MFFT_SUCCESS) return;
  unsigned done = 0;
  for (int i = 0; i < path.count; i++) {
    CHECK((done & path.step[i].axes) == 0, "%s: an axis is transformed twice", what);
    done |= path.step[i].axes;
  }
  CHECK(done == 7, "%s: axes %u are transformed", what, done);
  CHECK(!out || mfft_layout_equal(&path.step[path.count - 1].out, out), "%s: it ends elsewhere", what);
  CHECK(path.count == exchanges + 1, "%s: %d exchanges, %d expected", what, path.count - 1, exchanges);
  mfft_path_free(&path);
}

/* Orders of four ranks on a grid, and the share of its data that a rank sends to other nodes in both exchanges. */
static void by_node(void) {
  static const struct {
    int node_of[4], grid[2], rank[4], own;
    double far;
  } cases[] = {
      {{0, 0, 2, 2}, {2, 2}, {0, 1, 2, 3}, 1, 0.5}, /* numbered node by node: rows stay inside nodes */
      {{0, 1, 0, 1}, {2, 2}, {0, 1, 2, 3}, 1, 0.5}, /* in turn: so do columns */
      {{0, 1, 1, 0}, {2, 2}, {0, 3, 1, 2}, 0, 0.5}, /* neither */
      {{0, 1, 0, 0}, {2, 2}, {0, 1, 2, 3}, 1, 0.5}, /* 3 + 1: two of four rows and columns cross nodes in any order */
      {{0, 1, 0, 1}, {4, 1}, {0, 1, 2, 3}, 1, 0.5}, /* one exchange, with all ranks */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int rank[4], own;
    double far;
    CHECK_OK(mfft_grid_order(cases[i].node_of, cases[i].grid, rank, &own, &far));
    CHECK(!memcmp(rank, cases[i].rank, sizeof rank) && own == cases[i].own && far > cases[i].far - 1e-9 &&
              far < cases[i].far + 1e-9,
          "case %d: %d %d %d %d, own %d, far %g", (int)i, rank[0], rank[1], rank[2], rank[3], own, far);
  }
  /* Eight ranks dealt to four nodes of two; four planes along each axis allow 4 x 2 and 2 x 4, of which rows of two fit. */
  static const int dealt[8] = {0, 1, 2, 3, 0, 1, 2, 3};
  mfft_path path;
  mfft_path_spec spec = {.n = {4, 4, 4}, .axes = 7, .ranks = 8, .node_of = dealt, .order = MFFT_ORDER_TRANSPOSED};
  CHECK_OK(mfft_path_build(&spec, &path));
  CHECK(path.grid[0] == 4 && path.grid[1] == 2, "grid %d x %d", path.grid[0], path.grid[1]);
  for (int r = 0; r < 8; r++) {
    const mfft_box *box = &path.step[0].in.box[r];
    CHECK(box->lo[0] == r % 4 && box->hi[0] == r % 4 + 1, "rank %d, on node %d: plane %d", r, r % 4, (int)box->lo[0]);
  }
  const mfft_layout in = path.step[0].in; /* boxes of this plan given to another one: the same order */
  spec.in = &in;
  mfft_path other;
  CHECK_OK(mfft_path_build(&spec, &other));
  CHECK(other.order && mfft_layout_equal(&other.step[1].in, &path.step[1].in), "another order");
  mfft_path_free(&other);
  mfft_layout bricks;
  CHECK_OK(mfft_layout_pencils(spec.n, 2, path.grid, NULL, &bricks)); /* boxes in the ranks' own order: so are the pencils */
  spec.in = &bricks;
  CHECK_OK(mfft_path_build(&spec, &other));
  CHECK(!other.order, "boxes of the caller, and ranks by node");
  mfft_path_free(&other);
  mfft_layout_free(&bricks);
  mfft_path_free(&path);
}

int main(void) {
  by_node();
  static const int any[2] = {0, 0}, cut[2] = {8, 1}, pencils[2] = {2, 4};
  for (mfft_kind kind = MFFT_C2C; kind <= MFFT_R2C; kind++) {
    const int64_t n[3] = {24, 20, kind == MFFT_R2C ? 17 : 32};
    expect("transposed order", kind, MFFT_ORDER_TRANSPOSED, 8, any, NULL, 1);
    expect("natural order", kind, MFFT_ORDER_NATURAL, 8, any, NULL, 2);
    expect("pencils", kind, MFFT_ORDER_TRANSPOSED, 8, pencils, NULL, 2);
    expect("pencils in natural order", kind, MFFT_ORDER_NATURAL, 8, pencils, NULL, 3);
    for (int axis = 0; axis < 3; axis++) {
      mfft_layout out = slabs(n, 8, axis, 0);
      expect("even slabs", kind, MFFT_ORDER_NATURAL, 8, cut, &out, axis == 0 ? 2 : 1);
      expect("even slabs, and IN boxes that suit them", kind, MFFT_ORDER_NATURAL, 8, any, &out, 1);
      mfft_layout_free(&out);
    }
    mfft_layout out = slabs(n, 3, 1, 0);
    out.box[0].hi[1] = out.box[1].lo[1] = 8; /* 8, 5 and 7 planes, where an even division has 6, 7 and 7 */
    expect("slabs of the caller's cut", kind, MFFT_ORDER_NATURAL, 3, any, &out, 1);
    mfft_layout_free(&out);
    out = slabs(n, 3, 1, 1);
    expect("nearly all on one rank", kind, MFFT_ORDER_NATURAL, 3, any, &out, 2);
    mfft_layout_free(&out);
    out = slabs(n, 8, 2, 0);
    expect("from pencils to slabs", kind, MFFT_ORDER_NATURAL, 8, pencils, &out, 1);
    mfft_layout_free(&out);
  }
  return test_end();
}
