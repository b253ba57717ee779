#include "grader/judge/stores.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "runtime/language/expression.h"

enum { MOST_DEPTH = 8, MOST_NAMES = 3 };

static const char *const changes[] = {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "++", "--"};
static const char *const steps[] = {"++", "--"};

/* ---- stores ------------------------------------------------------------------------------------------------------------ */

static int column_of(const struct source *source, const struct source_token *token)
{
    int length;
    return (int)(token->text - source_line_of(source, token, &length)) + 1;
}

static void add_line(struct stores *stores, size_t name, size_t end, bool sets)
{
    const struct source_token *token = &stores->source->tokens[name], *last = &stores->source->tokens[end - 1];
    if (stores->count == STORES_MOST) {
        stores->has_alias = true;
        return;
    }
    bool subscript = end > name + 2;
    int width = last->line == token->line ? (int)(last->text - token->text) + last->length : token->length;
    stores->lines[stores->count++] = (struct stores_line){.line = token->line,
                                                          .column = column_of(stores->source, token),
                                                          .width = width,
                                                          .sets = sets,
                                                          .subscript = subscript ? name + 2 : name,
                                                          .subscript_end = subscript ? end - 1 : name};
}

/* Is the element before token `end` an argument of an atomic function, `atomicAdd(&out[i], …`? */
static bool is_atomic(const struct source *source, size_t name)
{
    const struct source_token *token = &source->tokens[name];
    return name >= 3 && source_token_is(token - 1, "&") && source_token_is(token - 2, "(")
           && strncmp(token[-3].text, "atomic", 6) == 0;
}

/* Has a function of the file a parameter that is a reference? Those of CUDA take values, or an address. */
static bool has_references(const struct source *source)
{
    for (size_t i = 0; i + 1 < source->token_count; i++) {
        bool begins = source_token_is(&source->tokens[i], "__device__") || source_token_is(&source->tokens[i], "]");
        size_t open = i + 1;
        while (begins && open < source->token_count && open < i + 8 && !source_token_is(&source->tokens[open], "("))
            open++;
        if (!begins || open >= source->token_count || !source_token_is(&source->tokens[open], "("))
            continue;
        if (source_token_is(&source->tokens[i], "]") && open != i + 1)
            continue;
        size_t end = source_closing(source, open, source->token_count);
        for (size_t k = open; k < end; k++)
            if (source_token_is(&source->tokens[k], "&") && source->tokens[k - 1].kind == SOURCE_WORD
                && source->tokens[k + 1].kind == SOURCE_WORD)
                return true;
    }
    return false;
}

/* May the element be given away by reference: to a function of the file, or to a name of its own? */
static bool is_given_away(const struct source *source, size_t name)
{
    const struct source_token *token = &source->tokens[name];
    static const char *const no_calls[] = {"if", "while", "for", "switch", "return", "sizeof"};
    if (name < 3)
        return true;
    if (source_token_is(token - 1, "&"))
        return token[-2].kind == SOURCE_SIGN && !source_token_is(token - 2, ")") && !source_token_is(token - 2, "]");
    if (source_token_is(token - 1, "=") && source_token_is(token - 3, "&"))
        return true;
    bool called = source_token_is(token - 1, "(") && token[-2].kind == SOURCE_WORD && !SOURCE_IS_ANY(token - 2, no_calls);
    return (called || source_token_is(token - 1, ",")) && has_references(source);
}

/* `float *p = out;`, `float4 *p = (float4 *)out + first;`, `float *p = &out[first];`: the token of p, where `at` is that of out and
 * the declaration is all that the statement is. 0: it is none. */
static size_t find_pointer(const struct stores *stores, size_t at)
{
    const struct source *source = stores->source;
    const struct source_token *tokens = source->tokens;
    size_t first = at, end = at + 1;
    bool element = source_token_is(&tokens[first - 1], "&") && source_token_is(&tokens[end], "[");
    first -= element;
    if (source_token_is(&tokens[first - 1], ")")) { /* a cast */
        size_t open = first - 1;
        while (open > stores->function.first && !source_token_is(&tokens[open], "("))
            open--;
        first = source_token_is(&tokens[first - 2], "*") ? open : first;
    }
    while (end < stores->function.last && !source_token_is(&tokens[end], ";") && !source_token_is(&tokens[end], ","))
        end++;
    size_t name = first - 2;
    bool declared = source_token_is(&tokens[first - 1], "=") && tokens[name].kind == SOURCE_WORD
                    && source_token_is(&tokens[name - 1], "*") && tokens[name - 2].kind == SOURCE_WORD;
    bool moved = source_token_is(&tokens[at + 1], ";") || source_token_is(&tokens[at + 1], "+") || element;
    return declared && moved && source_token_is(&tokens[end], ";") && stores->name_count < STORES_NAMES ? name : 0;
}

static void look_at(struct stores *stores, size_t at)
{
    const struct source *source = stores->source;
    const struct source_token *token = &source->tokens[at];
    size_t end = at + 1;
    stores->used_line = token->line;
    size_t pointer = stores->is_scalar ? 0 : find_pointer(stores, at);
    if (pointer > 0) {
        stores->names[stores->name_count++] = pointer;
        return;
    }
    bool pointed = source_token_is(token - 1, "*") && token[-2].kind == SOURCE_SIGN && !source_token_is(token - 2, ")")
                   && !source_token_is(token - 2, "]");
    if (!source_token_is(&source->tokens[end], "[")) {
        bool changed = SOURCE_IS_ANY(&source->tokens[end], changes) || SOURCE_IS_ANY(token - 1, steps)
                       || is_atomic(source, at);
        if ((pointed || stores->is_scalar) && changed)
            add_line(stores, at, end, source_token_is(&source->tokens[end], "="));
        else if (stores->is_scalar ? source_token_is(token - 1, "&") || is_given_away(source, at) : !pointed)
            stores->has_alias = true;
        return;
    }
    while (end < stores->function.last && source_token_is(&source->tokens[end], "["))
        end = source_closing(source, end, stores->function.last) + 1;
    size_t after = end;
    while (after + 1 < stores->function.last && source_token_is(&source->tokens[after], "."))
        after += 2;
    if (SOURCE_IS_ANY(&source->tokens[after], changes) || SOURCE_IS_ANY(token - 1, steps) || is_atomic(source, at))
        add_line(stores, at, end, source_token_is(&source->tokens[after], "="));
    else if (is_given_away(source, at))
        stores->has_alias = true;
}

static bool is_in(const struct source_function *function, size_t token)
{
    return token >= function->first && token < function->last;
}

/* Is the token a use of one of the pointers into the array? */
static bool is_pointer_of(const struct stores *stores, size_t token)
{
    for (int i = 0; i < stores->name_count; i++)
        if (token > stores->names[i]
            && source_token_same(&stores->source->tokens[token], &stores->source->tokens[stores->names[i]]))
            return true;
    return false;
}

