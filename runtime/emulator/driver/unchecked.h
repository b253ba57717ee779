/* What a program that ends with status 0 has left out: it has not looked at a call that failed, or has not waited for its
 * last kernels. Both are warnings, at the end of the process. And whether it looks at a launch that was refused. */
#ifndef EMULATOR_UNCHECKED_H
#define EMULATOR_UNCHECKED_H

#include "runtime/emulator/driver/order.h"

/* The program asks for a launch of this kernel. */
void unchecked_launching(const char *kernel);

/* A launch is refused for this reason: an error, and a note where the program looks at the failure before anything else is
 * found. */
struct finding;
void unchecked_refused(const struct finding *finding);

/* A kernel's launch has begun, in the piece of work that runs. */
void unchecked_launched(const char *kernel);

/* The process ends with this status. */
void unchecked_report(int status);

#endif
