// TEST ranks=1,2,4 labels=dist
/* Tuning makes a plan that works, and wisdom of it, which is saved and loaded; damaged files are ignored and replaced,
 * foreign ones are ignored and not changed; jobs that save to one file do not lose each other's wisdom. */
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/wisdom_store.h"
#include "dist.h"
#include "mfft_inspect.h"
#include "wisdom.h"

static int rank, ranks;

static void tuned_plan(void) {
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.n[0] = 12;
  d.n[1] = 10;
  d.n[2] = 14;
  options.effort = MFFT_TUNE_MEASURE;
  d.kind = MFFT_R2C;
  setenv("MFFT_TUNE_S", "2", 1);
  dist_check(MPI_COMM_WORLD, &d, &options, "tuned");
  char *text = exported_wisdom();
  CHECK(rank != 0 || strstr(text, "\nplan ") != NULL, "tuning left no wisdom: %s", text);
  /* The second plan is made from wisdom: no candidate is timed, so a time limit of zero suffices. */
  double begin = MPI_Wtime();
  setenv("MFFT_TUNE_S", "0", 1);
  mfft_plan plan = NULL;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  CHECK(MPI_Wtime() - begin < 5, "recalling took long");
  int grid[2], chunks;
  const char *transport;
  CHECK_OK(mfft_plan_grid(plan, grid));
  CHECK_OK(mfft_plan_transport(plan, &transport, &chunks));
  char expected[64];
  snprintf(expected, sizeof expected, "transport %s grid %dx%d chunks ", transport, grid[0], grid[1]);
  CHECK(rank != 0 || strstr(text, expected) != NULL, "wisdom \"%s\" lacks \"%s\"", text, expected);
  mfft_plan_destroy(plan);
  free(text);
}

static void files(void) {
  char path[64];
  snprintf(path, sizeof path, "wisdom-%d.txt", ranks);
  if (rank == 0) remove(path); /* wisdom of an earlier test would be merged */
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_OK(mfft_wisdom_put("a-key", "a value of several words"));
  CHECK_OK(mfft_wisdom_save(MPI_COMM_WORLD, path));
  struct stat st;
  CHECK(stat(path, &st) == 0 && st.st_size > 50);
  CHECK_OK(mfft_wisdom_put("a-key", "forgotten"));
  CHECK_OK(mfft_wisdom_load(MPI_COMM_WORLD, path));
  char value[64] = "";
  CHECK(mfft_wisdom_get("a-key", value, sizeof value) && strcmp(value, "a value of several words") == 0, "got \"%s\"",
        value);
  setenv("MFFT_LOG", "0", 1); /* the warnings are expected */
  CHECK_OK(mfft_wisdom_load(MPI_COMM_WORLD, "no/such/file"));
  CHECK_OK(mfft_wisdom_load(MPI_COMM_WORLD, "/"));
  if (rank == 0) { /* damage one letter */
    FILE *f = fopen(path, "r+");
    fseek(f, 40, SEEK_SET);
    fputc('#', f);
    fclose(f);
  }
  CHECK_OK(mfft_wisdom_put("a-key", "kept"));
  CHECK_OK(mfft_wisdom_load(MPI_COMM_WORLD, path));
  CHECK(mfft_wisdom_get("a-key", value, sizeof value) && strcmp(value, "kept") == 0, "a damaged file was accepted");
  CHECK_FAILS(mfft_wisdom_save(MPI_COMM_WORLD, "/no/such/folder/wisdom"), MFFT_ERR_IO, "/no/such/folder/wisdom");
  CHECK_FAILS(mfft_wisdom_load(MPI_COMM_NULL, path), MFFT_ERR_ARG, "MPI_COMM_NULL");
  CHECK_FAILS(mfft_wisdom_save(MPI_COMM_NULL, path), MFFT_ERR_ARG, "MPI_COMM_NULL");
}

/* Jobs that save to one file, one after another and at once: wisdom of each is in the file, and no other file remains. */
static void jobs(void) {
  enum { JOBS = 4, SAVES = 5 };
  char folder[64], path[96], key[32], value[32] = "";
  pid_t job[JOBS];
  if (rank != 0 || ranks > 1) return; /* the jobs are processes of their own, outside MPI */
  snprintf(folder, sizeof folder, "jobs-%ld", (long)getpid());
  snprintf(path, sizeof path, "%s/wisdom", folder);
  CHECK(mkdir(folder, 0700) == 0);
  for (int j = 0; j < JOBS; j++) {
    job[j] = fork();
    if (job[j]) continue;
    int bad = 0;
    for (int i = 0; i < SAVES; i++) {
      snprintf(key, sizeof key, "job-%d-%d", j, i);
      bad |= mfft_wisdom_put(key, key) != MFFT_SUCCESS || mfft_wisdom_put("shared", key) != MFFT_SUCCESS ||
             mfft_wisdom_save(MPI_COMM_SELF, path) != MFFT_SUCCESS;
    }
    _exit(bad);
  }
  for (int j = 0; j < JOBS; j++) {
    int code = -1;
    waitpid(job[j], &code, 0);
    CHECK(code == 0, "job %d ended with %#x", j, (unsigned)code);
  }
  CHECK_OK(mfft_wisdom_load(MPI_COMM_SELF, path));
  for (int j = 0; j < JOBS; j++)
    for (int i = 0; i < SAVES; i++) {
      snprintf(key, sizeof key, "job-%d-%d", j, i);
      CHECK(mfft_wisdom_get(key, value, sizeof value) && strcmp(value, key) == 0, "%s is \"%s\"", key, value);
    }
  CHECK(remove(path) == 0 && rmdir(folder) == 0, "files are left in %s", folder);

  /* Wisdom of this process takes precedence over that of the file. */
  remove("wisdom");
  CHECK_OK(mfft_wisdom_put("job-0-0", "newer"));
  CHECK_OK(mfft_wisdom_save(MPI_COMM_SELF, "wisdom"));
  CHECK_OK(mfft_wisdom_put("job-0-0", "newest"));
  CHECK_OK(mfft_wisdom_load(MPI_COMM_SELF, "wisdom"));
  CHECK(mfft_wisdom_get("job-0-0", value, sizeof value) && strcmp(value, "newer") == 0, "the file has \"%s\"", value);
}

