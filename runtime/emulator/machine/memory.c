#include "runtime/emulator/machine/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/emulator/machine/backing.h"
#include "runtime/emulator/machine/mapping.h"

/* Records are in chunks that never move, so that a pointer to one stays valid while others are made. */
#define CHUNK_RECORDS 1024u
#define CHUNK_COUNT   4096u
#define RECORD_LIMIT  (CHUNK_RECORDS * CHUNK_COUNT)
/* Once this many device allocations were made and freed, the number freed longest ago is used again: the table then costs
 * 12 MB at most, and a stale pointer is recognised for the next 65536 allocations. */
#define QUARANTINE       65536u
#define FREED_HOST_KEPT  1024u
#define HOST_GUARD_BYTES UINT64_C(65536)

struct memory {
    uint64_t capacity_bytes, used_bytes[MEMORY_DEVICES];
    unsigned device; /* whose memory is allocated */
    bool track_written;
    struct memory_allocation *chunks[CHUNK_COUNT];
    uint32_t record_count;
    uint32_t *freed; /* ring of freed record indices, oldest first */
    uint32_t freed_first, freed_count;
    struct memory_allocation **hosts; /* live host memory, by address */
    size_t host_count, host_capacity;
    struct memory_allocation *freed_hosts[FREED_HOST_KEPT]; /* ring */
    size_t freed_host_next;
};

/* The one range check: is [offset, offset + bytes) inside [0, limit)? Cannot overflow. */
static bool range_fits(uint64_t offset, uint64_t bytes, uint64_t limit)
{
    return offset <= limit && bytes <= limit - offset;
}

struct memory *memory_create(uint64_t capacity_bytes, bool track_written)
{
    struct memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return NULL;
    memory->freed = malloc(QUARANTINE * sizeof *memory->freed);
    if (!memory->freed) {
        free(memory);
        return NULL;
    }
    memory->capacity_bytes = capacity_bytes;
    memory->track_written = track_written;
    return memory;
}

unsigned memory_choose_device(struct memory *memory, unsigned device)
{
    unsigned before = memory->device;
    memory->device = device;
    return before;
}

unsigned memory_chosen_device(const struct memory *memory)
{
    return memory->device;
}

static struct memory_allocation *record_at(const struct memory *memory, uint32_t index)
{
    return &memory->chunks[index / CHUNK_RECORDS][index % CHUNK_RECORDS];
}

static uint64_t shadow_bytes(uint64_t bytes)
{
    return (bytes / 64 + (bytes % 64 != 0)) * 8; /* whole words: checks/written.h */
}

static void forget_fills(struct memory_allocation *record)
{
    for (unsigned i = 0; i < record->fill_count; i++)
        free(record->fills[i].place);
    free(record->fills);
    record->fills = NULL;
    record->fill_count = 0;
}

void memory_note_fill(struct memory_allocation *allocation, uint64_t offset, uint64_t bytes, uint8_t value, void *place)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < allocation->fill_count; i++) {
        struct memory_fill *fill = &allocation->fills[i];
        bool covered = offset <= fill->offset && fill->offset - offset <= bytes
                       && fill->bytes <= bytes - (fill->offset - offset);
        bool oldest = i == 0 && allocation->fill_count == MEMORY_FILLS;
        if (covered || oldest)
            free(fill->place);
        else
            allocation->fills[kept++] = *fill;
    }
    allocation->fill_count = kept;
    if (place && !allocation->fills)
        allocation->fills = malloc(MEMORY_FILLS * sizeof *allocation->fills);
    if (place && allocation->fills)
        allocation->fills[allocation->fill_count++] = (struct memory_fill){offset, bytes, value, place};
    else
        free(place);
    if (!allocation->fill_count)
        forget_fills(allocation);
}

const struct memory_fill *memory_find_fill(const struct memory_allocation *allocation, uint64_t offset, uint64_t bytes)
{
    for (unsigned i = allocation->fill_count; i-- > 0;) {
        const struct memory_fill *fill = &allocation->fills[i];
        if (offset < fill->offset || offset - fill->offset > fill->bytes || bytes > fill->bytes - (offset - fill->offset))
            continue;
        const uint8_t *at = allocation->host + offset;
        return bytes && *at == fill->value && memcmp(at, at + 1, bytes - 1) == 0 ? fill : NULL;
    }
    return NULL;
}