struct stores *stores_find(const struct plan_setup *setup, const char *kernel, const char *name)
{
    struct source *source = setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    struct stores *stores = allocate_zeroed(sizeof *stores);
    bool found = false;
    stores->source = source;
    stores->setup = setup;
    for (int i = 0; i < setup->lab->kernel_count; i++)
        if (strcmp(setup->lab->kernels[i].name, kernel) == 0)
            stores->kernel = i;
    if (source && source_find_function(source, kernel, 0, &stores->function))
        for (unsigned i = 0; i < stores->function.parameter_count; i++) {
            const struct source_token *parameter = &source->tokens[stores->function.parameters[i]];
            found |= stores->function.parameters[i] && source_token_is(parameter, name);
        }
    for (size_t i = stores->function.first; source && i < stores->function.last; i++) /* its declaration */
        if (source_token_is(&source->tokens[i], name) && source->tokens[i - 1].kind == SOURCE_WORD && !found) {
            static const char *const ends[] = {";", ",", "="};
            stores->is_scalar = SOURCE_IS_ANY(&source->tokens[i + 1], ends);
            found = stores->is_scalar || source_token_is(&source->tokens[i + 1], "[");
        }
    if (!found) {
        stores_destroy(stores);
        return NULL;
    }
    for (size_t i = 0; i < source->token_count; i++)
        if (source_token_is(&source->tokens[i], name)) {
            stores->has_alias |= source->tokens[i].defined;
            if (is_in(&stores->function, i) && !source->tokens[i].defined)
                look_at(stores, i);
        } else if (is_in(&stores->function, i) && is_pointer_of(stores, i)) {
            int before = stores->count;
            look_at(stores, i);
            for (int k = before; k < stores->count; k++) /* counted from elsewhere */
                stores->lines[k].subscript_end = stores->lines[k].subscript;
        }
    const struct source_token *brace = &source->tokens[stores->function.last];
    stores->end_line = brace[-1].line != brace->line ? brace->line : 0;
    return stores;
}

void stores_destroy(struct stores *stores)
{
    if (stores && stores->source)
        source_destroy(stores->source);
    free(stores);
}

const struct stores_line *stores_at(const struct stores *stores, int line)
{
    const struct stores_line *found = NULL;
    for (int i = 0; i < stores->count; i++) {
        if (stores->lines[i].line != line)
            continue;
        if (found)
            return NULL;
        found = &stores->lines[i];
    }
    return found;
}

/* The end of the statement that a loop repeats: a closing brace or a semicolon. */
static size_t end_of_loop(const struct stores *stores, size_t loop)
{
    const struct source *source = stores->source;
    size_t at = source_closing(source, loop + 1, stores->function.last) + 1;
    if (at < stores->function.last && source_token_is(&source->tokens[at], "{"))
        return source_closing(source, at, stores->function.last);
    while (at < stores->function.last && !source_token_is(&source->tokens[at], ";"))
        at++;
    return at;
}

bool stores_repeats(const struct stores *stores, int line)
{
    static const char *const loops[] = {"for", "while", "do"};
    const struct source_token *tokens = stores->source->tokens;
    for (size_t i = stores->function.first; i + 1 < stores->function.last; i++)
        if (SOURCE_IS_ANY(&tokens[i], loops) && tokens[i].line <= line && tokens[end_of_loop(stores, i)].line >= line)
            return true;
    return false;
}

int stores_break(const struct stores *stores, int line)
{
    static const char *const loops[] = {"for", "while"};
    const struct source_token *tokens = stores->source->tokens;
    int found = 0;
    for (size_t i = stores->function.first; i + 1 < stores->function.last; i++) {
        if (!SOURCE_IS_ANY(&tokens[i], loops) || !source_token_is(&tokens[i + 1], "("))
            continue;
        size_t end = end_of_loop(stores, i);
        if (tokens[i].line >= line || tokens[end].line < line)
            continue;
        found = 0; /* of the innermost loop */
        for (size_t k = i; k < end && found == 0; k++)
            found = source_token_is(&tokens[k], "break") ? tokens[k].line : 0;
    }
    return found;
}

int stores_cut(const struct stores *stores, int line)
{
    static const char *const leaves[] = {"return", "break", "continue"}, *const labels[] = {"goto", "switch", "case",
                                                                                            "default"};
    const struct source_token *tokens = stores->source->tokens;
    for (size_t i = stores->function.first; i < stores->function.last; i++)
        if (SOURCE_IS_ANY(&tokens[i], labels))
            return 0;
    for (size_t i = stores->function.first; i < stores->function.last && tokens[i].line < line; i++) {
        int depth = 0;
        bool begins = i == stores->function.first || source_token_is(&tokens[i - 1], ";")
                      || source_token_is(&tokens[i - 1], "{") || source_token_is(&tokens[i - 1], "}");
        if (tokens[i].defined || !SOURCE_IS_ANY(&tokens[i], leaves) || !begins)
            continue;
        size_t at = i;
        for (; at < stores->function.last && tokens[at].line < line && depth >= 0; at++)
            depth += source_token_is(&tokens[at], "{") - source_token_is(&tokens[at], "}");
        if (depth >= 0 && at < stores->function.last)
            return tokens[i].line;
    }
    return 0;
}

/* ---- values ------------------------------------------------------------------------------------------------------------ */

struct values {
    const struct stores *stores;
    const struct plan_launch *launch;
    const struct result_finding *finding;
    unsigned depth;
    const struct source_token *counter; /* of a for loop, before its first turn; NULL: none */
    struct expression_type counter_type;
    size_t start, start_end; /* tokens of its first value */
};

static size_t value_of(void *context, size_t at, size_t end, int64_t *value);

/* As it is, even where it does not fit in an int. */
static bool evaluate_wide(struct values *values, size_t first, size_t end, struct expression *expression)
{
    struct expression_names names = {value_of, values};
    if (values->depth == MOST_DEPTH || first >= end)
        return false;
    values->depth++;
    bool known = expression_evaluate(values->stores->source, first, end, &names, expression);
    values->depth--;
    return known;
}

static bool evaluate(struct values *values, size_t first, size_t end, struct expression *expression)
{
    return evaluate_wide(values, first, end, expression) && !expression->wide && expression->value >= INT32_MIN
           && expression->value <= INT32_MAX;
}

/* The value that a variable of the type gets: an int may lose bits of it, a wider one has no value that is understood. */
static bool evaluate_first(struct values *values, size_t first, size_t end, const struct expression_type *type,
                           struct expression *expression)
{
    return type->bits <= 32 && !type->is_unsigned ? evaluate_wide(values, first, end, expression)
                                                  : evaluate(values, first, end, expression);
}

static size_t built_in(const struct values *values, size_t at, size_t end, int64_t *value)
{
    static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    const uint32_t *const triples[] = {values->finding->thread, values->finding->block, values->launch->block,
                                       values->launch->grid};
    const struct source_token *token = &values->stores->source->tokens[at];
    for (size_t i = 0; i < 4; i++) {
        if (!source_token_is(token, names[i]) || at + 2 >= end || !source_token_is(token + 1, ".") || token[2].length != 1
            || *token[2].text < 'x' || *token[2].text > 'z')
            continue;
        *value = triples[i][*token[2].text - 'x'];
        return 3;
    }
    return 0;
}

/* `min(a, b)` and `max(a, b)` of whole numbers: tokens of the call; 0: it is none, or a value is not known. */
static size_t smaller_or_larger(struct values *values, size_t at, size_t end, int64_t *value)
{
    static const char *const calls[] = {"min", "max"};
    const struct source_token *tokens = values->stores->source->tokens;
    struct expression one, other;
    if (!SOURCE_IS_ANY(&tokens[at], calls) || at + 1 >= end || !source_token_is(&tokens[at + 1], "("))
        return 0;
    size_t close = source_closing(values->stores->source, at + 1, end), comma = at + 2;
    for (int depth = 0; comma < close && (depth > 0 || !source_token_is(&tokens[comma], ",")); comma++)
        depth += source_token_is(&tokens[comma], "(") - source_token_is(&tokens[comma], ")");
    if (close >= end || comma >= close || !evaluate(values, at + 2, comma, &one)
        || !evaluate(values, comma + 1, close, &other))
        return 0;
    if (one.value < 0 || other.value < 0)
        return 0; /* beside an unsigned value, it would be a large number */
    bool first = (one.value < other.value) == source_token_is(&tokens[at], "min");
    *value = first ? one.value : other.value;
    return close + 1 - at;
}

