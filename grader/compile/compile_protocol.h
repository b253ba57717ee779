/* Records between the compile step and its child, a fork of the compile server. Both ends are the same program. */
#ifndef COMPILE_PROTOCOL_H
#define COMPILE_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/lab/lab.h"
#include "runtime/lockstep.h"

#define COMPILE_NAME_BYTES 4096

/* To the child: a struct compile_request, then source, PTX and the source as the compiler saw it, each with a NUL after it. From
 * the child: the others. */
enum compile_record {
    COMPILE_RECORD_REQUEST = 1,
    COMPILE_RECORD_STATUS,
    COMPILE_RECORD_SEEN,
    COMPILE_RECORD_DIAGNOSTIC,
    COMPILE_RECORD_SUMMARY,
    COMPILE_RECORD_KERNEL,
    COMPILE_RECORD_FINGERPRINT,
    COMPILE_RECORD_PTX,
    COMPILE_RECORD_DONE,
};

/* A kernel of the lab, as its contract has it. The child was forked from a server that may be older than the lab. */
struct compile_contract {
    char name[64];
    char signature[512];
};

struct compile_request {
    char file_name[COMPILE_NAME_BYTES];
    struct compile_contract kernels[LAB_MAX_ALL_KERNELS];
    int kernel_count;                 /* 0: the kit's own kernels */
    uint64_t source_bytes, ptx_bytes; /* PTX: what the cache had; 0: compile */
    uint64_t seen_bytes;              /* what the cache had; 0: nothing is left out */
    bool seen_unknown;
    bool unoptimized;    /* as for a debugger */
    bool device_runtime; /* kernels may launch kernels */
};

struct compile_status {
    lockstep_status status;
    lockstep_error error;
    char library[512];         /* the NVRTC that compiled */
    bool seen_unknown;         /* of lockstep_compiled */
    bool headers_out_of_reach; /* the source asks for headers of the toolkit, and nothing can be opened here */
};

/* What the server knows when it forks. */
struct compile_child_start {
    int version; /* of NVRTC; 0: not loaded, and then status and error say why */
    lockstep_status status;
    lockstep_error error;
    char library[512];
    char folders[2][512]; /* with the toolkit's headers; "": none */
};

/* The request that both halves compile with. */
lockstep_compile_request compile_request_for(const char *source, size_t source_bytes, const char *file_name,
                                             bool unoptimized, bool device_runtime);

/* What the child does. It locks itself in before it takes the request from its channel. */
void compile_child_body(const struct compile_child_start *start);

#endif
