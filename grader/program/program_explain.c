#include "grader/program/program_explain.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/program/computed.h"
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
    bool freed = strcmp(calls_word(failed->kind), "copy") == 0 && strstr(facts->remark, ", which was freed");
    struct result_finding finding = program_explain_begin(facts->job, "call_failed",
                                                          freed ? "freed" : calls_word(failed->kind), failed->line);
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

/* The first address that only a device has: memory that the host can reach lies below. */
#define DEVICE_ADDRESSES (UINT64_C(1) << 47)

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

/* Of a program that has printed all that it should: memory of the host from CUDA that CUDA did not get back. NULL: none. */
static const struct call *find_unfreed_pinned(const struct program_facts *facts)
{
    const struct calls *calls = facts->calls;
    struct exchange_answer answer;
    exchange_read(facts->exchange, facts->execution->output, facts->execution->output_bytes, &answer);
    for (size_t i = 0; i < calls->count && answer.kind == EXCHANGE_RIGHT; i++) {
        const struct call *call = &calls->list[i];
        bool is_freed = call->kind != CALL_allocate || call->result != 0 || call->address >= DEVICE_ADDRESSES;
        for (size_t k = i + 1; k < calls->count && !is_freed; k++)
            is_freed = calls->list[k].kind == CALL_free && calls->list[k].address == call->address;
        if (!is_freed && call->line > 0)
            return call;
    }
    return NULL;
}

bool program_explain_end(const struct program_facts *facts, struct result_findings *findings)
{
    const struct execution *execution = facts->execution;
    char end[160], quoted[400];
    if (execution->started && !execution->timed_out && !execution->end.signalled && execution->end.code == 0)
        return true;
    const char *pattern = execution->refused                 ? "refused"
                          : program_run_timed_out(execution) ? "time"
                          : execution->end.signalled         ? "signal"
                                                             : "status";
    struct result_finding finding = program_explain_begin(facts->job, "program_end", pattern, 0);
    program_run_describe_end(execution, end, sizeof end);
    quote_errors(execution, quoted, sizeof quoted);
    snprintf(finding.message, sizeof finding.message, "The program %s.%s", end, quoted);
    const struct call *pinned = execution->end.signalled && !execution->timed_out ? find_unfreed_pinned(facts) : NULL;
    if (pinned) {
        size_t used = strlen(finding.message);
        finding.line = pinned->line;
        snprintf(finding.pattern, sizeof finding.pattern, "after_output");
        snprintf(
            finding.message + used, sizeof finding.message - used,
            " All numbers had been printed by then. The pinned memory that line %d took has not gone to cudaFreeHost; a "
            "program that gives such memory to free() ends like this.",
            pinned->line);
    }
    result_findings_add(findings, &finding);
    return false;
}

/* ---- the output ---------------------------------------------------------------------------------------------------- */

/* What the calls add up to. */
struct sums {
    uint64_t to_device, to_host, stored, threads;
    uint64_t shared[2]; /* stored, and read, by kernels in memory that the host shares, which needs no copies */
    size_t launches, copies_there;
    const struct call *first_launch, *last_launch, *first_to_host, *last_to_host, *first_to_device, *last_to_device;
    const struct call *widest; /* the launch with the most threads */
};

static struct sums add_up(const struct calls *calls)
{
    struct sums sums = {0};
    for (size_t i = 0; i < calls->count; i++) {
        const struct call *call = &calls->list[i];
        sums.stored = call->stored > sums.stored ? call->stored : sums.stored;
        for (int k = 0; k < 2; k++)
            sums.shared[k] = call->shared[k] > sums.shared[k] ? call->shared[k] : sums.shared[k];
        if (call->result != 0)
            continue;
        sums.to_device += call->to_device;
        sums.to_host += call->to_host;
        if (call->kind == CALL_launch) {
            sums.launches++;
            sums.threads = __builtin_add_overflow(sums.threads, call->threads, &sums.threads) ? UINT64_MAX : sums.threads;
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
            sums.copies_there++;
        }
    }
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
    bool counts_elements = whole == moved * 4 || whole == moved * 8;
    give_reason(finding, "copied_part", call,
                "The copies to the %s moved %" PRIu64 " byte%s in all; %" PRIu64 " are needed.%s", where, moved,
                moved == 1 ? "" : "s", whole,
                counts_elements ? " The size that a copy is given counts bytes, not elements." : "");
}

