/* library.h: opens libraries of CUDA at run time and fills tables of their functions. */
#ifndef MFFT_CUDA_LIBRARY_H
#define MFFT_CUDA_LIBRARY_H

#include <stddef.h>

/* A function of a library, and the position of its pointer in a table. */
typedef struct mfft_library_symbol {
  const char *name;
  size_t offset; /* of its pointer in the table, in bytes */
  int later;     /* 1: older libraries lack it; its pointer is then NULL */
} mfft_library_symbol;

/* Opens the first of `files`, a list that ends with NULL, that exists and fills the table.  Returns 0 with the reason in
 * `why` if there is none, or if it lacks a function. */
int mfft_library_open(const char *const *files, const mfft_library_symbol *symbols, int count, void *table, char *why,
                      size_t size);

#endif
