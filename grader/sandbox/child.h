/* Child processes that touch what the student wrote: one compiles, one runs. The grader itself does neither.
 *
 * A child has its own process group and no file descriptors but its own; what it may do is in sandbox.h.
 */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "grader/sandbox/sandbox.h"

/* Descriptors are the parent's; -1 when closed. The four files are anonymous memory that both sides see. */
struct child {
    pid_t pid;
    int channel;  /* records in both directions */
    int findings; /* what the driver writes through LOCKSTEP_FINDINGS */
    int counters; /* what the driver writes through LOCKSTEP_COUNTERS */
    int output;   /* the child's stdout: the student's printf */
    int log;      /* the child's stderr */
};

/* What the child does; it ends when this returns. `context` is the parent's memory at the moment of the fork. */
typedef void child_body_fn(void *context);

/* How a child ends that could not be confined, or lost its parent, before it did anything. */
enum { CHILD_EXIT_UNCONFINED = 120, CHILD_EXIT_ORPHAN };

/* Starts a child in the first half of this layer; its body closes the layer (sandbox_close) before it touches a submission.
 * Returns false when the machine cannot (errno says why). */
bool child_start(struct child *child, enum sandbox_layer layer, child_body_fn *body, void *context);

/* What a child does first: moves these descriptors (-1: /dev/null) to their numbers and begins the layer. */
bool child_settle(const struct child *child, enum sandbox_layer layer);

/* How a child ended, for messages. */
struct child_end {
    bool signalled;
    int code;             /* signal number, or exit status */
    uint64_t resident_mb; /* memory that it, or one of the processes that it waited for, had at its peak */
};

/* Kills the child's whole process group and reaps it; the memory files stay readable. `end` may be NULL (then the child gets
 * no moment to end by itself). Doing it twice is harmless. */
void child_kill(struct child *child, struct child_end *end);

/* Asks the child to end and gives it a moment: the emulated driver then writes what it has found in the running launch.
 * child_kill comes after it in any case. */
void child_ask_to_end(struct child *child);

/* child_kill, and closes the descriptors. */
void child_stop(struct child *child, struct child_end *end);

/* Processor time that the child itself has used, all its threads together; 0 when it is gone. */
int64_t child_processor_ms(const struct child *child);

/* How long the thread that had to wait longest for a processor has waited for one, ready to run, on a machine that is busy with
 * other things; -1 where the kernel does not say. */
int64_t child_starved_ms(const struct child *child);

/* Bytes that a memory file holds now; 0 when it has none. */
uint64_t child_file_bytes(int file);

/* Reads a memory file, at most max_bytes. Returns heap memory with a NUL after the end; *bytes is its length. */
char *child_file_read(int file, uint64_t max_bytes, uint64_t *bytes);

/* Empties a memory file. */
void child_file_clear(int file);

#endif
