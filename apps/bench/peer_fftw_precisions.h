/* peer_fftw_precisions.h: a peer of FFTW's in every precision that the build has.  peer_fftw.c and peer_fftw_mpi.c define
 * before including it:
 *   BODY             the file with the peer of one precision, which is included here once for each with definitions of
 *                    REAL (the type of a real), FFTW(name) (a name of FFTW's) and NAME(name) (a name of that file)
 *   HAS_LONG_DOUBLE  1: FFTW has long double; 0: it has not */

#define REAL       double
#define FFTW(name) fftw_##name
#define NAME(name) double_##name
#include BODY
#undef REAL
#undef FFTW
#undef NAME
#define REAL       float
#define FFTW(name) fftwf_##name
#define NAME(name) single_##name
#include BODY
#if HAS_LONG_DOUBLE
#undef REAL
#undef FFTW
#undef NAME
#define REAL       long double
#define FFTW(name) fftwl_##name
#define NAME(name) long_##name
#include BODY
#define CREATE_LONG long_create
#else
#define CREATE_LONG NULL
#endif

/* Makes the peer in the precision of the spec; `library` names it in the message where it lacks that precision. */
static mfft_status create_in_precision(const char *library, const mfft_peer_spec *spec, mfft_peer **peer) {
  static mfft_status (*const create[])(const mfft_peer_spec *, mfft_peer **) = {
      [MFFT_DOUBLE] = double_create, [MFFT_SINGLE] = single_create, [MFFT_LONG_DOUBLE] = CREATE_LONG}; /* [mfft_precision] */
  if (!create[spec->precision])
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "this build's %s does not transform this precision; leave out --vs", library);
  return create[spec->precision](spec, peer);
}
