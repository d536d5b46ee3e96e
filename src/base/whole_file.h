/* whole_file.h: files that are whole or absent, and that replace nothing but files of their own kind.
 *
 * Bytes go to a new file beside the target, under a name that no other process has, are brought to disk, and take the
 * target's name by renaming: until then a file that was there stays as it was, and a failure leaves no other file behind.  A
 * target that exists is replaced only where it is a regular file that is empty or begins as files of its kind do; a link is
 * followed, and stays.
 *
 * These functions return 0, or an errno (EEXIST: a file of another kind is there) with the reason and its remedy in words,
 * to follow "cannot write PATH: ". */
#ifndef MFFT_BASE_WHOLE_FILE_H
#define MFFT_BASE_WHOLE_FILE_H

#include <stddef.h>

typedef struct mfft_file_kind {
  const char *name; /* "a PNG picture" */
  const char
      *start; /* [length] bytes that each such file begins with; none: any regular file of that name is taken for one */
  size_t length;
  int is_text;  /* 1: it may also go to an open descriptor, such as /dev/stdout or a shell's >(program) */
  int is_cache; /* 1: not synced to disk, since it can be made again */
} mfft_file_kind;

/* What mergefft writes. */
extern const mfft_file_kind mfft_field_kind, mfft_png_kind, mfft_svg_kind, mfft_pdf_kind, mfft_json_kind, mfft_table_kind,
    mfft_wisdom_kind, mfft_kernel_kind;

enum { MFFT_WHY_BYTES = 320 };

/* Whether a file of this kind can be made at `path`, or replaced there, and if not, why; says so before any work is done. */
int mfft_file_check(const char *path, const mfft_file_kind *kind, char why[MFFT_WHY_BYTES]);

/* Writes the bytes as described above; to /dev/null and /dev/full, and of texts to open descriptors, directly. */
int mfft_file_write(const char *path, const mfft_file_kind *kind, const void *bytes, size_t length,
                    char why[MFFT_WHY_BYTES]);

/* The file that a regular target is to be renamed to: `path` with links followed, to be freed; checks its kind, not its
 * folder. */
int mfft_file_resolve(const char *path, const mfft_file_kind *kind, char **target, char why[MFFT_WHY_BYTES]);

/* The whole of a regular file of at most `most` bytes, ended by a zero, to be freed.  What is no regular file, such as a
 * pipe that nobody writes to, is refused at once. */
int mfft_file_read(const char *path, size_t most, char **bytes, size_t *length, char why[MFFT_WHY_BYTES]);

#endif
