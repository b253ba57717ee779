/* The command exec: runs any program with the emulated driver in place of NVIDIA's. */
#ifndef EXEC_H
#define EXEC_H

#include "grader/grading/options.h"

/* Runs options->arguments. The program's own output is untouched; findings are written on stderr as they come. Returns the
 * program's status (128 + signal when a signal ended it), 1 when that is 0 and an error was found, 2 when the program
 * cannot be started, 3 when the emulated driver is missing or the result file cannot be written. */
int exec_run(const struct options *options);

#endif
