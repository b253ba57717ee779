#include "grader/result/report.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/paint.h"
#include "grader/lab/fit.h"
#include "grader/lab/kit.h"
#include "grader/result/diagnose.h"
#include "grader/result/excerpt.h"
#include "runtime/base/printable.h"

const char *report_state_word(enum result_state state)
{
    static const char *const words[] = {
        [RESULT_PASS] = "pass",       [RESULT_FAIL] = "FAIL",
        [RESULT_ERROR] = "ERROR",     [RESULT_HARNESS_ERROR] = "NOT GRADED",
        [RESULT_SKIPPED] = "skipped", [RESULT_INCONCLUSIVE] = "unclear",
    };
    return words[state];
}

void report_state(FILE *file, enum result_state state, bool colour)
{
    static const enum paint styles[] = {
        [RESULT_PASS] = PAINT_GREEN,           [RESULT_FAIL] = PAINT_RED,    [RESULT_ERROR] = PAINT_RED,
        [RESULT_HARNESS_ERROR] = PAINT_YELLOW, [RESULT_SKIPPED] = PAINT_DIM, [RESULT_INCONCLUSIVE] = PAINT_YELLOW,
    };
    fprintf(file, "%s%s%s", paint_on(colour, styles[state]), report_state_word(state), paint_off(colour));
}

/* "labs/vector_add/vector_add.cu                              FAIL  0/100" */
static void print_heading(FILE *file, const struct result_lab *result, const struct lab *lab, bool colour)
{
    char path[1024] = "", score[32];
    printable_append(path, sizeof path, result->path, strlen(result->path));
    if (result->state == RESULT_HARNESS_ERROR) /* not a zero */
        snprintf(score, sizeof score, "-/%d", result->max_score);
    else
        snprintf(score, sizeof score, "%d/%d", result->score, result->max_score);
    int verdict = (int)strlen(report_state_word(result->state)) + 2 + (int)strlen(score), used = paint_columns(path);
    fprintf(file, "%s%s%s", paint_on(colour, PAINT_BOLD), path, paint_off(colour));
    if (used + 2 + verdict > paint_width()) {
        fputc('\n', file); /* the verdict goes below a long path */
        used = 0;
    }
    fprintf(file, "%*s", paint_width() - used - verdict, "");
    report_state(file, result->state, colour);
    fprintf(file, "  %s\n", score);
    bool tell_plan = result->plan && lab->plan_count > 1;
    char *about = allocate_format("%s: %s%s%s", lab->name, lab->title, tell_plan ? "; plan: " : "",
                                  tell_plan ? result->plan : "");
    paint_wrapped(file, 0, about, colour, PAINT_DIM);
    free(about);
}

/* ---- the first cause ---------------------------------------------------------------------------------------------- */

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_second_elsewhere(const struct result_finding *finding)
{
    return finding->file2[0] != '\0' && strcmp(finding->file2, finding->file) != 0;
}

static void print_place(FILE *file, const struct result_finding *finding, bool colour)
{
    bool compile = strcmp(finding->code, "compile") == 0;
    int column = compile && finding->mark_count > 0 ? finding->marks[0].column : 0;
    char place[640] = "", line[32];
    printable_append(place, 300, finding->file, strlen(finding->file));
    if (finding->line > 0) {
        snprintf(line, sizeof line, column > 0 ? ":%d:%d" : ":%d", finding->line, column);
        strncat(place, line, sizeof place - strlen(place) - 1);
    }
    if (finding->line2 > 0 && is_second_elsewhere(finding)) {
        strcat(place, " and ");
        printable_append(place, 500, last_part(finding->file2), strlen(last_part(finding->file2)));
        snprintf(line, sizeof line, ":%d", finding->line2);
        strcat(place, line);
    } else if (finding->line2 > 0 && finding->line2 != finding->line) {
        snprintf(line, sizeof line, " and %d", finding->line2);
        strcat(place, line);
    }
    const char *title = diagnose_title(finding->code);
    int used = 2 + (int)strlen(title) + paint_columns(place);
    fprintf(file, "  %s%s%s", paint_on(colour, finding->severity == LOCKSTEP_ERROR ? PAINT_RED : PAINT_YELLOW), title,
            paint_off(colour));
    if (used + 2 < paint_width())
        fprintf(file, "%*s", paint_width() - used, "");
    else
        fprintf(file, "\n%*s", 4, ""); /* the place goes below */
    fprintf(file, "%s%s%s\n", paint_on(colour, PAINT_BLUE), place, paint_off(colour));
}

