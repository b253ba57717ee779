/* The command doctor: what this machine has, what is missing, and how to get it. */
#ifndef DOCTOR_H
#define DOCTOR_H

#include "grader/base/exit_status.h"

/* Prints the findings. Returns 0 when grading is possible here, else EXIT_STATUS_HARNESS. */
enum exit_status doctor_run(void);

#endif
