/* The memory of the emulated device: allocations whose number is in the upper bits of every address.
 *
 * A device address is  number << 40 | 2^39 + offset.  An overrun of up to half a terabyte, in either direction, therefore
 * still names the allocation it started from and can never land in a neighbour, and a freed pointer stays recognisable.
 * Host memory that was allocated or registered through the driver is addressed by its own host pointer (below 2^47).
 * Backing is sparse: untouched pages cost nothing.
 */
#ifndef EMULATOR_MEMORY_H
#define EMULATOR_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum memory_kind {
    MEMORY_DEVICE, /* cuMemAlloc and similar */
    MEMORY_HOST,   /* cuMemHostAlloc, cuMemHostRegister, managed memory: address == host pointer */
    MEMORY_GLOBAL, /* a module's .global variable */
    MEMORY_CONST,  /* a module's .const variable: kernels may not write it */
    MEMORY_PARAM,  /* the parameter block of a launch */
};

/* Bytes of an allocation that a call of the program set, each to the same value. What was stored there since is another one. */
struct memory_fill {
    uint64_t offset, bytes;
    uint8_t value;
    void *place; /* the entry points' own: the call in the program; malloc'd */
};

enum { MEMORY_FILLS = 16 }; /* that are remembered of an allocation: the latest */

struct memory_allocation {
    uint64_t address; /* of byte 0 */
    uint64_t bytes;
    uint8_t *host;       /* backing, bytes long; NULL once freed */
    uint8_t *written;    /* shadow, one bit per byte, 1 = written; NULL when poison is not tracked: other kinds than
                                the first and MEMORY_GLOBAL */
    bool all_written;    /* no byte is poison: set once known, kept true */
    uint8_t store_bytes; /* sizes of the stores that wrote here, while the shadow was looked at: a bit each, 1 to 16 */
    void *races;         /* shadow of the race checker, backing_allocate'd; NULL until needed */
    uint64_t races_bytes;
    uint32_t never_written_in; /* race checker: number of the launch that cannot write here; 0 none */
    uint32_t quiet_in;         /* number of the launch in which no checker needs loads from here; 0 none */
    uint8_t *touched;          /* one bit per 32-byte sector that the running launch touched; NULL until needed; malloc'd */
    uint64_t touched_count;    /* of these bits */
    bool all_touched;          /* all of them */
    enum memory_kind kind;
    uint8_t device; /* whose memory it is: its number; of host memory 0 */
    uint16_t
        open_to; /* of a memory pool: the devices that may access it, a bit each, beside MEMORY_OPEN_TO_NONE of the host's
                         memory; 0: contexts have access to devices */
    bool freed;
    bool read_only;              /* lockstep_protect_memory */
    bool in_heap;                /* malloc or cudaMalloc of a kernel */
    bool reserved;               /* the address is kept while there is no memory behind it: memory_reserve */
    bool borrowed;               /* host belongs to the caller (registered host memory) */
    int file;                    /* shared with other processes: the file that holds it; 0 none */
    struct mapping_pages *pages; /* of a reserved range of addresses: what is mapped there (mapping.h); NULL: ordinary */
    unsigned element_bytes;      /* for indices in findings; 0 unknown */
    uint64_t columns;            /* row length for two-dimensional indices; 0 one-dimensional */
    char name[64];               /* for findings; "" unknown */
    const void *owner;           /* the entry points' own: the context that frees it; NULL for a module's variables */
    void *pool;                  /* … the memory pool that it is from; NULL: none, … */
    unsigned flags;              /* … how it was allocated, … */
    unsigned ordinal;            /* … its ordinal, from 1, … */
    uint64_t launches;           /* … the number of launches before it, … */
    const void *origin[2];       /* … where in the program, and the caller of that, … */
    const void *freed_in[2];     /* … and the same of the call that freed it; NULL: unknown */
    struct memory_fill *fills;   /* [fill_count] in the order of the calls; NULL: none is remembered; malloc'd */
    unsigned fill_count;
};

struct memory;

/* Device addresses: the number of the allocation, and the place of its byte 0 within the range that the number spans.
 * The first numbers are skipped, so that every device address is above all host pointers; [2^47, 2^48) is never handed
 * out. */
#define MEMORY_NUMBER_SHIFT 40
#define MEMORY_ORIGIN       (UINT64_C(1) << 39)
#define MEMORY_FIRST_NUMBER UINT64_C(256)
#define MEMORY_HOST_END     (UINT64_C(1) << 47) /* host pointers are below */

enum { MEMORY_DEVICES = 8 /* at most */, MEMORY_OPEN_TO_NONE = 1 << MEMORY_DEVICES };

/* Creates the memory of all devices, which share one range of addresses.
 *   capacity_bytes   of each device: the limit for all allocations together
 *   track_written    keep the `written` shadow (LOCKSTEP_CHECKS=all)
 * Returns NULL when the host is out of memory. */
struct memory *memory_create(uint64_t capacity_bytes, bool track_written);
void memory_destroy(struct memory *memory);

/* Chooses the device whose memory later allocations take, and whose capacity is asked for. Returns the one before. */
unsigned memory_choose_device(struct memory *memory, unsigned device);
unsigned memory_chosen_device(const struct memory *memory);

/* May a kernel of the device reach the allocation? `reach` has a bit for each device whose memory its context may access.
 * Memory of the host and parameters are for all. */
