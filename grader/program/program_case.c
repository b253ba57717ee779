#include "grader/program/program_case.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/findings.h"
#include "grader/program/program_explain.h"
#include "grader/result/diagnose.h"
#include "runtime/language/source.h"

/* ---- what the driver found ---------------------------------------------------------------------------------------- */

static const char place_words[] = ", address 0x";

/* The driver names calls in the program by address. Replaces each by its line, and puts the first into the finding. */
static void put_lines(const struct program_job *job, struct result_finding *finding)
{
    for (char *at; (at = strstr(finding->message, place_words));) {
        char *end, rest[sizeof finding->message], words[32] = "";
        uint64_t address = strtoull(at + sizeof place_words - 3, &end, 16);
        struct build_place place;
        build_find_places(job->build, &address, 1, &place);
        int line = place.line;
        if (line > 0)
            snprintf(words, sizeof words, ", line %d", line);
        snprintf(rest, sizeof rest, "%s", end);
        snprintf(at, sizeof finding->message - (size_t)(at - finding->message), "%s%s", words, rest);
        if (line > 0 && finding->line == 0)
            finding->line = line;
        else if (line > 0 && finding->line2 == 0)
            finding->line2 = line;
    }
    if (finding->line > 0 && finding->file[0] == '\0')
        snprintf(finding->file, sizeof finding->file, "%.255s", job->submission->path);
    /* A kernel that the program compiled itself has the name that the program gave it, in the folder where it ran. */
    size_t length = strlen(job->build->folder);
    if (strncmp(finding->file, job->build->folder, length) == 0 && finding->file[length] == '/')
        memmove(finding->file, finding->file + length + 1, strlen(finding->file + length + 1) + 1);
}

/* Is `name` a word of the text? */
static bool names(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += length)
        if ((at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_'))
            && !(isalnum((unsigned char)at[length]) || at[length] == '_'))
            return true;
    return false;
}

/* The driver says which of its own functions failed; a program that calls the runtime has the runtime's name for it. */
static void put_names(const struct program_job *job, char *message, size_t message_bytes)
{
    static const struct {
        const char *driver, *runtime;
    } own[] = {{"cuMemcpyHtoD", "cudaMemcpy"},
               {"cuMemcpyDtoH", "cudaMemcpy"},
               {"cuMemcpyDtoD", "cudaMemcpy"},
               {"cuMemcpyHtoDAsync", "cudaMemcpyAsync"},
               {"cuMemcpyDtoHAsync", "cudaMemcpyAsync"},
               {"cuMemcpyDtoDAsync", "cudaMemcpyAsync"},
               {"cuMemsetD8", "cudaMemset"},
               {"cuMemsetD8Async", "cudaMemsetAsync"},
               {"cuMemAlloc", "cudaMalloc"},
               {"cuMemFree", "cudaFree"}};
    const char *source = job->submission->source;
    for (char *at = message; source && (at = strstr(at, "cu")); at++) {
        char driver[64], runtime[80], rest[1024];
        size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        bool inside = at > message && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (inside || length < 4 || length >= sizeof driver || !isupper((unsigned char)at[2]))
            continue;
        snprintf(driver, sizeof driver, "%.*s", (int)length, at);
        snprintf(runtime, sizeof runtime, "cuda%s", driver + 2);
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            if (strcmp(driver, own[i].driver) == 0)
                snprintf(runtime, sizeof runtime, "%s", own[i].runtime);
        if (names(source, driver) || !names(source, runtime) || strlen(at) >= sizeof rest
            || strlen(message) + strlen(runtime) >= message_bytes)
            continue;
        snprintf(rest, sizeof rest, "%s", at + length);
        snprintf(at, message_bytes - (size_t)(at - message), "%s%s", runtime, rest);
    }
}

/* The call that failed because of what the driver found about it. NULL: none failed. */
static const struct call *find_failed(const struct calls *calls)
{
    enum { NOT_READY = 600 };
    for (size_t i = 0; i < calls->count; i++)
        if (calls->list[i].result != 0 && calls->list[i].result != NOT_READY)
            return &calls->list[i];
    return NULL;
}

static bool has_failing(const struct result_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        if (diagnose_fails(&findings->list[i]))
            return true;
    return false;
}

