#include "runtime/language/ptx/merge.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/language/ptx/printer.h"

/* In rising order of precedence. */
enum strength { STRENGTH_OWN, STRENGTH_DECLARED, STRENGTH_WEAK, STRENGTH_VISIBLE };

/* A function or a variable of a module. */
struct item {
    const char *name;
    enum strength strength;
    size_t input;
    struct ptx_function *function; /* or */
    struct ptx_variable *variable;
    bool dropped; /* another item with that name replaces it */
};

struct merge {
    const struct ptx_input *inputs;
    size_t input_count;
    struct item *items; /* of all modules, those of one name together, the strongest first */
    size_t item_count;
    struct diagnostic *diagnostic;
};

static enum strength strength_of(bool is_definition, bool is_visible, bool is_weak)
{
    if (!is_definition)
        return STRENGTH_DECLARED;
    return is_weak ? STRENGTH_WEAK : is_visible ? STRENGTH_VISIBLE : STRENGTH_OWN;
}

static int by_name(const void *a, const void *b)
{
    const struct item *first = a, *second = b;
    int order = strcmp(first->name, second->name);
    if (order == 0)
        order = (int)second->strength - (int)first->strength;
    return order ? order : (first->input > second->input) - (first->input < second->input);
}

/* Lists what the modules hold. Returns false when memory ran out. */
static bool collect(struct merge *merge)
{
    size_t capacity = 1;
    for (size_t i = 0; i < merge->input_count; i++)
        capacity += merge->inputs[i].module->function_count + merge->inputs[i].module->variable_count;
    merge->items = calloc(capacity, sizeof *merge->items);
    if (!merge->items)
        return false;
    for (size_t i = 0; i < merge->input_count; i++) {
        const struct ptx_module *module = merge->inputs[i].module;
        for (size_t f = 0; f < module->function_count; f++) {
            struct ptx_function *function = module->functions[f];
            merge->items[merge->item_count++] =
                (struct item){.name = function->name,
                              .input = i,
                              .function = function,
                              .strength = strength_of(function->has_body, function->is_visible, function->is_weak)};
        }
        for (size_t v = 0; v < module->variable_count; v++) {
            struct ptx_variable *variable = module->variables[v];
            merge->items[merge->item_count++] =
                (struct item){.name = variable->name,
                              .input = i,
                              .variable = variable,
                              .strength = strength_of(!variable->is_extern, variable->is_visible, variable->is_weak)};
        }
    }
    qsort(merge->items, merge->item_count, sizeof *merge->items, by_name);
    return true;
}

/* How many items from the first on have its name. */
static size_t run_length(const struct merge *merge, size_t first)
{
    size_t end = first + 1;
    while (end < merge->item_count && strcmp(merge->items[end].name, merge->items[first].name) == 0)
        end++;
    return end - first;
}

__attribute__((format(printf, 2, 3))) static void complain(struct merge *merge, const char *format, ...)
{
    char *text = merge->diagnostic->message;
    size_t used = strlen(text), room = sizeof merge->diagnostic->message - used;
    if (used > 0 && room > 2) {
        text[used++] = '\n';
        room--;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, room, format, arguments);
    va_end(arguments);
}

/* Reports names with two visible definitions. Returns how many. */
static size_t find_duplicates(struct merge *merge)
{
    size_t count = 0;
    for (size_t at = 0; at + 1 < merge->item_count; at++) {
        const struct item *first = &merge->items[at], *second = first + 1;
        if (first->strength != STRENGTH_VISIBLE || second->strength != STRENGTH_VISIBLE
            || strcmp(first->name, second->name) != 0)
            continue;
        complain(merge, "'%s' is defined in '%s' and again in '%s'.", first->name, merge->inputs[first->input].name,
                 merge->inputs[second->input].name);
        count++;
    }
    return count;
}

/* Gives a module's private items names that no other module has. Initialisers refer to it by name. */
static bool rename_own(struct merge *merge, struct item *item)
{
    struct ptx_module *module = merge->inputs[item->input].module;
    size_t bytes = strlen(item->name) + 24;
    char *name = arena_allocate(&module->arena, bytes);
    if (!name)
        return false;
    snprintf(name, bytes, "%s$%zu", item->name, item->input + 1);
    for (size_t v = 0; v < module->variable_count; v++)
        for (struct ptx_relocation *r = module->variables[v]->relocations; r; r = r->next)
            if (strcmp(r->symbol, item->name) == 0)
                r->symbol = name;
    if (item->function)
        item->function->name = name;
    else
        item->variable->name = name;
    return true;
}

/* Declarations without size, such as dynamic shared memory, need no definition. */
static bool needs_definition(const struct item *item, bool (*provided)(const char *name))
{
    if (item->function)
        return !provided(item->name);
    return item->variable->space != SPACE_SHARED || item->variable->bytes > 0;
}

/* Decides for each name which item stays. Returns false when memory ran out. */
static bool resolve(struct merge *merge, bool (*provided)(const char *name), size_t *missing)
{
    for (size_t at = 0, length; at < merge->item_count; at += length) {
        struct item *group = &merge->items[at];
        length = run_length(merge, at);
        bool shared_name = group->strength != STRENGTH_OWN;
        if (group->strength == STRENGTH_DECLARED && needs_definition(group, provided)) {
            complain(merge, "'%s' is used in '%s' but never defined.", group->name, merge->inputs[group->input].name);
            ++*missing;
        }
        for (size_t i = 0; i < length; i++) {
            if (group[i].strength != STRENGTH_OWN)
                group[i].dropped = i > 0;
            else if ((shared_name || length > 1) && !rename_own(merge, &group[i]))
                return false;
        }
    }
    return true;
}

