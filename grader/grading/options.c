#include "grader/grading/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/lab/labs.h"

struct command {
    const char *name;
    enum options_command command;
};

static const struct command commands[] = {
    {"grade", OPTIONS_GRADE}, {"list", OPTIONS_LIST},     {"doctor", OPTIONS_DOCTOR}, {"exec", OPTIONS_EXEC},
    {"hint", OPTIONS_HINT},   {"watch", OPTIONS_WATCH},   {"start", OPTIONS_START},   {"reset", OPTIONS_RESET},
    {"batch", OPTIONS_BATCH}, {"export", OPTIONS_EXPORT}, {"trace", OPTIONS_TRACE},
};

/* Which commands an option belongs to, as a set of bits. */
enum {
    FOR_GRADE = 1 << OPTIONS_GRADE,
    FOR_EXEC = 1 << OPTIONS_EXEC,
    FOR_HINT = 1 << OPTIONS_HINT,
    FOR_WATCH = 1 << OPTIONS_WATCH,
    FOR_START = 1 << OPTIONS_START,
    FOR_RESET = 1 << OPTIONS_RESET,
    FOR_BATCH = 1 << OPTIONS_BATCH,
    FOR_TRACE = 1 << OPTIONS_TRACE,
};

static bool set_device(struct options *options, const char *value)
{
    static const struct {
        const char *word;
        lockstep_device_kind kind;
    } kinds[] = {
        {"auto", LOCKSTEP_AUTO},
        {"gpu", LOCKSTEP_GPU},
        {"emulated", LOCKSTEP_EMULATED},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].word, value) == 0) {
            options->device = kinds[i].kind;
            return true;
        }
    snprintf(options->message, sizeof options->message, "--device %s: choose auto, gpu or emulated.", value);
    return false;
}

static bool set_lab(struct options *options, const char *value)
{
    options->lab = labs_find(value);
    if (!options->lab)
        snprintf(options->message, sizeof options->message, "--lab %s: there is no such lab. `lockstep list` shows them.",
                 value);
    return options->lab != NULL;
}

static bool set_seed(struct options *options, const char *value)
{
    char *end;
    errno = 0;
    options->seed = strtoull(value, &end, 10);
    options->has_seed = errno == 0 && *value >= '0' && *value <= '9' && *end == '\0' && options->seed <= INT64_MAX;
    if (!options->has_seed)
        snprintf(options->message, sizeof options->message, "--seed %s: a seed is a whole number from 0 to 2^63 - 1.",
                 value);
    return options->has_seed;
}

static bool set_json(struct options *options, const char *value)
{
    options->json = value;
    if (value[0] == '\0')
        snprintf(options->message, sizeof options->message, "--json needs the name of a file, or - for standard output.");
    return value[0] != '\0';
}

static bool set_hidden_seed_file(struct options *options, const char *value)
{
    options->hidden_seed_file = value;
    if (value[0] == '\0')
        snprintf(options->message, sizeof options->message, "--hidden-seed-file needs the name of a file.");
    return value[0] != '\0';
}

static bool set_pictures(struct options *options, const char *value)
{
    options->pictures = value;
    if (value[0] == '\0')
        snprintf(options->message, sizeof options->message, "--pictures needs the name of a folder.");
    return value[0] != '\0';
}

static bool set_into(struct options *options, const char *value)
{
    options->into = value;
    if (value[0] == '\0')
        snprintf(options->message, sizeof options->message, "--into needs the name of a folder.");
    return value[0] != '\0';
}

static bool set_gpu(struct options *options, const char *value)
{
    char known[128];
    options->gpu = estimate_find_gpu(value);
    if (!options->gpu) {
        estimate_list_gpus(known, sizeof known);
        snprintf(options->message, sizeof options->message, "--gpu %s: times are estimated for %s.", value, known);
    }
    return options->gpu != NULL;
}

