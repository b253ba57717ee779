/* The command lab: a new lab from the example, and everything that can be checked of a lab that somebody has written. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/exit_status.h"
#include "grader/base/files.h"
#include "grader/base/paint.h"
#include "grader/base/words.h"
#include "grader/commands/lab_seal.h"
#include "grader/compile/compile_server.h"
#include "grader/grading/jobs.h"
#include "grader/grading/workers.h"
#include "grader/judge/reference.h"
#include "grader/lab/describe/check_cases.h"
#include "grader/lab/describe/guard.h"
#include "grader/lab/describe/lab_folder.h"
#include "grader/lab/expectation.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"
#include "grader/options/commands.h"
#include "runtime/base/user_cache.h"

#define EXAMPLE        "handouts/example_lab/reverse"
#define EXAMPLE_NAME   "reverse"
#define FILE_BYTES_MAX (1u << 20)
#define SEED           1 /* the same inputs each time: what is complained of stays the same */
#define NAMES_MAX      48

/* ---- new -------------------------------------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* `text` with every "reverse" that is not part of another word replaced. The caller frees it. */
static char *renamed(const char *text, const char *name)
{
    char *result = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&result, &bytes);
    for (const char *at = text; file && *at != '\0';) {
        bool is_word = strncmp(at, EXAMPLE_NAME, strlen(EXAMPLE_NAME)) == 0 && !is_letter(at[strlen(EXAMPLE_NAME)])
                       && (at == text || !is_letter(at[-1]));
        if (is_word) {
            fputs(name, file);
            at += strlen(EXAMPLE_NAME);
        } else {
            fputc(*at++, file);
        }
    }
    if (file)
        fclose(file);
    return result;
}

/* Copies a folder of the example. Returns false with a message on stderr. */
static bool copy_folder(const char *from, const char *to, const char *name)
{
    DIR *list = opendir(from);
    bool good = list && mkdir(to, 0777) == 0;
    if (!good)
        fprintf(stderr, "lockstep: %s: %s\n", list ? to : from, strerror(errno));
    for (struct dirent *entry; good && (entry = readdir(list));) {
        if (entry->d_name[0] == '.')
            continue;
        char *target = renamed(entry->d_name, name), *inside = allocate_format("%s/%s", from, entry->d_name),
             *outside = allocate_format("%s/%s", to, target), message[512];
        struct stat facts;
        size_t bytes;
        if (stat(inside, &facts) == 0 && S_ISDIR(facts.st_mode)) {
            good = copy_folder(inside, outside, name);
        } else {
            char *text = files_read(inside, FILE_BYTES_MAX, &bytes, message, sizeof message);
            char *own = text ? renamed(text, name) : NULL;
            good = own && files_write(outside, own, strlen(own), message, sizeof message) != FILES_FAILED;
            if (!good)
                fprintf(stderr, "lockstep: %s\n", message);
            free(own);
            free(text);
        }
        free(outside);
        free(inside);
        free(target);
    }
    if (list)
        closedir(list);
    return good;
}

/* A kernel's name, after the number that a folder may begin with. NULL: it is none. */
static const char *name_of_folder(const char *folder)
{
    const char *slash = strrchr(folder, '/'), *name = slash ? slash + 1 : folder;
    if (strspn(name, "0123456789") == 2 && name[2] == '_')
        name += 3;
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return length > 0 && name[length] == '\0' && (name[0] < '0' || name[0] > '9') && length <= 40 ? name : NULL;
}

static int make_new(const char *folder)
{
    const char *name = name_of_folder(folder);
    if (!name) {
        fprintf(
            stderr,
            "lockstep: %s: a lab is named like its kernel, in lower-case letters, digits and underscores, perhaps with a "
            "number in front: transpose, 07_transpose.\n",
            folder);
        return EXIT_STATUS_USAGE;
    }
    char *example = allocate_format("%s/" EXAMPLE, kit_root()), *whole = allocate_format("%s/lab.yaml", folder);
    /* Made are the folders above it; the lab's own must not be there yet. */
    *strrchr(whole, '/') = '\0';
    bool good = user_cache_make_folders(whole) && copy_folder(example, folder, name);
    free(whole);
    free(example);
    if (!good)
        return EXIT_STATUS_HARNESS;
    char *word = words_shell(folder);
    printf("%s is a lab now: it turns an array round, until you describe another task.\n\n"
           "  lab.yaml       sizes, kernels, arrays, cases, budgets     `%s lab keys` lists all\n"
           "  reference.c    the kernel's work on the CPU\n"
           "  %s.cu, solution.cu   what students get, and what solves it\n"
           "  wrong/         mistakes, each with the cause that must be named in its first line\n"
           "  hints.md       three hints for each cause; handout.md is the page to read\n\n"
           "After each change:\n    %s lab check %s\n",
           folder, kit_program(), name, kit_program(), word);
    free(word);
    return EXIT_STATUS_FULL_SCORE;
}