/* A call of a function that only returns a formula, `return …;` or `int i = …; return i;`, with arguments of the names that its
 * parameters have: tokens of the call; 0: it is none.
 *   first, last   out: tokens of the formula */
static size_t find_helper(const struct stores *stores, size_t at, size_t end, size_t *first, size_t *last)
{
    const struct source *source = stores->source;
    const struct source_token *tokens = source->tokens;
    struct source_function function;
    char name[64];
    if (tokens[at].kind != SOURCE_WORD || tokens[at].length >= (int)sizeof name || at + 1 >= end
        || !source_token_is(&tokens[at + 1], "("))
        return 0;
    size_t close = source_closing(source, at + 1, end), argument = at + 2;
    snprintf(name, sizeof name, "%.*s", tokens[at].length, tokens[at].text);
    if (close >= end || !source_find_function(source, name, 0, &function) || function.name == at)
        return 0;
    for (unsigned i = 0; i < function.parameter_count; i++, argument += 2)
        if (function.parameters[i] == 0 || argument >= close
            || !source_token_same(&tokens[argument], &tokens[function.parameters[i]])
            || (argument + 1 < close && !source_token_is(&tokens[argument + 1], ",")))
            return 0;
    if (argument != close + (function.parameter_count > 0))
        return 0;
    size_t equal = function.first;
    for (*last = function.first; *last < function.last && !source_token_is(&tokens[*last], ";"); ++*last)
        ;
    while (equal < *last && !source_token_is(&tokens[equal], "="))
        equal++;
    bool returns = source_token_is(&tokens[function.first], "return") && *last + 1 == function.last;
    bool by_name = equal > function.first && equal < *last && *last + 4 == function.last
                   && source_token_is(&tokens[*last + 1], "return")
                   && source_token_same(&tokens[*last + 2], &tokens[equal - 1]);
    *first = returns ? function.first + 1 : equal + 1;
    return returns || by_name ? close + 1 - at : 0;
}

/* The value of such a call: its tokens; 0: it is none, or a value is not known. */
static size_t helper(struct values *values, size_t at, size_t end, int64_t *value)
{
    size_t first, last, taken = find_helper(values->stores, at, end, &first, &last);
    struct expression expression;
    if (taken == 0 || !evaluate(values, first, last, &expression))
        return 0;
    *value = expression.value;
    return taken;
}

/* How often the function changes the name, or may (its address is taken); *at: where first. */
static unsigned count_changes(const struct stores *stores, const struct source_token *name, size_t *at)
{
    unsigned count = 0;
    for (size_t i = stores->function.first; i < stores->function.last; i++) {
        const struct source_token *token = &stores->source->tokens[i];
        if (!source_token_same(token, name) || source_token_is(token - 1, ".") || source_token_is(token - 1, "->"))
            continue;
        bool address = source_token_is(token - 1, "&") && token[-2].kind == SOURCE_SIGN && !source_token_is(token - 2, ")")
                       && !source_token_is(token - 2, "]");
        if (!SOURCE_IS_ANY(token + 1, changes) && !SOURCE_IS_ANY(token - 1, steps) && !address)
            continue;
        if (count++ == 0)
            *at = i;
    }
    return count;
}

/* The type that the words from token `start` on name, up to `end`: 64 bits stand for `auto`, which loses nothing of a value.
 * Returns false where it is not an integer. */
static bool read_type(const struct stores *stores, size_t start, size_t end, struct expression_type *type)
{
    for (size_t i = start; i < end; i++)
        if (source_token_is(&stores->source->tokens[i], "auto")) {
            *type = (struct expression_type){.bits = 64};
            return true;
        }
    return expression_read_type(stores->source, start, end, type) > 0;
}

/* What a variable of that type keeps of a value: an int, too, which the evaluation does not bound. */
static int64_t keep(int64_t value, const struct expression_type *type)
{
    bool wraps = type->bits == 32 && !type->is_unsigned;
    return wraps ? (int32_t)value : expression_convert(value, type);
}

/* Tokens of the value that a declaration gives to the name at token `at`, and its type. */
static bool read_declaration(const struct stores *stores, size_t at, size_t *first, size_t *end,
                             struct expression_type *type)
{
    const struct source_token *tokens = stores->source->tokens;
    int depth = 0;
    if (!source_token_is(&tokens[at + 1], "="))
        return false;
    size_t start = at; /* of the statement, across the names before it */
    for (; start > stores->function.first; start--) {
        const struct source_token *token = &tokens[start - 1];
        if (depth == 0 && (source_token_is(token, ";") || source_token_is(token, "{") || source_token_is(token, "}")))
            break;
        if (depth == 0 && source_token_is(token, "("))
            return false; /* for (int i = … */
        depth += source_token_is(token, ")") - source_token_is(token, "(");
    }
    if (start == at || !read_type(stores, start, at, type))
        return false;
    depth = 0;
    *first = at + 2;
    for (*end = *first; *end < stores->function.last; ++*end) {
        const struct source_token *token = &tokens[*end];
        if (depth == 0 && (source_token_is(token, ";") || source_token_is(token, ",")))
            return true;
        depth += source_token_is(token, "(") || source_token_is(token, "[");
        depth -= source_token_is(token, ")") || source_token_is(token, "]");
    }
    return false;
}

/* Tokens of the value of a variable that is set where it is declared, and nowhere else, and its type. */
static bool find_declaration(const struct stores *stores, const struct source_token *name, size_t *first, size_t *end,
                             struct expression_type *type)
{
    size_t at = 0;
    return count_changes(stores, name, &at) == 1 && read_declaration(stores, at, first, end, type);
}

/* Is the token in the body of the kernel itself, and in no statement within it? */
static bool is_outermost(const struct stores *stores, size_t token)
{
    const struct source_token *tokens = stores->source->tokens;
    int depth = -source_token_is(&tokens[stores->function.first], "{");
    for (size_t i = stores->function.first; i < token; i++)
        depth += source_token_is(&tokens[i], "{") - source_token_is(&tokens[i], "}");
    return depth == 0 && (source_token_is(&tokens[token - 1], ";") || source_token_is(&tokens[token - 1], "}"));
}

static bool has_name(const struct stores *stores, size_t first, size_t end, const struct source_token *name)
{
    for (size_t i = first; i < end; i++)
        if (source_token_same(&stores->source->tokens[i], name))
            return true;
    return false;
}

/* Of `int end = start + 256; if (end > n) end = n;`, the part that holds for the thread: as find_choice().
 *   open, close   tokens of the condition
 *   at, stop      of the value that is set under it */
static bool find_least(struct values *values, const struct source_token *use, size_t open, size_t close, size_t at,
                       size_t stop, size_t *first, size_t *end)
{
    const struct source_token *tokens = values->stores->source->tokens;
    struct expression declared, limit;
    bool above = source_token_is(&tokens[open + 1], ">") || source_token_is(&tokens[open + 1], ">=");
    if (!source_token_same(&tokens[open], use) || !above || close - open - 2 != stop - at)
        return false;
    for (size_t i = 0; i < stop - at; i++)
        if (!source_token_same(&tokens[open + 2 + i], &tokens[at + i]) || source_token_same(&tokens[at + i], use))
            return false;
    if (!evaluate(values, *first, *end, &declared) || !evaluate(values, at, stop, &limit))
        return false;
    if (declared.value > limit.value) {
        *first = at;
        *end = stop;
    }
    return true;
}

