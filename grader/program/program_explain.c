#include "grader/program/program_explain.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/printable.h"
#include "runtime/language/demangle.h"

struct result_finding program_explain_begin(const struct program_job *job, const char *code, const char *pattern, int line)
{
    struct result_finding finding = {.severity = LOCKSTEP_ERROR, .line = line, .count = 1};
    snprintf(finding.code, sizeof finding.code, "%s", code);
    snprintf(finding.pattern, sizeof finding.pattern, "%s", pattern);
    snprintf(finding.file, sizeof finding.file, "%.255s", job->submission->path);
    return finding;
}

/* ---- calls -------------------------------------------------------------------------------------------------------- */

void program_explain_calls(const struct program_facts *facts, struct result_findings *findings)
{
    const struct call *failed = facts->failed;
    char name[64], kernel[128];
    if (!failed || result_findings_have(findings, "launch")) /* which says more */
        return;
    struct result_finding finding = program_explain_begin(facts->job, "call_failed", calls_word(failed->kind), failed->line);
    calls_error_name(failed->result, name, sizeof name);
    demangle_function(failed->kernel, kernel, sizeof kernel);
    if (failed->kind == CALL_launch && failed->kernel[0] != '\0')
        snprintf(finding.message, sizeof finding.message,
                 "The launch of %s with %" PRIu64 " blocks of %" PRIu64 " threads failed: %s.", kernel, failed->blocks,
                 failed->block_threads, name);
    else
        snprintf(finding.message, sizeof finding.message, "This %s failed: %s.%s%s", calls_name(failed->kind), name,
                 facts->remark[0] != '\0' ? " " : "", facts->remark);
    result_findings_add(findings, &finding);
}

/* ---- the end ------------------------------------------------------------------------------------------------------- */

/* The first line that the program wrote to its standard error. */
static void quote_errors(const struct execution *execution, char *text, size_t text_bytes)
{
    size_t length = strcspn(execution->errors, "\n");
    text[0] = '\0';
    if (length == 0)
        return;
    snprintf(text, text_bytes, " Its first message: \"");
    printable_append(text, text_bytes - 4, execution->errors, length < 200 ? length : 200);
    strcat(text, "\"");
}

bool program_explain_end(const struct program_facts *facts, struct result_findings *findings)
{
    const struct execution *execution = facts->execution;
    char end[160], quoted[400];
    if (!execution->timed_out && !execution->end.signalled && execution->end.code == 0)
        return true;
    const char *pattern = program_run_timed_out(execution) ? "time" : execution->end.signalled ? "signal" : "status";
    struct result_finding finding = program_explain_begin(facts->job, "program_end", pattern, 0);
    program_run_describe_end(execution, end, sizeof end);
    quote_errors(execution, quoted, sizeof quoted);
    snprintf(finding.message, sizeof finding.message, "The program %s.%s", end, quoted);
    result_findings_add(findings, &finding);
    return false;
}

/* ---- the output ---------------------------------------------------------------------------------------------------- */

/* What the calls add up to. */
struct sums {
    uint64_t to_device, to_host, most_threads;
    size_t launches;
    const struct call *first_launch, *last_launch, *first_to_host, *last_to_host, *first_to_device, *last_to_device;
    const struct call *widest; /* the launch with the most threads */
};

static struct sums add_up(const struct calls *calls)
{
    struct sums sums = {0};
    for (size_t i = 0; i < calls->count; i++) {
        const struct call *call = &calls->list[i];
        if (call->result != 0)
            continue;
        sums.to_device += call->to_device;
        sums.to_host += call->to_host;
        if (call->kind == CALL_launch) {
            sums.launches++;
            sums.first_launch = sums.first_launch ? sums.first_launch : call;
            sums.last_launch = call;
            if (!sums.widest || call->threads > sums.widest->threads)
                sums.widest = call;
        }
        if (call->to_host > 0) {
            sums.first_to_host = sums.first_to_host ? sums.first_to_host : call;
            sums.last_to_host = call;
        }
        if (call->to_device > 0) {
            sums.first_to_device = sums.first_to_device ? sums.first_to_device : call;
            sums.last_to_device = call;
        }
    }
    sums.most_threads = sums.widest ? sums.widest->threads : 0;
    return sums;
}

