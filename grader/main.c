/* build/lockstep: reads the command line and hands over to the command. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/exit_status.h"
#include "grader/class/batch.h"
#include "grader/commands/doctor.h"
#include "grader/commands/exec.h"
#include "grader/commands/grade.h"
#include "grader/commands/trace.h"
#include "grader/grading/options.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"
#include "grader/pages/export.h"
#include "grader/sandbox/sandbox.h"
#include "grader/student/hint.h"
#include "grader/student/standing.h"
#include "grader/student/start.h"
#include "grader/student/watch.h"
#include "labs/labs.h"

static int run(const struct options *options)
{
    switch (options->command) {
    case OPTIONS_GRADE: return grade_run(options);
    case OPTIONS_LIST: return standing_list();
    case OPTIONS_HINT: return hint_run(options);
    case OPTIONS_START: return start_run(options);
    case OPTIONS_RESET: return reset_run(options);
    case OPTIONS_BATCH: return batch_run(options);
    case OPTIONS_DOCTOR: return doctor_run();
    case OPTIONS_EXEC: return exec_run(options);
    case OPTIONS_EXPORT: return export_run(options);
    case OPTIONS_WATCH: return watch_run(options);
    case OPTIONS_TRACE: return trace_run(options);
    case OPTIONS_NONE: break;
    }
    return EXIT_STATUS_USAGE;
}

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

/* Output that nobody can get is a failure of the harness, whatever was found. */
static int judge_output(int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "lockstep: standard output could not be written%s%s\n", errno ? ": " : "", errno ? strerror(errno) : "");
    return EXIT_STATUS_HARNESS;
}

int main(int argc, char **argv)
{
    occupy_standard_streams();
    labs_register(kit_labs, kit_lab_count);
    struct options options;
    int status = EXIT_STATUS_FULL_SCORE;
    if (!options_read(argc, argv, &options)) {
        fprintf(stderr, "lockstep: %s\nTry: lockstep --help\n", options.message);
        status = EXIT_STATUS_USAGE;
    } else if (options.help) {
        options_print_help(stdout);
    } else if (options.version) {
        printf("lockstep %s\n", KIT_VERSION);
    } else if (!sandbox_configure(options.allow_unconfined, options.message, sizeof options.message)) {
        fprintf(stderr, "lockstep: %s\n", options.message);
        status = EXIT_STATUS_USAGE;
    } else {
        if (options.command != OPTIONS_DOCTOR && sandbox_is_reduced(options.message, sizeof options.message))
            fprintf(stderr, "lockstep: %s\n", options.message);
        status = run(&options);
    }
    options_clear(&options);
    return judge_output(status);
}