/* Returns the record's memory to the host. */
static void release_backing(struct memory_allocation *record)
{
    forget_fills(record);
    if (record->kind == MEMORY_HOST) {
        if (!record->borrowed)
            backing_free_guarded(record->host, record->bytes, HOST_GUARD_BYTES);
    } else if (record->pages) {
        uint64_t whole = record->pages->count * MAPPING_GRANULE;
        munmap(record->host, whole);
        if (record->written)
            munmap(record->written, whole / 8);
        if (record->file)
            close(record->file);
        record->written = NULL;
        free(record->pages);
        record->pages = NULL;
    } else {
        backing_free(record->host, record->bytes);
    }
    if (record->written)
        backing_free(record->written, shadow_bytes(record->bytes));
    if (record->races)
        backing_free(record->races, record->races_bytes);
    record->races = NULL;
    free(record->touched);
    record->host = NULL;
    record->written = record->touched = NULL;
}

void memory_destroy(struct memory *memory)
{
    if (!memory)
        return;
    for (uint32_t i = 0; i < memory->record_count; i++) {
        if (!record_at(memory, i)->freed)
            release_backing(record_at(memory, i));
    }
    for (uint32_t i = 0; i < CHUNK_COUNT && memory->chunks[i]; i++)
        free(memory->chunks[i]);
    for (size_t i = 0; i < memory->host_count; i++) {
        release_backing(memory->hosts[i]);
        free(memory->hosts[i]);
    }
    for (size_t i = 0; i < FREED_HOST_KEPT; i++)
        free(memory->freed_hosts[i]);
    free(memory->hosts);
    free(memory->freed);
    free(memory);
    backing_trim();
}

/* ---- device memory ------------------------------------------------------------------------------------------------ */

/* A record for a new device allocation: the next number, or the one that was freed longest ago. *index is its place. */
static struct memory_allocation *take_record(struct memory *memory, uint32_t *index)
{
    if (memory->freed_count == QUARANTINE || (memory->record_count == RECORD_LIMIT && memory->freed_count > 0)) {
        *index = memory->freed[memory->freed_first];
        memory->freed_first = (memory->freed_first + 1) % QUARANTINE;
        memory->freed_count--;
        return record_at(memory, *index);
    }
    if (memory->record_count == RECORD_LIMIT)
        return NULL;
    struct memory_allocation **chunk = &memory->chunks[memory->record_count / CHUNK_RECORDS];
    if (!*chunk && !(*chunk = calloc(CHUNK_RECORDS, sizeof **chunk)))
        return NULL;
    *index = memory->record_count;
    return record_at(memory, *index);
}

/* Backing and shadow for device memory. Returns false when the capacity or the host's memory is exhausted. */
static bool make_backing(const struct memory *memory, unsigned device, uint64_t bytes, enum memory_kind kind, uint8_t **host,
                         uint8_t **written)
{
    /* half of a number's span is on either side of byte 0, so nothing longer can be distinguished from a neighbour */
    if (bytes > MEMORY_ORIGIN || !range_fits(memory->used_bytes[device], bytes, memory->capacity_bytes))
        return false;
    *written = NULL;
    *host = backing_allocate(bytes);
    if (!*host)
        return false;
    bool tracked = memory->track_written && (kind == MEMORY_DEVICE || kind == MEMORY_GLOBAL);
    if (tracked && !(*written = backing_allocate(shadow_bytes(bytes)))) {
        backing_free(*host, bytes);
        return false;
    }
    return true;
}

/* A record that was taken, with its address. */
static struct memory_allocation *enter_device(struct memory *memory, uint64_t bytes, enum memory_kind kind)
{
    uint32_t index;
    struct memory_allocation *record = take_record(memory, &index);
    if (!record)
        return NULL;
    if (index == memory->record_count)
        memory->record_count++;
    *record = (struct memory_allocation){
        .address = ((MEMORY_FIRST_NUMBER + index) << MEMORY_NUMBER_SHIFT) + MEMORY_ORIGIN,
        .bytes = bytes,
        .kind = kind,
        .device = (uint8_t)memory->device,
    };
    return record;
}

