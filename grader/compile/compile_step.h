/* The compile step: a child process that runs NVRTC over the student's source and tells what came of it.
 *
 * The child also reads PTX and source for entry points, constants and signatures, so that the grader itself parses nothing
 * that the student wrote.
 */
#ifndef COMPILE_STEP_H
#define COMPILE_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/compile/signature.h"
#include "grader/lab/lab.h"
#include "runtime/language/ptx/summary.h"
#include "runtime/lockstep.h"

#define COMPILE_SOURCE_BYTES_MAX (256u << 10)
#define COMPILE_PTX_BYTES_MAX    (4u << 20)
#define COMPILE_DIAGNOSTICS_MAX  100

enum compile_outcome {
    COMPILE_DONE,     /* ptx is there */
    COMPILE_REJECTED, /* the source does not compile, or calls what the lab does not allow: diagnostics */
    COMPILE_LIMITS,   /* the compiler died or took too long over this source */
    COMPILE_HARNESS,  /* no NVRTC, or our fault: message */
};

/* One kernel of the lab in the student's file. */
struct compile_kernel {
    bool found_in_source; /* `student` was read from the source */
    struct signature student;
    enum signature_verdict verdict; /* meaningful when the PTX has the kernel */
    char message[1024];             /* what differs; empty for a match; where the PTX lacks it, why, or empty */
};

struct compile_result {
    enum compile_outcome outcome;
    char message[2048]; /* for COMPILE_LIMITS and COMPILE_HARNESS */
    char *ptx;          /* [ptx_bytes] and a NUL; owned; NULL unless COMPILE_DONE */
    size_t ptx_bytes;
    lockstep_diagnostic *diagnostics; /* owned */
    size_t diagnostic_count;
    char *seen; /* the source as the compiler saw it (lockstep_compiled), as long as the source; owned; NULL: as it is */
    bool seen_unknown;
    bool from_cache;
    uint64_t *fingerprint; /* [fingerprint_count], of the PTX (fingerprint.h); owned; NULL unless COMPILE_DONE */
    size_t fingerprint_count;
    struct ptx_summary summary;                         /* without bodies; owned */
    struct compile_kernel kernels[LAB_MAX_ALL_KERNELS]; /* in the order of lab->kernels */
};

struct compile_input {
    const char *source; /* [source_bytes], NUL after the end */
    size_t source_bytes;
    const char *file_name;           /* as findings and diagnostics show it */
    const struct lab *lab;           /* NULL: a source of the kit's own, of no lab */
    const lockstep_compiled *cached; /* from compile_step_find_cached; borrowed; NULL: compile */
    bool unoptimized;                /* as for a debugger: the program does all that the source says */
};

/* Looks the source up in the cache of compiled modules, which only the grader itself reads and writes: never the child,
 * whose compiler works on hostile text. On a hit fills `compiled` (lockstep_compiled_clear) and returns true. */
bool compile_step_find_cached(const struct compile_input *input, lockstep_compiled *compiled);

/* Compiles in a child of the compile server: CPU 10 s, wall clock 15 s (longer on a busy machine), address space bounded.
 * `result` is zero or was used before; clear it with compile_step_clear. */
void compile_step(const struct compile_input *input, struct compile_result *result);
void compile_step_clear(struct compile_result *result);

#endif
