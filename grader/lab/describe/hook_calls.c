#include "grader/lab/describe/hook_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/lab/describe/description.h"
#include "grader/lab/describe/guard.h"
#include "grader/lab/random.h"
#include "grader/sandbox/sandbox.h"

#define NAME_BYTES    128
#define RULE_BYTES    512
#define MESSAGE_BYTES 4096

static const struct description *description_of(const struct lab *lab)
{
    return lab->description;
}

/* Text that a child wrote, for as long as the process lives: a lab has few different ones. */
static const char *keep_text(const char *text)
{
    static char **kept;
    static size_t count, capacity;
    for (size_t i = 0; i < count; i++)
        if (strcmp(kept[i], text) == 0)
            return kept[i];
    kept = allocate_grown(kept, &capacity, count + 1, sizeof *kept);
    kept[count] = allocate_text(text, strlen(text));
    return kept[count++];
}

/* ---- what every call has ---------------------------------------------------------------------------------------------- */

/* A case as the child gets it: what it points to may be younger than the child. */
struct sent_case {
    struct lab_case the_case;
    char name[NAME_BYTES], purpose[NAME_BYTES];
};

static void send_case(const struct lab_case *the_case, struct sent_case *sent)
{
    sent->the_case = *the_case;
    snprintf(sent->name, sizeof sent->name, "%s", the_case->name ? the_case->name : "");
    snprintf(sent->purpose, sizeof sent->purpose, "%s", the_case->purpose ? the_case->purpose : "");
}

static const struct lab_case *receive_case(struct sent_case *sent)
{
    sent->the_case.name = sent->name;
    sent->the_case.purpose = sent->purpose;
    return &sent->the_case;
}

/* An array of the grader's that takes part in a call. */
struct part {
    int index;        /* in the call */
    void *own;        /* the grader's */
    void **sent;      /* the pointer in the context */
    bool goes, comes; /* copied before the call, after it */
};

struct parts {
    struct guard_call call;
    struct part list[GUARD_ARRAYS];
};

static void add_part(struct parts *parts, const char *name, size_t element_bytes, size_t count, void *own, void **sent,
                     bool goes, bool comes)
{
    *sent = NULL;
    if (!own)
        return;
    int index = guard_add(&parts->call, name, element_bytes, count);
    parts->list[index] = (struct part){index, own, sent, goes, comes};
}

static void add_data(struct parts *parts, const struct lab_data *data, struct lab_data *sent, bool comes)
{
    const struct lab *lab = parts->call.lab;
    *sent = *data;
    for (int i = 0; i < lab->array_count; i++)
        add_part(parts, lab->arrays[i].name, types_get(lab->arrays[i].type)->bytes, data->count[i], data->array[i].bytes,
                 &sent->array[i].bytes, true, comes);
}

static size_t bytes_of(const struct guard_array *array)
{
    return array->element_bytes * array->count;
}

/* Runs the call. Returns whether the child did it; then what comes back is where it belongs. */
static bool run(struct parts *parts)
{
    struct guard_call *call = &parts->call;
    enum guard_status status;
    do {
        guard_place(call);
        for (int i = 0; i < call->array_count; i++) {
            const struct part *part = &parts->list[i];
            *part->sent = call->arrays[i].bytes;
            if (part->goes)
                memcpy(call->arrays[i].bytes, part->own, bytes_of(&call->arrays[i]));
        }
        status = guard_run(call);
    } while (status == GUARD_AGAIN);
    for (int i = 0; i < call->array_count && status == GUARD_DONE; i++)
        if (parts->list[i].comes)
            memcpy(parts->list[i].own, call->arrays[i].bytes, bytes_of(&call->arrays[i]));
    return status == GUARD_DONE;
}

/* ---- reference -------------------------------------------------------------------------------------------------------- */

struct reference_call {
    const struct description *description;
    struct sent_case the_case;
    int plan, output;
    struct lab_data data;
    struct lab_expected expected;
    double *bound;
    char rule[RULE_BYTES];
};

static void call_reference(void *context)
{
    struct reference_call *call = context;
    struct lab_expected *expected = &call->expected;
    expected->bound = call->bound;
    expected->rule = NULL;
    call->description->hooks.reference(&call->description->lab, receive_case(&call->the_case), call->plan, call->output,
                                       &call->data, expected);
    if (expected->bound && call->bound && expected->bound != call->bound) /* an array of its own */
        memcpy(call->bound, expected->bound, expected->count * sizeof *call->bound);
    snprintf(call->rule, sizeof call->rule, "%s", expected->rule ? expected->rule : "");
}

