#include "grader/judge/cases_schedules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/cases_collect.h"
#include "grader/result/diagnose.h"

/* Cases up to this many threads run again; in the orders that take lanes apart, those up to this much work. */
#define SCHEDULE_THREADS 4096
#define STEPPED_WORK     1000000

struct order {
    const char *name, *words;
    bool apart;   /* lanes run one by one */
    bool stepped; /* it looks at each operation, and takes its time */
};

/* Words of schedule.def. */
enum { TOGETHER, RISING, FALLING, APART };
enum { PLAIN, TURNS, STORES_HELD, ATOMICS_REVERSED };

/* The first is the one in which everything ran already. */
static const struct order orders[] = {
#define SCHEDULE(name, words, warps, blocks, resident, lanes, step) \
    {name, words, (lanes) != TOGETHER, (lanes) != TOGETHER || (step) != PLAIN},
#include "runtime/tables/schedule.def"
#undef SCHEDULE
};
enum { ORDERS = sizeof orders / sizeof *orders };

/* The first race that fails the test; NULL: there is none. */
static struct result_finding *find_race(const struct result_test *test)
{
    for (size_t i = 0; i < test->findings.count; i++)
        if (strncmp(test->findings.list[i].code, "race_", 5) == 0 && diagnose_fails(&test->findings.list[i]))
            return &test->findings.list[i];
    return NULL;
}

static bool fails(const struct result_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        if (diagnose_fails(&findings->list[i]))
            return true;
    return false;
}

static const char *words_of(const char *name)
{
    const struct order *order = orders;
    while (strcmp(order->name, name) != 0)
        order++;
    return order->words;
}

/* ---- words -------------------------------------------------------------------------------------------------------- */

static void add_sentence(struct result_finding *finding, const char *sentence)
{
    size_t used = strlen(finding->message);
    const char *between = used == 0 ? "" : strchr(".?!", finding->message[used - 1]) ? " " : ". ";
    snprintf(finding->message + used, sizeof finding->message - used, "%s%s", between, sentence);
}

/* "with lanes one by one, out[5] is 12, expected 17." */
static char *describe(const struct order *order, const struct verify_wrong *wrong)
{
    if (wrong->place[0] == '\0')
        return allocate_format("with %s the kernel does not finish.", order->words);
    return allocate_format("with %s, %s is %s, expected %s.", order->words, wrong->place, wrong->actual, wrong->expected);
}

/* The result changed with the order: where a race explains it, the race says so, else it is a finding of its own. */
static void report_difference(struct result_test *test, const char *file, const struct order *order,
                              const struct verify_wrong *wrong)
{
    char *what = describe(order, wrong);
    struct result_finding *race = find_race(test);
    snprintf(test->order.schedule, sizeof test->order.schedule, "%s", order->name);
    snprintf(test->order.place, sizeof test->order.place, "%s", wrong->place);
    snprintf(test->order.expected, sizeof test->order.expected, "%s", wrong->expected);
    snprintf(test->order.actual, sizeof test->order.actual, "%s", wrong->actual);
    if (race) {
        char *sentence = allocate_format("The values came out right by luck: %s", what);
        add_sentence(race, sentence);
        free(sentence);
    } else if (!fails(&test->findings)) {
        struct result_finding finding = {.severity = LOCKSTEP_ERROR, .count = 1, .code = "order_dependent"};
        snprintf(finding.file, sizeof finding.file, "%s", file);
        snprintf(finding.schedule, sizeof finding.schedule, "%s", order->name);
        snprintf(finding.message, sizeof finding.message,
                 "The result is right with threads and blocks in rising order; %s A GPU guarantees no order.", what);
        result_findings_add(&test->findings, &finding);
    }
    free(what);
}

static bool has_same_race(const struct result_test *test, const struct result_finding *race)
{
    const struct result_finding *other = find_race(test);
    return other && strcmp(other->code, race->code) == 0 && other->line == race->line && other->line2 == race->line2;
}

