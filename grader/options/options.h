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

/* Where a class is graded: --engine. */
enum options_engine {
#define ENGINE(id, ...) ENGINE_##id,
#include "grader/cluster/engines.def"
#undef ENGINE
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
    const char *by, *why, *in;  /* decide --by, --why, --in; NULL: not given */
    bool is_private, overwrite; /* decide --private, batch --overwrite */
    const char **labs_from;     /* --labs-from, [labs_from_count]; points into argv; owned array */
    int labs_from_count;
    bool no_pages;                                   /* batch --no-pages */
    int job_count;                                   /* batch --jobs; 0: one per core */
    int shard, shard_count;                          /* batch --shard I/N; 0: the whole class */
    bool gather;                                     /* batch --gather */
    enum options_engine engine;                      /* batch --engine */
    const char *partition, *account, *time, *memory; /* batch, of jobs of Slurm; NULL: not given */
    const char *gpu_partition, *gres;                /* batch, of jobs of Slurm that time on a GPU; NULL: not given */
    const char *hidden_seed_file;                    /* --hidden-seed-file; NULL: LOCKSTEP_HIDDEN_SEED_FILE, or none */
    const char *case_name, *block, *kernel, *svg; /* trace and run --case, trace --block, --kernel, --svg; NULL: not given */
    const char *size;                             /* run --n: "8", "4x5x6"; NULL: not given */
    const char *answers;                          /* quiz --answers; NULL: not given */
    const char *into;                             /* start and collect --into: a folder; NULL: not given */
    const char *as;                               /* collect --as: an assignment; NULL: the download's name */
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