/* Of `int count = 256; if (last) count = n % 256;`, before the use: the value that holds for the thread. */
static bool find_choice(struct values *values, const struct source_token *use, size_t *first, size_t *end,
                        struct expression_type *type)
{
    const struct stores *stores = values->stores;
    const struct source_token *tokens = stores->source->tokens;
    size_t declared = 0, open = 0, at = 0;
    struct expression condition;
    if (count_changes(stores, use, &declared) != 2 || !read_declaration(stores, declared, first, end, type))
        return false;
    for (size_t i = *end; i + 1 < stores->function.last && open == 0; i++) {
        size_t close = source_token_is(&tokens[i], "if") && source_token_is(&tokens[i + 1], "(")
                           ? source_closing(stores->source, i + 1, stores->function.last)
                           : stores->function.last;
        at = close + 1 + (close < stores->function.last && source_token_is(&tokens[close + 1], "{"));
        if (at + 1 < stores->function.last && source_token_same(&tokens[at], use) && source_token_is(&tokens[at + 1], "=")
            && is_outermost(stores, i) && &tokens[i] < use)
            open = i + 1;
    }
    size_t close = open > 0 ? source_closing(stores->source, open, stores->function.last) : 0, stop = at + 2;
    while (open > 0 && stop < stores->function.last && !source_token_is(&tokens[stop], ";"))
        stop++;
    if (open > 0 && &tokens[stop] <= use && find_least(values, use, open + 1, close, at + 2, stop, first, end))
        return true;
    if (open == 0 || &tokens[stop] > use || has_name(stores, open, close, use) || has_name(stores, at + 2, stop, use)
        || !evaluate(values, open + 1, close, &condition))
        return false;
    if (condition.value != 0) {
        *first = at + 2;
        *end = stop;
    }
    return true;
}

/* `const int N = 256;` outside the kernel. */
static bool find_constant(const struct stores *stores, const struct source_token *name, size_t *first, size_t *end,
                          struct expression_type *type)
{
    const struct source *source = stores->source;
    for (size_t i = 1; i + 2 < source->token_count; i++) {
        if (is_in(&stores->function, i) || !source_token_same(&source->tokens[i], name)
            || !source_token_is(&source->tokens[i + 1], "="))
            continue;
        size_t start = 0; /* of the last words that qualify it */
        for (size_t k = i; k-- > 0 && i - k < 4;)
            if (source_token_is(&source->tokens[k], "const") || source_token_is(&source->tokens[k], "constexpr")) {
                start = k + 1;
                break;
            }
        if (start == 0 || !read_type(stores, start, i, type))
            return false;
        *first = *end = i + 2;
        while (*end < source->token_count && !source_token_is(&source->tokens[*end], ";"))
            ++*end;
        return true;
    }
    return false;
}

/* The value of an integer parameter that the kernel does not change. */
static bool parameter(const struct values *values, const struct source_token *name, int64_t *value)
{
    const struct source_function *function = &values->stores->function;
    size_t ignored;
    for (unsigned i = 0; i < function->parameter_count && i < LAB_MAX_ARGUMENTS; i++) {
        const struct lab_argument *argument = &values->launch->arguments[i];
        if (!function->parameters[i] || argument->kind != LAB_INT_ARGUMENT
            || !source_token_same(&values->stores->source->tokens[function->parameters[i]], name))
            continue;
        *value = argument->value;
        return count_changes(values->stores, name, &ignored) == 0;
    }
    return false;
}

static bool is_parameter(const struct stores *stores, const struct source_token *name)
{
    for (unsigned i = 0; i < stores->function.parameter_count; i++)
        if (stores->function.parameters[i]
            && source_token_same(&stores->source->tokens[stores->function.parameters[i]], name))
            return true;
    return false;
}

static size_t value_of(void *context, size_t at, size_t end, int64_t *value)
{
    struct values *values = context;
    const struct stores *stores = values->stores;
    const struct source_token *token = &stores->source->tokens[at];
    struct expression expression;
    struct expression_type type = {.bits = 64};
    size_t first, last, taken = built_in(values, at, end, value);
    taken = taken > 0 ? taken : smaller_or_larger(values, at, end, value);
    taken = taken > 0 ? taken : helper(values, at, end, value);
    if (taken > 0)
        return taken;
    if (parameter(values, token, value))
        return 1;
    if (is_parameter(stores, token))
        return 0;
    const struct source_macro *macro = source_find_macro(stores->source, token);
    if (values->counter && source_token_same(values->counter, token)) {
        first = values->start;
        last = values->start_end;
        type = values->counter_type;
    } else if (macro) {
        first = macro->first;
        last = macro->first + macro->count;
    } else if (!find_declaration(stores, token, &first, &last, &type) && !find_choice(values, token, &first, &last, &type)
               && !find_constant(stores, token, &first, &last, &type)) {
        return 0;
    }
    if (!evaluate_first(values, first, last, &type, &expression))
        return 0;
    *value = keep(expression.value, &type);
    return 1;
}

/* ---- words ------------------------------------------------------------------------------------------------------------- */

/* Adds a sentence that is not there yet. */
static void add_words(struct result_finding *finding, const char *words)
{
    size_t length = strlen(words);
    for (const char *at = finding->arithmetic; (at = strstr(at, words)); at++)
        if ((at == finding->arithmetic || at[-1] == ' ') && (at[length] == ';' || at[length] == '\0'))
            return;
    char *joined = allocate_format("%s%s%s", finding->arithmetic, finding->arithmetic[0] != '\0' ? "; " : "", words);
    if (strlen(joined) < sizeof finding->arithmetic)
        memcpy(finding->arithmetic, joined, strlen(joined) + 1);
    free(joined);
}

static void add_narrowed(struct values *values, size_t first, size_t end, struct result_finding *finding);

/* "idx = blockIdx.x*BLOCK + tid = 1*256 + 0 = 256" */
static void add_name(struct values *values, const struct source_token *name, struct result_finding *finding)
{
    char words[sizeof finding->arithmetic], value[24];
    struct expression expression;
    struct expression_type type;
    size_t first, end;
    if ((!find_declaration(values->stores, name, &first, &end, &type) && !find_choice(values, name, &first, &end, &type))
        || !evaluate_first(values, first, end, &type, &expression) || expression.names == 0)
        return;
    add_narrowed(values, first, end, finding);
    snprintf(value, sizeof value, "%lld", (long long)expression.value);
    bool same = strcmp(expression.numbers, value) == 0;
    int used = snprintf(words, sizeof words, "%.*s = %s%s%s = %s", name->length, name->text, expression.text,
                        same ? "" : " = ", same ? "" : expression.numbers, value);
    int64_t left = keep(expression.value, &type);
    if (left != expression.value && used < (int)sizeof words)
        snprintf(words + used, sizeof words - (size_t)used, ", which does not fit in %s: it becomes %lld",
                 type.bits == 1                       ? "a bool"
                 : type.bits == 8 && type.is_unsigned ? "8 bits"
                 : type.bits == 8                     ? "8 bits with a sign" /* 128 has 8 bits */
                 : type.bits < 32 && type.is_unsigned ? "16 bits"
                 : type.bits < 32                     ? "16 bits with a sign"
                 : type.is_unsigned                   ? "32 bits"
                                                      : "an int",
                 (long long)left);
    else if (expression.cut_bits > 0 && used < (int)sizeof words)
        snprintf(words + used, sizeof words - (size_t)used, ", as %lld does not fit in %u bits", (long long)expression.cut,
                 expression.cut_bits);
    add_words(finding, words);
}

