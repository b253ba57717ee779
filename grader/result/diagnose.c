#include "grader/result/diagnose.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/result/diagnose_weight.h"

enum stage {
#define STAGE(stage, order, heading) STAGE_##stage = order,
#define FINDING(code, raised_by, stage, severity, in_lab, title, question, meaning, often, advice)
#include "runtime/tables/findings.def"
#undef STAGE
#undef FINDING
};

enum in_lab { PASSES, FAILS };

static const struct cause {
    const char *code;
    enum stage stage;
    lockstep_severity severity;
    enum in_lab in_lab;
    const char *title, *question, *meaning, *advice;
} causes[] = {
#define STAGE(stage, order, heading)
#define FINDING(code, raised_by, stage, severity, in_lab, title, question, meaning, often, advice) \
    {#code, STAGE_##stage, LOCKSTEP_##severity, in_lab, title, question, meaning, advice},
#include "runtime/tables/findings.def"
#undef STAGE
#undef FINDING
};
enum { CAUSE_COUNT = sizeof causes / sizeof *causes };

static const struct cause *find_cause(const char *code)
{
    for (int i = 0; i < CAUSE_COUNT; i++)
        if (strcmp(causes[i].code, code) == 0)
            return &causes[i];
    return NULL;
}

int diagnose_stage(const char *code)
{
    const struct cause *cause = find_cause(code);
    return cause ? (int)cause->stage : STAGE_aside;
}

static int stage_of(const struct result_finding *finding)
{
    return diagnose_stage(finding->code);
}

const char *diagnose_title(const char *code)
{
    const struct cause *cause = find_cause(code);
    return cause ? cause->title : code;
}

const char *diagnose_hint(const struct result_finding *finding)
{
    const struct cause *cause = find_cause(finding->code);
    return finding->hint[0] != '\0' ? finding->hint : cause ? cause->question : "";
}

bool diagnose_explain(const char *code, const char *steps[3])
{
    const struct cause *cause = find_cause(code);
    if (!cause || !*cause->question)
        return false;
    steps[0] = cause->question;
    steps[1] = cause->meaning;
    steps[2] = cause->advice;
    return true;
}

bool diagnose_fails(const struct result_finding *finding)
{
    const struct cause *cause = find_cause(finding->code);
    return finding->severity == LOCKSTEP_ERROR || (cause && cause->in_lab == FAILS && cause->severity == finding->severity);
}

/* From races on, a program is wrong in its values alone. */
bool diagnose_is_harmless(const struct result_finding *finding)
{
    const struct cause *cause = find_cause(finding->code);
    return cause && cause->stage >= STAGE_races;
}

/* Wrong values of which nothing is known but that they are wrong. */
bool diagnose_is_bare(const struct result_finding *finding)
{
    return strcmp(finding->code, "wrong_value") == 0 && !finding->explained;
}

/* A race that no barrier cures comes before one that a barrier might cure. */
static bool is_beyond_barriers(const struct result_finding *finding)
{
    static const char *const patterns[] = {"chain",  "everybody", "one_variable", "whole_block", "no_block", "same_element",
                                           "update", "narrow",    "short_step",   "polls",       "one_array"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (strcmp(finding->pattern, patterns[i]) == 0)
            return true;
    return false;
}

bool diagnose_explains_loop(const struct result_finding *finding)
{
    static const char *const patterns[] = {"unchanged",  "another", "no_effect", "empty",    "stays", "continue", "unsigned",
                                           "both_loops", "passes",  "away",      "no_break", "polls", "narrow",   "kept"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (strcmp(finding->code, "fuel") == 0 && strcmp(finding->pattern, patterns[i]) == 0)
            return true;
    return false;
}

/* Of a loop: does it end, and only take too long? (story.c) */
static bool is_only_long(const struct result_finding *finding)
{
    static const char *const patterns[] = {"work", "slow", "everybody", "no_block"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (strcmp(finding->pattern, patterns[i]) == 0)
            return true;
    return false;
}

/* Smaller is more of a cause. A race that only stands for luck (same value) comes behind one that is an error; a pattern
 * that explains the wrong values before one that only says where they are, and that before bare facts. */
int diagnose_weight(const struct result_finding *finding)
{
    int vague = 0;
    if (strcmp(finding->code, "wrong_value") == 0) {
        static const char *const places[] = {"tail", "rest", "edge", "period"};
        bool only_where = false;
        for (size_t i = 0; i < sizeof places / sizeof *places && !finding->by_lab && !finding->proven; i++)
            only_where |= strcmp(finding->pattern, places[i]) == 0;
        bool only_how_many = strcmp(finding->pattern, "lost_updates") == 0;
        vague = finding->proven             ? -1
                : diagnose_is_bare(finding) ? 6
                : only_where                ? 3
                : only_how_many             ? 2
                : finding->by_lab           ? 0
                                            : 1;
    }
    if (finding->follows)
        vague = 9;
    if (finding->spoilt)
        return STAGE_values * 10 + 9;
    if (strncmp(finding->code, "race_", 5) == 0 && !finding->follows && is_beyond_barriers(finding))
        vague = -1;
    if (diagnose_explains_loop(finding)) /* where it led, beyond the end of an array for one, is a consequence */
        return STAGE_memory * 10 - 2;
    /* A run that was stopped for its work, or a loop that ends elsewhere: whatever else was found says more. */
    bool for_work = strcmp(finding->code, "fuel") == 0 && (finding->line == 0 || is_only_long(finding));
    return (diagnose_fails(finding) ? 0 : 1000) + (for_work ? STAGE_aside : stage_of(finding)) * 10 + vague;
}

static bool has_collision(const struct result_findings *findings, const char *array)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct result_finding *race = &findings->list[i];
        if (strncmp(race->code, "race_", 5) == 0 && race->severity == LOCKSTEP_ERROR
            && strcmp(race->pattern, "same_element") == 0 && strcmp(race->array, array) == 0)
            return true;
    }
    return false;
}

/* A statement that takes one element of an array for several threads: then its index is wrong, and that others of the same array
 * stay without a value is the other half of it. What is made of these goes on into further arrays. */
static bool follows_from_collision(const struct result_findings *findings, const struct result_finding *finding)
{
    if (strcmp(finding->code, "never_written") == 0)
        return finding->before && has_collision(findings, finding->array);
    for (size_t i = 0; i < findings->count && strcmp(finding->code, "uninitialized") == 0; i++) {
        const struct result_finding *other = &findings->list[i];
        if (strcmp(other->code, "uninitialized") == 0 && other->unwritten[0] != '\0'
            && has_collision(findings, other->unwritten))
            return true;
    }
    return false;
}

/* Memory that was read before its writer came, because nothing made the reader wait: the race over the same access says so
 * better than "uninitialized value". A variable without a value (no array) has no other writer. */
bool diagnose_follows_from_race(const struct result_findings *findings, const struct result_finding *finding)
{
    int read_line = finding->line2 != 0 ? finding->line2 : finding->line;
    if (strcmp(finding->code, "uninitialized") != 0 || read_line == 0 || finding->array[0] == '\0')
        return false;
    for (size_t i = 0; i < findings->count; i++) {
        const struct result_finding *race = &findings->list[i];
        if (strncmp(race->code, "race_", 5) == 0 && race->severity == LOCKSTEP_ERROR
            && (race->line == read_line || race->line2 == read_line))
            return true;
    }
    return false;
}

/* The other of a pair: poison that is used as an address, and the wild address that comes of it, at one line. NULL: none. */
static const struct result_finding *find_partner(const struct result_findings *findings,
                                                 const struct result_finding *finding)
{
    bool poison = strcmp(finding->code, "uninitialized") == 0;
    if ((!poison && stage_of(finding) != STAGE_memory) || finding->line == 0)
        return NULL;
    for (size_t i = 0; i < findings->count; i++) {
        const struct result_finding *other = &findings->list[i];
        bool fits = poison ? stage_of(other) == STAGE_memory : strcmp(other->code, "uninitialized") == 0;
        if (fits && other->line == finding->line && strcmp(other->kernel, finding->kernel) == 0)
            return other;
    }
    return NULL;
}

/* Threads that leave before a barrier have not filled their cells of a shared array: what others find there follows. */
static bool follows_from_exit(const struct result_findings *findings, const struct result_finding *poison)
{
    for (size_t i = 0; i < findings->count; i++)
        if (strcmp(findings->list[i].code, "early_exit") == 0 && strcmp(poison->pattern, "shared") == 0
            && strcmp(findings->list[i].kernel, poison->kernel) == 0)
            return true;
    return false;
}

/* Are the results wrong, in a way that a wrong number explains? */
static bool has_wrong_results(const struct result_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->list[i].severity == LOCKSTEP_ERROR && stage_of(&findings->list[i]) >= STAGE_unwritten)
            return true;
    return false;
}

/* Where a wild address leads says nothing: the poison takes its place, the race that let it be read before both. */
int diagnose_weight_among(const struct result_findings *findings, const struct result_finding *finding)
{
    if (finding->spoilt)
        return diagnose_weight(finding);
    /* An array that an earlier kernel should have filled: whatever read it is a consequence. */
    if (follows_from_collision(findings, finding))
        return STAGE_races * 10 + 8;
    if (strcmp(finding->code, "never_written") == 0 && finding->before)
        return STAGE_poison * 10 - 2;
    if (strcmp(finding->code, "not_shared") == 0) /* what its cells held, and where that led */
        return STAGE_poison * 10 - 1;
    const struct result_finding *partner = find_partner(findings, finding);
    if (strcmp(finding->code, "division_by_zero") == 0 && has_wrong_results(findings))
        return STAGE_unwritten * 10 - 1; /* a warning while the results are right, else their cause */
    bool is_poison = strcmp(finding->code, "uninitialized") == 0;
    bool raced = diagnose_follows_from_race(findings, is_poison || !partner ? finding : partner);
    if (raced || (finding->index_race > 0 && stage_of(finding) == STAGE_memory)) /* the race spoilt the index */
        return STAGE_races * 10 + (is_poison ? 8 : 9);
    if (partner && follows_from_exit(findings, is_poison ? finding : partner))
        return STAGE_waiting * 10 + (is_poison ? 8 : 9);
    return partner ? STAGE_memory * 10 + (is_poison ? 1 : 9) : diagnose_weight(finding);
}

void diagnose_sort(struct result_findings *findings)
{
    /* By insertion: the lists are short, and findings of equal weight stay as they came. */
    struct result_finding *moved = allocate_zeroed(sizeof *moved);
    for (size_t i = 1; i < findings->count; i++) {
        size_t at = i;
        int own = diagnose_weight_among(findings, &findings->list[i]);
        while (at > 0 && diagnose_weight_among(findings, &findings->list[at - 1]) > own)
            at--;
        if (at == i)
            continue;
        *moved = findings->list[i];
        memmove(&findings->list[at + 1], &findings->list[at], (i - at) * sizeof *moved);
        findings->list[at] = *moved;
    }
    free(moved);
}
