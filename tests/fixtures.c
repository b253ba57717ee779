/* Runs fixture files on one device: see tests/fixture.h for what a fixture is.
 *
 *     fixtures [--device emulated|gpu] [--arch MAJOR.MINOR] [--compile OPTION]... [--filter TEXT]
 *              [--golden FOLDER | --record FOLDER] FILE...
 *
 * --record writes what this device gave for each test that passed into FOLDER, --golden compares with what is there
 * (tests/golden.h). Prints a line per failed test on stderr and "N passed, N failed" on stdout, with --golden also how many
 * tests have a record of a GPU and how many are new or changed since; exits 0 only when tests ran and all passed.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fixture.h"

enum { MAX_OPTIONS = 16 };

int main(int count, char **arguments)
{
    static const struct option known[] = {{"device", required_argument, NULL, 'd'},
                                          {"arch", required_argument, NULL, 'a'},
                                          {"compile", required_argument, NULL, 'c'},
                                          {"filter", required_argument, NULL, 'f'},
                                          {"golden", required_argument, NULL, 'g'},
                                          {"record", required_argument, NULL, 'r'},
                                          {NULL, 0, NULL, 0}};
    const char *compile[MAX_OPTIONS];
    struct fixture_options options = {.device = LOCKSTEP_EMULATED, .compile = compile};
    int option;
    while ((option = getopt_long(count, arguments, "", known, NULL)) != -1) {
        if (option == 'd' && (strcmp(optarg, "gpu") == 0 || strcmp(optarg, "emulated") == 0))
            options.device = strcmp(optarg, "gpu") == 0 ? LOCKSTEP_GPU : LOCKSTEP_EMULATED;
        else if (option == 'a' && sscanf(optarg, "%d.%d", &options.major, &options.minor) == 2)
            ;
        else if (option == 'c' && options.compile_count < MAX_OPTIONS)
            compile[options.compile_count++] = optarg;
        else if (option == 'f')
            options.filter = optarg;
        else if (option == 'g')
            options.golden = optarg;
        else if (option == 'r')
            options.record = optarg;
        else
            return 2;
    }
    struct fixture_totals totals = {0};
    for (int i = optind; i < count; i++)
        fixture_run_file(arguments[i], &options, &totals);
    if (options.golden)
        printf("%u compared with a GPU's results, %u without a record; %u NaNs of another payload\n", totals.recorded,
               totals.unrecorded, totals.other_nans);
    printf("%u passed, %u failed\n", totals.passed, totals.failed);
    return totals.passed > 0 && totals.failed == 0 ? 0 : 1;
}
