/* cuda_bench_sets.h: the shapes that t890 times, which the words of --set name. */
#ifndef MFFT_TESTS_CUDA_BENCH_SETS_H
#define MFFT_TESTS_CUDA_BENCH_SETS_H

#include "gpu_case.h"

/* The request of the command line. */
typedef struct bench_request {
  const char *sets, *precisions; /* words separated by commas; letters of "dshb" */
  int low, high, step;           /* lines of powers of two: range of exponents, and distance of those of real lines */
  int total;                     /* log2 of the elements of all arrays of a case */
  int largest;    /* log2 of the elements of an array of the sets 3d and grid, of which larger ones are left out */
  int first_type; /* 0: complex and real transforms; 1: only real ones */
} bench_request;

/* Times a case of a set. */
typedef void bench_case(const char *set, const mfft_fft_spec *spec, void *context);

static int chosen(const char *list, const char *word) {
  const char *at = strstr(list, word);
  size_t n = strlen(word);
  return at && (at == list || at[-1] == ',') && (at[n] == ',' || !at[n]);
}

/* Lengths drawn at random among those of 300 to 65536 without a prime factor above 13, uniform in their logarithm. */
enum { MOST_LOTS = 100 };
static int64_t random_length(int number) {
  uint64_t seed = 1811;
  for (int found = -1;;) {
    const int64_t n = (int64_t)(300 * exp((test_random(&seed) + 0.5) * log(65536.0 / 300)));
    int64_t rest = n;
    for (int prime = 2; prime <= 13; prime++)
      while (rest % prime == 0) rest /= prime;
    if (rest == 1 && ++found == number) return n;
  }
}

/* ---- Shapes: lengths slow to fast, arrays; 0 arrays: as many as have `total` elements -------------------------------- */

typedef int64_t bench_shape[4];
static const bench_shape smooth_lines[] = {
    {3},    {5},    {6},    {7},    {9},    {10},   {11},    {12},    {13},   {14},   {15},   {18},   {24},
    {27},   {30},   {36},   {49},   {60},   {81},   {96},    {100},   {121},  {125},  {144},  {169},  {180},
    {210},  {216},  {243},  {250},  {343},  {360},  {400},   {480},   {500},  {625},  {729},  {768},  {800},
    {960},  {1000}, {1001}, {1200}, {1331}, {1536}, {1920},  {2187},  {2197}, {2401}, {3000}, {3125}, {3600},
    {4000}, {4095}, {5040}, {6930}, {7680}, {8190}, {10000}, {12000}, {15625}};
static const bench_shape long_lines[] = {
    {1000000, 0, 0, 1},   {1 << 20, 0, 0, 1}, {10000000, 0, 0, 1},   {1 << 23, 0, 0, 1},   {35831808, 0, 0, 1},
    {40353607, 0, 0, 1},  {1 << 26, 0, 0, 1}, {100000000, 0, 0, 1},  {129140163, 0, 0, 1}, {134217728, 0, 0, 1},
    {244140625, 0, 0, 1}, {1 << 28, 0, 0, 1}, {1000000000, 0, 0, 1}, {1 << 30, 0, 0, 1}};
static const bench_shape few_arrays[] = {
    {1 << 18, 0, 0, 4}, {1 << 18, 0, 0, 1}, {1 << 16, 0, 0, 4}, {1 << 16, 0, 0, 1}, {1 << 14, 0, 0, 8}, {10000, 0, 0, 16},
    {100000, 0, 0, 4},  {1000000, 0, 0, 1}, {1024, 1024, 0, 1}, {512, 512, 0, 1},   {256, 256, 0, 1},   {1000, 1000, 0, 1},
    {64, 64, 64, 1},    {100, 100, 100, 1}, {128, 128, 128, 1}}; /* arrays that stay in the cache */
static const bench_shape planes[] = {{256, 256},  {256, 512},   {256, 1024},  {512, 256},   {512, 512},
                                     {512, 1024}, {1024, 1024}, {2048, 2048}, {4096, 4096}, {8192, 8192}};
