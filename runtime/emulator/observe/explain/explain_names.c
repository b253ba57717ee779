/* The names that the source gives to parameters and arrays. */
#include "runtime/emulator/observe/explain/explain.h"

#include <stdio.h>
#include <string.h>

#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/language/demangle.h"
#include "runtime/language/numba.h"

/* Compilers call parameters KERNEL_param_2, which students do not know; hand-written PTX has names. */
static void name_by_position(const char *name, uint32_t index, char *text, size_t bytes)
{
    char made[32];
    snprintf(made, sizeof made, "_param_%u", index);
    size_t length = strlen(name), tail = strlen(made);
    if (length > tail && strcmp(name + length - tail, made) == 0)
        snprintf(text, bytes, "parameter %u", index + 1);
    else
        snprintf(text, bytes, "%s", name);
}

/* A parameter of a kernel that Numba made of a Python function: the name there, else its position there. */
static bool name_in_python(const struct launch *launch, const struct source *source, uint32_t index, char *text,
                           size_t bytes)
{
    const struct program_function *kernel = launch->request->function;
    char readable[128], plain[128];
    int argument = numba_argument_of(kernel->name, (unsigned)kernel->parameter_count, index);
    if (argument < 0)
        return false;
    demangle_function(kernel->name, readable, sizeof readable);
    explain_plain_name(readable, plain, sizeof plain);
    int line = place_line(kernel->program->module, launch->code->function, 0);
    if (!source || !numba_argument_name(source->text, source->bytes, plain, line, (unsigned)argument, text, bytes))
        snprintf(text, bytes, "parameter %d", argument + 1);
    return true;
}

void explain_name_parameter(const struct launch *launch, uint32_t index, char *text, size_t bytes)
{
    const struct source *source = explain_source(launch);
    const struct program_function *kernel = launch->request->function;
    struct source_function function;
    if (source && explain_kernel(launch, source, &function) && function.parameter_count == kernel->parameter_count
        && index < function.parameter_count && function.parameters[index])
        snprintf(text, bytes, "%.*s", source->tokens[function.parameters[index]].length,
                 source->tokens[function.parameters[index]].text);
    else if (!name_in_python(launch, source, index, text, bytes))
        name_by_position(kernel->parameters[index].name, index, text, bytes);
}

/* Is the token the name in `__shared__ float tile[16][17]`? */
static bool is_declared(const struct source *source, size_t at, const char *name)
{
    if (!source_token_is(&source->tokens[at], name) || !source_token_is(&source->tokens[at + 1], "["))
        return false;
    for (size_t k = at; k-- > 0 && !source_token_is(&source->tokens[k], ";");)
        if (source_token_is(&source->tokens[k], "__shared__") || source_token_is(&source->tokens[k], "__device__")
            || source_token_is(&source->tokens[k], "__constant__"))
            return true;
    return false;
}

/* The extent of the last dimension of what is declared there, 0 for one dimension or when it is not understood. */
static int64_t extent_at(const struct launch *launch, const struct source *source, size_t name, uint64_t elements,
                         struct finding *finding)
{
    int64_t extents[3] = {0};
    unsigned dimensions = 0;
    size_t at = name + 1;
    for (; dimensions < 3 && source_token_is(&source->tokens[at], "["); dimensions++) {
        size_t close = source_closing(source, at, source->token_count);
        if (close + 1 >= source->token_count || !explain_constant(launch, source, at + 1, close, &extents[dimensions]))
            return 0;
        at = close + 1;
    }
    bool fits = dimensions == 2 && !source_token_is(&source->tokens[at], "[") && extents[1] > 0
                && (uint64_t)extents[0] * (uint64_t)extents[1] == elements;
    if (dimensions == 3 && !source_token_is(&source->tokens[at], "[") && extents[1] > 0 && extents[2] > 0
        && (uint64_t)extents[0] * (uint64_t)extents[1] * (uint64_t)extents[2] == elements) {
        finding->rows = extents[1];
        finding->depth_columns = extents[2];
    }
    return fits ? extents[1] : 0;
}

/* Other kernels of the file may have an array of the same name: what the kernel declares itself decides. */
static int64_t last_extent(const struct launch *launch, const struct source *source, const char *name, uint64_t elements,
                           struct finding *finding)
{
    struct source_function kernel;
    int64_t extent = 0;
    if (explain_kernel(launch, source, &kernel))
        for (size_t i = kernel.name; i < kernel.last; i++)
            if (is_declared(source, i, name))
                return extent_at(launch, source, i, elements, finding);
    for (size_t i = 1; i + 2 < source->token_count && !extent; i++)
        if (is_declared(source, i, name))
            extent = extent_at(launch, source, i, elements, finding);
    return extent;
}

