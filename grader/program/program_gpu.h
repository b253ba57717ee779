/* Runs programs on a GPU that the emulated driver has found safe: are their numbers right there, too, and how long does the
 * device take? */
#ifndef PROGRAM_GPU_H
#define PROGRAM_GPU_H

#include "grader/program/program_run.h"
#include "grader/result/result.h"

/* May the program run on a GPU? Only where each case passed on the emulated device, or was wrong in nothing that could harm
 * one, and the program ended by itself. */
bool program_gpu_is_safe(const struct result_lab *result, int case_count);

/* Runs a case that the emulated device has judged. What it found wrong stays the verdict; a test that passed there fails
 * when it fails here. Returns false when the program did not end. */
bool program_gpu_verify(const struct program_job *job, const lockstep_device_info *device, const struct lab_case *the_case,
                        struct result_test *test);

/* Measures how long the device takes from the program's first copy or kernel until the host knows that the last one has
 * ended, in turn with the reference solution, and adds a row of the track "time" to result->budgets, which has room for it.
 * A lab without `time` has its budget case measured, alone and for no points. */
void program_gpu_time(const struct program_job *job, const lockstep_device_info *device, struct result_lab *result);

#endif
