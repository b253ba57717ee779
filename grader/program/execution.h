/* Runs a command in a process of its own that cannot get out (grader/sandbox): a compiler over a program's source, or
 * the program itself, which is the submission's native code. */
#ifndef PROGRAM_EXECUTION_H
#define PROGRAM_EXECUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/sandbox/child.h"

/* What is run; borrowed. */
struct execution_request {
    enum sandbox_layer layer;
    const char *folder;               /* the working folder */
    char *const *arguments;           /* [0] is the path of the program; ends with NULL */
    char *const *environment;         /* all that it has; ends with NULL */
    const struct sandbox_path *paths; /* all files that it may open */
    size_t path_count;
    const char *input; /* its standard input; NULL: empty */
    size_t input_bytes;
    int wall_ms;
};

/* Under these numbers it finds two files to append to: what LOCKSTEP_FINDINGS and LOCKSTEP_CALLS name. */
#define EXECUTION_FINDINGS "/proc/self/fd/4"
#define EXECUTION_CALLS    "/proc/self/fd/5"

enum { EXECUTION_OUTPUT_BYTES = 64 << 20 };

struct execution {
    bool started;             /* false: it has not become the program; `message` says why */
    int refused;              /* errno with which the system refused this file as a program; 0: it was not */
    bool timed_out;           /* by the wall clock */
    bool is_last;             /* set by program_run: it was given what was left to all runs together */
    int64_t had_ms;           /* time that it has had, apart from waiting for a processor; 0: hardly any */
    enum sandbox_layer layer; /* that it ran in */
    struct child_end end;
    char *output, *errors, *findings, *calls; /* owned, with a NUL after the end */
    uint64_t output_bytes, errors_bytes, findings_bytes, calls_bytes;
    char message[256];
};

/* Runs it to its end, or until its time is up. */
void execution_run(const struct execution_request *request, struct execution *execution);
void execution_clear(struct execution *execution);

#endif