static struct memory_allocation *allocate_device(struct memory *memory, uint64_t bytes, enum memory_kind kind)
{
    uint8_t *host, *written;
    if (!make_backing(memory, memory->device, bytes, kind, &host, &written))
        return NULL;
    struct memory_allocation *record = enter_device(memory, bytes, kind);
    if (!record) {
        backing_free(host, bytes);
        if (written)
            backing_free(written, shadow_bytes(bytes));
        return NULL;
    }
    record->host = host;
    record->written = written;
    memory->used_bytes[memory->device] += bytes;
    return record;
}

struct memory_allocation *memory_reserve(struct memory *memory, uint64_t bytes)
{
    if (bytes == 0 || bytes > MEMORY_ORIGIN || bytes > memory->capacity_bytes)
        return NULL;
    struct memory_allocation *record = enter_device(memory, bytes, MEMORY_DEVICE);
    if (record)
        record->freed = record->reserved = true;
    return record;
}

/* Room for a range, in which nothing is mapped. Returns false when the host has none. */
static bool make_range(const struct memory *memory, uint64_t bytes, struct memory_allocation *range)
{
    const int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    if (bytes == 0 || bytes > MEMORY_ORIGIN)
        return false;
    uint64_t count = (bytes + MAPPING_GRANULE - 1) / MAPPING_GRANULE, whole = count * MAPPING_GRANULE;
    struct mapping_pages *pages = calloc(1, sizeof *pages + count * sizeof pages->page[0]);
    void *host = mmap(NULL, whole, PROT_NONE, how, -1, 0), *written = NULL;
    if (memory->track_written)
        written = mmap(NULL, whole / 8, PROT_READ | PROT_WRITE, how, -1, 0);
    if (pages && host != MAP_FAILED && written != MAP_FAILED) {
        pages->count = count;
        pages->host = host;
        pages->written = written;
        range->pages = pages;
        range->host = host;
        range->written = written;
        return true;
    }
    free(pages);
    if (host != MAP_FAILED)
        munmap(host, whole);
    if (written && written != MAP_FAILED)
        munmap(written, whole / 8);
    return false;
}

struct memory_allocation *mapping_reserve(struct memory *memory, uint64_t bytes)
{
    struct memory_allocation made = {.bytes = bytes, .kind = MEMORY_DEVICE};
    if (!make_range(memory, bytes, &made))
        return NULL;
    struct memory_allocation *record = enter_device(memory, bytes, MEMORY_DEVICE);
    if (!record) {
        release_backing(&made);
        return NULL;
    }
    record->pages = made.pages;
    record->host = made.host;
    record->written = made.written;
    return record;
}

/* Maps a file to all of a range, for all devices. */
static bool map_whole(struct memory_allocation *range, int file)
{
    uint64_t whole = range->pages->count * MAPPING_GRANULE;
    if (!mapping_map(range->pages, 0, whole, file, whole, range->pages))
        return false;
    for (uint64_t i = 0; i < range->pages->count; i++)
        range->pages->page[i].readers = range->pages->page[i].writers = UINT8_MAX;
    return true;
}

bool mapping_share(struct memory *memory, struct memory_allocation *allocation, int file)
{
    struct memory_allocation made = {.bytes = allocation->bytes, .kind = MEMORY_DEVICE};
    if (!make_range(memory, allocation->bytes, &made))
        return false;
    if (!map_whole(&made, file)) {
        release_backing(&made);
        return false;
    }
    memcpy(made.host, allocation->host, allocation->bytes);
    if (allocation->written)
        memcpy(made.written, allocation->written, shadow_bytes(allocation->bytes));
    backing_free(allocation->host, allocation->bytes);
    if (allocation->written)
        backing_free(allocation->written, shadow_bytes(allocation->bytes));
    allocation->pages = made.pages;
    allocation->host = made.host;
    allocation->written = made.written;
    allocation->all_written = false;
    allocation->file = file;
    return true;
}

