#include "grader/judge/story_types.h"

#include <stdio.h>
#include <string.h>

#include "runtime/language/expression.h"

enum { NAMES_MOST = 2, SHOWN_MOST = 40 };

static bool is(const struct source *source, size_t at, const char *text)
{
    return at < source->token_count && source_token_is(&source->tokens[at], text);
}

static int shown(int length)
{
    return length < SHOWN_MOST ? length : SHOWN_MOST;
}

static bool is_fractional(const struct source_token *token)
{
    static const char *const types[] = {"float", "double", "float2", "float4", "double2"};
    return SOURCE_IS_ANY(token, types);
}

/* Is that name declared with a floating-point type, as a parameter or in the body? */
static bool holds_fractions(const struct source *source, const struct source_function *kernel,
                            const struct source_token *name)
{
    bool fractional = false;
    for (size_t i = kernel->name; i < kernel->last; i++) {
        if (is(source, i, "["))
            i = source_closing(source, i, kernel->last);
        else if (is_fractional(&source->tokens[i]) && !is(source, i + 1, ")"))
            fractional = true;
        else if (is(source, i, ";") || is(source, i, "{") || (i < kernel->first && is(source, i, ",")) || is(source, i, "="))
            fractional = false;
        else if (fractional && source_token_same(&source->tokens[i], name) && !source->tokens[i].defined)
            return true;
    }
    return false;
}

/* Does the value of tokens [first, end) have a fraction: a variable or an element that holds one, without a comparison, a
 * cast or a call that could make something else of it? What stands before a `?` and in brackets only chooses. */
static bool has_fraction(const struct source *source, const struct source_function *kernel, size_t first, size_t end)
{
    static const char *const comparisons[] = {"<", ">", "<=", ">=", "==", "!=", "&&", "||", "!", "&", "|", "<<", ">>", "%"};
    static const char *const kept[] = {"__ldg", "fmaf", "fma"};
    bool found = false;
    for (size_t i = first; i < end; i++)
        first = is(source, i, "?") ? i + 1 : first;
    for (size_t i = first; i < end; i++) {
        if (is(source, i, "[")) {
            i = source_closing(source, i, end);
            continue;
        }
        struct expression_type type;
        bool cast = is(source, i, "(") && expression_read_type(source, i + 1, end, &type) > 0;
        bool call = source->tokens[i].kind == SOURCE_WORD && is(source, i + 1, "(")
                    && !SOURCE_IS_ANY(&source->tokens[i], kept);
        if (cast || call || SOURCE_IS_ANY(&source->tokens[i], comparisons))
            return false;
        found |= source->tokens[i].kind == SOURCE_WORD && holds_fractions(source, kernel, &source->tokens[i]);
    }
    return found;
}

/* Does the body store a fraction in that name, or in an element of it? */
static bool takes_fraction(const struct source *source, const struct source_function *kernel,
                           const struct source_token *name)
{
    static const char *const stores[] = {"=", "+=", "-=", "*="};
    for (size_t i = kernel->first; i + 2 < kernel->last; i++) {
        size_t at = i + 1, end;
        if (!source_token_same(&source->tokens[i], name) || source->tokens[i].defined || is(source, i - 1, "."))
            continue;
        while (is(source, at, "["))
            at = source_closing(source, at, kernel->last) + 1;
        if (at >= kernel->last || !SOURCE_IS_ANY(&source->tokens[at], stores))
            continue;
        for (end = at + 1; end < kernel->last && !is(source, end, ";") && !is(source, end, ")"); end++)
            if (is(source, end, "(") || is(source, end, "["))
                end = source_closing(source, end, kernel->last);
        if (has_fraction(source, kernel, at + 1, end))
            return true;
    }
    return false;
}

