/* Bytecode: what a function is decoded to. One operation works on the 32 lanes of a warp.
 *
 * Registers are structures of arrays: a register is 32 neighbouring lanes. A frame has three parts, addressed from the
 * warp's bases: `r` (registers of up to 32 bits, 4 bytes per lane), `q` (64 bits, 8 bytes per lane; also parameters of
 * calls, byte-addressed in words of 8) and `p` (predicates, one 32-bit word, bit = lane). Constants are registers that
 * are never written. Because every slot of a part has the same width, frames of lanes at different call depths never share a
 * byte.
 */
#ifndef EMULATOR_BYTECODE_H
#define EMULATOR_BYTECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"
#include "runtime/language/ptx/module.h"

struct warp;
struct operation;
struct code;
struct affine_site;
struct lane_shape;
struct matrix;
struct matrix_rows;
struct texel_site;

typedef const struct operation *operation_run(struct warp *warp, const struct operation *operation);

enum handler {
#define EACH_OPERATION(name) HANDLER_##name,
#include "runtime/emulator/machine/operations.def"
    HANDLER_COUNT
};

enum site_space { SITE_GLOBAL, SITE_SHARED, SITE_LOCAL, SITE_GENERIC };
/* Do threads hand something over by it? An observer's own: counters/handoff.h. */
enum handing { HANDING_UNKNOWN, HANDS_NOTHING, HANDS_OVER, HANDS_AND_TAKES };

enum site_access { SITE_LOAD, SITE_STORE, SITE_ATOMIC, SITE_REDUCTION };

enum shape_kind {
    SHAPE_NONE,       /* nothing cached */
    SHAPE_CONTIGUOUS, /* all 32 lanes, neighbours in memory */
    SHAPE_UNIFORM,    /* all 32 lanes, one address */
    SHAPE_RUNS,       /* all 32 lanes; groups of 4, 8 or 16 neighbours */
    SHAPE_SPLATS,     /* all 32 lanes; groups of 4, 8 or 16 with one address */
    SHAPE_GATHER,     /* anything else */
};

/* Neighbours in memory. */
struct byte_run {
    uint64_t delta; /* of its first byte, to the address of the first active lane */
    uint32_t bytes;
};

/* The relative addresses of the last request of a memory instruction and what follows from them. */
struct shape {
    uint64_t delta[32];   /* of active lanes, to the first active one */
    uint32_t delta32[32]; /* the same, for 32-bit addresses */
    uint32_t mask;        /* active lanes */
    uint32_t first;       /* first active lane */
    int64_t low;          /* smallest delta */
    uint64_t extent;      /* from the smallest to the end of the largest, bytes */
    enum shape_kind kind;
    uint32_t group;                       /* SHAPE_RUNS, SHAPE_SPLATS: lanes per group */
    bool aligned;                         /* every delta is a multiple of the access size */
    uint8_t sectors[32];                  /* by first address modulo 32: distinct sectors; 0 = not counted yet */
    uint8_t wavefronts, wavefronts_ideal; /* shared memory; 0 = not counted yet */
    uint8_t multiplicity;                 /* most lanes with one address; 0 = not counted yet */
    uint8_t run_count;                    /* 0 = not listed yet: footprint_runs() */
    bool sector_steps;                    /* listed with them: all deltas are multiples of 32 */
    struct byte_run runs[32];             /* what the lanes touch, in their order */
    uint32_t version;                     /* a new number for every new shape, for the checkers */
};

