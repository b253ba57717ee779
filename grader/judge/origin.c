#include "grader/judge/origin.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/compile/signature.h"
#include "grader/judge/launch_lines.h"
#include "grader/judge/origin_bins.h"
#include "grader/judge/origin_log.h"
#include "grader/judge/origin_route.h"
#include "grader/judge/origin_weigh.h"
#include "grader/judge/origin_words.h"
#include "grader/judge/repair_source.h"
#include "grader/judge/stores.h"
#include "grader/judge/unwritten_trace.h"
#include "grader/lab/arrays.h"
#include "grader/lab/compare.h"
#include "grader/result/diagnose.h"
#include "runtime/language/source.h"

/* Of a case that is looked at: elements of one array, as the driver records them, and of all that are weighed. */
#define RECORDED_ELEMENTS 110000
#define WEIGHED_ELEMENTS  1100
#define LOG_BYTES         (48u << 20)
#define TRIAL_FUEL        2000000
#define BINS              256
#define MOST_TRIES        4 /* cases of a lab that counts, where the first inputs of one give nothing wrong */

static bool is_about_values(const struct result_finding *finding)
{
    return strcmp(finding->code, "wrong_value") == 0 || strcmp(finding->code, "near_miss") == 0;
}

/* Does the message leave open what the wrong elements are made of? */
static bool is_open(const struct result_finding *finding)
{
    return strcmp(finding->code, "wrong_value") == 0 && finding->open;
}

static const struct lab_case *case_of(const struct cases_work *work, int index)
{
    return plan_case(&work->input->setup, index);
}

static bool is_recorded(const struct cases_work *work, int index)
{
    const struct lab *lab = work->input->setup.lab;
    for (int i = 0; i < lab->array_count; i++)
        if (lab->extent(lab, case_of(work, index), i) > RECORDED_ELEMENTS)
            return false;
    return true;
}

/* Can elements of the type hold what an array is weighed with: sums of powers up to 2^24 and more, the few powers that
 * halves get, or the values of 256 bins? */
static bool holds_weights(enum lab_type type, bool counts)
{
    const struct types_row *row = types_get(type);
    return row->bytes >= 4 || (type == LAB_FLOAT16 && !counts)
           || (counts && (row->kind == TYPES_UNSIGNED || (row->kind == TYPES_SIGNED && row->bytes > 1)));
}

static bool is_weighed(const struct cases_work *work, int index)
{
    const struct lab *lab = work->input->setup.lab;
    size_t elements = 0;
    for (int i = 0; i < lab->weighing.array_count; i++)
        elements += lab->extent(lab, case_of(work, index), lab->weighing.arrays[i]);
    for (int i = 0; i < lab->weighing.array_count; i++)
        if (!holds_weights(lab->arrays[lab->weighing.arrays[i]].type, lab->weighing.kind == LAB_COUNTS))
            return false;
    return elements > 0 && (lab->weighing.kind == LAB_COUNTS || elements <= WEIGHED_ELEMENTS);
}

/* The first test from `from` on that fails with such values of the same output and fits; the very small ones last. -1: none. */
static int choose(const struct cases_work *work, const struct result_finding *cause, bool weighed, int from)
{
    const struct result_lab *result = work->result;
    int found = -1;
    for (int i = from; i < result->test_count; i++) {
        const struct result_test *test = &result->tests[i];
        const struct result_finding *own = test->findings.list;
        if (test->hidden || test->findings.count == 0 || test->state == RESULT_PASS || strcmp(own->code, cause->code) != 0
            || strcmp(own->output, cause->output) != 0 || !is_recorded(work, i) || (weighed && !is_weighed(work, i)))
            continue;
        if (!weighed && strcmp(own->pattern, cause->pattern) != 0)
            continue;
        if (!own->weak)
            return i;
        found = found < 0 ? i : found;
    }
    return found;
}

/* ---- one case ------------------------------------------------------------------------------------------------------ */

/* What run 0 of the case left, copied. */
struct state {
    struct cases_work *work;
    int index, output; /* output -1: nothing is wrong */
    bool of_lab;       /* the lab recognised the first cause, of this test or of another one */
    struct lab_data data;
    void *got;
    bool *bad;
    size_t count, bad_count, first_bad, columns;
    struct plan_output where;
    int settled; /* launches after which the same array was handed over before, and was right */
    struct origin_log log;
};

static void copy_data(const struct lab *lab, const struct lab_data *data, struct lab_data *copy)
{
    *copy = *data;
    for (int i = 0; i < lab->array_count; i++) {
        size_t bytes = data->count[i] * arrays_element_bytes(lab, i);
        copy->array[i].bytes = NULL;
        if (!data->array[i].bytes)
            continue;
        copy->array[i].bytes = allocate_zeroed(bytes + 1);
        memcpy(copy->array[i].bytes, data->array[i].bytes, bytes);
    }
}

static void take_output(struct state *state, const struct verify_run *run, const struct run_reply *reply, int output)
{
    const struct lab_expected *expected = &run->expect->outputs[output];
    const struct plan_output *where = &reply->outputs[output];
    struct compare_result comparison;
    const void *got = state->work->memory.bytes + state->work->memory.output_offset + where->offset;
    if (compare_output(expected, got, &comparison) == 0)
        return;
    free(state->got);
    free(state->bad);
    state->output = output;
    state->where = *where;
    state->count = expected->count;
    state->columns = expected->columns;
    state->bad_count = comparison.bad_count;
    state->first_bad = comparison.first_bad;
    size_t bytes = expected->count * types_get(expected->type)->bytes;
    state->got = allocate_zeroed(bytes);
    memcpy(state->got, got, bytes);
    state->bad = allocate_zeroed(expected->count * sizeof *state->bad);
    for (size_t i = 0; i < expected->count; i++)
        state->bad[i] = !compare_element(expected, got, i);
}

/* Runs the case once more, with a record of all accesses. */
static bool record_case(struct state *state, const char *output)
{
    struct cases_work *work = state->work;
    const struct lab *lab = work->input->setup.lab;
    struct lab_data data;
    struct verify_run run;
    struct run_reply reply;
    state->output = -1;
    cases_work_close_session(work);
    work->checks = "poison";
    work->settings.accesses = true;
    cases_work_run(work, state->index, 0, true, &data, &run, &reply);
    copy_data(lab, &data, &state->data);
    if (work->open) {
        uint64_t bytes;
        char *text = child_file_read(work->session.child.counters, LOG_BYTES, &bytes);
        origin_log_read(text, bytes, &state->log);
        free(text);
    }
    for (int i = 0; i < lab->output_count && reply.outcome == RUN_RAN; i++) {
        bool earlier = state->output < 0 || reply.outputs[i].launches < state->where.launches;
        if (earlier && reply.outputs[i].present && strcmp(lab->outputs[i].name, output) == 0
            && reply.outputs[i].count == run.expect->outputs[i].count)
            take_output(state, &run, &reply, i);
    }
    for (int i = 0; i < lab->output_count && state->output >= 0; i++) {
        const struct plan_output *other = &reply.outputs[i];
        struct compare_result comparison;
        if (other->present && other->array == state->where.array && other->scratch == state->where.scratch
            && other->launches < state->where.launches && other->launches > state->settled
            && other->count == run.expect->outputs[i].count
            && compare_output(&run.expect->outputs[i], work->memory.bytes + work->memory.output_offset + other->offset,
                              &comparison)
                   == 0)
            state->settled = other->launches;
    }
    cases_work_close_session(work);
    work->settings.accesses = false;
    work->checks = "memory";
    return state->output >= 0;
}

static void clear(struct state *state, const struct lab *lab)
{
    for (int i = 0; i < lab->array_count; i++)
        free(state->data.array[i].bytes);
    free(state->got);
    free(state->bad);
    origin_log_clear(&state->log);
}

/* ---- who stored it ------------------------------------------------------------------------------------------------- */

/* The student's name of an array of a plan's own, which the contract calls `name`. */
static const char *own_name(const struct plan_setup *setup, const char *name)
{
    const struct lab_plan *plan = &setup->lab->plans[setup->plan];
    for (int i = 0; i < setup->lab->array_count; i++)
        if (strcmp(setup->lab->arrays[i].name, name) == 0)
            return setup->array_names[i];
    for (int i = 0; i < plan->kernel_count; i++) {
        struct signature contract;
        int kernel = plan->kernels[i];
        int k = signature_parse(setup->lab->kernels[kernel].signature, &contract) ? signature_find_parameter(&contract, name)
                                                                                  : -1;
        if (k >= 0 && k < LAB_MAX_ARGUMENTS && setup->parameter_names[kernel][k][0] != '\0')
            return setup->parameter_names[kernel][k];
    }
    return name;
}

/* Of the array that an output lies in. */
static const char *array_of(const struct state *state)
{
    const struct plan_setup *setup = &state->work->input->setup;
    const struct lab_output *output = &setup->lab->outputs[state->output];
    if (state->where.array >= 0)
        return setup->array_names[state->where.array];
    const char *weighed = setup->lab->weighing.name[setup->plan];
    return own_name(setup, output->scalar && weighed ? weighed : output->name);
}

static bool is_overwritten(const struct state *state)
{
    const struct lab_weighing *weighing = &state->work->input->setup.lab->weighing;
    return weighing->name[state->work->input->setup.plan] && state->data.count[weighing->arrays[0]] > 0;
}

/* The launch that stored the element last; the last one where none did. Returns whether one did. */
static bool find_store_after(const struct state *state, int first_launch, struct origin_element *element)
{
    const char *array = array_of(state);
    uint64_t index = state->where.first + state->first_bad;
    int last = state->where.launches - 1;
    struct origin_element latest;
    if (!origin_log_find(&state->log, last, array, index, &latest))
        return false; /* element->kernel stays NULL */
    for (int launch = last; launch >= first_launch; launch--) {
        if (!origin_log_find(&state->log, launch, array, index, element))
            continue;
        /* What kernels left before is gone where the grader has put its own numbers there. */
        if (is_overwritten(state) && strcmp(element->kernel, latest.kernel) != 0)
            break;
        if (element->stores > 0)
            return true;
    }
    *element = latest;
    return false;
}

/* The same, of launches after which the array was not right yet. */
static bool find_store(const struct state *state, struct origin_element *element)
{
    return find_store_after(state, state->settled, element);
}

/* How many launches of the element's kernel store to the array up to here, and the number of the last one that stores the first
 * wrong element; 0: none does. */
static void count_launches(const struct state *state, const struct origin_element *element, int *of_kernel, int *storing)
{
    *of_kernel = *storing = 0;
    for (int launch = 0; launch < state->where.launches; launch++) {
        struct origin_element other;
        if (!origin_log_find(&state->log, launch, array_of(state), state->where.first + state->first_bad, &other)
            || strcmp(other.kernel, element->kernel) != 0 || !origin_log_is_stored(&state->log, launch, array_of(state)))
            continue;
        (*of_kernel)++;
        *storing = other.stores > 0 ? *of_kernel : *storing;
    }
}

/* "Of the 3 launches of reducer so far, the 2nd is the last that stores it. " Where the last one does: "". */
static void say_launch(const struct state *state, const struct origin_element *element, char *text, size_t text_bytes)
{
    int of_kernel, storing;
    count_launches(state, element, &of_kernel, &storing);
    text[0] = '\0';
    if (storing < of_kernel && storing > 0)
        snprintf(text, text_bytes, "Of the %d launches of %.60s up to here, number %d is the last that stores to it. ",
                 of_kernel, element->kernel, storing);
}

/* A kernel that runs after the last store of the wrong elements, and stores to others of the same array only, which are right,
 * or to none: it leaves the wrong ones out. beside->last_line: of one of those stores; 0: there is none. Returns false where
 * there is no such kernel. */
