/* progress.c: see progress.h. */
#include "cli/progress.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

static struct {
  int forced, looked, shown;
  FILE *terminal; /* NULL: none, stay quiet */
  const char *what;
  int64_t total;
  double started, printed;
} state;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* stderr where it is a terminal; under a launcher the controlling terminal. */
static FILE *find_terminal(void) {
  if (state.forced || isatty(STDERR_FILENO)) return stderr;
  int fd = open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) return NULL;
  FILE *terminal = fdopen(fd, "w");
  if (!terminal) close(fd);
  return terminal;
}

/* A job in the background must not write over what its user types: the launcher, our parent, or we must own the terminal. */
static int foreground(void) {
  if (state.terminal == stderr) return 1;
  pid_t owner = tcgetpgrp(fileno(state.terminal));
  return owner > 0 && (owner == getpgrp() || owner == getpgid(getppid()));
}

static int showing(void) {
  if (!state.looked) {
    state.looked = 1;
    state.terminal = mfft_cli_prints() ? find_terminal() : NULL;
  }
  return state.terminal && foreground();
}

static void show(int64_t done) {
  double seconds = now() - state.started;
  int plain = state.forced && !isatty(STDERR_FILENO);
  fprintf(state.terminal, "%s", plain ? "" : "\r\033[K");
  if (state.total > 0)
    fprintf(state.terminal, "  %s %3.0f %%  %.1f s", state.what, 100.0 * (double)done / (double)state.total, seconds);
  else
    fprintf(state.terminal, "  %s ...", state.what);
  if (plain) fputc('\n', state.terminal);
  fflush(state.terminal);
  state.shown = !plain;
  state.printed = now();
}

void mfft_progress_force(int force) { state.forced = force; }

void mfft_progress_start(const char *what, int64_t total) {
  state.what = what;
  state.total = total;
  state.started = now();
  if (showing()) show(0);
}

void mfft_progress_step(int64_t done) {
  double pause = state.forced ? 2.0 : 0.2;
  if (!state.what || !showing() || now() - state.printed < pause) return;
  show(done);
}

void mfft_progress_clear(void) {
  if (!state.shown || !state.terminal) return;
  fprintf(state.terminal, "\r\033[K");
  fflush(state.terminal);
  state.shown = 0;
}

void mfft_progress_end(void) {
  mfft_progress_clear();
  state.what = NULL;
}
