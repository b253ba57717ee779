/* Structures in the source: which member of which element an access to `p[i].y` means, and which pointer lies at a place of a
 * parameter, by their layout in C. */
#include <stdio.h>
#include <string.h>

#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/observe/explain/explain.h"

/* Sizes and alignments in bytes. */
static const struct {
    const char *name;
    uint8_t bytes, align;
} types[] = {
    {"char", 1, 1},     {"bool", 1, 1},     {"int8_t", 1, 1}, {"uint8_t", 1, 1}, {"short", 2, 2},    {"int16_t", 2, 2},
    {"uint16_t", 2, 2}, {"half", 2, 2},     {"__half", 2, 2}, {"int", 4, 4},     {"unsigned", 4, 4}, {"uint", 4, 4},
    {"int32_t", 4, 4},  {"uint32_t", 4, 4}, {"float", 4, 4},  {"long", 8, 8},    {"size_t", 8, 8},   {"int64_t", 8, 8},
    {"uint64_t", 8, 8}, {"double", 8, 8},   {"int2", 8, 8},   {"uint2", 8, 8},   {"float2", 8, 8},   {"int3", 12, 4},
    {"uint3", 12, 4},   {"float3", 12, 4},  {"int4", 16, 16}, {"uint4", 16, 16}, {"float4", 16, 16}, {"double2", 16, 16},
    {"double3", 24, 8},
};

struct layout {
    int64_t bytes, align;
    int64_t member; /* offset of the member that is searched; -1: not found */
};

/* Adds one word to a type: `unsigned char`, `long long`. Returns false for a word that is not part of a type. */
static bool add_type_word(const struct source_token *token, int64_t *bytes, int64_t *align)
{
    if (source_token_is(token, "const") || source_token_is(token, "signed") || source_token_is(token, "volatile"))
        return true;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (source_token_is(token, types[i].name)) {
            bool weak = source_token_is(token, "int") && *bytes; /* long int, short int */
            if (!weak) {
                *bytes = types[i].bytes;
                *align = types[i].align;
            }
            return true;
        }
    return false;
}

static bool add_member(const struct source *source, size_t name, const struct source_token *wanted, int64_t bytes,
                       int64_t align, int64_t count, struct layout *layout)
{
    layout->bytes = (layout->bytes + align - 1) / align * align;
    if (source_token_same(&source->tokens[name], wanted))
        layout->member = layout->bytes;
    layout->bytes += bytes * count;
    layout->align = align > layout->align ? align : layout->align;
    return count > 0 && layout->bytes < (1 << 20);
}

/* One declaration, `float x, *next, v[3];`, from token `at` on. Returns the token after it; 0 when it is not understood:
 * then neither is the structure. */
static size_t read_member(const struct explain_view *view, size_t at, size_t end, const struct source_token *wanted,
                          struct layout *layout)
{
    const struct source *source = view->source;
    int64_t bytes = 0, align = 1, own_bytes, own_align, count;
    while (at < end && add_type_word(&source->tokens[at], &bytes, &align))
        at++;
    while (at < end && bytes) {
        own_bytes = bytes;
        own_align = align;
        count = 1;
        while (at < end
               && (source_token_is(&source->tokens[at], "*") || source_token_is(&source->tokens[at], "__restrict__"))) {
            own_bytes = own_align = 8;
            at++;
        }
        size_t name = at++;
        if (source->tokens[name].kind != SOURCE_WORD)
            return 0;
        while (at < end && source_token_is(&source->tokens[at], "[")) {
            size_t close = source_closing(source, at, end);
            int64_t extent;
            if (close >= end || !explain_constant(view->launch, source, at + 1, close, &extent) || extent <= 0
                || extent > (1 << 20) || count > (1 << 20))
                return 0;
            count *= extent;
            at = close + 1;
        }
        if (at >= end || !add_member(source, name, wanted, own_bytes, own_align, count, layout))
            return 0;
        if (source_token_is(&source->tokens[at], ";"))
            return at + 1;
        if (!source_token_is(&source->tokens[at++], ","))
            return 0;
    }
    return 0;
}