/* Which thread did it, and how often it happened: a thread may do it many times, so the number is not one of threads. */
static void print_thread(FILE *file, const struct result_finding *finding, const struct result_test *test, bool colour)
{
    if (!finding->has_thread || result_finding_tells_threads(finding))
        return;
    char *text = allocate_format("thread (%u,%u,%u) of block (%u,%u,%u)", finding->thread[0], finding->thread[1],
                                 finding->thread[2], finding->block[0], finding->block[1], finding->block[2]);
    paint_wrapped(file, 4, text, colour, PAINT_DIM);
    const char *events = result_finding_events(finding);
    if (finding->count > 1 && events)
        fprintf(file, "    %s%llu such %s %s%s\n", paint_on(colour, PAINT_DIM), (unsigned long long)finding->count, events,
                test && test->halvings + test->slow_halvings > 0 ? "in the part of the case that was run" : "in all",
                paint_off(colour));
    free(text);
}

/* "in load_one, called at line 15 (load_two), line 61 (three_levels)": how the access came about. */
static void print_calls(FILE *file, const struct result_finding *finding, bool colour)
{
    char *text = NULL;
    size_t bytes = 0;
    if (finding->called_from_count == 0 && finding->inside.line == 0)
        return;
    FILE *words = open_memstream(&text, &bytes);
    if (finding->inside.line > 0)
        fprintf(words, "the access is in %s (%s:%d)%s",
                finding->inside.function[0] != '\0' ? finding->inside.function : "a header", last_part(finding->inside.file),
                finding->inside.line, finding->called_from_count > 0 ? "; " : "");
    for (int i = 0; i < finding->called_from_count; i++) {
        const struct result_frame *call = &finding->called_from[i];
        if (i == 0)
            fprintf(words, "in %s, called at ", finding->function[0] != '\0' ? finding->function : "a function");
        fprintf(words, "%sline %d", i > 0 ? ", " : "", call->line);
        if (strcmp(call->file, finding->file) != 0)
            fprintf(words, " of %s", last_part(call->file));
        if (call->function[0] != '\0')
            fprintf(words, " (%s)", call->function);
    }
    fclose(words);
    paint_wrapped(file, 4, text, colour, PAINT_PLAIN);
    free(text);
}

void report_explanation(FILE *file, const struct result_finding *finding, const char *source, bool colour)
{
    print_calls(file, finding, colour);
    if (finding->arithmetic[0] != '\0')
        paint_wrapped(file, 4, finding->arithmetic, colour, PAINT_PLAIN);
    if (finding->remark[0] != '\0')
        paint_wrapped(file, 4, finding->remark, colour, PAINT_PLAIN);
    if (excerpt_has_line(source, finding->line)) {
        fputc('\n', file);
        excerpt_print(file, source, finding->line, is_second_elsewhere(finding) ? 0 : finding->line2, finding->marks,
                      finding->mark_count, colour);
    }
}

/* test: whose finding it is; NULL: of none. */
static void print_finding(FILE *file, const struct result_lab *result, const struct result_finding *finding,
                          const struct result_test *test, const char *source, bool colour)
{
    fputc('\n', file);
    print_place(file, finding, colour);
    paint_wrapped(file, 4, finding->message, colour, PAINT_PLAIN);
    print_thread(file, finding, test, colour);
    report_explanation(file, finding, result_is_own_file(finding->file, result->path) ? source : NULL, colour);
    const char *hint = diagnose_hint(finding);
    if (hint[0] != '\0' && !finding->asks) {
        fputc('\n', file);
        paint_wrapped(file, 4, hint, colour, PAINT_BOLD);
    }
}

static int count_errors(const struct result_lab *result)
{
    int errors = 0;
    for (size_t i = 0; i < result->diagnostic_count; i++)
        errors += result->diagnostics[i].severity == LOCKSTEP_ERROR;
    return errors;
}

/* After the first error more may follow. */
static void print_errors(FILE *file, const struct result_lab *result, bool colour)
{
    int errors = count_errors(result);
    if (errors > 1)
        fprintf(file, "\n    %s%d more error%s below it; fix the first one first.%s\n", paint_on(colour, PAINT_DIM),
                errors - 1, errors == 2 ? "" : "s", paint_off(colour));
}

/* Warnings of what is hardly ever meant come before the first cause, unless they are printed with it; the others, idle ones,
 * come last. */