void hook_calls_reference(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                          const struct lab_data *data, struct lab_expected *expected)
{
    if (sandbox_has_begun()) {
        description_of(lab)->hooks.reference(lab, the_case, plan, output, data, expected);
        return;
    }
    struct reference_call context = {
        .description = description_of(lab), .plan = plan, .output = output, .expected = *expected};
    struct parts parts = {
        .call = {
            .lab = lab, .the_case = the_case, .body = call_reference, .context = &context, .context_bytes = sizeof context}};
    send_case(the_case, &context.the_case);
    add_data(&parts, data, &context.data, false);
    add_part(&parts, "expected->i", sizeof *expected->i, expected->count, expected->i, (void **)&context.expected.i, false,
             true);
    add_part(&parts, "expected->f", sizeof *expected->f, expected->count, expected->f, (void **)&context.expected.f, false,
             true);
    add_part(&parts, "expected->bound", sizeof *expected->bound, expected->count, expected->bound, (void **)&context.bound,
             false, true);
    if (!run(&parts))
        return;
    context.rule[sizeof context.rule - 1] = '\0';
    expected->rule = context.rule[0] != '\0' ? keep_text(context.rule) : NULL;
    expected->scale = context.expected.scale;
    expected->columns = context.expected.columns;
    expected->bound = context.expected.bound ? expected->bound : NULL;
}

/* ---- inputs and sizes ------------------------------------------------------------------------------------------------- */

struct fill_call {
    const struct description *description;
    struct sent_case the_case;
    hook_fill_fn *hook;
    struct lab_random random;
    struct lab_data data;
};

static void call_fill(void *context)
{
    struct fill_call *call = context;
    call->hook(&call->description->lab, receive_case(&call->the_case), &call->random, &call->data);
}

void hook_calls_values(hook_fill_fn *hook, const struct lab *lab, const struct lab_case *the_case, struct lab_random *random,
                       struct lab_data *data)
{
    if (sandbox_has_begun() || module_is_built(description_of(lab)->module)) {
        hook(lab, the_case, random, data);
        return;
    }
    struct fill_call context = {.description = description_of(lab), .hook = hook, .random = *random};
    struct parts parts = {
        .call = {.lab = lab, .the_case = the_case, .body = call_fill, .context = &context, .context_bytes = sizeof context}};
    send_case(the_case, &context.the_case);
    add_data(&parts, data, &context.data, true);
    if (!run(&parts))
        return;
    *random = context.random;
    memcpy(data->scalar, context.data.scalar, sizeof data->scalar);
}

void hook_calls_fill(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random,
                     struct lab_data *data)
{
    hook_calls_values(description_of(lab)->hooks.fill, lab, the_case, random, data);
}

struct number_call {
    const struct description *description;
    struct sent_case the_case;
    int index, plan; /* of an array, or of a budget */
    size_t extent;
    double ideal;
};

static void call_extent(void *context)
{
    struct number_call *call = context;
    call->extent = call->description->hooks.extent(&call->description->lab, receive_case(&call->the_case), call->index);
}

size_t hook_calls_extent(const struct lab *lab, const struct lab_case *the_case, int index)
{
    if (sandbox_has_begun())
        return description_of(lab)->hooks.extent(lab, the_case, index);
    struct number_call context = {.description = description_of(lab), .index = index};
    struct parts parts = {
        .call = {
            .lab = lab, .the_case = the_case, .body = call_extent, .context = &context, .context_bytes = sizeof context}};
    send_case(the_case, &context.the_case);
    return run(&parts) ? context.extent : 0;
}

static void call_ideal(void *context)
{
    struct number_call *call = context;
    const struct description *description = call->description;
    call->ideal = description->hooks.ideals[call->index](&description->lab, &description->budgets[call->index],
                                                         receive_case(&call->the_case), call->plan);
}

