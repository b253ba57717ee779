/* ptx_of FILE: compiles FILE as the grader does and prints its PTX without what only tells lines of the source, so that two
 * files whose code is the same print the same. Exit status 1 when FILE does not compile. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/lockstep.h"
#include "tests/support.h"

/* Directives about lines, comments, and the labels between which the compiler describes scopes. */
static bool tells_lines(const char *line)
{
    static const char *const starts[] = {".loc", ".file", "//", "$L__tmp", "$L__func"};
    line += strspn(line, " \t");
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(line, starts[i], strlen(starts[i])) == 0)
            return true;
    return *line == '\0';
}

static void print_code(char *ptx)
{
    for (char *line = strtok(ptx, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, "\t.section", 9) == 0)
            return; /* the tables of the debugger are at the end */
        if (!tells_lines(line))
            puts(line);
    }
}

int main(int count, char **arguments)
{
    size_t bytes = 0;
    char *source = count == 2 ? support_read_file(arguments[1], &bytes) : NULL;
    if (!source) {
        fprintf(stderr, "usage: ptx_of FILE\n");
        return 2;
    }
    lockstep_error error;
    lockstep_compiled compiled;
    lockstep_compile_request request = {
        .source = source,
        .source_bytes = bytes,
        .file_name = arguments[1],
        .major = 8,
        .minor = 0,
        .no_cache = true,
    };
    lockstep_status status = lockstep_compile(&request, &compiled, &error);
    if (status == LOCKSTEP_OK)
        print_code(compiled.ptx);
    else
        fprintf(stderr, "%s: %s\n", arguments[1], error.message);
    lockstep_compiled_clear(&compiled);
    free(source);
    return status == LOCKSTEP_OK ? 0 : 1;
}