struct memory_allocation *mapping_open(struct memory *memory, uint64_t bytes, int file)
{
    struct memory_allocation *range = mapping_reserve(memory, bytes);
    if (range && !map_whole(range, file)) {
        memory_free(memory, range->address);
        range = NULL;
    }
    return range;
}

bool memory_take_bytes(struct memory *memory, uint64_t bytes)
{
    if (!range_fits(memory->used_bytes[memory->device], bytes, memory->capacity_bytes))
        return false;
    memory->used_bytes[memory->device] += bytes;
    return true;
}

void memory_give_bytes(struct memory *memory, unsigned device, uint64_t bytes)
{
    memory->used_bytes[device] -= bytes;
}

bool memory_fill_reserved(struct memory *memory, struct memory_allocation *allocation)
{
    uint8_t *host, *written;
    if (!make_backing(memory, allocation->device, allocation->bytes, MEMORY_DEVICE, &host, &written))
        return false;
    *allocation = (struct memory_allocation){
        .address = allocation->address,
        .bytes = allocation->bytes,
        .host = host,
        .written = written,
        .kind = MEMORY_DEVICE,
        .device = allocation->device,
        .reserved = true,
    };
    memory->used_bytes[allocation->device] += allocation->bytes;
    return true;
}

/* ---- host memory -------------------------------------------------------------------------------------------------- */

static uint64_t guard_bytes(const struct memory_allocation *host)
{
    return host->borrowed ? 0 : HOST_GUARD_BYTES;
}

