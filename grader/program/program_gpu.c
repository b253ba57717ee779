#include "grader/program/program_gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/program/program_explain.h"
#include "grader/result/diagnose.h"

static bool is_safe_test(const struct result_test *test)
{
    if (test->state != RESULT_PASS && (test->state != RESULT_FAIL || test->findings.count == 0))
        return false;
    for (size_t i = 0; i < test->findings.count; i++) {
        const struct result_finding *finding = &test->findings.list[i];
        bool ended_badly = strcmp(finding->code, "program_end") == 0;
        if (diagnose_fails(finding) && (ended_badly || !diagnose_is_harmless(finding)))
            return false;
    }
    return true;
}

bool program_gpu_is_safe(const struct result_lab *result, int case_count)
{
    for (int i = 0; i < case_count; i++)
        if (!is_safe_test(&result->tests[i]))
            return false;
    return case_count > 0;
}

static void add_words(struct result_finding *finding, const char *words)
{
    size_t used = strlen(finding->message);
    snprintf(finding->message + used, sizeof finding->message - used, "%s", words);
}

/* What is wrong with a run on the GPU. Returns false when nothing is. */
static bool find_wrong(const struct program_facts *facts, const lockstep_device_info *device, struct result_test *test,
                       struct result_findings *findings)
{
    struct exchange_answer answer;
    char words[600];
    if (!program_explain_end(facts, findings)) {
        snprintf(words, sizeof words, " This happened on the %s; on the emulated device the program ends with status 0.",
                 device->name);
        add_words(&findings->list[0], words);
        return true;
    }
    exchange_read(facts->exchange, facts->execution->output, facts->execution->output_bytes, &answer);
    if (answer.kind == EXCHANGE_RIGHT)
        return false;
    program_explain_only_numbers(facts, &answer, findings);
    program_explain_values(facts, &answer, test);
    snprintf(
        words, sizeof words,
        " This happened on the %s; on the emulated device the same input gave the right numbers. A GPU works on while the "
        "host goes on, and its memory holds whatever was there before: what does the program read before the device has "
        "written it?",
        device->name);
    add_words(&findings->list[0], words);
    findings->list[0].asks = true;
    return true;
}

bool program_gpu_verify(const struct program_job *job, const lockstep_device_info *device, const struct lab_case *the_case,
                        struct result_test *test)
{
    struct exchange exchange;
    struct execution execution;
    struct result_test own = {.state = RESULT_PASS};
    exchange_create(job->lab, the_case, job->seed, &exchange);
    char *input = exchange_write(&exchange);
    program_run_on_gpu(job, device, input, PROGRAM_UNTIMED, &execution);
    const struct calls none = {.list = NULL};
    const struct program_facts facts = {job, &exchange, &execution, &none, NULL, ""};
    bool ended = !execution.started || !program_run_timed_out(&execution);
    if (!execution.started) {
        own.state = RESULT_HARNESS_ERROR;
        snprintf(own.message, sizeof own.message, "%s", execution.message);
    } else if (find_wrong(&facts, device, &own, &own.findings)) {
        own.state = RESULT_FAIL;
    }
    test->on_gpu = true;
    test->gpu_state = own.state;
    if (test->state == RESULT_PASS && own.state != RESULT_PASS) {
        test->state = own.state;
        snprintf(test->message, sizeof test->message, "%s", own.message);
        snprintf(test->place, sizeof test->place, "%s", own.place);
        snprintf(test->expected, sizeof test->expected, "%s", own.expected);
        snprintf(test->actual, sizeof test->actual, "%s", own.actual);
        for (size_t i = 0; i < own.findings.count; i++)
            result_findings_add(&test->findings, &own.findings.list[i]);
    } else if (test->state == RESULT_FAIL && own.state == RESULT_PASS && test->findings.count > 0
               && strcmp(test->findings.list[0].code, "device_unused") != 0) {
        add_words(&test->findings.list[0], " On this GPU the numbers came out right, by luck.");
    }
    free(own.findings.list);
    execution_clear(&execution);
    exchange_clear(&exchange);
    free(input);
    return ended;
}