/* ---- check ------------------------------------------------------------------------------------------------------------ */

/* What the check of a lab has found so far. */
struct check {
    const struct lab *lab;
    int complaints;
    json_t *answers[NAMES_MAX]; /* `lab` of each job's answer; owned */
    size_t answer_count;
};

static void tell(const char *mark, enum paint style, const char *format, va_list arguments)
{
    enum { COLUMN = 5 };
    bool colour = paint_wanted(stdout);
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    printf("%s%-*s%s", paint_on(colour, style), COLUMN, mark, paint_off(colour));
    paint_continued(stdout, COLUMN, text);
    fflush(stdout);
}

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void complain(struct check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell("ok", PAINT_GREEN, format, arguments);
    va_end(arguments);
}

static void complain(struct check *check, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell("BAD", PAINT_RED, format, arguments);
    va_end(arguments);
    check->complaints++;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void take_answer(void *context, const struct job *job, const json_t *answer)
{
    struct check *check = context;
    (void)job;
    check->answers[check->answer_count++] = json_incref(json_object_get(answer, "lab"));
}

static int score_of(const json_t *answer, const char *key)
{
    return (int)json_integer_value(json_object_get(answer, key));
}

/* The skeleton, and what is between its marks taken out of the solution: the same? */
static void check_marks(struct check *check, const struct submission *skeleton, const struct submission *solution)
{
    static const char begin[] = "--- your code ---", end[] = "--- end ---";
    const char *a = skeleton->source, *b = solution->source;
    if (!strstr(a, begin) || !strstr(a, end)) {
        complain(check, "%s has no lines // %s and // %s. Students write between them.", skeleton->path, begin, end);
        return;
    }
    size_t line = 1;
    while (*a != '\0' || *b != '\0') {
        size_t length = strcspn(a, "\n"), other = strcspn(b, "\n");
        if (length != other || memcmp(a, b, length) != 0) {
            complain(check, "%s:%zu differs from the solution outside of the marks. Students would not know.",
                     skeleton->path, line);
            return;
        }
        bool opens = memmem(a, length, begin, strlen(begin)) != NULL;
        a += length + (a[length] == '\n');
        b += length + (b[length] == '\n');
        line++;
        if (!opens)
            continue;
        const char *skeleton_end = strstr(a, end), *solution_end = strstr(b, end);
        if (!skeleton_end || !solution_end) {
            complain(check, "%s: after // %s there is no // %s.", skeleton_end ? solution->path : skeleton->path, begin,
                     end);
            return;
        }
        while (a < skeleton_end)
            line += *a++ == '\n';
        b = solution_end;
        /* Back to the beginning of the line with the mark, which both have. */
    }
    say("the skeleton and the solution differ only between the marks");
}

static void check_skeleton(struct check *check, const char *path, const json_t *answer)
{
    const char *state = text_of(answer, "state"), *message = text_of(answer, "message");
    if (strcmp(state, "fail") != 0 || strcmp(text_of(json_object_get(answer, "cause"), "code"), "compile_error") == 0)
        complain(check, "%s must compile and fail, with a message that helps. It is: %s. %s", path, state, message);
    else if (score_of(answer, "score") > score_of(answer, "max_score") / 4)
        complain(check, "%s already gets %d of %d points. Nothing done must be worth next to nothing.", path,
                 score_of(answer, "score"), score_of(answer, "max_score"));
    else
        say("the skeleton fails: %s", message);
}

/* Why a file did not pass: the message of the whole, else of the first test or budget that has one. */
static const char *reason_of(const json_t *answer)
{
    static const char *const lists[] = {"tests", "performance"};
    const char *reason = text_of(answer, "message");
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        size_t i;
        json_t *one;
        json_array_foreach(json_object_get(answer, lists[k]), i,
                           one) if (reason[0] == '\0' && strcmp(text_of(one, "state"), "pass") != 0)
            reason = text_of(one, "message");
    }
    return reason[0] != '\0' ? reason : text_of(answer, "state");
}

