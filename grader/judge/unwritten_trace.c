#include "grader/judge/unwritten_trace.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/block_trace.h"
#include "grader/judge/cases_work.h"

/* ---- which launch ------------------------------------------------------------------------------------------------------ */

static bool is_array(const struct plan_setup *setup, const struct lab_run *run, const struct lab_argument *argument,
                     const char *name, const struct plan_output *output)
{
    if (output && argument->kind == LAB_ARRAY_ARGUMENT && argument->value == output->array)
        return true;
    if (output && argument->kind == LAB_SCRATCH_ARGUMENT && argument->value == output->scratch)
        return output->array < 0;
    if (output)
        return false;
    if (argument->kind == LAB_ARRAY_ARGUMENT)
        return strcmp(setup->array_names[argument->value], name) == 0;
    return argument->kind == LAB_SCRATCH_ARGUMENT && strcmp(run->scratch[argument->value].name, name) == 0;
}

/* May the contract's kernel write through parameter k? */
static bool is_output(const struct lab_kernel *kernel, int k)
{
    const char *at = strchr(kernel->signature, '(');
    for (int i = 0; at && i < k; i++)
        at = strchr(at + 1, ',');
    if (!at)
        return false;
    const char *end = at + 1 + strcspn(at + 1, ",)"), *constant = strstr(at, "const");
    return !constant || constant >= end;
}

static void choose_block(struct unwritten_place *place)
{
    const struct plan_launch *launch = &place->launch;
    int64_t row = place->columns > 0 ? place->element / place->columns : 0;
    int64_t column = place->columns > 0 ? place->element % place->columns : place->element;
    int64_t blocks = (int64_t)launch->grid[0] * launch->grid[1];
    int64_t x = launch->items[0] > 0 ? column / launch->items[0] : 0;
    int64_t y = launch->items[1] > 0 && place->columns > 0 ? row / launch->items[1] : 0;
    if (place->columns == 0 && place->count == blocks && blocks > 1) { /* one element of each block */
        x = place->element;
        y = 0;
    }
    place->block[0] = x < launch->grid[0] ? (uint32_t)x : 0;
    place->block[1] = y < launch->grid[1] ? (uint32_t)y : 0;
    place->block[2] = 0;
}

bool unwritten_find_place(const struct plan_setup *setup, const struct lab_case *the_case,
                          const struct result_finding *finding, struct unwritten_place *place)
{
    const struct lab *lab = setup->lab;
    struct lab_run *run = allocate_zeroed(sizeof *run);
    const struct plan_output *output = NULL;
    bool found = false;
    memset(place, 0, sizeof *place);
    if (!plan_rehearse(run, setup, the_case) || run->launch_count > PLAN_MAX_LAUNCHES) {
        free(run);
        return false;
    }
    for (int i = 0; i < lab->output_count && !finding->before; i++)
        if (run->outputs[i].present && strcmp(lab->outputs[i].name, finding->output) == 0)
            output = &run->outputs[i];
    int seen[LAB_MAX_ALL_KERNELS] = {0};
    for (int i = 0; i < run->launch_count && !found && (output || finding->before); i++) {
        const struct plan_launch *launch = &run->launches[i];
        const struct lab_kernel *kernel = &lab->kernels[launch->kernel];
        int ordinal = seen[launch->kernel]++;
        if (finding->before && strcmp(finding->kernel, kernel->name) != 0)
            continue;
        for (int k = 0; k < LAB_MAX_ARGUMENTS && launch->arguments[k].kind != LAB_END && !found; k++) {
            const struct lab_argument *argument = &launch->arguments[k];
            if (!is_output(kernel, k) || !is_array(setup, run, argument, finding->array, output))
                continue;
            bool own = argument->kind == LAB_ARRAY_ARGUMENT;
            enum lab_type type = own ? lab->arrays[argument->value].type : run->scratch[argument->value].type;
            *place = (struct unwritten_place){.launch = *launch,
                                              .ordinal = ordinal,
                                              .parameter = k,
                                              .kernel = kernel->name,
                                              .element_bytes = types_get(type)->bytes};
            snprintf(place->array, sizeof place->array, "%s",
                     own ? setup->array_names[argument->value] : run->scratch[argument->value].name);
            snprintf(place->parameter_name, sizeof place->parameter_name, "%s", setup->parameter_names[launch->kernel][k]);
            place->columns = own && lab->columns ? (int64_t)lab->columns(lab, the_case, (int)argument->value) : 0;
            place->count = own ? (int64_t)lab->extent(lab, the_case, (int)argument->value)
                               : (int64_t)(run->scratch[argument->value].bytes / place->element_bytes);
            place->element = finding->index_count == 2 ? finding->index[0] * place->columns + finding->index[1]
                                                       : finding->index[0];
            place->element += output ? (int64_t)output->first : 0;
            found = true;
        }
    }
    free(run);
    if (found)
        choose_block(place);
    uint64_t threads = (uint64_t)place->launch.block[0] * place->launch.block[1] * place->launch.block[2];
    return found && place->parameter_name[0] != '\0' && threads > 0 && threads <= UNWRITTEN_THREADS;
}

/* ---- the trace --------------------------------------------------------------------------------------------------------- */

static struct unwritten_site *site_of(struct unwritten_seen *seen, int line)
{
    for (int i = 0; i < seen->site_count; i++)
        if (seen->sites[i].line == line)
            return &seen->sites[i];
    if (seen->site_count == UNWRITTEN_SITES)
        return NULL;
    seen->sites[seen->site_count] =
        (struct unwritten_site){.line = line, .low = INT64_MAX, .high = INT64_MIN, .regular = true};
    return &seen->sites[seen->site_count++];
}

