/* versioned.h: structs of the public headers that grow from version to version.
 *
 * Such a struct begins with struct_size, the value of sizeof when the caller was compiled.  The library copies the fields
 * that end within it; later fields count as zero, which means their default.  A size that ends inside a field is refused,
 * since half of a pointer would be read. */
#ifndef MFFT_BASE_VERSIONED_H
#define MFFT_BASE_VERSIONED_H

#include <stddef.h>

#include "base/status.h"

typedef struct mfft_versioned {
  const char *name;   /* name of the argument in error messages: "desc" */
  const char *init;   /* function that initializes the struct: "mfft_desc_init" */
  size_t size;        /* sizeof of the struct in this library */
  size_t first;       /* struct_size of the first version */
  const size_t *ends; /* [count] ends of the fields added since, in bytes from the start of the struct, ascending */
  int count;
} mfft_versioned;

#define MFFT_FIELD_END(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

/* Initializes the caller's struct, of `struct_size` bytes, with the first bytes of `defaults`, a struct of this library
 * of `size` bytes; any further bytes are set to zero.  Accepts a NULL object. */
void mfft_versioned_init(void *object, size_t struct_size, const void *defaults, size_t size);

/* Checks a caller's struct_size.  MFFT_ERR_ARG: the struct is NULL, or no version of it has had this size.
 * MFFT_ERR_UNSUPPORTED: a field that only a later version of the library knows is not zero. */
mfft_status mfft_versioned_check(const mfft_versioned *type, const void *given);

/* Checks likewise, and copies the caller's struct to `known`, a struct of this library. */
mfft_status mfft_versioned_take(const mfft_versioned *type, const void *given, void *known);

#endif