static void check_solution(struct check *check, const char *path, const json_t *answer)
{
    size_t i;
    json_t *budget;
    int points = score_of(answer, "score"), most = score_of(answer, "max_score");
    bool differs = strcmp(text_of(json_object_get(answer, "cause"), "code"), "wrong_value") == 0;
    if (strcmp(text_of(answer, "state"), "pass") != 0 && differs)
        complain(check,
                 "%s and the reference on the CPU do not agree, so one of the two is wrong. What \"should be\" is the "
                 "reference's: %s",
                 path, reason_of(answer));
    else if (strcmp(text_of(answer, "state"), "pass") != 0)
        complain(check, "%s must pass every case: %s", path, reason_of(answer));
    json_array_foreach(json_object_get(answer, "performance"), i, budget)
    {
        if (strcmp(text_of(budget, "track"), "counters") != 0)
            continue;
        double value = json_number_value(json_object_get(budget, "value")),
               ideal = json_number_value(json_object_get(budget, "ideal"));
        int got = score_of(budget, "score"), of = score_of(budget, "max_score");
        if (got < of)
            complain(check, "%s: the solution misses its own budget %s: %d of %d points. %s", check->lab->name,
                     text_of(budget, "metric"), got, of, text_of(budget, "message"));
        else if (ideal > 0)
            say("%s: the solution has %.6g, the ideal is %.6g: %d of %d points", text_of(budget, "metric"), value, ideal,
                got, of);
        else
            say("%s: the solution has %.6g: %d of %d points", text_of(budget, "metric"), value, got, of);
    }
    if (points == most)
        say("the solution gets %d of %d points", points, most);
}

static bool misses_budget(const json_t *answer, const struct expectation *expectation)
{
    size_t i;
    json_t *budget;
    bool found = false;
    json_array_foreach(json_object_get(answer, "performance"), i, budget)
        found = found
                || (expectation_fits_metric(expectation, text_of(budget, "metric"))
                    && strcmp(text_of(budget, "state"), "fail") == 0);
    return found && strcmp(text_of(answer, "state"), "pass") == 0;
}

/* A message of the grader, which most often begins with the file. */
static void say_of(const char *path, const char *message)
{
    bool named = strncmp(message, path, strlen(path)) == 0;
    say("%s%s%s", named ? "" : path, named ? "" : ": ", message);
}

static void check_wrong(struct check *check, const struct submission *file, const json_t *answer)
{
    struct expectation expectation;
    const json_t *cause = json_object_get(answer, "cause");
    const char *code = text_of(cause, "code"), *pattern = text_of(cause, "pattern");
    int line = (int)json_integer_value(json_object_get(cause, "line"));
    if (!expectation_read(file->source, &expectation)) {
        complain(check, "%s:1: the first line must say what is to be found: // expect: CODE [PATTERN] [line=N] - why",
                 file->path);
        return;
    }
    if (score_of(answer, "score") == score_of(answer, "max_score")) {
        complain(check, "%s gets full points. Add a case, or a budget, that tells it from the solution.", file->path);
        return;
    }
    char at_line[32] = "";
    if (line > 0) /* some causes have no line */
        snprintf(at_line, sizeof at_line, " at line %d", line);
    bool met = expectation_is_budget(&expectation) ? misses_budget(answer, &expectation)
                                                   : expectation_fits_cause(&expectation, code, pattern, line);
    if (met)
        say_of(file->path, text_of(answer, "message")[0] != '\0' ? text_of(answer, "message") : "misses its budget");
    else if (code[0] != '\0')
        complain(check, "%s:1: expects %s%s%s, and the grader says %s%s%s%s: %s", file->path, expectation.code,
                 expectation.second[0] != '\0' ? " " : "", expectation.second, code, pattern[0] != '\0' ? " " : "", pattern,
                 at_line, reason_of(answer));
    else
        complain(check, "%s:1: expects %s%s%s, and the grader says: %s", file->path, expectation.code,
                 expectation.second[0] != '\0' ? " " : "", expectation.second, reason_of(answer));
}