/* "g = blockIdx.x = 65536, which does not fit in 16 bits: it becomes 0": a name among tokens [first, end). */
static void add_narrowed(struct values *values, size_t first, size_t end, struct result_finding *finding)
{
    const struct source_token *tokens = values->stores->source->tokens;
    for (size_t i = first; i < end; i++) {
        struct expression expression;
        struct expression_type type;
        size_t from, to;
        if (tokens[i].kind == SOURCE_WORD && !source_token_is(&tokens[i - 1], ".")
            && find_declaration(values->stores, &tokens[i], &from, &to, &type)
            && evaluate_first(values, from, to, &type, &expression) && keep(expression.value, &type) != expression.value) {
            add_name(values, &tokens[i], finding);
            return;
        }
    }
}

static void add_names(struct values *values, size_t first, size_t end, struct result_finding *finding)
{
    const struct source_token *tokens = values->stores->source->tokens;
    int count = 0;
    for (size_t i = first; i < end && count < MOST_NAMES; i++) {
        bool known = tokens[i].kind != SOURCE_WORD || source_token_is(&tokens[i - 1], ".");
        for (size_t k = first; k < i && !known; k++)
            known = source_token_same(&tokens[k], &tokens[i]);
        size_t before = strlen(finding->arithmetic);
        if (!known)
            add_name(values, &tokens[i], finding);
        count += strlen(finding->arithmetic) > before;
    }
}

/* "line 4 changes n": a parameter that the kernel itself gives another value. */
static void add_changed(struct values *values, size_t first, size_t end, struct result_finding *finding)
{
    const struct stores *stores = values->stores;
    for (size_t i = first; i < end; i++) {
        const struct source_token *token = &stores->source->tokens[i];
        char words[96];
        size_t at = 0;
        if (token->kind != SOURCE_WORD || !is_parameter(stores, token) || count_changes(stores, token, &at) != 1)
            continue;
        snprintf(words, sizeof words, "line %d changes %.*s", stores->source->tokens[at].line,
                 token->length < 40 ? token->length : 40, token->text);
        add_words(finding, words);
        return;
    }
}

/* The first condition at a line: tokens between its parentheses. */
static bool find_condition(const struct stores *stores, int line, size_t *first, size_t *end)
{
    static const char *const conditions[] = {"if", "while"};
    const struct source_token *tokens = stores->source->tokens;
    for (size_t i = stores->function.first; i + 1 < stores->function.last; i++)
        if (tokens[i].line == line && SOURCE_IS_ANY(&tokens[i], conditions) && source_token_is(&tokens[i + 1], "(")) {
            *first = i + 2;
            *end = source_closing(stores->source, i + 1, stores->function.last);
            return true;
        }
    return false;
}

/* The for at a line: tokens of its condition, and of the first value of the one name that it sets. */
static bool find_loop(const struct stores *stores, int line, struct values *values, size_t *first, size_t *end)
{
    const struct source_token *tokens = stores->source->tokens;
    size_t parts[2], count = 0, i = stores->function.first;
    while (i + 1 < stores->function.last
           && !(tokens[i].line == line && source_token_is(&tokens[i], "for") && source_token_is(&tokens[i + 1], "(")))
        i++;
    size_t close = i + 1 < stores->function.last ? source_closing(stores->source, i + 1, stores->function.last) : 0;
    for (size_t k = i + 2; k < close && count < 2; k++)
        if (source_token_is(&tokens[k], ";"))
            parts[count++] = k;
    if (count < 2)
        return false;
    size_t name = i + 2;
    while (name < parts[0] && !source_token_is(&tokens[name + 1], "="))
        name++;
    for (size_t k = i + 2; k < parts[0]; k++)
        if (source_token_is(&tokens[k], ","))
            return false;
    *first = parts[0] + 1;
    *end = parts[1];
    bool declared = name > i + 2;
    if (declared && !read_type(values->stores, i + 2, name, &values->counter_type))
        return false;
    if (!declared)
        values->counter_type = (struct expression_type){.bits = 64};
    values->counter = &tokens[name];
    values->start = name + 2;
    values->start_end = parts[0];
    return name + 2 < parts[0] && tokens[name].kind == SOURCE_WORD;
}

/* What the names among tokens [first, end) are made of, then these names. */
static void add_limits(struct values *values, size_t first, size_t end, struct result_finding *finding)
{
    const struct source_token *tokens = values->stores->source->tokens;
    for (size_t i = first; i < end; i++) {
        size_t from, to;
        struct expression_type type;
        if (tokens[i].kind == SOURCE_WORD && !source_token_is(&tokens[i - 1], ".")
            && find_declaration(values->stores, &tokens[i], &from, &to, &type))
            add_names(values, from, to, finding);
    }
    add_names(values, first, end, finding);
}

/* The token behind a loop whose condition has token `at`. */
static size_t end_of_body(const struct stores *stores, size_t at)
{
    const struct source_token *tokens = stores->source->tokens;
    int depth = 0;
    for (; at < stores->function.last && depth >= 0; at++)
        depth += source_token_is(&tokens[at], "(") - source_token_is(&tokens[at], ")");
    if (at < stores->function.last && source_token_is(&tokens[at], "{"))
        return source_closing(stores->source, at, stores->function.last);
    while (at < stores->function.last && !source_token_is(&tokens[at], ";"))
        at++;
    return at;
}

/* The only change of a name in the loop whose condition has token `at`; 0: there is none, or several. */
static size_t find_change(const struct stores *stores, size_t at)
{
    const struct source_token *tokens = stores->source->tokens;
    size_t end = end_of_body(stores, at), found = 0;
    for (size_t i = at; i < end; i++) {
        bool changed = source_token_same(&tokens[i], &tokens[at])
                       && (SOURCE_IS_ANY(&tokens[i + 1], changes) || SOURCE_IS_ANY(&tokens[i - 1], steps)
                           || (source_token_is(&tokens[i - 1], "&") && tokens[i - 2].kind == SOURCE_SIGN));
        if (changed && found > 0)
            return 0;
        found = changed ? i : found;
    }
    return found;
}

/* "i grows twice in each turn: in lines 8 and 10": a name to which the loop adds in two places. */
static void add_two_growths(const struct stores *stores, size_t at, struct result_finding *finding)
{
    const struct source_token *tokens = stores->source->tokens;
    size_t end = end_of_body(stores, at), places[2], count = 0;
    char words[sizeof finding->arithmetic];
    for (size_t i = at; i < end; i++) {
        bool changed = source_token_same(&tokens[i], &tokens[at])
                       && (SOURCE_IS_ANY(&tokens[i + 1], changes) || SOURCE_IS_ANY(&tokens[i - 1], steps));
        if (changed && (count == 2 || !source_token_is(&tokens[i + 1], "+=")))
            return;
        if (changed)
            places[count++] = i;
    }
    if (count < 2)
        return;
    snprintf(words, sizeof words, "%.*s grows twice in each turn: in lines %d and %d", tokens[at].length, tokens[at].text,
             tokens[places[0]].line, tokens[places[1]].line);
    add_words(finding, words);
}

/* "i grows by blockDim.x = 256", "i grows by 512": a name among tokens [first, end), a loop's condition, to which the loop adds
 * once. */
