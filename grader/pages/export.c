#include "grader/pages/export.h"

#include "grader/pages/python.h"

enum exit_status export_run(const struct options *options)
{
    return python_become("export", "export", options->arguments, options->argument_count);
}
