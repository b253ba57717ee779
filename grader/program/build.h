/* From a program's source to an executable file, in a folder of its own that is removed at the end. */
#ifndef PROGRAM_BUILD_H
#define PROGRAM_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/base/scratch.h"
#include "grader/compile/submission.h"
#include "grader/program/tools.h"
#include "runtime/lockstep.h"

struct build {
    struct scratch scratch;        /* the folder: it goes with this process, however that ends */
    char folder[TOOLS_PATH_BYTES]; /* its path; "": none was made */
    char source[256];              /* name of the source in it: that of the submission's file */
    char program[TOOLS_PATH_BYTES + 16];
    char emulated[TOOLS_PATH_BYTES]; /* folder of the emulated driver and its runtime library */
    char toolkit[TOOLS_PATH_BYTES];  /* whose nvcc built it; "": it was built in parts, or is C */
    bool built;
    bool on_runtime;                  /* it is C on runtime/lockstep.h, and compiles its kernels when it runs */
    bool unplaced;                    /* it was not built, and no line of the source was named */
    bool harness;                     /* it is not the source that is wrong: this machine, or the kit */
    char message[1024];               /* why it was not built */
    lockstep_diagnostic *diagnostics; /* of the compiler; owned */
    size_t diagnostic_count;
};

/* Builds it. What the compiler says is in the diagnostics whether it succeeds or not; places in the submission's own
 * file have its path as the user gave it. */
void build_program(const struct submission *submission, struct build *build);

/* Builds, in the same way as `like`, a program that does nothing. Where that fails, too, it is not the source that is wrong.
 * Returns whether it was built; to be cleared in any case. */
bool build_nothing(const struct build *like, struct build *build);

/* Where an address in the program comes from. */
struct build_place {
    int line;           /* of the source; 0: none of its lines */
    char function[128]; /* as the linker knows it; "" unknown */
};

/* Finds the places of addresses. Returns false when the machine cannot tell; they are empty then. */
bool build_find_places(const struct build *build, const uint64_t *addresses, size_t count, struct build_place *places);

/* Removes the folder with all that is in it. */
void build_clear(struct build *build);

#endif
