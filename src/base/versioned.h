/* versioned.h: structs of the public headers that grow from version to version.
 *
 * Such a struct begins with struct_size, the caller's sizeof when the caller was compiled.  The library takes over the
 * fields that end within it; later ones count as zero, which means their default.  A size that cuts a field in two is
 * refused, since half a pointer would be read. */
#ifndef MFFT_BASE_VERSIONED_H
#define MFFT_BASE_VERSIONED_H

#include <stddef.h>

#include "base/status.h"

typedef struct mfft_versioned {
  const char *name;   /* in messages: "desc" */
  const char *init;   /* what the caller should have called: "mfft_desc_init" */
  size_t size;        /* of this library's struct */
  size_t first;       /* size of the smallest version there was */
  const size_t *ends; /* [count] ends of the later fields in this library's struct, ascending */
  int count;
} mfft_versioned;

#define MFFT_FIELD_END(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

/* Fills the caller's struct, `struct_size` bytes, with the same bytes of `defaults`, a struct of this library, which has
 * `size` bytes; bytes beyond those are zero.  Accepts a NULL object. */
void mfft_versioned_init(void *object, size_t struct_size, const void *defaults, size_t size);

/* Checks a caller's struct_size: MFFT_ERR_ARG for a NULL struct and for a size that no version of it has had;
 * MFFT_ERR_UNSUPPORTED where a field that only a later version of the library knows is not zero. */
mfft_status mfft_versioned_check(const mfft_versioned *type, const void *given);

/* Checks in the same way, and copies the caller's struct to `known`, a struct of this library. */
mfft_status mfft_versioned_take(const mfft_versioned *type, const void *given, void *known);

#endif
