#include "grader/judge/judge_compile.h"

#include <string.h>

/* The name that findings show: the path as given, or the file's own name where that would not fit the runtime's fields. */
static const char *shown_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strlen(path) < 200 || !slash ? path : slash + 1;
}

struct compile_input judge_compile_input(const struct submission *submission, const struct lab *lab)
{
    return (struct compile_input){submission->source, submission->source_bytes, shown_name(submission->path), lab, NULL};
}

bool judge_find_cached(const struct submission *submission, const struct lab *lab, lockstep_compiled *compiled)
{
    struct compile_input input = judge_compile_input(submission, lab);
    return submission->source && compile_step_find_cached(&input, compiled);
}
