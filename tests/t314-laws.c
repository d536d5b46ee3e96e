// TEST ranks=1,2,5 labels=dist
/* Ergun's laws on arrays too large to hold twice on every rank: the transform is linear, an impulse gives a plane wave, a
 * shift multiplies by phases; and Parseval's sum.  None needs a second FFT. */
#include "dist.h"

typedef struct field {
  mfft_plan plan;
  mfft_box in, out;
  int64_t n[3];
  double *a, *b, *fa, *fb; /* [in], [in], [out], [out] complexes */
} field;

static int64_t site(const field *f, const mfft_box *box, int64_t at, int64_t i[3]) {
  for (int axis = 2; axis >= 0; axis--) {
    int64_t n = box->hi[axis] - box->lo[axis];
    i[axis] = box->lo[axis] + at % n;
    at /= n;
  }
  return (i[0] * f->n[1] + i[1]) * f->n[2] + i[2];
}

static double phase_of(const field *f, const int64_t k[3], const int64_t x[3]) {
  double turns = 0;
  for (int axis = 0; axis < 3; axis++) turns += (double)(k[axis] * x[axis] % f->n[axis]) / (double)f->n[axis];
  return -2 * 3.14159265358979323846 * turns;
}

static void forward(const field *f, const double *in, double *out) {
  CHECK_OK(mfft_execute(f->plan, MFFT_FORWARD, in, out));
}

static void laws(int64_t nx, int64_t ny, int64_t nz, mfft_order order, const char *transport) {
  mfft_desc d;
  mfft_desc_init(&d);
  d.n[0] = nx;
  d.n[1] = ny;
  d.n[2] = nz;
  d.order = order;
  d.transport = transport;
  d.effort = MFFT_ESTIMATE;
  field f = {.n = {nx, ny, nz}};
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &f.plan));
  CHECK_OK(mfft_plan_box(f.plan, MFFT_IN, &f.in));
  CHECK_OK(mfft_plan_box(f.plan, MFFT_OUT, &f.out));
  int64_t ins = dist_count(&f.in), outs = dist_count(&f.out), total = nx * ny * nz, i[3];
  size_t in_bytes, out_bytes;
  CHECK_OK(mfft_plan_bytes(f.plan, MFFT_IN, &in_bytes));
  CHECK_OK(mfft_plan_bytes(f.plan, MFFT_OUT, &out_bytes));
  f.a = calloc(1, in_bytes + 1);
  f.b = calloc(1, in_bytes + 1);
  f.fa = calloc(1, out_bytes + 1);
  f.fb = calloc(1, out_bytes + 1);
  const double bound = 4e-16 * sqrt(log2((double)total));

  /* Impulse at x: exp(-2 pi i k x / n). */
  const int64_t x[3] = {nx / 3, ny - 1, nz / 2};
  for (int64_t at = 0; at < ins; at++) {
    site(&f, &f.in, at, i);
    f.a[2 * at] = i[0] == x[0] && i[1] == x[1] && i[2] == x[2];
  }
  forward(&f, f.a, f.fa);
  dist_sum sum = {0, 0};
  for (int64_t at = 0; at < outs; at++) {
    site(&f, &f.out, at, i);
    double p = phase_of(&f, i, x), re = f.fa[2 * at] - cos(p), im = f.fa[2 * at + 1] - sin(p);
    sum.error += re * re + im * im;
    sum.truth += 1;
  }
  double error = dist_relative(MPI_COMM_WORLD, sum);
  CHECK(error <= bound, "impulse is off by %.3g, bound %.3g", error, bound);

  /* Parseval, and the shifted array: b(j) = a(j - x). */
  dist_sum power = {0, 0}, shift = {0, 0}, linear = {0, 0};
  for (int64_t at = 0; at < ins; at++) {
    int64_t g = site(&f, &f.in, at, i),
            from = (((i[0] - x[0] + nx) % nx) * ny + (i[1] - x[1] + ny) % ny) * nz + (i[2] - x[2] + nz) % nz;
    for (int part = 0; part < 2; part++) {
      f.a[2 * at + part] = dist_value(2 * g + part);
      f.b[2 * at + part] = dist_value(2 * from + part);
      power.truth += f.a[2 * at + part] * f.a[2 * at + part];
    }
  }
  forward(&f, f.a, f.fa);
  forward(&f, f.b, f.fb);
  for (int64_t at = 0; at < outs; at++) {
    site(&f, &f.out, at, i);
    double p = phase_of(&f, i, x), re = f.fa[2 * at], im = f.fa[2 * at + 1];
    power.error += re * re + im * im;
    double er = f.fb[2 * at] - (re * cos(p) - im * sin(p)), ei = f.fb[2 * at + 1] - (re * sin(p) + im * cos(p));
    shift.error += er * er + ei * ei;
    shift.truth += re * re + im * im;
  }
  error = fabs(dist_relative(MPI_COMM_WORLD, power) / sqrt((double)total) - 1);
  CHECK(error <= bound, "Parseval is off by %.3g, bound %.3g", error, bound);
  error = dist_relative(MPI_COMM_WORLD, shift);
  CHECK(error <= 3 * bound, "shift is off by %.3g, bound %.3g", error, 3 * bound);

  /* F(2a - 3b) = 2 F(a) - 3 F(b). */
  double *mixed = calloc(1, in_bytes + 1), *fm = calloc(1, out_bytes + 1);
  for (int64_t at = 0; at < 2 * ins; at++) mixed[at] = 2 * f.a[at] - 3 * f.b[at];
  forward(&f, mixed, fm);
  for (int64_t at = 0; at < 2 * outs; at++) {
    double t = 2 * f.fa[at] - 3 * f.fb[at], e = fm[at] - t;
    linear.error += e * e;
    linear.truth += t * t;
  }
  error = dist_relative(MPI_COMM_WORLD, linear);
  CHECK(error <= 3 * bound, "linearity is off by %.3g, bound %.3g", error, 3 * bound);
  free(mixed);
  free(fm);
  free(f.a);
  free(f.b);
  free(f.fa);
  free(f.fb);
  mfft_plan_destroy(f.plan);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  laws(64, 72, 80, MFFT_ORDER_NATURAL, "pairwise");
  laws(64, 72, 80, MFFT_ORDER_TRANSPOSED, "pairwise");
  laws(61, 50, 33, MFFT_ORDER_NATURAL, "alltoallv");
  MPI_Finalize();
  return test_end();
}
