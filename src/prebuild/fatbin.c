/* fatbin.c: see fatbin.h. */
#include "prebuild/fatbin.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 600, WORD_BYTES = 64, MOST_BYTES = 64 << 20 };

extern char **environ;

static int refuse(char why[MFFT_WHY_BYTES], const char *what, const char *reason) {
  snprintf(why, MFFT_WHY_BYTES, "%s: %s", what, reason);
  return 1;
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
  char *data = NULL;
  size_t bytes = 0;
  const int failed = mfft_file_write(from, &mfft_kernel_kind, cubin->data, cubin->bytes, why) ||
                     run(tool, arch, from, to, why) || mfft_file_read(to, MOST_BYTES, &data, &bytes, why);
  if (!failed) {
    free(cubin->data);
    cubin->data = data;
    cubin->bytes = bytes;
  }
  unlink(from);
  unlink(to);
  return failed;
}
