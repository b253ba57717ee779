#include "grader/options/options.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/near.h"
#include "grader/base/seed.h"
#include "grader/lab/labs.h"
#include "grader/options/options_table.h"

/* ---- "did you mean" ----------------------------------------------------------------------------------------------- */

static bool complain_of_command(struct options *options, const char *word)
{
    const char *names[OPTIONS_COMMAND_COUNT];
    for (int i = 0; i < OPTIONS_COMMAND_COUNT; i++)
        names[i] = options_commands[i].name;
    const char *near = near_find(word, names, OPTIONS_COMMAND_COUNT);
    const struct lab *lab = labs_find_typed(word);
    if (lab)
        snprintf(options->message, sizeof options->message, "unknown command %.100s; did you mean `lockstep grade %s`?",
                 word, lab->name);
    else
        snprintf(options->message, sizeof options->message, "unknown command %.100s%s%s%s", word,
                 near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    return false;
}

/* Near ones of the command, where that is known already; else of any. */
static bool complain_of_option(struct options *options, const char *word)
{
    enum { NAMES_MAX = 64 };
    const char *names[NAMES_MAX] = {"--help", "--version"};
    size_t count = 2, length = strcspn(word, "=");
    char *name = allocate_format("%.*s", (int)(length < 100 ? length : 100), word);
    for (size_t i = 0; i < options_row_count && count < NAMES_MAX; i++) {
        const struct options_row *row = &options_rows[i];
        bool fits = options->command == OPTIONS_NONE ? row->commands != 0 : (row->commands >> options->command & 1) != 0;
        if (fits && row->set)
            names[count++] = row->name;
    }
    const char *near = near_find(name, names, count);
    snprintf(options->message, sizeof options->message, "unknown option %s%s%s%s", name, near ? "; did you mean " : "",
             near ? near : "", near ? "?" : "");
    free(name);
    return false;
}

/* ---- options ------------------------------------------------------------------------------------------------------ */

static bool is_option(const struct options_row *row, const char *word)
{
    size_t length = strlen(row->name);
    return row->set && strncmp(word, row->name, length) == 0 && (word[length] == '\0' || word[length] == '=');
}

/* The row of an option: that of the command, else the first of that name. NULL: there is none. */
static const struct options_row *find_option(const struct options *options, const char *word)
{
    const struct options_row *found = NULL;
    for (size_t i = 0; i < options_row_count; i++)
        if (is_option(&options_rows[i], word)) {
            if (options->command != OPTIONS_NONE && (options_rows[i].commands >> options->command & 1) != 0)
                return &options_rows[i];
            found = found ? found : &options_rows[i];
        }
    return found;
}

/* Writes "it belongs to exec and batch". */
static void name_owners(const char *word, char *text, size_t text_bytes)
{
    unsigned commands = 0;
    for (size_t i = 0; i < options_row_count; i++)
        if (is_option(&options_rows[i], word))
            commands |= options_rows[i].commands;
    size_t used = 0;
    for (int i = 0; i < OPTIONS_COMMAND_COUNT; i++) {
        if ((commands >> i & 1) == 0)
            continue;
        bool last = (commands >> i >> 1) == 0;
        used += (size_t)snprintf(text + used, text_bytes - used, "%s%s",
                                 used == 0 ? ""
                                 : last    ? " and "
                                           : ", ",
                                 options_commands[i].name);
    }
}

/* An option that the command does not have is as unknown as any. */
static bool belongs(const struct options_row *row, struct options *options)
{
    char owners[200] = "";
    if ((row->commands >> options->command & 1) != 0)
        return true;
    name_owners(row->name, owners, sizeof owners);
    snprintf(options->message, sizeof options->message, "%s has no option %s; it belongs to %s.", options->command_name,
             row->name, owners);
    return false;
}

/* Options may precede the command, argv[command]; only now is it known whether they belong to it. */
static bool do_first_options_belong(char **argv, int command, struct options *options)
{
    for (int i = 1; i < command; i++) {
        const struct options_row *row = find_option(options, argv[i]);
        if (row && !belongs(row, options))
            return false;
    }
    return true;
}

/* Reads the option argv[*i], with its value after '=' or in the next argument. */
static bool read_option(int argc, char **argv, int *i, struct options *options)
{
    const char *word = argv[*i];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return options->help = true;
    if (strcmp(word, "--version") == 0)
        return options->version = true;
    const struct options_row *row = find_option(options, word);
    if (!row)
        return complain_of_option(options, word);
    const char *value = strchr(word, '=');
    bool alone = row->value && row->value[0] == '\0';
    if (row->commands == 0)
        return row->set(row, options, NULL);
    if (options->command != OPTIONS_NONE && !belongs(row, options))
        return false;
    if (alone && value) {
        snprintf(options->message, sizeof options->message, "%s takes no value.", row->name);
        return false;
    }
    if (alone)
        return row->set(row, options, NULL);
    if (!value && *i + 1 >= argc) {
        char shown[200];
        options_value_word(row, shown, sizeof shown);
        snprintf(options->message, sizeof options->message, "%s needs a value: %s.", word, shown);
        return false;
    }
    return row->set(row, options, value ? value + 1 : argv[++*i]);
}

/* ---- commands ----------------------------------------------------------------------------------------------------- */

static bool set_command(struct options *options, const char *word)
{
    for (int i = 0; i < OPTIONS_COMMAND_COUNT; i++)
        if (strcmp(options_commands[i].name, word) == 0) {
            options->command = (enum options_command)i;
            options->command_name = options_commands[i].name;
            return true;
        }
    return complain_of_command(options, word);
}

/* Options of batch that contradict one another, or lack another. */
static bool is_complete_batch(struct options *options)
{
    bool slurm = options->engine == ENGINE_SLURM, part = options->shard_count > 0;
    bool of_slurm = options->partition || options->account || options->time || options->memory,
         of_gpu_tasks = options->gpu_partition || options->gres;
    const char *why = NULL;
    if (options->argument_count < 1 || !options->out || (options->argument_count > 1 && !options->gather))
        why = "batch needs one folder of submissions and --out DIR: lockstep batch submissions --out results";
    else if (part && options->gather)
        why = "--shard grades, --gather makes the results once all shards have ended: give one of them.";
    else if (slurm && (part || options->gather))
        why = "--engine slurm makes shards and gathers them by itself: leave --shard and --gather out.";
    else if (of_slurm && !slurm)
        why = "--partition, --account, --time and --memory are for jobs of Slurm: add --engine slurm.";
    else if (of_gpu_tasks && (!slurm || options->device != LOCKSTEP_GPU))
        why = "--gpu-partition and --gres are for jobs of Slurm that time on a GPU: add --engine slurm --device gpu.";
    else if (part && options->json)
        why = "a shard makes no results, so --json has no meaning with --shard; give it to --gather.";
    else if (options->regrade_count > 0 && (part || options->gather))
        why =
            "--regrade has no meaning with --shard and --gather, which see only a part or grade nothing. Give it to `batch` "
            "without them, or with --engine slurm.";
    if (why)
        snprintf(options->message, sizeof options->message, "%s", why);
    return !why;
}

static bool is_complete(struct options *options)
{
    const struct options_command_row *command = &options_commands[options->command];
    bool good = command->most < 0 || options->argument_count <= command->most;
    if (!good && command->most == 0)
        snprintf(options->message, sizeof options->message, "%s takes no arguments, so %.100s has no meaning.",
                 command->name, options->arguments[0]);
    if (!good && command->most > 0)
        snprintf(options->message, sizeof options->message, "%s takes one argument, not %d: lockstep %s %s", command->name,
                 options->argument_count, command->name, command->arguments);
    if (good && options->command == OPTIONS_DECIDE && !options->course) {
        snprintf(options->message, sizeof options->message,
                 "decide needs --course FILE: lockstep decide ada scan extension +3 --course course.yaml --why ill");
        good = false;
    }
    return good && (options->command != OPTIONS_BATCH || is_complete_batch(options));
}

/* Points that are taken off: -5. */
static bool is_number(const struct options *options, const char *word)
{
    return options->command == OPTIONS_DECIDE && word[0] == '-' && word[1] >= '0' && word[1] <= '9';
}

/* ---- the command line --------------------------------------------------------------------------------------------- */

/* A word that is not an option. Returns false with the message. */
static bool read_word(struct options *options, char *word, bool is_first, bool *only_arguments)
{
    if (options->command == OPTIONS_NONE && !*only_arguments) {
        if (strcmp(word, "help") == 0 && !options->help)
            return options->help = true;
        if (!set_command(options, word))
            return false;
        /* export: everything after the word is for the converter (pages/export), which has options of its own. */
        *only_arguments = options->command == OPTIONS_EXPORT;
        if (!*only_arguments || is_first || options->help || options->version)
            return true;
        snprintf(options->message, sizeof options->message, "options of export come after it, not before.");
        return false;
    }
    /* exec: the first word that is not an option is the program, and everything after it is the program's. */
    *only_arguments |= options->command == OPTIONS_EXEC;
    options->arguments[options->argument_count++] = word;
    return true;
}

/* Here, where a wrong value has a message: nobody who draws a seed later can say so. */
static bool is_seed_of_tests_one(struct options *options)
{
    const char *value = getenv(SEED_OF_TESTS);
    uint64_t seed;
    bool good = !value || seed_read(value, &seed);
    if (!good)
        snprintf(options->message, sizeof options->message,
                 "the variable " SEED_OF_TESTS " is \"%.100s\"; a seed is a whole number from 0 to 2^63 - 1.", value);
    return good;
}

bool options_read(int argc, char **argv, struct options *options)
{
    memset(options, 0, sizeof *options);
    options->command = OPTIONS_NONE;
    options->command_name = "";
    options->device = LOCKSTEP_AUTO;
    options->gpu = estimate_find_gpu(NULL);
    options->arguments = allocate_zeroed((size_t)(argc + 1) * sizeof(char *));
    options->regrade = allocate_zeroed((size_t)(argc + 1) * sizeof(char *));
    options->labs_from = allocate_zeroed((size_t)(argc + 1) * sizeof(char *));
    bool only_arguments = false;
    int command = 0; /* where it is in argv */
    for (int i = 1; i < argc; i++) {
        if (!only_arguments && strcmp(argv[i], "--") == 0)
            only_arguments = true;
        else if (options->command == OPTIONS_EXPORT && strcmp(argv[i], OPTIONS_LABS_FROM) == 0 && i + 1 < argc)
            i++; /* the converters know results, not labs */
        else if (only_arguments || argv[i][0] != '-' || argv[i][1] == '\0' || is_number(options, argv[i])) {
            if (!read_word(options, argv[i], i == 1, &only_arguments))
                return false;
            command = command == 0 && options->command != OPTIONS_NONE ? i : command;
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
    return do_first_options_belong(argv, command, options) && is_complete(options) && is_seed_of_tests_one(options);
}

void options_clear(struct options *options)
{
    free(options->arguments);
    free(options->regrade);
    free(options->labs_from);
    options->arguments = NULL;
    options->regrade = options->labs_from = NULL;
}
