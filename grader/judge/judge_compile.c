#include "grader/judge/judge_compile.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "grader/judge/hints.h"
#include "grader/judge/repair_source.h"
#include "grader/result/diagnose.h"

/* The name that findings show: the path as given, or the file's own name where that would not fit the runtime's fields. */
static const char *shown_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strlen(path) < 200 || !slash ? path : slash + 1;
}

struct compile_input judge_compile_input(const struct submission *submission, const struct lab *lab)
{
    return (struct compile_input){
        submission->source, submission->source_bytes, shown_name(submission->path), lab, NULL, false};
}

/* Warnings of these kinds explain a wrong result better than its values do. */
static bool explains(const lockstep_diagnostic *diagnostic)
{
    static const char *const kinds[] = {
        "equals",         "condition", "comma_index", "comma",     "step",      "loop_body",  "if_body",    "indent",
        "macro",          "reversed",  "power",       "number",    "call",      "unsigned",   "assignment", "result",
        "macro_argument", "division",  "rows",        "shuffle",   "arguments", "two_arrays", "tickets",    "exchange",
        "comment",        "by_value",  "fma_order",   "countdown", "narrow",    "bytes",      "sizeof",     "wide"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(diagnostic->kind, kinds[i]) == 0)
            return diagnostic->severity == LOCKSTEP_WARNING;
    return false;
}

static bool is_word(const char *text, size_t bytes, size_t at, const char *name, size_t length)
{
    return at + length <= bytes && memcmp(text + at, name, length) == 0
           && (at == 0 || !(isalnum((unsigned char)text[at - 1]) || text[at - 1] == '_'))
           && (at + length == bytes || !(isalnum((unsigned char)text[at + length]) || text[at + length] == '_'));
}

/* Whether an unused variable has the name of another one, in the same function and before it: the start of its line is
 * deeper inside braces than that of the function. */
static bool is_shadowing(const lockstep_diagnostic *diagnostic, const struct plan_setup *setup)
{
    const char *open = strchr(diagnostic->message, '"'), *close = open ? strchr(open + 1, '"') : NULL;
    const char *text = setup->source;
    size_t bytes = setup->source_bytes, length = close ? (size_t)(close - open - 1) : 0;
    if (strcmp(diagnostic->kind, "idle") != 0 || !strstr(diagnostic->message, "declared but never referenced") || length == 0
        || !text)
        return false;
    int line = 1, depth = 0;
    bool before = false;
    for (size_t i = 0; i < bytes && line < diagnostic->line; i++) {
        line += text[i] == '\n';
        depth += text[i] == '{';
        depth -= text[i] == '}';
        before = depth > 0 && (before || is_word(text, bytes, i, open + 1, length)); /* at depth 0 the function is over */
    }
    return before;
}

void judge_ask_instead(struct result_finding *finding, const char *heading, const char *question)
{
    char *last = NULL;
    for (char *at = finding->message; finding->asks && (at = strstr(at, ". ")); at += 2)
        last = at;
    if (last && last[strlen(last) - 1] == '?') /* its own question leads elsewhere */
        last[1] = '\0';
    finding->asks = false;
    snprintf(finding->warning, sizeof finding->warning, "%s", heading);
    snprintf(finding->hint, sizeof finding->hint, "%s", question);
}

/* The value of a variable that nothing reads never reached the array that no line stores into. */
static bool is_lost_result(const lockstep_diagnostic *diagnostic, const struct result_finding *finding)
{
    return strcmp(finding->code, "never_written") == 0 && strcmp(finding->pattern, "no_store") == 0
           && strcmp(diagnostic->kind, "idle") == 0 && strstr(diagnostic->message, "was set but never used");
}

/* Findings that a second variable of one name explains: what was meant for the first one never reaches it. */
static bool may_be_shadowed(const struct result_finding *finding)
{
    return strcmp(finding->code, "wrong_value") == 0
           || (strcmp(finding->code, "never_written") == 0 && strcmp(finding->pattern, "no_store") != 0);
}

/* "Line 5: i is declared, but nothing uses it." */
static void add_remark(const lockstep_diagnostic *one, struct result_finding *finding)
{
    const char *words = one->advice[0] != '\0' ? one->advice : one->message;
    size_t used = strlen(finding->remark);
    if (!strstr(finding->remark, words) && used + strlen(words) + 48 < sizeof finding->remark)
        snprintf(finding->remark + used, sizeof finding->remark - used, "%sLine %d: %.400s", used > 0 ? " " : "", one->line,
                 words);
}