/* One memory instruction: what it does, its window of valid addresses, its counters. */
struct memory_site {
    struct shape shape;
    /* window: the allocation or shared array of the last request */
    uint64_t window_address, window_bytes;
    uint8_t *window_host; /* of window_address; shared memory: offset from the block's shared memory */
    struct memory_allocation *allocation;
    /* of an asynchronous copy: the window before, since warps copy different arrays by one instruction; bytes 0: none */
    struct {
        uint64_t address, bytes;
        uint8_t *host;
        struct memory_allocation *allocation;
    } other_window;
    /* of an address in an affine register: the result for its shape (affine.h) */
    const struct lane_shape *known;  /* never NULL; &lane_shape_unknown: nothing */
    uint64_t start_offset;           /* from the register's base to the address of the first active lane */
    uint64_t valid_from, valid_span; /* of that address */
    uintptr_t host_offset;           /* from it to the host; shared memory: to the offset in the block's */
    /* decoded */
    enum site_space space;
    enum site_access access;
    bool address_in_r;   /* the address register is 32 bits wide */
    bool affine_address; /* may the address be in an affine register? */
    bool signed_extend;
    bool strong, is_volatile, read_only_path;
    bool is_used;       /* of a load: no select can drop the value of a lane; set by the checkers */
    bool knows_dropped; /* of a load: is `dropped` set? */
    uint8_t dropped;    /* bit i: no instruction takes element i, which widened the load for the hardware's sake */
    bool constant;      /* of constant memory or parameters: not what a profiler calls global */
    bool release, acquire;
    uint8_t scope;         /* 0 cta, 1 gpu, 2 sys */
    uint8_t bytes, vector; /* of an element; elements */
    uint8_t request_bytes; /* of a lane: bytes * vector, a power of two */
    bool wide[8];          /* element goes to or comes from `q` */
    uint32_t data[8];      /* register offsets; UINT32_MAX: dropped */
    int64_t offset;
    uint8_t atomic;        /* enum atomic_operation */
    int32_t skips_outside; /* as the instruction (ptx/module.h): no finding, no fault; every request is slow */
    enum ptx_type type;
    const struct texel_site *texel; /* of a texture or surface, which also sets bytes, vector and request_bytes; else NULL */
    uint32_t index;                 /* in code->sites */
    uint32_t number;                /* in the program, from 1; set by the checkers */
    uint64_t touched_start;         /* of the latest request whose sectors were marked */
    uint32_t touched_version;       /* of its shape; 0: none in this launch */
    uint8_t whole;                  /* an observer's own: observe/fills.c; 0: not asked yet */
    uint8_t handing;                /* an observer's own: counters/handoff.h; 0: not asked yet */
    /* counters of the launch */
    uint64_t requests, units, serialised, conflicts; /* units: sectors or wavefronts */
    uint64_t arrived, exposed;                       /* bytes of asynchronous copies: async.h */
    struct {
        uint32_t units, mask; /* units 0: none yet */
        uint64_t offset[32];  /* in the array; of shared memory, in the block's */
    } worst;                  /* the request that took most units: shown to the student */
};

/* Instructions of a lane, and from this bit on those of them that lead to a result (useful.h). */
enum { USEFUL_SHIFT = 36 };

struct branch_counters {
    uint64_t warps, absent; /* entries into the basic block, and the lanes that were not active then */
    uint64_t weight;        /* decoded: what one lane's entry adds to its instructions */
};

/* In `extra` of special_b32 and special_b64, with the enum ptx_special: of a loop that only waits for a time to come. */
enum { SPECIAL_WAITS = 1 << 16 };

struct operation {
    operation_run *run;
    uint32_t d, a, b, c; /* byte offsets in r or q, or indices in p; meaning is the handler's */
    union {
        uint64_t immediate;
        const struct operation *target;
        struct memory_site *site;
        struct call_site *call;
        struct branch_counters *counters;
        struct affine_site *affine;
        const struct matrix *matrix;
        const struct matrix_rows *rows;
    };
    const struct operation *reconverge; /* of a branch: where both sides meet again; NULL: nowhere */
    uint32_t extra;                     /* rounding mode, count of instructions of a block … */
    uint16_t handler;                   /* enum handler */
    bool negated;
    bool is_affine;      /* reads or writes affine registers */
    int32_t instruction; /* index in function->instructions; -1 none */
};

