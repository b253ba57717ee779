#include "grader/pages/python.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/lab/kit.h"

/* -I: nothing of the user's environment or of the working directory may replace a module of the standard library.
 * -X utf8: names and texts are UTF-8 whatever the locale says. */
static const char *const interpreter[] = {"python3", "-I", "-X", "utf8"};

enum { INTERPRETER_WORDS = sizeof interpreter / sizeof *interpreter };

static char *find_package(const char *command, const char *package)
{
    char *folder = allocate_format("%s/grader/pages/%s", kit_root(), package);
    char *start = allocate_format("%s/__main__.py", folder);
    bool found = kit_root()[0] != '\0' && access(start, R_OK) == 0;
    free(start);
    if (found)
        return folder;
    fprintf(stderr, "lockstep: %s needs the kit's folder grader/pages/%s, and %s is not there.\n", command, package,
            kit_root()[0] != '\0' ? folder : "the kit");
    free(folder);
    return NULL;
}

enum exit_status python_become(const char *command, const char *package, char *const *words, int count)
{
    char *folder = find_package(command, package);
    if (!folder)
        return EXIT_STATUS_HARNESS;
    const char **all = allocate_zeroed((INTERPRETER_WORDS + (size_t)count + 2) * sizeof *all);
    memcpy(all, interpreter, sizeof interpreter);
    all[INTERPRETER_WORDS] = folder;
    for (int i = 0; i < count; i++)
        all[INTERPRETER_WORDS + 1 + i] = words[i];
    fflush(stdout);
    execvp(all[0], (char *const *)all);
    if (errno == ENOENT)
        fprintf(stderr,
                "lockstep: %s needs Python 3, and there is no python3 on the PATH. Install it (apt-get install "
                "python3; ci/setup does).\n",
                command);
    else
        fprintf(stderr, "lockstep: python3, which %s needs, cannot be started: %s.\n", command, strerror(errno));
    free(all);
    free(folder);
    return EXIT_STATUS_HARNESS;
}