double hook_calls_ideal(const struct lab *lab, const struct lab_budget *budget, const struct lab_case *the_case, int plan)
{
    struct number_call context = {
        .description = description_of(lab), .index = (int)(budget - description_of(lab)->budgets), .plan = plan};
    if (sandbox_has_begun())
        return context.description->hooks.ideals[context.index](lab, budget, the_case, plan);
    struct parts parts = {
        .call = {
            .lab = lab, .the_case = the_case, .body = call_ideal, .context = &context, .context_bytes = sizeof context}};
    send_case(the_case, &context.the_case);
    return run(&parts) ? context.ideal : NAN;
}

/* ---- wrong values ----------------------------------------------------------------------------------------------------- */

struct classify_call {
    const struct description *description;
    struct sent_case the_case;
    struct lab_data data;
    struct lab_expected expected;
    struct lab_wrong wrong;
    void *got;
    char rule[RULE_BYTES], names[LAB_MAX_ARRAYS][NAME_BYTES], scalar_names[LAB_MAX_SCALARS][NAME_BYTES];
    bool recognised;
    size_t message_bytes;
    char pattern[NAME_BYTES], message[MESSAGE_BYTES];
};

static void call_classify(void *context)
{
    struct classify_call *call = context;
    struct lab_wrong *wrong = &call->wrong;
    const char *pattern = "";
    wrong->the_case = receive_case(&call->the_case);
    wrong->data = &call->data;
    wrong->expected = &call->expected;
    wrong->got = call->got;
    call->expected.rule = call->rule;
    for (int i = 0; i < LAB_MAX_ARRAYS; i++)
        wrong->names[i] = call->names[i][0] != '\0' ? call->names[i] : NULL;
    for (int i = 0; i < LAB_MAX_SCALARS; i++)
        wrong->scalar_names[i] = call->scalar_names[i][0] != '\0' ? call->scalar_names[i] : NULL;
    call->recognised = call->description->hooks.classify(&call->description->lab, wrong, &pattern, call->message,
                                                         call->message_bytes);
    snprintf(call->pattern, sizeof call->pattern, "%s", pattern ? pattern : "");
}

bool hook_calls_classify(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, char *message,
                         size_t message_bytes)
{
    const struct lab_expected *expected = wrong->expected;
    if (sandbox_has_begun())
        return description_of(lab)->hooks.classify(lab, wrong, pattern, message, message_bytes);
    struct classify_call *context = allocate_zeroed(sizeof *context);
    *context = (struct classify_call){.description = description_of(lab),
                                      .expected = *expected,
                                      .wrong = *wrong,
                                      .message_bytes = message_bytes < MESSAGE_BYTES ? message_bytes : MESSAGE_BYTES};
    struct parts parts = {.call = {.lab = lab,
                                   .the_case = wrong->the_case,
                                   .body = call_classify,
                                   .context = context,
                                   .context_bytes = sizeof *context}};
    send_case(wrong->the_case, &context->the_case);
    snprintf(context->rule, sizeof context->rule, "%s", expected->rule ? expected->rule : "");
    for (int i = 0; i < LAB_MAX_ARRAYS; i++)
        snprintf(context->names[i], NAME_BYTES, "%s", wrong->names[i] ? wrong->names[i] : "");
    for (int i = 0; i < LAB_MAX_SCALARS; i++)
        snprintf(context->scalar_names[i], NAME_BYTES, "%s", wrong->scalar_names[i] ? wrong->scalar_names[i] : "");
    add_data(&parts, wrong->data, &context->data, false);
    add_part(&parts, "expected->i", sizeof *expected->i, expected->count, expected->i, (void **)&context->expected.i, true,
             false);
    add_part(&parts, "expected->f", sizeof *expected->f, expected->count, expected->f, (void **)&context->expected.f, true,
             false);
    add_part(&parts, "expected->bound", sizeof *expected->bound, expected->count, expected->bound,
             (void **)&context->expected.bound, true, false);
    union {
        const void *constant;
        void *bytes;
    } got = {wrong->got}; /* only read */
    add_part(&parts, "got", types_get(expected->type)->bytes, expected->count, got.bytes, &context->got, true, false);
    bool recognised = run(&parts) && context->recognised;
    if (recognised) {
        context->pattern[sizeof context->pattern - 1] = '\0';
        context->message[sizeof context->message - 1] = '\0';
        *pattern = keep_text(context->pattern);
        snprintf(message, message_bytes, "%s", context->message);
    }
    free(context);
    return recognised;
}
