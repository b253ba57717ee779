/* Which of the tests that failed shows the first cause best. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "grader/result/diagnose.h"
#include "grader/result/diagnose_weight.h"

/* The test with the smallest weight so far. */
struct best {
    int test, weight, count; /* count: of the tests that were weighed */
};

static void weigh(struct best *best, int test, int weight)
{
    if (best->count++ > 0 && weight >= best->weight)
        return;
    best->test = test;
    best->weight = weight;
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
        bare += findings->count > 0 && diagnose_is_bare(&findings->list[0]);
    }
    return near > bare;
}

/* Large cases run without looking for races: those of the other cases explain their poison. */
static int weight_in_lab(const struct result_lab *lab, const struct result_test *test)
{
    const struct result_finding *first = &test->findings.list[0];
    for (int i = 0; i < lab->test_count; i++)
        if (diagnose_follows_from_race(&lab->tests[i].findings, first))
            return diagnose_weight_among(&lab->tests[i].findings, first);
    return diagnose_weight_among(&test->findings, first);
}

/* Whether one finding about wrong values says the same as another: the same of the same output. */
static bool same_claim(const struct result_finding *a, const struct result_finding *b)
{
    return a->explained == b->explained && strcmp(a->pattern, b->pattern) == 0 && strcmp(a->output, b->output) == 0;
}

/* Whether what the message says about this test's wrong values is contradicted by the others: it holds for one test only, though
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
    struct best best = {.test = -1};
    for (int i = 0; i < lab->test_count; i++) {
        const struct result_test *test = &lab->tests[i];
        const struct result_finding *first = test->findings.count > 0 ? &test->findings.list[0] : NULL;
        if (!first || test->hidden || test->state != RESULT_FAIL || !is_missing(first) || first->before)
            continue;
        weigh(&best, i, unclear(lab, first));
    }
    return best.test;
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

/* A race comes first in one test; smaller tests, which the same observers followed, have none and are wrong anyway. So their
 * values are wrong, or missing, for a reason of their own, and with the race gone they would still be. One alone may be an end
 * that was forgotten as well. Tests are listed from small to large. Returns which of these tests shows it best; `first` where there
 * are none. */
static int find_without_race(const struct result_lab *lab, int first)
{
    const struct result_findings *raced = &lab->tests[first].findings;
    struct best best = {.test = first};
    int smallest = first;
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
        weigh(&best, i, diagnose_weight(own) + unclear(lab, own));
    }
    return best.count > 1 ? best.test : first;
}

/* An index that leaves its type does so in large tests. Where smaller ones fail, too, and for another reason, that reason comes
 * first. Returns which of these tests shows it best; `first` where there are not two of them. */
static int find_without_overflow(const struct result_lab *lab, int first)
{
    const struct result_findings *wild = &lab->tests[first].findings;
    struct best best = {.test = first};
    if (wild->count == 0 || strcmp(wild->list[0].code, "out_of_bounds") != 0)
        return first;
    bool near_limit = wild->list[0].index_count == 1 && llabs((long long)wild->list[0].index[0]) > INT32_MAX / 2;
    if (strcmp(wild->list[0].pattern, "overflow") != 0 && !near_limit)
        return first;
    for (int i = 0; i < first; i++) {
        const struct result_test *test = &lab->tests[i];
        if (test->hidden || test->state != RESULT_FAIL || test->findings.count == 0)
            continue;
        weigh(&best, i, weight_in_lab(lab, test) + unclear(lab, &test->findings.list[0]));
    }
    return best.count > 1 ? best.test : first;
}

/* Some threads wait at a barrier for others that stay in a loop. Where the same loop never ends in another test in which no thread
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
    struct best best = {.test = -1};
    for (int i = 0; i < lab->test_count; i++) {
        const struct result_test *test = &lab->tests[i];
        if (test->state == RESULT_PASS || test->state == RESULT_SKIPPED || test->state == RESULT_HARNESS_ERROR)
            continue;
        int own = test->findings.count > 0 ? weight_in_lab(lab, test) + unclear(lab, &test->findings.list[0]) : 100000;
        if (accuracy && test->findings.count > 0 && diagnose_is_bare(&test->findings.list[0]))
            own += 10;    /* behind the near misses, whose stage is the next */
        if (test->hidden) /* of which a reader sees least */
            own += 1000000;
        weigh(&best, i, own);
    }
    int first = best.test;
    if (first >= 0)
        first = find_endless_loop(lab, find_without_race(lab, find_without_overflow(lab, first)));
    bool before = first >= 0 && lab->tests[first].findings.count > 0 && lab->tests[first].findings.list[0].before;
    int direct = before ? find_direct(lab) : -1;
    return direct >= 0 ? direct : first;
}

int result_printed_test(const struct result_lab *lab)
{
    int first = diagnose_first_test(lab);
    if (first >= 0 && lab->tests[first].printed.text)
        return first;
    for (int i = 0; i < lab->test_count; i++)
        if (lab->tests[i].printed.text)
            return i;
    return -1;
}
