/* fatbin.c: see fatbin.h. */
#include "local/cuda/prebuild/fatbin.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 600, WORD_BYTES = 64 };

extern char **environ;

static int refuse(char why[MFFT_WHY_BYTES], const char *what, const char *reason) {
  snprintf(why, MFFT_WHY_BYTES, "%s: %s", what, reason);
  return 1;
}

static int write_file(const char *path, const mfft_cubin *cubin) {
  FILE *file = fopen(path, "wb");
  if (!file) return 1;
  const int whole = fwrite(cubin->data, 1, cubin->bytes, file) == cubin->bytes;
  return fclose(file) != 0 || !whole;
}

static int read_file(const char *path, mfft_cubin *cubin) {
  FILE *file = fopen(path, "rb");
  char *data = NULL;
  long bytes = -1;
  if (!file) return 1;
  if (!fseek(file, 0, SEEK_END) && (bytes = ftell(file)) > 0 && (data = malloc((size_t)bytes))) {
    rewind(file);
    if (fread(data, 1, (size_t)bytes, file) != (size_t)bytes) free(data), data = NULL;
  }
  fclose(file);
  if (!data) return 1;
  free(cubin->data);
  cubin->data = data;
  cubin->bytes = (size_t)bytes;
  return 0;
}

/* Runs `fatbinary` from one file to the other; 0, or 1 with the reason. */
static int run(const char *tool, int arch, const char *from, const char *to, char why[MFFT_WHY_BYTES]) {
  char create[PATH_BYTES + WORD_BYTES], image[PATH_BYTES + WORD_BYTES], name[] = "fatbinary", all[] = "--compress-all";
  char *const words[] = {name, create, image, all, NULL};
  pid_t child;
  int status = 0;
  snprintf(create, sizeof create, "--create=%s", to);
  snprintf(image, sizeof image, "--image3=kind=elf,sm=%d,file=%s", arch, from);
  const int error = posix_spawn(&child, tool, NULL, NULL, words, environ);
  if (error) return refuse(why, tool, strerror(error));
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return refuse(why, tool, strerror(errno));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : refuse(why, tool, "it failed, see above");
}

int mfft_fatbin_compress(const char *tool, const char *folder, int arch, mfft_cubin *cubin, char why[MFFT_WHY_BYTES]) {
  char from[PATH_BYTES], to[PATH_BYTES];
  const int wrote = snprintf(from, sizeof from, "%s/.compress-%ld.cubin", folder, (long)getpid());
  if (wrote <= 0 || wrote >= PATH_BYTES) return refuse(why, folder, "the name is too long");
  snprintf(to, sizeof to, "%s/.compress-%ld.fatbin", folder, (long)getpid());
  int failed = write_file(from, cubin) ? refuse(why, from, strerror(errno)) : run(tool, arch, from, to, why);
  if (!failed && read_file(to, cubin)) failed = refuse(why, to, "it cannot be read");
  unlink(from);
  unlink(to);
  return failed;
}