static int64_t divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void add_store(struct unwritten_site *site, unsigned thread, int64_t element)
{
    if (site->stores > 0 && element - (int64_t)thread != site->first_element - (int64_t)site->first_thread)
        site->regular = false;
    if (site->stores++ == 0 || thread < site->first_thread) {
        site->first_thread = thread;
        site->first_element = element;
    }
    site->step = divisor(site->step, llabs(element - site->first_element));
    site->low = element < site->low ? element : site->low;
    site->high = element > site->high ? element : site->high;
}

static void count_element(struct unwritten_seen *seen, struct unwritten_site *site, const struct unwritten_place *place,
                          int64_t element)
{
    uint8_t bit = (uint8_t)(1u << (site - seen->sites));
    if (element < 0 || element >= place->count || seen->hit[element] & bit)
        return;
    seen->hit[element] |= bit;
    site->distinct++;
}

static void read_request(const json_t *request, int64_t array, int line, unsigned first_thread,
                         const struct unwritten_place *place, struct unwritten_seen *seen)
{
    const char *kind = json_string_value(json_object_get(request, "kind"));
    if (!kind || strcmp(kind, "read") == 0 || block_trace_integer(request, "array") != array)
        return;
    struct unwritten_site *site = site_of(seen, line);
    const json_t *at = json_object_get(request, "at");
    uint32_t lanes = (uint32_t)block_trace_integer(request, "lanes");
    int64_t element = (int64_t)place->element_bytes;
    int64_t at_once = block_trace_integer(request, "elements") * block_trace_integer(request, "bytes") / element;
    if (!site || at_once < 1) {
        seen->complete = false;
        return;
    }
    for (size_t i = 0; lanes != 0; lanes &= lanes - 1, i++) {
        unsigned thread = first_thread + (unsigned)__builtin_ctz(lanes);
        int64_t start = json_integer_value(json_array_get(at, i)) / element;
        for (int64_t k = 0; k < at_once; k++) {
            add_store(site, thread, start + k);
            if (thread < UNWRITTEN_THREADS && seen->stores[thread]++ == 0)
                seen->stored[thread] = start + k;
            count_element(seen, site, place, start + k);
            seen->wrote_missing |= start + k == place->element;
        }
        site->threads++;
    }
    site->at_once = at_once > site->at_once ? at_once : site->at_once;
}

/* Is each thread's element at the same distance from its number? */
static void find_regular(struct unwritten_seen *seen)
{
    for (int i = 0; i < seen->site_count; i++) {
        struct unwritten_site *site = &seen->sites[i];
        site->regular &= site->stores == site->threads && site->threads <= seen->threads
                         && site->high - site->low + 1 >= site->stores;
    }
}

static void read_step(const json_t *step, int64_t array, int store_line, int end_line, const struct unwritten_place *place,
                      struct unwritten_seen *seen)
{
    int line = (int)block_trace_integer(step, "line");
    unsigned first = (unsigned)block_trace_integer(step, "warp") * 32;
    uint32_t mask = (uint32_t)block_trace_integer(step, "mask");
    int64_t order = block_trace_integer(step, "order");
    const json_t *request;
    size_t i;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned thread = first + (unsigned)__builtin_ctz(rest);
        if (thread >= seen->threads || line == 0)
            continue;
        seen->came[thread] |= line == store_line;
        if (line != end_line && order >= seen->last_order[thread]) {
            seen->last_order[thread] = order;
            seen->last_line[thread] = line;
        }
    }
    json_array_foreach(json_object_get(step, "requests"), i, request)
    {
        read_request(request, array, line, first, place, seen);
    }
}

/* Reads what the one launch did. */
static void read_trace(const char *text, const struct unwritten_place *place, int store_line, int end_line,
                       struct unwritten_seen *seen)
{
    int64_t array = -1, launch = -1;
    int ordinal = 0;
    json_t *record;
    memset(seen, 0, sizeof *seen);
    seen->hit = allocate_zeroed((size_t)place->count + 1);
    seen->threads = place->launch.block[0] * place->launch.block[1] * place->launch.block[2];
    while ((record = block_trace_next(&text))) {
        bool here = launch >= 0 && block_trace_integer(record, "launch") == launch;
        if (block_trace_is(record, "launch") && strcmp(block_trace_text(record, "kernel"), place->kernel) == 0
            && ordinal++ == place->ordinal) {
            launch = block_trace_integer(record, "launch");
            seen->complete = block_trace_integer(record, "in_grid") != 0;
        } else if (here && block_trace_is(record, "array") && strcmp(block_trace_text(record, "name"), place->array) == 0
                   && strcmp(block_trace_text(record, "space"), "global") == 0) {
            seen->complete &= array < 0; /* two of one name */
            array = block_trace_integer(record, "array");
        } else if (here && block_trace_is(record, "step")) {
            read_step(record, array, store_line, end_line, place, seen);
        } else if (here && block_trace_is(record, "cut")) {
            seen->complete = false;
        }
        json_decref(record);
    }
    find_regular(seen);
}

bool unwritten_trace(struct cases_work *work, int index, const struct unwritten_place *place, int store_line, int end_line,
                     struct unwritten_seen *seen)
{
    char *text = block_trace(work, index, place->block);
    if (text)
        read_trace(text, place, store_line, end_line, seen);
    free(text);
    return text && seen->complete;
}
