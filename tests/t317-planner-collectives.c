// TEST ranks=1,2,3 labels=dist args=p2p
// TEST ranks=2 labels=dist args=pairwise
/* Planning compares the abilities of the ranks once: filters, half the width and real transforms take no additional
 * collective call. */
#include "check.h"
#include "mfft_mpi.h"

static int calls; /* collective calls of the library so far */

#define COUNTED __attribute__((visibility("default")))

COUNTED int MPI_Iallreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                           MPI_Request *request) {
  calls++;
  return PMPI_Iallreduce(from, to, count, type, op, comm, request);
}

COUNTED int MPI_Ibcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request) {
  calls++;
  return PMPI_Ibcast(data, count, type, root, comm, request);
}

COUNTED int MPI_Iallgather(const void *from, int count, MPI_Datatype type, void *to, int counts, MPI_Datatype types,
                           MPI_Comm comm, MPI_Request *request) {
  calls++;
  return PMPI_Iallgather(from, count, type, to, counts, types, comm, request);
}

static int count_calls(const char *transport, mfft_kind kind, mfft_wire wire, int filtered) {
  mfft_plan plan;
  mfft_desc desc;
  mfft_options options;
  mfft_desc_init(&desc);
  mfft_options_init(&options);
  desc.rank = 3;
  for (int axis = 0; axis < 3; axis++) desc.n[axis] = 12;
  desc.kind = kind;
  options.backend = "fftw";
  options.transport = transport;
  options.wire = wire;
  desc.filtered = filtered;
  const int before = calls;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &desc, &options, &plan));
  const int count = calls - before;
  mfft_plan_destroy(plan);
  return count;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const char *transport = argc > 1 ? argv[1] : "p2p";
  count_calls(transport, MFFT_C2C, MFFT_WIRE_FULL, 0); /* the first plan of a process also collects the names of hosts */
  const int plain = count_calls(transport, MFFT_C2C, MFFT_WIRE_FULL, 0);
  CHECK(plain > 0, "no collective call was counted");
  for (int kind = 0; kind < 2; kind++)
    for (int half = 0; half < 2; half++)
      for (int filtered = 0; filtered < 4; filtered++) {
        const int count =
            count_calls(transport, kind ? MFFT_R2C : MFFT_C2C, half ? MFFT_WIRE_HALF : MFFT_WIRE_FULL, filtered);
        CHECK(count == plain, "kind %d, half the width %d, filtered %d: %d collective calls, %d of a plain plan", kind, half,
              filtered, count, plain);
      }
  MPI_Finalize();
  return test_end();
}
