/* What runs a command: one function for each row of commands.def, which the command's own file defines.
 *   options   read and complete for this command; borrowed
 * Returns the exit status of the process (exit_status.h); `exec` that of its program. Everything has been reported on
 * standard output and standard error. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "grader/base/exit_status.h"
#include "grader/options/options.h"

#define COMMAND(id, name, run, ...) int run(const struct options *options);
#include "grader/options/commands.def"
#undef COMMAND

#endif
