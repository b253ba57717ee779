/* The command export: hands a result file over to the converters of grader/pages/export, which are Python. */
#include "grader/options/commands.h"
#include "grader/pages/python.h"

/* Becomes python3 with options->arguments, so it returns only when that cannot be started: EXIT_STATUS_HARNESS, with the
 * reason and what to do on stderr. */
int export_run(const struct options *options)
{
    return python_become("export", "export", options->arguments, options->argument_count);
}
