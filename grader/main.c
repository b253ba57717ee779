/* build/lockstep: reads the command line and hands over to the command. */
#include <stdio.h>

#include "grader/doctor.h"
#include "grader/exec.h"
#include "grader/exit_status.h"
#include "grader/grade.h"
#include "grader/kit.h"
#include "grader/options.h"

static int run(const struct options *options)
{
    switch (options->command) {
    case OPTIONS_GRADE: return grade_run(options);
    case OPTIONS_LIST: return grade_list();
    case OPTIONS_DOCTOR: return doctor_run();
    case OPTIONS_EXEC: return exec_run(options);
    case OPTIONS_LATER:
        fprintf(stderr, "lockstep: %s is not in this version (%s).\n", options->command_name, KIT_VERSION);
        return EXIT_STATUS_USAGE;
    case OPTIONS_NONE: break;
    }
    return EXIT_STATUS_USAGE;
}

int main(int argc, char **argv)
{
    struct options options;
    int status = EXIT_STATUS_FULL_SCORE;
    if (!options_read(argc, argv, &options)) {
        fprintf(stderr, "lockstep: %s\nTry: lockstep --help\n", options.message);
        status = EXIT_STATUS_USAGE;
    } else if (options.help) {
        options_print_help(stdout);
    } else if (options.version) {
        printf("lockstep %s\n", KIT_VERSION);
    } else {
        status = run(&options);
    }
    options_clear(&options);
    return status;
}