/* Nothing changed the values of a test that has a race: another case may show its effect, if the student may see it. */
static void report_luck(const struct result_lab *result, struct result_test *test)
{
    struct result_finding *race = test->order.tried > 0 && test->order.schedule[0] == '\0' ? find_race(test) : NULL;
    if (!race)
        return;
    char *sentence = NULL;
    for (int i = 0; i < result->test_count && !sentence; i++) {
        const struct result_test *other = &result->tests[i];
        bool wrong = other->actual[0] != '\0' && other->expected[0] != '\0', shown = other->order.place[0] != '\0';
        if (other->hidden || (!wrong && !shown) || !has_same_race(other, race))
            continue;
        if (wrong)
            sentence =
                allocate_format("The values came out right here by luck; in the case \"%s\" there is %s instead of %s.",
                                other->name, other->actual, other->expected);
        else
            sentence = allocate_format(
                "The values came out right here by luck: in the case \"%s\", with %s, %s is %s, expected %s.", other->name,
                words_of(other->order.schedule), other->order.place, other->order.actual, other->order.expected);
    }
    add_sentence(race, sentence ? sentence : "The values came out right here, by luck.");
    free(sentence);
}

/* ---- one case in one order ---------------------------------------------------------------------------------------- */

/* What was found in another order alone. Where lanes are taken apart, requests that belong together are no longer seen as
 * one, and races were found in rising order. */
static void keep_new(struct result_test *test, const struct order *order, const struct result_findings *fresh)
{
    struct result_findings kept = {0};
    for (size_t i = 0; i < fresh->count; i++) {
        const char *code = fresh->list[i].code;
        if (order->stepped && (strncmp(code, "race_", 5) == 0 || strcmp(code, "async_copy") == 0))
            continue;
        struct result_finding *finding = result_findings_add(&kept, &fresh->list[i]);
        snprintf(finding->schedule, sizeof finding->schedule, "%s", order->name);
    }
    cases_merge_findings(test, &kept);
    free(kept.list);
}

/* In another order the same work takes more instructions, and observers see lanes one by one. What costs more than this is
 * not waited for. */
static uint64_t bound_of(const struct order *order, uint64_t rising_work)
{
    enum { APART_TIMES = 160, STEPPED_TIMES = 10, TIMES = 4, SPINNING = 4000000 };
    uint64_t times = order->apart ? APART_TIMES : order->stepped ? STEPPED_TIMES : TIMES;
    return SPINNING + times * rising_work;
}

/* Did the run end because of what it cost? That says nothing about the program. */
static bool is_stopped(const struct result_findings *fresh)
{
    for (size_t i = 0; i < fresh->count; i++)
        if (strcmp(fresh->list[i].code, "fuel") == 0 && strcmp(fresh->list[i].pattern, "work") == 0)
            return true;
    return false;
}

/* Returns false when nothing is left for more. */
static bool judge_order(struct cases_work *work, int index, const struct case_size *size, const struct order *order)
{
    struct result_test *test = &work->result->tests[index];
    struct result_findings fresh;
    struct lab_data data;
    struct verify_run run;
    struct run_reply reply;
    struct verify_wrong wrong;
    bool race = find_race(test) != NULL;
    work->run_limit = bound_of(order, size->work);
    if (cases_work_left(work) < work->run_limit) /* that it was stopped would say nothing */
        return false;
    cases_work_run(work, index, 0, true, &data, &run, &reply);
    cases_collect(work, &reply, NULL, NULL, &fresh);
    if (reply.outcome == RUN_NO_MEMORY) { /* other orders have more blocks at work at once */
        free(fresh.list);
        return false;
    }
    if (is_stopped(&fresh)) { /* threads that wait for one another take long in an order that does not suit them */
        free(fresh.list);
        return true;
    }
    test->order.tried++;
    if (!race) /* what follows from a race is not a finding of its own */
        keep_new(test, order, &fresh);
    free(fresh.list);
    bool right = verify_is_right(&run, &reply, &wrong);
    if (reply.outcome == RUN_HARNESS || reply.outcome == RUN_CRASHED || (reply.outcome != RUN_RAN && !race))
        verify_outcome(&run, &reply, test);
    if (!right && reply.outcome != RUN_HARNESS)
        report_difference(test, work->input->file, order, &wrong);
    if (test->state == RESULT_PASS && fails(&test->findings))
        test->state = RESULT_FAIL;
    return reply.outcome != RUN_HARNESS;
}

/* ---- which cases -------------------------------------------------------------------------------------------------- */

struct choice {
    bool quick; /* in the orders that cost what the rising one costs */
    bool all;   /* in every order */
};

/* Right in rising order: what is wrong already needs no other. */
static bool is_right(const struct cases_work *work, const struct case_size *sizes, int i)
{
    const struct result_test *test = &work->result->tests[i];
    return sizes[i].ran && test->actual[0] == '\0' && (test->state == RESULT_PASS || find_race(test));
}

