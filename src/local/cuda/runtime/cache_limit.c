/* cache_limit.c: see cache_limit.h. */
#include "local/cuda/runtime/cache_limit.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NAME_DIGITS = 16, NAME_BYTES = NAME_DIGITS + sizeof ".cubin", USED_INTERVAL_S = 3600 };

typedef struct entry {
  char name[NAME_BYTES];
  struct timespec used;
  int64_t bytes;
} entry;

typedef struct entries {
  entry *entry; /* [count] */
  size_t count, capacity;
  int64_t bytes; /* of all entries */
} entries;

void mfft_cache_used(const char *path) {
  struct stat file;
  if (stat(path, &file) == 0 && time(NULL) - file.st_mtime >= USED_INTERVAL_S) utimensat(AT_FDCWD, path, NULL, 0);
}

/* Whether a file is named like an entry: 16 hexadecimal digits and ".cubin". */
static int is_entry(const char *name) {
  return strspn(name, "0123456789abcdef") == NAME_DIGITS && strcmp(name + NAME_DIGITS, ".cubin") == 0;
}

/* Appends an entry to the list; returns 0 if there is no memory for it. */
static int add(entries *all, const char *name, const struct stat *file) {
  if (all->count == all->capacity) {
    const size_t capacity = all->capacity ? 2 * all->capacity : 256;
    entry *grown = realloc(all->entry, capacity * sizeof *grown);
    if (!grown) return 0;
    all->entry = grown;
    all->capacity = capacity;
  }
  entry *e = &all->entry[all->count++];
  memcpy(e->name, name, NAME_BYTES);
  e->used = file->st_mtim;
  e->bytes = (int64_t)file->st_size;
  all->bytes += e->bytes;
  return 1;
}

static void list(DIR *folder, entries *all) {
  struct stat file;
  for (struct dirent *d; (d = readdir(folder));)
    if (is_entry(d->d_name) && fstatat(dirfd(folder), d->d_name, &file, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(file.st_mode) &&
        !add(all, d->d_name, &file))
      return;
}

static int by_use(const void *a, const void *b) {
  const struct timespec *x = &((const entry *)a)->used, *y = &((const entry *)b)->used;
  if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? -1 : 1;
  return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

void mfft_cache_limit(const char *path, int64_t most) {
  DIR *folder = opendir(path);
  entries all = {.entry = NULL};
  if (!folder) return;
  list(folder, &all);
  if (all.bytes > most) {
    qsort(all.entry, all.count, sizeof *all.entry, by_use);
    for (size_t i = 0; i + 1 < all.count && all.bytes > most; i++) {
      unlinkat(dirfd(folder), all.entry[i].name, 0);
      all.bytes -= all.entry[i].bytes;
    }
  }
  free(all.entry);
  closedir(folder);
}