struct call_site {
    const struct code *caller, *callee;  /* callee NULL: indirect */
    const struct ptx_function *external; /* vprintf, malloc …; NULL */
    int provided;                        /* its number: library_find() */
    uint32_t argument_count, result_count;
    struct call_copy {
        uint32_t from, to, words;
    } *arguments, *results; /* byte offsets in q, of caller and callee */
};

/* A register that is filled when a frame is made. */
struct constant {
    enum { CONSTANT_R, CONSTANT_Q, CONSTANT_P } part;
    enum { CONSTANT_VALUE, CONSTANT_PARAMETER, CONSTANT_SPECIAL } source; /* the last two: in entries only */
    uint32_t offset;
    uint64_t value; /* the value; offset in the parameter block; enum ptx_special */
    uint8_t bytes;  /* CONSTANT_PARAMETER: size, and whether it is extended by its sign */
    bool is_signed;
};

/* A shared array as a kernel sees it: found by the upper bits of its address. */
struct shared_array {
    const struct ptx_variable *variable;
    uint32_t slot;   /* address >> SHARED_SLOT_BITS */
    uint32_t offset; /* in the block's shared memory */
    uint32_t bytes;
    bool dynamic;
};

/* Shared addresses are sparse, so that an index beyond one array never lands in another:
 * slot << 20 | 2^19 + offset. */
enum { SHARED_SLOT_BITS = 20, SHARED_SLOT_BASE = 1 << 19, SHARED_MAX_SLOTS = 4095 };
#define SHARED_WINDOW   UINT64_C(0x4000000000000000) /* generic address of shared address 0 */
#define LOCAL_WINDOW    UINT64_C(0x5000000000000000)
#define WINDOW_MASK     UINT64_C(0xFFFFFFFF00000000)
#define FUNCTION_WINDOW UINT64_C(0x6000000000000000) /* address of function k: FUNCTION_WINDOW + 16 * k */

/* A register that may be read before it is written; its offset is that of an operand. In r where it is neither. */
struct unset_register {
    uint32_t offset;
    bool is_predicate, is_wide;
};

/* What an instruction gave, or did to memory, in the executions that were looked at: an observer's own
 * (record/outcomes.h), for useful.h. */
struct outcome {
    uint64_t first; /* its first result */
    bool seen;
    bool varies;     /* another result came after it */
    uint8_t differs; /* bit i: at least once, the result was not the value of source i of the operation (a, b, c) */
    bool changes;    /* of a store or an atomic operation: at least once, memory was another after it */
    bool left_out;   /* by useful_weigh, because of these */
};

/* A decoded function. Lives in the program's arena. */
struct code {
    const struct ptx_function *function;
    const struct program *program;
    struct operation *operations;
    size_t operation_count;
    uint32_t r_bytes, q_bytes, p_words;   /* size of a frame */
    uint32_t return_slot;                 /* byte offset in q of the caller's call operation; functions only */
    uint32_t parameter_slot, result_slot; /* byte offsets in q of incoming parameters and results; functions only */
    uint32_t local_bytes;                 /* of the frame, per lane */
    struct constant *constants;
    size_t constant_count, constant_capacity;
    struct memory_site *sites;
    size_t site_count;
    struct branch_counters *block_counters;
    size_t block_count;
    uint32_t *block_of_instruction; /* [instruction_count] */
    uint8_t *reached;               /* [instruction_count] for useful.h: some thread has executed it; all are until it ran */
    bool ran;                       /* in a launch that was counted */
    struct outcome *outcomes;       /* [instruction_count] */
    struct shared_array *shared;    /* entries only */
    size_t shared_count;
    uint32_t shared_bytes;                           /* static */
    uint32_t shared_align;                           /* of dynamic shared memory */
    uint32_t stack_r, stack_q, stack_p, stack_local; /* deepest call chain, frames included; entries only */
    bool recursive;                                  /* a call chain has no static bound */
    struct unset_register *unset;                    /* entries only */
    size_t unset_count;
};

#endif