static const bench_shape small_planes[] = {{32, 32}, {64, 64}, {64, 128}, {128, 128}, {128, 256}}; /* planes of one pass */
static const bench_shape prime_lines[] = {{17},   {31},    {61},    {127},    {509},    {1009},
                                          {4093}, {10007}, {65537}, {100003}, {1000003}};
static const bench_shape grids[] = {{1000, 1000},    {1009, 1009},    {1536, 1536},    {3000, 2000},    {96, 96, 96},
                                    {100, 100, 100}, {120, 120, 120}, {144, 144, 144}, {160, 160, 160}, {192, 192, 192},
                                    {200, 200, 200}, {216, 216, 216}, {240, 240, 240}, {288, 288, 288}, {320, 320, 320},
                                    {360, 360, 360}, {384, 384, 384}, {400, 400, 400}, {480, 480, 480}, {500, 500, 500},
                                    {509, 509, 509}, {640, 640, 640}, {768, 768, 768}, {900, 900, 900}, {1000, 1000, 1000}};
static const bench_shape cubes[] = {{32, 32, 32},    {64, 64, 64},    {128, 128, 128},
                                    {256, 256, 256}, {512, 512, 512}, {1024, 1024, 1024}};
static const bench_shape single_arrays[] = {
    {1 << 17, 0, 0, 1}, {512, 256, 0, 1}, {64, 64, 64, 1}, {128, 128, 128, 1}, {256, 256, 256, 1}};

#define SHAPES(list) list, (int)(sizeof(list) / sizeof *(list))
typedef enum bench_limit { ANY_SIZE, WITHIN_TOTAL, WITHIN_LARGEST } bench_limit; /* larger shapes are left out */
static const struct bench_set {
  const char *word, *name;  /* word of --set; name in the printed line */
  int prefixed;             /* 1: "r" or "c" precedes the name of real transforms */
  const bench_shape *shape; /* [shapes] NULL: drawn at random */
  int shapes;
  bench_limit limit;
  int destroys;     /* 1: C2R may destroy its input */
  int wide_only;    /* 1: only in single and double precision */
  int complex_only; /* 1: only complex transforms */
} bench_sets[] = {{"smooth", "1d", 1, SHAPES(smooth_lines), .wide_only = 1},
                  {"long", "long", 0, SHAPES(long_lines), .limit = WITHIN_TOTAL},
                  {"few", "few", 0, SHAPES(few_arrays), .limit = ANY_SIZE},
                  {"lot", "lot", 1, NULL, MOST_LOTS, .limit = ANY_SIZE},
                  {"2d", "2d", 1, SHAPES(planes), .limit = WITHIN_TOTAL, .destroys = 1},
                  {"plane", "plane", 0, SHAPES(small_planes), .destroys = 1},
                  {"3d", "3d", 1, SHAPES(cubes), .limit = WITHIN_LARGEST, .destroys = 1},
                  {"grid", "grid", 1, SHAPES(grids), .limit = WITHIN_LARGEST, .destroys = 1},
                  {"prime", "1d", 1, SHAPES(prime_lines), .limit = WITHIN_TOTAL, .wide_only = 1},
                  {"one", "one", 0, SHAPES(single_arrays), .complex_only = 1}};
enum { BENCH_SETS = sizeof bench_sets / sizeof *bench_sets };

static int is_too_large(const bench_request *r, bench_limit limit, int64_t elements) {
  if (limit == WITHIN_LARGEST) return elements > INT64_C(1) << r->largest;
  return limit == WITHIN_TOTAL && elements > INT64_C(1) << r->total;
}

