/* What a program that ends with status 0 has left out: it has not looked at a call that failed, or has not waited for its
 * last kernels. Both are warnings, at the end of the process. */
#ifndef EMULATOR_UNCHECKED_H
#define EMULATOR_UNCHECKED_H

#include "runtime/emulator/driver/order.h"

/* The program asks for a launch of this kernel. */
void unchecked_launching(const char *kernel);

/* A kernel's launch has begun, in the piece of work that runs. */
void unchecked_launched(const char *kernel);

/* The process ends with this status. */
void unchecked_report(int status);

#endif
