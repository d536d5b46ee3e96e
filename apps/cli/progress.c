/* progress.c: see progress.h. */
#include "cli/progress.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/cli.h"

static struct {
  int forced, looked, shown;
  FILE *terminal; /* NULL: none, print nothing */
  const char *what;
  int64_t total;
  double bytes; /* of all steps, 0: unknown */
  double started, printed;
} state;

/* stderr where it is a terminal; under a launcher the controlling terminal. */
static FILE *find_terminal(void) {
  if (state.forced || isatty(STDERR_FILENO)) return stderr;
  int fd = open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) return NULL;
  FILE *terminal = fdopen(fd, "w");
  if (!terminal) close(fd);
  return terminal;
}

/* A job in the background must not write over the user's input: the launcher, our parent, or this process must own the
 * terminal. */
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

/* "reading  45 %, 1.2 of 2.7 GiB, 3.0 s, 3.7 s left": the time left is that of the rest at the speed so far. */
static void show_share(double share, double seconds) {
  fprintf(state.terminal, "  %s %3.0f %%", state.what, 100 * share);
  if (state.bytes > 0) fprintf(state.terminal, ", %.3g of %.3g GiB", share * state.bytes / 0x1p30, state.bytes / 0x1p30);
  fprintf(state.terminal, "  %.1f s", seconds);
  if (share > 0 && share < 1 && seconds > 0.5) fprintf(state.terminal, ", %.1f s left", seconds * (1 - share) / share);
}

static void show(int64_t done) {
  double seconds = mfft_now() - state.started;
  int plain = state.forced && !isatty(STDERR_FILENO);
  fprintf(state.terminal, "%s", plain ? "" : "\r\033[K");
  if (state.total > 0)
    show_share((double)done / (double)state.total, seconds);
  else
    fprintf(state.terminal, "  %s ...", state.what);
  if (plain) fputc('\n', state.terminal);
  fflush(state.terminal);
  state.shown = !plain;
  state.printed = mfft_now();
}

void mfft_progress_force(int force) { state.forced = force; }

void mfft_progress_start(const char *what, int64_t total) { mfft_progress_start_bytes(what, total, 0); }

void mfft_progress_start_bytes(const char *what, int64_t total, double bytes) {
  state.what = what;
  state.total = total;
  state.bytes = bytes;
  state.started = mfft_now();
  if (showing()) show(0);
}

int mfft_progress_count(int64_t total) {
  if (!state.what || state.total > 0) return 0;
  state.total = total;
  if (showing()) show(0);
  return 1;
}

void mfft_progress_step(int64_t done) {
  double pause = state.forced ? 2.0 : 0.2;
  if (!state.what || !showing() || mfft_now() - state.printed < pause) return;
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
