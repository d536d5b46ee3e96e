/* run_fftw.c: `mergefft run-fftw` and `mergefft trace`: run a program with the libraries that define FFTW's and PFFT's names
 * loaded before FFTW and PFFT.
 *
 * Both set the environment and become the program (execvp), on each rank: the launcher has to export nothing. */
#include "fftw/run_fftw.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/system.h"
#include "cli/commands.h"

enum { MOST_WORDS = 512, PATH_BYTES = 4096 };

typedef struct values {
  const char *program[MOST_WORDS]; /* [operands] with its arguments; ended by NULL, since the parser zeroes it */
  const char *report;
  int where, trial;
} values;

static const char *const modes[] = {"auto", "cpu", "gpu", "off"};

static const mfft_cli_option run_options[] = {
    {"report", 0, MFFT_CLI_TEXT, offsetof(values, report), "FILE",
     .help = "write what the plans of the program did, and how long they took; stderr: there"},
    {"where", 0, MFFT_CLI_CHOICE, offsetof(values, where), "WHERE",
     "who transforms: mergefft on CPUs, on GPUs, on either, whichever it expects to be faster (auto), or FFTW itself (off), "
     "which with --report only watches; default: MFFT_FFTW, or auto",
     .choices = "auto|cpu|gpu|off"},
    {"trial", 0, MFFT_CLI_FLAG, offsetof(values, trial), NULL,
     .help = "time FFTW once for each kind of plan that mergefft makes in its place; the report then compares them"},
    {0}};

static const mfft_cli_option trace_options[] = {
    {"report", 0, MFFT_CLI_TEXT, offsetof(values, report), "FILE", "where to write; stderr: there", .fallback = "stderr"},
    {0}};

/* Reached only if there is no program to run, which the parser has reported, or if MPI was started before. */
static int refuse(void *v) {
  (void)v;
  return mfft_cli_usage(NULL, "the program to run must follow --, as in `mergefft run-fftw -- PROGRAM`");
}

const mfft_command mfft_command_run_fftw = {
    .name = "run-fftw",
    .summary = "run a program written for FFTW-MPI or PFFT on mergefft",
    .operands = "-- PROGRAM [ARGUMENT...]",
    .min_operands = 1,
    .max_operands = MOST_WORDS - 1,
    .operands_offset = offsetof(values, program),
    .description =
        "Runs PROGRAM, which was linked with FFTW-MPI or PFFT as shared libraries, with mergefft before "
        "both: plans of FFTW-MPI that mergefft can do are done by it, all else by FFTW itself, and all plans of PFFT "
        "by mergefft, or refused with the reason. Write it where "
        "the program would stand, behind the launcher and its options. Options of run-fftw stand "
        "before --, those of the program after it.\n\n"
        "  mpirun -n 16 mergefft run-fftw -- ./monofonIC ics.conf\n"
        "  srun -n 64 mergefft run-fftw --report ffts.txt -- ./L-PICOLA run.param",
    .options = run_options,
    .values_bytes = sizeof(values),
    .run = refuse};

const mfft_command mfft_command_trace = {
    .name = "trace",
    .summary = "measure how much of a program's time FFTW-MPI takes",
    .operands = "-- PROGRAM [ARGUMENT...]",
    .min_operands = 1,
    .max_operands = MOST_WORDS - 1,
    .operands_offset = offsetof(values, program),
    .description =
        "Runs PROGRAM, which was linked with FFTW-MPI as a shared library, with FFTW itself, and "
        "reports each kind of plan, its calls and seconds, and their share of the run: what FFTs "
        "that took no time would give, which bounds the gain by any other FFT library.\n\n"
        "  mpirun -n 16 mergefft trace -- ./monofonIC ics.conf",
    .options = trace_options,
    .values_bytes = sizeof(values),
    .run = refuse};

/* The path of a library, relative to this program: in the build, or where both are installed. */
static int find_library(const char *name, char *path, size_t size) {
  static const char *const folders[] = {"../lib", MFFT_BIN_TO_LIB};
  char self[PATH_BYTES];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length < 0) return 0;
  self[length] = '\0';
  char *slash = strrchr(self, '/');
  if (slash) *slash = '\0';
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    const int n = snprintf(path, size, "%s/%s/%s", self, folders[i], name);
    if (n > 0 && (size_t)n < size && access(path, R_OK) == 0) return 1;
  }
  return 0;
}

/* Libraries that are preloaded already stay before it. */
static void set_environment(const char *libraries, const char *mode, const values *v) {
  char list[3 * PATH_BYTES];
  const char *before = getenv("LD_PRELOAD");
  const int some = before && *before;
  snprintf(list, sizeof list, "%s%s%s", some ? before : "", some ? ":" : "", libraries);
  setenv("LD_PRELOAD", list, 1);
  setenv("MFFT_FFTW", mode, 1);
  if (v->report) setenv("MFFT_FFTW_REPORT", v->report, 1);
  if (v->trial) setenv("MFFT_FFTW_TRIAL", "1", 1);
}

static int fail(const mfft_command *command, const char *words, const char *what) {
  if (mfft_cli_prints()) fprintf(stderr, "mergefft %s: %s %s\n", command->name, words, what);
  return MFFT_EXIT_FAILED;
}

/* The mode: that of the option, else that of the user's environment. */
static const char *mode_of(const mfft_command *command, const values *v) {
  const char *set = getenv("MFFT_FFTW");
  if (command == &mfft_command_trace) return "off";
  if (v->where >= 0) return modes[v->where];
  return set && *set ? set : modes[0];
}

static int become(const mfft_command *command, values *v) {
  char libraries[2 * PATH_BYTES];
  const char *mode = mode_of(command, v);
  if (!find_library("libmergefft_fftw3_mpi.so", libraries, PATH_BYTES))
    return fail(command, "found no libmergefft_fftw3_mpi.so next to this program:", "build where FFTW-MPI is installed");
  if (strcmp(mode, "off")) { /* behind it, PFFT's plans are mergefft's without exception */
    const size_t length = strlen(libraries);
    libraries[length] = ':';
    if (!find_library("libmergefft_pfft.so", libraries + length + 1, PATH_BYTES)) libraries[length] = '\0';
  }
  set_environment(libraries, mode, v);
  if (mfft_cli_prints())
    fprintf(stderr, "mergefft %s: %s with %s, MFFT_FFTW=%s\n", command->name, v->program[0], libraries, mode);
  execvp(v->program[0], (char *const *)v->program);
  char why[PATH_BYTES];
  snprintf(why, sizeof why, "%s: %s", v->program[0], mfft_posix_reason(errno));
  return fail(command, "cannot run", why);
}

int mfft_run_fftw(int argc, char **argv) {
  static values v;
  const mfft_command *const commands[] = {&mfft_command_run_fftw, &mfft_command_trace};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    if (argc < 2 || strcmp(argv[1], commands[i]->name)) continue;
    int a = 2;
    while (a < argc && strcmp(argv[a], "--")) a++;
    if (a + 1 >= argc) return -1; /* help, or an error of usage, which all ranks report together */
    const int code = mfft_cli_parse(commands[i], argc, argv, 2, &v);
    return code == MFFT_CLI_RUN ? become(commands[i], &v) : code;
  }
  return -1;
}