static void print_warnings(FILE *file, const struct result_lab *result, const struct result_finding *cause, bool idle,
                           bool colour)
{
    const lockstep_diagnostic *before = NULL;
    for (size_t i = 0; i < result->diagnostic_count && count_errors(result) == 0; i++) {
        const lockstep_diagnostic *one = &result->diagnostics[i];
        const char *words = one->advice[0] != '\0' ? one->advice : one->message;
        bool again = before && before->line == one->line && strcmp(before->kind, one->kind) == 0;
        if (one->severity != LOCKSTEP_WARNING || result_is_idle_warning(one) != idle || again
            || (cause && strstr(cause->remark, words)))
            continue;
        char *line = allocate_format("%s:%d: %s%s%s%s", one->file, one->line, words,
                                     one->advice[0] != '\0' ? " (The compiler says: " : "",
                                     one->advice[0] != '\0' ? one->message : "", one->advice[0] != '\0' ? ")" : "");
        if (!before)
            fputc('\n', file);
        paint_wrapped(file, 4, line, colour, idle ? PAINT_DIM : PAINT_YELLOW);
        before = one;
        free(line);
    }
}

/* The compiler's first error has a column. */
static void mark_first_error(const struct result_lab *result, struct result_finding *finding)
{
    for (size_t i = 0; i < result->diagnostic_count && finding->mark_count == 0; i++)
        if (result->diagnostics[i].severity == LOCKSTEP_ERROR && result->diagnostics[i].column > 0)
            finding->marks[finding->mark_count++] =
                (struct result_mark){.line = finding->line, .column = result->diagnostics[i].column, .width = 1};
}

/* What else the test says: consequences, perhaps. */
static void print_rest(FILE *file, const struct result_test *test, bool colour)
{
    if (test->findings.count < 2)
        return;
    char *text = NULL;
    size_t bytes = 0;
    FILE *rest = open_memstream(&text, &bytes);
    fprintf(rest, "also found, perhaps only as a consequence: ");
    for (size_t i = 1; i < test->findings.count && i < 5; i++) {
        const struct result_finding *finding = &test->findings.list[i];
        fprintf(rest, "%s%s", i > 1 ? ", " : "", diagnose_title(finding->code));
        bool has_array = finding->array[0] != '\0', has_line = finding->line > 0;
        if (has_array && has_line)
            fprintf(rest, " (%s, line %d)", finding->array, finding->line);
        else if (has_array)
            fprintf(rest, " (%s)", finding->array);
        else if (has_line)
            fprintf(rest, " (line %d)", finding->line);
    }
    if (test->findings.count > 5)
        fprintf(rest, " and %zu more", test->findings.count - 5);
    fclose(rest);
    fputc('\n', file);
    paint_wrapped(file, 4, text, colour, PAINT_DIM);
    free(text);
}

/* Does a message name the element, "out[5]" or "pi"? */
static bool names_place(const char *message, const char *place)
{
    size_t length = strlen(place);
    for (const char *at = strstr(message, place); at && length > 0; at = strstr(at + 1, place)) {
        bool begins = at == message || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
        if (begins && !isalnum((unsigned char)at[length]) && at[length] != '_')
            return true;
    }
    return false;
}

static void print_case(FILE *file, const struct result_test *test, const struct lab *lab, bool colour)
{
    const char *section = test->findings.count > 0 ? test->findings.list[0].handout : "";
    bool short_enough = (int)(strlen(test->name) + strlen(test->purpose)) < paint_width() - 17;
    char *name = allocate_format("%s%s%s", test->name, short_enough ? ": " : "", short_enough ? test->purpose : "");
    fputc('\n', file);
    paint_labelled(file, 4, "case", name, colour);
    if (!short_enough)
        paint_wrapped(file, 13, test->purpose, colour, PAINT_PLAIN);
    free(name);
    const struct result_finding *first = test->findings.count > 0 ? &test->findings.list[0] : NULL;
    /* An element that was never written is not the one of which another finding speaks. */
    bool other = first && test->never_written && strcmp(first->code, "never_written") != 0;
    if (test->actual[0] != '\0' && !other && !(first && first->tells_values)) {
        bool named = test->place[0] == '\0' || names_place(first ? first->message : test->message, test->place);
        char *values = allocate_format("%s%s%s, %s %s", test->expected, named ? "" : " in ", named ? "" : test->place,
                                       test->never_written ? "but it was" : "got", test->actual);
        paint_labelled(file, 4, "expected", values, colour);
        free(values);
    }
    paint_labelled(file, 4, "handout", section[0] != '\0' ? section : lab->handout, colour);
}

