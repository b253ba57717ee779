/* Runs a program on the emulated device, or on a GPU, confined. */
#ifndef PROGRAM_RUN_H
#define PROGRAM_RUN_H

#include "grader/program/build.h"
#include "grader/program/exchange.h"
#include "grader/program/execution.h"

/* What all runs of a program on one device may take together: so many that sleep would take minutes. */
enum { PROGRAM_RUNS_MS = 60000 };

/* A program that is ready to run; borrowed. */
struct program_job {
    const struct lab *lab;
    const struct build *build;
    const struct submission *submission;
    uint64_t seed;
    int64_t *left_ms; /* of PROGRAM_RUNS_MS; in and out */
};

/* Runs the program on the inputs.
 *   failure   "copy:3": that call is to fail; NULL: none
 * What the driver wrote is in execution->findings and execution->calls. */
void program_run(const struct program_job *job, const struct exchange *exchange, const char *failure,
                 struct execution *execution);

/* What is measured of a run on a GPU (runtime/emulator/stand_ins/meter.c). */
enum program_clock { PROGRAM_UNTIMED, PROGRAM_TIMED, PROGRAM_IN_A_ROW /* and with one piece of work at a time */ };

/* Runs the program on a GPU, with NVIDIA's driver.
 *   device   as the probe found it
 *   input    its standard input
 * What was measured is in execution->calls. */
void program_run_on_gpu(const struct program_job *job, const lockstep_device_info *device, const char *input,
                        enum program_clock clock, struct execution *execution);

/* Was it stopped because its time was up, by the clock or the processor's? */
bool program_run_timed_out(const struct execution *execution);

/* How it ended, for a sentence: "ends with status 3", "is ended by signal 11 (Segmentation fault)". */
void program_run_describe_end(const struct execution *execution, char *text, size_t text_bytes);

#endif