/* The smallest right case with at least so many blocks, with a race where that is asked for; -1: none. */
static int find_smallest(const struct cases_work *work, const struct case_size *sizes, uint64_t blocks, bool race)
{
    int smallest = -1;
    for (int i = 0; i < work->input->setup.lab->case_count; i++)
        if (is_right(work, sizes, i) && sizes[i].blocks >= blocks && (!race || find_race(&work->result->tests[i]))
            && (smallest < 0 || sizes[i].threads < sizes[smallest].threads))
            smallest = i;
    return smallest;
}

/* Small cases, and if none of them has three blocks, the smallest that has. The slow orders take the smallest case of three
 * blocks, the largest of the small ones (of two that are equally large, another one: its values may show what those of the first
 * hide), and the smallest with a race. */
static void choose(const struct cases_work *work, const struct case_size *sizes, struct choice *choices)
{
    int largest = -1, blocks = find_smallest(work, sizes, 3, false), race = find_smallest(work, sizes, 1, true);
    for (int i = 0; i < work->input->setup.lab->case_count; i++) {
        choices[i].quick = is_right(work, sizes, i) && sizes[i].threads <= SCHEDULE_THREADS;
        bool larger = largest < 0 || sizes[i].threads > sizes[largest].threads
                      || (largest == blocks && sizes[i].threads == sizes[largest].threads);
        if (choices[i].quick && sizes[i].work <= STEPPED_WORK && larger)
            largest = i;
    }
    if (blocks >= 0) {
        choices[blocks].quick = true;
        choices[blocks].all = sizes[blocks].work <= 4 * STEPPED_WORK;
    }
    if (largest >= 0)
        choices[largest].all = true;
    if (race >= 0 && sizes[race].threads <= SCHEDULE_THREADS)
        choices[race].all = true;
}

/* Did the order of threads change the result of a test in which nothing raced? */
static bool depends(const struct result_test *test)
{
    return test->order.schedule[0] != '\0' && !find_race(test);
}

/* What depends on the order in one test does so in all where several threads do it: a test that is right in the orders that it
 * ran in is right by luck. Tries the tests that are still right in the orders that showed it, and small ones in every order. */
static void look_again(struct cases_work *work, const struct case_size *sizes, const struct choice *choices)
{
    int count = work->input->setup.lab->case_count;
    bool shows[ORDERS] = {0}, any = false, patient = true;
    for (int i = 0; i < count; i++)
        for (int k = 1; k < ORDERS && depends(&work->result->tests[i]); k++)
            shows[k] |= strcmp(work->result->tests[i].order.schedule, orders[k].name) == 0;
    for (int k = 1; k < ORDERS; k++)
        any |= shows[k];
    for (int i = 0; i < count && any; i++) {
        const struct result_test *test = &work->result->tests[i];
        for (int k = 1; k < ORDERS && patient && is_right(work, sizes, i) && !test->order.schedule[0]; k++) {
            bool ran = orders[k].stepped ? choices[i].all : choices[i].quick;
            bool small = sizes[i].threads <= SCHEDULE_THREADS && sizes[i].work <= STEPPED_WORK;
            work->settings.schedule = orders[k].name;
            if (!ran && (small || (shows[k] && !orders[k].stepped)))
                patient = judge_order(work, i, &sizes[i], &orders[k]);
        }
    }
}

void cases_judge_schedules(struct cases_work *work, const struct case_size *sizes)
{
    int count = work->input->setup.lab->case_count;
    struct choice *choices = allocate_zeroed((size_t)count * sizeof *choices);
    choose(work, sizes, choices);
    bool patient = true;
    for (int i = 0; i < count; i++) {
        const struct result_order *shown = &work->result->tests[i].order;
        for (const struct order *order = orders + 1; order < orders + ORDERS && !shown->schedule[0] && patient; order++) {
            work->settings.schedule = order->name;
            if (order->stepped ? choices[i].all : choices[i].quick)
                patient = judge_order(work, i, &sizes[i], order);
        }
    }
    if (patient)
        look_again(work, sizes, choices);
    work->run_limit = 0;
    for (int i = 0; i < count; i++)
        report_luck(work->result, &work->result->tests[i]);
    work->settings.schedule = orders[0].name;
    free(choices);
}
