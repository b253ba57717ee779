#include "grader/options/options_table.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/seed.h"
#include "grader/cluster/shares.h"
#include "grader/lab/labs.h"

const struct options_command_row options_commands[] = {
#define COMMAND(id, name, run, most, arguments, summary, more) {name, arguments, summary, more, most},
#include "grader/options/commands.def"
#undef COMMAND
};

/* ---- choices ------------------------------------------------------------------------------------------------------ */

static const char *const devices[] = {"auto", "gpu", "emulated", NULL};
static const lockstep_device_kind device_kinds[] = {LOCKSTEP_AUTO, LOCKSTEP_GPU, LOCKSTEP_EMULATED};
static const char *const batch_devices[] = {"emulated", "gpu", NULL};
static const char *const checks[] = {"none", "memory", "poison", "all", NULL};
static const char *const gpus[] = {
#define GPU(key, ...) key,
#include "grader/estimate/gpus.def"
#undef GPU
    NULL,
};
static const char *const engines[] = {
#define ENGINE(id, name, what) name,
#include "grader/cluster/engines.def"
#undef ENGINE
    NULL,
};
static const char *const schedules[] = {
#define SCHEDULE(name, ...)           name,
#define SCHEDULE_OF_WORK(name, words) name,
#include "runtime/tables/schedule.def"
#undef SCHEDULE
#undef SCHEDULE_OF_WORK
    NULL,
};

/* Writes "a, b or c"; or with `between` alone: "a|b|c". */
static void list_choices(const char *const *choices, const char *between, const char *before_last, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; choices[i] && used < bytes; i++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%s",
                                 i == 0           ? ""
                                 : choices[i + 1] ? between
                                                  : before_last,
                                 choices[i]);
}

void options_value_word(const struct options_row *row, char *text, size_t text_bytes)
{
    if (row->value)
        snprintf(text, text_bytes, "%s", row->value);
    else
        list_choices(row->choices, "|", "|", text, text_bytes);
}

/* ---- setters ------------------------------------------------------------------------------------------------------ */

static bool set_text(const struct options_row *row, struct options *options, const char *value)
{
    *(const char **)((char *)options + row->field) = value;
    if (value[0] == '\0')
        snprintf(options->message, sizeof options->message, "%s needs a value: %s.", row->name, row->value);
    return value[0] != '\0';
}

static bool set_flag(const struct options_row *row, struct options *options, const char *value)
{
    (void)value;
    return *(bool *)((char *)options + row->field) = true;
}

/* The number of the choice; -1, with the message, when it is none. */
static int find_choice(const struct options_row *row, struct options *options, const char *value)
{
    char known[300];
    for (int i = 0; row->choices[i]; i++)
        if (strcasecmp(row->choices[i], value) == 0)
            return i;
    list_choices(row->choices, ", ", " or ", known, sizeof known);
    snprintf(options->message, sizeof options->message, "%s %.100s: choose %s.", row->name, value, known);
    return -1;
}

static bool set_device(const struct options_row *row, struct options *options, const char *value)
{
    int choice = find_choice(row, options, value);
    if (choice >= 0)
        options->device = device_kinds[choice];
    return choice >= 0;
}

static bool set_batch_device(const struct options_row *row, struct options *options, const char *value)
{
    int choice = find_choice(row, options, value);
    options->device = choice == 1 ? LOCKSTEP_GPU : LOCKSTEP_EMULATED;
    return choice >= 0;
}

static bool set_gpu(const struct options_row *row, struct options *options, const char *value)
{
    int choice = find_choice(row, options, value);
    if (choice >= 0)
        options->gpu = estimate_find_gpu(gpus[choice]);
    return choice >= 0;
}

static bool set_checks(const struct options_row *row, struct options *options, const char *value)
{
    int choice = find_choice(row, options, value);
    if (choice >= 0)
        options->checks = checks[choice];
    return choice >= 0;
}

static bool set_lab(const struct options_row *row, struct options *options, const char *value)
{
    char suggestion[160];
    options->lab = labs_find_typed(value);
    labs_suggest(value, suggestion, sizeof suggestion);
    if (!options->lab)
        snprintf(options->message, sizeof options->message, "%s %.100s: there is no such lab%s `lockstep list` shows them.",
                 row->name, value, suggestion[0] != '\0' ? suggestion : ".");
    return options->lab != NULL;
}

