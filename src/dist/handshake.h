/* handshake.h: the two signals that guard access of one rank to the window of another, whether a copy or a transform
 * stores into it or loads from it.
 *
 * "open": the window is ready to be stored into or loaded from.  "done": the access is complete.  The rank that accesses
 * a window awaits "open" and gives "done"; the owner of the window gives "open" and awaits "done". */
#ifndef MFFT_DIST_HANDSHAKE_H
#define MFFT_DIST_HANDSHAKE_H

#include "dist/window.h"

typedef struct mfft_handshake {
  mfft_window *window;
  int open_slot, done_slot;
  mfft_signal open_here, done_there; /* given by this rank: open for the window here, done for the windows it accesses */
  mfft_signal open_there, done_here; /* awaited: open of the windows it accesses, done for the window here */
  char what[64];                     /* names the exchange in messages of the watchdog */
} mfft_handshake;

/* Reserves two slots of a window that is not open yet. */
void mfft_handshake_init(mfft_window *window, const char *what, mfft_handshake *handshake);

/* Fills in the signals of an open window: acted [acted_count] are the peers whose windows this rank accesses, acting
 * [acting_count] those that access the window of this rank; at most MFFT_SIGNAL_PEERS each. */
void mfft_handshake_connect(mfft_handshake *handshake, const int *acted, int acted_count, const int *acting,
                            int acting_count);

/* MFFT_ERR_UNSUPPORTED if there are more peers than a signal has flags for. */
mfft_status mfft_handshake_check(const char *what, int64_t acted, int64_t acting);

/* Give and await a signal after the work that is queued on the stream. */
mfft_status mfft_handshake_give(const mfft_handshake *handshake, const mfft_signal *signal, void *stream);
mfft_status mfft_handshake_await(const mfft_handshake *handshake, const mfft_signal *signal, void *stream);

/* Tests a signal without waiting: *missing is a peer that has not given it, or -1 if all have.  After -1 the same signal
 * must not be tested again for the same use.  Host memory only. */
mfft_status mfft_handshake_test(const mfft_handshake *handshake, const mfft_signal *signal, int *missing);

#endif