/* How the first wrong number is described, before why. */
static void tell_wrong(const struct program_facts *facts, const struct exchange_answer *answer,
                       struct result_finding *finding)
{
    const struct lab_output *output = &facts->job->lab->outputs[answer->output];
    const struct lab_expected *expected = &facts->exchange->expected[answer->output];
    char place[96];
    if (output->scalar)
        snprintf(place, sizeof place, "%s", output->name);
    else
        snprintf(place, sizeof place, "%s[%zu]", output->name, answer->index);
    size_t used = (size_t)snprintf(finding->message, sizeof finding->message, "%s should be %s; the program printed %s.",
                                   place, answer->expected, answer->actual);
    if (answer->bad > 1)
        snprintf(finding->message + used, sizeof finding->message - used, " %zu of %zu numbers are wrong.", answer->bad,
                 expected->count);
    snprintf(finding->output, sizeof finding->output, "%.31s", output->name);
    finding->tells_values = true;
    if (!output->scalar) {
        finding->index_count = 1;
        finding->index[0] = (int64_t)answer->index;
    }
}

__attribute__((format(printf, 4, 5))) static void give_reason(struct result_finding *finding, const char *pattern,
                                                              const struct call *at, const char *format, ...)
{
    size_t used = strlen(finding->message);
    va_list arguments;
    finding->message[used++] = ' ';
    va_start(arguments, format);
    vsnprintf(finding->message + used, sizeof finding->message - used, format, arguments);
    va_end(arguments);
    snprintf(finding->pattern, sizeof finding->pattern, "%s", pattern);
    finding->line = at ? at->line : 0;
    finding->explained = true;
}

/* Copies of fewer bytes than the arrays have. */
static void tell_part(const struct call *call, uint64_t moved, uint64_t whole, const char *where,
                      struct result_finding *finding)
{
    give_reason(finding, "copied_part", call,
                "The copies to the %s moved %" PRIu64 " byte%s in all; %" PRIu64 " are needed.%s", where, moved,
                moved == 1 ? "" : "s", whole,
                moved < whole && whole <= moved * 4 ? " The size that a copy is given counts bytes, not elements." : "");
}

static uint64_t largest_output(const struct exchange *exchange)
{
    uint64_t most = 0;
    for (int i = 0; i < exchange->lab->output_count; i++)
        most = exchange->expected[i].count > most ? exchange->expected[i].count : most;
    return most;
}

/* Why the numbers are wrong: the first reason that the calls show. */
static void find_reason(const struct program_facts *facts, const struct exchange_answer *answer,
                        struct result_finding *finding)
{
    const struct exchange *exchange = facts->exchange;
    struct sums sums = add_up(facts->calls);
    uint64_t elements = largest_output(exchange);
    if (facts->calls->count == 0)
        give_reason(finding, "no_calls", NULL, "The program made no call of CUDA that works with the device.");
    else if (sums.launches == 0)
        give_reason(finding, "no_launch", NULL, "No kernel was launched, so the device computed nothing.");
    else if (sums.to_host == 0)
        give_reason(finding, "not_copied_back", sums.last_launch,
                    "After the last launch nothing was copied back to the host, so the program printed what its own array "
                    "held before.");
    else if (sums.to_device == 0 && exchange->input_bytes > 0)
        give_reason(finding, "not_copied_there", sums.first_launch,
                    "Nothing was copied to the device before the launch, so the kernel read what the device's memory held "
                    "before.");
    else if (sums.last_to_host < sums.first_launch)
        give_reason(
            finding, "copied_early", sums.last_to_host,
            "The last copy to the host, here, comes before the first launch: it copied what the device's memory held "
            "before the kernel.");
    else if (sums.to_host < exchange->output_bytes)
        tell_part(sums.last_to_host, sums.to_host, exchange->output_bytes, "host", finding);
    else if (sums.to_device < exchange->input_bytes && sums.first_to_device)
        tell_part(sums.first_to_device, sums.to_device, exchange->input_bytes, "device", finding);
    else if (sums.first_to_device && sums.first_to_device > sums.last_launch)
        give_reason(finding, "copied_late", sums.first_to_device,
                    "The inputs are copied to the device here, after the kernel has run.");
    else if (sums.first_to_host && sums.first_to_host->printed * 2 > facts->execution->output_bytes)
        give_reason(finding, "printed_early", sums.first_to_host,
                    "When the result was copied back here, most of the output had been printed already.");
    else if (sums.most_threads < elements && answer->bad > 0)
        give_reason(finding, "grid", sums.widest,
                    "The launch has %" PRIu64 " blocks of %" PRIu64 " threads, %" PRIu64 " in all, for %" PRIu64
                    " elements.",
                    sums.widest->blocks, sums.widest->block_threads, sums.most_threads, elements);
}