static bool set_seed(const struct options_row *row, struct options *options, const char *value)
{
    options->has_seed = seed_read(value, &options->seed);
    if (!options->has_seed)
        snprintf(options->message, sizeof options->message, "%s %.100s: a seed is a whole number from 0 to 2^63 - 1.",
                 row->name, value);
    return options->has_seed;
}

static bool set_jobs(const struct options_row *row, struct options *options, const char *value)
{
    char *end;
    long jobs = strtol(value, &end, 10);
    bool good = *value >= '0' && *value <= '9' && *end == '\0' && jobs >= 1 && jobs <= 1024;
    options->job_count = good ? (int)jobs : 0;
    if (!good)
        snprintf(options->message, sizeof options->message, "%s %.100s: expected a number from 1 to 1024.", row->name,
                 value);
    return good;
}

static bool set_engine(const struct options_row *row, struct options *options, const char *value)
{
    int choice = find_choice(row, options, value);
    if (choice >= 0)
        options->engine = (enum options_engine)choice;
    return choice >= 0;
}

static bool set_shard(const struct options_row *row, struct options *options, const char *value)
{
    int length = 0;
    bool good = *value >= '0' && *value <= '9'
                && sscanf(value, "%d/%d%n", &options->shard, &options->shard_count, &length) == 2 && value[length] == '\0'
                && options->shard >= 1 && options->shard <= options->shard_count && options->shard_count <= SHARES_MAX;
    if (!good)
        snprintf(options->message, sizeof options->message,
                 "%s %.100s: expected I/N, the number of the part and how many there are, such as 3/8.", row->name, value);
    return good;
}

/* A word for a line of a script that sbatch reads. */
static bool set_slurm_word(const struct options_row *row, struct options *options, const char *value)
{
    bool good = value[0] != '\0';
    for (const char *at = value; *at != '\0' && good; at++)
        good = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9')
               || strchr("_-.,:@+", *at);
    if (!good)
        snprintf(options->message, sizeof options->message, "%s '%.100s': expected %s, without blanks or quotes.", row->name,
                 value, row->value);
    *(const char **)((char *)options + row->field) = value;
    return good;
}

static bool add_regrade(const struct options_row *row, struct options *options, const char *value)
{
    options->regrade[options->regrade_count++] = value;
    if (value[0] == '\0')
        snprintf(options->message, sizeof options->message, "%s needs a value: %s.", row->name, row->value);
    return value[0] != '\0';
}

/* Was read before the command line was: OPTIONS_LABS_FROM. */
static bool was_read(const struct options_row *row, struct options *options, const char *value)
{
    if (value[0] == '\0')
        snprintf(options->message, sizeof options->message, "%s needs a value: %s.", row->name, row->value);
    options->labs_from[options->labs_from_count++] = value;
    return value[0] != '\0';
}

/* An option that was: the row's help says what does its work now. */
static bool refuse(const struct options_row *row, struct options *options, const char *value)
{
    (void)value;
    snprintf(options->message, sizeof options->message, "%s: %s", row->name, row->help);
    return false;
}

/* ---- rows --------------------------------------------------------------------------------------------------------- */

#define FOR(id)     (1u << OPTIONS_##id)
#define FIELD(name) offsetof(struct options, name)

