/* whole_file.h: files that are written completely or not at all, and that replace only files of their own kind.
 *
 * The bytes are written to a new file in the target's folder, under a name that no other process uses, synced to disk,
 * and then renamed to the target.  Until the rename an existing file stays as it was, and a failure leaves no other file
 * behind.  An existing target is replaced only if it is a regular file that is empty or begins with the bytes that files
 * of its kind begin with.  A symbolic link is followed and remains.
 *
 * These functions return 0 or an errno (EEXIST: a file of another kind exists there), with the reason and its remedy in
 * `why`, worded to follow "cannot write PATH: ". */
#ifndef MFFT_BASE_WHOLE_FILE_H
#define MFFT_BASE_WHOLE_FILE_H

#include <stddef.h>

typedef struct mfft_file_kind {
  const char *name;  /* with its article, for error messages: "a PNG picture" */
  const char *start; /* [length] first bytes of every such file; empty: any regular file is accepted as one */
  size_t length;
  int is_text;  /* 1: may also be written to an open descriptor, such as /dev/stdout or a shell's >(program) */
  int is_cache; /* 1: not synced to disk, since the file can be made again */
} mfft_file_kind;

/* The kinds of files that mergefft writes. */
extern const mfft_file_kind mfft_field_kind, mfft_png_kind, mfft_svg_kind, mfft_pdf_kind, mfft_json_kind, mfft_table_kind,
    mfft_wisdom_kind, mfft_kernel_kind;

enum { MFFT_WHY_BYTES = 320 };

/* Checks before any work is done whether a file of this kind can be created or replaced at `path`. */
int mfft_file_check(const char *path, const mfft_file_kind *kind, char why[MFFT_WHY_BYTES]);

/* Writes the file as described above. /dev/null and /dev/full are written directly, and so are open descriptors, for
 * texts only. */
int mfft_file_write(const char *path, const mfft_file_kind *kind, const void *bytes, size_t length,
                    char why[MFFT_WHY_BYTES]);

/* The name to which a finished file is to be renamed: `path` with links followed, to be freed.  Checks the kind of the
 * target, not its folder. */
int mfft_file_resolve(const char *path, const mfft_file_kind *kind, char **target, char why[MFFT_WHY_BYTES]);

/* Reads a regular file of at most `most` bytes, adds a terminating zero, and returns it to be freed.  Anything else, such
 * as a pipe without a writer, is refused at once. */
int mfft_file_read(const char *path, size_t most, char **bytes, size_t *length, char why[MFFT_WHY_BYTES]);

#endif
