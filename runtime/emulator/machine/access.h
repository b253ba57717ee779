/* Memory requests of a warp: the cold parts, shared by all executors. */
#ifndef EMULATOR_ACCESS_H
#define EMULATOR_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/machine/warp.h"

enum atomic_operation {
    ATOMIC_ADD,
    ATOMIC_INC,
    ATOMIC_DEC,
    ATOMIC_MIN,
    ATOMIC_MAX,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_EXCH,
    ATOMIC_CAS,
};

/* Performs the request lane by lane: finds each lane's memory, reports what is wrong (the lane is then suppressed, a load
 * gives 0), and sets the site's window to the allocation that the request touched, if it was a single one. */
void access_slow(struct warp *warp, const struct operation *operation);

/* The memory that a lane's request reaches. */
struct finding;

struct access_target {
    uint8_t *place;                       /* NULL: suppressed */
    uint64_t window, window_bytes;        /* as the program addresses it */
    uint8_t *window_host;                 /* shared: offset in the block's shared memory */
    struct memory_allocation *allocation; /* NULL: shared or local */
    bool local;
};

/* Finds the `bytes` from `address` on; the site gives space, direction and alignment. Errors are reported. The range
 * in local memory is always that of the site. */
struct access_target access_find(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t address,
                                 uint64_t bytes);

/* The shared array that holds an offset of the block's shared memory, or NULL; *base: where it begins (0). */
const struct shared_array *access_shared_array(const struct launch *launch, uint64_t offset, uint64_t *base);
/* The one that an address of the shared space belongs to, valid or not; NULL. */
const struct shared_array *access_find_shared(const struct launch *launch, uint32_t address);
/* Bytes of an element as the source declares the array, where an access of `bytes` bytes is made of such elements; else
 * `bytes`. A fragment of halves is loaded two at a time. */
unsigned access_shared_element(const struct launch *launch, const struct shared_array *array, unsigned bytes);

/* Where an array begins in the block's shared memory, and how many bytes it has in this launch. */
static inline uint64_t access_shared_base(const struct launch *launch, const struct shared_array *array)
{
    return array->dynamic ? launch->dynamic_offset : array->offset;
}
static inline uint64_t access_shared_bytes(const struct launch *launch, const struct shared_array *array)
{
    return array->dynamic ? launch->request->dynamic_shared_bytes : array->bytes;
}

/* Offset in the block's shared memory of an address that was found valid (generic or in the shared space). */
uint64_t access_shared_offset(const struct launch *launch, uint64_t address);

/* Address of each active lane, as the program sees it (shared: in the shared space). */
void access_addresses(const struct warp *warp, const struct operation *operation, uint64_t address[WARP_LANES]);

/* Is it a load, a store or an atomic of memory that other threads see? */
bool access_is_request(const struct operation *operation);

/* Performs an atomic of integers on one place. Returns the old value. Operands are the bits of the type. */
uint64_t access_atomic(enum atomic_operation operation, enum ptx_type type, void *place, uint64_t b, uint64_t c);

/* One lane's share of a request, at its host address; loads write the registers, stores read them. */
void access_lane(struct warp *warp, const struct operation *operation, unsigned lane, uint8_t *place);

/* Writes a name for the allocation's array into the finding: its label, else the kernel's parameter that points into it.
 */
void access_name_array(const struct warp *warp, const struct memory_allocation *allocation, struct finding *finding);

/* The next access at a site, or at every site of a program, looks again where its address leads. Returns how many sites
 * the program has. */
struct program;
void access_forget_window(struct memory_site *site);
size_t access_forget_windows(const struct program *program);

#endif
