/* The command line of build/lockstep: commands.def and the rows of options_table.c drive the parser and the help. Options
 * may come before or after arguments. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "grader/estimate/estimate.h"
#include "grader/lab/lab.h"
#include "runtime/lockstep.h"

enum options_command {
#define COMMAND(id, ...) OPTIONS_##id,
#include "grader/options/commands.def"
#undef COMMAND
    OPTIONS_COMMAND_COUNT,
    OPTIONS_NONE = OPTIONS_COMMAND_COUNT, /* only --help or --version */
};

/* Read before all others: it says which labs there are. */
#define OPTIONS_LABS_FROM "--labs-from"

struct options {
    enum options_command command;
    const char *command_name; /* "" for none */
    char **arguments;         /* [argument_count], point into argv; owned array */
    int argument_count;
    lockstep_device_kind device;
    const struct lab *lab;    /* --lab; NULL: by name */
    const char *json;         /* --json; NULL: none; "-": standard output */
    const char *out, *course; /* batch and trace --out, batch --course; NULL: not given */
    const char **regrade;     /* batch --regrade, [regrade_count]; points into argv; owned array */
    int regrade_count;
    bool no_pages;                                /* batch --no-pages */
    int job_count;                                /* batch --jobs; 0: one per core */
    const char *hidden_seed_file;                 /* --hidden-seed-file; NULL: LOCKSTEP_HIDDEN_SEED_FILE, or none */
    const char *case_name, *block, *kernel, *svg; /* trace and run --case, trace --block, --kernel, --svg; NULL: not given */
    const char *size;                             /* run --n: "8", "4x5x6"; NULL: not given */
    const char *answers;                          /* quiz --answers; NULL: not given */
    const char *into;                             /* start --into: a folder; NULL: the student's folder */
    const struct estimate_gpu *gpu;               /* --gpu: whose times are estimated */
    const char *checks;                           /* exec --checks; NULL when not given */
    bool allow_unconfined;                        /* --allow-unconfined: sandbox.h */
    uint64_t seed;
    bool has_seed;
    bool help, version;
    char message[512]; /* what is wrong, for the user; "" when nothing is */
};

/* Reads argv. Returns false with options->message set when it makes no sense. Clear with options_clear in either case. */
bool options_read(int argc, char **argv, struct options *options);
void options_clear(struct options *options);

/* Of the command that was named, else the list of commands. */
void options_print_help(FILE *file, const struct options *options);

#endif
