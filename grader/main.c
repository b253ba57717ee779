/* build/lockstep: reads the command line and hands over to the command. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/exit_status.h"
#include "grader/lab/describe/lab_list.h"
#include "grader/lab/kit.h"
#include "grader/options/commands.h"
#include "grader/sandbox/sandbox.h"

static int (*const runs[])(const struct options *options) = {
#define COMMAND(id, name, run, ...) run,
#include "grader/options/commands.def"
#undef COMMAND
};

/* A standard stream that the caller closed must not become the first file that we open: a read-only /dev/null takes its
 * place, so that writing still fails. */
static void occupy_standard_streams(void)
{
    int file;
    do
        file = open("/dev/null", O_RDONLY | O_CLOEXEC);
    while (file >= 0 && file <= 2);
    if (file > 2)
        close(file);
}

static bool runs_kernels(enum options_command command)
{
    return command == OPTIONS_GRADE || command == OPTIONS_BATCH || command == OPTIONS_HINT || command == OPTIONS_WATCH
           || command == OPTIONS_TRACE || command == OPTIONS_RUN || command == OPTIONS_LAB || command == OPTIONS_EXEC;
}

/* Output that cannot be delivered is a failure of the harness, whatever was found. */
static int judge_output(int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "lockstep: standard output could not be written%s%s\n", errno ? ": " : "", errno ? strerror(errno) : "");
    return EXIT_STATUS_HARNESS;
}

/* The labs come first: what the command line means depends on which there are. */
static bool open_labs(int argc, char **argv)
{
    const char **folders = allocate_zeroed((size_t)argc * sizeof *folders);
    int count = 0;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], OPTIONS_LABS_FROM) == 0 && i + 1 < argc)
            folders[count++] = argv[++i];
        else if (strncmp(argv[i], OPTIONS_LABS_FROM "=", strlen(OPTIONS_LABS_FROM "=")) == 0)
            folders[count++] = argv[i] + strlen(OPTIONS_LABS_FROM "=");
    }
    bool is_good = lab_list_open(folders, count, stderr);
    free(folders);
    return is_good;
}

int main(int argc, char **argv)
{
    occupy_standard_streams();
    struct options options;
    int status = EXIT_STATUS_FULL_SCORE;
    /* A program that is only to be run starts at once, however many labs there are. */
    bool needs_labs = argc < 2 || strcmp(argv[1], "exec") != 0, has_labs = !needs_labs || open_labs(argc, argv);
    if (!options_read(argc, argv, &options)) {
        fprintf(stderr, "lockstep: %s\nTry: lockstep %s%s--help\n", options.message, options.command_name,
                options.command_name[0] != '\0' ? " " : "");
        status = EXIT_STATUS_USAGE;
    } else if (options.help) {
        options_print_help(stdout, &options);
    } else if (options.version) {
        printf("lockstep %s\n", KIT_VERSION);
    } else if (!has_labs) {
        fprintf(stderr, "lockstep: a lab's description is wrong: see above\n");
        status = EXIT_STATUS_USAGE;
    } else if (!sandbox_configure(options.allow_unconfined, options.message, sizeof options.message)) {
        fprintf(stderr, "lockstep: %s\n", options.message);
        status = EXIT_STATUS_USAGE;
    } else if (!sandbox_raise_limits(options.message, sizeof options.message) && runs_kernels(options.command)) {
        fprintf(stderr, "lockstep: %s\n", options.message);
        status = EXIT_STATUS_HARNESS;
    } else {
        if (options.command != OPTIONS_DOCTOR && sandbox_is_reduced(options.message, sizeof options.message))
            fprintf(stderr, "lockstep: %s\n", options.message);
        status = runs[options.command](&options);
    }
    options_clear(&options);
    return judge_output(status);
}