static size_t count_inputs(const struct lab *lab)
{
    size_t count = 0;
    for (int i = 0; i < lab->array_count; i++)
        count += lab->arrays[i].role != LAB_OUTPUT;
    return count;
}

static uint64_t largest_output(const struct exchange *exchange)
{
    uint64_t most = 0;
    for (int i = 0; i < exchange->lab->output_count; i++)
        most = exchange->expected[i].count > most ? exchange->expected[i].count : most;
    return most;
}

/* Addresses from and up to which a copy reads, or writes, the host's memory. */
struct host_part {
    uint64_t from, to;
};

static int compare_parts(const void *one, const void *other)
{
    const struct host_part *first = one, *second = other;
    return (first->from > second->from) - (first->from < second->from);
}

/* How many different bytes of the host's memory the copies of one direction read, or write; UINT64_MAX: unknown. */
static uint64_t different_bytes(const struct calls *calls, bool to_device)
{
    struct host_part *parts = allocate_zeroed((calls->count + 1) * sizeof *parts);
    uint64_t sum = 0, end = 0;
    size_t count = 0;
    for (size_t i = 0; i < calls->count; i++) {
        const struct call *call = &calls->list[i];
        uint64_t moved = to_device ? call->to_device : call->to_host, from = call->ends[to_device];
        if (call->result != 0 || moved == 0)
            continue;
        if (from == 0 || __builtin_add_overflow(from, moved, &parts[count].to)) {
            free(parts);
            return UINT64_MAX;
        }
        parts[count++].from = from;
    }
    qsort(parts, count, sizeof *parts, compare_parts);
    for (size_t i = 0; i < count; i++) {
        uint64_t from = parts[i].from > end ? parts[i].from : end;
        sum += parts[i].to > from ? parts[i].to - from : 0;
        end = parts[i].to > end ? parts[i].to : end;
    }
    free(parts);
    return sum;
}

/* Pieces that are all read from one place of the host's memory, or all written to one. Returns whether it is so. */
static bool tell_same_place(const struct program_facts *facts, struct result_finding *finding)
{
    struct sums sums = add_up(facts->calls);
    uint64_t there = different_bytes(facts->calls, true), back = different_bytes(facts->calls, false);
    bool is_there = there < facts->exchange->input_bytes && there < sums.to_device;
    bool is_back = back < facts->exchange->output_bytes && back < sums.to_host;
    if (is_there)
        give_reason(finding, "same_place", sums.last_to_device,
                    "The copies to the device moved %" PRIu64 " bytes, but read only %" PRIu64
                    " different bytes of the host's memory; %" PRIu64 " are needed.",
                    sums.to_device, there, facts->exchange->input_bytes);
    else if (is_back)
        give_reason(finding, "same_place", sums.last_to_host,
                    "The copies to the host moved %" PRIu64 " bytes, but wrote only %" PRIu64
                    " different bytes of the host's memory; %" PRIu64 " are needed.",
                    sums.to_host, back, facts->exchange->output_bytes);
    return is_there || is_back;
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
    else if (sums.to_device < exchange->input_bytes && sums.copies_there < count_inputs(exchange->lab))
        give_reason(finding, "input_missing", sums.last_to_device,
                    "There are %zu input arrays of %" PRIu64 " bytes in all, and %zu cop%s to the device moved %" PRIu64
                    " byte%s.",
                    count_inputs(exchange->lab), exchange->input_bytes, sums.copies_there,
                    sums.copies_there == 1 ? "y" : "ies", sums.to_device, sums.to_device == 1 ? "" : "s");
    else if (sums.to_device < exchange->input_bytes && sums.first_to_device)
        tell_part(sums.first_to_device, sums.to_device, exchange->input_bytes, "device", finding);
    else if (sums.first_to_device && sums.first_to_device > sums.last_launch)
        give_reason(finding, "copied_late", sums.first_to_device,
                    "The inputs are copied to the device here, after the kernel has run.");
    else if (sums.first_to_host && sums.first_to_host->printed * 2 > facts->execution->output_bytes)
        give_reason(finding, "printed_early", sums.first_to_host,
                    "When the result was copied back here, most of the output had been printed already.");
    else if (!tell_same_place(facts, finding) && sums.threads < elements && answer->bad > 0 && sums.launches > 1)
        give_reason(finding, "grid", sums.widest,
                    "The %zu launches have %" PRIu64 " thread%s in all, for %" PRIu64 " elements.", sums.launches,
                    sums.threads, sums.threads == 1 ? "" : "s", elements);
    else if (!finding->explained && sums.threads < elements && answer->bad > 0)
        give_reason(finding, "grid", sums.widest,
                    "The launch has %" PRIu64 " block%s of %" PRIu64 " thread%s, %" PRIu64 " in all, for %" PRIu64
                    " elements.",
                    sums.widest->blocks, sums.widest->blocks == 1 ? "" : "s", sums.widest->block_threads,
                    sums.widest->block_threads == 1 ? "" : "s", sums.threads, elements);
    if (!finding->explained && answer->whole)
        give_reason(finding, "whole", NULL, "Every wrong number is the right one without its fraction.");
}