/* Position of the first live host allocation whose range, guards included, ends after `address`. */
static size_t host_position(const struct memory *memory, uint64_t address)
{
    size_t low = 0, high = memory->host_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct memory_allocation *host = memory->hosts[middle];
        if (host->address + host->bytes + guard_bytes(host) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct memory_allocation *insert_host(struct memory *memory, void *host, uint64_t bytes, bool borrowed)
{
    if (memory->host_count == memory->host_capacity) {
        size_t capacity = memory->host_capacity ? memory->host_capacity * 2 : 16;
        struct memory_allocation **grown = realloc(memory->hosts, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        memory->hosts = grown;
        memory->host_capacity = capacity;
    }
    struct memory_allocation *record = malloc(sizeof *record);
    if (!record)
        return NULL;
    *record = (struct memory_allocation){
        .address = (uint64_t)(uintptr_t)host,
        .bytes = bytes,
        .host = host,
        .kind = MEMORY_HOST,
        .borrowed = borrowed,
    };
    size_t position = host_position(memory, record->address);
    memmove(&memory->hosts[position + 1], &memory->hosts[position],
            (memory->host_count - position) * sizeof memory->hosts[0]);
    memory->hosts[position] = record;
    memory->host_count++;
    return record;
}

static struct memory_allocation *allocate_host(struct memory *memory, uint64_t bytes)
{
    uint8_t *host = backing_allocate_guarded(bytes, HOST_GUARD_BYTES);
    if (!host)
        return NULL;
    struct memory_allocation *record = insert_host(memory, host, bytes, false);
    if (!record)
        backing_free_guarded(host, bytes, HOST_GUARD_BYTES);
    return record;
}

struct memory_allocation *memory_register(struct memory *memory, void *host, uint64_t bytes)
{
    uint64_t address = (uint64_t)(uintptr_t)host;
    if (!host || bytes == 0 || !range_fits(address, bytes, MEMORY_HOST_END))
        return NULL;
    size_t position = host_position(memory, address);
    if (position < memory->host_count) {
        const struct memory_allocation *next = memory->hosts[position];
        if (next->address - guard_bytes(next) < address + bytes)
            return NULL;
    }
    return insert_host(memory, host, bytes, true);
}

static bool free_host(struct memory *memory, uint64_t address)
{
    size_t position = host_position(memory, address);
    if (position == memory->host_count || memory->hosts[position]->address != address)
        return false;
    struct memory_allocation *record = memory->hosts[position];
    memory->host_count--;
    memmove(&memory->hosts[position], &memory->hosts[position + 1],
            (memory->host_count - position) * sizeof memory->hosts[0]);
    release_backing(record);
    record->freed = true;
    free(memory->freed_hosts[memory->freed_host_next]);
    memory->freed_hosts[memory->freed_host_next] = record;
    memory->freed_host_next = (memory->freed_host_next + 1) % FREED_HOST_KEPT;
    return true;
}

static struct memory_allocation *find_host(const struct memory *memory, uint64_t address)
{
    size_t position = host_position(memory, address);
    if (position < memory->host_count) {
        struct memory_allocation *host = memory->hosts[position];
        if (host->address - guard_bytes(host) <= address)
            return host;
    }
    for (size_t i = 0; i < FREED_HOST_KEPT; i++) { /* only reached by an address that is about to be reported */
        struct memory_allocation *host = memory->freed_hosts[i];
        if (host && address >= host->address && address - host->address < host->bytes)
            return host;
    }
    return NULL;
}

/* ---- both --------------------------------------------------------------------------------------------------------- */

struct memory_allocation *memory_allocate(struct memory *memory, uint64_t bytes, enum memory_kind kind)
{
    if (bytes == 0)
        return NULL;
    return kind == MEMORY_HOST ? allocate_host(memory, bytes) : allocate_device(memory, bytes, kind);
}

struct memory_allocation *memory_find(const struct memory *memory, uint64_t address)
{
    uint64_t number = address >> MEMORY_NUMBER_SHIFT;
    if (number >= MEMORY_FIRST_NUMBER) {
        uint64_t index = number - MEMORY_FIRST_NUMBER;
        return index < memory->record_count ? record_at(memory, (uint32_t)index) : NULL;
    }
    return address < MEMORY_HOST_END ? find_host(memory, address) : NULL;
}

/* Allocations freed while the ring is full keep their numbers for good. */
static void keep_number(struct memory *memory, const struct memory_allocation *record)
{
    if (memory->freed_count == QUARANTINE)
        return;
    uint32_t index = (uint32_t)((record->address >> MEMORY_NUMBER_SHIFT) - MEMORY_FIRST_NUMBER);
    memory->freed[(memory->freed_first + memory->freed_count) % QUARANTINE] = index;
    memory->freed_count++;
}

bool memory_free(struct memory *memory, uint64_t address)
{
    if (address < MEMORY_HOST_END)
        return free_host(memory, address);
    struct memory_allocation *record = memory_find(memory, address);
    if (!record || record->freed || record->address != address)
        return false;
    if (!record->pages || record->file)
        memory->used_bytes[record->device] -= record->bytes;
    release_backing(record);
    record->freed = true;
    if (!record->reserved)
        keep_number(memory, record);
    return true;
}

void memory_release_reserved(struct memory *memory, struct memory_allocation *allocation)
{
    memory_free(memory, allocation->address);
    allocation->reserved = false;
    keep_number(memory, allocation);
}

uint8_t *memory_translate(const struct memory *memory, uint64_t address, uint64_t bytes)
{
    const struct memory_allocation *allocation = memory_find(memory, address);
    if (!allocation || allocation->freed || address < allocation->address)
        return NULL;
    uint64_t offset = address - allocation->address;
    if (!range_fits(offset, bytes, allocation->bytes))
        return NULL;
    return mapping_look(allocation->pages, offset, bytes, UINT32_MAX, false) == MAPPING_FINE ? allocation->host + offset
                                                                                             : NULL;
}

uint64_t memory_capacity(const struct memory *memory)
{
    return memory->capacity_bytes;
}

uint64_t memory_used(const struct memory *memory)
{
    return memory->used_bytes[memory->device];
}

size_t memory_count(const struct memory *memory)
{
    return memory->record_count;
}

struct memory_allocation *memory_next_live(const struct memory *memory, size_t *cursor)
{
    while (*cursor < memory->record_count) {
        struct memory_allocation *record = record_at(memory, (uint32_t)(*cursor)++);
        if (!record->freed)
            return record;
    }
    size_t position = *cursor - memory->record_count;
    if (position >= memory->host_count)
        return NULL;
    (*cursor)++;
    return memory->hosts[position];
}