/* Whether a file of hints has a section for the code; `race` is for every kind of race. */
static bool has_hints(const char *hints, const char *code)
{
    size_t length = strncmp(code, "race_", 5) == 0 && !strstr(hints, code) ? strlen("race") : strlen(code);
    for (const char *at = hints; at && (at = strstr(at, "## ")); at += 3)
        if ((at == hints || at[-1] == '\n') && strncmp(at + 3, code, length) == 0 && strchr(" \n\r", at[3 + length]))
            return true;
    return false;
}

static void check_hints(struct check *check, size_t first)
{
    char path[KIT_PATH_BYTES], shown[KIT_PATH_BYTES], message[512], missing[512] = "";
    size_t bytes;
    kit_lab_part(check->lab, "hints.md", path);
    kit_shown_path(path, shown);
    char *hints = files_read(path, FILE_BYTES_MAX, &bytes, message, sizeof message);
    snprintf(path, sizeof path, "%.3000s/labs/hints.md", kit_root());
    char *general = files_read(path, FILE_BYTES_MAX, &bytes, message, sizeof message);
    if (!hints || !general) {
        complain(check, "%s", message);
        free(hints);
        free(general);
        return;
    }
    for (size_t i = first; i < check->answer_count; i++) {
        const char *code = text_of(json_object_get(check->answers[i], "cause"), "code");
        size_t used = strlen(missing);
        if (code[0] != '\0' && !has_hints(hints, code) && !has_hints(general, code) && !strstr(missing, code))
            snprintf(missing + used, sizeof missing - used, "%s%s", used > 0 ? ", " : "", code);
    }
    if (missing[0] != '\0')
        complain(check, "%s has no section ## CODE with three hints for %s.", shown, missing);
    else
        say("there are hints for every cause");
    free(general);
    free(hints);
}

/* ---- the files of a lab ----------------------------------------------------------------------------------------------- */

static int is_source(const struct dirent *entry)
{
    const char *ending = strrchr(entry->d_name, '.');
    return entry->d_name[0] != '.' && ending && (strcmp(ending, ".cu") == 0 || strcmp(ending, ".c") == 0);
}