/* Right numbers that the device did not compute: nothing ran there, or not all of the numbers were there. */
static bool tell_unused(const struct program_facts *facts, const struct computed *computed, struct result_finding *finding)
{
    struct sums sums = add_up(facts->calls);
    const uint64_t in = facts->exchange->input_bytes;
    bool narrow = computed->verdict == COMPUTED_THERE && computed->bytes > 0
                  && computed->bytes < facts->exchange->output_bytes;
    const uint64_t out = narrow ? computed->bytes : facts->exchange->output_bytes;
    bool came = sums.to_host >= out || sums.shared[0] >= out - sums.to_host;
    bool went = sums.to_device >= in || sums.shared[1] >= in - sums.to_device;
    if (sums.launches > 0 && came && went && sums.stored >= out)
        return false;
    *finding = program_explain_begin(facts->job, "device_unused", "", sums.launches > 0 ? sums.last_launch->line : 0);
    const char *deed = !came   ? "came back from the device, and the results"
                       : !went ? "went to the device, and the inputs"
                               : "were stored by kernels, and the results";
    uint64_t bytes = !came ? sums.to_host : !went ? sums.to_device : sums.stored, whole = !came || went ? out : in;
    char moved[48] = "not a byte";
    if (bytes > 0)
        snprintf(moved, sizeof moved, "only %" PRIu64 " byte%s", bytes, bytes == 1 ? "" : "s");
    if (sums.launches == 0)
        snprintf(finding->message, sizeof finding->message,
                 "The numbers are right, but no kernel was launched: the host computed them.");
    else
        snprintf(finding->message, sizeof finding->message, "The numbers are right, but %s %s have %" PRIu64 ": %s", moved,
                 deed, whole,
                 bytes == 0 ? "the host computed them."
                 : whole == bytes * 4 && !(came && went)
                     ? "they cannot all be the device's. The size that a copy is given counts bytes, not elements."
                     : "they cannot all be the device's.");
    return true;
}

