/* From a program's source to an executable file, in a folder of its own that is removed at the end. */
#ifndef PROGRAM_BUILD_H
#define PROGRAM_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/compile/submission.h"
#include "grader/program/tools.h"
#include "runtime/lockstep.h"

struct build {
    char folder[TOOLS_PATH_BYTES]; /* "": none was made */
    char source[256];              /* name of the source in it: that of the submission's file */
    char program[TOOLS_PATH_BYTES + 16];
    char emulated[TOOLS_PATH_BYTES]; /* folder of the emulated driver and its runtime library */
    bool built;
    bool harness;                     /* it is not the source that is wrong: this machine, or the kit */
    char message[1024];               /* why it was not built */
    lockstep_diagnostic *diagnostics; /* of the compiler; owned */
    size_t diagnostic_count;
};

/* Builds it. What the compiler says is in the diagnostics whether it succeeds or not; places in the submission's own file have
 * its path as the user gave it. */
void build_program(const struct submission *submission, struct build *build);

/* Lines of the source, by addresses in the program: one for each address, 0 where it is no line of the source. Returns false when
 * the machine cannot tell. */
bool build_find_lines(const struct build *build, const uint64_t *addresses, size_t count, int *lines);

/* Removes the folder with all that is in it. */
void build_clear(struct build *build);

#endif
