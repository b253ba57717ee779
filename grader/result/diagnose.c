#include "grader/result/diagnose.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"

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
static bool is_bare(const struct result_finding *finding)
{
    return strcmp(finding->code, "wrong_value") == 0 && !finding->explained;
}

/* A race that no barrier cures comes before one that a barrier might cure. */
static bool is_beyond_barriers(const struct result_finding *finding)
{
    static const char *const patterns[] = {"chain",        "everybody", "one_variable", "whole_block", "no_block",
                                           "same_element", "update",    "narrow",       "short_step",  "polls"};
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
static int weight(const struct result_finding *finding)
{
    int vague = 0;
    if (strcmp(finding->code, "wrong_value") == 0) {
        static const char *const places[] = {"tail", "rest", "edge", "period"};
        bool only_where = false;
        for (size_t i = 0; i < sizeof places / sizeof *places && !finding->by_lab && !finding->proven; i++)
            only_where |= strcmp(finding->pattern, places[i]) == 0;
        bool only_how_many = strcmp(finding->pattern, "lost_updates") == 0;
        vague = finding->proven ? -1 : is_bare(finding) ? 6 : only_where ? 3 : only_how_many ? 2 : finding->by_lab ? 0 : 1;
    }
    if (finding->follows)
        vague = 9;
    if (strncmp(finding->code, "race_", 5) == 0 && is_beyond_barriers(finding))
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
static bool follows_from_race(const struct result_findings *findings, const struct result_finding *finding)
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

/* Are the results wrong, in a way that a wrong number explains? */
static bool has_wrong_results(const struct result_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->list[i].severity == LOCKSTEP_ERROR && stage_of(&findings->list[i]) >= STAGE_unwritten)
            return true;
    return false;
}

/* Where a wild address leads says nothing: the poison takes its place, the race that let it be read before both. */
static int weight_among(const struct result_findings *findings, const struct result_finding *finding)
{
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
    bool raced = follows_from_race(findings, is_poison || !partner ? finding : partner);
    if (raced || (finding->index_race > 0 && stage_of(finding) == STAGE_memory)) /* the race spoilt the index */
        return STAGE_races * 10 + (is_poison ? 8 : 9);
    return partner ? STAGE_memory * 10 + (is_poison ? 1 : 9) : weight(finding);
}

void diagnose_sort(struct result_findings *findings)
{
    /* By insertion: the lists are short, and findings of equal weight stay as they came. */
    struct result_finding *moved = allocate_zeroed(sizeof *moved);
    for (size_t i = 1; i < findings->count; i++) {
        size_t at = i;
        int own = weight_among(findings, &findings->list[i]);
        while (at > 0 && weight_among(findings, &findings->list[at - 1]) > own)
            at--;
        if (at == i)
            continue;
        *moved = findings->list[i];
        memmove(&findings->list[at + 1], &findings->list[at], (i - at) * sizeof *moved);
        findings->list[at] = *moved;
    }
    free(moved);
}

/* Whether more tests are only not accurate enough than are plainly wrong without a reason: where digits get lost, a sum that
 * cancels or overflows is wrong by more than roundings, and the many near misses tell why. */
static bool is_accuracy(const struct result_lab *lab)
{
    int near = 0, bare = 0;
    for (int i = 0; i < lab->test_count; i++) {
        const struct result_findings *findings = &lab->tests[i].findings;
        if (lab->tests[i].hidden)
            continue;
        near += findings->count > 0 && strcmp(findings->list[0].code, "near_miss") == 0;
        bare += findings->count > 0 && is_bare(&findings->list[0]);
    }
    return near > bare;
}

/* Large cases run without looking for races: those of the other cases explain their poison. */
static int weight_in_lab(const struct result_lab *lab, const struct result_test *test)
{
    const struct result_finding *first = &test->findings.list[0];
    for (int i = 0; i < lab->test_count; i++)
        if (follows_from_race(&lab->tests[i].findings, first))
            return weight_among(&lab->tests[i].findings, first);
    return weight_among(&test->findings, first);
}

/* Whether one finding about wrong values says the same as another: the same of the same output. */
static bool same_claim(const struct result_finding *a, const struct result_finding *b)
{
    return a->explained == b->explained && strcmp(a->pattern, b->pattern) == 0 && strcmp(a->output, b->output) == 0;
}

/* Whether what is said about this test's wrong values is contradicted by the others: it is said of one test only, though
 * several could show it. A mistake shows in many cases; a coincidence in one. */
static bool stands_alone(const struct result_lab *lab, const struct result_finding *finding)
{
    int same = 0, others = 0;
    if (strcmp(finding->code, "wrong_value") != 0 || !finding->explained || finding->proven)
        return false;
    for (int i = 0; i < lab->test_count; i++) {
        const struct result_findings *findings = &lab->tests[i].findings;
        const struct result_finding *first = findings->count > 0 ? &findings->list[0] : NULL;
        if (!first || strcmp(first->code, "wrong_value") != 0 || strcmp(first->output, finding->output) != 0)
            continue;
        same += same_claim(first, finding);
        others += !same_claim(first, finding) && !first->weak;
    }
    return same == 1 && others >= 3;
}

static bool is_missing(const struct result_finding *finding)
{
    return strcmp(finding->code, "never_written") == 0 && finding->output[0] != '\0';
}

/* Whether most tests in which elements are missing lack them all. */
static bool whole_is_usual(const struct result_lab *lab)
{
    int whole = 0, partly = 0;
    for (int i = 0; i < lab->test_count; i++) {
        const struct result_findings *findings = &lab->tests[i].findings;
        if (findings->count == 0 || !is_missing(&findings->list[0]) || findings->list[0].weak)
            continue;
        whole += findings->list[0].whole;
        partly += !findings->list[0].whole;
    }
    return whole > 2 * partly;
}

/* Of tests with the same kind of cause, which shows it best? Smaller is better. */
static int unclear(const struct result_lab *lab, const struct result_finding *finding)
{
    if (stands_alone(lab, finding))
        return 7; /* behind bare facts, which are at least true everywhere */
    if (is_missing(finding))
        return finding->weak ? 4 : finding->whole == whole_is_usual(lab) ? 0 : 2;
    return !finding->weak ? 0 : finding->explained ? 4 : 1;
}

/* An array that is missing where it is compared shows the same mistake more directly than where another kernel has read it.
 * The best of such tests; -1: none. */
static int find_direct(const struct result_lab *lab)
{
    int best = -1, best_weight = 0;
    for (int i = 0; i < lab->test_count; i++) {
        const struct result_test *test = &lab->tests[i];
        const struct result_finding *first = test->findings.count > 0 ? &test->findings.list[0] : NULL;
        if (!first || test->hidden || test->state != RESULT_FAIL || !is_missing(first) || first->before)
            continue;
        int own = unclear(lab, first);
        if (best < 0 || own < best_weight) {
            best = i;
            best_weight = own;
        }
    }
    return best;
}

static bool is_race(const struct result_finding *finding)
{
    return strncmp(finding->code, "race_", 5) == 0 && diagnose_fails(finding);
}

static bool has_race(const struct result_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        if (is_race(&findings->list[i]))
            return true;
    return false;
}

/* A race comes first in one test; smaller tests, which the same observers followed, have none and are wrong all the same. So
 * their values are wrong, or missing, for a reason of their own, and with the race gone they would still be. One alone may be an end that
 * was forgotten as well. Tests are listed from small to large. Returns which of these tests shows it best; `first` where there
 * are none. */
static int find_without_race(const struct result_lab *lab, int first)
{
    const struct result_findings *raced = &lab->tests[first].findings;
    int best = first, smallest = first, best_weight = 0, count = 0;
    if (raced->count == 0 || !is_race(&raced->list[0]))
        return first;
    for (int i = 0; i < lab->test_count && smallest == first; i++)
        if (!lab->tests[i].hidden && has_race(&lab->tests[i].findings))
            smallest = i;
    for (int i = 0; i < smallest; i++) {
        const struct result_test *test = &lab->tests[i];
        const struct result_finding *own = test->findings.list;
        if (test->hidden || test->state != RESULT_FAIL || test->findings.count == 0
            || (strcmp(own->code, "wrong_value") != 0 && strcmp(own->code, "never_written") != 0))
            continue;
        int own_weight = weight(own) + unclear(lab, own);
        count++;
        if (best == first || own_weight < best_weight) {
            best = i;
            best_weight = own_weight;
        }
    }
    return count > 1 ? best : first;
}

/* An index that leaves its type does so in large tests. Where smaller ones fail, too, and for another reason, that reason comes
 * first. Returns which of these tests shows it best; `first` where there are not two of them. */
static int find_without_overflow(const struct result_lab *lab, int first)
{
    const struct result_findings *wild = &lab->tests[first].findings;
    int best = first, best_weight = 0, count = 0;
    if (wild->count == 0 || strcmp(wild->list[0].code, "out_of_bounds") != 0)
        return first;
    bool near_limit = wild->list[0].index_count == 1 && llabs((long long)wild->list[0].index[0]) > INT32_MAX / 2;
    if (strcmp(wild->list[0].pattern, "overflow") != 0 && !near_limit)
        return first;
    for (int i = 0; i < first; i++) {
        const struct result_test *test = &lab->tests[i];
        if (test->hidden || test->state != RESULT_FAIL || test->findings.count == 0)
            continue;
        int own_weight = weight_in_lab(lab, test) + unclear(lab, &test->findings.list[0]);
        count++;
        if (best == first || own_weight < best_weight) {
            best = i;
            best_weight = own_weight;
        }
    }
    return count > 1 ? best : first;
}

/* Some threads wait at a barrier for others that stay in a loop. Where the same loop never ends in another test in which nobody
 * waits at a barrier, the loop is the mistake. Returns that test; `first` where there is none. */
static int find_endless_loop(const struct result_lab *lab, int first)
{
    const struct result_findings *waits = &lab->tests[first].findings;
    if (waits->count == 0 || strcmp(waits->list[0].code, "barrier_divergent") != 0)
        return first;
    for (int i = 0; i < lab->test_count; i++) {
        const struct result_finding *own = lab->tests[i].findings.list;
        if (!lab->tests[i].hidden && lab->tests[i].findings.count > 0 && strcmp(own->code, "fuel") == 0
            && own->line == waits->list[0].line2 && own->line > 0 && strcmp(own->kernel, waits->list[0].kernel) == 0
            && strcmp(own->pattern, "waits") == 0)
            return i;
    }
    return first;
}

int diagnose_first_test(const struct result_lab *lab)
{
    bool accuracy = is_accuracy(lab);
    int first = -1, first_weight = 0;
    for (int i = 0; i < lab->test_count; i++) {
        const struct result_test *test = &lab->tests[i];
        if (test->state == RESULT_PASS || test->state == RESULT_SKIPPED || test->state == RESULT_HARNESS_ERROR)
            continue;
        int own = test->findings.count > 0 ? weight_in_lab(lab, test) + unclear(lab, &test->findings.list[0]) : 100000;
        if (accuracy && test->findings.count > 0 && is_bare(&test->findings.list[0]))
            own += 10;    /* behind the near misses, whose stage is the next */
        if (test->hidden) /* of which a reader sees least */
            own += 1000000;
        if (first < 0 || own < first_weight) {
            first = i;
            first_weight = own;
        }
    }
    if (first >= 0)
        first = find_endless_loop(lab, find_without_race(lab, find_without_overflow(lab, first)));
    bool before = first >= 0 && lab->tests[first].findings.count > 0 && lab->tests[first].findings.list[0].before;
    int direct = before ? find_direct(lab) : -1;
    return direct >= 0 ? direct : first;
}
