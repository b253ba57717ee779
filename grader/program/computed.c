#include "grader/program/computed.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"

/* A number, and where it is from: the element of an output, or the place of its line in the record. */
struct number {
    double value;
    size_t from;
};

struct numbers {
    struct number *list; /* owned */
    size_t count, capacity;
};

static void add(struct numbers *numbers, double value, size_t from)
{
    if (isnan(value))
        return;
    numbers->list = allocate_grown(numbers->list, &numbers->capacity, numbers->count + 1, sizeof *numbers->list);
    numbers->list[numbers->count++] = (struct number){value, from};
}

static int compare(const void *one, const void *other)
{
    const struct number *first = one, *second = other;
    if (first->value != second->value)
        return first->value < second->value ? -1 : 1;
    return (first->from > second->from) - (first->from < second->from);
}

static void sort(struct numbers *numbers)
{
    if (numbers->count > 0)
        qsort(numbers->list, numbers->count, sizeof *numbers->list, compare);
}

/* ---- bytes as numbers --------------------------------------------------------------------------------------------- */

/* A program need not keep its results in the type that the lab's arrays have. */
enum form { AS_FLOAT, AS_DOUBLE, AS_INT32, AS_UINT32, AS_INT64, AS_INT16, AS_UINT16, AS_INT8, AS_UINT8, FORMS };

static size_t size_of(enum form form)
{
    static const uint8_t sizes[FORMS] = {4, 8, 4, 4, 8, 2, 2, 1, 1};
    return sizes[form];
}

#define TAKE(type)                            \
    {                                         \
        type element;                         \
        memcpy(&element, at, sizeof element); \
        return (double)element;               \
    }

static double take(enum form form, const uint8_t *at)
{
    switch (form) {
    case AS_FLOAT: TAKE(float)
    case AS_DOUBLE: TAKE(double)
    case AS_INT32: TAKE(int32_t)
    case AS_UINT32: TAKE(uint32_t)
    case AS_INT64: TAKE(int64_t)
    case AS_INT16: TAKE(int16_t)
    case AS_UINT16: TAKE(uint16_t)
    case AS_INT8: TAKE(int8_t)
    case AS_UINT8:
    case FORMS: break;
    }
    TAKE(uint8_t)
}

/* The numbers that lines of this kind hold; of a fill, no more than `most`. */
static void take_all(const struct calls *calls, enum calls_contents_kind kind, enum form form, size_t most,
                     struct numbers *numbers)
{
    size_t size = size_of(form);
    for (size_t i = 0; i < calls->contents_count; i++) {
        const struct calls_contents *contents = &calls->contents[i];
        if (contents->kind != kind)
            continue;
        if (kind == CONTENTS_FILL && contents->count <= 8 && contents->count > 0) {
            uint8_t element[16];
            for (size_t k = 0; k < sizeof element; k++)
                element[k] = contents->bytes[k % contents->count];
            uint64_t times = contents->times / (size / contents->count > 0 ? size / contents->count : 1);
            for (size_t k = 0; k < most && k < times; k++)
                add(numbers, take(form, element), i);
            continue;
        }
        for (size_t at = (size - contents->at % size) % size; at + size <= contents->count; at += size)
            add(numbers, take(form, contents->bytes + at), i);
    }
}

/* ---- looking for results ------------------------------------------------------------------------------------------ */

static double bound_of(const struct lab_expected *expected, size_t index)
{
    return expected->f && expected->bound ? expected->bound[index] : 0;
}

/* Elements of the output that are compared. */
static struct numbers results_of(const struct lab_expected *expected)
{
    struct numbers results = {.list = NULL};
    for (size_t i = 0; i < expected->count; i++)
        if (bound_of(expected, i) != LAB_NOT_COMPARED)
            add(&results, expected->f ? expected->f[i] : (double)expected->i[i], i);
    sort(&results);
    return results;
}

static void add_inputs(const struct exchange *exchange, struct numbers *numbers)
{
    for (int i = 0; i < exchange->lab->array_count; i++) {
        enum lab_type type = exchange->lab->arrays[i].type;
        const void *elements = exchange->data.array[i].bytes;
        for (size_t k = 0; exchange->lab->arrays[i].role != LAB_OUTPUT && k < exchange->data.count[i]; k++)
            add(numbers,
                types_is_float(type) ? types_get_float(type, elements, k) : (double)types_get_integer(type, elements, k), 0);
    }
}

/* Takes each result out of those that are there, of which none can serve for two.
 *   missing   out: the results that are left; NULL: not listed
 * Returns how many are. */
