/* stop.c: see stop.h. */
#include "nbody/stop.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/collective.h"
#include "cli/report.h"

static volatile sig_atomic_t asked;

static void note(int signal) {
  (void)signal;
  asked = 1;
}

void mfft_stop_begin(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR1, &action, NULL);
}

int mfft_stop_asked(const char *file) {
  int here = asked;
  if (mfft_app_rank() == 0 && access(file, F_OK) == 0) {
    here = 1;
    unlink(file); /* otherwise the next run would stop, too */
  }
  return mfft_app_anywhere(here);
}