static bool find_left_out(const struct state *state, struct origin_element *beside)
{
    struct origin_element stored;
    const char *array = array_of(state);
    int launch = state->where.launches - 1;
    size_t stores = 0;
    *beside = (struct origin_element){0};
    if (!find_store_after(state, 0, &stored) || is_overwritten(state)
        || !origin_log_find(&state->log, launch, array, state->where.first + state->first_bad, beside)
        || strcmp(beside->kernel, stored.kernel) == 0)
        return false;
    for (size_t i = 0; i < state->count; i++) {
        struct origin_element element;
        if (!origin_log_find(&state->log, launch, array, state->where.first + i, &element))
            return false;
        if (element.stores == 0)
            continue;
        if (state->bad[i])
            return false;
        *beside = element;
        stores++;
    }
    if (stores == 0)
        beside->last_line = 0;
    return true;
}

/* When the last launch stores to the first few elements of the output, two or more, and to no other: how many. Else 0. */
static size_t count_first(const struct state *state)
{
    struct origin_element element;
    size_t stored = 0, count = 0;
    for (size_t i = 0; i < state->count; i++) {
        bool known = origin_log_find(&state->log, state->where.launches - 1, array_of(state), state->where.first + i,
                                     &element);
        if (!known)
            return 0;
        stored += element.stores > 0;
        count += element.stores > 0 && count == i;
    }
    return stored == count && count > 1 && state->where.first == 0 ? count : 0;
}

/* Of the name in the kernel's definition; 0: it is not found. */
static int line_of_kernel(const struct plan_setup *setup, const char *kernel)
{
    struct source *source = setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    struct source_function function;
    int line = source && source_find_function(source, kernel, 0, &function) ? source->tokens[function.name].line : 0;
    if (source)
        source_destroy(source);
    return line;
}

static void say_store(const struct origin_element *element, bool several_kernels, const char *place, char *text,
                      size_t text_bytes)
{
    char first[80], last[80], kernel[80] = "";
    origin_thread_write(&element->first_store, first, sizeof first);
    origin_thread_write(&element->last_store, last, sizeof last);
    if (several_kernels)
        snprintf(kernel, sizeof kernel, " in %.60s", element->kernel);
    const char *verb = element->atomic ? "changed" : "stored";
    if (element->stores == 1)
        snprintf(text, text_bytes, "%s is %s%s at line %d, by thread %s. ", place, verb, kernel, element->last_line, last);
    else if (strcmp(first, last) == 0 && element->first_line > 0 && element->first_line != element->last_line)
        snprintf(text, text_bytes, "%s is %s%s %lld times by thread %s, first at line %d, last at line %d. ", place, verb,
                 kernel, (long long)element->stores, last, element->first_line, element->last_line);
    else if (strcmp(first, last) == 0)
        snprintf(text, text_bytes, "%s is %s%s %lld times by thread %s, the last time at line %d. ", place, verb, kernel,
                 (long long)element->stores, last, element->last_line);
    else
        snprintf(text, text_bytes, "%s is %s%s %lld times: first by thread %s (line %d), last by thread %s (line %d). ",
                 place, verb, kernel, (long long)element->stores, first, element->first_line, last, element->last_line);
}

/* ---- findings ------------------------------------------------------------------------------------------------------ */

/* The kernel and the line of the last store, for each test that says the same. */
static void take_line(const struct cases_work *work, const struct origin_element *element, bool stored,
                      const struct result_finding *cause)
{
    char code[sizeof cause->code], pattern[sizeof cause->pattern], output[sizeof cause->output];
    memcpy(code, cause->code, sizeof code);
    memcpy(pattern, cause->pattern, sizeof pattern);
    memcpy(output, cause->output, sizeof output);
    for (int i = 0; i < work->result->test_count; i++) {
        struct result_findings *findings = &work->result->tests[i].findings;
        for (size_t k = 0; k < findings->count && !work->result->tests[i].hidden; k++) {
            struct result_finding *finding = &findings->list[k];
            if (strcmp(finding->code, code) != 0 || strcmp(finding->pattern, pattern) != 0
                || strcmp(finding->output, output) != 0)
                continue;
            snprintf(finding->kernel, sizeof finding->kernel, "%s", element->kernel);
            finding->line = stored ? element->last_line : 0;
        }
    }
}

/* "out[5] should be 21 but is 15; 27 of 31 elements are wrong. ", and what the lab says of them up to its question. */
static void keep_facts(const struct result_finding *finding, char *message)
{
    char *end = strstr(message, ". ");
    size_t length = strlen(message);
    while (finding->by_lab && length > 0 && message[length - 1] == '?') {
        while (length > 0 && message[length - 1] != '.')
            length--;
        message[length] = '\0';
    }
    if (end && (!finding->by_lab || strcmp(finding->pattern, "moved") == 0)) /* the measure says the same */
        end[2] = '\0';
}

static void write_place(const struct state *state, const struct result_finding *finding, char *place, size_t place_bytes)
{
    const struct lab_output *output = &state->work->input->setup.lab->outputs[state->output];
    if (output->scalar)
        snprintf(place, place_bytes, "%s", output->name);
    else if (state->columns > 0)
        snprintf(place, place_bytes, "%s[%zu][%zu]", finding->array, state->first_bad / state->columns,
                 state->first_bad % state->columns);
    else
        snprintf(place, place_bytes, "%s[%zu]", finding->array, state->first_bad);
}

/* Elements that a block counts; 0: unknown. */
static size_t tile_of(const struct state *state)
{
    const struct plan_setup *setup = &state->work->input->setup;
    return (size_t)setup->geometry[setup->lab->plans[setup->plan].kernels[0]].items[0];
}

static const char *last_kernel(const struct state *state)
{
    int last = state->where.launches - 1;
    const char *kernel = last >= 0 && last < state->log.count
                             ? json_string_value(json_object_get(state->log.launches[last], "kernel"))
                             : NULL;
    return !kernel ? "" : kernel;
}

/* Was the kernel of the last launch launched before, too? */
static bool runs_before(const struct state *state, const char *kernel)
{
    for (int launch = 0; launch + 1 < state->where.launches && launch < state->log.count; launch++) {
        const char *other = json_string_value(json_object_get(state->log.launches[launch], "kernel"));
        if (other && strcmp(other, kernel) == 0)
            return true;
    }
    return false;
}

