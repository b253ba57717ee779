/* Poison: values from memory that was never written. Bit-precise in registers, byte-precise in memory. Rules: README.md. */
#ifndef EMULATOR_POISON_H
#define EMULATOR_POISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/emulator/findings/finding.h"
#include "runtime/emulator/machine/operands.h"
#include "runtime/emulator/machine/warp.h"
#include "runtime/emulator/observe/poison/poison_partial.h"

enum { POISON_R_SHIFT = 7, POISON_Q_SHIFT = 8 }; /* bytes of a register: 32 lanes of 4 or 8 */

/* Beside the number of an origin: all that its load met may be padding of structures, and since then it has only been moved. */
#define POISON_PADDING UINT32_C(0x80000000)

/* The poison of a warp's registers, laid out like the registers. A register has a word with one bit for each lane that
 * has any poison; the bits of the value are valid only where that bit is set. */
struct async_landing;

struct poison_warp {
    uint32_t *any_r, *any_q, *any_p;
    uint32_t *bits_r; /* as warp->r_base */
    uint64_t *bits_q;
    uint32_t *origin_r, *origin_q, *origin_p; /* number of the load that read the poison; may have POISON_PADDING */
    uint32_t carry;                           /* of the condition code, one bit per lane */
    uint32_t unsure, unsure_origin;           /* lanes that may or may not execute the current guarded operations */
    struct poison_block *block;
    uint8_t *local_written; /* one bit per byte, as warp->local */
};

/* A store of poison to shared or local memory: its origin, for later loads. */
struct poison_passed {
    const uint8_t *written; /* the shadow that the place belongs to; NULL: no store yet */
    uint64_t word;
    uint32_t origin; /* may have POISON_PADDING */
};

enum { POISON_PASSED_LOCAL = 1024 }; /* of the block's local memory, by place: the last ones are kept */

struct poison_block { /* of a slot */
    struct poison *poison;
    uint8_t *shared_written;       /* one bit per byte, 1 = written */
    struct poison_partial partial; /* bytes of shared and local memory, by the place of their bit */
    struct poison_warp *warps;     /* [warps_per_block] */
    struct poison_passed *passed;  /* [passed_count] POISON_PASSED_LOCAL, then one for each word of shared memory */
    size_t passed_count;
    bool any_passed;
    uint8_t shared_stores, local_stores; /* sizes of the stores there: a bit each, 1 to 16 bytes */
    uint8_t *memory;                     /* behind all of this */
    uint64_t bytes;
    struct poison_block *next;
};

struct poison_origin { /* the first poison that a load read, or a shuffle that read from a lane outside it */
    const struct operation *operation;
    char array[64];
    int64_t index, columns; /* of a shuffle: the lane */
    int line;               /* of an earlier load, whose value was stored where this one read; 0: none */
    const char *lane;       /* of a shuffle: why that lane gives no value */
    char file[256];
    char unwritten[64]; /* what that load read: the array that was never written; "" unknown, or no earlier load */
    int64_t unwritten_index;
    enum poison_space { POISON_GLOBAL, POISON_SHARED, POISON_LOCAL } space; /* that the load read */
    unsigned bytes, bytes_written; /* of the element; of these, how many were written */
    uint8_t store_bytes;           /* with POISON_PADDING: sizes of the stores to where that load read, a bit each */
};

/* What lanes give to one another: shuffle, vote, match, redux. */
struct poison_exchange {
    uint32_t lanes;              /* that take part */
    uint32_t poisoned, doubtful; /* of them: whose value is poison; which may read from any lane (a shuffle) */
    uint32_t votes;              /* who votes yes */
    uint32_t origin;             /* number of the load that read the poison */
    uint64_t bits[32];           /* of the poisoned values */
    uint8_t asked[32];           /* by each lane of a shuffle */
};

struct poison {
    struct launch *launch;
    struct poison_exchange exchange; /* at hand */
    struct poison_block *blocks;
    struct poison_origin *origins; /* [site_count + 3], by number of the site; and these two: */
    uint32_t no_load;              /* remains empty: the origin of registers that were never written */
    uint32_t undefined;            /* the first shuffle that read from a lane outside it */
    struct poison_group *groups;
    size_t group_count;
};

/* ---- poison_launch.c ---- */

struct poison *poison_start(struct launch *launch, size_t site_count); /* NULL when out of memory */
void poison_end(struct poison *poison);
bool poison_block_start(struct poison *poison, struct block *slot);
/* A barrier has completed: checks whether all of shared memory has been written. */
void poison_barrier(struct poison *poison, struct block *slot);

/* ---- poison.c ---- */

/* Of the launch: every warp has its poison_warp once its block has begun. */
static inline struct poison *poison_of(const struct warp *warp)
{
    return warp->poison->block->poison;
}

/* Carries the poison of an operation's sources to its destination, before the operation runs. Only where warp->watches is
 * not 0. */
