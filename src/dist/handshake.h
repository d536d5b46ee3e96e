/* handshake.h: two signals guard what a rank does to the window of another, be it stores or loads, by a copy or by a
 * transform.
 *
 * "open": the window is ready, to be stored into or fetched from.  "done": what was to be done to it is complete.  Who acts
 * awaits the first and gives the second; whose window it is gives the first and awaits the second. */
#ifndef MFFT_DIST_HANDSHAKE_H
#define MFFT_DIST_HANDSHAKE_H

#include "dist/window.h"

typedef struct mfft_handshake {
  const mfft_window *window;
  int open_slot, done_slot;
  mfft_signal open_here, done_there; /* given: to those who act here, and to those acted upon */
  mfft_signal open_there, done_here; /* awaited */
  char what[64];                     /* names the exchange in messages of the watchdog */
} mfft_handshake;

/* Takes two slots of a window that is not open yet. */
void mfft_handshake_init(mfft_window *window, const char *what, mfft_handshake *handshake);

/* Once it is open: acted [acted_count] are the peers whose windows this rank acts upon, acting [acting_count] those that act
 * upon the window here; at most MFFT_SIGNAL_PEERS each. */
void mfft_handshake_connect(mfft_handshake *handshake, const int *acted, int acted_count, const int *acting,
                            int acting_count);

/* Refuses more peers than signals have flags for. */
mfft_status mfft_handshake_check(const char *what, int64_t acted, int64_t acting);

mfft_status mfft_handshake_give(const mfft_handshake *handshake, const mfft_signal *signal, void *stream);
mfft_status mfft_handshake_await(const mfft_handshake *handshake, const mfft_signal *signal, void *stream);

#endif