/* Right numbers that no kernel has stored, or that were on the device before. */
static bool tell_computed_by_host(const struct program_facts *facts, const struct computed *computed,
                                  struct result_finding *finding)
{
    struct sums sums = add_up(facts->calls);
    const struct lab_output *output = &facts->job->lab->outputs[computed->output];
    if (computed->verdict == COMPUTED_THERE)
        return false;
    *finding = program_explain_begin(facts->job, "device_unused", "", sums.last_launch ? sums.last_launch->line : 0);
    if (computed->verdict == COMPUTED_BEFORE) {
        snprintf(finding->message, sizeof finding->message,
                 "The numbers are right, but they were on the device before any kernel had stored them: the host computed "
                 "them and copied them there.");
        return true;
    }
    int used = snprintf(finding->message, sizeof finding->message, "The numbers are right, but no kernel stored %s",
                        output->name);
    char *rest = finding->message + used;
    size_t room = sizeof finding->message - (size_t)used;
    if (output->scalar)
        snprintf(rest, room, " = %s: the host computed it.", computed->value);
    else if (computed->missing == 1)
        snprintf(rest, room, "[%zu] = %s: the host computed it.", computed->index, computed->value);
    else
        snprintf(rest, room, "[%zu] = %s, nor %zu other result%s: the host computed them.", computed->index, computed->value,
                 computed->missing - 1, computed->missing == 2 ? "" : "s");
    return true;
}

/* Output that is not as asked for, or has a wrong number. */
static struct result_finding describe_answer(const struct program_facts *facts, const struct exchange_answer *answer)
{
    const struct program_job *job = facts->job;
    size_t wanted = facts->exchange->numbers;
    struct result_finding finding = program_explain_begin(job, "output_form", "", 0);
    char before[64];
    switch (answer->kind) {
    case EXCHANGE_RIGHT: break;
    case EXCHANGE_NO_NUMBER:
        if (answer->count == 0)
            snprintf(before, sizeof before, "The output begins with");
        else
            snprintf(before, sizeof before, "After %zu number%s the output has", answer->count,
                     answer->count == 1 ? "" : "s");
        snprintf(
            finding.message, sizeof finding.message,
            "%s \"%s\", which is not a number. The output is to have %zu number%s, with blanks or line ends between, and "
            "nothing else.",
            before, answer->word, wanted, wanted == 1 ? "" : "s");
        break;
    case EXCHANGE_TOO_FEW:
        snprintf(finding.message, sizeof finding.message, "The program printed %zu number%s; %zu %s expected.",
                 answer->count, answer->count == 1 ? "" : "s", wanted, wanted == 1 ? "is" : "are");
        break;
    case EXCHANGE_TOO_MANY:
        snprintf(finding.message, sizeof finding.message,
                 "After the %zu number%s that are expected the output goes on with \"%s\".", wanted, wanted == 1 ? "" : "s",
                 answer->word);
        break;
    case EXCHANGE_WRONG:
        finding = program_explain_begin(job, "wrong_value", "", 0);
        tell_wrong(facts, answer, &finding);
        break;
    }
    return finding;
}

void program_explain_answer(const struct program_facts *facts, const struct exchange_answer *answer,
                            struct result_findings *findings)
{
    struct result_finding finding = describe_answer(facts, answer);
    if (answer->kind == EXCHANGE_RIGHT) {
        struct computed computed = computed_look(facts->exchange, facts->calls);
        if (!tell_unused(facts, &computed, &finding) && !tell_computed_by_host(facts, &computed, &finding))
            return;
    }
    if (answer->kind == EXCHANGE_WRONG)
        find_reason(facts, answer, &finding);
    result_findings_add(findings, &finding);
}

void program_explain_only_numbers(const struct program_facts *facts, const struct exchange_answer *answer,
                                  struct result_findings *findings)
{
    struct result_finding finding = describe_answer(facts, answer);
    result_findings_add(findings, &finding);
}

void program_explain_values(const struct program_facts *facts, const struct exchange_answer *answer,
                            struct result_test *test)
{
    const struct lab_output *output = &facts->job->lab->outputs[answer->output];
    if (answer->kind != EXCHANGE_WRONG)
        return;
    if (output->scalar)
        snprintf(test->place, sizeof test->place, "%s", output->name);
    else
        snprintf(test->place, sizeof test->place, "%s[%zu]", output->name, answer->index);
    snprintf(test->expected, sizeof test->expected, "%s", answer->expected);
    snprintf(test->actual, sizeof test->actual, "%s", answer->actual);
}
