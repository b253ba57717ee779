#include "grader/judge/local_arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/language/expression.h"
#include "runtime/language/source.h"

enum { MOST_DEPTH = 8 };

struct scope {
    const struct source *source;
    int depth;
};

/* A macro, or `const int N = …`. */
static size_t value_of(void *context, size_t at, size_t end, int64_t *value)
{
    struct scope *scope = context;
    const struct source *source = scope->source;
    const struct source_token *name = &source->tokens[at];
    const struct source_macro *macro = source_find_macro(source, name);
    const struct expression_names names = {.value = value_of, .context = scope};
    struct expression expression;
    size_t first = macro ? macro->first : 0, last = macro ? macro->first + macro->count : 0;
    for (size_t i = 1; !macro && !first && i + 2 < source->token_count; i++)
        if (i != at && source_token_same(&source->tokens[i], name) && source_token_is(&source->tokens[i + 1], "="))
            for (first = last = i + 2; last < source->token_count && !source_token_is(&source->tokens[last], ";")
                                       && !source_token_is(&source->tokens[last], ",")
                                       && !source_token_is(&source->tokens[last], "}");)
                last++;
    bool known = at < end && first && ++scope->depth < MOST_DEPTH
                 && expression_evaluate(source, first, last, &names, &expression);
    *value = known ? expression.value : 0;
    return known;
}

/* How many elements `[…][…]` behind the name at `at` has; 0: none, or unknown. */
static int64_t elements_of(const struct source *source, size_t at)
{
    int64_t elements = 1;
    size_t open = at + 1;
    for (; source_token_is(&source->tokens[open], "["); open++) {
        struct scope scope = {.source = source};
        const struct expression_names names = {.value = value_of, .context = &scope};
        struct expression extent;
        size_t close = source_closing(source, open, source->token_count);
        if (close + 1 >= source->token_count || !expression_evaluate(source, open + 1, close, &names, &extent)
            || extent.value <= 0 || __builtin_mul_overflow(elements, extent.value, &elements))
            return 0;
        open = close;
    }
    bool declares = source_token_is(&source->tokens[open], ";") || source_token_is(&source->tokens[open], ",")
                    || source_token_is(&source->tokens[open], "=");
    return open > at + 1 && declares && source->tokens[at - 1].kind == SOURCE_WORD ? elements : 0;
}

/* Does the statement that the token belongs to declare what lies elsewhere, or nothing at all? */
static bool is_elsewhere(const struct source *source, size_t at)
{
    const struct source_token *token = &source->tokens[at];
    bool elsewhere = token->kind != SOURCE_WORD || token->defined || source_token_is(token - 1, "return");
    for (size_t k = at; !elsewhere && k-- > 0;) {
        const struct source_token *before = &source->tokens[k];
        if (source_token_is(before, ";") || source_token_is(before, "{") || source_token_is(before, "}"))
            break;
        elsewhere = source_token_is(before, "__shared__") || source_token_is(before, "__device__")
                    || source_token_is(before, "__constant__");
    }
    return elsewhere;
}

/* The token of the name of the largest array that lies in every thread; 0: none is found. */
static size_t largest_array(const struct source *source)
{
    int64_t most = 0;
    size_t found = 0;
    for (size_t i = 2; i + 3 < source->token_count; i++) {
        int64_t elements = is_elsewhere(source, i) ? 0 : elements_of(source, i);
        if (elements > most) {
            most = elements;
            found = i;
        }
    }
    return found;
}

bool local_arrays_explain(const struct plan_setup *setup, const char *refusal, struct result_finding *finding)
{
    const char *part = strstr(refusal, " bytes of local memory per thread; the limit is ");
    if (!part)
        return false;
    const char *number = part;
    while (number > refusal && number[-1] >= '0' && number[-1] <= '9')
        number--;
    const char *limit = part + strlen(" bytes of local memory per thread; the limit is ");
    int bytes = (int)(part - number), limit_length = (int)strspn(limit, "0123456789 KMiB");
    struct source *source = setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    size_t array = source ? largest_array(source) : 0;
    if (array) {
        const struct source_token *name = &source->tokens[array];
        snprintf(finding->array, sizeof finding->array, "%.*s", name->length, name->text);
        finding->line = name->line;
        snprintf(
            finding->message, sizeof finding->message,
            "%s is declared without __shared__, so every thread gets one of its own. With it, a thread needs %.*s bytes, and "
            "it can have %.*s.",
            finding->array, bytes, number, limit_length, limit);
    } else {
        snprintf(
            finding->message, sizeof finding->message,
            "The arrays that the kernel declares lie in every thread. They need %.*s bytes there, and a thread can have "
            "%.*s.",
            bytes, number, limit_length, limit);
    }
    snprintf(finding->pattern, sizeof finding->pattern, "local");
    source_destroy(source);
    return true;
}

bool local_arrays_declare(const struct plan_setup *setup, const char *name)
{
    struct source *source = setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    bool declares = false;
    for (size_t i = 2; source && i + 3 < source->token_count && !declares; i++)
        declares = source_token_is(&source->tokens[i], name) && elements_of(source, i) > 0 && !is_elsewhere(source, i);
    source_destroy(source);
    return declares;
}