static bool set_checks(struct options *options, const char *value)
{
    options->checks = value;
    bool known = strcmp(value, "none") == 0 || strcmp(value, "memory") == 0 || strcmp(value, "poison") == 0
                 || strcmp(value, "all") == 0;
    if (!known)
        snprintf(options->message, sizeof options->message, "--checks %s: choose none, memory, poison or all.", value);
    return known;
}

static bool set_allow_unconfined(struct options *options, const char *value)
{
    (void)value;
    return options->allow_unconfined = true;
}

static bool set_out(struct options *options, const char *value)
{
    options->out = value;
    if (value[0] == '\0')
        snprintf(options->message, sizeof options->message, "--out needs a name.");
    return value[0] != '\0';
}

static bool set_case(struct options *options, const char *value)
{
    options->case_name = value;
    return true;
}

static bool set_block(struct options *options, const char *value)
{
    options->block = value;
    return true;
}

static bool set_kernel(struct options *options, const char *value)
{
    options->kernel = value;
    return true;
}

static bool set_svg(struct options *options, const char *value)
{
    options->svg = value;
    if (value[0] == '\0')
        snprintf(options->message, sizeof options->message, "--svg needs the name of a file.");
    return value[0] != '\0';
}

static bool set_course(struct options *options, const char *value)
{
    options->course = value;
    if (value[0] == '\0')
        snprintf(options->message, sizeof options->message, "--course needs the name of a file.");
    return value[0] != '\0';
}

static bool set_jobs(struct options *options, const char *value)
{
    char *end;
    long jobs = strtol(value, &end, 10);
    bool good = *value >= '0' && *value <= '9' && *end == '\0' && jobs >= 1 && jobs <= 1024;
    options->job_count = good ? (int)jobs : 0;
    if (!good)
        snprintf(options->message, sizeof options->message, "--jobs %s: a number from 1 to 1024 is expected.", value);
    return good;
}

static bool set_no_pages(struct options *options, const char *value)
{
    (void)value;
    return options->no_pages = true;
}

static bool add_regrade(struct options *options, const char *value)
{
    options->regrade[options->regrade_count++] = value;
    if (value[0] == '\0')
        snprintf(options->message, sizeof options->message, "--regrade needs the id of a student.");
    return value[0] != '\0';
}

struct option {
    const char *name;
    int commands;
    bool (*set)(struct options *options, const char *value);
    bool alone; /* takes no value */
};

static const struct option known_options[] = {
    {"--device", FOR_GRADE | FOR_WATCH, set_device},
    {"--lab", FOR_GRADE | FOR_HINT | FOR_WATCH | FOR_RESET | FOR_TRACE, set_lab},
    {"--json", FOR_GRADE | FOR_EXEC | FOR_BATCH, set_json},
    {"--seed", FOR_GRADE | FOR_WATCH | FOR_BATCH | FOR_TRACE, set_seed},
    {"--checks", FOR_EXEC, set_checks},
    {"--gpu", FOR_GRADE, set_gpu},
    {"--pictures", FOR_GRADE, set_pictures},
    {"--into", FOR_START, set_into},
    {"--hidden-seed-file", FOR_GRADE | FOR_BATCH, set_hidden_seed_file},
    {"--out", FOR_BATCH | FOR_TRACE, set_out},
    {"--course", FOR_BATCH, set_course},
    {"--jobs", FOR_BATCH, set_jobs},
    {"--regrade", FOR_BATCH, add_regrade},
    {"--no-pages", FOR_BATCH, set_no_pages, true},
    {"--case", FOR_TRACE, set_case},
    {"--block", FOR_TRACE, set_block},
    {"--kernel", FOR_TRACE, set_kernel},
    {"--svg", FOR_TRACE, set_svg},
    {"--allow-unconfined", FOR_GRADE | FOR_WATCH | FOR_BATCH | FOR_HINT | FOR_TRACE, set_allow_unconfined, true},
};

