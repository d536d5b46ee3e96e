/* device.h: deposit and gather of a mesh whose plan is on a device.
 *
 * The device has the host's algorithm (local/particles.h): particles are sorted by tiles, and the shares of a tile are added
 * in fast memory, as the same integers.  All functions are called between mfft_pm_enter and mfft_pm_leave. */
#ifndef MFFT_PARTICLES_DEVICE_H
#define MFFT_PARTICLES_DEVICE_H

#include "particles/sums.h"

/* MFFT_ERR_ARG, with its name, for an array that the device cannot access. */
mfft_status mfft_pm_device_check(mfft_particle_mesh mesh, const mfft_particles *particles, const mfft_particle_field *field,
                                 int fields);

/* Fails for a particle of the caller's that the device has refused: fetches its position and asks the host why. */
mfft_status mfft_pm_device_refuse(mfft_particle_mesh mesh, const mfft_particles *particles, int64_t i);

/* Does what mfft_pm_bins_sort does. */
mfft_status mfft_pm_device_sort(mfft_particle_mesh mesh, const mfft_particles *particles, int64_t first);

/* Adds the weights of the sorted particles, multiplied by two factors and rounded to integers, to sums. */
mfft_status mfft_pm_device_deposit(mfft_particle_mesh mesh, const mfft_particle_field *field, const double to[2],
                                   const mfft_particle_target *target);

/* Reads field[fields] at the sorted particles from cells[fields].  slopes: the fields are differences of the first one
 * (local/particles.h); NULL: they are arrays of the mesh. */
mfft_status mfft_pm_device_gather(mfft_particle_mesh mesh, const mfft_particle_field *field, const mfft_pm_arrays *cells,
                                  int fields, const mfft_particle_slopes *slopes);

/* Whether a deposit sorts the particles: if that is faster, or if a gather after it uses the sort. */
int mfft_pm_device_sorts(mfft_particle_mesh mesh);

/* Adds particles to the sums of a field without a sort: as many from `first` on as one launch takes, then bins.count. */
mfft_status mfft_pm_device_deposit_direct(mfft_particle_mesh mesh, const mfft_particles *particles, int64_t first,
                                          const mfft_particle_field *field, const double to[2], const mfft_pm_arrays *sums);

/* Clears the sums of all own cells; in_place: they are in the caller's array, between whose rows nothing is to change. */
mfft_status mfft_pm_device_clear(const mfft_pm_sums *sums, int in_place);

/* Device forms of mfft_pm_sums_clear, mfft_pm_sums_move and mfft_pm_sums_store, for planes lo to before hi of `axis`, the
 * slowest in memory. */
mfft_status mfft_pm_device_clear_planes(const mfft_pm_sums *sums, int axis, int64_t lo, int64_t hi);
mfft_status mfft_pm_device_move_planes(const mfft_pm_sums *sums, int axis, int64_t lo, int64_t hi, int64_t to);
mfft_status mfft_pm_device_store(const mfft_pm_sums *sums, int axis, int64_t lo, int64_t hi, int64_t *infinite);

/* Finds the largest magnitude of the weights.  bad: index of the first weight that is not finite, which *weight gets; -1:
 * all are finite. */
mfft_status mfft_pm_device_largest(mfft_particle_mesh mesh, const mfft_particle_field *field, int64_t count, double *largest,
                                   int64_t *bad, double *weight);

/* Sums the magnitudes of the weights times two factors, each rounded up to an integer (scale.h). */
mfft_status mfft_pm_device_magnitudes(mfft_particle_mesh mesh, const mfft_particle_field *field, int64_t count,
                                      const double unit[2], int64_t *total);

/* Sums the weights as integers, modulo 2^64 (mfft_pm_scale_total). */
mfft_status mfft_pm_device_integers(mfft_particle_mesh mesh, const mfft_particle_field *field, int64_t count,
                                    const double to[2], int64_t *total);

#endif