/* The call during which the driver wrote what is at this offset of the findings; NULL: none. */
static const struct call *find_call(const struct calls *calls, uint64_t offset)
{
    for (size_t i = 0; i < calls->count; i++)
        if (calls->list[i].found > offset)
            return &calls->list[i];
    return NULL;
}

/* Takes one finding of the driver's. What it says of a call that failed belongs to that failure.
 *   remark   out: the sentence about the failed call */
static void take_finding(const struct program_job *job, struct result_finding *finding, const struct call *call,
                         const struct call *failed, struct result_findings *findings, char remark[600])
{
    bool is_launch = strcmp(finding->code, "launch") == 0;
    if (strcmp(finding->code, "leak") == 0) /* judged from the calls, where the lab asks for it */
        return;
    put_lines(job, finding);
    put_names(job, finding->message, sizeof finding->message);
    if (finding->line == 0 && call && (finding->kernel[0] == '\0' || is_launch)) {
        finding->line = call->line;
        snprintf(finding->file, sizeof finding->file, "%.255s", job->submission->path);
        if (call == failed && !is_launch) {
            snprintf(remark, 600, "%.590s", finding->message);
            return;
        }
    }
    result_findings_add(findings, finding);
}

static void take_findings(const struct program_job *job, const struct execution *execution, const struct calls *calls,
                          struct result_findings *findings, char remark[600])
{
    struct plan_setup *setup = allocate_zeroed(sizeof *setup);
    const char *text = execution->findings;
    const struct call *failed = find_failed(calls);
    setup->lab = job->lab;
    setup->source = job->submission->source;
    setup->source_bytes = job->submission->source_bytes;
    for (uint64_t at = 0; at < execution->findings_bytes;) {
        struct result_findings one = {0};
        size_t length = strcspn(text + at, "\n");
        findings_read(text + at, length, setup, job->submission->path, &one);
        if (one.count > 0)
            take_finding(job, one.list, find_call(calls, at), failed, findings, remark);
        free(one.list);
        at += length + 1;
    }
    free(setup);
}

/* Memory that nothing was written to, where the calls show why: then that is the cause. */
static void put_reason_first(struct result_findings *findings)
{
    if (findings->count == 0 || strcmp(findings->list[0].code, "uninitialized") != 0)
        return;
    for (size_t i = 1; i < findings->count; i++) {
        struct result_finding *reason = &findings->list[i];
        if (strcmp(reason->code, "wrong_value") != 0 || !reason->explained)
            continue;
        struct result_finding *moved = allocate_zeroed(sizeof *moved);
        *moved = *reason;
        memmove(&findings->list[1], &findings->list[0], i * sizeof *moved);
        findings->list[0] = *moved;
        free(moved);
        return;
    }
}

static bool is(const struct source *source, size_t at, const char *text)
{
    return at < source->token_count && source_token_is(&source->tokens[at], text);
}

/* The first token of argument `index` of the call whose arguments begin after `open`; 0: it has fewer. */
static size_t find_argument(const struct source *source, size_t open, unsigned index)
{
    size_t close = source_closing(source, open, source->token_count);
    for (size_t i = open + 1; i < close; i++) {
        if (index == 0)
            return i;
        if (is(source, i, "(") || is(source, i, "["))
            i = source_closing(source, i, close);
        else
            index -= is(source, i, ",");
    }
    return 0;
}

/* The bracket that opens the arguments of a launch, `kernel<<<blocks, threads>>>(`, of which `at` is the name; 0: it is none. */
static size_t find_launch(const struct source *source, size_t at)
{
    if (source->tokens[at].kind != SOURCE_WORD || at + 1 >= source->token_count || source->tokens[at + 1].text[0] != '<'
        || strncmp(source->tokens[at + 1].text, "<<<", 3) != 0)
        return 0;
    for (size_t i = at + 2; i < source->token_count && !is(source, i, ";"); i++)
        if (is(source, i, "(") && strncmp(source->tokens[i].text - 3, ">>>", 3) == 0)
            return i;
    return 0;
}

/* What is copied to the host was never written, and a launch has handed it to a parameter that is const: the kernel only
 * reads there. */