void poison_step(struct warp *warp, const struct operation *operation);
/* The same for shuffle, vote, match and redux, once their lanes have come: each group of lanes gives (first: of an
 * exchange), before registers change, and then gets. In poison_exchange.c. */
void poison_give(struct warp *warp, const struct operation *operation, bool first);
void poison_get(struct warp *warp, const struct operation *operation);
/* The same for a block barrier with a result, when it completes. */
void poison_reduce(struct block *block, const struct launch *launch, uint32_t number);

/* Poison of a register: the lanes that have any; one lane's bits. */
uint32_t poison_lanes(const struct warp *warp, enum operand_part part, uint32_t offset);
uint64_t poison_bits(const struct warp *warp, enum operand_part part, uint32_t offset, unsigned lane);
uint32_t poison_origin(const struct warp *warp, enum operand_part part, uint32_t offset);
/* The same for an operation that only moves it: with POISON_PADDING, where all of the register's poison may be padding. */
uint32_t poison_origin_moved(const struct warp *warp, enum operand_part part, uint32_t offset);
/* Makes a lane's value poison in `bits` (0: clean). A predicate is poison when bits is not 0. */
void poison_set(struct warp *warp, enum operand_part part, uint32_t offset, unsigned lane, uint64_t bits, uint32_t origin);
/* Makes the register clean in `lanes`. */
void poison_clear(struct warp *warp, enum operand_part part, uint32_t offset, uint32_t lanes);

/* ---- poison_transfer.c ---- */

/* Which bits of a result are poison, when the sources have the values v and the poison bits p. Comparisons: 0 or not. */
typedef uint64_t poison_rule(const struct operation *operation, const uint64_t v[4], const uint64_t p[4]);
poison_rule poison_transfer; /* by the operation's row, which must not be BY_HAND */
poison_rule poison_convert, poison_insert;
/* Does the operation leave the bits that it takes from its sources as they are, wherever it puts them? */
bool poison_is_move(const struct operation *operation);

/* ---- poison_matrix.c ---- */

/* The same as poison_step() for the matrix operations that move elements between lanes, or multiply. */
void poison_matrix(struct warp *warp, const struct operation *operation);

/* ---- poison_memory.c: called for each request, before its data moves ---- */

void poison_request(struct poison *poison, struct warp *warp, const struct operation *operation, uint64_t start);
void poison_request_lanes(struct poison *poison, struct warp *warp, const struct operation *operation,
                          const uint64_t address[32], uint32_t valid);

/* The lanes read texels that their results are made of: where one was never written, all of the lane's result is poison. */
void poison_texels(struct warp *warp, const struct operation *operation, const uint64_t address[32], uint32_t valid);

/* A lane prints from its local memory. */
void poison_print(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t offset, unsigned bytes);

/* From now on all of the allocation's bytes are poison, or all are written. */
void poison_forget_parts(const struct memory_allocation *allocation);
/* Bytes of the block's shared memory count as written. */
void poison_mark_shared(struct warp *warp, uint64_t offset, uint64_t bytes);
/* An asynchronous copy has been done: the target is poison where the source was. */
void poison_copy(struct warp *warp, const struct async_landing *landing);

/* ---- poison_report.c ---- */

enum poison_use { POISON_ADDRESS, POISON_BRANCH, POISON_ATOMIC_OPERAND, POISON_STORE_GUARD, POISON_PRINT };

/* Poison of `origin` reaches something that matters, in each of the lanes. */
void poison_report_use(struct warp *warp, const struct operation *operation, uint32_t lanes, uint32_t origin,
                       enum poison_use use);
/* An atomic on memory that was never written, at an offset of the allocation (NULL: of shared memory). */
void poison_report_atomic(struct warp *warp, const struct operation *operation, unsigned lane,
                          struct memory_allocation *allocation, uint64_t offset);
/* A shuffle reads from a lane that takes no part in it: the result is undefined. Returns the number of that origin. */
uint32_t poison_undefined_lane(struct warp *warp, const struct operation *operation, unsigned asked);
/* A poisoned value is stored to an allocation: remembered until the host or a later launch reads it. */
void poison_note_store(struct warp *warp, const struct operation *operation, unsigned lane, uint32_t origin,
                       struct memory_allocation *allocation, uint64_t offset);
/* Name and index of a place: in an allocation, or (NULL) in the block's shared memory. */
unsigned poison_name_place(const struct warp *warp, const struct operation *operation, struct memory_allocation *allocation,
                           uint64_t offset, struct finding *finding);
void poison_flush(struct poison *poison);

/* The store of poison, of this launch or an earlier one, that the place's value comes from; NULL: none is remembered. */
const struct finding *poison_find_store(const struct poison *poison, const struct memory_allocation *allocation,
                                        uint64_t offset);

/* [offset, offset + bytes) of an allocation is looked at: reports the stores of poison that are still there, each
 * once.
 * Returns how many it reported. */
unsigned poison_look(const struct memory_allocation *allocation, uint64_t offset, uint64_t bytes);
/* Forgets the stores to an allocation. */
void poison_forget(const struct memory_allocation *allocation);

#endif
