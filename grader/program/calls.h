/* What the emulated driver wrote down about the host side of a program (LOCKSTEP_CALLS). The driver is in the program's own
 * process, so this is evidence, not proof: README.md says what follows from that. */
#ifndef PROGRAM_CALLS_H
#define PROGRAM_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/program/build.h"
#include "runtime/language/ptx/foreign.h"

enum call_kind {
#define HOST_CALL(kind, failure, name, when) CALL_##kind,
#include "runtime/tables/host_calls.def"
#undef HOST_CALL
    CALL_KINDS
};

enum { CALLS_BESIDE = 32, CALLS_FRAMES = 8 };

struct call {
    enum call_kind kind;
    uint64_t number;             /* of its kind, from 1 */
    int result;                  /* the driver's code; 0: success */
    uint64_t address, bytes;     /* of memory */
    uint64_t to_device, to_host; /* bytes that a copy moved */
    uint64_t ends[2];            /* of a copy of one row: the addresses of its target and its source; 0: unknown */
    uint64_t printed, found;     /* bytes that the program had written to its standard output, and the driver as findings */
    uint64_t stored;             /* bytes of the device's memory, by kernels and by cudaMemset, up to here */
    uint64_t shared[2];          /* bytes of memory that the host shares which kernels stored, and read, up to here */
    char kernel[128];
    uint64_t threads; /* of a launch */
    uint64_t blocks, block_threads;
    uint64_t
        beside[CALLS_BESIDE]; /* numbers of earlier launches, of a copy, or of copies, of a launch: nothing orders them */
    int beside_count;
    char stream[40];      /* of work: "stream 2", "the default stream"; "": all work is in order */
    uint64_t piece[2];    /* its stream's place, its number there */
    uint64_t (*after)[2]; /* it comes after that many pieces of the streams in these places; owned; NULL: none */
    size_t after_count;
    /* Of a node of a graph, which is one piece of its stream: the same within the graph, where branches take the place of
     * streams. */
    bool has_branch;
    uint64_t branch[2];
    uint64_t (*branch_after)[2]; /* owned */
    size_t branch_after_count;
    bool is_waited_for, is_pageable; /* of a copy: the host goes on when it is done; its memory is not pinned */
    uint64_t warp_instructions;      /* of a launch */
    uint64_t frames[CALLS_FRAMES];   /* addresses in the program, innermost first */
    int frame_count;
    int line; /* of the source; 0 unknown */
};

/* Bytes that kernels have stored, that the host has put where kernels read them, or an element of a fill. */
enum calls_contents_kind { CONTENTS_KERNEL, CONTENTS_HOST, CONTENTS_FILL };
struct calls_contents {
    enum calls_contents_kind kind;
    uint64_t at;    /* the address of the first byte */
    uint64_t times; /* of a fill: how many elements */
    uint8_t *bytes; /* owned */
    size_t count;
};

/* What kernels of a module that it loaded ask of others, the first of a kind. */
struct calls_foreign {
    bool is_there;
    char name[128];
    int line; /* of the source; 0 unknown */
    int needed, target;
};

struct calls {
    struct call *list; /* owned */
    size_t count, capacity;
    bool cut;                        /* there were more than the driver writes down */
    struct calls_contents *contents; /* owned, in the order of the record */
    size_t contents_count, contents_capacity;
    bool contents_cut; /* not all of it is known */
    struct calls_foreign foreign[PTX_FOREIGN_KINDS];
};

/* Reads text[bytes] and finds the lines. Lines that are not calls are skipped. */
void calls_read(const char *text, uint64_t bytes, const struct build *build, struct calls *calls);
void calls_clear(struct calls *calls);

/* "copy": the row's word, as LOCKSTEP_FAIL wants it; "copy": its name for people; what its failure stands for. */
const char *calls_word(enum call_kind kind);
const char *calls_name(enum call_kind kind);
const char *calls_when(enum call_kind kind);

/* Can such a call be made to fail? */
bool calls_may_fail(enum call_kind kind);

/* What the driver's code is called in the runtime API: "cudaErrorMemoryAllocation"; "error 999" where it has no name. */
void calls_error_name(int result, char *text, size_t text_bytes);

#endif