static size_t find_missing(const struct lab_expected *expected, const struct numbers *results, const struct numbers *there,
                           struct numbers *missing)
{
    size_t at = 0, count = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct number *result = &results->list[i];
        double bound = bound_of(expected, result->from);
        while (at < there->count && there->list[at].value < result->value - bound)
            at++;
        if (at < there->count && there->list[at].value <= result->value + bound) {
            at++;
            continue;
        }
        count++;
        if (missing)
            add(missing, result->value, result->from);
    }
    return count;
}

/* The earliest line that holds such a number; SIZE_MAX: none. */
static size_t find_earliest(const struct numbers *sorted, double value, double bound)
{
    size_t low = 0, high = sorted->count, earliest = SIZE_MAX;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted->list[middle].value < value - bound)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < sorted->count && sorted->list[low].value <= value + bound && earliest > 0; low++)
        earliest = sorted->list[low].from < earliest ? sorted->list[low].from : earliest;
    return earliest;
}

/* Of the results that are not inputs: did all of them come from the host, each value before a kernel had stored it? No, where
 * there are so few that this may be a coincidence. */
static bool came_from_the_host(const struct lab_expected *expected, const struct numbers *results,
                               const struct numbers *inputs, const struct calls *calls, enum form form,
                               const struct numbers *stored)
{
    enum { LEAST = 16, LEAST_DIFFERENT = 8 };
    struct numbers own = {.list = NULL}, host = {.list = NULL};
    size_t different = 0;
    bool came = true, is_input = false;
    take_all(calls, CONTENTS_HOST, form, 0, &host);
    sort(&host);
    for (size_t i = 0; i < results->count && came; i++) {
        const struct number *result = &results->list[i];
        double bound = bound_of(expected, result->from);
        bool is_new = i == 0 || results->list[i - 1].value != result->value;
        if (is_new)
            is_input = find_earliest(inputs, result->value, bound) != SIZE_MAX;
        if (is_input)
            continue;
        if (is_new)
            came = find_earliest(&host, result->value, bound) < find_earliest(stored, result->value, bound);
        different += is_new;
        add(&own, result->value, result->from);
    }
    came = came && own.count >= LEAST && different >= LEAST_DIFFERENT && find_missing(expected, &own, &host, NULL) == 0;
    free(own.list);
    free(host.list);
    return came;
}

static void look_at_output(const struct exchange *exchange, const struct calls *calls, int output, struct computed *computed)
{
    const struct lab_expected *expected = &exchange->expected[output];
    struct numbers results = results_of(expected), inputs = {.list = NULL};
    add_inputs(exchange, &inputs);
    sort(&inputs);
    for (enum form form = 0; form < FORMS; form++) {
        struct numbers stored = {.list = NULL}, there = {.list = NULL}, missing = {.list = NULL};
        take_all(calls, CONTENTS_KERNEL, form, 0, &stored);
        sort(&stored);
        for (size_t i = 0; i < stored.count; i++)
            add(&there, stored.list[i].value, 0);
        for (size_t i = 0; i < inputs.count; i++)
            add(&there, inputs.list[i].value, 0);
        take_all(calls, CONTENTS_FILL, form, results.count, &there);
        sort(&there);
        size_t count = find_missing(expected, &results, &there, &missing);
        enum computed_verdict verdict = COMPUTED_NOT_THERE;
        if (count == 0)
            verdict = came_from_the_host(expected, &results, &inputs, calls, form, &stored) ? COMPUTED_BEFORE
                                                                                            : COMPUTED_THERE;
        if (form == 0 || count < computed->missing || count == 0) {
            *computed = (struct computed){.verdict = verdict,
                                          .bytes = count == 0 ? expected->count * size_of(form) : 0,
                                          .output = output,
                                          .missing = count,
                                          .index = SIZE_MAX};
            for (size_t i = 0; i < missing.count; i++)
                computed->index = missing.list[i].from < computed->index ? missing.list[i].from : computed->index;
        }
        free(stored.list);
        free(there.list);
        free(missing.list);
        if (count == 0)
            break;
    }
    if (computed->verdict == COMPUTED_NOT_THERE && expected->f)
        types_format_float(expected->type, expected->f[computed->index], computed->value, sizeof computed->value);
    else if (computed->verdict == COMPUTED_NOT_THERE)
        types_format_integer(expected->type, expected->i[computed->index], computed->value, sizeof computed->value);
    free(results.list);
    free(inputs.list);
}

struct computed computed_look(const struct exchange *exchange, const struct calls *calls)
{
    struct computed computed = {.verdict = COMPUTED_THERE};
    if (calls->contents_cut || exchange->lab->program->host_finishes)
        return computed;
    uint64_t bytes = 0;
    for (int i = 0; i < exchange->lab->output_count && computed.verdict == COMPUTED_THERE; i++) {
        look_at_output(exchange, calls, i, &computed);
        bytes += computed.bytes;
    }
    computed.bytes = bytes;
    return computed;
}