static void add_growth(struct values *values, size_t first, size_t end, struct result_finding *finding)
{
    const struct stores *stores = values->stores;
    const struct source_token *tokens = stores->source->tokens;
    for (size_t i = first; i < end; i++) {
        char words[sizeof finding->arithmetic];
        struct expression expression;
        bool is_name = tokens[i].kind == SOURCE_WORD && !source_token_is(&tokens[i - 1], ".");
        size_t change = is_name ? find_change(stores, i) : 0, sum = change + 2, close = sum;
        if (is_name && change == 0)
            add_two_growths(stores, i, finding);
        if (change == 0 || !source_token_is(&tokens[change + 1], "+="))
            continue;
        for (int depth = 0; close < stores->function.last && !source_token_is(&tokens[close], ";"); close++) {
            depth += source_token_is(&tokens[close], "(") - source_token_is(&tokens[close], ")");
            if (depth < 0)
                break;
        }
        if (!evaluate(values, sum, close, &expression) || (expression.value == 1 && expression.names == 0))
            continue;
        add_names(values, sum, close, finding);
        bool same = expression.is_name || strcmp(expression.text, expression.numbers) == 0;
        if (close == sum + 1 && expression.names == 0)
            snprintf(words, sizeof words, "%.*s grows by %s", tokens[i].length, tokens[i].text, expression.text);
        else
            snprintf(words, sizeof words, same ? "%.*s grows by %s%s = %lld" : "%.*s grows by %s = %s = %lld",
                     tokens[i].length, tokens[i].text, expression.text, same ? "" : expression.numbers,
                     (long long)expression.value);
        add_words(finding, words);
        if (strstr(finding->arithmetic, " begins at threadIdx.x = ") && expression.value > 1
            && expression.value != (int64_t)values->launch->block[0]) {
            snprintf(words, sizeof words, "blockDim.x = %u", values->launch->block[0]);
            add_words(finding, words);
        }
        return;
    }
}

/* "ITEMS/BLOCK = 1000/256 = 3": what a condition compares a name with, where that is a formula. */
static void add_bound(struct values *values, size_t first, size_t end, struct result_finding *finding)
{
    static const char *const comparisons[] = {"<", "<=", ">", ">=", "!="};
    const struct source_token *tokens = values->stores->source->tokens;
    struct expression expression;
    char words[sizeof finding->arithmetic];
    if (first + 2 >= end || !SOURCE_IS_ANY(&tokens[first + 1], comparisons) || !evaluate(values, first + 2, end, &expression)
        || expression.names == 0 || expression.is_name || strcmp(expression.text, expression.numbers) == 0)
        return;
    snprintf(words, sizeof words, "%s = %s = %lld", expression.text, expression.numbers, (long long)expression.value);
    add_words(finding, words);
}

bool stores_loop_begin(const struct stores *stores, const struct plan_launch *launch, const struct result_finding *finding,
                       int loop, int line, int64_t *begin)
{
    struct values values = {.stores = stores, .launch = launch, .finding = finding}, outside = values;
    const struct stores_line *store = stores_at(stores, line);
    struct expression expression;
    size_t first, end;
    if (!store || store->subscript_end != store->subscript + 1 || !find_loop(stores, loop, &values, &first, &end)
        || !source_token_same(values.counter, &stores->source->tokens[store->subscript])
        || !evaluate(&outside, values.start, values.start_end, &expression))
        return false;
    *begin = expression.value;
    return true;
}

bool stores_explain_head(const struct stores *stores, const struct plan_launch *launch, struct result_finding *finding,
                         int line)
{
    struct values values = {.stores = stores, .launch = launch, .finding = finding}, outside = values;
    struct expression expression;
    char words[sizeof finding->arithmetic];
    size_t first, end;
    finding->arithmetic[0] = '\0';
    if (find_loop(stores, line, &values, &first, &end)) {
        const struct source_token *name = values.counter;
        add_names(&outside, values.start, values.start_end, finding);
        if (evaluate(&outside, values.start, values.start_end, &expression) && expression.names > 0) {
            bool same = expression.is_name || strcmp(expression.text, expression.numbers) == 0;
            snprintf(words, sizeof words, "%.*s begins at %s%s%s = %lld", name->length, name->text, expression.text,
                     same ? "" : " = ", same ? "" : expression.numbers, (long long)expression.value);
            add_words(finding, words);
        }
    } else if (!find_condition(stores, line, &first, &end)) {
        return false;
    }
    add_limits(&outside, first, end, finding);
    add_bound(&outside, first, end, finding);
    add_growth(&outside, first, end, finding);
    return finding->arithmetic[0] != '\0';
}

/* "chunk = n/size = 16/256 = 0; hi = lo + chunk = 0 + 0 = 0; i < hi is 0 < 0: false": of a thread that does not enter the
 * loop at a line. */
static void explain_loop(struct values *values, struct result_finding *finding, int line)
{
    struct expression expression;
    size_t first, end;
    char words[sizeof finding->arithmetic];
    if (!find_loop(values->stores, line, values, &first, &end) || !evaluate(values, first, end, &expression)
        || expression.value != 0 || expression.names == 0)
        return;
    add_limits(values, first, end, finding);
    add_changed(values, first, end, finding);
    snprintf(words, sizeof words, "%s is %s: false", expression.text, expression.numbers);
    add_words(finding, words);
}

bool stores_explain_no_turn(const struct stores *stores, const struct plan_launch *launch, struct result_finding *finding,
                            int line)
{
    struct values values = {.stores = stores, .launch = launch, .finding = finding};
    finding->arithmetic[0] = '\0';
    explain_loop(&values, finding, line);
    return finding->arithmetic[0] != '\0';
}

bool stores_find_launch(const struct plan_setup *setup, const struct lab_case *the_case, const char *kernel,
                        struct plan_launch *launch)
{
    struct lab_run *run = allocate_zeroed(sizeof *run);
    bool found = false;
    if (plan_rehearse(run, setup, the_case))
        for (int i = 0; i < run->launch_count && i < PLAN_MAX_LAUNCHES && !found; i++) {
            found = strcmp(setup->lab->kernels[run->launches[i].kernel].name, kernel) == 0;
            *launch = run->launches[i];
        }
    free(run);
    return found;
}

bool stores_condition(const struct stores *stores, const struct plan_launch *launch, const struct result_finding *finding,
                      int line, bool *is_true)
{
    struct values values = {.stores = stores, .launch = launch, .finding = finding};
    struct expression expression;
    size_t first, end;
    if (!find_condition(stores, line, &first, &end) || !evaluate(&values, first, end, &expression))
        return false;
    *is_true = expression.value != 0;
    return true;
}

bool stores_choice(const struct stores *stores, const struct plan_launch *launch, const struct result_finding *finding,
                   int line, bool *is_true)
{
    struct values values = {.stores = stores, .launch = launch, .finding = finding};
    const struct source_token *tokens = stores->source->tokens;
    struct expression expression;
    size_t first, end, from, parts = 0, chosen = 0, chosen_end = 0;
    if (!find_condition(stores, line, &first, &end))
        return false;
    from = first;
    for (size_t i = first, equals = 0; i <= end; i++) {
        if (i == end || source_token_is(&tokens[i], "&&")) {
            parts++;
            if (equals > 0 && chosen_end == 0) {
                chosen = from;
                chosen_end = i;
            }
            from = i + 1;
            equals = 0;
        } else if (source_token_is(&tokens[i], "(") || source_token_is(&tokens[i], "[")) {
            i = source_closing(stores->source, i, end);
        } else if (source_token_is(&tokens[i], "||")) {
            return false;
        } else {
            equals += source_token_is(&tokens[i], "==");
        }
    }
    if (parts < 2 || chosen_end == 0 || !evaluate(&values, chosen, chosen_end, &expression))
        return false;
    *is_true = expression.value != 0;
    return true;
}