static void tell_const_argument(const struct program_job *job, struct result_finding *finding)
{
    static const char *const copies[] = {"cudaMemcpy", "cudaMemcpyAsync"};
    size_t copied = 0;
    if (!job->submission->source || strcmp(finding->code, "uninitialized") != 0
        || !strstr(finding->message, "to the host what was never written"))
        return;
    struct source *source = source_create(job->submission->source, job->submission->source_bytes);
    for (size_t i = 0; source && copied == 0 && i + 1 < source->token_count; i++)
        if (source->tokens[i].line == finding->line && SOURCE_IS_ANY(&source->tokens[i], copies) && is(source, i + 1, "("))
            copied = find_argument(source, i + 1, 1);
    bool known = source && copied > 0 && source->tokens[copied].kind == SOURCE_WORD && is(source, copied + 1, ",");
    for (size_t i = 1; known && i < source->token_count && finding->remark[0] == '\0'; i++) {
        size_t open = find_launch(source, i), argument;
        struct source_function kernel;
        char name[64];
        snprintf(name, sizeof name, "%.*s", source->tokens[i].length, source->tokens[i].text);
        if (open == 0 || !source_find_function(source, name, 0, &kernel))
            continue;
        for (unsigned p = 0; p < kernel.parameter_count && (argument = find_argument(source, open, p)) > 0; p++) {
            const struct source_token *parameter = &source->tokens[kernel.parameters[p]];
            bool alone = is(source, argument + 1, ",") || is(source, argument + 1, ")");
            if (!alone || kernel.parameters[p] == 0 || !is(source, kernel.types[p], "const")
                || !source_token_same(&source->tokens[argument], &source->tokens[copied]))
                continue;
            snprintf(finding->remark, sizeof finding->remark,
                     "Line %d hands %.*s to %s as its parameter %.*s, which is const: the kernel only reads there.",
                     source->tokens[i].line, source->tokens[copied].length < 40 ? source->tokens[copied].length : 40,
                     source->tokens[copied].text, name, parameter->length < 40 ? parameter->length : 40, parameter->text);
        }
    }
    if (source)
        source_destroy(source);
}

/* The system refuses the program. Does it refuse any? */
static bool starts_anything(const struct program_job *job, const struct exchange *exchange)
{
    struct build *build = allocate_zeroed(sizeof *build);
    struct execution execution = {.started = false};
    struct program_job nothing = *job;
    int64_t left_ms = PROGRAM_RUNS_MS;
    nothing.build = build;
    nothing.left_ms = &left_ms;
    if (build_nothing(job->build, build))
        program_run(&nothing, exchange, NULL, &execution);
    bool started = execution.started;
    execution_clear(&execution);
    build_clear(build);
    free(build);
    return started;
}

/* ---- the test ------------------------------------------------------------------------------------------------------ */

void program_case_judge(const struct program_job *job, const struct lab_case *the_case, struct result_test *test,
                        struct calls *calls)
{
    struct exchange exchange;
    struct execution execution;
    memset(calls, 0, sizeof *calls);
    exchange_create(job->lab, the_case, job->seed, &exchange);
    program_run(job, &exchange, NULL, &execution);
    if (!execution.started && !(execution.refused && starts_anything(job, &exchange))) {
        test->state = RESULT_HARNESS_ERROR;
        snprintf(test->message, sizeof test->message, "%s", execution.message);
    } else {
        calls_read(execution.calls, execution.calls_bytes, job->build, calls);
        char remark[600] = "";
        take_findings(job, &execution, calls, &test->findings, remark);
        const struct program_facts facts = {job, &exchange, &execution, calls, find_failed(calls), remark};
        program_explain_calls(&facts, &test->findings);
        struct exchange_answer answer;
        if (program_explain_end(&facts, &test->findings)) {
            exchange_read(&exchange, execution.output, execution.output_bytes, &answer);
            program_explain_answer(&facts, &answer, &test->findings);
            program_explain_values(&facts, &answer, test);
        }
        diagnose_sort(&test->findings);
        put_reason_first(&test->findings);
        if (test->findings.count > 0)
            tell_const_argument(job, &test->findings.list[0]);
        test->state = has_failing(&test->findings) ? RESULT_FAIL : RESULT_PASS;
    }
    execution_clear(&execution);
    exchange_clear(&exchange);
}
