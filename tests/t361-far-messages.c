// TEST ranks=4 labels=dist+once
/* Messages between the nodes of an exchange of host memory: beside copies within the nodes they are those that their
 * transport would send alone, from array to array where runs are long; and a small exchange is over when its messages have
 * arrived, without calls of MPI for the acknowledgements of long ones. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <limits.h>

#include "dist.h"
#include "plan/distribution.h"

static int probes; /* calls of MPI_Iprobe */

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
  int (*real)(int, int, MPI_Comm, int *, MPI_Status *);
  *(void **)&real = dlsym(RTLD_NEXT, "MPI_Iprobe");
  probes++;
  return real(source, tag, comm, flag, status);
}

static mfft_plan make(const int64_t n[3], const char *transport) {
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  memcpy(d.n, n, sizeof d.n);
  options.backend = "fftw";
  options.effort = MFFT_ESTIMATE;
  options.transport = transport;
  options.chunks = 1;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  if (!plan) exit(1);
  return plan;
}

/* Messages of all exchanges forward, and stages that pack or unpack. */
static void count(mfft_plan plan, int64_t *messages, int *copies) {
  const mfft_program *program = &plan->program[MFFT_FORWARD];
  *messages = *copies = 0;
  for (int i = 0; i < program->count; i++) {
    const mfft_stage *s = &program->stage[i];
    if (s->kind == MFFT_STAGE_START) *messages += s->transfer->messages;
    *copies += s->kind == MFFT_STAGE_COPY && (strncmp(s->label, "pack", 4) == 0 || strncmp(s->label, "unpack", 6) == 0);
  }
}

/* Planes of 8 x 16 complex numbers, 2048 bytes, are runs for every other rank: two planes for each of three peers, of which
 * two are far. */
static void same_messages(void) {
  const int64_t n[3] = {8, 32, 16};
  int64_t alone, both;
  int packs, packs_both;
  setenv("MFFT_RUN_BYTES", "1024", 1);
  mfft_plan plan = make(n, "pairwise");
  count(plan, &alone, &packs);
  mfft_plan_destroy(plan);
  plan = make(n, "p2p+pairwise");
  count(plan, &both, &packs_both);
  mfft_plan_destroy(plan);
  CHECK(alone > 6 && both * 3 == alone * 2, "%d messages, of which %d are far", (int)alone, (int)both);
  CHECK(packs == 0 && packs_both == 0, "%d and %d stages copy", packs, packs_both);
  unsetenv("MFFT_RUN_BYTES");
}

/* Of many executes one at least finds all messages arrived; its waits then call MPI_Iprobe a few times at most. */
static void few_probes(void) {
  const int64_t n[3] = {8, 8, 8};
  mfft_plan plan = make(n, "pairwise");
  double in[2 * 8 * 8 * 8] = {0}, out[2 * 8 * 8 * 8];
  int least = INT_MAX;
  for (int run = 0; run < 200; run++) {
    probes = 0;
    CHECK_OK(mfft_execute(plan, MFFT_FORWARD, in, out));
    if (probes < least) least = probes;
  }
  CHECK(least < 64, "%d calls of MPI_Iprobe", least);
  mfft_plan_destroy(plan);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  setenv("MFFT_NODE_RANKS", "2", 1);
  same_messages();
  few_probes();
  MPI_Finalize();
  return test_end();
}