/* ---- the merged module: the parts of all, each part still in its module's memory ---- */

static bool append(struct arena *arena, void *array, size_t *count, size_t *capacity, const void *element, size_t bytes)
{
    void *grown = arena_grow(arena, *(void **)array, *count, *count + 1, capacity, bytes);
    if (!grown)
        return false;
    *(void **)array = grown;
    memcpy((char *)grown + (*count)++ * bytes, element, bytes);
    return true;
}

/* Adds files and locations with numbers that follow the existing ones. */
static bool append_places(struct ptx_module *merged, struct ptx_module *module)
{
    int first_file = 0, first_location = (int)merged->location_count;
    for (size_t i = 0; i < merged->file_count; i++)
        first_file = merged->files[i].number > first_file ? merged->files[i].number : first_file;
    for (size_t i = 0; i < module->file_count; i++) {
        struct ptx_file file = {module->files[i].number + first_file, module->files[i].name};
        if (!append(&merged->arena, &merged->files, &merged->file_count, &merged->file_capacity, &file, sizeof file))
            return false;
    }
    for (size_t i = 0; i < module->location_count; i++) {
        struct ptx_location location = module->locations[i];
        location.file += location.file ? first_file : 0;
        location.inlined_file += location.inlined_file ? first_file : 0;
        if (!append(&merged->arena, &merged->locations, &merged->location_count, &merged->location_capacity, &location,
                    sizeof location))
            return false;
    }
    for (size_t f = 0; f < module->function_count; f++) {
        struct ptx_function *function = module->functions[f];
        for (size_t i = 0; i < function->instruction_count; i++)
            function->instructions[i].location += function->instructions[i].location >= 0 ? first_location : 0;
    }
    return true;
}

static int by_input(const void *a, const void *b)
{
    const struct item *first = a, *second = b;
    if (first->input != second->input)
        return first->input < second->input ? -1 : 1;
    int first_line = first->function ? first->function->line : first->variable->line;
    int second_line = second->function ? second->function->line : second->variable->line;
    return first_line - second_line;
}

static bool build(struct merge *merge, struct ptx_module *merged)
{
    merged->version_major = 7;
    merged->target = 30;
    merged->target_text = "sm_80";
    for (size_t i = 0; i < merge->input_count; i++) {
        struct ptx_module *module = merge->inputs[i].module;
        int version = 10 * module->version_major + module->version_minor;
        if (i == 0 || version > 10 * merged->version_major + merged->version_minor) {
            merged->version_major = module->version_major;
            merged->version_minor = module->version_minor;
        }
        if (i == 0 || module->target > merged->target) {
            merged->target = module->target;
            merged->target_text = module->target_text;
        }
        if (!append_places(merged, module))
            return false;
    }
    qsort(merge->items, merge->item_count, sizeof *merge->items, by_input);
    for (size_t i = 0; i < merge->item_count; i++) {
        const struct item *item = &merge->items[i];
        bool good = item->dropped
                    || (item->function ? append(&merged->arena, &merged->functions, &merged->function_count,
                                                &merged->function_capacity, &item->function, sizeof item->function)
                                       : append(&merged->arena, &merged->variables, &merged->variable_count,
                                                &merged->variable_capacity, &item->variable, sizeof item->variable));
        if (!good)
            return false;
    }
    return true;
}

enum ptx_merge_status ptx_merge_check(const struct ptx_input *inputs, size_t count, struct diagnostic *diagnostic)
{
    struct merge merge = {.inputs = inputs, .input_count = count, .diagnostic = diagnostic};
    enum ptx_merge_status status = PTX_MERGE_OUT_OF_MEMORY;
    if (collect(&merge))
        status = find_duplicates(&merge) ? PTX_MERGE_CONFLICT : PTX_MERGE_OK;
    free(merge.items);
    return status;
}

enum ptx_merge_status ptx_merge(const struct ptx_input *inputs, size_t count, bool (*provided)(const char *name),
                                char **text, size_t *length, struct diagnostic *diagnostic)
{
    struct merge merge = {.inputs = inputs, .input_count = count, .diagnostic = diagnostic};
    struct ptx_module merged = {0};
    enum ptx_merge_status status = PTX_MERGE_OUT_OF_MEMORY;
    size_t wrong = 0;
    *text = NULL;
    arena_init(&merged.arena);
    if (collect(&merge)) {
        wrong = find_duplicates(&merge);
        if (resolve(&merge, provided, &wrong) && (wrong > 0 || build(&merge, &merged)))
            status = wrong > 0 ? PTX_MERGE_CONFLICT : PTX_MERGE_OK;
    }
    if (status == PTX_MERGE_OK) {
        *text = ptx_print(&merged, length);
        status = *text ? PTX_MERGE_OK : PTX_MERGE_OUT_OF_MEMORY;
    }
    arena_clear(&merged.arena);
    free(merge.items);
    return status;
}
