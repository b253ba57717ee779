#include "grader/judge/cases_show.h"

#include <math.h>
#include <string.h>

#include "grader/lab/compare.h"
#include "grader/result/result_json.h"

/* An array of up to so many elements is shown whole; else so many from the beginning, and as many wrong ones; of a matrix the
 * corner. */
enum { WHOLE = 1024, FIRST = 64, CORNER = 16 };

/* What is known of an output after the run. */
struct seen {
    const struct lab_expected *expected;
    const uint8_t *got; /* NULL: the run did not hand it over */
    uint64_t poison_key, first;
    bool poisoned; /* what no thread stored still holds its poison word */
};

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_string(isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

/* An integer of the kind, as its type has it: a uint64 beyond what JSON's integers hold becomes a real number. */
static json_t *integer_json(enum lab_type type, int64_t integer)
{
    double value = types_integer_value(type, integer);
    return integer < 0 && value > 0 ? number(value) : json_integer(integer);
}

static json_t *value_json(enum lab_type type, const void *values, size_t index, double scale)
{
    return types_is_float(type) ? number(scale * types_get_float(type, values, index))
                                : integer_json(type, types_get_integer(type, values, index));
}

static json_t *expected_json(const struct lab_expected *expected, size_t index, double scale)
{
    if (expected->bound && expected->bound[index] < 0) /* LAB_NOT_COMPARED */
        return json_null();
    return expected->f ? number(scale * expected->f[index]) : integer_json(expected->type, expected->i[index]);
}

static struct seen see(const struct verify_run *run, const struct run_reply *reply, int output)
{
    const struct plan_output *where = &reply->outputs[output];
    const struct lab *lab = run->setup->lab;
    struct seen seen = {.expected = &run->expect->outputs[output]};
    if (reply->outcome != RUN_RAN || !where->present || where->count != seen.expected->count)
        return seen;
    seen.got = run->memory->bytes + run->memory->output_offset + where->offset;
    seen.poison_key = plan_poison_key(run->poison_key, where);
    seen.first = where->first;
    seen.poisoned = where->added == 0 && (where->array < 0 || lab->arrays[where->array].role == LAB_OUTPUT);
    return seen;
}

static bool is_wrong(const struct seen *seen, size_t index)
{
    return seen->got && !compare_element(seen->expected, seen->got, index);
}

static const char *state_of(const struct seen *seen, size_t index)
{
    struct compare_unwritten unwritten = {0};
    enum lab_type type = seen->expected->type;
    if (!is_wrong(seen, index))
        return "right";
    if (seen->poisoned)
        compare_find_unwritten(seen->got + index * types_get(type)->bytes, type, 1, seen->poison_key,
                               (size_t)seen->first + index, NULL, &unwritten);
    return seen->poisoned && unwritten.count > 0 ? "never written" : "wrong";
}

/* ---- which elements ----------------------------------------------------------------------------------------------- */

struct choice {
    size_t count, columns;
    size_t wrong_left; /* so many wrong ones may still be shown */
};

static bool choose(struct choice *choice, size_t index, bool wrong)
{
    bool begins = choice->columns > 0 ? index / choice->columns < CORNER && index % choice->columns < CORNER : index < FIRST;
    if (choice->count <= WHOLE || begins)
        return true;
    if (!wrong || choice->wrong_left == 0)
        return false;
    choice->wrong_left--;
    return true;
}

/* ---- arrays ------------------------------------------------------------------------------------------------------- */

static void add_element(json_t *elements, size_t index, json_t *before, json_t *after, json_t *expected, const char *state)
{
    json_array_append_new(elements, json_pack("{s:I,s:o,s:o,s:o,s:s?}", "index", (json_int_t)index, "before", before,
                                              "after", after, "expected", expected, "state", state));
}

/* The output of as many elements that shows best which elements of an input matter; -1: none. */
static int find_companion(const struct verify_run *run, const struct run_reply *reply, size_t count, size_t columns)
{
    for (int i = run->setup->lab->output_count - 1; i >= 0; i--) {
        struct seen seen = see(run, reply, i);
        if (seen.got && seen.expected->count == count && seen.expected->columns == columns)
            return i;
    }
    return -1;
}

static json_t *input_json(const struct verify_run *run, const struct run_reply *reply, int array)
{
    const struct lab *lab = run->setup->lab;
    size_t count = run->data->count[array];
    struct choice choice = {count, lab->columns ? lab->columns(lab, run->the_case, array) : 0, FIRST};
    int companion = find_companion(run, reply, count, choice.columns);
    struct seen seen = {.got = NULL};
    json_t *elements = json_array();
    if (companion >= 0)
        seen = see(run, reply, companion);
    for (size_t i = 0; i < count; i++)
        if (choose(&choice, i, is_wrong(&seen, i)))
            add_element(elements, i, value_json(lab->arrays[array].type, run->data->array[array].bytes, i, 1), json_null(),
                        json_null(), NULL);
    return json_pack("{s:o,s:s,s:s,s:b,s:I,s:I,s:n,s:n,s:i,s:o}", "name", result_json_text(run->setup->array_names[array]),
                     "type", types_get(lab->arrays[array].type)->name, "role", "input", "scalar", false, "count",
                     (json_int_t)count, "columns", (json_int_t)choice.columns, "after_launches", "launches", "wrong", 0,
                     "elements", elements);
}

static json_t *output_json(const struct verify_run *run, const struct run_reply *reply, int output,
                           const struct plan_output *planned, int launches)
{
    const struct lab *lab = run->setup->lab;
    const struct lab_output *own = &lab->outputs[output];
    struct seen seen = see(run, reply, output);
    enum lab_type type = expect_type(lab, output);
    size_t count = seen.expected->count, wrong = 0;
    double scale = seen.expected->scale == 0 ? 1 : seen.expected->scale;
    struct choice choice = {count, seen.expected->columns, FIRST};
    bool in_place = planned->array >= 0 && lab->arrays[planned->array].role == LAB_IN_PLACE && planned->added == 0;
    const char *name = planned->array >= 0 && !own->scalar ? run->setup->array_names[planned->array] : own->name;
    json_t *elements = json_array();
    for (size_t i = 0; i < count; i++) {
        bool bad = is_wrong(&seen, i);
        wrong += bad;
        if (!choose(&choice, i, bad))
            continue;
        const char *state = seen.got ? state_of(&seen, i) : NULL;
        bool unwritten = !state || strcmp(state, "never written") == 0;
        add_element(
            elements, i,
            in_place ? value_json(type, run->data->array[planned->array].bytes, (size_t)planned->first + i, 1) : json_null(),
            unwritten ? json_null() : value_json(type, seen.got, i, scale), expected_json(seen.expected, i, scale), state);
    }
    return json_pack("{s:o,s:s,s:s,s:b,s:I,s:I,s:i,s:i,s:I,s:o}", "name", result_json_text(name), "type",
                     types_get(type)->name, "role", "output", "scalar", own->scalar, "count", (json_int_t)count, "columns",
                     (json_int_t)choice.columns, "after_launches", planned->launches, "launches", launches, "wrong",
                     (json_int_t)wrong, "elements", elements);
}

void cases_show_take(struct cases_show *show, const struct verify_run *run, const struct run_reply *reply)
{
    const struct lab *lab = run->setup->lab;
    struct lab_run rehearsal;
    json_t *arrays = json_array();
    bool planned = plan_rehearse(&rehearsal, run->setup, run->the_case);
    for (int i = 0; i < lab->array_count; i++)
        if (planned && lab->arrays[i].role == LAB_INPUT && run->data->count[i] > 0)
            json_array_append_new(arrays, input_json(run, reply, i));
    for (int i = 0; i < lab->output_count; i++)
        if (planned && run->expect->outputs[i].count > 0)
            json_array_append_new(arrays, output_json(run, reply, i, &rehearsal.outputs[i], rehearsal.launch_count));
    json_decref(show->run);
    show->run = json_pack("{s:i,s:b,s:o}", "number", run->run + 1, "finished", reply->outcome == RUN_RAN, "arrays", arrays);
}
