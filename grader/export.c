#include "grader/export.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/allocate.h"
#include "grader/kit.h"

/* -I: nothing of the user's environment or of the working directory may replace a module of the standard library.
 * -X utf8: names and texts are UTF-8 whatever the locale says. */
static const char *const interpreter[] = {"python3", "-I", "-X", "utf8"};

enum { INTERPRETER_WORDS = sizeof(interpreter) / sizeof(*interpreter) };

static char *find_converters(void)
{
    char *folder = allocate_format("%s/ci/export", kit_root());
    char *start = allocate_format("%s/__main__.py", folder);
    bool found = kit_root()[0] != '\0' && access(start, R_OK) == 0;
    free(start);
    if (found)
        return folder;
    fprintf(stderr, "lockstep: export needs the kit's folder ci/export, and %s is not there.\n",
            kit_root()[0] != '\0' ? folder : "the kit");
    free(folder);
    return NULL;
}

enum exit_status export_run(const struct options *options)
{
    char *folder = find_converters();
    if (folder == NULL)
        return EXIT_STATUS_HARNESS;
    size_t count = (size_t)options->argument_count;
    const char **words = allocate_zeroed((INTERPRETER_WORDS + count + 2) * sizeof(*words));
    memcpy(words, interpreter, sizeof(interpreter));
    words[INTERPRETER_WORDS] = folder;
    for (size_t i = 0; i < count; i++)
        words[INTERPRETER_WORDS + 1 + i] = options->arguments[i];
    fflush(stdout);
    execvp(words[0], (char *const *)words);
    if (errno == ENOENT)
        fprintf(stderr, "lockstep: export needs Python 3, and there is no python3 on the PATH. Install it (apt-get install "
                        "python3; ci/setup does).\n");
    else
        fprintf(stderr, "lockstep: python3, which export needs, cannot be started: %s.\n", strerror(errno));
    free(words);
    free(folder);
    return EXIT_STATUS_HARNESS;
}