/* Reads the option argv[*i], with its value behind '=' or in the next argument. */
static bool read_option(int argc, char **argv, int *i, struct options *options)
{
    const char *word = argv[*i];
    size_t length = strcspn(word, "=");
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return options->help = true;
    if (strcmp(word, "--version") == 0)
        return options->version = true;
    for (size_t k = 0; k < sizeof known_options / sizeof *known_options; k++) {
        const struct option *option = &known_options[k];
        if (strlen(option->name) != length || strncmp(option->name, word, length) != 0)
            continue;
        if (option->alone && word[length] != '\0') {
            snprintf(options->message, sizeof options->message, "%s takes no value.", option->name);
            return false;
        }
        if (option->alone)
            return option->set(options, NULL);
        if (word[length] == '\0' && *i + 1 >= argc) {
            snprintf(options->message, sizeof options->message, "%s needs a value.", word);
            return false;
        }
        return option->set(options, word[length] == '=' ? word + length + 1 : argv[++*i]);
    }
    snprintf(options->message, sizeof options->message, "unknown option %s", word);
    return false;
}

static bool set_command(struct options *options, const char *word)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, word) == 0) {
            options->command = commands[i].command;
            options->command_name = commands[i].name;
            return true;
        }
    snprintf(options->message, sizeof options->message, "unknown command %s", word);
    return false;
}

/* An option that the command does not know is as unknown as any. Looked at last, since options may stand before it. */
static bool options_fit(int argc, char **argv, struct options *options)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        for (size_t k = 0; k < sizeof known_options / sizeof *known_options; k++) {
            size_t length = strlen(known_options[k].name);
            bool given = strncmp(argv[i], known_options[k].name, length) == 0
                         && (argv[i][length] == '\0' || argv[i][length] == '=');
            if (given && (known_options[k].commands >> options->command & 1) == 0) {
                snprintf(options->message, sizeof options->message, "%s has no option %s.", options->command_name,
                         known_options[k].name);
                return false;
            }
        }
    return true;
}

static bool is_complete(struct options *options)
{
    bool good = options->command != OPTIONS_BATCH || (options->argument_count == 1 && options->out);
    if (!good)
        snprintf(options->message, sizeof options->message,
                 "batch needs one folder of submissions and --out DIR: lockstep batch submissions --out results");
    return good;
}

bool options_read(int argc, char **argv, struct options *options)
{
    memset(options, 0, sizeof *options);
    options->device = LOCKSTEP_AUTO;
    options->checks = "all";
    options->gpu = estimate_find_gpu(NULL);
    options->arguments = allocate_zeroed((size_t)(argc + 1) * sizeof(char *));
    options->regrade = allocate_zeroed((size_t)(argc + 1) * sizeof(char *));
    bool only_arguments = false;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        /* exec: the first word that is not an option is the program, and everything behind it is the program's. */
        if (only_arguments || word[0] != '-' || word[1] == '\0') {
            if (options->command == OPTIONS_NONE && !only_arguments) {
                if (!set_command(options, word))
                    return false;
                /* export: everything behind the word is for the converter (pages/export), which has options of its own. */
                only_arguments = options->command == OPTIONS_EXPORT;
                if (only_arguments && i > 1 && !options->help && !options->version) {
                    snprintf(options->message, sizeof options->message, "options of export stand behind it, not before.");
                    return false;
                }
                continue;
            }
            only_arguments |= options->command == OPTIONS_EXEC;
            options->arguments[options->argument_count++] = argv[i];
        } else if (strcmp(word, "--") == 0) {
            only_arguments = true;
        } else if (!read_option(argc, argv, &i, options)) {
            return false;
        }
    }
    if (options->help || options->version)
        return true;
    if (options->command == OPTIONS_NONE) {
        snprintf(options->message, sizeof options->message, "no command");
        return false;
    }
    if (options->command == OPTIONS_EXEC || options->command == OPTIONS_EXPORT)
        return true;
    return options_fit(argc, argv, options) && is_complete(options);
}