/* The type of a parameter, without what it is declared with. */
static size_t type_of(const struct source *source, const struct source_function *function, unsigned parameter)
{
    size_t type = function->types[parameter];
    while (type < function->parameters[parameter]
           && (source_token_is(&source->tokens[type], "const") || source_token_is(&source->tokens[type], "struct")
               || source_token_is(&source->tokens[type], "__grid_constant__")))
        type++;
    return type;
}

/* The body of `struct name { … }` or `typedef struct { … } name`: tokens [*first, *end). */
static bool find_body(const struct source *source, const struct source_token *name, size_t *first, size_t *end)
{
    for (size_t i = 0; i + 3 < source->token_count; i++) {
        if (!source_token_is(&source->tokens[i], "struct"))
            continue;
        size_t open = source_token_is(&source->tokens[i + 1], "{") ? i + 1 : i + 2;
        size_t close = source_token_is(&source->tokens[open], "{") ? source_closing(source, open, source->token_count)
                                                                   : source->token_count;
        if (close + 1 >= source->token_count
            || !(source_token_same(&source->tokens[i + 1], name) || source_token_same(&source->tokens[close + 1], name)))
            continue;
        *first = open + 1;
        *end = close;
        return true;
    }
    return false;
}

/* The layout of the structure of that name, with the offset of a member. */
static bool find_layout(const struct explain_view *view, const struct source_token *name, const struct source_token *wanted,
                        struct layout *layout)
{
    size_t at, close;
    if (!find_body(view->source, name, &at, &close))
        return false;
    *layout = (struct layout){.align = 1, .member = -1};
    while (at && at < close)
        at = read_member(view, at, close, wanted, layout);
    layout->bytes = (layout->bytes + layout->align - 1) / layout->align * layout->align;
    return at == close && layout->member >= 0;
}

void explain_name_field(const struct launch *launch, uint32_t index, uint64_t offset, char *text, size_t bytes)
{
    enum { MOST_POINTERS = 32 };
    const struct source *source = explain_source(launch);
    struct explain_view view = {.launch = launch, .source = source};
    struct layout layout;
    size_t first, end;
    *text = '\0';
    if (!source || !explain_kernel(launch, source, &view.function)
        || view.function.parameter_count != launch->request->function->parameter_count
        || index >= view.function.parameter_count || !view.function.parameters[index])
        return;
    const struct source_token *name = &source->tokens[view.function.parameters[index]],
                              *type = &source->tokens[type_of(source, &view.function, index)];
    if (type + 1 != name || !find_body(source, type, &first, &end))
        return;
    unsigned pointers = 0;
    for (size_t i = first + 1; i < end && pointers < MOST_POINTERS; i++) {
        const struct source_token *token = &source->tokens[i];
        if (token->kind != SOURCE_WORD || source_token_is(token, "__restrict__") || source_token_is(token + 1, "[")
            || !(source_token_is(token - 1, "*") || source_token_is(token - 1, "__restrict__")))
            continue;
        pointers++;
        if (find_layout(&view, type, token, &layout) && layout.member == (int64_t)offset) {
            snprintf(text, bytes, "%.*s.%.*s", name->length, name->text, token->length, token->text);
            return;
        }
    }
}

bool explain_member(struct explain_view *view, const char *parameter, size_t first, size_t end,
                    const struct source_token *member, int64_t offset, int64_t *index, int64_t *bytes)
{
    const struct source *source = view->source;
    struct expression expression;
    struct layout layout;
    for (unsigned i = 0; view->in_kernel && i < view->function.parameter_count; i++) {
        size_t name = view->function.parameters[i];
        if (!name || !source_token_is(&source->tokens[name], parameter))
            continue;
        size_t type = type_of(source, &view->function, i);
        view->unknown = NULL;
        int64_t place;
        if (!find_layout(view, &source->tokens[type], member, &layout) || !explain_evaluate(view, first, end, &expression)
            || view->unknown || __builtin_mul_overflow(expression.value, layout.bytes, &place)
            || __builtin_add_overflow(place, layout.member, &place) || place != offset)
            return false;
        *index = expression.value;
        *bytes = layout.bytes;
        return true;
    }
    return false;
}
