#include "grader/judge/verify.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/compile/signature.h"
#include "grader/judge/classify.h"
#include "grader/judge/classify_try.h"
#include "grader/judge/local_arrays.h"
#include "grader/lab/compare.h"
#include "grader/result/diagnose.h"

static struct result_finding new_finding(const char *code, const char *file, const char *kernel)
{
    struct result_finding finding = {.severity = LOCKSTEP_ERROR, .count = 1};
    snprintf(finding.code, sizeof finding.code, "%s", code);
    snprintf(finding.kernel, sizeof finding.kernel, "%s", kernel);
    snprintf(finding.file, sizeof finding.file, "%s", file);
    return finding;
}

static bool has_failing_finding(const struct result_test *test)
{
    for (size_t i = 0; i < test->findings.count; i++)
        if (diagnose_fails(&test->findings.list[i]))
            return true;
    return false;
}

/* ---- the run itself ----------------------------------------------------------------------------------------------- */

/* Which finding a fault becomes that no driver explained (a GPU names only its CUresult). */
static const char *code_of_fault(const char *message)
{
    static const struct {
        const char *part, *code;
    } rows[] = {
        {"ILLEGAL_ADDRESS", "out_of_bounds"},
        {"MISALIGNED", "misaligned"},
        {"ASSERT", "assert"},
        {"TIMEOUT", "fuel"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strstr(message, rows[i].part))
            return rows[i].code;
    return "launch";
}

static void add_finding(const struct verify_run *run, const struct run_reply *reply, const char *code,
                        struct result_test *test)
{
    struct result_finding finding = new_finding(code, run->file, reply->kernel);
    snprintf(finding.message, sizeof finding.message, "%s", reply->message);
    if (reply->outcome == RUN_REJECTED)
        local_arrays_explain(run->setup, reply->message, &finding);
    if (reply->outcome == RUN_REFUSED) /* by what the lab asks of its kernels, not by a limit of the device */
        snprintf(finding.pattern, sizeof finding.pattern, "items");
    if (reply->outcome == RUN_HUNG) /* no loop is known, and none may be endless */
        snprintf(finding.pattern, sizeof finding.pattern, "clock");
    result_findings_add(&test->findings, &finding);
}

static void report_damage(const struct verify_run *run, const struct run_reply *reply, struct result_test *test)
{
    bool input = reply->damage == 1;
    struct result_finding finding = new_finding(input ? "read_only_write" : "out_of_bounds", run->file, "");
    if (result_findings_have(&test->findings, finding.code))
        return;
    snprintf(finding.array, sizeof finding.array, "%s", reply->damaged);
    if (input) {
        finding.index_count = 1;
        finding.index[0] = (int64_t)reply->damaged_index;
        snprintf(finding.message, sizeof finding.message, "%s is an input, but %s[%llu] changed.", reply->damaged,
                 reply->damaged, (unsigned long long)reply->damaged_index);
    } else {
        snprintf(finding.message, sizeof finding.message,
                 "Memory next to the array %s was written: before its first or after its last element.", reply->damaged);
    }
    result_findings_add(&test->findings, &finding);
}

void verify_outcome(const struct verify_run *run, const struct run_reply *reply, struct result_test *test)
{
    switch (reply->outcome) {
    case RUN_RAN:
        if (reply->damage != 0)
            report_damage(run, reply, test);
        break;
    case RUN_LAUNCH_REFUSED:
    case RUN_NO_MEMORY:
    case RUN_REFUSED:
        if (!result_findings_have(&test->findings, "launch"))
            add_finding(run, reply, "launch", test);
        test->state = RESULT_ERROR;
        break;
    case RUN_FAULT:
        if (!has_failing_finding(test))
            add_finding(run, reply, code_of_fault(reply->message), test);
        break;
    case RUN_HUNG:
        if (!run->hurried)
            add_finding(run, reply, "fuel", test);
        else if (test->message[0] == '\0')
            snprintf(test->message, sizeof test->message, "%s", reply->message);
        test->state = RESULT_FAIL;
        break;
    case RUN_CRASHED:
        add_finding(run, reply, "launch", test);
        test->state = RESULT_ERROR;
        break;
    case RUN_REJECTED:
        add_finding(run, reply, "compile", test);
        test->state = RESULT_ERROR;
        break;
    case RUN_HARNESS:
        test->state = RESULT_HARNESS_ERROR;
        snprintf(test->message, sizeof test->message, "%s", reply->message);
        break;
    }
    if (test->state == RESULT_PASS && has_failing_finding(test))
        test->state = RESULT_FAIL;
}

/* ---- outputs ------------------------------------------------------------------------------------------------------ */

static const void *output_values(const struct verify_run *run, const struct plan_output *output)
{
    return run->memory->bytes + run->memory->output_offset + output->offset;
}

/* What was handed over must be what was expected to be: same outputs, same counts. */
static bool is_complete(const struct verify_run *run, const struct run_reply *reply)
{
    const struct lab *lab = run->setup->lab;
    for (int i = 0; i < lab->output_count; i++) {
        bool present = reply->outputs[i].present, wanted = run->expect->outputs[i].count > 0;
        bool left_out = wanted && !present && lab->outputs[i].added_up;
        if ((present != wanted && !left_out) || (present && reply->outputs[i].count != run->expect->outputs[i].count))
            return false;
    }
    return true;
}

bool verify_present_are_right(const struct verify_run *run, const struct plan_output outputs[LAB_MAX_OUTPUTS])
{
    struct compare_result comparison;
    for (int i = 0; i < run->setup->lab->output_count; i++)
        if (outputs[i].present
            && (outputs[i].count != run->expect->outputs[i].count
                || compare_output(&run->expect->outputs[i], output_values(run, &outputs[i]), &comparison) > 0))
            return false;
    return true;
}

/* "out[5]", "C[1][2]", "pi" */
static void name_place(const struct verify_run *run, const struct run_reply *reply, int output, size_t first, char *place,
                       size_t place_bytes)
{
    const struct lab_expected *expected = &run->expect->outputs[output];
    const struct plan_output *where = &reply->outputs[output];
    const struct lab_output *own = &run->setup->lab->outputs[output];
    const char *name = where->array >= 0 ? run->setup->array_names[where->array] : own->name;
    if (own->scalar)
        snprintf(place, place_bytes, "%s", own->name);
    else if (expected->columns > 0)
        snprintf(place, place_bytes, "%s[%zu][%zu]", name, first / expected->columns, first % expected->columns);
    else
        snprintf(place, place_bytes, "%s[%zu]", name, first);
}

static void describe_wrong(const struct verify_run *run, const struct run_reply *reply, int output, size_t first,
                           struct verify_wrong *wrong)
{
    const struct lab_expected *expected = &run->expect->outputs[output];
    const struct plan_output *where = &reply->outputs[output];
    name_place(run, reply, output, first, wrong->place, sizeof wrong->place);
    classify_format_value(expected, NULL, first, wrong->expected, sizeof wrong->expected);
    classify_format_value(expected, output_values(run, where), first, wrong->actual, sizeof wrong->actual);
}

bool verify_is_right(const struct verify_run *run, const struct run_reply *reply, struct verify_wrong *wrong)
{
    struct compare_result comparison;
    memset(wrong, 0, sizeof *wrong);
    if (reply->outcome != RUN_RAN || !is_complete(run, reply))
        return false;
    for (int i = 0; i < run->setup->lab->output_count; i++)
        if (reply->outputs[i].present
            && compare_output(&run->expect->outputs[i], output_values(run, &reply->outputs[i]), &comparison) > 0) {
            describe_wrong(run, reply, i, comparison.first_bad, wrong);
            return false;
        }
    return true;
}

/* Elements of an in-place array that still hold what they held before the launch, although something else is expected: such
 * an array cannot hold poison, so an unchanged value is the evidence that no store reached it. */
static void find_untouched(const struct verify_run *run, const struct plan_output *output,
                           const struct lab_expected *expected, const void *got, struct compare_unwritten *untouched)
{
    size_t bytes = types_get(expected->type)->bytes;
    const char *before = (const char *)run->data->array[output->array].bytes + output->first * bytes, *after = got;
    memset(untouched, 0, sizeof *untouched);
    for (size_t i = 0; i < expected->count; i++) {
        if (memcmp(before + i * bytes, after + i * bytes, bytes) != 0 || compare_element(expected, got, i))
            continue;
        if (untouched->count++ == 0)
            untouched->first = i;
        untouched->last = i;
    }
}

/* Which elements are untouched, if their sign alone tells: " These are the elements that were below 0.". Else "". */
static const char *describe_sign(const struct verify_run *run, const struct plan_output *output,
                                 const struct lab_expected *expected, const void *got)
{
    size_t bytes = types_get(expected->type)->bytes, below[2] = {0}, above[2] = {0}, zero = 0;
    const char *before = (const char *)run->data->array[output->array].bytes + output->first * bytes;
    for (size_t i = 0; i < expected->count; i++) {
        double value = types_is_float(expected->type) ? types_get_float(expected->type, before, i)
                                                      : (double)types_get_integer(expected->type, before, i);
        bool touched = compare_element(expected, got, i);
        below[touched] += value < 0;
        above[touched] += value > 0;
        zero += !(value < 0 || value > 0);
    }
    if (zero > 0) /* which side it belongs to is not known */
        return "";
    return below[0] >= 2 && above[1] >= 2 && above[0] + below[1] == 0   ? " These are the elements that were below 0."
           : above[0] >= 2 && below[1] >= 2 && below[0] + above[1] == 0 ? " These are the elements that were above 0."
                                                                        : "";
}

/* Elements at or after the last one that was changed say nothing about a wrong formula, so all wrong elements must be
 * untouched before a store is called missing. */
static bool describe_untouched(const struct verify_run *run, const struct compare_unwritten *untouched,
                               const struct compare_result *comparison, const char *name, const char *sign,
                               struct result_finding *finding)
{
    if (untouched->count == 0 || untouched->count != comparison->bad_count)
        return false;
    finding->weak = comparison->count < CLASSIFY_ENOUGH;
    snprintf(finding->code, sizeof finding->code, "never_written"); /* not by proof, but nothing else can be told apart */
    finding->pattern[0] = '\0';
    finding->asks = false;
    size_t first = untouched->first, last = untouched->last, count = comparison->count;
    if (run->run > 0 && run->first_right) { /* a trace of the first run would show stores that this one lacks */
        snprintf(
            finding->message, sizeof finding->message,
            "The first run of this case was right. In the second one, with other inputs, %zu of %zu elements of %s still "
            "%s before the launch.",
            untouched->count, count, name, count == 1 ? "holds what it held" : "hold what they held");
        snprintf(finding->pattern, sizeof finding->pattern, "kept");
    } else if (untouched->count == count)
        snprintf(finding->message, sizeof finding->message,
                 count == 1 ? "%s[0], the only element, holds what it held before the launch."
                            : "%s holds what it held before the launch: no element changed.",
                 name);
    else if (untouched->count == 1)
        snprintf(finding->message, sizeof finding->message,
                 "%s[%zu] still holds what it held before the launch: no thread changed %s of the %zu elements.", name,
                 first,
                 first == 0           ? "the first"
                 : first + 1 == count ? "the last"
                                      : "this one",
                 count);
    else if (untouched->count == last - first + 1)
        snprintf(finding->message, sizeof finding->message,
                 "%s[%zu..%zu] still hold what they held before the launch: no thread changed %s%zu of the %zu elements.",
                 name, first, last,
                 first == 0          ? "the first "
                 : last + 1 == count ? "the last "
                                     : "these ",
                 untouched->count, count);
    else
        snprintf(finding->message, sizeof finding->message,
                 "%zu of %zu elements of %s, the first of them %s[%zu], still hold what they held before the launch.%s",
                 untouched->count, count, name, name, first, sign);
    return true;
}

static void take_index(const struct lab_expected *expected, size_t first, bool scalar, struct result_finding *finding)
{
    if (scalar)
        return;
    finding->index_count = expected->columns > 0 ? 2 : 1;
    finding->index[0] = (int64_t)(expected->columns > 0 ? first / expected->columns : first);
    finding->index[1] = expected->columns > 0 ? (int64_t)(first % expected->columns) : 0;
}

/* Of so few elements nobody can tell the first from the last, or from all. */
static bool is_small(const struct lab_case *the_case)
{
    int64_t elements = 1;
    for (int i = 0; i < LAB_MAX_SIZES; i++)
        elements *= the_case->size[i] > 0 ? the_case->size[i] : 1;
    return elements < CLASSIFY_ENOUGH;
}

/* Are outputs wrong, or all right, that were handed over after fewer launches? */
static void look_earlier(const struct verify_run *run, const struct run_reply *reply, struct lab_wrong *wrong)
{
    int right = 0, bad = 0, missing = 0;
    for (int i = 0; i < run->setup->lab->output_count; i++) {
        const struct plan_output *other = &reply->outputs[i];
        struct compare_result comparison;
        missing += !other->present && run->expect->outputs[i].count > 0;
        if (!other->present || other->launches >= reply->outputs[wrong->output].launches)
            continue;
        bool same = compare_output(&run->expect->outputs[i], output_values(run, other), &comparison) == 0;
        right += same;
        bad += !same;
    }
    wrong->earlier_wrong = bad > 0;
    wrong->earlier_right = right > 0 && bad == 0 && missing == 0;
}

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Puts `own` where the text has the word `name`, except in "partial sums". */
static void replace_word(const char *name, const char *own, char *text, size_t text_bytes)
{
    size_t length = strlen(name), own_length = strlen(own);
    for (char *at = strstr(text, name); at; at = strstr(at, name)) {
        bool whole = (at == text || !is_of_word(at[-1])) && !is_of_word(at[length]) && strncmp(at + length, " sum", 4) != 0;
        size_t rest = strlen(at + length) + 1, used = (size_t)(at - text);
        if (whole && used + own_length + rest > text_bytes)
            return;
        if (whole) {
            memmove(at + own_length, at + length, rest);
            memcpy(at, own, own_length);
        }
        at += whole ? own_length : length;
    }
}

/* A lab speaks of arrays as its contract does; the student may have other names for them, in each kernel. Short names could be
 * words. */
static void use_own_names(const struct plan_setup *setup, bool of_last, char *message, size_t message_bytes)
{
    const struct lab_plan *plan = &setup->lab->plans[setup->plan];
    for (int i = 0; i < plan->kernel_count; i++) {
        struct signature contract;
        int kernel = plan->kernels[of_last ? plan->kernel_count - 1 - i : i];
        bool known = signature_parse(setup->lab->kernels[kernel].signature, &contract);
        for (int k = 0; known && k < contract.parameter_count && k < LAB_MAX_ARGUMENTS; k++) {
            const char *name = contract.parameters[k].name, *own = setup->parameter_names[kernel][k];
            if (contract.parameters[k].pointers > 0 && strlen(name) >= 4 && own[0] != '\0' && strcmp(name, own) != 0)
                replace_word(name, own, message, message_bytes);
        }
    }
}

/* Columns and rows of a picture that a result keeps. */
#define SHOWN_MOST 512

static struct picture new_picture(size_t columns, size_t rows, size_t channels)
{
    return (struct picture){columns, rows, channels, allocate_zeroed(columns * rows * channels)};
}

/* Where `most` of `count` begin, so that `wanted` is among them. */
static size_t window(size_t count, size_t most, size_t wanted)
{
    size_t before = wanted < most / 2 ? 0 : wanted - most / 2;
    return count <= most ? 0 : before + most > count ? count - most : before;
}

/* Keeps a wrong output that is a picture, whole or around its first wrong element. */
static void keep_picture(const struct verify_run *run, const struct plan_output *where, const struct lab_expected *expected,
                         const uint8_t *got, size_t first_bad, struct result_test *test)
{
    const struct lab_array *array = where->array >= 0 ? &run->setup->lab->arrays[where->array] : NULL;
    size_t channels = array && array->picture == LAB_RGB ? 3 : 1, columns = expected->columns / channels;
    if (!array || array->picture == LAB_NO_PICTURE || test->picture || test->hidden || columns == 0 || !expected->i
        || types_get(expected->type)->bytes != 1)
        return;
    size_t rows = expected->count / expected->columns;
    size_t shown_columns = columns < SHOWN_MOST ? columns : SHOWN_MOST, shown_rows = rows < SHOWN_MOST ? rows : SHOWN_MOST;
    struct result_picture *picture = allocate_zeroed(sizeof *picture);
    snprintf(picture->array, sizeof picture->array, "%s", run->setup->array_names[where->array]);
    picture->column = window(columns, SHOWN_MOST, first_bad % expected->columns / channels);
    picture->row = window(rows, SHOWN_MOST, first_bad / expected->columns);
    picture->expected = new_picture(shown_columns, shown_rows, channels);
    picture->got = new_picture(shown_columns, shown_rows, channels);
    picture->difference = new_picture(shown_columns, shown_rows, channels);
    for (size_t i = 0; i < shown_rows * shown_columns * channels; i++) {
        size_t row = picture->row + i / (shown_columns * channels);
        size_t from = row * expected->columns + picture->column * channels + i % (shown_columns * channels);
        uint8_t want = (uint8_t)expected->i[from];
        picture->expected.pixels[i] = want;
        picture->got.pixels[i] = got[from];
        picture->difference.pixels[i] = (uint8_t)(got[from] > want ? got[from] - want : want - got[from]);
    }
    test->picture = picture;
}

/* follows: another output was wrong before, and this one is a single value that is computed from it. */
static void explain_output(const struct verify_run *run, const struct run_reply *reply, int output, bool follows,
                           const struct compare_result *comparison, struct result_test *test)
{
    const struct plan_setup *setup = run->setup;
    const struct lab *lab = setup->lab;
    const struct plan_output *where = &reply->outputs[output];
    const struct lab_expected *expected = &run->expect->outputs[output];
    const void *got = output_values(run, where);
    bool in_place = where->array >= 0 && lab->arrays[where->array].role == LAB_IN_PLACE;
    struct compare_unwritten unwritten = {0};
    if (in_place)
        find_untouched(run, where, expected, got, &unwritten);
    else if (where->added == 0)
        compare_find_unwritten(got, expected->type, expected->count, plan_poison_key(run->poison_key, where),
                               (size_t)where->first, expected, &unwritten);
    struct classify_input input = {
        .lab = lab,
        .wrong = {.the_case = run->the_case,
                  .data = run->data,
                  .expected = expected,
                  .got = got,
                  .first_bad = comparison->first_bad,
                  .bad_count = comparison->bad_count,
                  .output = output,
                  .plan = setup->plan,
                  .elements_per_block = setup->geometry[lab->plans[setup->plan].kernels[0]].items[0],
                  .uses_shared = setup->uses_shared},
        .comparison = comparison,
        .unwritten = in_place ? NULL : &unwritten,
        .run = run->run,
        .first_expected = run->first && run->first->outputs[output].count > 0 ? &run->first->outputs[output] : NULL,
        .first_run_right = run->first_right,
        .blocks = reply->max_blocks,
    };
    for (int i = 0; i < lab->array_count; i++)
        input.wrong.names[i] = setup->array_names[i];
    for (int i = 0; i < lab->scalar_count; i++)
        input.wrong.scalar_names[i] = setup->scalar_names[i];
    bool own_name = where->array >= 0 && !lab->outputs[output].scalar;
    input.output_name = own_name ? setup->array_names[where->array] : lab->outputs[output].name;
    keep_picture(run, where, expected, got, comparison->first_bad, test);
    struct classify_result classified;
    look_earlier(run, reply, &input.wrong);
    classify_wrong(&input, &classified);
    if (classified.by_lab)
        use_own_names(setup, where->launches > 1, classified.message, sizeof classified.message);
    struct result_finding finding = new_finding(classified.code, run->file, "");
    finding.count = comparison->bad_count;
    snprintf(finding.pattern, sizeof finding.pattern, "%s", classified.pattern ? classified.pattern : "");
    finding.explained = classified.explained;
    finding.by_lab = classified.by_lab;
    finding.open = !classified.closed && (classified.open || !classified.by_lab);
    bool single = comparison->count == 1 && !lab->outputs[output].scalar;
    finding.weak = (is_small(run->the_case) && (classified.explained || single))
                   || (comparison->bad_count == 1 && comparison->count > 1 && classified.explained && !classified.by_lab)
                   || classified.rare;
    finding.weak &= !classified.certain;
    finding.proven = classified.certain;
    finding.whole = comparison->bad_count == comparison->count;
    /* Of an array, a later state may show a known mistake as well as the earlier one does. */
    finding.follows = follows
                      || (input.wrong.earlier_wrong && !classified.by_lab && strcmp(classified.code, "never_written") != 0);
    finding.tells_values = true;
    finding.asks = classified.asks;
    snprintf(finding.message, sizeof finding.message, "%s", classified.message);
    snprintf(finding.array, sizeof finding.array, "%s", input.output_name);
    snprintf(finding.output, sizeof finding.output, "%s", lab->outputs[output].name);
    take_index(expected, comparison->first_bad, lab->outputs[output].scalar, &finding);
    if (strcmp(finding.code, "never_written") == 0)
        finding.weak = is_small(run->the_case);
    if (in_place)
        describe_untouched(run, &unwritten, comparison, finding.array, describe_sign(run, where, expected, got), &finding);
    if (test->actual[0] == '\0') {
        name_place(run, reply, output, comparison->first_bad, test->place, sizeof test->place);
        snprintf(test->expected, sizeof test->expected, "%s", classified.expected);
        snprintf(test->actual, sizeof test->actual, "%s", classified.actual);
        test->never_written = strcmp(classified.code, "never_written") == 0;
    }
    for (size_t i = 0; i < test->findings.count; i++) /* the second run says nothing new */
        if (strcmp(test->findings.list[i].code, finding.code) == 0
            && strcmp(test->findings.list[i].array, finding.array) == 0
            && strcmp(finding.pattern, test->findings.list[i].pattern) == 0)
            return;
    result_findings_add(&test->findings, &finding);
}

/* What was handed over earlier is judged first: the rest may be a consequence. */
static int in_order_of_launches(const struct lab *lab, const struct run_reply *reply, int order[LAB_MAX_OUTPUTS])
{
    for (int i = 0; i < lab->output_count; i++) {
        int at = i;
        for (; at > 0 && reply->outputs[order[at - 1]].launches > reply->outputs[i].launches; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return lab->output_count;
}

/* Compares the outputs that are there. Returns true when all of them are right. */
static bool explain_outputs(const struct verify_run *run, const struct run_reply *reply, struct result_test *test)
{
    bool right = true;
    int order[LAB_MAX_OUTPUTS];
    int count = in_order_of_launches(run->setup->lab, reply, order);
    for (int k = 0; k < count; k++) {
        int i = order[k];
        struct compare_result comparison;
        if (!reply->outputs[i].present
            || compare_output(&run->expect->outputs[i], output_values(run, &reply->outputs[i]), &comparison) == 0)
            continue;
        explain_output(run, reply, i, !right && run->setup->lab->outputs[i].scalar, &comparison, test);
        right = false;
    }
    return right;
}

/* After how many launches whole numbers were handed over that are wrong; 0: there are none. */
static int first_wrong_numbers(const struct verify_run *run, const struct run_reply *reply)
{
    int first = 0;
    for (int i = 0; i < run->setup->lab->output_count; i++) {
        const struct plan_output *output = &reply->outputs[i];
        struct compare_result comparison;
        if (output->present && output->scratch >= 0 && run->expect->outputs[i].i && (first == 0 || output->launches < first)
            && compare_output(&run->expect->outputs[i], output_values(run, output), &comparison) > 0)
            first = output->launches;
    }
    return first;
}

/* Is the finding about an output that was only handed over after more than so many launches? */
static bool is_handed_over_later(const struct verify_run *run, const struct run_reply *reply,
                                 const struct result_finding *finding, int launches)
{
    bool later = false;
    for (int i = 0; i < run->setup->lab->output_count; i++) {
        if (strcmp(run->setup->lab->outputs[i].name, finding->output) != 0 || !reply->outputs[i].present)
            continue;
        if (reply->outputs[i].launches <= launches)
            return false;
        later = true;
    }
    return later;
}

/* Whole numbers that a kernel leaves for the next ones may be places in their arrays: where they are wrong, a later kernel stores
 * where it should not, and cannot help it. */
static void mark_spoilt(const struct verify_run *run, const struct run_reply *reply, struct result_test *test)
{
    int wrong = first_wrong_numbers(run, reply);
    struct lab_run *rehearsal = wrong > 0 ? allocate_zeroed(sizeof *rehearsal) : NULL;
    if (!rehearsal || !plan_rehearse(rehearsal, run->setup, run->the_case)) {
        free(rehearsal);
        return;
    }
    for (size_t i = 0; i < test->findings.count; i++) {
        struct result_finding *finding = &test->findings.list[i];
        bool missing = strcmp(finding->code, "never_written") == 0 && is_handed_over_later(run, reply, finding, wrong);
        bool before = finding->kernel[0] == '\0' || !diagnose_fails(finding) || diagnose_stage(finding->code) <= 1;
        for (int k = 0; k < wrong && k < rehearsal->launch_count && k < PLAN_MAX_LAUNCHES; k++)
            before |= strcmp(run->setup->lab->kernels[rehearsal->launches[k].kernel].name, finding->kernel) == 0;
        finding->spoilt |= missing || !before;
    }
    free(rehearsal);
}

void verify_handed_over(const struct verify_run *run, const struct run_reply *reply, struct result_test *test)
{
    explain_outputs(run, reply, test);
    mark_spoilt(run, reply, test);
}

bool verify_outputs(const struct verify_run *run, const struct run_reply *reply, struct result_test *test)
{
    if (!is_complete(run, reply)) {
        test->state = RESULT_HARNESS_ERROR;
        snprintf(test->message, sizeof test->message,
                 "the lab's plan handed over different outputs from those it announced");
        return false;
    }
    bool right = explain_outputs(run, reply, test);
    mark_spoilt(run, reply, test);
    if (!right && test->state == RESULT_PASS)
        test->state = RESULT_FAIL;
    return right;
}