static inline bool memory_reaches(const struct memory_allocation *allocation, uint32_t reach, unsigned device)
{
    if (allocation->open_to)
        return allocation->open_to >> device & 1;
    return reach >> allocation->device & 1 || allocation->kind == MEMORY_HOST || allocation->kind == MEMORY_PARAM;
}

/* Allocates `bytes` (> 0) of device memory, 256-byte aligned, owned by `memory`. MEMORY_HOST allocates page-aligned host
 * memory whose address is its host pointer. Returns NULL when the capacity or the host's memory is exhausted. */
struct memory_allocation *memory_allocate(struct memory *memory, uint64_t bytes, enum memory_kind kind);

/* Reserves an address for `bytes` (> 0) of device memory that is not there yet: the record is marked freed. Returns NULL as
 * memory_allocate does. */
struct memory_allocation *memory_reserve(struct memory *memory, uint64_t bytes);

/* Puts memory behind a reserved address, as poison. memory_free takes it away and keeps the reservation. Returns false when
 * the capacity or the host's memory is exhausted. */
bool memory_fill_reserved(struct memory *memory, struct memory_allocation *allocation);

/* Gives a reservation up, with the memory behind it. */
void memory_release_reserved(struct memory *memory, struct memory_allocation *allocation);

/* Counts bytes of the chosen device that are in no allocation: physical memory. Returns false when the capacity is exhausted. */
bool memory_take_bytes(struct memory *memory, uint64_t bytes);
void memory_give_bytes(struct memory *memory, unsigned device, uint64_t bytes);

/* Enters caller-owned host memory (cuMemHostRegister). Returns NULL when it overlaps a registered range. */
struct memory_allocation *memory_register(struct memory *memory, void *host, uint64_t bytes);

/* Frees or unregisters the allocation that starts at `address`; the record stays, marked freed, so that later uses of the
 * address are recognised (of host memory the last thousand). Returns false when no live allocation starts there. */
bool memory_free(struct memory *memory, uint64_t address);

/* Finds the allocation that `address` belongs to, live or freed, even when the address is before its start or past its
 * end (host memory: by up to 64 KiB, and never for registered memory). Returns NULL when the address never belonged to
 * one. Calls from several threads may run at once, but not concurrently with memory_allocate, memory_register or
 * memory_free. */
struct memory_allocation *memory_find(const struct memory *memory, uint64_t address);

/* Translates a range that must be wholly inside one live allocation. Returns the host pointer of its first byte, or NULL.
 */
uint8_t *memory_translate(const struct memory *memory, uint64_t address, uint64_t bytes);

/* Marks bytes of an allocation as written (copies, sets) or as poison again. No-ops when poison is not tracked. */
void memory_mark_written(struct memory_allocation *allocation, uint64_t offset, uint64_t bytes);
void memory_mark_poison(struct memory_allocation *allocation, uint64_t offset, uint64_t bytes);

/* The range was filled byte by byte: fills within it are forgotten, and this one is remembered if `place`, which this takes
 * over, is not NULL. */
void memory_note_fill(struct memory_allocation *allocation, uint64_t offset, uint64_t bytes, uint8_t value, void *place);

/* The fill that left the bytes [offset, offset + bytes) as they are; NULL: none that is remembered. */
const struct memory_fill *memory_find_fill(const struct memory_allocation *allocation, uint64_t offset, uint64_t bytes);

/* Looks for poison in [offset, offset + bytes) of an allocation. Returns the offset of the first byte that was never
 * written, or offset + bytes when there is none or poison is not tracked. */
uint64_t memory_first_poison(const struct memory_allocation *allocation, uint64_t offset, uint64_t bytes);
/* The same, but what may be padding between the members of a structure is skipped: a hole before a place where a wider
 * member can begin, too short for one, in memory that stores of that width and narrower ones have filled. *last is the last
 * byte of what is found. */
uint64_t memory_first_hole(const struct memory_allocation *allocation, uint64_t offset, uint64_t bytes, uint64_t *last);

/* May the byte `at`, which was never written, be padding in this sense? What is behind it need not have been written.
 *   written, end    a bit for each byte of some memory, and how many bytes these are
 *   store_bytes     sizes of the stores there, a bit each */
bool memory_may_be_padding(const uint8_t *written, uint64_t end, uint8_t store_bytes, uint64_t at);

/* Was a byte of the range written? True when poison is not tracked. */
bool memory_has_written(const struct memory_allocation *allocation, uint64_t offset, uint64_t bytes);

/* Was this byte written? True when poison is not tracked. */
bool memory_is_written(const struct memory_allocation *allocation, uint64_t offset);

/* Gives the target range the written bits of the source range, as a copy between allocations does. */
void memory_copy_written(struct memory_allocation *target, uint64_t target_offset, const struct memory_allocation *source,
                         uint64_t source_offset, uint64_t bytes);

/* Bytes that cuMemGetInfo reports for the chosen device. */
uint64_t memory_capacity(const struct memory *memory);
uint64_t memory_used(const struct memory *memory);

/* How many allocations there have been: what a walk over the live ones costs grows with it. */
size_t memory_count(const struct memory *memory);

/* Live allocations, for the leak check at exit: *cursor starts at 0. In the order of their creation (until four million
 * allocations later numbers are used again), host memory last. NULL at the end. */
struct memory_allocation *memory_next_live(const struct memory *memory, size_t *cursor);

#endif
