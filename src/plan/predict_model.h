/* predict_model.h: the stand-ins with which a plan is made for a prediction, and the times of its stages.
 *
 * The emitter asks a backend what it can do and a transport for transfers.  A model backend answers as the backend of that
 * memory does, but its transforms only record their spec; a model transport makes transfers that only record what they move.
 * The programs of such a plan are those of a real one, stage by stage (tests/t321-predict.c compares them). */
#ifndef MFFT_PLAN_PREDICT_MODEL_H
#define MFFT_PLAN_PREDICT_MODEL_H

#include "dist/transport.h"
#include "mfft_predict.h"
#include "plan/plan.h"

/* The bytes and messages of one transfer. */
typedef struct mfft_traffic {
  int64_t self_bytes;                  /* copied on this rank by the transfer itself */
  int64_t near_bytes, far_bytes;       /* sent */
  int64_t near_messages, far_messages; /* sent; of near copies those that this rank makes or, if more, that peers make */
  int64_t far_received;                /* bytes received from other nodes */
  int64_t staged_bytes;                /* copied by a device to host memory and back, before and after messages */
  double leaders;                      /* share of the ranks that send what all of a node do; 0: all do */
  int self_by_transfer;                /* 0: COPY stages copy what stays */
} mfft_traffic;

typedef struct mfft_model_transfer {
  mfft_transfer base;
  mfft_traffic traffic;
  /* Set while a program is timed, in seconds: when each link has finished, and the work that the processor does while it
   * waits. */
  double near_end, far_end, near_left, far_left;
} mfft_model_transfer;

/* A transform that only records its spec. */
typedef struct mfft_model_fft {
  mfft_fft base;
  mfft_fft_spec spec;
} mfft_model_fft;

/* The backend of host memory with model transforms, or that of GPUs. */
mfft_status mfft_model_backend(int host_memory, mfft_backend *backend);

/* The transport of this name with model transfers; NULL: what the rule takes for this memory and number of nodes.  For
 * device memory MPI is taken to reach it. */
mfft_status mfft_model_transport(const char *name, int host_memory, int nodes, mfft_transport *transport);

/* Checks a machine for this cluster and replaces zeros by their defaults. */
mfft_status mfft_model_machine(const mfft_cluster *cluster, mfft_machine *machine);

/* Seconds of a local transform. */
double mfft_model_fft_s(const mfft_machine *machine, const mfft_fft_spec *spec);

/* Times one direction of a plan. */
void mfft_model_time(const mfft_machine *machine, const mfft_cluster *cluster, mfft_plan plan, mfft_direction direction,
                     mfft_predicted *predicted);

#endif
