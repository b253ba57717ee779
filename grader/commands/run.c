/* The command run: one case, or a size of the student's choice, with its arrays before and after, and what it printed. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/paint.h"
#include "grader/base/seed.h"
#include "grader/commands/run_tables.h"
#include "grader/compile/compile_server.h"
#include "grader/grading/jobs.h"
#include "grader/grading/workers.h"
#include "grader/lab/kit.h"
#include "grader/options/commands.h"
#include "grader/result/report.h"
#include "grader/result/result_json.h"
#include "grader/student/subject.h"

enum { PRINTED_LINES = 200, EASY_ELEMENTS = 8, SIZES = LAB_MAX_SIZES };

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* ---- which case --------------------------------------------------------------------------------------------------- */

static const struct lab_case *find_case(const struct lab *lab, const char *name)
{
    for (int i = 0; i < lab->case_count; i++)
        if (!lab->cases[i].hidden && strcmp(lab->cases[i].name, name) == 0)
            return &lab->cases[i];
    return NULL;
}

static void complain_of_case(const struct lab *lab, const char *name)
{
    fprintf(stderr, "lockstep: --case %s: %s has no such case. It has:\n", name, lab->name);
    for (int i = 0; i < lab->case_count; i++)
        if (!lab->cases[i].hidden)
            fprintf(stderr, "  \"%s\"  %s\n", lab->cases[i].name, lab->cases[i].purpose);
}

/* How many sizes a case of the lab has, and between which numbers each lies in the visible ones. */
static int size_ranges(const struct lab *lab, int64_t least[SIZES], int64_t most[SIZES])
{
    int count = 0;
    for (int k = 0; k < SIZES; k++) {
        least[k] = INT64_MAX;
        most[k] = 0;
        for (int i = 0; i < lab->case_count; i++) {
            int64_t size = lab->cases[i].size[k];
            if (lab->cases[i].hidden)
                continue;
            least[k] = size < least[k] ? size : least[k];
            most[k] = size > most[k] ? size : most[k];
        }
        count = most[k] > 0 ? k + 1 : count;
    }
    return count;
}

/* Reads "8", "4x5x6" or "4,5,6" into the case; a single number is meant for all sizes. Returns false, with the reason on
 * stderr, when the lab has no such size. */
static bool read_sizes(const struct lab *lab, const char *text, struct lab_case *the_case)
{
    int64_t least[SIZES], most[SIZES];
    int count = size_ranges(lab, least, most), given = 0;
    bool good = true;
    for (const char *at = text; good && *at != '\0'; given++) {
        char *end;
        long long size = *at >= '0' && *at <= '9' ? strtoll(at, &end, 10) : -1;
        good = size >= 0 && given < count && (*end == '\0' || ((*end == 'x' || *end == ',') && end[1] != '\0'));
        if (good) {
            the_case->size[given] = size;
            at = end + (*end != '\0');
        }
    }
    for (int k = 1; good && given == 1 && k < count; k++)
        the_case->size[k] = the_case->size[0];
    good = good && (given == 1 || given == count);
    for (int k = 0; good && k < count; k++)
        if (the_case->size[k] < least[k] || the_case->size[k] > most[k]) {
            fprintf(stderr, "lockstep: --n %s: in %s, %s lies between %lld and %lld.\n", text, lab->name,
                    lab->size_names[k] ? lab->size_names[k] : "each size", (long long)least[k], (long long)most[k]);
            return false;
        }
    if (!good && count == 1)
        fprintf(stderr, "lockstep: --n %s: expected a number of elements, such as --n 8.\n", text);
    else if (!good)
        fprintf(stderr, "lockstep: --n %s: expected one number for all sizes, or %d of them, such as --n %s.\n", text, count,
                count == 2   ? "4x5"
                : count == 3 ? "4x5x6"
                             : "4x5x6x7");
    return good;
}

/* What is run: a case of the lab, or one of other sizes whose values are of the same kind. Names, which seed the inputs, go
 * to name. Returns false with the reason on stderr. */
