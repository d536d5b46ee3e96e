// TEST
/* Compiled kernels on disk: the folder; entries that are damaged, truncated, or of another key under the same name are not
 * used; a new entry appears whole, and replaces an older one; a folder that cannot be written, and a disk that is full, give
 * a warning; beyond MFFT_CACHE_BYTES the least recently used entries are removed, and nothing else; processes that read and
 * write the same entries at once read a whole entry or none. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "local/cuda/runtime/cache.h"

enum { BYTES = 50000 };
static char code[BYTES], folder[] = "/tmp/mergefft-test-XXXXXX";

/* The number of entries in the folder; the path of the last. */
static int entries(char *path, size_t size) {
  DIR *dir = opendir(folder);
  int found = 0;
  for (struct dirent *e; dir && (e = readdir(dir));)
    if (e->d_name[0] != '.') found++, snprintf(path, size, "%s/%s", folder, e->d_name);
  if (dir) closedir(dir);
  return found;
}

static void write_of(const char *key, char first) {
  code[0] = first;
  mfft_cache_write(key, &(mfft_cubin){.data = code, .bytes = BYTES});
}

/* The first byte of a whole entry, or -1. */
static int read_of(const char *key) {
  mfft_cubin cubin = {0};
  if (!mfft_cache_read(key, &cubin)) return -1;
  const int first = cubin.data[0], whole = cubin.bytes == BYTES && !memcmp(cubin.data + 1, code + 1, BYTES - 1);
  CHECK(whole && cubin.from_disk, "%zu bytes", cubin.bytes);
  free(cubin.data);
  return first;
}

static void expect_folder(const char *chosen, const char *xdg, const char *home, const char *want) {
  char text[512];
  chosen ? setenv("MFFT_CACHE_DIR", chosen, 1) : unsetenv("MFFT_CACHE_DIR");
  xdg ? setenv("XDG_CACHE_HOME", xdg, 1) : unsetenv("XDG_CACHE_HOME");
  home ? setenv("HOME", home, 1) : unsetenv("HOME");
  CHECK(!strcmp(mfft_cache_folder(text, sizeof text), want), "%s, not %s", text, want);
}

static void folders(void) {
  char too_long[2000] = "/";
  memset(too_long + 1, 'x', sizeof too_long - 2);
  too_long[sizeof too_long - 1] = '\0';
  expect_folder("/a", "/b", "/c", "/a");
  expect_folder("", "/b", "/c", "/b/mergefft");
  expect_folder(NULL, "/b", "/c", "/b/mergefft");
  expect_folder(NULL, "", "/c", "/c/.cache/mergefft");
  expect_folder(NULL, "relative", "/c", "/c/.cache/mergefft");
  expect_folder(NULL, NULL, "/c", "/c/.cache/mergefft");
  expect_folder(NULL, NULL, NULL, "");
  expect_folder(too_long, NULL, NULL, "");
  write_of("nowhere", 1);
  CHECK(read_of("nowhere") == -1, "read from no folder");
  char below[64];
  snprintf(below, sizeof below, "%s/new", folder);
  expect_folder(NULL, below, NULL, strcat(strcpy(too_long, below), "/mergefft"));
  write_of("below", 1); /* makes the folders */
  CHECK(read_of("below") == 1, "an entry in new folders");
  char command[100];
  snprintf(command, sizeof command, "rm -r %s", below);
  CHECK(system(command) == 0, "%s", command);
}

static void damage(void) {
  char path[512];
  setenv("MFFT_CACHE_DIR", folder, 1);
  write_of("a key", 1);
  CHECK(read_of("a key") == 1 && read_of("another") == -1 && entries(path, sizeof path) == 1, "one entry");
  struct stat whole;
  CHECK(stat(path, &whole) == 0 && whole.st_size > BYTES, "%s", path);
  for (off_t at = 0; at < whole.st_size; at += at < 100 ? 1 : 4999) { /* flipped bits: head, key, code */
    FILE *file = fopen(path, "r+b");
    fseek(file, at, SEEK_SET);
    const int c = fgetc(file);
    fseek(file, at, SEEK_SET);
    fputc(c ^ 4, file);
    fclose(file);
    CHECK(read_of("a key") == -1, "byte %lld was flipped", (long long)at);
    write_of("a key", 1);
    CHECK(read_of("a key") == 1, "made again");
  }
  for (off_t bytes = whole.st_size - 1; bytes >= 0; bytes = bytes > 100 ? bytes / 2 : bytes - 7) {
    CHECK(truncate(path, bytes) == 0, "truncate");
    CHECK(read_of("a key") == -1, "%lld bytes of %lld", (long long)bytes, (long long)whole.st_size);
    write_of("a key", 1);
  }

  /* Another key with the same hash: its entry has this name. */
  char other[512], keep[600];
  snprintf(keep, sizeof keep, "%s", path);
  write_of("b key", 2);
  CHECK(entries(path, sizeof path) == 2, "two entries");
  DIR *dir = opendir(folder);
  for (struct dirent *e; (e = readdir(dir));)
    if (e->d_name[0] != '.' && !strstr(keep, e->d_name)) snprintf(other, sizeof other, "%s/%s", folder, e->d_name);
  closedir(dir);
  CHECK(rename(other, keep) == 0, "%s", other);
  CHECK(read_of("a key") == -1, "the entry of another key was taken");

  /* A new entry replaces the old one, which processes that have opened it can still read. */
  FILE *open = fopen(keep, "rb");
  struct stat before, after;
  CHECK(fstat(fileno(open), &before) == 0, "fstat");
  write_of("a key", 3);
  CHECK(stat(keep, &after) == 0 && before.st_ino != after.st_ino, "written into the old file");
  fclose(open);
  CHECK(read_of("a key") == 3 && entries(path, sizeof path) == 1, "nothing else is left");

  /* A pipe of that name is neither waited for nor overwritten. */
  CHECK(remove(keep) == 0 && mkfifo(keep, 0600) == 0, "%s", keep);
  CHECK(read_of("a key") == -1, "read from a pipe");
  CHECK(remove(keep) == 0, "%s", keep);
  write_of("a key", 3);
  CHECK(read_of("a key") == 3, "made again");
}

