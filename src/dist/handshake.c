/* handshake.c: see handshake.h. */
#include "dist/handshake.h"

#include <string.h>

#include "comm/watchdog.h"

void mfft_handshake_init(mfft_window *window, const char *what, mfft_handshake *h) {
  memset(h, 0, sizeof *h);
  h->window = window;
  h->open_slot = mfft_window_take_slot(window);
  h->done_slot = mfft_window_take_slot(window);
  strncat(h->what, what, sizeof h->what - 1);
}

void mfft_handshake_connect(mfft_handshake *h, const int *acted, int acted_count, const int *acting, int acting_count) {
  mfft_window_signal(h->window, h->open_slot, acting, acting_count, 1, &h->open_here);
  mfft_window_signal(h->window, h->open_slot, acted, acted_count, 0, &h->open_there);
  mfft_window_signal(h->window, h->done_slot, acted, acted_count, 1, &h->done_there);
  mfft_window_signal(h->window, h->done_slot, acting, acting_count, 0, &h->done_here);
}

mfft_status mfft_handshake_check(const char *what, int64_t acted, int64_t acting) {
  const int64_t most = acted > acting ? acted : acting;
  if (most <= MFFT_SIGNAL_PEERS) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_UNSUPPORTED, "%s has %lld near peers, and p2p supports %d; use transport pairwise", what,
                   (long long)most, MFFT_SIGNAL_PEERS);
}

mfft_status mfft_handshake_give(const mfft_handshake *h, const mfft_signal *signal, void *stream) {
  return signal->count ? h->window->topology->device->send(signal, stream) : MFFT_SUCCESS;
}

typedef struct signal_wait {
  const mfft_handshake *handshake;
  const mfft_signal *signal;
  void *stream;
} signal_wait;

static mfft_status poll_signal(void *subject, int *missing) {
  const signal_wait *wait = subject;
  MFFT_TRY(mfft_window_serve(wait->handshake->window));
  return wait->handshake->window->topology->device->await(wait->signal, wait->handshake->what, missing, wait->stream);
}

mfft_status mfft_handshake_await(const mfft_handshake *h, const mfft_signal *signal, void *stream) {
  signal_wait wait = {h, signal, stream};
  return signal->count ? mfft_wait_for(h->window->topology->comm, poll_signal, &wait, h->what) : MFFT_SUCCESS;
}

mfft_status mfft_handshake_test(const mfft_handshake *h, const mfft_signal *signal, int *missing) {
  *missing = -1;
  return signal->count ? h->window->topology->device->await(signal, h->what, missing, NULL) : MFFT_SUCCESS;
}