static bool choose_case(const struct options *options, const struct lab *lab, const char *reported, char name[96],
                        struct lab_case *the_case)
{
    const struct lab_case *found = reported ? find_case(lab, reported) : NULL;
    if (options->case_name) {
        found = find_case(lab, options->case_name);
        if (!found)
            complain_of_case(lab, options->case_name);
        if (!found)
            return false;
    }
    for (int i = 0; i < lab->case_count && !found && !options->size; i++)
        if (!lab->cases[i].hidden && lab->extent(lab, &lab->cases[i], 0) >= EASY_ELEMENTS)
            found = &lab->cases[i];
    *the_case = found ? *found : lab->cases[0];
    the_case->budget = false;
    if (!options->size)
        return true;
    int64_t least[SIZES], most[SIZES];
    const int64_t *size = the_case->size;
    int count = size_ranges(lab, least, most);
    if (!read_sizes(lab, options->size, the_case))
        return false;
    if (count == 1)
        snprintf(name, 96, "%.32s = %lld", lab->size_names[0] ? lab->size_names[0] : "n", (long long)size[0]);
    else
        for (int k = 0; k < count; k++)
            snprintf(name + (k > 0 ? strlen(name) : 0), k > 0 ? 96 - strlen(name) : 96, "%s%lld", k > 0 ? " x " : "",
                     (long long)size[k]);
    the_case->name = name;
    the_case->purpose = "a size of your choice";
    return true;
}

/* ---- running ------------------------------------------------------------------------------------------------------ */

struct answer {
    json_t *answer; /* of the worker; NULL: the file could not be read */
    char *sha256;   /* of the submission; owned */
};

static void keep_answer(void *context, const struct job *job, const json_t *answer)
{
    struct answer *kept = context;
    kept->answer = json_deep_copy(answer);
    kept->sha256 = allocate_format("%s", job->submission.sha256);
}

/* Grades a file for a lab, which may be one of a single case. The caller frees what is in the result. */
static struct answer grade(const struct options *options, const struct subject *subject, const struct lab *lab, bool show,
                           bool colour, uint64_t seed)
{
    char *path = strdup(subject->key.path);
    struct options grading = *options;
    struct jobs jobs;
    struct answer kept = {NULL, NULL};
    grading.command = OPTIONS_GRADE;
    grading.arguments = &path;
    grading.argument_count = 1;
    grading.lab = subject->key.lab;
    jobs_find(&grading, &jobs);
    if (jobs.count == 1) {
        struct workers_input input = {.jobs = &jobs, .seed = seed, .colour = colour, .show = show};
        jobs.list[0].lab = lab;
        workers_run(&input, keep_answer, &kept);
    }
    jobs_clear(&jobs);
    free(path);
    return kept;
}

/* Name of the case that a report on the whole lab is about; NULL: every test passes, or none ran. Owned. */
static char *find_reported(const struct options *options, const struct subject *subject, uint64_t seed)
{
    struct answer kept = grade(options, subject, subject->key.lab, false, false, seed);
    const json_t *lab = json_object_get(kept.answer, "lab"), *first = json_object_get(lab, "first_test");
    const json_t *test = json_is_integer(first)
                             ? json_array_get(json_object_get(lab, "tests"), (size_t)json_integer_value(first))
                             : NULL;
    char *name = test ? allocate_format("%s", text_of(test, "name")) : NULL;
    json_decref(kept.answer);
    free(kept.sha256);
    return name;
}

/* ---- telling ------------------------------------------------------------------------------------------------------ */

static void write_printed(FILE *out, const char *text, bool colour)
{
    size_t lines = 0;
    if (text[0] == '\0')
        return;
    fprintf(out, "\n%sprinted in this run%s\n", paint_on(colour, PAINT_BOLD), paint_off(colour));
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        if (lines++ < PRINTED_LINES)
            fprintf(out, "  %s|%s %.*s\n", paint_on(colour, PAINT_DIM), paint_off(colour), (int)length, text);
        text += length + (text[length] == '\n');
    }
    if (lines > PRINTED_LINES)
        fprintf(out, "  %zu more lines, which --json FILE has\n", lines - PRINTED_LINES);
}

static const char *verdict_word(const json_t *lab)
{
    const char *state = text_of(lab, "state");
    for (int i = RESULT_PASS; i <= RESULT_INCONCLUSIVE; i++)
        if (strcmp(result_state_name((enum result_state)i), state) == 0)
            return report_state_word((enum result_state)i);
    return report_state_word(RESULT_HARNESS_ERROR);
}

static void write_text(FILE *out, const struct subject *subject, const struct lab_case *the_case, const json_t *answer,
                       uint64_t seed, bool colour)
{
    const json_t *lab = json_object_get(answer, "lab"), *run = json_object_get(answer, "run");
    const char *word = verdict_word(lab), *report = text_of(answer, "report");
    bool pass = strcmp(text_of(lab, "state"), "pass") == 0, second = json_integer_value(json_object_get(run, "number")) == 2;
    int used = paint_columns(subject->key.path), verdict = (int)strlen(word);
    fprintf(out, "%s%s%s%*s%s%s%s\n", paint_on(colour, PAINT_BOLD), subject->key.path, paint_off(colour),
            used + 2 + verdict > paint_width() ? 2 : paint_width() - used - verdict, "",
            paint_on(colour, pass ? PAINT_GREEN : PAINT_RED), word, paint_off(colour));
    char *about = allocate_format("%s, %s: %s%s", subject->key.lab->name, the_case->name, the_case->purpose,
                                  second ? "; its second run, with other inputs than the first, which was right" : "");
    paint_wrapped(out, 0, about, colour, PAINT_DIM);
    free(about);
    if (json_is_object(run))
        run_tables_write(out, run, colour);
    write_printed(out, text_of(lab, "printf"), colour);
    paint_finished(out, report, strlen(report));
    fprintf(out, "\n%sSame inputs again: --seed %llu%s\n", paint_on(colour, PAINT_DIM), (unsigned long long)seed,
            paint_off(colour));
}

