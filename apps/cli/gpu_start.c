/* gpu_start.c: see gpu_start.h. */
#include "cli/gpu_start.h"

#include <string.h>

#include "mfft_memory.h"

/* The value of --backend, NULL without it. */
static const char *find_backend(int argc, char **argv) {
  static const char option[] = "--backend";
  const size_t length = sizeof option - 1;
  for (int i = 2; i < argc; i++) {
    if (strncmp(argv[i], option, length)) continue;
    if (argv[i][length] == '=') return argv[i] + length + 1;
    if (!argv[i][length]) return i + 1 < argc ? argv[i + 1] : NULL;
  }
  return NULL;
}

void mfft_gpu_start(int argc, char **argv) {
  static const char *const commands[] = {"bench", "gen", "poisson", "power"};
  for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++)
    if (!strcmp(argv[1], commands[i])) mfft_backend_start(find_backend(argc, argv));
}