void stores_explain(const struct stores *stores, const struct plan_launch *launch, struct result_finding *finding, int line)
{
    struct values values = {.stores = stores, .launch = launch, .finding = finding};
    char words[sizeof finding->arithmetic];
    struct expression expression;
    size_t first, end;
    finding->arithmetic[0] = '\0';
    if (!find_condition(stores, line, &first, &end)) {
        explain_loop(&values, finding, line);
        return;
    }
    add_names(&values, first, end, finding);
    add_changed(&values, first, end, finding);
    if (!evaluate(&values, first, end, &expression) || expression.names == 0)
        return;
    snprintf(words, sizeof words, "%s is %s: %s", expression.text, expression.numbers,
             expression.value != 0 ? "true" : "false");
    add_words(finding, words);
}

int stores_late_round(const struct stores *stores, const struct plan_launch *launch, const struct result_finding *finding,
                      int64_t dividend, char *text, size_t text_bytes, char *function, size_t function_bytes)
{
    static const char *const rounding[] = {"ceil", "ceilf", "__float2int_ru", "__double2int_ru"};
    struct values values = {.stores = stores, .launch = launch, .finding = finding};
    const struct source_token *tokens = stores->source->tokens;
    for (size_t i = stores->function.first; i + 2 < stores->function.last; i++) {
        if (!SOURCE_IS_ANY(&tokens[i], rounding) || !source_token_is(&tokens[i + 1], "("))
            continue;
        size_t first = i + 2, end = source_closing(stores->source, i + 1, stores->function.last), slash = first;
        static const char *const real[] = {"float", "double"};
        bool cast = source_token_is(&tokens[first], "(") && SOURCE_IS_ANY(&tokens[first + 1], real)
                    && source_token_is(&tokens[first + 3], "(")
                    && source_closing(stores->source, first + 3, stores->function.last) == end - 1;
        if (cast) { /* (float)(K / TILE) */
            slash = first += 4;
            end--;
        }
        struct expression above, below, whole;
        int depth = 0;
        for (; slash < end && (depth > 0 || !source_token_is(&tokens[slash], "/")); slash++)
            depth += source_token_is(&tokens[slash], "(") - source_token_is(&tokens[slash], ")");
        bool more = slash >= end;
        for (size_t k = slash + 1; k < end && !more; k++) /* one quotient, and nothing else */
            more = tokens[k].kind == SOURCE_SIGN && !source_token_is(&tokens[k], "(") && !source_token_is(&tokens[k], ")");
        if (more || !evaluate(&values, first, slash, &above) || !evaluate(&values, slash + 1, end, &below)
            || !evaluate(&values, first, end, &whole) || below.value <= 0 || above.value != dividend
            || above.value % below.value == 0 || whole.value != above.value / below.value)
            continue;
        bool same = strcmp(whole.text, whole.numbers) == 0;
        snprintf(text, text_bytes, "%s%s%s = %lld", whole.text, same ? "" : " = ", same ? "" : whole.numbers,
                 (long long)whole.value);
        snprintf(function, function_bytes, "%.*s", tokens[i].length, tokens[i].text);
        return tokens[i].line;
    }
    return 0;
}

/* The line that declares one of the names among tokens [first, end) as a float; 0: none. */
static int find_float(const struct stores *stores, size_t first, size_t end)
{
    const struct source_token *tokens = stores->source->tokens;
    for (size_t i = first; i < end; i++)
        for (size_t k = stores->function.first; k + 1 < stores->function.last; k++)
            if (tokens[i].kind == SOURCE_WORD && source_token_is(&tokens[k], "float")
                && source_token_same(&tokens[k + 1], &tokens[i]))
                return tokens[k].line;
    return 0;
}

/* The line of a number such as 256.0f among tokens [first, end), where nothing is converted; 0: none. */
static int find_float_number(const struct stores *stores, size_t first, size_t end)
{
    static const char *const whole[] = {"int", "unsigned", "size_t", "long", "uint32_t", "int32_t", "float", "double"};
    int line = 0;
    for (size_t i = first; i < end; i++) {
        const struct source_token *token = &stores->source->tokens[i];
        char last = token->text[token->length - 1];
        bool hex = token->length > 1 && (token->text[1] == 'x' || token->text[1] == 'X');
        if (SOURCE_IS_ANY(token, whole))
            return 0;
        if (token->kind == SOURCE_NUMBER && !hex && (last == 'f' || last == 'F'))
            line = token->line;
    }
    return line;
}

/* Is it one name, or a cast of one to a whole number: `pos`, `(int)pos`, `(int)(pos)`? */
static bool is_one_value(const struct stores *stores, size_t first, size_t end)
{
    int words = 0;
    for (size_t i = first; i < end; i++) {
        const struct source_token *token = &stores->source->tokens[i];
        bool bracket = source_token_is(token, "(") || source_token_is(token, ")");
        if (!bracket && token->kind != SOURCE_WORD)
            return false;
        words += token->kind == SOURCE_WORD;
    }
    static const char *const whole[] = {"int", "unsigned", "size_t", "long", "uint32_t", "int32_t"};
    bool cast = end > first + 3 && source_token_is(&stores->source->tokens[first], "(")
                && SOURCE_IS_ANY(&stores->source->tokens[first + 1], whole)
                && source_token_is(&stores->source->tokens[first + 2], ")");
    return words == 1 + cast;
}

int stores_float(const struct stores *stores, int line, bool *through, bool *number)
{
    const struct stores_line *store = stores_at(stores, line);
    int declared = store ? find_float(stores, store->subscript, store->subscript_end) : 0;
    *through = *number = false;
    for (size_t i = store ? store->subscript : 0; store && declared == 0 && i < store->subscript_end; i++) {
        struct expression_type type;
        size_t first, end;
        if (stores->source->tokens[i].kind != SOURCE_WORD
            || !find_declaration(stores, &stores->source->tokens[i], &first, &end, &type))
            continue;
        bool one = is_one_value(stores, first, end); /* the float's value, as it is */
        declared = one ? find_float(stores, first, end) : find_float_number(stores, first, end);
        *through = declared > 0;
        *number = declared > 0 && !one;
    }
    return declared;
}

int stores_call(const struct stores *stores, const char *const *functions, size_t count, const char **function)
{
    const struct source_token *tokens = stores->source->tokens;
    for (size_t i = stores->function.first; i + 1 < stores->function.last; i++)
        for (size_t k = 0; k < count; k++)
            if (source_token_is(&tokens[i], functions[k]) && source_token_is(&tokens[i + 1], "(")) {
                *function = functions[k];
                return tokens[i].line;
            }
    return 0;
}

/* A call of a function of the file that uses the number of the thread itself. */
static bool calls_with_thread(const struct stores *stores, size_t at, size_t end)
{
    const struct source_token *tokens = stores->source->tokens;
    struct source_function function;
    char name[64];
    if (tokens[at].kind != SOURCE_WORD || tokens[at].length >= (int)sizeof name || at + 1 >= end
        || !source_token_is(&tokens[at + 1], "("))
        return false;
    snprintf(name, sizeof name, "%.*s", tokens[at].length, tokens[at].text);
    if (!source_find_function(stores->source, name, 0, &function))
        return false;
    for (size_t i = function.first; i < function.last; i++)
        if (source_token_is(&tokens[i], "threadIdx"))
            return true;
    return false;
}