static json_t *sizes_json(const struct lab *lab, const struct lab_case *the_case)
{
    int64_t least[SIZES], most[SIZES];
    int count = size_ranges(lab, least, most);
    json_t *sizes = json_array();
    for (int k = 0; k < count; k++)
        json_array_append_new(sizes, json_integer(the_case->size[k]));
    return sizes;
}

/* run.schema.json. */
static enum exit_status write_json(const struct options *options, const struct subject *subject,
                                   const struct lab_case *the_case, const struct answer *kept, uint64_t seed)
{
    char message[512];
    json_t *lab = json_object_get(kept->answer, "lab"), *run = json_object_get(kept->answer, "run");
    json_t *findings = json_object_get(json_array_get(json_object_get(lab, "tests"), 0), "findings");
    json_t *document = json_pack(
        "{s:s,s:{s:s,s:o},s:s,s:o,s:o,s:I,s:{s:s,s:s,s:o},s:O,s:O,s:O,s:O,s:O,s:O}", "schema", "lockstep/run/v1", "kit",
        "version", KIT_VERSION, "git", result_json_text(kit_git()), "lab", subject->key.lab->name, "path",
        result_json_text(subject->key.path), "sha256", result_json_text(kept->sha256), "seed", (json_int_t)seed, "case",
        "name", the_case->name, "purpose", the_case->purpose, "sizes", sizes_json(subject->key.lab, the_case), "state",
        json_object_get(lab, "state"), "message", json_object_get(lab, "message"), "diagnostics",
        json_object_get(lab, "diagnostics"), "findings", findings, "printf", json_object_get(lab, "printf"), "run", run);
    bool good = document && result_json_write(document, options->json, message, sizeof message);
    if (!good)
        fprintf(stderr, "lockstep: %s\n", document ? message : "the run could not be encoded as JSON");
    json_decref(document);
    return good ? EXIT_STATUS_FULL_SCORE : EXIT_STATUS_HARNESS;
}

static enum exit_status status_of(const json_t *lab)
{
    const char *state = text_of(lab, "state");
    return strcmp(state, "harness_error") == 0 ? EXIT_STATUS_HARNESS
           : strcmp(state, "pass") == 0        ? EXIT_STATUS_FULL_SCORE
                                               : EXIT_STATUS_SUBMISSION;
}

/* Runs one case: the one named, one of the sizes named, else the one that a report would be about. No progress is kept. */
int run_run(const struct options *options)
{
    struct subject subject;
    struct lab_case the_case;
    char name[96], *reported = NULL;
    FILE *out = options->json && strcmp(options->json, "-") == 0 ? stderr : stdout;
    bool colour = paint_wanted(out);
    if (!subject_find(options, &subject) || !subject_has_kernels(&subject, "run")
        || (options->case_name && !choose_case(options, subject.key.lab, NULL, name, &the_case)))
        return EXIT_STATUS_USAGE;
    uint64_t seed = options->has_seed ? options->seed : seed_draw();
    compile_server_start();
    if (!options->case_name && !options->size)
        reported = find_reported(options, &subject, seed);
    enum exit_status status = EXIT_STATUS_USAGE; /* what is wrong has been said */
    if (choose_case(options, subject.key.lab, reported, name, &the_case)) {
        struct lab lab = *subject.key.lab;
        lab.cases = &the_case;
        lab.case_count = 1;
        lab.budget_count = 0;
        struct answer kept = grade(options, &subject, &lab, true, colour, seed);
        if (kept.answer) {
            status = status_of(json_object_get(kept.answer, "lab"));
            write_text(out, &subject, &the_case, kept.answer, seed, colour);
            enum exit_status written = options->json ? write_json(options, &subject, &the_case, &kept, seed) : status;
            status = written > status ? written : status;
        }
        json_decref(kept.answer);
        free(kept.sha256);
    }
    free(reported);
    compile_server_stop();
    return status;
}
