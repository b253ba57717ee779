/* The barriers of a program, by source line, and what its launches so far have shown about them: does a conflict need them?
 * A line is one barrier to the student, however often the compiler copied it. checks/race_need.c fills this in.
 */
#ifndef EMULATOR_BARRIER_LINES_H
#define EMULATOR_BARRIER_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code;
struct launch;
struct operation;
struct finding;

enum { BARRIER_LINES_MOST = 64, BARRIER_CHOICES_MOST = 64 }; /* one bit each; any beyond these count as needed */

enum barrier_verdict {
    BARRIER_ABSENT, /* not executed, as far as the launch was followed */
    BARRIER_NEEDED, /* or assumed to be: it may order what cannot be followed */
    BARRIER_NEEDLESS,
    BARRIER_UNKNOWN, /* the launch was not followed to its end, something else is wrong in it, or the barrier is in a loop
                      * that no block has turned twice: what it separates from the next turn was never seen */
};

struct barrier_line {
    const char *file;             /* as in the PTX's .file; NULL unknown. The module's */
    int line, ptx_line;           /* ptx_line: where `line` is unknown */
    bool in_loop;                 /* there is a way back to it in its function */
    bool turned;                  /* a block passed it twice, in some launch that was followed */
    uint64_t passed;              /* how often a block passed it, as far as launches were followed */
    enum barrier_verdict verdict; /* of the latest launch */
    struct finding *finding;      /* its place; NULL: not executed yet, or nothing to report; owned */
};

struct barrier_lines {
    struct barrier_line lines[BARRIER_LINES_MOST];
    size_t count;
    struct barrier_place {
        const struct operation *operation;
        const struct code *code;
        uint32_t line; /* index in lines; BARRIER_LINES_MOST: never reported */
    } *places;         /* [place_count] in the order of the code */
    size_t place_count;
    uint64_t proven;                        /* lines that a conflict needs by themselves */
    uint64_t choices[BARRIER_CHOICES_MOST]; /* a conflict needs one line of each of these sets */
    size_t choice_count;
};

/* The barriers of the launch's program; made at the first call. NULL when out of memory. */
struct barrier_lines *barrier_lines_of(const struct launch *launch);
void barrier_lines_destroy(struct barrier_lines *lines);

/* Which line an operation belongs to; BARRIER_LINES_MOST: none that is reported. */
uint32_t barrier_lines_find(const struct barrier_lines *lines, const struct operation *operation);

#endif
