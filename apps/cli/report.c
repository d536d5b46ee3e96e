/* report.c: see report.h. */
#include "cli/report.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/option_words.h"
#include "cli/progress.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

enum { MESSAGE_BYTES = 1024, WORDS_BYTES = 4096 };

static const char *command_name = "";
static char app_message[MESSAGE_BYTES]; /* of a failure that this process has decided and not yet reported */

void mfft_app_begin(const char *command) { command_name = command ? command : ""; }

/* Rank and number of ranks are queried from MPI once, so that they are known after it has ended, too. */
int mfft_app_rank(void) {
  static int rank = -1;
  if (rank < 0) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int mfft_app_ranks(void) {
  static int ranks;
  if (!ranks) MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

/* A line break of the format remains and one of a text becomes \n: they are distinguished by formatting twice, with another
 * byte in the place of the format's own. */
void mfft_app_format(char *out, size_t size, const char *format, va_list args) {
  char words[2][WORDS_BYTES];
  for (int pass = 0; pass < 2; pass++) {
    char marked[WORDS_BYTES]; /* the format */
    va_list again;
    snprintf(marked, sizeof marked, "%s", format);
    for (char *c = marked; *c; c++)
      if (*c == '\n') *c = (char)(1 + pass);
    va_copy(again, args);
    vsnprintf(words[pass], sizeof words[pass], marked, again);
    va_end(again);
  }
  size_t used = 0, begin = 0;
  for (size_t i = 0; used < size; i++) {
    const int breaks = words[0][i] != words[1][i], ends = words[0][i] == '\0';
    if (!breaks && !ends) continue;
    words[0][i] = '\0';
    mfft_escape(words[0] + begin, out + used, size - used);
    used += strlen(out + used);
    if (ends || used + 2 > size) break;
    memcpy(out + used++, "\n", 2);
    begin = i + 1;
  }
}

/* ---- Failures -------------------------------------------------------------------------------------------------------- */

mfft_status mfft_app_fail(mfft_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char words[sizeof app_message]; /* separate from app_message, which may be among the arguments */
  mfft_app_format(words, sizeof words, format, args);
  memcpy(app_message, words, sizeof words);
  va_end(args);
  return status;
}

/* Copies the message of this rank's last failure, one of the library in the words of the command line; `otherwise` if there
 * is none. */
static void copy_message(const char *otherwise, char message[MESSAGE_BYTES]) {
  const char *library = mfft_last_error();
  if (app_message[0])
    snprintf(message, MESSAGE_BYTES, "%s", app_message);
  else
    mfft_option_words(*library ? library : otherwise, message, MESSAGE_BYTES);
}

/* The lowest rank that failed, or the number of ranks; its message on all. */
static int first_failure(mfft_status status, char message[MESSAGE_BYTES]) {
  int rank = mfft_app_rank(), ranks = mfft_app_ranks();
  int first = status == MFFT_SUCCESS ? ranks : rank;
  mfft_app_reduce(&first, 1, MPI_INT, MPI_MIN, "agreeing on a status");
  message[0] = 0;
  if (first == ranks) return first;
  if (rank == first) copy_message(mfft_strerror(status), message);
  mfft_app_broadcast(message, MESSAGE_BYTES, first, "sharing an error");
  return first;
}

int mfft_app_failed(mfft_status status) {
  char message[MESSAGE_BYTES];
  if (first_failure(status, message) == mfft_app_ranks()) return 0;
  app_message[0] = 0;
  mfft_progress_end();
  if (mfft_app_rank() == 0) {
    fflush(stdout);
    fprintf(stderr, "mergefft%s%s: %s\n", *command_name ? " " : "", command_name, message);
  }
  return 1;
}

mfft_status mfft_app_agree(mfft_status status) {
  char message[MESSAGE_BYTES];
  if (first_failure(status, message) == mfft_app_ranks()) return MFFT_SUCCESS;
  return mfft_app_fail(status == MFFT_SUCCESS ? MFFT_ERR_STATE : status, "%s", message);
}

const char *mfft_app_message(void) {
  static char message[MESSAGE_BYTES];
  copy_message("", message);
  app_message[0] = 0;
  return message;
}

/* ---- Results and remarks --------------------------------------------------------------------------------------------- */

static void say(FILE *stream, const char *prefix, const char *end, const char *format, va_list args) {
  char words[WORDS_BYTES];
  if (mfft_app_rank() != 0) return;
  mfft_app_format(words, sizeof words, format, args);
  mfft_progress_clear();
  if (prefix) fprintf(stream, "mergefft %s: ", prefix);
  fprintf(stream, "%s%s", words, end);
}

static int silent; /* mfft_app_print prints nothing */

void mfft_app_silence(void) { silent = 1; }

void mfft_app_print(const char *format, ...) {
  va_list args;
  if (silent) return;
  va_start(args, format);
  say(stdout, NULL, "", format, args);
  va_end(args);
}

void mfft_app_note(const char *format, ...) {
  va_list args;
  va_start(args, format);
  say(stderr, command_name, "\n", format, args);
  va_end(args);
}

mfft_status mfft_app_alloc(int64_t count, size_t element_bytes, const char *what, void **pointer) {
  size_t bytes = (count > 0 ? (size_t)count : 1) * element_bytes;
  void *memory;
  mfft_status status = mfft_alloc(bytes, &memory);
  if (status != MFFT_SUCCESS)
    return mfft_app_fail(status, "%s needs %zu bytes on rank %d, which are not there; use more ranks or a smaller mesh",
                         what, bytes, mfft_app_rank());
  *pointer = memory;
  return MFFT_SUCCESS;
}

double mfft_app_time(void) { return MPI_Wtime(); }

double mfft_app_slowest(double seconds) {
  mfft_app_reduce(&seconds, 1, MPI_DOUBLE, MPI_MAX, "comparing times");
  return seconds;
}