size_t explain_array_declaration(const struct launch *launch, const struct source *source, const char *name)
{
    struct source_function kernel;
    if (explain_kernel(launch, source, &kernel))
        for (size_t i = kernel.name; i < kernel.last; i++)
            if (is_declared(source, i, name))
                return i;
    for (size_t i = 1; i + 2 < source->token_count; i++)
        if (is_declared(source, i, name))
            return i;
    return 0;
}

void explain_name_variable(const struct launch *launch, const struct ptx_variable *variable, uint64_t bytes,
                           unsigned element_bytes, struct finding *finding)
{
    const struct source *source = explain_source(launch);
    demangle_variable(variable->name, finding->array, sizeof finding->array);
    finding->is_scalar = variable->bytes > 0 && variable->bytes == variable->element_bytes;
    finding->rows = finding->depth_columns = 0;
    if (source && element_bytes)
        finding->columns = last_extent(launch, source, finding->array, bytes / element_bytes, finding);
}

/* ---- types ---- */

/* The type that the words of a declaration name, from token `at` on; NULL: a structure, a template's, something unknown. */
static const char *type_at(const struct source *source, size_t at)
{
    static const struct {
        const char *word, *type, *unsigned_type;
    } types[] = {
        {"float", "f32", NULL},  {"double", "f64", NULL},   {"half", "f16", NULL},     {"__half", "f16", NULL},
        {"int8_t", "s8", NULL},  {"int16_t", "s16", NULL},  {"int32_t", "s32", NULL},  {"int64_t", "s64", NULL},
        {"uint8_t", "u8", NULL}, {"uint16_t", "u16", NULL}, {"uint32_t", "u32", NULL}, {"uint64_t", "u64", NULL},
        {"size_t", "u64", NULL}, {"char", "s8", "u8"},      {"short", "s16", "u16"},   {"long", "s64", "u64"},
        {"int", "s32", "u32"},
    };
    static const char *const passed_over[] = {"const", "volatile", "signed", "static", "extern", "__restrict__"};
    bool is_unsigned = false;
    for (; at < source->token_count; at++) {
        const struct source_token *token = &source->tokens[at];
        bool goes_on = source_token_is(token, "unsigned");
        is_unsigned |= goes_on;
        for (size_t i = 0; i < sizeof passed_over / sizeof *passed_over; i++)
            goes_on |= source_token_is(token, passed_over[i]);
        for (size_t i = 0; !goes_on && i < sizeof types / sizeof *types; i++)
            if (source_token_is(token, types[i].word))
                return is_unsigned && types[i].unsigned_type ? types[i].unsigned_type : types[i].type;
        if (!goes_on)
            break;
    }
    return is_unsigned ? "u32" : NULL;
}

/* The token behind __shared__, __device__, __constant__ and __align__(…), with which a declaration begins. */
static size_t behind_space(const struct source *source, size_t name)
{
    size_t at = name, first = name;
    while (at-- > 0 && !source_token_is(&source->tokens[at], ";") && !source_token_is(&source->tokens[at], "{")
           && !source_token_is(&source->tokens[at], "}"))
        first = at;
    for (at = first; at < name && !source_token_is(&source->tokens[at], "["); at++)
        if (source_token_is(&source->tokens[at], "__shared__") || source_token_is(&source->tokens[at], "__device__")
            || source_token_is(&source->tokens[at], "__constant__") || source_token_is(&source->tokens[at], ")"))
            first = at + 1;
    return first;
}

const char *explain_element_type(const struct launch *launch, const char *name)
{
    const struct source *source = explain_source(launch);
    struct source_function kernel;
    bool has_kernel = source && explain_kernel(launch, source, &kernel);
    for (unsigned i = 0; has_kernel && i < kernel.parameter_count; i++)
        if (kernel.parameters[i] && source_token_is(&source->tokens[kernel.parameters[i]], name))
            return type_at(source, kernel.types[i]);
    for (size_t i = has_kernel ? kernel.first : 0; has_kernel && i < kernel.last; i++)
        if (is_declared(source, i, name))
            return type_at(source, behind_space(source, i));
    for (size_t i = 1; source && i + 2 < source->token_count; i++)
        if (is_declared(source, i, name))
            return type_at(source, behind_space(source, i));
    return NULL;
}
