/* versioned.h: structs of the public headers that grow from version to version.
 *
 * Such a struct begins with struct_size, the caller's sizeof when the caller was compiled.  The library takes over the
 * fields that end within it; later ones count as zero, which means their default.  A size that is no end of a field cuts one
 * in two, and is refused: half a pointer is no pointer. */
#ifndef MFFT_BASE_VERSIONED_H
#define MFFT_BASE_VERSIONED_H

#include <stddef.h>

#include "base/status.h"

typedef struct mfft_versioned {
  const char *name;   /* in messages: "desc" */
  const char *init;   /* what the caller should have called: "mfft_desc_init" */
  size_t size;        /* of this library's struct */
  size_t first;       /* of the smallest that ever was */
  const size_t *ends; /* [count] of the fields behind that, ascending, in this library */
  int count;
} mfft_versioned;

#define MFFT_FIELD_END(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

/* Fills what the caller knows of a struct with the first `struct_size` bytes of `defaults`, a struct of this library, and
 * clears the rest.  Accepts a NULL object. */
void mfft_versioned_init(void *object, size_t struct_size, const void *defaults, size_t size);

/* Whether a caller's struct_size is one that can be: MFFT_ERR_ARG for NULL and for a size that is none of the sizes of any
 * version; MFFT_ERR_UNSUPPORTED where fields are set that only a later version knows. */
mfft_status mfft_versioned_check(const mfft_versioned *type, const void *given);

/* The same, and the copy: `known` is a struct of this library. */
mfft_status mfft_versioned_take(const mfft_versioned *type, const void *given, void *known);

#endif