/* Is the number of the thread among tokens [first, end), or in what a name there is declared with? */
static bool has_thread(const struct stores *stores, size_t first, size_t end, int depth)
{
    for (size_t i = first; i < end; i++) {
        const struct source_token *token = &stores->source->tokens[i];
        struct expression_type type;
        size_t from, to;
        if (source_token_is(token, "threadIdx") || calls_with_thread(stores, i, end))
            return true;
        if (token->kind == SOURCE_WORD && !source_token_is(token - 1, ".") && depth < MOST_DEPTH
            && find_declaration(stores, token, &from, &to, &type) && has_thread(stores, from, to, depth + 1))
            return true;
    }
    return false;
}

bool stores_has_thread(const struct stores *stores, int line)
{
    const struct stores_line *store = stores_at(stores, line);
    return store && has_thread(stores, store->subscript, store->subscript_end, 0);
}

int stores_move(const struct stores *stores, const struct plan_launch *launch, const struct result_finding *finding,
                int line, char *text, size_t text_bytes)
{
    const struct stores_line *store = stores_at(stores, line);
    const struct source_token *tokens = stores->source->tokens;
    struct values values = {.stores = stores, .launch = launch, .finding = finding};
    struct expression way;
    int found = 0;
    if (!store || store->subscript < stores->function.first + 2)
        return 0;
    size_t name = store->subscript - 2; /* in front of the bracket */
    for (size_t i = stores->function.first; i + 2 < stores->function.last; i++) {
        size_t end = i + 2;
        bool begins = source_token_is(&tokens[i - 1], ";") || source_token_is(&tokens[i - 1], "{");
        if (!begins || !source_token_same(&tokens[i], &tokens[name]) || !source_token_is(&tokens[i + 1], "+="))
            continue;
        while (end < stores->function.last && !source_token_is(&tokens[end], ";"))
            end++;
        if (found > 0 || tokens[i].line >= line || stores_repeats(stores, tokens[i].line)
            || !evaluate(&values, i + 2, end, &way))
            return 0;
        found = tokens[i].line;
        bool same = strcmp(way.text, way.numbers) == 0 || way.is_name;
        snprintf(text, text_bytes, "%s%s%s = %lld", way.text, same ? "" : " = ", same ? "" : way.numbers,
                 (long long)way.value);
    }
    return found;
}

bool stores_index(const struct stores *stores, const struct plan_launch *launch, const struct result_finding *finding,
                  int line, int64_t *index)
{
    const struct stores_line *store = stores_at(stores, line);
    struct values values = {.stores = stores, .launch = launch, .finding = finding};
    struct expression expression;
    if (!store || !evaluate(&values, store->subscript, store->subscript_end, &expression))
        return false;
    *index = expression.value;
    return true;
}

/* "local = threadIdx.y*blockDim.y + threadIdx.x = 1*4 + 12 = 16": formulas that the names among tokens [first, end) are made
 * of in their turn. */
static void add_formulas(struct values *values, size_t first, size_t end, struct result_finding *finding)
{
    const struct source_token *tokens = values->stores->source->tokens;
    for (size_t i = first; i < end; i++) {
        struct expression expression;
        struct expression_type type;
        size_t from, to;
        if (tokens[i].kind != SOURCE_WORD || source_token_is(&tokens[i - 1], ".")
            || !find_declaration(values->stores, &tokens[i], &from, &to, &type))
            continue;
        for (size_t k = from; k < to; k++) {
            size_t start, stop;
            if (tokens[k].kind == SOURCE_WORD && !source_token_is(&tokens[k - 1], ".")
                && find_declaration(values->stores, &tokens[k], &start, &stop, &type)
                && evaluate_first(values, start, stop, &type, &expression) && expression.names > 1)
                add_name(values, &tokens[k], finding);
        }
    }
}

/* "line 3: blockIdx.x*(blockDim.x + threadIdx.x) = 0*(256 + 31) = 0": the formula of the first call among tokens [first, end), or
 * in what a name there is declared with. */
static bool say_call(struct values *values, size_t first, size_t end, int depth, char *text, size_t text_bytes)
{
    const struct source_token *tokens = values->stores->source->tokens;
    for (size_t i = first; i < end; i++) {
        struct expression expression;
        struct expression_type type;
        size_t from, to;
        if (tokens[i].kind != SOURCE_WORD || source_token_is(&tokens[i - 1], "."))
            continue;
        if (find_helper(values->stores, i, end, &from, &to) > 0 && evaluate(values, from, to, &expression))
            return snprintf(text, text_bytes, "line %d: %s = %s = %lld", tokens[from].line, expression.text,
                            expression.numbers, (long long)expression.value)
                   < (int)text_bytes;
        if (depth < MOST_DEPTH && find_declaration(values->stores, &tokens[i], &from, &to, &type)
            && say_call(values, from, to, depth + 1, text, text_bytes))
            return true;
    }
    return false;
}

bool stores_explain_call(const struct stores *stores, const struct plan_launch *launch, const struct result_finding *finding,
                         int line, char *text, size_t text_bytes)
{
    const struct stores_line *store = stores_at(stores, line);
    struct values values = {.stores = stores, .launch = launch, .finding = finding};
    return store && say_call(&values, store->subscript, store->subscript_end, 0, text, text_bytes);
}

void stores_explain_turn(const struct stores *stores, const struct plan_launch *launch, struct result_finding *finding,
                         int loop, int line)
{
    struct values values = {.stores = stores, .launch = launch, .finding = finding};
    const struct stores_line *store = stores_at(stores, line);
    struct expression expression, begin;
    char words[sizeof finding->arithmetic];
    size_t first, end;
    if (!store || !find_loop(stores, loop, &values, &first, &end)
        || !evaluate(&values, store->subscript, store->subscript_end, &expression) || expression.names == 0
        || !evaluate(&values, values.start, values.start_end, &begin))
        return;
    finding->arithmetic[0] = '\0';
    if (!expression.is_name)
        snprintf(words, sizeof words, "the index is %s = %s = %lld", expression.text, expression.numbers,
                 (long long)expression.value);
    if (!expression.is_name && strcmp(expression.text, expression.numbers) != 0)
        add_words(finding, words);
    add_names(&values, store->subscript, store->subscript_end, finding);
    snprintf(words, sizeof words, "%.*s is %lld in the first turn", values.counter->length, values.counter->text,
             (long long)begin.value);
    if (finding->arithmetic[0] != '\0')
        add_words(finding, words);
}

void stores_explain_index(const struct stores *stores, const struct plan_launch *launch, struct result_finding *finding,
                          int line, int64_t element)
{
    const struct stores_line *store = stores_at(stores, line);
    struct values values = {.stores = stores, .launch = launch, .finding = finding};
    char words[sizeof finding->arithmetic];
    struct expression expression;
    finding->arithmetic[0] = '\0';
    if (!store || !evaluate(&values, store->subscript, store->subscript_end, &expression) || expression.value != element
        || expression.names == 0)
        return;
    if (!expression.is_name) {
        snprintf(words, sizeof words, "the index is %s = %s = %lld", expression.text, expression.numbers,
                 (long long)expression.value);
        if (strcmp(expression.text, expression.numbers) != 0)
            add_words(finding, words);
    }
    add_formulas(&values, store->subscript, store->subscript_end, finding);
    add_names(&values, store->subscript, store->subscript_end, finding);
    if (finding->arithmetic[0] == '\0' && strcmp(expression.text, expression.numbers) != 0) { /* blockIdx.x alone */
        snprintf(words, sizeof words, "the index is %s = %lld", expression.text, (long long)expression.value);
        add_words(finding, words);
    }
}
