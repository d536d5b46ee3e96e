/* registry.c: see registry.h.  Nodes of a bucket are used and released, never freed, so that readers need no lock. */
#include "registry.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct node {
  _Atomic(const void *) plan; /* NULL: not in use */
  void *_Atomic record;
  struct node *next; /* set before the node is linked, and never changed */
} node;

enum { BUCKETS = 1024 };
static node *_Atomic bucket[BUCKETS]; /* [BUCKETS] */
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

static node *_Atomic *bucket_of(const void *plan) {
  const uint64_t mixed = ((uint64_t)(uintptr_t)plan >> 4) * UINT64_C(0x9e3779b97f4a7c15);
  return &bucket[mixed >> 54];
}

static node *find(const void *plan) {
  node *n = atomic_load_explicit(bucket_of(plan), memory_order_acquire);
  while (n && atomic_load_explicit(&n->plan, memory_order_acquire) != plan) n = n->next;
  return n;
}

int mfft_dropin_register(const void *plan, void *record) {
  node *_Atomic *head = bucket_of(plan);
  pthread_mutex_lock(&writing);
  node *n = find(plan); /* an earlier plan at the same address, freed without a call of this library */
  if (!n) {
    n = atomic_load_explicit(head, memory_order_acquire);
    while (n && atomic_load_explicit(&n->plan, memory_order_relaxed)) n = n->next;
  }
  node *fresh = n ? NULL : calloc(1, sizeof *fresh);
  if (fresh) fresh->next = atomic_load_explicit(head, memory_order_relaxed);
  if (fresh || n) {
    atomic_store_explicit(&(fresh ? fresh : n)->record, record, memory_order_relaxed);
    atomic_store_explicit(&(fresh ? fresh : n)->plan, plan, memory_order_release);
  }
  if (fresh) atomic_store_explicit(head, fresh, memory_order_release);
  pthread_mutex_unlock(&writing);
  return fresh || n;
}

void *mfft_dropin_find(const void *plan) {
  node *n = plan ? find(plan) : NULL;
  return n ? atomic_load_explicit(&n->record, memory_order_relaxed) : NULL;
}

void *mfft_dropin_unregister(const void *plan) {
  pthread_mutex_lock(&writing);
  node *n = plan ? find(plan) : NULL;
  void *record = n ? atomic_load_explicit(&n->record, memory_order_relaxed) : NULL;
  if (n) atomic_store_explicit(&n->plan, NULL, memory_order_release);
  pthread_mutex_unlock(&writing);
  return record;
}
