/* make_solver.h: the solver that the options and the field of a run ask for. */
#ifndef MFFT_APPS_POISSON_MAKE_SOLVER_H
#define MFFT_APPS_POISSON_MAKE_SOLVER_H

#include "poisson/run.h"

/* The precision of the solve: that of --precision, or else of the field. */
mfft_precision mfft_poisson_precision(const mfft_poisson_job *job);

/* Makes the solver of the job for its mesh; with job->outline one without arrays.  Collective. */
mfft_status mfft_poisson_make_solver(mfft_poisson_job *job);

#endif
