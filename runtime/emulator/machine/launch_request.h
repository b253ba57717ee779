/* The input of a launch, and its result. */
#ifndef EMULATOR_LAUNCH_REQUEST_H
#define EMULATOR_LAUNCH_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/machine/memory.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/settings/profile.h"

struct device_port;
struct executor;
struct hooks;
struct past;
struct words;
struct texture;

struct launch_request {
    const struct program_function *function;
    const struct profile *profile;
    struct memory *memory;
    unsigned device;            /* on which the kernel runs: its number */
    uint32_t reach;             /* a bit for each device whose memory the kernel may access */
    uint32_t grid[3], block[3]; /* blocks, threads */
    uint32_t cluster[3];        /* blocks of a cluster, as the launch asks for them; 0 0 0: it does not */
    uint32_t dynamic_shared_bytes;
    uint32_t dynamic_shared_limit;   /* CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES; 0 when never set */
    const void *parameters;          /* [function->parameter_bytes], borrowed */
    bool cooperative;                /* all blocks resident */
    uint32_t printf_bytes;           /* CU_LIMIT_PRINTF_FIFO_SIZE */
    uint32_t stack_bytes;            /* CU_LIMIT_STACK_SIZE, local memory for calls */
    uint32_t heap_bytes;             /* CU_LIMIT_MALLOC_HEAP_SIZE */
    const struct executor *executor; /* runs operations one by one: with hooks, at the program's level */
    const struct hooks *hooks;       /* NULL: no observers */
    const struct words *words;       /* for findings */
    /* The texture or surface object with that handle; NULL when there is none. */
    const struct texture *(*find_texture)(uint64_t handle);
    const struct device_port *port; /* for work that the kernel gives to its own device */
    uint32_t chain;                 /* launches by kernels that led to this one; 0: the host launches it */
    uint32_t depth;                 /* of these, those that are not complete before this one is */
    const char *origin;             /* of a launch by a kernel: who launches it, a sentence for findings; NULL */
    struct past *past;              /* the observers' own: hooks.h, launches; NULL */
    struct finding *refusal;        /* out: why the launch is refused; NULL: reported */
    uint64_t *executed;             /* out: instructions that warps executed are added; NULL */
};

/* In the order of severity. The entry points translate each to the CUresult that a GPU gives. */
enum launch_status {
    LAUNCH_OK,
    LAUNCH_REFUSED,          /* CUDA_ERROR_INVALID_VALUE at the call: zero or too large grid or block */
    LAUNCH_OUT_OF_RESOURCES, /* CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES at the call */
    LAUNCH_TOO_LARGE,        /* CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE at the call */
    LAUNCH_BAD_CLUSTER,      /* CUDA_ERROR_INVALID_CLUSTER_SIZE at the call */
    LAUNCH_OUT_OF_MEMORY,    /* the host ran out of memory for the emulation: CUDA_ERROR_OUT_OF_MEMORY */
    LAUNCH_ILLEGAL_ADDRESS,  /* 700 at the next synchronisation, as all below */
    LAUNCH_MISALIGNED,       /* 716 */
    LAUNCH_ASSERT,           /* 710 */
    LAUNCH_FAILED,           /* 719: trap, deadlock, bad barrier or mask */
    LAUNCH_TIMEOUT,          /* 702: out of fuel */
};

#endif