/* Whole numbers of any type, as the bins of a histogram and what it counts are looked at. The caller frees them. */
static int32_t *whole_numbers(enum lab_type type, const void *array, size_t count)
{
    int32_t *numbers = allocate_zeroed((count + 1) * sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (int32_t)types_get_integer(type, array, i);
    return numbers;
}

static int32_t *whole_output(const struct state *state)
{
    return whole_numbers(expect_type(state->work->input->setup.lab, state->output), state->got, state->count);
}

/* The array that is counted. */
static int32_t *whole_input(const struct state *state)
{
    const struct lab *lab = state->work->input->setup.lab;
    int array = lab->weighing.arrays[0];
    return whole_numbers(lab->arrays[array].type, state->data.array[array].bytes, state->data.count[array]);
}

/* Has the lab an input that is not weighed? */
static bool has_others(const struct lab *lab)
{
    for (int array = 0; array < lab->array_count; array++) {
        bool weighed = lab->arrays[array].role == LAB_OUTPUT;
        for (int i = 0; i < lab->weighing.array_count; i++)
            weighed |= lab->weighing.arrays[i] == array;
        if (!weighed)
            return true;
    }
    return false;
}

/* Measures what the element is made of. Returns the pattern; NULL when nothing is to be said. */
static const char *weigh(const struct state *state, const char *place, char *text, size_t text_bytes, int *line)
{
    const struct result_finding *finding = &state->work->result->tests[state->index].findings.list[0];
    /* The lab says where the sums end, and asks why. That of two factors only one is read beyond it is the better answer. */
    bool ends_early = state->of_lab && finding->by_lab
                      && (strcmp(finding->pattern, "tail") == 0 || strcmp(finding->pattern, "one_tile") == 0);
    struct cases_work *work = state->work;
    const struct plan_setup *setup = &work->input->setup;
    const struct lab_weighing *weighing = &setup->lab->weighing;
    struct origin_subject subject = {
        .place = place,
        .element = state->first_bad,
        .output_name = array_of(state),
        .bad = state->bad,
        .bad_count = state->bad_count,
        .outputs = state->count,
        .log = &state->log,
        .launches = state->where.launches,
        .is_float = types_is_float(expect_type(setup->lab, state->output)),
        .of_halves = setup->lab->arrays[weighing->arrays[0]].type == LAB_FLOAT16,
        .products = weighing->other != 0,
        .others = has_others(setup->lab),
        .before = weighing->name[setup->plan] && runs_before(state, last_kernel(state)) ? "the first step" : NULL,
        .tile = (int)tile_of(state),
        .uses_shared = setup->uses_shared,
    };
    struct origin_element stored, beside;
    subject.stored = find_store(state, &stored) ? &stored : NULL;
    if (find_left_out(state, &beside)) {
        subject.left_out_by = beside.kernel;
        subject.left_out_line = beside.last_line;
    }
    for (int i = 0; i < weighing->array_count; i++) {
        int array = weighing->arrays[i];
        const char *shown = weighing->name[setup->plan];
        subject.input[i] = shown ? own_name(setup, shown) : setup->array_names[array];
        subject.recorded[i] = subject.input[i];
        subject.columns[i] = setup->lab->columns ? setup->lab->columns(setup->lab, case_of(work, state->index), array) : 0;
    }
    const char *pattern = NULL;
    struct source *source = setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    subject.source = source;
    if (weighing->kind == LAB_COUNTS) {
        struct origin_counts counts;
        struct repair_source *own = repair_source_create(setup->source, setup->source_bytes);
        char lock[64];
        subject.try_line = own ? repair_source_find_try(own, lock, sizeof lock) : 0;
        subject.try_name = lock;
        repair_source_destroy(own);
        int32_t *bins = whole_output(state), *values = whole_input(state);
        memset(&counts, 0, sizeof counts);
        if (state->count == BINS
            && origin_weigh_counts(work, state->index, state->output, bins, values, state->data.count[weighing->arrays[0]],
                                   &counts))
            pattern = origin_words_counts(&subject, &counts, text, text_bytes, line);
        free(bins);
        free(values);
        origin_counts_clear(&counts);
    } else {
        struct origin_weights weights;
        if (origin_weigh_sums(work, state->index, state->output, state->got, state->bad, &state->data, &weights))
            pattern = !ends_early || origin_words_one_unread(&subject, &weights)
                          ? origin_words_sums(&subject, &weights, text, text_bytes)
                          : NULL;
        origin_weights_clear(&weights);
    }
    source_destroy(source);
    cases_work_close_session(work);
    return pattern;
}

/* Of a product of matrices: which product of the thread is a wrong one. */
static const char *find_route(const struct state *state, const struct origin_element *element, const char *place, char *text,
                              size_t text_bytes, int *line)
{
    const struct plan_setup *setup = &state->work->input->setup;
    const struct lab_weighing *weighing = &setup->lab->weighing;
    if (weighing->other == 0 || weighing->array_count != 2 || state->columns == 0 || element->stores != 1 || element->atomic)
        return NULL;
    struct origin_route_subject subject = {
        .kernel = element->kernel,
        .place = place,
        .row = state->first_bad / state->columns,
        .column = state->first_bad % state->columns,
        .got = types_get_value(expect_type(setup->lab, state->output), state->got, state->first_bad),
        .store_line = element->last_line,
    };
    struct source *source = setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    subject.source = source;
    for (int i = 0; i < 2; i++) {
        subject.input[i] = setup->array_names[weighing->arrays[i]];
        subject.columns[i] = setup->lab->columns(setup->lab, case_of(state->work, state->index), weighing->arrays[i]);
    }
    memcpy(subject.thread, element->last_store.thread, sizeof subject.thread);
    memcpy(subject.block, element->last_store.block, sizeof subject.block);
    const char *checks = state->work->checks;
    state->work->checks = "poison";
    const char *pattern = origin_route_find(state->work, state->index, &subject, text, text_bytes, line);
    state->work->checks = checks;
    source_destroy(source);
    return pattern;
}

/* Are other elements in it than there should be, or has nobody said which? */
static bool is_of_elements_wrong(const char *pattern)
{
    static const char *const patterns[] = {"exchanged", "foreign", "mixed", "moved", "multiple", "missing", "edge"};
    for (size_t i = 0; pattern && i < sizeof patterns / sizeof *patterns; i++)
        if (strcmp(pattern, patterns[i]) == 0)
            return true;
    return !pattern;
}

/* What was measured of the element stays, up to the list of what it should be made of. */
static void cut_words(char *words)
{
    char *at = strstr(words, "should be made of ");
    char *end = at ? strstr(at, ". ") : NULL;
    if (end)
        end[2] = '\0';
    else
        words[0] = '\0';
}

/* The list of what is missing stays, without the line that reads it and the question. */
static void cut_question(char *words)
{
    char *end = strstr(words, ". ");
    if (end)
        end[2] = '\0';
    else
        words[0] = '\0';
}

/* Where the elements are wrong, or nothing could be measured: adds the product that is wrong. Returns the pattern. */
static const char *add_route(const struct state *state, const struct result_finding *finding, struct origin_element *element,
                             bool stored, const char *place, const char *pattern, char *words, size_t words_bytes)
{
    char route[800];
    int line = 0;
    const char *own = is_of_elements_wrong(pattern) && stored && !(finding->explained && !finding->open)
                          ? find_route(state, element, place, route, sizeof route, &line)
                          : NULL;
    if (!own)
        return pattern;
    element->last_line = line;
    take_line(state->work, element, true, finding);
    bool of_cells = strcmp(own, "zeroed") == 0 || strcmp(own, "edge") == 0;
    if (strcmp(own, "missing") == 0 && (pattern || finding->by_lab)) /* what is left out has been said */
        return pattern;
    if (of_cells)
        cut_question(words);
    else
        cut_words(words);
    snprintf(words + strlen(words), words_bytes - strlen(words), "%s", route);
    return own;
}

/* The only line of a kernel that takes a value from another lane; 0: there is none, or several. */
static int line_of_shuffle(const struct plan_setup *setup, const char *kernel, char *name, size_t name_bytes)
{
    struct source_function function;
    struct source *source = setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    int line = 0, count = 0;
    bool found = source && source_find_function(source, kernel, 0, &function);
    for (size_t i = 0; found && i + 1 < source->token_count; i++) {
        const struct source_token *token = &source->tokens[i];
        if (strncmp(token->text, "__shfl", 6) != 0 || !source_token_is(token + 1, "("))
            continue;
        bool own = i >= function.first && i < function.last && token->own && !token->defined;
        count += own ? 1 : 2; /* elsewhere, nobody knows who calls it */
        line = token->line;
        snprintf(name, name_bytes, "%.*s", token->length, token->text);
    }
    source_destroy(source);
    return count == 1 ? line : 0;
}

/* The thread reads the element that belongs to it and stores another one; between them there is a shuffle. Puts that instead
 * of the question, and returns the pattern. */
static const char *add_shuffle(const struct state *state, const struct origin_element *element, const char *pattern,
                               char *words, size_t words_bytes, int *line)
{
    char name[32];
    char *question = strstr(words, "What becomes of it until ");
    int launch = state->where.launches - 1;
    if (!pattern || strcmp(pattern, "exchanged") != 0 || !question || !element->kernel || launch < 0
        || launch >= state->log.count)
        return pattern;
    *line = line_of_shuffle(&state->work->input->setup, element->kernel, name, sizeof name);
    if (*line == 0)
        return pattern;
    const json_t *block = json_object_get(state->log.launches[launch], "block");
    const uint32_t *thread = element->last_store.thread;
    int64_t wide = json_integer_value(json_array_get(block, 0)), high = json_integer_value(json_array_get(block, 1));
    int64_t lane = (thread[0] + wide * (thread[1] + high * thread[2])) % 32;
    snprintf(
        question, words_bytes - (size_t)(question - words),
        "Line %d has %s, and thread (%u,%u,%u) is lane %lld of its warp. From which lane does it get its value there, and "
        "which lane has the one that belongs to it?",
        *line, name, thread[0], thread[1], thread[2], (long long)lane);
    return "shuffled";
}

/* Where a single value lies: "dest[0]". */
static void write_cell(const struct state *state, const char *place, char *cell, size_t cell_bytes)
{
    if (state->work->input->setup.lab->outputs[state->output].scalar)
        snprintf(cell, cell_bytes, "%s[%llu]", array_of(state), (unsigned long long)state->where.first);
    else
        snprintf(cell, cell_bytes, "%s", place);
}

/* Is the kernel launched once more, after the output was handed over? */
static bool runs_later(const struct state *state, const char *kernel)
{
    for (int launch = state->where.launches; launch < state->log.count; launch++) {
        const char *other = json_string_value(json_object_get(state->log.launches[launch], "kernel"));
        if (other && strcmp(other, kernel) == 0)
            return true;
    }
    return false;
}

/* Puts a sentence before the question of a message, or at its end. */
static void append_before_question(struct result_finding *finding, const char *sentence)
{
    size_t length = strlen(finding->message), start = length;
    if (length > 0 && finding->message[length - 1] == '?') {
        while (start > 0 && strncmp(finding->message + start - 1, ". ", 2) != 0)
            start--;
        start += start > 0;
    }
    char *text = allocate_format("%.*s%s%s%s%s", (int)start, finding->message, start == length ? " " : "", sentence,
                                 start < length ? " " : "", finding->message + start);
    snprintf(finding->message, sizeof finding->message, "%s", text);
    free(text);
}

/* Does the lab say which elements are not counted? */
static bool is_of_elements(const struct result_finding *finding)
{
    return strcmp(finding->pattern, "not_counted") == 0 || strcmp(finding->pattern, "period") == 0;
}

/* Are elements read that are in no bin? */
static bool is_of_lost(const char *pattern)
{
    return pattern
           && (strcmp(pattern, "lost_later") == 0 || strcmp(pattern, "skipped") == 0 || strcmp(pattern, "try_once") == 0);
}

/* Does it say what an element adds to its bin? */
static bool is_of_counting(const struct result_finding *finding)
{
    return strcmp(finding->pattern, "wraps") == 0 || strcmp(finding->pattern, "factor") == 0;
}

/* Counts that are set to 0 in each turn of a loop, and are handed over behind it. Returns false where none are. */
static bool tell_reset(const struct state *state, const char *pattern, struct result_finding *finding)
{
    static const char *const patterns[] = {"none", "lost_later", "value"};
    const struct plan_setup *setup = &state->work->input->setup;
    char name[64];
    int loop = 0;
    bool fits = false;
    for (size_t i = 0; pattern && i < sizeof patterns / sizeof *patterns; i++)
        fits |= strcmp(pattern, patterns[i]) == 0;
    struct repair_source *own = fits ? repair_source_create(setup->source, setup->source_bytes) : NULL;
    int line = own ? repair_source_find_reset(own, &loop, name, sizeof name) : 0;
    repair_source_destroy(own);
    if (line == 0)
        return false;
    keep_facts(finding, finding->message);
    size_t used = strlen(finding->message);
    bool space = used > 0 && finding->message[used - 1] != ' ';
    snprintf(
        finding->message + used, sizeof finding->message - used,
        "%sLine %d sets %s to 0 in each turn of the loop in line %d. Which counts does %s have when that loop has ended?",
        space ? " " : "", line, name, loop, name);
    snprintf(finding->pattern, sizeof finding->pattern, "reset");
    finding->line = line;
    finding->explained = finding->proven = finding->asks = true;
    finding->weak = false;
    return true;
}

/* What bins and source show without a further run. Returns false when that is nothing. */
static bool look_at_bins(const struct state *state, bool open, int stored_line, struct result_finding *finding)
{
    const struct plan_setup *setup = &state->work->input->setup;
    int data = setup->lab->weighing.arrays[0];
    bool steps = strcmp(finding->pattern, "atomic_steps") == 0; /* the source shows why counts get lost */
    struct source *source = setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    struct origin_bins bins = {
        .got = whole_output(state),
        .bin_count = state->count,
        .values = whole_input(state),
        .count = state->data.count[data],
        .tile = tile_of(state),
        .source = source,
        .log = &state->log,
        .launches = state->where.launches,
        .stored_line = stored_line,
        .name = array_of(state),
        .data_name = setup->array_names[data],
    };
    char words[800] = "";
    int line = finding->line, line2 = finding->line2;
    const char *pattern = steps ? NULL : origin_bins_words(&bins, open, words, sizeof words, &line, &line2);
    free((void *)bins.got);
    free((void *)bins.values);
    source_destroy(source);
    if (!pattern)
        return false;
    keep_facts(finding, finding->message);
    size_t used = strlen(finding->message);
    bool space = used > 0 && finding->message[used - 1] != ' ';
    snprintf(finding->message + used, sizeof finding->message - used, "%s%s", space ? " " : "", words);
    snprintf(finding->pattern, sizeof finding->pattern, "%s", pattern);
    finding->line = line;
    finding->line2 = line2;
    finding->explained = finding->proven = finding->asks = true;
    finding->weak = false;
    return true;
}

/* Where each bin is off by the same number: the line of an earlier kernel that stores just that number. 0: none does. */
static int line_of_offset(const struct state *state)
{
    const struct plan_setup *setup = &state->work->input->setup;
    struct source *source = setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    int32_t *got = whole_output(state), *values = whole_input(state);
    int64_t offset = got[state->first_bad];
    struct origin_element element;
    int line = 0;
    for (size_t i = 0; i < state->data.count[setup->lab->weighing.arrays[0]]; i++)
        offset -= values[i] == (int32_t)state->first_bad;
    free(got);
    free(values);
    for (int launch = 0; launch + 1 < state->where.launches && line == 0; launch++)
        if (origin_log_find(&state->log, launch, array_of(state), state->where.first + state->first_bad, &element)
            && element.stores > 0)
            line = element.last_line;
    bool found = false;
    for (size_t t = 1; source && line > 0 && t + 1 < source->token_count; t++)
        found |= source->tokens[t].line == line && source_token_is(&source->tokens[t - 1], "=")
                 && source->tokens[t].kind == SOURCE_NUMBER && source_token_is(&source->tokens[t + 1], ";")
                 && strtoll(source->tokens[t].text, NULL, 0) == offset;
    source_destroy(source);
    return found ? line : 0;
}

/* A bin that the last kernel has not touched: the line that changes other bins. Returns false when there is none. */
static bool find_other_bin(const struct state *state, struct origin_element *element)
{
    int last = state->where.launches - 1;
    for (size_t i = 0; i < state->count; i++)
        if (origin_log_find(&state->log, last, array_of(state), state->where.first + i, element) && element->stores > 0)
            return true;
    return false;
}

/* The only line between two tokens with a quotient that has a sum in brackets below it; 0: there is none, or several. */
static int line_of_quotient(const struct source *source, size_t first, size_t last)
{
    int line = 0;
    for (size_t at = first; at + 1 < last; at++) {
        const struct source_token *token = &source->tokens[at];
        if (!source_token_is(token, "/") || !source_token_is(token + 1, "(") || !token->own || token->defined)
            continue;
        size_t end = source_closing(source, at + 1, last), inside = at + 2;
        while (inside < end && !source_token_is(&source->tokens[inside], "+"))
            inside++;
        if (inside >= end)
            continue;
        if (line != 0 && line != token->line)
            return 0;
        line = token->line;
    }
    return line;
}

/* Where each element is computed whose sum is wrong by its formula: in the kernel, or else in a function of the file. */
static int line_of_formula(const struct state *state, const char *kernel, const struct result_finding *finding)
{
    static const char *const patterns[] = {"formula", "integer", "middle", "overflow", "factor", "no_block"};
    const struct plan_setup *setup = &state->work->input->setup;
    struct source_function function;
    bool of_each = false;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        of_each |= strcmp(finding->pattern, patterns[i]) == 0;
    if (!of_each || !finding->by_lab || !setup->lab->outputs[state->output].added_up || !setup->source)
        return 0;
    struct source *source = source_create(setup->source, setup->source_bytes);
    int line = source && source_find_function(source, kernel, 0, &function)
                   ? line_of_quotient(source, function.first, function.last)
                   : 0;
    if (source && line == 0)
        line = line_of_quotient(source, 0, source->token_count);
    source_destroy(source);
    return line;
}

/* Puts the student's name of an array where the lab's own words have the contract's: "bins[3]" becomes "hist[3]". */
static void rename_array(const char *name, const char *own, struct result_finding *finding)
{
    size_t length = strlen(name);
    for (char *at = finding->message; (at = strstr(at, name)); at++) {
        if ((at > finding->message && !strchr(" (", at[-1])) || at[length] != '[')
            continue;
        char *text = allocate_format("%s%s", own, at + length);
        snprintf(at, sizeof finding->message - (size_t)(at - finding->message), "%s", text);
        free(text);
    }
}

/* In all findings about values. */
static void rename_arrays(struct cases_work *work)
{
    const struct plan_setup *setup = &work->input->setup;
    for (int i = 0; i < work->result->test_count; i++) {
        struct result_findings *findings = &work->result->tests[i].findings;
        for (size_t k = 0; k < findings->count; k++)
            for (int array = 0; array < setup->lab->array_count && is_about_values(&findings->list[k]); array++) {
                const char *name = setup->lab->arrays[array].name, *own = setup->array_names[array];
                if (own[0] != '\0' && strcmp(name, own) != 0)
                    rename_array(name, own, &findings->list[k]);
            }
    }
}

/* Does the file halve a number again and again? */
static bool halves(const struct source *source)
{
    for (size_t t = 1; t + 1 < source->token_count; t++) {
        const struct source_token *here = &source->tokens[t];
        if ((source_token_is(here, "/=") && source_token_is(here + 1, "2"))
            || (source_token_is(here, ">>=") && source_token_is(here + 1, "1")))
            return true;
    }
    return false;
}

/* The file asks for blocks of this kernel in which a half of the threads is an odd number of them sooner or later. */
static void tell_halves(const struct state *state, struct result_finding *finding)
{
    const struct plan_setup *setup = &state->work->input->setup;
    struct source *source = setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    int line = source ? launch_lines_find(source, finding->kernel, "block") : 0;
    line = source && line == 0 ? launch_lines_find_bounds(source, finding->kernel) : line;
    uint32_t threads = 0;
    for (int k = 0; k < setup->lab->kernel_count; k++)
        if (strcmp(setup->lab->kernels[k].name, finding->kernel) == 0 && setup->geometry[k].asked)
            threads = setup->geometry[k].block[0] * setup->geometry[k].block[1] * setup->geometry[k].block[2];
    size_t used = 0;
    if (line > 0 && threads > 2 && (threads & (threads - 1)) != 0 && halves(source) && finding->remark[0] == '\0') {
        used = (size_t)snprintf(finding->remark, sizeof finding->remark,
                                "Line %d asks for blocks of %u threads. Halved without a remainder, %u becomes ", line,
                                threads, threads);
        for (threads /= 2; threads > 0 && used < sizeof finding->remark; threads /= 2)
            used += (size_t)snprintf(finding->remark + used, sizeof finding->remark - used, "%u%s", threads,
                                     threads == 1 ? "." : ", ");
        if (finding->warning[0] == '\0' && (strcmp(finding->pattern, "rest") == 0 || strcmp(finding->pattern, "part") == 0))
            snprintf(finding->warning, sizeof finding->warning, "%s halves", finding->code);
    }
    source_destroy(source);
}

/* No launch of the kernel stores to the cell: which other element does it store to? */
static void tell_other_store(const struct state *state, const struct origin_element *element, const char *cell,
                             struct result_finding *finding, char *text, size_t text_bytes)
{
    struct origin_element other;
    char name[80];
    snprintf(name, sizeof name, "%.60s[", array_of(state));
    if (strncmp(cell, name, strlen(name)) != 0 || finding->line > 0)
        return;
    for (int launch = 0; launch < state->where.launches; launch++)
        for (size_t i = 0; i < state->count; i++) {
            if (!origin_log_find(&state->log, launch, array_of(state), state->where.first + i, &other) || other.stores == 0
                || strcmp(other.kernel, element->kernel) != 0 || other.last_line == 0)
                continue;
            snprintf(text, text_bytes, "Line %d stores to %s%zu], for example. ", other.last_line, name,
                     state->where.first + i);
            finding->line = other.last_line;
            return;
        }
}

/* An element that lacks something, and that the last launches of a kernel have left alone. */
static void tell_last_launch(const struct state *state, const struct origin_element *element, const char *place,
                             struct result_finding *finding)
{
    char text[320];
    int of_kernel, storing;
    count_launches(state, element, &of_kernel, &storing);
    if (storing == of_kernel || storing == 0)
        return;
    snprintf(text, sizeof text,
             "Of the %d launches of %.60s up to here that store to %.60s, number %d is the last that stores to "
             "%.80s.",
             of_kernel, element->kernel, array_of(state), storing, place);
    append_before_question(finding, text);
}

/* The end of each sum is missing, and a number of tiles is rounded up after a quotient of whole numbers has lost its
 * fraction. Returns false where the source has no such line. */
static bool tell_late_round(const struct state *state, struct result_finding *finding)
{
    const struct plan_setup *setup = &state->work->input->setup;
    struct unwritten_place *place = allocate_zeroed(sizeof *place);
    char quotient[400], function[24];
    int line = 0;
    const struct lab_weighing *weighing = &setup->lab->weighing;
    bool ends = finding->by_lab && strcmp(finding->pattern, "tail") == 0 && weighing->other != 0 && setup->lab->columns;
    int64_t depth = ends ? (int64_t)setup->lab->columns(setup->lab, case_of(state->work, state->index), weighing->arrays[0])
                         : 0;
    if (ends && unwritten_find_place(setup, case_of(state->work, state->index), finding, place)) {
        struct stores *stores = stores_find(setup, place->kernel, place->parameter_name);
        line = stores ? stores_late_round(stores, &place->launch, finding, depth, quotient, sizeof quotient, function,
                                          sizeof function)
                      : 0;
        stores_destroy(stores);
    }
    free(place);
    if (line == 0)
        return false;
    keep_facts(finding, finding->message);
    size_t used = strlen(finding->message);
    snprintf(
        finding->message + used, sizeof finding->message - used,
        " In line %d, %s gets %s: a quotient of two whole numbers has no fraction left that could be rounded up. Which number "
        "should it get?",
        line, function, quotient);
    snprintf(finding->pattern, sizeof finding->pattern, "rounded_late");
    finding->line = line;
    finding->explained = finding->proven = finding->asks = true;
    finding->weak = false;
    return true;
}

/* The only line of a kernel that asks whether a number is finite, or NaN, with the call; 0: there is none, or several. */
static int line_of_special(const struct source *source, const char *kernel, char *call, size_t call_bytes)
{
    static const char *const questions[] = {"isfinite", "isnan", "isinf", "__finitef", "__isnanf", "__isinff"};
    struct source_function function;
    int line = 0;
    if (!source_find_function(source, kernel, 0, &function))
        return 0;
    for (size_t i = function.first; i + 1 < function.last; i++) {
        const struct source_token *token = &source->tokens[i];
        if (!SOURCE_IS_ANY(token, questions) || !source_token_is(token + 1, "(") || !token->own || token->defined)
            continue;
        const struct source_token *close = &source->tokens[source_closing(source, i + 1, function.last)];
        if (line != 0 || close->line != token->line)
            return 0;
        line = token->line;
        snprintf(call, call_bytes, "%.*s", (int)(close->text + 1 - token->text), token->text);
    }
    return line;
}

/* Does a `return` give a quotient, product or sum in which a number with a fraction is an operand, such as 4.0f / (1.0f + x)?
 * Returns its semicolon, 0 where it does not, or where something in it may make a whole number of that. */
static size_t end_of_real(const struct source *source, size_t first, size_t end)
{
    static const char *const whole[] = {"int", "unsigned", "signed", "short", "long", "char", "bool", "size_t"};
    bool real = false;
    size_t at = first;
    for (int depth = 0; at < end && !source_token_is(&source->tokens[at], ";"); at++) {
        const struct source_token *token = &source->tokens[at];
        bool sign = token->kind == SOURCE_SIGN && strspn(token->text, "+-*/().[]") >= (size_t)token->length;
        bool plain = sign || token->kind == SOURCE_NUMBER || token->kind == SOURCE_WORD;
        if (!plain || token->defined || SOURCE_IS_ANY(token, whole) || token->line != source->tokens[first].line
            || (token->kind == SOURCE_WORD && at + 1 < end && source_token_is(token + 1, "(")))
            return 0;
        depth += source_token_is(token, "(") + source_token_is(token, "[") - source_token_is(token, ")")
                 - source_token_is(token, "]");
        bool fraction = token->kind == SOURCE_NUMBER && memchr(token->text, '.', (size_t)token->length);
        real |= fraction && depth == 0;
    }
    return at < end && real ? at : 0;
}

/* The variable at token `at`, set once to a comparison, without a choice: `float in = (float)(k < n);`. Writes the
 * comparison. */
static bool holds_comparison(const struct source *source, const struct source_function *function, size_t at, char *condition,
                             size_t condition_bytes)
{
    static const char *const comparisons[] = {"<", "<=", ">", ">=", "==", "!="};
    const struct source_token *tokens = source->tokens;
    bool compares = false;
    size_t set = 0, end;
    for (size_t i = function->first; i + 2 < function->last; i++) {
        if (!source_token_same(&tokens[i], &tokens[at]) || !source_token_is(&tokens[i + 1], "="))
            continue;
        if (set > 0)
            return false;
        set = i;
    }
    for (end = set + 2; set > 0 && end < function->last && !source_token_is(&tokens[end], ";"); end++) {
        compares |= SOURCE_IS_ANY(&tokens[end], comparisons);
        if (source_token_is(&tokens[end], "?") || source_token_is(&tokens[end], "[") || source_token_is(&tokens[end], ","))
            return false;
    }
    if (set == 0 || !compares)
        return false;
    snprintf(condition, condition_bytes, "%.*s", (int)(tokens[end].text - tokens[set].text), tokens[set].text);
    return true;
}

/* The first line of a kernel where an element of one of its arrays is multiplied by a comparison in brackets, or by a
 * variable that holds one, with the comparison; 0: there is none. */
static int line_of_product_with_condition(const struct source *source, const char *kernel, char *condition,
                                          size_t condition_bytes)
{
    static const char *const comparisons[] = {"<", "<=", ">", ">=", "==", "!="};
    struct source_function function;
    if (!source_find_function(source, kernel, 0, &function))
        return 0;
    for (size_t i = function.first; i + 3 < function.last; i++) {
        const struct source_token *name = &source->tokens[i];
        bool is_input = false, compares = false;
        for (unsigned p = 0; p < function.parameter_count; p++)
            is_input |= function.parameters[p] && source_token_same(&source->tokens[function.parameters[p]], name);
        if (!is_input || !name->own || name->defined || !source_token_is(name + 1, "["))
            continue;
        size_t open = source_closing(source, i + 1, function.last) + 2;
        if (open >= function.last || !source_token_is(&source->tokens[open - 1], "*"))
            continue;
        if (source_token_is(&source->tokens[open + 1], ";")
            && holds_comparison(source, &function, open, condition, condition_bytes))
            return name->line;
        if (!source_token_is(&source->tokens[open], "("))
            continue;
        size_t close = source_closing(source, open, function.last);
        for (size_t k = open + 1; k < close; k++) {
            compares |= SOURCE_IS_ANY(&source->tokens[k], comparisons);
            if (source_token_is(&source->tokens[k], "?"))
                close = 0;
        }
        if (!compares || close == 0 || source->tokens[close].line != name->line)
            continue;
        snprintf(condition, condition_bytes, "%.*s", (int)(source->tokens[close].text + 1 - source->tokens[open].text),
                 source->tokens[open].text);
        return name->line;
    }
    return 0;
}

/* Does the function declare the name as a float? */
static bool is_float(const struct source *source, const struct source_function *function, const struct source_token *name)
{
    static const char *const real[] = {"float", "double"};
    for (size_t i = function->first; i + 1 < function->last; i++) {
        bool declares = SOURCE_IS_ANY(&source->tokens[i], real) && source->tokens[i + 1].kind == SOURCE_WORD;
        for (size_t k = i + 1; declares && k < function->last && !source_token_is(&source->tokens[k], ";"); k++)
            if (source_token_same(&source->tokens[k], name) && (k == i + 1 || source_token_is(&source->tokens[k - 1], ",")))
                return true;
    }
    return false;
}

/* The only line of a kernel that subtracts one of its own floats from another, with the difference; 0: there is none, or
 * several. */
static int line_of_difference(const struct source *source, const char *kernel, char *difference, size_t difference_bytes)
{
    struct source_function function;
    int line = 0;
    if (!source_find_function(source, kernel, 0, &function))
        return 0;
    for (size_t i = function.first; i + 2 < function.last; i++) {
        const struct source_token *from = &source->tokens[i], *what = from + 2;
        if (!source_token_is(from + 1, "-") || !from->own || from->defined || from->kind != SOURCE_WORD
            || what->kind != SOURCE_WORD || source_token_is(what + 1, "[") || source_token_is(from - 1, ".")
            || !is_float(source, &function, from) || !is_float(source, &function, what))
            continue;
        if (line != 0)
            return 0;
        line = from->line;
        snprintf(difference, difference_bytes, "%.*s - %.*s", from->length, from->text, what->length, what->text);
    }
    return line;
}

/* A function of the file that hands out a float as a whole number: writes its name, type and variable. Returns its line, and
 * that of the `return`; 0: there is none. */
static int line_of_whole_result(const struct source *source, char *words, size_t words_bytes)
{
    static const char *const whole[] = {"int", "unsigned", "short", "long", "char"}, *const real[] = {"float", "double"};
    for (size_t i = 1; i + 4 < source->token_count; i++) {
        const struct source_token *type = &source->tokens[i], *name = type + 1;
        if (!SOURCE_IS_ANY(type, whole) || name->kind != SOURCE_WORD || !source_token_is(name + 1, "(") || !type->own)
            continue;
        size_t open = source_closing(source, i + 2, source->token_count) + 1;
        if (open >= source->token_count || !source_token_is(&source->tokens[open], "{"))
            continue;
        size_t end = source_closing(source, open, source->token_count);
        for (size_t r = open; r + 2 < end; r++) {
            const struct source_token *value = &source->tokens[r + 1];
            if (!source_token_is(&source->tokens[r], "return"))
                continue;
            size_t semicolon = end_of_real(source, r + 1, end);
            if (semicolon > 0) {
                const struct source_token *last = &source->tokens[semicolon - 1];
                snprintf(words, words_bytes,
                         "The result of %.*s (line %d) is of the type %.*s, and line %d returns %.*s, a float or a double.",
                         name->length, name->text, name->line, type->length, type->text, value->line,
                         (int)(last->text + last->length - value->text), value->text);
                return name->line;
            }
            if (value->kind != SOURCE_WORD || !source_token_is(value + 1, ";"))
                continue;
            for (size_t d = i; d < r; d++)
                if (SOURCE_IS_ANY(&source->tokens[d], real) && source_token_same(&source->tokens[d + 1], value)) {
                    snprintf(words, words_bytes,
                             "The result of %.*s (line %d) is of the type %.*s, and line %d returns %.*s, a %.*s.",
                             name->length, name->text, name->line, type->length, type->text, value->line, value->length,
                             value->text, source->tokens[d].length, source->tokens[d].text);
                    return name->line;
                }
        }
    }
    return 0;
}

/* Does the file begin with an infinity anywhere? */
static bool names_infinity(const struct source *source)
{
    static const char *const names[] = {"INF", "HUGE_VAL", "_as_float", "_as_double", "/ 0", "/0"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        found |= strstr(source->text, names[i]) != NULL;
    return found;
}

/* Where the source shows what makes another number of a value: its line, and a sentence for the message. 0: it does not. */
static int line_of_change(const struct state *state, const char *kernel, const struct result_finding *finding, char *words,
                          size_t words_bytes)
{
    const struct plan_setup *setup = &state->work->input->setup;
    bool special = finding->by_lab && strncmp(finding->pattern, "special", strlen("special")) == 0;
    bool made = special && strcmp(finding->pattern, "special_nan") == 0;
    bool cut = strcmp(finding->pattern, "typed") == 0;
    struct source *source = (special || cut) && setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    char call[80];
    int line = 0;
    if (source && special && (line = line_of_special(source, kernel, call, sizeof call)) > 0)
        snprintf(words, words_bytes, "Line %d asks %s.", line, call);
    else if (source && made && (line = line_of_product_with_condition(source, kernel, call, sizeof call)) > 0)
        snprintf(words, words_bytes,
                 "Line %d multiplies an element by the condition %s: where that is false, it is multiplied by 0.", line,
                 call);
    else if (source && made && names_infinity(source) && (line = line_of_difference(source, kernel, call, sizeof call)) > 0)
        snprintf(words, words_bytes, "Line %d computes %s: where both are the same infinity, that is NaN.", line, call);
    else if (source && cut)
        line = line_of_whole_result(source, words, words_bytes);
    source_destroy(source);
    return line;
}

/* ---- the thread that left an element out ------------------------------------------------------------------------------- */

/* The name that the kernel of a launch has for the array; NULL: it has none, or two. */
static const char *parameter_of(const struct state *state, const struct plan_launch *launch)
{
    const struct plan_setup *setup = &state->work->input->setup;
    const char *found = NULL;
    for (int k = 0; k < LAB_MAX_ARGUMENTS && launch->arguments[k].kind != LAB_END; k++) {
        if (launch->arguments[k].kind != LAB_ARRAY_ARGUMENT || launch->arguments[k].value != state->where.array)
            continue;
        if (found)
            return NULL;
        found = setup->parameter_names[launch->kernel][k];
    }
    return found && found[0] != '\0' ? found : NULL;
}

/* Sets the finding's thread to the one whose index at the line is `element`. *known: the index is known for all threads. */
static bool find_owner(const struct stores *stores, const struct plan_launch *launch, int line, int64_t element,
                       struct result_finding *finding, bool *known)
{
    enum { MOST_THREADS = 1 << 16 };
    uint64_t in_block = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    *known = in_block * blocks <= MOST_THREADS;
    finding->has_thread = true;
    for (uint64_t i = 0; i < in_block * blocks && *known; i++) {
        uint32_t t = (uint32_t)(i % in_block), b = (uint32_t)(i / in_block);
        int64_t index;
        finding->thread[0] = t % launch->block[0];
        finding->thread[1] = t / launch->block[0] % launch->block[1];
        finding->thread[2] = t / launch->block[0] / launch->block[1];
        finding->block[0] = b % launch->grid[0];
        finding->block[1] = b / launch->grid[0] % launch->grid[1];
        finding->block[2] = b / launch->grid[0] / launch->grid[1];
        *known = stores_index(stores, launch, finding, line, &index);
        if (*known && index == element)
            return true;
    }
    return false;
}

/* The first `if` around the line, from the inside, that is false for the finding's thread; 0: none is known to be. */
static int find_false(const struct plan_setup *setup, const struct stores *stores, const struct plan_launch *launch,
                      int line, const struct result_finding *finding)
{
    struct repair_source *own = repair_source_create(setup->source, setup->source_bytes);
    char head[160];
    int around = own ? repair_source_find_if(own, line, head, sizeof head) : 0;
    bool is_true = true;
    for (int depth = 0; around > 0 && depth < 4; depth++) {
        if (!stores_condition(stores, launch, finding, around, &is_true) || !is_true)
            break;
        around = repair_source_find_if(own, around, head, sizeof head);
    }
    repair_source_destroy(own);
    return is_true ? 0 : around;
}

/* Why a launch did not store the element, `cell`: which condition kept its thread away, or that no thread has its index.
 * Writes a sentence, sets the finding's lines, thread and arithmetic, and, where the file asks for so few threads, its pattern.
 * Returns false where the source does not tell. */
static bool tell_owner(const struct state *state, const struct plan_launch *launch, const char *cell,
                       struct result_finding *finding, char *text, size_t text_bytes)
{
    const struct plan_setup *setup = &state->work->input->setup;
    const char *kernel = setup->lab->kernels[launch->kernel].name, *name = parameter_of(state, launch);
    struct stores *stores = name && setup->source ? stores_find(setup, kernel, name) : NULL;
    struct result_finding own = *finding;
    int line = stores && stores->count == 1 && !stores->has_alias ? stores->lines[0].line : 0, closed = 0, asked = 0;
    bool known = false, found = false;
    if (line > 0 && !stores_repeats(stores, line))
        found = find_owner(stores, launch, line, (int64_t)(state->where.first + state->first_bad), &own, &known);
    if (found && (closed = find_false(setup, stores, launch, line, &own)) > 0) {
        snprintf(
            text, text_bytes,
            "Thread (%u,%u,%u) of block (%u,%u,%u) has the index of %s at line %d, but the condition in line %d is false "
            "for it.",
            own.thread[0], own.thread[1], own.thread[2], own.block[0], own.block[1], own.block[2], cell, line, closed);
        stores_explain(stores, launch, &own, closed);
        *finding = own;
        finding->count = 1;
        finding->line = line;
        finding->line2 = closed == line ? 0 : closed;
    } else if (!found && known) {
        uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
        uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
        asked = launch_lines_find(stores->source, kernel, "items");
        bool few = asked > 0 && launch->items[0] > (int64_t)threads && launch->items[1] <= 1;
        snprintf(text, text_bytes, "No thread has the index of %s at line %d: the launch has %llu threads", cell, line,
                 (unsigned long long)(threads * blocks));
        snprintf(text + strlen(text), text_bytes - strlen(text),
                 few ? ", a block of %llu for each %lld elements, as line %d asks." : ".", (unsigned long long)threads,
                 (long long)launch->items[0], asked);
        finding->line = line;
        finding->line2 = few ? asked : 0;
        finding->count = 1;
        if (few)
            snprintf(finding->pattern, sizeof finding->pattern, "items");
    }
    if ((found && closed > 0) || (!found && known))
        snprintf(finding->kernel, sizeof finding->kernel, "%s", kernel);
    stores_destroy(stores);
    return (found && closed > 0) || (!found && known);
}

/* The launch of a kernel that the plan makes as number `ordinal` of those up to here, from 0; -1: as the last one. */
static bool find_launch(const struct state *state, const char *kernel, int ordinal, struct plan_launch *launch)
{
    const struct plan_setup *setup = &state->work->input->setup;
    struct lab_run *run = allocate_zeroed(sizeof *run);
    bool found = false;
    int seen = 0;
    if (plan_rehearse(run, setup, case_of(state->work, state->index)) && run->launch_count <= PLAN_MAX_LAUNCHES)
        for (int i = 0; i < run->launch_count && i < state->where.launches; i++)
            if (strcmp(setup->lab->kernels[run->launches[i].kernel].name, kernel) == 0
                && (seen++ == ordinal || ordinal < 0)) {
                *launch = run->launches[i];
                found = true;
            }
    free(run);
    return found && state->where.array >= 0;
}

/* Replaces the question at the end of the message. */
static void ask_for_thread(struct result_finding *finding, const char *cell)
{
    size_t length = strlen(finding->message);
    while (length > 1 && strncmp(finding->message + length - 2, ". ", 2) != 0)
        length--;
    snprintf(finding->message + length, sizeof finding->message - length, "Which thread should take %s?", cell);
}

/* The same of the first launch of a kernel that should have stored the element and did not. */
static bool tell_first_owner(const struct state *state, const struct origin_element *element, const char *cell,
                             struct result_finding *finding)
{
    struct plan_launch launch;
    char text[400];
    int of_kernel, storing;
    count_launches(state, element, &of_kernel, &storing);
    if (!find_launch(state, element->kernel, storing, &launch)
        || !tell_owner(state, &launch, cell, finding, text, sizeof text))
        return false;
    append_before_question(finding, text);
    if (strcmp(finding->pattern, "items") == 0)
        ask_for_thread(finding, cell);
    return true;
}

/* The first token of the statement that ends with the `;` at `end`; `end` itself where it begins or ends a block. */
static size_t statement_start(const struct source *source, size_t end)
{
    size_t at = end;
    while (at > 0 && !source_token_is(&source->tokens[at - 1], ";") && !source_token_is(&source->tokens[at - 1], "{")
           && !source_token_is(&source->tokens[at - 1], "}"))
        at--;
    return at;
}

/* Is the condition in a line true for a thread of the finding's block? Sets `thread` to the first. */
static bool holds_for_other(const struct stores *stores, const struct plan_launch *launch, int line,
                            const struct result_finding *finding, uint32_t thread[3])
{
    struct result_finding other = *finding;
    bool is_true = false;
    uint32_t in_block = launch->block[0] * launch->block[1] * launch->block[2];
    for (uint32_t t = 0; t < in_block && !is_true; t++) {
        other.thread[0] = t % launch->block[0];
        other.thread[1] = t / launch->block[0] % launch->block[1];
        other.thread[2] = t / launch->block[0] / launch->block[1];
        if (!stores_condition(stores, launch, &other, line, &is_true))
            return false;
    }
    memcpy(thread, other.thread, sizeof other.thread);
    return is_true;
}

/* Does a kernel declare the name with `__shared__` or `static`, as a reference or as a pointer? */
static bool is_of_one_thread(const struct source *source, const struct source_function *function, const char *name)
{
    static const char *const marks[] = {"__shared__", "static", "&", "*", "extern"};
    size_t at = function->first;
    while (at < function->last && !source_token_is(&source->tokens[at], name))
        at++;
    if (at >= function->last || source->tokens[at - 1].kind != SOURCE_WORD)
        return false;
    for (size_t i = statement_start(source, at); i < at; i++)
        if (SOURCE_IS_ANY(&source->tokens[i], marks))
            return false;
    return true;
}

/* The only lines that set a variable of the thread are under a condition that is false for the finding's thread: returns the
 * line that sets it, with that of the condition and a thread for which it holds. 0: it is not so, or not known. */
static int find_unset(const struct state *state, const struct plan_launch *launch, const char *kernel, const char *name,
                      struct result_finding *finding, int *condition, uint32_t other[3])
{
    const struct plan_setup *setup = &state->work->input->setup;
    struct stores *stores = stores_find(setup, kernel, name);
    int sets = 0;
    bool fits = stores && stores->is_scalar && !stores->has_alias
                && is_of_one_thread(stores->source, &stores->function, name);
    for (int i = 0; fits && i < stores->count; i++) {
        int line = stores->lines[i].line, closed = find_false(setup, stores, launch, line, finding);
        if (closed > 0 && sets == 0 && holds_for_other(stores, launch, closed, finding, other)) {
            sets = line;
            *condition = closed;
        } else {
            fits = i == 0 && closed == 0; /* its first value */
        }
    }
    if (fits && sets > 0)
        stores_explain(stores, launch, finding, *condition);
    stores_destroy(stores);
    return fits ? sets : 0;
}

/* What is added to the element is a variable of the thread that only another thread has set. */
static bool tell_unset(const struct state *state, const struct origin_element *element, const char *place,
                       struct result_finding *finding, char *text, size_t text_bytes)
{
    const struct plan_setup *setup = &state->work->input->setup;
    struct source *source = setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    struct source_function function;
    struct plan_launch launch;
    struct result_finding own = *finding;
    char name[64];
    uint32_t other[3];
    int sets = 0, condition = 0;
    own.has_thread = true;
    memcpy(own.thread, element->last_store.thread, sizeof own.thread);
    memcpy(own.block, element->last_store.block, sizeof own.block);
    bool known = source && find_launch(state, element->kernel, -1, &launch)
                 && source_find_function(source, element->kernel, 0, &function);
    bool right = false; /* of the = or += */
    for (size_t i = known ? function.first : 0; known && i < function.last && sets == 0; i++) {
        const struct source_token *token = &source->tokens[i];
        right = token->line == element->last_line && (right || source_token_is(token, "=") || source_token_is(token, "+="));
        if (!right || token->kind != SOURCE_WORD || token->length >= (int)sizeof name)
            continue;
        snprintf(name, sizeof name, "%.*s", token->length, token->text);
        sets = find_unset(state, &launch, element->kernel, name, &own, &condition, other);
    }
    source_destroy(source);
    if (sets == 0)
        return false;
    snprintf(
        text, text_bytes,
        "Thread (%u,%u,%u) of block (%u,%u,%u) stores %s at line %d. Each thread has its own variable %s, and line %d, "
        "which sets it, depends on the condition in line %d: that is true for thread (%u,%u,%u) and false for this one. "
        "From where should this thread get the value?",
        own.thread[0], own.thread[1], own.thread[2], own.block[0], own.block[1], own.block[2], place, element->last_line,
        name, sets, condition, other[0], other[1], other[2]);
    *finding = own;
    finding->count = 1;
    finding->line2 = condition == finding->line ? 0 : condition;
    return true;
}

/* The line of `x = NUMBER;` right before a line that stores that x in an array, as in `s[t] = 0; sums[b] = s[t];`: statements
 * between them call nothing and have nothing to do with x. Writes x and the number. 0: there is none. */
static int line_of_clearing(const struct source *source, const char *array, int line, char *words, size_t words_bytes,
                            char *what, size_t what_bytes)
{
    enum { MOST_BETWEEN = 4 };
    size_t name = 0, equals = 0, end = 0;
    while (name < source->token_count
           && !(source->tokens[name].line == line && source_token_is(&source->tokens[name], array)))
        name++;
    if (name + 2 >= source->token_count || !source_token_is(&source->tokens[name + 1], "["))
        return 0;
    equals = source_closing(source, name + 1, source->token_count) + 1;
    if (equals >= source->token_count || !source_token_is(&source->tokens[equals], "="))
        return 0;
    for (end = equals + 1; end < source->token_count && !source_token_is(&source->tokens[end], ";"); end++)
        if (source_token_is(&source->tokens[end], "("))
            return 0;
    size_t place = equals + 1, count = end - place;
    bool element = count > 3 && source_token_is(&source->tokens[place + 1], "[")
                   && source_closing(source, place + 1, end) == end - 1;
    if (end >= source->token_count || source->tokens[place].kind != SOURCE_WORD || !(count == 1 || element))
        return 0;
    size_t start = statement_start(source, end);
    if (start != name)
        return 0; /* an `if` before it, for example: the store may belong to something else */
    for (int between = 0; between < MOST_BETWEEN && start > 0 && source_token_is(&source->tokens[start - 1], ";");
         between++) {
        size_t before = statement_start(source, start - 1), length = start - 1 - before;
        const struct source_token *value = &source->tokens[before + count + 1], *first = &source->tokens[before];
        if (length == count + 2 && source_same_tokens(source, before, place, count)
            && source_token_is(&source->tokens[before + count], "=") && value->kind == SOURCE_NUMBER && first->own) {
            const struct source_token *last = &source->tokens[place + count - 1];
            snprintf(what, what_bytes, "%.*s", (int)(last->text + last->length - source->tokens[place].text),
                     source->tokens[place].text);
            snprintf(words, words_bytes, "Line %d stores %.*s in %.100s, and line %d takes it from there.", first->line,
                     value->length, value->text, what, line);
            return first->line;
        }
        for (size_t i = before; i + 1 < start; i++)
            if (source_token_is(&source->tokens[i], "(") || source_token_same(&source->tokens[i], &source->tokens[place]))
                return 0;
        start = before;
    }
    return 0;
}

/* What an element should be was replaced by a number one statement before it was stored. */
static bool tell_cleared(const struct state *state, const struct origin_element *element, struct result_finding *finding)
{
    const struct plan_setup *setup = &state->work->input->setup;
    struct source *source = setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    char words[300], what[120];
    int line = source ? line_of_clearing(source, array_of(state), element->last_line, words, sizeof words, what, sizeof what)
                      : 0;
    source_destroy(source);
    if (line == 0)
        return false;
    keep_facts(finding, finding->message);
    size_t used = strlen(finding->message);
    snprintf(finding->message + used, sizeof finding->message - used, "%s%s What should be in %s when line %d takes it?",
             used > 0 && finding->message[used - 1] == ' ' ? "" : " ", words, what, element->last_line);
    snprintf(finding->pattern, sizeof finding->pattern, "cleared");
    finding->line2 = line;
    finding->explained = finding->proven = finding->asks = true;
    finding->weak = false;
    return true;
}

/* A sum that is too large by a whole factor, and an addition that every thread of the block makes. */
static void tell_plain_atomic(const struct state *state, const char *kernel, struct result_finding *finding)
{
    const struct plan_setup *setup = &state->work->input->setup;
    struct repair_source *own = repair_source_create(setup->source, setup->source_bytes);
    int line = own ? repair_source_find_plain_atomic(own, kernel) : 0;
    char text[160];
    repair_source_destroy(own);
    if (line == 0)
        return;
    snprintf(text, sizeof text, "Every thread of a block runs the atomicAdd of line %d: no condition decides about it.",
             line);
    append_before_question(finding, text);
    finding->line2 = line == finding->line ? 0 : line;
}

/* Does a loop's head name the length, the last parameter of the kernel? */
static bool asks_length(const struct source *source, const struct source_function *function, const char *head)
{
    size_t at = function->parameter_count > 0 ? function->parameters[function->parameter_count - 1] : 0;
    const struct source_token *name = &source->tokens[at];
    for (const char *hit = head; at > 0 && *hit != '\0'; hit++) {
        bool begins = hit == head || (!isalnum((unsigned char)hit[-1]) && hit[-1] != '_');
        char after = strncmp(hit, name->text, (size_t)name->length) == 0 ? hit[name->length] : 'x';
        if (begins && !isalnum((unsigned char)after) && after != '_')
            return true;
    }
    return false;
}

/* Elements count twice or are left out where shares meet: the head of the loop that adds them decides, if there is only one. */
static void tell_adding_loop(const struct state *state, const char *kernel, struct result_finding *finding)
{
    static const char *const patterns[] = {"one_more", "rest", "onwards"};
    const struct plan_setup *setup = &state->work->input->setup;
    struct repair_source *own = repair_source_create(setup->source, setup->source_bytes);
    struct source *source = setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    struct source_function function;
    char head[100], one[100] = "", text[200];
    bool fits = false, known = own && source && source_find_function(source, kernel, 0, &function);
    int line = 0;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        fits |= strcmp(finding->pattern, patterns[i]) == 0;
    for (size_t i = known ? function.first : 0; fits && known && i < function.last; i++) {
        bool adds = source_token_is(&source->tokens[i], "+=") && source->tokens[i - 1].kind == SOURCE_WORD;
        int loop = adds ? repair_source_find_loop(own, source->tokens[i].line, head, sizeof head) : 0;
        if (loop == 0 || !asks_length(source, &function, head))
            continue;
        fits = line == 0 || line == loop;
        line = loop;
        snprintf(one, sizeof one, "%s", head);
    }
    source_destroy(source);
    repair_source_destroy(own);
    if (!fits || line == 0)
        return;
    snprintf(text, sizeof text, "The loop in line %d adds elements: %s.", line, one);
    append_before_question(finding, text);
    finding->line2 = line == finding->line ? 0 : line;
}

/* Returns false when the case's first inputs give nothing wrong. */
static bool look_at(struct state *state, bool open)
{
    struct cases_work *work = state->work;
    struct result_finding *finding = &work->result->tests[state->index].findings.list[0];
    struct origin_element element, beside;
    char place[128], cell[128], stored_by[1100] = "", words[1000] = "", beside_text[260] = "", sentence[260],
                                owner[400] = "";
    if (!record_case(state, finding->output))
        return false;
    write_place(state, finding, place, sizeof place);
    write_cell(state, place, cell, sizeof cell);
    element = (struct origin_element){0};
    bool stored = find_store(state, &element), known = element.kernel != NULL;
    bool counted = work->input->setup.lab->weighing.kind == LAB_COUNTS;
    bool left_out = find_left_out(state, &beside);
    size_t only_first = left_out && counted ? count_first(state) : 0;
    if (only_first > 0)
        snprintf(beside_text, sizeof beside_text,
                 "%.60s, which runs later, stores to %.60s[0..%zu] at line %d, and to no other element.", beside.kernel,
                 array_of(state), only_first - 1, beside.last_line);
    else if (left_out && beside.last_line > 0)
        snprintf(beside_text, sizeof beside_text,
                 "%.60s, which runs later, stores to elements of %.60s at line %d, but to none of the wrong ones.",
                 beside.kernel, array_of(state), beside.last_line);
    else if (left_out)
        snprintf(beside_text, sizeof beside_text, "%.60s, which runs later, stores to no element of %.60s here.",
                 beside.kernel, array_of(state));
    if (left_out && beside.last_line == 0)
        beside.last_line = line_of_kernel(&work->input->setup, beside.kernel);

    if (known && !open && counted && strcmp(element.kernel, last_kernel(state)) != 0) {
        struct origin_element other;
        stored = find_other_bin(state, &other); /* a bin that was only cleared tells nothing */
        element = stored ? other : element;
    }
    char change[240];
    int changed = stored && !left_out ? line_of_change(state, element.kernel, finding, change, sizeof change) : 0;
    if (changed > 0)
        append_before_question(finding, change);
    int formula = stored ? line_of_formula(state, element.kernel, finding) : 0;
    element.last_line = formula > 0 ? formula : changed > 0 ? changed : element.last_line;
    if (known)
        take_line(work, left_out ? &beside : &element, stored, finding);
    tell_halves(state, finding);
    if (counted && look_at_bins(state, open, stored ? element.last_line : 0, finding))
        return true;
    int clearing = counted && strcmp(finding->pattern, "offset") == 0 ? line_of_offset(state) : 0;
    if (clearing > 0) {
        finding->line = clearing;
        return true;
    }
    int counting = !open && counted && is_of_counting(finding) && state->data.count[0] > 0
                       ? origin_words_line_of_each(&state->log, state->where.launches, (int64_t)state->data.count[0])
                       : 0;
    if (counting > 0) {
        element.last_line = counting;
        take_line(work, &element, true, finding);
    }
    bool added = counted && !left_out
                 && strcmp(finding->pattern, "tail") == 0; /* those bins, too: the elements are lost before */
    if (!open && (is_of_elements(finding) || added) && counted) {
        int line = 0;
        const char *pattern = weigh(state, place, words, sizeof words, &line);
        finding->line = line > 0 && (!added || pattern) ? line : finding->line;
        if (tell_reset(state, pattern, finding))
            return true;
        if (is_of_lost(pattern) || (added && pattern)) {
            finding->by_lab = false; /* the elements are counted, and lost later: the message says so instead */
            keep_facts(finding, finding->message);
            size_t used = strlen(finding->message);
            snprintf(finding->message + used, sizeof finding->message - used, "%s", words);
            snprintf(finding->pattern, sizeof finding->pattern, "%s", pattern);
            finding->by_lab = finding->proven = finding->asks = true;
            return true;
        }
    }
    bool measured = open;
    open |= is_open(finding) && !finding->by_lab
            && work->input->setup.lab->weighing.other != 0; /* too large to be weighed */
    if (!open) {
        snprintf(sentence, sizeof sentence, "%s thread of %.60s stores to %s.",
                 known && runs_later(state, element.kernel) ? "Up to here, no" : "No", known ? element.kernel : "", cell);
        if (known && (left_out || (!stored && finding->by_lab)))
            append_before_question(finding, left_out ? beside_text : sentence);
        else if (stored && finding->by_lab && strcmp(finding->pattern, "tail") == 0)
            tell_last_launch(state, &element, place, finding);
        if (stored && finding->by_lab && work->input->setup.lab->outputs[state->output].added_up)
            tell_adding_loop(state, element.kernel, finding);
        if (stored && finding->by_lab && strcmp(finding->pattern, "multiple") == 0)
            tell_plain_atomic(state, element.kernel, finding);
        if (known && !left_out && finding->by_lab && (!stored || strcmp(finding->pattern, "tail") == 0))
            tell_first_owner(state, &element, cell, finding);
        return true;
    }
    int line = 0;
    const char *pattern = measured ? weigh(state, place, words, sizeof words, &line) : NULL;
    if (work->input->setup.lab->weighing.kind == LAB_COUNTS && known
        && (line > 0 || strcmp(element.kernel, last_kernel(state)) != 0)) {
        finding->line = line; /* a bin that was only cleared tells nothing */
        snprintf(finding->kernel, sizeof finding->kernel, "%s", last_kernel(state));
    }
    const struct origin_element last = element;
    pattern = add_route(state, finding, &element, stored, place, pattern, words, sizeof words);
    int shuffle = 0;
    pattern = stored ? add_shuffle(state, &last, pattern, words, sizeof words, &shuffle) : pattern;
    if (shuffle > 0) {
        element.last_line = shuffle;
        take_line(work, &element, true, finding);
    }
    if (!pattern && tell_late_round(state, finding))
        return true;
    if (stored && pattern && strcmp(pattern, "unused") == 0 && tell_cleared(state, &last, finding))
        return true;
    char unset[700];
    if (stored && !left_out && pattern && strcmp(pattern, "missing") == 0
        && tell_unset(state, &last, place, finding, unset, sizeof unset)) {
        keep_facts(finding, finding->message);
        size_t used = strlen(finding->message);
        snprintf(finding->message + used, sizeof finding->message - used, "%s%s",
                 used > 0 && finding->message[used - 1] == ' ' ? "" : " ", unset);
        snprintf(finding->pattern, sizeof finding->pattern, "own_variable");
        finding->explained = finding->proven = finding->asks = true;
        finding->weak = false;
        return true;
    }
    if (!pattern && finding->explained)
        return true;
    if (work->input->setup.lab->weighing.kind == LAB_COUNTS && tell_reset(state, pattern, finding))
        return true;
    bool counts = pattern && work->input->setup.lab->weighing.kind == LAB_COUNTS;
    if (counts
        || work->input->setup.lab->outputs[state->output].added_up) { /* who stored the bin says nothing of the elements */
        stored_by[0] = '\0';
    } else if (stored) {
        bool several = work->input->setup.lab->plans[work->input->setup.plan].kernel_count > 1;
        say_store(&last, several, place, stored_by, sizeof stored_by);
        say_launch(state, &element, stored_by + strlen(stored_by), sizeof stored_by - strlen(stored_by));
        if (left_out)
            snprintf(stored_by + strlen(stored_by), sizeof stored_by - strlen(stored_by), "%s ", beside_text);
    } else if (left_out) {
        snprintf(stored_by, sizeof stored_by, "%s ", beside_text);
    } else if (known) {
        snprintf(stored_by, sizeof stored_by, "%s thread of %.60s stores to %s. ",
                 runs_later(state, element.kernel) ? "Up to here, no" : "No", element.kernel, cell);
        tell_other_store(state, &element, cell, finding, stored_by + strlen(stored_by),
                         sizeof stored_by - strlen(stored_by));
    }
    struct plan_launch launch;
    bool owned = left_out && !counts && pattern && strcmp(pattern, "left_out") == 0
                 && find_launch(state, beside.kernel, -1, &launch)
                 && tell_owner(state, &launch, cell, finding, owner, sizeof owner);
    if (owned)
        snprintf(stored_by + strlen(stored_by), sizeof stored_by - strlen(stored_by), "%s ", owner);
    if (owned && strcmp(finding->pattern, "items") == 0)
        pattern = "items";
    if (pattern)
        keep_facts(finding, finding->message);
    size_t used = strlen(finding->message);
    if (used > 0 && finding->message[used - 1] != ' ')
        finding->message[used++] = ' ';
    snprintf(finding->message + used, sizeof finding->message - used, "%s%s", strcmp(stored_by, "") ? stored_by : "", words);
    used = strlen(finding->message);
    while (used > 0 && finding->message[used - 1] == ' ')
        finding->message[--used] = '\0';
    if (!pattern)
        return true;
    if (strcmp(pattern, "items") == 0)
        ask_for_thread(finding, cell);
    if (strcmp(finding->pattern, "atomic_steps") != 0) /* the source shows why counts get lost */
        snprintf(finding->pattern, sizeof finding->pattern, "%s", pattern);
    finding->explained = finding->proven = finding->asks = true;
    finding->weak = false;
    return true;
}

/* Does the message say that no thread executes the line? */
static bool is_never_executed(const struct result_finding *finding)
{
    char words[40];
    snprintf(words, sizeof words, "none at line %d", finding->line);
    const char *at = strcmp(finding->pattern, "none") == 0 ? strstr(finding->message, words) : NULL;
    return at && !isdigit((unsigned char)at[strlen(words)]);
}

/* The thread that the message names behind `words`; where it names none, the first one of the last block. */
static void choose_thread(const char *message, const char *words, const struct plan_launch *launch,
                          struct result_finding *probe)
{
    const char *at = strstr(message, words);
    uint32_t *thread = probe->thread, *block = probe->block;
    for (int d = 0; d < 3; d++) {
        thread[d] = 0;
        block[d] = launch->grid[d] - 1;
    }
    if (at
        && sscanf(at + strlen(words), "(%u,%u,%u) of block (%u,%u,%u)", &thread[0], &thread[1], &thread[2], &block[0],
                  &block[1], &block[2])
               != 6)
        memset(thread, 0, sizeof probe->thread);
}

/* What the head of a loop comes to, for one thread, or for both where two blocks take an element: appended before the
 * question, as far as there is room. */
static void tell_head_values(const struct state *state, int line, struct result_finding *finding)
{
    static const char *const words[] = {"first by thread ", "last by thread "};
    const struct plan_setup *setup = &state->work->input->setup;
    struct plan_launch launch;
    struct stores *stores = stores_find(setup, finding->kernel, setup->array_names[setup->lab->weighing.arrays[0]]);
    bool known = stores && stores_find_launch(setup, case_of(state->work, state->index), finding->kernel, &launch);
    char said[sizeof finding->arithmetic] = "";
    for (int i = strcmp(finding->pattern, "counted_again") == 0 ? 0 : 1; i < 2 && known; i++) {
        struct result_finding *probe = allocate_zeroed(sizeof *probe);
        choose_thread(finding->message, words[i], &launch, probe);
        if (stores_explain_head(stores, &launch, probe, line) && strcmp(probe->arithmetic, said) != 0) {
            const uint32_t *thread = probe->thread, *block = probe->block;
            memcpy(said, probe->arithmetic, sizeof said);
            char *sentence = allocate_format("In thread (%u,%u,%u) of block (%u,%u,%u), %s.", thread[0], thread[1],
                                             thread[2], block[0], block[1], block[2], probe->arithmetic);
            if (strlen(finding->message) + strlen(sentence) + 2 < sizeof finding->message)
                append_before_question(finding, sentence);
            free(sentence);
        }
        free(probe);
    }
    stores_destroy(stores);
}

/* `const int4 *mine = (const int4 *)data + offset;`, where the line uses mine: the cast comes first. */
static void tell_cast_offset(const struct plan_setup *setup, struct result_finding *finding)
{
    struct source *source = setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    const struct source_token *tokens = source ? source->tokens : NULL;
    char *sentence = NULL;
    for (size_t use = 0; source && use + 1 < source->token_count && !sentence; use++) {
        if (tokens[use].line != finding->line || tokens[use].kind != SOURCE_WORD || !source_token_is(&tokens[use + 1], "["))
            continue;
        for (size_t i = 1; i + 5 < use && !sentence; i++) {
            size_t close = source_token_same(&tokens[i], &tokens[use]) && source_token_is(&tokens[i - 1], "*")
                                   && source_token_is(&tokens[i + 1], "=") && source_token_is(&tokens[i + 2], "(")
                               ? source_closing(source, i + 2, use)
                               : use;
            if (close + 2 >= use || !source_token_is(&tokens[close - 1], "*") || !source_token_is(&tokens[close + 2], "+"))
                continue;
            const struct source_token *type = &tokens[close - 2];
            size_t end = close;
            while (end < use && !source_token_is(&tokens[end], ";") && !source_token_is(&tokens[end], ","))
                end++;
            int length = (int)(tokens[end].text - tokens[i + 2].text);
            if (type->kind != SOURCE_WORD || !strchr("234", type->text[type->length - 1]) || length > 80)
                continue;
            sentence = allocate_format(
                "%.*s begins at %.*s (line %d), where the cast comes first: what is added to it counts %.*s, not single "
                "elements.",
                tokens[use].length, tokens[use].text, length, tokens[i + 2].text, tokens[i].line, type->length, type->text);
        }
    }
    if (sentence && strlen(finding->message) + strlen(sentence) + 2 < sizeof finding->message)
        append_before_question(finding, sentence);
    free(sentence);
    source_destroy(source);
}

/* Where elements are counted again, or not at all, the head of the loop decides: start, end and step; where no thread reaches
 * a line, the condition before it. */
static void tell_head(const struct state *state)
{
    static const char *const patterns[] = {"counted_again", "counted_in_block", "every_thread",
                                           "every_block",   "same_thread",      "not_counted"};
    enum { LONGEST_HEAD = 100 };
    const struct plan_setup *setup = &state->work->input->setup;
    struct result_finding *finding = &state->work->result->tests[state->index].findings.list[0];
    char head[LONGEST_HEAD], *sentence;
    bool of_loop = false, of_if = is_never_executed(finding);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        of_loop |= strcmp(finding->pattern, patterns[i]) == 0;
    if (!(of_loop || of_if) || finding->line <= 0 || finding->line2 > 0 || setup->lab->weighing.kind != LAB_COUNTS)
        return;
    struct repair_source *own = repair_source_create(setup->source, setup->source_bytes);
    char around[LONGEST_HEAD];
    int line = own && of_if ? repair_source_find_if(own, finding->line, head, sizeof head) : 0, outer = 0;
    if (line > 0)
        outer = repair_source_find_if(own, line, around, sizeof around);
    of_loop |= of_if && line == 0;
    if (own && of_loop)
        line = repair_source_find_loop(own, finding->line, head, sizeof head);
    bool ends = strcmp(finding->pattern, "not_counted") == 0 && strstr(finding->message, ": the last ");
    int asks = own && ends && line > 0 ? repair_source_find_if(own, finding->line, around, sizeof around) : 0;
    repair_source_destroy(own);
    if (line == 0)
        return;
    if (of_loop)
        sentence = allocate_format("Line %d is in the loop of line %d: %s.", finding->line, line, head);
    else if (outer > 0)
        sentence = allocate_format("Line %d depends on the conditions in line %d, %s, and line %d, %s.", finding->line,
                                   outer, around, line, head);
    else
        sentence = allocate_format("Line %d depends on the condition in line %d: %s.", finding->line, line, head);
    append_before_question(finding, sentence);
    free(sentence);
    if (of_loop && asks > line) {
        sentence = allocate_format("In it, line %d asks: %s.", asks, around);
        append_before_question(finding, sentence);
        free(sentence);
    } else if (of_loop) {
        tell_head_values(state, line, finding);
        tell_cast_offset(setup, finding);
    }
}

/* The first line of a kernel that reads an element of the array; 0: none does. */
static int line_of_read(const struct plan_setup *setup, const char *kernel, const char *array)
{
    struct source_function function;
    struct source *source = setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    int line = 0;
    if (source && source_find_function(source, kernel, 0, &function))
        for (size_t i = function.first; i + 1 < function.last && line == 0; i++)
            if (source_token_is(&source->tokens[i], array) && source_token_is(&source->tokens[i + 1], "["))
                line = source->tokens[i].line;
    source_destroy(source);
    return line;
}

/* Of a sum of products that lacks the end or everything, or has a part again: the loop that decides how far it goes, if its
 * values say more than its head. */
static void tell_sum_loop(const struct state *state)
{
    enum { LONGEST_HEAD = 100 };
    const struct plan_setup *setup = &state->work->input->setup;
    const struct lab_weighing *weighing = &setup->lab->weighing;
    struct result_finding *finding = &state->work->result->tests[state->index].findings.list[0];
    const char *again = strcmp(finding->pattern, "edge") == 0 ? strstr(finding->message, "a second time, at line ") : NULL;
    bool unread = strcmp(finding->pattern, "unused") == 0 && strstr(finding->message, "Which line should use them?");
    bool ends = strcmp(finding->pattern, "tail") == 0 || strcmp(finding->pattern, "one_tile") == 0 || unread;
    if (weighing->kind == LAB_COUNTS || weighing->kind == LAB_NOT_WEIGHED || weighing->other == 0 || (!again && !ends)
        || finding->kernel[0] == '\0')
        return;
    int at = again ? atoi(again + strlen("a second time, at line "))
                   : line_of_read(setup, finding->kernel, setup->array_names[weighing->arrays[0]]);
    char head[LONGEST_HEAD];
    struct repair_source *own = repair_source_create(setup->source, setup->source_bytes);
    int line = own && at > 0 ? repair_source_find_loop(own, at, head, sizeof head) : 0;
    repair_source_destroy(own);
    struct result_finding *probe = allocate_zeroed(sizeof *probe);
    struct plan_launch launch;
    struct stores *stores = stores_find(setup, finding->kernel, setup->array_names[weighing->arrays[0]]);
    bool known = line > 0 && stores
                 && stores_find_launch(setup, case_of(state->work, state->index), finding->kernel, &launch);
    if (known && (unread ? stores_explain_no_turn : stores_explain_head)(stores, &launch, probe, line)) {
        static const char question[] = "Which turn of the loop should use them?";
        char *sentence = allocate_format("Line %d is in the loop of line %d: %s. In thread (0,0,0) of block (0,0,0), %s.",
                                         at, line, head, probe->arithmetic);
        bool fits = strlen(finding->message) + strlen(sentence) + sizeof question < sizeof finding->message;
        if (fits)
            append_before_question(finding, sentence);
        char *last = fits && unread ? strstr(finding->message, "Which line should use them?") : NULL;
        if (last) {
            snprintf(last, sizeof finding->message - (size_t)(last - finding->message), "%s", question);
            snprintf(finding->pattern, sizeof finding->pattern, "no_turn");
        }
        free(sentence);
    }
    stores_destroy(stores);
    free(probe);
}

/* Is a wrong element made of no input, in a case where others are? A thread of several elements may have stored one that it
 * has in larger cases only. */
static bool is_of_nothing(const struct result_finding *finding)
{
    return strcmp(finding->pattern, "unused") == 0 && strstr(finding->message, " stays what it is");
}

/* Where a larger case shows what the elements are made of, those that do not step back, and `state` is that one. */
static void look_further(struct state *state, const struct result_finding *cause)
{
    struct cases_work *work = state->work;
    const struct lab *lab = work->input->setup.lab;
    struct result_finding *shown[MOST_TRIES] = {&work->result->tests[state->index].findings.list[0]};
    bool of_lab = state->of_lab;
    if (lab->weighing.kind == LAB_COUNTS || lab->weighing.other == 0 || !is_of_nothing(shown[0]))
        return;
    int index = choose(work, cause, true, state->index + 1);
    for (int tries = 1; index >= 0 && tries < MOST_TRIES; tries++, index = choose(work, cause, true, index + 1)) {
        clear(state, lab);
        *state = (struct state){.work = work, .index = index, .of_lab = of_lab};
        shown[tries] = &work->result->tests[index].findings.list[0];
        if (!look_at(state, true) || !shown[tries]->explained || is_of_nothing(shown[tries]))
            continue;
        for (int i = 0; i < tries; i++)
            shown[i]->weak = true;
        return;
    }
}

void origin_find(struct cases_work *work)
{
    const struct result_lab *result = work->result;
    int first = diagnose_first_test(result);
    if (first < 0 || result->tests[first].findings.count == 0 || !is_about_values(&result->tests[first].findings.list[0]))
        return;
    const struct result_finding *cause = &result->tests[first].findings.list[0];
    bool open = is_open(cause) && work->input->setup.lab->weighing.kind != LAB_NOT_WEIGHED;
    struct state state = {.work = work, .index = open ? choose(work, cause, true, 0) : -1, .of_lab = cause->by_lab};
    if (state.index < 0) {
        open = false;
        state.index = choose(work, cause, false, 0);
    }
    if (state.index < 0)
        return;
    const struct cases_effort effort = work->effort; /* what is tried here costs the submission nothing */
    const char *checks = work->checks;
    work->effort = (struct cases_effort){0};
    work->fuel_limit = TRIAL_FUEL;
    int tries = work->input->setup.lab->weighing.kind == LAB_COUNTS ? MOST_TRIES : 1;
    if (work->input->setup.lab->weighing.kind == LAB_COUNTS)
        rename_arrays(work);
    for (; state.index >= 0 && !look_at(&state, open) && tries > 1; tries--) {
        clear(&state, work->input->setup.lab);
        state = (struct state){.work = work, .index = choose(work, cause, open, state.index + 1), .of_lab = cause->by_lab};
    }
    if (state.index >= 0) {
        if (open)
            look_further(&state, cause);
        tell_head(&state);
        tell_sum_loop(&state);
    }
    clear(&state, work->input->setup.lab);
    int other = open && cause->line == 0 && cause->kernel[0] == '\0' ? choose(work, cause, false, 0) : -1;
    if (other >= 0 && other != state.index) { /* the test that was weighed says something else: its line is not this one's */
        state = (struct state){.work = work, .index = other, .of_lab = cause->by_lab};
        look_at(&state, false);
        tell_sum_loop(&state);
        clear(&state, work->input->setup.lab);
    }
    cases_work_close_session(work);
    work->fuel_limit = 0;
    work->effort = effort;
    work->checks = checks;
}
