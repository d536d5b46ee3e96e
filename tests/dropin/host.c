/* host.c: a program that loads a plugin which prefers its own libraries (RTLD_DEEPBIND), as some interpreters do. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  double (*run)(void);
  MPI_Init(&argc, &argv);
  void *plugin = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (!plugin) return fprintf(stderr, "%s\n", dlerror()), 1;
  *(void **)&run = dlsym(plugin, "plugin_run");
  if (!run) return fprintf(stderr, "the plugin has no plugin_run\n"), 1;
  const double error = run();
  if (!(error < 1e-12)) printf("the plugin's transform is off by %g\n", error);
  MPI_Finalize();
  return error < 1e-12 ? 0 : 1;
}