void options_clear(struct options *options)
{
    free(options->arguments);
    free(options->regrade);
    options->arguments = NULL;
    options->regrade = NULL;
}

/* Names of the orders, as they fit the help's lines. */
#define INDENT "                                        "
#define SCHEDULES                                                                          \
    "ascending descending blocks-reverse\n" INDENT "blocks-alone lanes-ascending\n" INDENT \
    "lanes-descending never-reconverge\n" INDENT "interleaved stores-held atomics-reverse"

void options_print_help(FILE *file)
{
    fputs("lockstep - GPU exercises, graded with or without a GPU\n"
          "\n"
          "  lockstep grade [LAB|FILE|FOLDER]...   grade; default: everything in labs/\n"
          "      --device auto|gpu|emulated        auto: GPU when there is one, else emulated;\n"
          "                                        the diagnosis is always emulated\n"
          "      --lab LAB                         when FILE's name or place does not say\n"
          "                                        which lab it is for\n"
          "      --json FILE|-                     write the result file\n"
          "      --seed N                          inputs; default: drawn afresh and printed\n"
          "      --hidden-seed-file FILE           run the hidden tests too; default: the\n"
          "                                        variable LOCKSTEP_HIDDEN_SEED_FILE\n"
          "      --gpu NAME                        whose time is estimated from the counters:\n"
          "                                        h200 (the default), h100, a100, rtx4090, t4\n"
          "      --pictures FOLDER                 draw races in shared memory: who touched what\n"
          "                                        between which barriers; also as SVG files there\n"
          "      --allow-unconfined                where this machine lacks a part of the sandbox, run\n"
          "                                        hidden tests all the same, and let the compiler\n"
          "                                        read files: for submissions that you trust\n"
          "  lockstep list                         the labs, and how far you are\n"
          "  lockstep start LAB... [--into FOLDER] put skeletons into a folder of your own\n"
          "  lockstep hint [LAB|FILE]              the next of three hints for the latest mistake\n"
          "  lockstep watch [LAB|FILE]             grade again each time the file is saved\n"
          "  lockstep trace [LAB|FILE]             a page that shows, step by step, what the\n"
          "                                        threads of one block do\n"
          "      --out FILE.html                   default: NAME-trace.html here\n"
          "      --case NAME, --kernel NAME, --block X[,Y[,Z]]  default: where the first mistake is\n"
          "      --svg FILE                        a picture of the place that matters\n"
          "  lockstep reset LAB|FILE               begin afresh; what was there is kept\n"
          "  lockstep batch SUBMISSIONS --out DIR  grade a class, one folder a student; goes on\n"
          "                                        where it was stopped\n"
          "      --course FILE                     labs, weights, due dates, roster ... (YAML)\n"
          "      --jobs N                          gradings at once; default: one a core\n"
          "      --no-pages                        make no pages in DIR/report\n"
          "      --regrade STUDENT                 as if nothing of theirs were graded yet\n"
          "      --seed N, --json FILE|-, --hidden-seed-file FILE  as for grade; --json: the\n"
          "                                        class; the seed is kept in DIR\n"
          "  lockstep exec [--checks none|memory|poison|all] [--json FILE] -- PROGRAM ...\n"
          "                                        run any driver-API program on the emulated\n"
          "                                        driver, with findings. LOCKSTEP_SCHEDULE\n"
          "                                        chooses the order of its threads:\n"
          "                                        " SCHEDULES "\n"
          "  lockstep export FORMAT RESULT ...     convert a result file for gradescope, github,\n"
          "                                        junit, canvas ...; export --help lists them\n"
          "  lockstep doctor                       what this machine has, and what is missing\n"
          "  lockstep --help, --version\n"
          "\n"
          "LAB is a folder's name, with or without the number: 04_scan, scan.\n"
          "Exit status: 0 full score; 1 something is wrong with the file; 2 bad usage;\n"
          "3 the kit itself failed (never a student's fault).\n",
          file);
}
