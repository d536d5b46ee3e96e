/* json_read.h: reading JSON (RFC 8259) into a tree. */
#ifndef MFFT_APPS_JSON_READ_H
#define MFFT_APPS_JSON_READ_H

#include "mfft.h"

typedef enum mfft_json_type {
  MFFT_JSON_NULL,
  MFFT_JSON_BOOLEAN,
  MFFT_JSON_NUMBER,
  MFFT_JSON_TEXT,
  MFFT_JSON_ARRAY,
  MFFT_JSON_OBJECT
} mfft_json_type;

typedef struct mfft_json_value {
  mfft_json_type type;
  const char *key;                            /* of a member of an object */
  const char *text;                           /* of a text, its escapes resolved; otherwise "" */
  double number;                              /* of a number; 0 or 1 of a boolean; NAN of anything else */
  int count;                                  /* members of an object or array */
  const struct mfft_json_value *first, *next; /* first member, and the one that follows this in its parent; NULL */
} mfft_json_value;

/* A file, "-" for stdin, as a tree; free it with mfft_json_free.  Not collective.  A failure keeps its story, with the line
 * of the file, by mfft_app_fail. */
mfft_status mfft_json_load(const char *path, const mfft_json_value **root);
void mfft_json_free(const mfft_json_value *root);

/* The member of an object by its key, or a value of type null; `object` may be of any type. */
const mfft_json_value *mfft_json_get(const mfft_json_value *object, const char *key);

#endif
