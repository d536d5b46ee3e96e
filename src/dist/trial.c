/* trial.c: see trial.h. */
#include "dist/trial.h"

#include "comm/agree.h"

enum { BYTES = 1 << 16 };

/* Byte i of the message of rank r. */
static unsigned char byte_of(int r, int i) { return (unsigned char)(r + i); }

static mfft_status copy(const mfft_device *device, void *to, const void *from) {
  MFFT_TRY(device->copy_bytes(to, from, BYTES, NULL));
  return device->stream_synchronize(NULL);
}

static mfft_status compare(const unsigned char *got, int sender, const char *mechanism, const char *remedy) {
  for (int i = 0; i < BYTES; i++)
    if (got[i] != byte_of(sender, i))
      return mfft_fail(MFFT_ERR_UNSUPPORTED, "%s said that it moves device memory, but byte %d of a message was wrong; %s",
                       mechanism, i, remedy);
  return MFFT_SUCCESS;
}

mfft_status mfft_trial_run(const mfft_topology *topology, const char *mechanism, const char *remedy, mfft_trial_mover *move,
                           void *subject) {
  const mfft_device *d = topology->device;
  mfft_status status;
  void *host = NULL, *device = NULL; /* [BYTES], [2][BYTES] outgoing and incoming message */
  mfft_handle unused;
  mfft_trial_round round = {.right = (topology->rank + 1) % topology->ranks,
                            .left = (topology->rank + topology->ranks - 1) % topology->ranks,
                            .bytes = BYTES};
  status = d->pinned_alloc(BYTES, &host);
  if (status == MFFT_SUCCESS) status = d->shared_alloc(2 * BYTES, &device, &unused);
  if (status == MFFT_SUCCESS) {
    for (int i = 0; i < BYTES; i++) ((unsigned char *)host)[i] = byte_of(topology->rank, i);
    status = copy(d, device, host);
  }
  MFFT_GOTO(done, mfft_agree(topology->comm, status)); /* no rank waits for a rank that has nothing to send */
  round.from = device;
  round.to = (char *)device + BYTES;
  status = move(subject, topology, &round);
  if (status == MFFT_SUCCESS) status = copy(d, host, round.to);
  if (status == MFFT_SUCCESS) status = compare(host, round.left, mechanism, remedy);
  status = mfft_agree(topology->comm, status);
done:
  d->pinned_free(host);
  d->shared_free(device);
  return status;
}
