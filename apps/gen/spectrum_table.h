/* spectrum_table.h: a power spectrum as a table, as CAMB and CLASS write it.
 *
 * A line of the text has two numbers, k in h/Mpc and P(k) in (Mpc/h)^3; k ascends.  What follows a '#' is a comment, and
 * empty lines count for nothing.  Between the rows ln P is a cubic in ln k whose slope at a row is that of the parabola
 * through the row and its neighbours: a power law is exact, and with 100 rows a decade the wiggles of baryons are exact to
 * 6e-5 (t601). */
#ifndef MFFT_APPS_SPECTRUM_TABLE_H
#define MFFT_APPS_SPECTRUM_TABLE_H

#include <stddef.h>
#include <stdint.h>

typedef struct mfft_spectrum_table {
  int64_t count; /* rows; 0: there is no table */
  double *log_k; /* [count] ascending */
  double *log_p; /* [count] in the same memory, behind log_k */
} mfft_spectrum_table;

/* Allocates memory for `count` rows: 0, or -1 if there is none.  free accepts a zeroed table. */
int mfft_spectrum_table_create(int64_t count, mfft_spectrum_table *table);
void mfft_spectrum_table_free(mfft_spectrum_table *table);

/* Reads a text: 0, or -1 with the line, the value and the remedy in `why` and no table. */
enum { MFFT_SPECTRUM_WHY_BYTES = 256 };
int mfft_spectrum_table_read(const char *text, mfft_spectrum_table *table, char why[MFFT_SPECTRUM_WHY_BYTES]);

/* The first and the last k. */
double mfft_spectrum_table_first(const mfft_spectrum_table *table);
double mfft_spectrum_table_last(const mfft_spectrum_table *table);

/* P(k) for k > 0; beyond the rows the power law that the table ends with. */
double mfft_spectrum_table_value(const mfft_spectrum_table *table, double k);

#endif
