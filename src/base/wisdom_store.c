/* wisdom_store.c: see wisdom_store.h. */
#include "base/wisdom_store.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
  char *key, *value;
} entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry *entries; /* [count] */
static size_t count;

static entry *find(const char *key) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(entries[i].key, key) == 0) return &entries[i];
  return NULL;
}

mfft_status mfft_wisdom_put(const char *key, const char *value) {
  mfft_status status = MFFT_SUCCESS;
  char *own_key = strdup(key), *own_value = strdup(value);
  pthread_mutex_lock(&lock);
  entry *e = find(key);
  if (own_value && e) {
    free(e->value);
    e->value = own_value;
    own_value = NULL;
  } else {
    entry *grown = own_key && own_value ? realloc(entries, (count + 1) * sizeof *grown) : NULL;
    if (grown) {
      entries = grown;
      entries[count++] = (entry){own_key, own_value};
      own_key = own_value = NULL;
    } else {
      status = mfft_fail(MFFT_ERR_MEMORY, "no memory for the wisdom of %s", key);
    }
  }
  pthread_mutex_unlock(&lock);
  free(own_key);
  free(own_value);
  return status;
}

int mfft_wisdom_get(const char *key, char *value, size_t size) {
  pthread_mutex_lock(&lock);
  const entry *e = find(key);
  if (e) snprintf(value, size, "%s", e->value);
  pthread_mutex_unlock(&lock);
  return e != NULL;
}

void mfft_wisdom_print(mfft_text *text) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < count; i++) mfft_text_add(text, "plan %s %s\n", entries[i].key, entries[i].value);
  pthread_mutex_unlock(&lock);
}

void mfft_wisdom_word(char *text) {
  for (; *text; text++)
    if (*text == ' ' || *text == '\t' || *text == '\n') *text = '_';
}
