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

/* As mfft_pm_bins_sort. */
mfft_status mfft_pm_device_sort(mfft_particle_mesh mesh, const mfft_particles *particles, int64_t first);

/* deposit: adds the weights of the sorted particles, multiplied by two factors and rounded to integers, to sums.  gather:
 * reads fields at the particles; slopes: they are differences of the first (local/particles.h), or NULL. */
mfft_status mfft_pm_device_deposit(mfft_particle_mesh mesh, const mfft_particle_field *field, const double to[2],
                                   const mfft_particle_target *target);
mfft_status mfft_pm_device_gather(mfft_particle_mesh mesh, const mfft_particle_field *field, const mfft_pm_arrays *cells,
                                  int fields, const mfft_particle_slopes *slopes);

/* Whether a deposit sorts, as is faster, or as what comes after it needs.  deposit_direct: without a sort, adds as many
 * particles from `first` on as one launch takes to the sums of a field; bins.count says how many. */
int mfft_pm_device_sorts(mfft_particle_mesh mesh);
mfft_status mfft_pm_device_deposit_direct(mfft_particle_mesh mesh, const mfft_particles *particles, int64_t first,
                                          const mfft_particle_field *field, const double to[2], const mfft_pm_arrays *sums);

/* Clears the sums of all own cells; in_place: they are in the caller's array, between whose rows nothing is to change. */
mfft_status mfft_pm_device_clear(const mfft_pm_sums *sums, int in_place);

/* As mfft_pm_sums_clear, move and store, for planes of the slowest axis in memory. */
mfft_status mfft_pm_device_clear_planes(const mfft_pm_sums *sums, int axis, int64_t lo, int64_t hi);
mfft_status mfft_pm_device_move_planes(const mfft_pm_sums *sums, int axis, int64_t lo, int64_t hi, int64_t to);
mfft_status mfft_pm_device_store(const mfft_pm_sums *sums, int axis, int64_t lo, int64_t hi, int64_t *infinite);

/* The largest magnitude and the sum of the weights, from which scale.c finds their scale.  bad: index of the first weight
 * that is not finite, then in *weight, or -1. */
mfft_status mfft_pm_device_largest(mfft_particle_mesh mesh, const mfft_particle_field *field, int64_t count, double *largest,
                                   int64_t *bad, double *weight);
mfft_status mfft_pm_device_magnitudes(mfft_particle_mesh mesh, const mfft_particle_field *field, int64_t count,
                                      const double unit[2], int64_t *total);

/* The sum of the weights as integers, modulo 2^64 (mfft_pm_scale_total). */
mfft_status mfft_pm_device_integers(mfft_particle_mesh mesh, const mfft_particle_field *field, int64_t count,
                                    const double to[2], int64_t *total);

#endif
