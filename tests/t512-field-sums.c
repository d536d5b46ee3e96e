// TEST labels=field
// The parts below fields: checksums of parts add up to those of the whole and follow their written formula, slabs have the
// sizes of their definition, pieces tile a box and their runs have the stated offsets.
#include "check.h"
#include "field/pieces.h"
#include "field/sums.h"

/* The formula of sums.h, written again. */
static uint64_t truth(uint64_t bits, int bytes, int64_t i) {
  uint64_t j = (uint64_t)i * 0x9e3779b97f4a7c15u, k = j ^ (j >> 31);
  uint64_t low = k & 0xffffffffu, high = k >> 32;
  if (bytes == 4) return (bits ^ high) * (low | 1);
  return ((bits & 0xffffffffu) ^ high) * (low | 1) + ((bits >> 32) ^ low) * (high | 1);
}

static void check_sums(int bytes) {
  const int64_t n[3] = {9, 10, 11};
  mfft_slabs slabs = mfft_slabs_choose(n);
  CHECK(slabs.depth == 4 && slabs.count == 3 && slabs.plane == 110, "depth %lld", (long long)slabs.depth);
  uint64_t values[990], whole[3] = {0}, parts[3] = {0}, wanted[3] = {0}, state = 5;
  uint32_t narrow[990];
  for (int i = 0; i < 990; i++) {
    double r = test_random(&state);
    memcpy(&values[i], &r, sizeof r);
    narrow[i] = (uint32_t)(values[i] >> 20);
    wanted[i / 440] += truth(bytes == 4 ? narrow[i] : values[i], bytes, i);
  }
  const void *data = bytes == 4 ? (const void *)narrow : (const void *)values;
  mfft_sums_add(&slabs, whole, data, bytes, 0, 990);
  for (int64_t at = 990, step = 1; at > 0; step = step * 3 % 101) { /* backwards, in odd parts */
    int64_t part = step < at ? step : at;
    at -= part;
    mfft_sums_add(&slabs, parts, (const char *)data + at * bytes, bytes, at, part);
  }
  CHECK(!memcmp(whole, wanted, sizeof whole), "not the formula");
  CHECK(!memcmp(parts, wanted, sizeof parts), "parts do not add up");
  for (int i = 0; i < 990; i += 7) /* each bit counts */
    for (int bit = 0; bit < 8 * bytes; bit++) {
      uint64_t changed[3] = {0}, flip = (uint64_t)1 << bit;
      values[i] ^= flip;
      if (bytes == 4) narrow[i] ^= (uint32_t)flip;
      mfft_sums_add(&slabs, changed, (const char *)data + i * bytes, bytes, i, 1);
      uint64_t before = truth(bytes == 4 ? narrow[i] ^ (uint32_t)flip : values[i] ^ flip, bytes, i);
      CHECK(changed[i / 440] != before, "element %d bit %d", i, bit);
      values[i] ^= flip;
      if (bytes == 4) narrow[i] ^= (uint32_t)flip;
    }
}

static void check_slabs(void) {
  const int64_t shapes[][3] = {{1, 1, 1},         {1 << 30, 1, 1}, {512, 512, 512}, {5, 1, 1},
                               {70000, 100, 100}, {65536, 16, 16}, {3, 1, 200}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    mfft_slabs slabs = mfft_slabs_choose(shapes[s]);
    CHECK(slabs.count >= 1 && slabs.count <= MFFT_SLAB_MOST + 1, "%lld slabs", (long long)slabs.count);
    CHECK(slabs.count == 1 || slabs.depth * slabs.plane >= MFFT_SLAB_LEAST_ELEMENTS, "depth %lld", (long long)slabs.depth);
    int64_t last = mfft_slab_elements(&slabs, slabs.count - 1);
    CHECK(last > 0 && (slabs.count - 1) * slabs.depth * slabs.plane + last == slabs.elements, "last %lld", (long long)last);
  }
  const int64_t cube[3] = {512, 512, 512};
  CHECK(mfft_slabs_choose(cube).depth == 1, "a large field has one checksum a plane");
}

static void check_pieces(void) {
  const int64_t n[3] = {5, 6, 7};
  const mfft_box boxes[] = {{{0, 0, 0}, {5, 6, 7}, {0, 1, 2}},
                            {{1, 2, 3}, {4, 5, 6}, {2, 1, 0}},
                            {{0, 1, 0}, {5, 3, 7}, {0, 1, 2}},
                            {{2, 2, 2}, {2, 5, 5}, {0, 1, 2}},
                            {{4, 5, 6}, {5, 6, 7}, {0, 1, 2}}};
  for (size_t b = 0; b < sizeof boxes / sizeof *boxes; b++)
    for (int64_t most = 1; most < 300; most += most < 50 ? 1 : 37) {
      int seen[5 * 6 * 7] = {0};
      int64_t last = -1;
      const mfft_pieces pieces = mfft_pieces_of(&boxes[b], most);
      for (int64_t p = 0; p < pieces.all; p++) {
        const mfft_box piece = mfft_pieces_get(&pieces, p);
        CHECK(mfft_box_count(&piece) <= most, "a piece of more than %lld", (long long)most);
        mfft_runs runs = mfft_runs_of(&piece, n);
        CHECK(runs.length * runs.count[0] * runs.count[1] == mfft_box_count(&piece), "runs do not add up");
        for (int64_t i = 0; i < runs.count[0]; i++)
          for (int64_t j = 0; j < runs.count[1]; j++)
            for (int64_t e = 0; e < runs.length; e++) {
              int64_t at = runs.start + i * runs.step[0] + j * runs.step[1] + e;
              CHECK(at > last, "not in C order");
              last = at;
              seen[at]++;
            }
      }
      for (int64_t x = 0; x < 5; x++)
        for (int64_t y = 0; y < 6; y++)
          for (int64_t z = 0; z < 7; z++) {
            const int64_t *lo = boxes[b].lo, *hi = boxes[b].hi;
            int inside = x >= lo[0] && x < hi[0] && y >= lo[1] && y < hi[1] && z >= lo[2] && z < hi[2];
            CHECK(seen[(x * 6 + y) * 7 + z] == inside, "box %zu, most %lld", b, (long long)most);
          }
    }
}

int main(void) {
  check_sums(4);
  check_sums(8);
  check_slabs();
  check_pieces();
  return test_end();
}