/* `__shared__ int As[TILE][TILE];`, and elements of a float array are stored there: one such name, or two. */
static bool tell_whole_variables(const struct source *source, const struct source_function *kernel,
                                 struct result_finding *finding)
{
    const struct source_token *names[NAMES_MOST];
    size_t types[NAMES_MOST], lengths[NAMES_MOST];
    int count = 0;
    for (size_t i = kernel->first; i + 2 < kernel->last; i++) {
        struct expression_type type;
        bool begins = !source->tokens[i].defined && source->tokens[i].kind == SOURCE_WORD && !is(source, i - 1, "(");
        size_t length = begins ? expression_read_type(source, i, kernel->last, &type) : 0, at = i + length;
        if (length == 0 || type.bits == 1)
            continue;
        /* All names of the declaration: `int a = 0, b[4];`. */
        for (bool name = true; at < kernel->last && !is(source, at, ";"); at++) {
            const struct source_token *token = &source->tokens[at];
            if (is(source, at, "[") || is(source, at, "(") || is(source, at, "{"))
                at = source_closing(source, at, kernel->last);
            else if (is(source, at, ","))
                name = true;
            else if (name && token->kind == SOURCE_WORD) {
                name = false;
                if (!takes_fraction(source, kernel, token))
                    continue;
                if (count == NAMES_MOST)
                    return false;
                names[count] = token;
                types[count] = i;
                lengths[count++] = length;
            } else if (name && !is(source, at, "*"))
                break;
        }
        i = at;
    }
    if (count == 0)
        return false;
    const struct source_token *first = &source->tokens[types[0]], *last = first + lengths[0] - 1;
    int words = shown((int)(last->text + last->length - first->text));
    bool same = count == 2 && lengths[0] == lengths[1] && source_same_tokens(source, types[0], types[1], lengths[0]);
    if (last->line != first->line || (count == 2 && !same))
        return false;
    if (count == 1)
        snprintf(finding->remark, sizeof finding->remark,
                 "Line %d declares %.*s as %.*s: a fraction that is stored there is lost.", names[0]->line,
                 shown(names[0]->length), names[0]->text, words, first->text);
    else
        snprintf(finding->remark, sizeof finding->remark,
                 "%.*s (line %d) and %.*s (line %d) are declared as %.*s: a fraction that is stored there is lost.",
                 shown(names[0]->length), names[0]->text, names[0]->line, shown(names[1]->length), names[1]->text,
                 names[1]->line, words, first->text);
    return true;
}

/* The only call in the kernel that makes a whole number of its argument, or drops the sign. */
static void tell_call(const struct source *source, const struct source_function *kernel, struct result_finding *finding)
{
    static const char *const whole[] = {
        "roundf", "round",  "rintf",          "rint",           "floorf",         "floor",         "ceilf",
        "ceil",   "truncf", "trunc",          "nearbyintf",     "nearbyint",      "lroundf",       "lrintf",
        "lround", "lrint",  "__float2int_rn", "__float2int_rz", "__float2int_rd", "__float2int_ru"};
    static const char *const unsigned_value[] = {"fabsf", "fabs", "abs"};
    const struct source_token *found = NULL;
    bool sign = false;
    for (size_t i = kernel->first; i + 1 < kernel->last; i++) {
        const struct source_token *token = &source->tokens[i];
        bool drops_sign = SOURCE_IS_ANY(token, unsigned_value);
        if (token->defined || !is(source, i + 1, "(") || !(drops_sign || SOURCE_IS_ANY(token, whole)))
            continue;
        if (found)
            return;
        found = token;
        sign = drops_sign;
    }
    if (found)
        snprintf(finding->remark, sizeof finding->remark,
                 sign ? "Line %d calls %.*s, which returns its argument without the sign."
                      : "Line %d calls %.*s, which returns a whole number.",
                 found->line, found->length, found->text);
}

void story_types_tell(const struct source *source, struct result_finding *finding)
{
    struct source_function kernel;
    bool typed = strcmp(finding->code, "wrong_value") == 0 && strcmp(finding->pattern, "typed") == 0
                 && strstr(finding->message, "a fraction");
    if (!typed || finding->remark[0] != '\0' || finding->kernel[0] == '\0'
        || !source_find_function(source, finding->kernel, 0, &kernel))
        return;
    if (!tell_whole_variables(source, &kernel, finding))
        tell_call(source, &kernel, finding);
}
