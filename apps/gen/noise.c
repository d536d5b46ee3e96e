#include "gen/noise.h"

#include <stdlib.h>
#include <string.h>

#include "base/splitmix.h"
#include "cli/report.h"
#include "io/rows.h"

enum { CHUNK = 1 << 18, TABLE = 1 << 21 };

/* Number `counter` of a sequence of random numbers. */
static uint64_t mix(uint64_t counter) { return mfft_splitmix((counter + 1) * MFFT_SPLITMIX_STEP); }

/* The offset in the table for the number of a position. */
static int64_t entry(uint64_t place) {
  const uint64_t chunk = place / CHUNK;
  return (int64_t)((chunk ? mix(chunk) % (TABLE - CHUNK) : 0) + place % CHUNK);
}

static double number(int64_t i) { return (double)(mix((uint64_t)i) >> 11) * 0x1p-53 - 0.5; }

double mfft_noise(uint64_t place) { return number(entry(place)); }

mfft_status mfft_noise_store(mfft_precision precision, double amplitude, uint64_t place, int64_t count, void *to) {
  static char *table; /* [made] reals of the precision, times the amplitude */
  static int64_t made;
  static mfft_precision made_precision;
  static double made_amplitude;
  const int64_t bytes = (int64_t)mfft_real_bytes(precision);
  if (!table) table = malloc(TABLE * sizeof(long double)); /* for any precision */
  if (!table) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a table of random numbers");
  if (made_precision != precision || made_amplitude != amplitude) made = 0;
  made_precision = precision;
  made_amplitude = amplitude;
  for (int64_t done = 0; done < count;) {
    const int64_t from = entry(place + (uint64_t)done), left = CHUNK - (int64_t)((place + (uint64_t)done) % CHUNK);
    const int64_t run = left < count - done ? left : count - done;
    for (double row[256]; made < from + run;) {
      int64_t more = from + run - made < 256 ? from + run - made : 256;
      for (int64_t i = 0; i < more; i++) row[i] = amplitude * number(made + i);
      mfft_row_store(precision, table, made, more, row);
      made += more;
    }
    memcpy((char *)to + done * bytes, table + from * bytes, (size_t)(run * bytes));
    done += run;
  }
  return MFFT_SUCCESS;
}