/* The folder cannot be written: one warning, with its name and the reason. */
static void full_disk(void) {
  char path[512], said[512] = "", text[64];
  fflush(stderr);
  const int terminal = dup(STDERR_FILENO);
  snprintf(path, sizeof path, "%s/said", folder);
  const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  dup2(file, STDERR_FILENO);
  struct rlimit before, small;
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  for (int half = 0; half < 2; half++) { /* as on a full disk: at the end, when stdio writes its buffer, and earlier */
    small.rlim_cur = half ? BYTES / 2 : BYTES;
    setrlimit(RLIMIT_FSIZE, &small);
    write_of("large", 4);
    setrlimit(RLIMIT_FSIZE, &before);
  }
  setenv("MFFT_CACHE_DIR", "/proc/nowhere", 1);
  write_of("large", 4);
  fflush(stderr);
  dup2(terminal, STDERR_FILENO);
  CHECK(pread(file, said, sizeof said - 1, 0) > 0 && strstr(said, folder) && strstr(said, "File too large"), "%s", said);
  CHECK(!strstr(said, "/proc/nowhere") && strstr(said, "set MFFT_CACHE_DIR"), "%s", said);
  CHECK(read_of("large") == -1, "read from nowhere");
  setenv("MFFT_CACHE_DIR", folder, 1);
  CHECK(read_of("large") == -1, "half an entry");
  close(file);
  close(terminal);
  unlink(path);
  CHECK(entries(text, sizeof text) == 1, "a partial file remains");
}

static void many(void) {
  enum { PROCESSES = 4, ROUNDS = 300 };
  pid_t child[PROCESSES];
  char path[512];
  for (int p = 0; p < PROCESSES; p++)
    if ((child[p] = fork()) == 0) {
      int found = 0;
      test_failures = 0;
      for (int i = 0; i < ROUNDS; i++) {
        char key[] = {'k', (char)('0' + i % 3), 0};
        const int first = read_of(key); /* which says what is not whole */
        found += first >= 0;
        CHECK(first == -1 || first == key[1], "%s has %d", key, first);
        write_of(key, key[1]);
      }
      _exit(test_failures || found < ROUNDS - 3 * PROCESSES);
    }
  for (int p = 0; p < PROCESSES; p++) {
    int how = -1;
    waitpid(child[p], &how, 0);
    CHECK(how == 0, "process %d ended with %d", p, how);
  }
  CHECK(entries(path, sizeof path) == 4, "three more entries and nothing else");
}

/* Makes the entry as old as if it had last been used so many seconds ago. */
static void age(const char *path, time_t seconds) {
  const struct timespec used[2] = {{.tv_sec = time(NULL) - seconds}, {.tv_sec = time(NULL) - seconds}};
  CHECK(utimensat(AT_FDCWD, path, used, 0) == 0, "%s", path);
}

/* Of three entries the oldest is removed if the limit allows two; one that was read since remains. */
static void limited(void) {
  char path[512], first[600], mine[600];
  for (; entries(path, sizeof path);) unlink(path);
  setenv("MFFT_CACHE_DIR", folder, 1);
  write_of("first", 1);
  CHECK(entries(first, sizeof first) == 1, "one entry");
  age(first, 10000);
  snprintf(mine, sizeof mine, "%s/not-an-entry", folder);
  fclose(fopen(mine, "w"));
  write_of("second", 2);
  setenv("MFFT_CACHE_BYTES", "130000", 1);
  CHECK(read_of("first") == 1, "used again"); /* so that "second" is the oldest */
  DIR *dir = opendir(folder);
  for (struct dirent *e; (e = readdir(dir));)
    if (e->d_name[0] != '.' && !strstr(first, e->d_name) && !strstr(mine, e->d_name))
      snprintf(path, sizeof path, "%s/%s", folder, e->d_name), age(path, 5000);
  closedir(dir);
  write_of("third", 3);
  CHECK(read_of("first") == 1 && read_of("second") == -1 && read_of("third") == 3, "the oldest of three is removed");
  setenv("MFFT_CACHE_BYTES", "1", 1);
  write_of("fourth", 4);
  CHECK(read_of("fourth") == 4 && read_of("third") == -1 && entries(path, sizeof path) == 2,
        "the newest stays, and what is not ours");
  setenv("MFFT_CACHE_BYTES", "0", 1);
  write_of("fifth", 5);
  CHECK(read_of("fourth") == 4 && read_of("fifth") == 5, "no limit");
  unsetenv("MFFT_CACHE_BYTES");
}

int main(void) {
  uint64_t seed = 806;
  for (int i = 0; i < BYTES; i++) code[i] = (char)(256 * test_random(&seed));
  CHECK(mkdtemp(folder) != NULL, "%s", folder);
  folders();
  damage();
  full_disk();
  many();
  limited();
  for (char path[512]; entries(path, sizeof path);) unlink(path);
  rmdir(folder);
  return test_end();
}
#endif