static void visit_set(const bench_request *r, const struct bench_set *set, mfft_fft_type type, mfft_precision p,
                      bench_case *visit, void *context) {
  static const char *const prefixes[] = {"", "r", "c"}; /* [mfft_fft_type] */
  char name[8];
  if (!chosen(r->sets, set->word) || (set->complex_only && type != MFFT_FFT_C2C)) return;
  if (set->wide_only && p != MFFT_SINGLE && p != MFFT_DOUBLE) return;
  snprintf(name, sizeof name, "%s%s", set->prefixed ? prefixes[type] : "", set->name);
  for (int i = 0; i < set->shapes; i++) {
    const bench_shape drawn = {set->shape ? 0 : random_length(i), 0, 0, 0};
    const int64_t *n = set->shape ? set->shape[i] : drawn;
    const int naxes = n[2] ? 3 : n[1] ? 2 : 1;
    int64_t elements = 1;
    for (int a = 0; a < naxes; a++) elements *= n[a];
    if (is_too_large(r, set->limit, elements)) continue;
    const int64_t arrays = n[3] ? n[3] : elements < INT64_C(1) << r->total ? (INT64_C(1) << r->total) / elements : 1;
    mfft_fft_spec s = packed_spec(type, type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD, p, naxes, n, arrays, 0);
    s.destroy_input = set->destroys && type == MFFT_FFT_C2R;
    visit(name, &s, context);
  }
}

/* Lines of powers of two. */
static void visit_lines(const bench_request *r, mfft_fft_type type, mfft_precision p, bench_case *visit, void *context) {
  static const char *const names[] = {"1d", "r1d", "c1d"}; /* [mfft_fft_type] */
  if (!chosen(r->sets, "1d")) return;
  for (int bits = r->low; bits <= r->high && bits <= r->total; bits += type == MFFT_FFT_C2C ? 1 : r->step) {
    const int64_t n = INT64_C(1) << bits;
    const mfft_fft_spec s =
        packed_spec(type, type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD, p, 1, &n, INT64_C(1) << (r->total - bits), 0);
    visit(names[type], &s, context);
  }
}

/* Reads a shape such as 375 or 432x432 before the next comma; returns its number of axes, 0 if the word is none. */
static int shape_of(const char *word, int64_t n[3]) {
  for (int naxes = 0; naxes < 3; word++) {
    char *end;
    n[naxes] = strtoll(word, &end, 10);
    if (end == word || n[naxes++] < 1) return 0;
    word = end;
    if (!*word || *word == ',') return naxes;
    if (*word != 'x') return 0;
  }
  return 0;
}

/* The shapes that are words of --set. */
static void visit_shapes(const bench_request *r, mfft_fft_type type, mfft_precision p, bench_case *visit, void *context) {
  static const char *const names[3][4] = {
      {"", "1d", "2d", "3d"}, {"", "r1d", "r2d", "r3d"}, {"", "c1d", "c2d", "c3d"}}; /* [mfft_fft_type][naxes] */
  for (const char *word = r->sets; word; word = strchr(word, ',') ? strchr(word, ',') + 1 : NULL) {
    int64_t n[3], elements = 1;
    const int naxes = shape_of(word, n);
    for (int a = 0; a < naxes; a++) elements *= n[a];
    if (elements < 2) continue;
    const int64_t arrays = elements < INT64_C(1) << r->total ? (INT64_C(1) << r->total) / elements : 1;
    const mfft_fft_spec s = packed_spec(type, type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD, p, naxes, n, arrays, 0);
    visit(names[type][naxes], &s, context);
  }
}

/* Visits all cases of a request in loops over types, precisions and sets. */
static void visit_cases(const bench_request *r, bench_case *visit, void *context) {
  static const char letters[] = "dshb"; /* [mfft_precision] */
  for (int type = r->first_type; type < 3; type++) {
    if ((type == MFFT_FFT_R2C && !chosen(r->sets, "r2c")) || (type == MFFT_FFT_C2R && !chosen(r->sets, "c2r"))) continue;
    for (const char *c = r->precisions; *c; c++) {
      const mfft_precision p = (mfft_precision)(strchr(letters, *c) - letters);
      visit_lines(r, (mfft_fft_type)type, p, visit, context);
      visit_shapes(r, (mfft_fft_type)type, p, visit, context);
      for (int i = 0; i < BENCH_SETS; i++) visit_set(r, &bench_sets[i], (mfft_fft_type)type, p, visit, context);
    }
  }
}

#endif