/* All tests pass, but points of a budget are lost: elements that several threads make are work done more than once. */
static void print_repeated(FILE *file, const struct result_lab *result, const char *source, bool colour)
{
    bool lost = false;
    for (int i = 0; i < result->budget_count; i++)
        lost |= result->budgets[i].state == RESULT_FAIL;
    for (int i = 0; i < result->test_count && lost; i++)
        for (size_t k = 0; k < result->tests[i].findings.count; k++)
            if (strcmp(result->tests[i].findings.list[k].code, "race_same_value") == 0) {
                print_finding(file, result, &result->tests[i].findings.list[k], &result->tests[i], source, colour);
                return;
            }
}

static void print_cause(FILE *file, const struct result_lab *result, const struct lab *lab, const char *source, bool colour)
{
    for (size_t i = 0; i < result->notes.count; i++) {
        struct result_finding note = result->notes.list[i];
        if (strcmp(note.code, "compile") == 0)
            mark_first_error(result, &note);
        print_finding(file, result, &note, NULL, source, colour);
    }
    int index = diagnose_first_test(result);
    const struct result_finding *cause = index >= 0 && result->tests[index].findings.count > 0
                                             ? &result->tests[index].findings.list[0]
                                             : NULL;
    print_errors(file, result, colour);
    print_warnings(file, result, cause, false, colour);
    if (result->notes.count > 0 && result->state == RESULT_ERROR) {
        fputc('\n', file);
        paint_labelled(file, 4, "handout", lab->handout, colour);
        return;
    }
    if (index < 0) {
        print_warnings(file, result, NULL, true, colour);
        print_repeated(file, result, source, colour);
        if (result->state == RESULT_HARNESS_ERROR) {
            fputc('\n', file);
            paint_wrapped(file, 2, result->message, colour, PAINT_YELLOW);
        }
        return;
    }
    const struct result_test *test = &result->tests[index];
    if (test->findings.count > 0) {
        print_finding(file, result, &test->findings.list[0], test, source, colour);
    } else {
        fputc('\n', file);
        paint_wrapped(file, 2, test->message, colour, PAINT_RED);
    }
    if (result->repair.message[0] != '\0') {
        fputc('\n', file);
        paint_wrapped(file, 4, result->repair.message, colour, PAINT_PLAIN);
    }
    print_case(file, test, lab, colour);
    print_rest(file, test, colour);
    print_warnings(file, result, cause, true, colour);
}

/* ---- words -------------------------------------------------------------------------------------------------------- */

/* Does a text have the word, or its plural? */
static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strcasestr(text, word); at; at = strcasestr(at + 1, word)) {
        const char *end = at + length + (at[length] == 's');
        if ((at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)*end))
            return true;
    }
    return false;
}

/* What the reader has just read: the first cause, or where points are lost. In new memory. */
static char *read_words(const struct result_lab *result)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *words = open_memstream(&text, &bytes);
    int index = diagnose_first_test(result);
    const struct result_finding *cause = result->notes.count > 0 && result->state == RESULT_ERROR ? &result->notes.list[0]
                                         : index >= 0 && result->tests[index].findings.count > 0
                                             ? &result->tests[index].findings.list[0]
                                             : NULL;
    if (cause)
        fprintf(words, "%s. %s. %s. %s. ", diagnose_title(cause->code), cause->message, cause->remark, diagnose_hint(cause));
    for (int i = 0; i < result->budget_count && !cause; i++)
        if (result->budgets[i].state == RESULT_FAIL)
            fprintf(words, "%s. %s. %s. ", result->budgets[i].title, result->budgets[i].why, result->budgets[i].message);
    fclose(words);
    return text;
}

/* "words    race, barrier: handouts/glossary.md" */
static void print_words(FILE *file, const struct result_lab *result, bool colour)
{
    enum { MOST = 5 };
    static const char *const glossary[] = {
#define WORD(word) word,
#include "runtime/tables/glossary.def"
#undef WORD
    };
    char *text = read_words(result), *words = NULL;
    size_t bytes = 0;
    int count = 0;
    FILE *line = open_memstream(&words, &bytes);
    for (size_t i = 0; i < sizeof glossary / sizeof *glossary && count < MOST; i++)
        if (has_word(text, glossary[i]))
            fprintf(line, "%s%s", count++ > 0 ? ", " : "", glossary[i]);
    fprintf(line, ": handouts/glossary.md");
    fclose(line);
    if (count > 0) {
        fputc('\n', file);
        paint_labelled(file, 2, "words", words, colour);
    }
    free(words);
    free(text);
}

/* ---- tests and budgets -------------------------------------------------------------------------------------------- */