/* Adds every source of a folder of the lab. Returns how many. */
static size_t add_files(struct check *check, struct jobs *jobs, const char *part)
{
    char folder[KIT_PATH_BYTES], shown[KIT_PATH_BYTES];
    struct dirent **entries;
    size_t before = jobs->count;
    kit_lab_part(check->lab, part, folder);
    int count = scandir(folder, &entries, is_source, alphasort);
    for (int i = 0; i < count; i++) {
        char *path = allocate_format("%s/%s", folder, entries[i]->d_name);
        kit_shown_path(path, shown);
        if (jobs->count < NAMES_MAX)
            jobs_add(jobs, check->lab, shown);
        free(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return jobs->count - before;
}

/* Grades everything at once: the skeleton, the solution, variants, wrong versions. */
static void check_files(struct check *check)
{
    char skeleton[KIT_PATH_BYTES], solution[KIT_PATH_BYTES], handout[KIT_PATH_BYTES];
    struct jobs jobs = {0};
    kit_lab_file(check->lab, "labs", "", skeleton);
    kit_lab_file(check->lab, "solutions", "", solution);
    jobs_add(&jobs, check->lab, skeleton);
    jobs_add(&jobs, check->lab, solution);
    if (jobs.count < 2) {
        complain(check, "%s and %s must both be there.", skeleton, solution);
        jobs_clear(&jobs);
        return;
    }
    size_t variants = add_files(check, &jobs, "variants"), wrong = add_files(check, &jobs, "wrong");
    struct workers_input input = {.jobs = &jobs, .seed = SEED};
    reference_prepare(check->lab, SEED);
    if (!guard_fault(check->lab))
        workers_run(&input, take_answer, check);
    if (guard_fault(check->lab)) {
        jobs_clear(&jobs);
        return;
    }
    if (jobs.list[0].submission.source && jobs.list[1].submission.source)
        check_marks(check, &jobs.list[0].submission, &jobs.list[1].submission);
    check_skeleton(check, skeleton, check->answers[0]);
    check_solution(check, solution, check->answers[1]);
    for (size_t i = 2; i < 2 + variants; i++)
        if (score_of(check->answers[i], "score") < score_of(check->answers[i], "max_score"))
            complain(check, "%s is a right variant, and gets %d of %d points: %s", jobs.list[i].submission.path,
                     score_of(check->answers[i], "score"), score_of(check->answers[i], "max_score"),
                     text_of(check->answers[i], "message"));
        else
            say("%s gets full points", jobs.list[i].submission.path);
    for (size_t i = 2 + variants; i < 2 + variants + wrong; i++)
        check_wrong(check, &jobs.list[i].submission, check->answers[i]);
    if (wrong < 6)
        complain(check, "wrong/ has %zu file%s. What do beginners do wrong here? Six or more of it belong into the lab.",
                 wrong, wrong == 1 ? "" : "s");
    check_hints(check, 2 + variants);
    kit_handout(check->lab, handout);
    if (access(handout, R_OK) == 0)
        say("%s is there", handout);
    else
        complain(check, "%s is missing: the page that students read.", handout);
    jobs_clear(&jobs);
}

static void take_complaint(void *context, const char *text)
{
    complain(context, "%s", text);
}

static int check_folder(const char *folder)
{
    char absolute[PATH_MAX];
    struct check check = {0};
    if (!realpath(folder, absolute)) {
        fprintf(stderr, "lockstep: %s: %s\n", folder, strerror(errno));
        return EXIT_STATUS_USAGE;
    }
    char *seal = allocate_format("%s/" KIT_SEAL, absolute);
    bool sealed = access(seal, F_OK) == 0;
    free(seal);
    if (sealed) {
        fprintf(stderr,
                "lockstep: %s comes without its solution, so it cannot be checked here. Check it in the kit that has it.\n",
                folder);
        return EXIT_STATUS_USAGE;
    }
    check.lab = lab_folder_open(absolute, NULL, stdout);
    if (!check.lab) {
        printf("The other checks need a description that can be read.\n");
        return EXIT_STATUS_SUBMISSION;
    }
    say("lab.yaml: %d cases", check.lab->case_count);
    check_cases(check.lab, take_complaint, &check);
    if (!guard_fault(check.lab))
        check_files(&check);
    if (guard_fault(check.lab)) /* it is the same in every file that was graded, and nothing else is known */
        complain(&check, "%s. Nothing can be graded before that is fixed.", guard_fault(check.lab));
    for (size_t i = 0; i < check.answer_count; i++)
        json_decref(check.answers[i]);
    if (check.complaints > 0)
        printf("%s: %d complaint%s\n", check.lab->name, check.complaints, check.complaints == 1 ? "" : "s");
    else
        printf("%s is complete.\n", check.lab->name);
    return check.complaints > 0 ? EXIT_STATUS_SUBMISSION : EXIT_STATUS_FULL_SCORE;
}

int lab_run(const struct options *options)
{
    const char *verb = options->argument_count > 0 ? options->arguments[0] : "";
    int status = EXIT_STATUS_FULL_SCORE;
    if (strcmp(verb, "keys") == 0 && options->argument_count == 1) {
        lab_folder_print_keys(stdout);
        return status;
    }
    if (strcmp(verb, "new") == 0 && options->argument_count == 2)
        return make_new(options->arguments[1]);
    bool seals = strcmp(verb, "seal") == 0 && options->argument_count == 2;
    if (!seals && (strcmp(verb, "check") != 0 || options->argument_count < 2)) {
        fprintf(stderr, "lockstep: lab: expected `lab new FOLDER`, `lab check FOLDER`, `lab seal FOLDER` or `lab keys`.\n");
        return EXIT_STATUS_USAGE;
    }
    compile_server_start(); /* a failure shows where it matters: each compile tries again */
    if (seals)
        status = lab_seal(options->arguments[1]);
    for (int i = 1; i < options->argument_count && !seals; i++) {
        int one = check_folder(options->arguments[i]);
        status = one > status ? one : status;
    }
    compile_server_stop();
    return status;
}