const struct options_row options_rows[] = {
    {"--device", NULL, devices, FOR(GRADE), set_device, 0,
     "where the kernels run. auto: on the GPU where there is one, else emulated. The diagnosis is always emulated"},
    {"--device", NULL, devices, FOR(WATCH), set_device, 0, "default: emulated"},
    {"--device", NULL, batch_devices, FOR(BATCH), set_batch_device, 0,
     "gpu: what passes is then timed on a GPU, one submission at a time; default: emulated, without times"},
    {OPTIONS_LABS_FROM, "FOLDER", NULL,
     FOR(LIST) | FOR(START) | FOR(GRADE) | FOR(RUN) | FOR(HINT) | FOR(WATCH) | FOR(TRACE) | FOR(RESET) | FOR(EXPORT)
         | FOR(BATCH) | FOR(COLLECT) | FOR(DECIDE) | FOR(LAB),
     was_read, 0, "labs besides the kit's: a lab's folder, or one that holds such; may be given more than once"},
    {"--lab", "LAB", NULL, FOR(GRADE) | FOR(RUN) | FOR(HINT) | FOR(WATCH) | FOR(RESET) | FOR(TRACE), set_lab, 0,
     "which lab FILE is for, where neither its name nor its folder says so"},
    {"--out", "FILE.html", NULL, FOR(TRACE), set_text, FIELD(out), "the page; default: NAME-trace.html, here"},
    {"--svg", "FILE.svg", NULL, FOR(TRACE), set_text, FIELD(svg),
     "a picture of the place that matters; without --out, no page"},
    {"--case", "NAME", NULL, FOR(TRACE), set_text, FIELD(case_name), "default: the smallest that shows the first cause"},
    {"--case", "NAME", NULL, FOR(RUN), set_text, FIELD(case_name), "one of the lab's cases, by its name in the report"},
    {"--n", "N", NULL, FOR(RUN), set_text, FIELD(size),
     "a size of your own: 8 elements, or 4x5x6 where a case has several sizes"},
    {"--kernel", "NAME", NULL, FOR(TRACE), set_text, FIELD(kernel), "default: the one that shows the first cause"},
    {"--block", "X[,Y[,Z]]", NULL, FOR(TRACE), set_text, FIELD(block), "default: the block of the first cause"},
    {"--answers", "LETTERS", NULL, FOR(QUIZ), set_text, FIELD(answers), "a, b, c or - for each question, such as cab-bcab"},
    {"--into", "FOLDER", NULL, FOR(START), set_text, FIELD(into),
     "make FOLDER yours: from now on a lab's name means its file there"},
    {"--into", "DIR", NULL, FOR(COLLECT), set_text, FIELD(into),
     "a folder for each student, and the tables that batch reads"},
    {"--as", "NAME", NULL, FOR(COLLECT), set_text, FIELD(as),
     "the assignment, such as the lab: its folder in each student's; default: the download's name"},
    {"--course", "FILE", NULL, FOR(COLLECT), set_text, FIELD(course), "the course file: roster, time zone, order of dates"},
    {"--out", "DIR", NULL, FOR(BATCH), set_text, FIELD(out), "where the results go, and what the next run needs"},
    {"--course", "FILE", NULL, FOR(BATCH), set_text, FIELD(course), "labs, weights, due dates, roster ... (YAML)"},
    {"--jobs", "N", NULL, FOR(BATCH), set_jobs, 0,
     "gradings at once; default: one for each core. With --engine slurm: tasks of the array; default: of ten minutes each"},
    {"--engine", NULL, engines, FOR(BATCH), set_engine, 0,
     "where to grade. slurm: as jobs of the cluster to which this machine submits; default: local"},
    {"--shard", "I/N", NULL, FOR(BATCH), set_shard, 0,
     "grade only part I of N, beside the other parts, here or elsewhere; --gather then makes the results"},
    {"--gather", "", NULL, FOR(BATCH), set_flag, FIELD(gather),
     "grade nothing: make the results from what the shards graded into DIR, or into the folders named after SUBMISSIONS"},
    {"--partition", "NAME", NULL, FOR(BATCH), set_slurm_word, FIELD(partition), "of Slurm; default: the cluster's"},
    {"--account", "NAME", NULL, FOR(BATCH), set_slurm_word, FIELD(account), "of Slurm; default: yours"},
    {"--time", "LIMIT", NULL, FOR(BATCH), set_slurm_word, FIELD(time),
     "of Slurm, for each task, such as 00:30:00; default: the partition's"},
    {"--memory", "SIZE", NULL, FOR(BATCH), set_slurm_word, FIELD(memory), "of Slurm, for each task; default: 1500M"},
    {"--gpu-partition", "NAME", NULL, FOR(BATCH), set_slurm_word, FIELD(gpu_partition),
     "of Slurm, for the tasks that time on a GPU; default: that of --partition"},
    {"--gres", "GPU", NULL, FOR(BATCH), set_slurm_word, FIELD(gres),
     "of Slurm: the GPU of each of these tasks, such as gpu:a100:1; default: gpu:1"},
    {"--no-pages", "", NULL, FOR(BATCH), set_flag, FIELD(no_pages), "make no pages in DIR/report"},
    {"--overwrite", "", NULL, FOR(BATCH), set_flag, FIELD(overwrite),
     "replace a gradebook that was edited by hand; without it, it stays, and the cells are listed"},
    {"--course", "FILE", NULL, FOR(DECIDE), set_text, FIELD(course), "the course whose decisions these are"},
    {"--in", "DIR", NULL, FOR(DECIDE), set_text, FIELD(in),
     "the results of a batch: who is in the class, also by pseudonym"},
    {"--by", "NAME", NULL, FOR(DECIDE), set_text, FIELD(by), "who decides this; default: your login name"},
    {"--why", "TEXT", NULL, FOR(DECIDE), set_text, FIELD(why), "the reason; the student may read it"},
    {"--private", "", NULL, FOR(DECIDE), set_flag, FIELD(is_private), "the reason is not for the student"},
    {"--regrade", "STUDENT", NULL, FOR(BATCH), add_regrade, 0,
     "grade this id, folder or name again; may be given more than once"},
    {"--json", "FILE|-", NULL, FOR(GRADE), set_text, FIELD(json), "write the result file; -: standard output"},
    {"--json", "FILE|-", NULL, FOR(RUN), set_text, FIELD(json), "write the arrays and findings as JSON; -: standard output"},
    {"--json", "FILE|-", NULL, FOR(EXEC), set_text, FIELD(json), "write all findings as JSON; -: standard output"},
    {"--json", "FILE|-", NULL, FOR(BATCH), set_text, FIELD(json),
     "write the class as in DIR/class.json; -: standard output"},
    {"--json", "FILE|-", NULL, FOR(COLLECT), set_text, FIELD(json),
     "write sources, submissions and notes as JSON; -: standard output"},
    {"--json", "FILE|-", NULL, FOR(FIND), set_text, FIELD(json),
     "write labs, files and problems as JSON; -: standard output"},
    {"--seed", "N", NULL, FOR(GRADE) | FOR(RUN), set_seed, 0, "the same inputs again; default: random, and printed"},
    {"--seed", "N", NULL, FOR(WATCH) | FOR(TRACE), set_seed, 0, "the same inputs again; default: random"},
    {"--seed", "N", NULL, FOR(HINT), set_seed, 0, "the inputs of that report; default: of the last one, else random"},
    {"--seed", "N", NULL, FOR(BATCH), set_seed, 0, "the same inputs again; default: random, and kept in DIR"},
    {"--hidden-seed-file", "FILE", NULL, FOR(GRADE) | FOR(BATCH), set_text, FIELD(hidden_seed_file),
     "run the hidden tests too; default: the variable LOCKSTEP_HIDDEN_SEED_FILE"},
    {"--gpu", NULL, gpus, FOR(GRADE), set_gpu, 0, "the GPU whose time is estimated from the counters; default: the first"},
    {"--checks", NULL, checks, FOR(EXEC), set_checks, 0, "default: the variable LOCKSTEP_CHECKS, or else all"},
    {"LOCKSTEP_FINDINGS", "FILE", NULL, FOR(EXEC), NULL, 0,
     "append each finding to this file as well, one JSON object per line"},
    {"LOCKSTEP_SCHEDULE", NULL, schedules, FOR(EXEC), NULL, 0, "the order in which threads run; default: the first"},
    {"--allow-unconfined", "", NULL, FOR(GRADE) | FOR(RUN) | FOR(WATCH) | FOR(BATCH) | FOR(HINT) | FOR(TRACE), set_flag,
     FIELD(allow_unconfined),
     "where this machine lacks a part of the sandbox, run hidden tests anyway, and let the compiler read files: for "
     "submissions that you trust"},
    {"--pictures", "FOLDER", NULL, 0, refuse, 0,
     "grade no longer draws pictures. Use: lockstep trace FILE --svg PICTURE.svg"},
};
const size_t options_row_count = sizeof options_rows / sizeof *options_rows;