static const char *cause_of(const struct result_test *test)
{
    if (test->findings.count > 0)
        return diagnose_title(test->findings.list[0].code);
    if (test->not_run)
        return test->left_little ? "not run whole, as other tests did not finish"
                                 : "not run, as the tests before cost too much work";
    return test->state == RESULT_FAIL ? "not finished" : report_state_word(test->state);
}

/* "failed: never written (n = 1, n = 31), wrong values (n = 257)": tests with the same first cause are listed together. */
static void print_tests(FILE *file, const struct result_lab *result, bool colour)
{
    int passed = 0, parts = 0;
    for (int i = 0; i < result->test_count; i++) {
        bool part = result->tests[i].slow_halvings > 0;
        passed += result->tests[i].state == RESULT_PASS && !part;
        parts += result->tests[i].state == RESULT_PASS && part;
    }
    fprintf(file, "\n  %stests%s    %d of %d pass", paint_on(colour, PAINT_BOLD), paint_off(colour), passed,
            result->test_count);
    if (parts > 0)
        fprintf(file, ", of %d only a part was tested", parts);
    fprintf(file, "\n");
    for (int i = 0; i < result->test_count; i++) {
        const struct result_test *test = &result->tests[i];
        bool seen = test->state == RESULT_PASS;
        for (int k = 0; k < i && !seen; k++)
            seen = result->tests[k].state != RESULT_PASS && strcmp(cause_of(&result->tests[k]), cause_of(test)) == 0;
        if (seen)
            continue;
        char *text = NULL;
        size_t bytes = 0;
        FILE *line = open_memstream(&text, &bytes);
        fprintf(line, "%s: %s", cause_of(test), test->name);
        for (int k = i + 1; k < result->test_count; k++)
            if (result->tests[k].state != RESULT_PASS && strcmp(cause_of(&result->tests[k]), cause_of(test)) == 0)
                fprintf(line, "; %s", result->tests[k].name);
        fclose(line);
        paint_wrapped(file, 11, text, colour, PAINT_PLAIN);
        free(text);
    }
    for (int i = 0; i < result->test_count; i++) {
        char text[sizeof result->tests[i].name + 160] = "";
        if (result->tests[i].halvings == 0 && result->tests[i].slow_halvings == 0)
            continue;
        snprintf(text, sizeof text, "%s", result->tests[i].name);
        fit_describe(result->tests[i].halvings, result->tests[i].slow_halvings, result->tests[i].left_little,
                     result->tests[i].state == RESULT_PASS, text, sizeof text);
        paint_wrapped(file, 11, text, colour, PAINT_YELLOW);
    }
}

/* What the kernels printed in one test: the first lines, indented so that they cannot pass for a verdict. */
static void print_printed(FILE *file, const struct result_lab *result, const struct lab *lab, bool colour)
{
    enum { LINES = 8 };
    int index = result_printed_test(result), line = 0;
    if (index < 0)
        return;
    const struct result_test *test = &result->tests[index];
    const char *at = test->printed.text;
    fprintf(file, "\n  %sprinted%s  by your kernels, in %s\n", paint_on(colour, PAINT_BOLD), paint_off(colour), test->name);
    for (; line < LINES && *at != '\0'; line++) {
        char text[160] = "";
        size_t length = strcspn(at, "\n");
        printable_append(text, (size_t)(paint_width() - 6), at, length);
        fprintf(file, "    %s|%s %s\n", paint_on(colour, PAINT_DIM), paint_off(colour), text);
        at += length + (at[length] == '\n');
    }
    if (*at == '\0' && test->printed.bytes <= strlen(test->printed.text))
        return;
    char *path = kit_file_words(lab, result->path);
    char *more = allocate_format("%llu bytes in all. All lines of such a run: %s run %s --case \"%s\"",
                                 (unsigned long long)test->printed.bytes, kit_program(), path, test->name);
    paint_wrapped(file, 4, more, colour, PAINT_DIM);
    free(more);
    free(path);
}

void report_cause(FILE *file, const struct result_lab *result, const struct lab *lab, const char *source, bool colour)
{
    print_cause(file, result, lab, source, colour);
    print_words(file, result, colour);
}

void report_lab(FILE *file, const struct result_lab *result, const struct lab *lab, const char *source, bool colour)
{
    print_heading(file, result, lab, colour);
    print_cause(file, result, lab, source, colour);
    if (result->state == RESULT_FAIL || result->state == RESULT_PASS)
        print_tests(file, result, colour);
    report_budgets(file, result, colour);
    report_timeline(file, result, colour);
    report_estimate(file, result, colour);
    print_words(file, result, colour);
    print_printed(file, result, lab, colour);
    fputc('\n', file);
}