/* The first address that only a device has: memory that the host can reach lies below. */
#define DEVICE_ADDRESSES (UINT64_C(1) << 47)

/* Right numbers that the device did not compute: nothing ran there, or nothing that is as large came back. */
static bool tell_unused(const struct program_facts *facts, struct result_finding *finding)
{
    struct sums sums = add_up(facts->calls);
    bool shares = false;
    for (size_t i = 0; i < facts->calls->count; i++)
        shares |= facts->calls->list[i].kind == CALL_allocate && facts->calls->list[i].address < DEVICE_ADDRESSES;
    if (sums.launches > 0 && (shares || sums.to_host >= facts->exchange->output_bytes))
        return false;
    *finding = program_explain_begin(facts->job, "device_unused", "", sums.launches > 0 ? sums.last_launch->line : 0);
    if (sums.launches == 0)
        snprintf(finding->message, sizeof finding->message,
                 "The numbers are right, but no kernel was launched: the host computed them.");
    else
        snprintf(finding->message, sizeof finding->message,
                 "The numbers are right, but only %" PRIu64 " byte%s came back from the device, and they have %" PRIu64
                 ": the host computed them.",
                 sums.to_host, sums.to_host == 1 ? "" : "s", facts->exchange->output_bytes);
    return true;
}

void program_explain_answer(const struct program_facts *facts, const struct exchange_answer *answer,
                            struct result_findings *findings)
{
    const struct program_job *job = facts->job;
    size_t wanted = facts->exchange->numbers;
    struct result_finding finding = program_explain_begin(job, "output_form", "", 0);
    switch (answer->kind) {
    case EXCHANGE_RIGHT:
        if (!tell_unused(facts, &finding))
            return;
        break;
    case EXCHANGE_NO_NUMBER:
        snprintf(
            finding.message, sizeof finding.message,
            "After %zu numbers the output has \"%s\", which is none. The output is to have %zu number%s, with blanks or "
            "line ends between, and nothing else.",
            answer->count, answer->word, wanted, wanted == 1 ? "" : "s");
        break;
    case EXCHANGE_TOO_FEW:
        snprintf(finding.message, sizeof finding.message, "The program printed %zu number%s; expected are %zu.",
                 answer->count, answer->count == 1 ? "" : "s", wanted);
        break;
    case EXCHANGE_TOO_MANY:
        snprintf(finding.message, sizeof finding.message,
                 "After the %zu number%s that are expected the output goes on with \"%s\".", wanted, wanted == 1 ? "" : "s",
                 answer->word);
        break;
    case EXCHANGE_WRONG:
        finding = program_explain_begin(job, "wrong_value", "", 0);
        tell_wrong(facts, answer, &finding);
        find_reason(facts, answer, &finding);
        break;
    }
    result_findings_add(findings, &finding);
}