static void put_text(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0, "%s", path);
}

/* Saves must not change a file that is not wisdom, and neither they nor loads wait for a pipe. */
static void untrusted(void) {
  if (ranks > 1) return;
  char text[64] = "";
  CHECK(mkdir("untrusted", 0700) == 0 && chdir("untrusted") == 0, "the folder of an earlier run is still there");
  put_text("notes", "scribble");
  CHECK_FAILS(mfft_wisdom_save(MPI_COMM_SELF, "notes"), MFFT_ERR_IO, "is not wisdom of mergefft, so it is not replaced");
  FILE *f = fopen("notes", "r");
  CHECK(f && fgets(text, sizeof text, f) && strcmp(text, "scribble") == 0, "notes has \"%s\"", text);
  if (f) fclose(f);
  put_text("damaged", "mergefft-wisdom 1\nwhat is this\n");
  put_text("empty", "");
  CHECK_OK(mfft_wisdom_save(MPI_COMM_SELF, "damaged"));
  CHECK_OK(mfft_wisdom_save(MPI_COMM_SELF, "empty"));

  setenv("MFFT_LOG", "0", 1);
  CHECK(mkfifo("pipe", 0600) == 0 && symlink("nowhere", "loose") == 0 && symlink("empty", "link") == 0);
  CHECK_OK(mfft_wisdom_load(MPI_COMM_SELF, "pipe"));
  CHECK_FAILS(mfft_wisdom_save(MPI_COMM_SELF, "pipe"), MFFT_ERR_IO, "not a regular file");
  CHECK_FAILS(mfft_wisdom_save(MPI_COMM_SELF, "."), MFFT_ERR_IO, "directory");
  CHECK_FAILS(mfft_wisdom_save(MPI_COMM_SELF, "loose"), MFFT_ERR_IO, "leads nowhere");
  CHECK_OK(mfft_wisdom_save(MPI_COMM_SELF, "link"));
  struct stat about;
  CHECK(lstat("link", &about) == 0 && S_ISLNK(about.st_mode), "a link has become a file");

  /* With a limit on file sizes, whose signal would end the process. */
  struct rlimit limit, small;
  CHECK(getrlimit(RLIMIT_FSIZE, &limit) == 0 && stat("empty", &about) == 0);
  const long long before = (long long)about.st_size;
  CHECK_OK(mfft_wisdom_put("one-more", "plan"));
  small = limit;
  small.rlim_cur = 16;
  CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
  CHECK_FAILS(mfft_wisdom_save(MPI_COMM_SELF, "empty"), MFFT_ERR_IO, "ulimit -f");
  CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  CHECK(stat("empty", &about) == 0 && about.st_size == before, "a failed save changed the file");
  const char *const names[] = {"notes", "damaged", "empty", "pipe", "loose", "link"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) CHECK(remove(names[i]) == 0, "%s", names[i]);
  CHECK(chdir("..") == 0 && rmdir("untrusted") == 0, "something is left");
}

/* Names of GPUs contain blanks, and a key is one word. */
static void words(void) {
  char key[] = "card=NVIDIA H200,n=8", value[32] = "";
  mfft_wisdom_word(key);
  CHECK(strcmp(key, "card=NVIDIA_H200,n=8") == 0, "%s", key);
  CHECK_OK(mfft_wisdom_put(key, "grid 8x1"));
  char *text = exported_wisdom();
  CHECK_OK(mfft_wisdom_put(key, "-"));
  CHECK_OK(mfft_wisdom_import(text));
  CHECK(mfft_wisdom_get(key, value, sizeof value) && strcmp(value, "grid 8x1") == 0, "it came back as \"%s\"", value);
  free(text);
}

static void texts(void) {
  char *text = exported_wisdom();
  CHECK_OK(mfft_wisdom_import(text));
  size_t length = strlen(text);
  int refused = 0, flips = 0;
  for (size_t i = 0; i < length; i += length / 50 + 1, flips++) {
    char kept = text[i];
    text[i] ^= 1;
    refused += mfft_wisdom_import(text) == MFFT_ERR_CORRUPT;
    text[i] = kept;
  }
  CHECK(refused == flips, "%d of %d damaged texts were accepted", flips - refused, flips);
  text[length / 2] = '\0';
  CHECK_FAILS(mfft_wisdom_import(text), MFFT_ERR_CORRUPT, "checksum");
  CHECK_FAILS(mfft_wisdom_import("(fftw-3.3.10 fftw_wisdom #x0 #x0 #x0 #x0)"), MFFT_ERR_CORRUPT, "not wisdom");
  CHECK_FAILS(mfft_wisdom_import(""), MFFT_ERR_CORRUPT, "not wisdom");
  CHECK_FAILS(mfft_wisdom_import(NULL), MFFT_ERR_ARG, "NULL");
  free(text);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  tuned_plan();
  files();
  jobs();
  untrusted();
  words();
  texts();
  MPI_Finalize();
  return test_end();
}
