/* versioned.c: see versioned.h. */
#include "base/versioned.h"

#include <stdint.h>
#include <string.h>

void mfft_versioned_init(void *object, size_t struct_size, const void *defaults, size_t size) {
  if (!object) return;
  memset(object, 0, struct_size);
  memcpy(object, defaults, struct_size < size ? struct_size : size);
  if (struct_size >= sizeof struct_size) memcpy(object, &struct_size, sizeof struct_size);
}

/* Whether some version of the struct can have had this size: the end of a field, with or without padding to the alignment
 * of pointers. */
static int is_size(const mfft_versioned *type, size_t size) {
  int known = size == type->size;
  for (int i = -1; i < type->count && !known; i++) {
    const size_t end = i < 0 ? type->first : type->ends[i];
    const size_t padded = (end + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
    known = size == end || size == padded;
  }
  return known;
}

static mfft_status check_later(const mfft_versioned *type, const unsigned char *given, size_t size) {
  enum { MOST_LATER = 256 }; /* bytes by which the struct of a later version may be longer */
  if (size - type->size > MOST_LATER)
    return mfft_fail(MFFT_ERR_ARG, "%s.struct_size is %zu, and this library's is %zu; call %s first", type->name, size,
                     type->size, type->init);
  for (size_t i = type->size; i < size; i++)
    if (given[i])
      return mfft_fail(MFFT_ERR_UNSUPPORTED,
                       "%s.struct_size is %zu and fields beyond the %zu bytes that this library (%d.%d.%d) knows are set; "
                       "update the library",
                       type->name, size, type->size, MFFT_VERSION_MAJOR, MFFT_VERSION_MINOR, MFFT_VERSION_PATCH);
  return MFFT_SUCCESS;
}

mfft_status mfft_versioned_check(const mfft_versioned *type, const void *given) {
  if (!given) return mfft_fail(MFFT_ERR_ARG, "%s is NULL; fill one with %s", type->name, type->init);
  size_t size;
  memcpy(&size, given, sizeof size);
  if (size > type->size) return check_later(type, given, size);
  if (size < type->first)
    return mfft_fail(MFFT_ERR_ARG, "%s.struct_size is %zu, less than the %zu of the smallest; call %s first", type->name,
                     size, type->first, type->init);
  if (is_size(type, size)) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "%s.struct_size is %zu, which cuts a field in two; leave it as %s sets it", type->name,
                   size, type->init);
}

mfft_status mfft_versioned_take(const mfft_versioned *type, const void *given, void *known) {
  MFFT_TRY(mfft_versioned_check(type, given));
  size_t size;
  memcpy(&size, given, sizeof size);
  memset(known, 0, type->size);
  memcpy(known, given, size < type->size ? size : type->size);
  memcpy(known, &type->size, sizeof type->size);
  return MFFT_SUCCESS;
}