static void tell_with(const struct lab *lab, const struct result_lab *result, const struct plan_setup *setup,
                      struct result_finding *finding)
{
    const lockstep_diagnostic *first = NULL, *shadowed = NULL;
    for (size_t i = 0; i < result->diagnostic_count; i++) {
        const lockstep_diagnostic *one = &result->diagnostics[i];
        bool hides = may_be_shadowed(finding) && is_shadowing(one, setup);
        if (!shadowed && hides)
            shadowed = one;
        if (hides || is_lost_result(one, finding))
            add_remark(one, finding);
        if (result_is_idle_warning(one))
            continue;
        first = !first && explains(one) ? one : first;
        if (one->line == finding->line || one->line == finding->line2)
            add_remark(one, finding);
    }
    char heading[sizeof finding->warning] = "";
    bool begun = false;
    for (size_t i = 0; i < result->notes.count; i++)
        begun |= strcmp(result->notes.list[i].code, "kernel_missing") == 0;
    if (begun)
        snprintf(heading, sizeof heading, "kernel_missing plan");
    else if (first)
        snprintf(heading, sizeof heading, "compile %s", first->kind);
    else if (shadowed)
        snprintf(heading, sizeof heading, "compile shadowed");
    first = first ? first : shadowed;
    struct hints_ladder ladder;
    if (finding->warning[0] != '\0' || heading[0] == '\0' || !hints_ladder(lab, heading, &ladder)
        || strcmp(ladder.heading, heading) != 0)
        return;
    bool elsewhere = !begun && first->line != finding->line && first->line != finding->line2;
    char place[32] = "";
    if (elsewhere)
        snprintf(place, sizeof place, "Line %d first: ", first->line);
    char question[sizeof finding->hint];
    snprintf(question, sizeof question, "%s%.450s", place, ladder.steps[0]);
    judge_ask_instead(finding, heading, question);
}

/* What no compiler warns of, because it is legal, and what makes the wrong values of this very line. */
static void tell_source(const struct lab *lab, const struct repair_source *source, struct result_finding *finding)
{
    char name[64], type[40], words[240] = "";
    const char *heading = "compile unset_variable";
    struct hints_ladder ladder;
    bool asked = finding->warning[0] != '\0' || strcmp(finding->code, "wrong_value") != 0 || finding->remark[0] != '\0';
    int line = asked ? 0 : repair_source_find_unset(source, finding->line, name, sizeof name);
    if (line > 0)
        snprintf(words, sizeof words,
                 "Line %d declares %s without a value, and neither this file nor the lab gives it one: it is 0.", line,
                 name);
    else if (!asked
             && (line = repair_source_find_pointee(source, finding->line, name, sizeof name, type, sizeof type)) > 0) {
        heading = "compile pointee";
        snprintf(words, sizeof words, "Line %d takes %s, whose elements are floats, for an array of type %s.", line, name,
                 type);
    }
    bool same_size = line > 0 && strcmp(heading, "compile pointee") == 0
                     && (strcmp(type, "int") == 0 || strncmp(type, "unsigned", 8) == 0);
    if (line == 0)
        return;
    snprintf(finding->remark, sizeof finding->remark, "%s", words);
    if (!same_size && strcmp(finding->pattern, "special") != 0 && hints_ladder(lab, heading, &ladder)
        && strcmp(ladder.heading, heading) == 0)
        judge_ask_instead(finding, heading, ladder.steps[0]);
}

void judge_tell_warnings(const struct lab *lab, const struct plan_setup *setup, struct result_lab *result)
{
    struct repair_source *source = setup->source ? repair_source_create(setup->source, setup->source_bytes) : NULL;
    for (int i = 0; i < result->test_count; i++) {
        struct result_findings *findings = &result->tests[i].findings;
        if (findings->count == 0 || !diagnose_fails(&findings->list[0]))
            continue;
        tell_with(lab, result, setup, &findings->list[0]);
        if (source && !result->tests[i].hidden)
            tell_source(lab, source, &findings->list[0]);
    }
    repair_source_destroy(source);
}

bool judge_find_cached(const struct submission *submission, const struct lab *lab, lockstep_compiled *compiled)
{
    struct compile_input input = judge_compile_input(submission, lab);
    return submission->source && compile_step_find_cached(&input, compiled);
}
