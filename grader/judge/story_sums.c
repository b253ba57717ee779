#include "grader/judge/story_sums.h"

#include <stdio.h>
#include <string.h>

#include "runtime/language/expression.h"

static bool is(const struct source *source, size_t at, const char *text)
{
    return at < source->token_count && source_token_is(&source->tokens[at], text);
}

static int shown_length(const struct source_token *token)
{
    return token->length < 40 ? token->length : 40;
}

/* Does the text add to the variable in [first, end): `sum += …`, `sum = sum + …`, `sum = fmaf(…, sum)`? Returns the token; 0: no. */
static size_t find_addition(const struct source *source, size_t first, size_t end, size_t variable)
{
    const struct source_token *name = &source->tokens[variable];
    for (size_t i = first; i + 2 < end; i++) {
        if (source->tokens[i].defined || !source_token_same(&source->tokens[i], name) || is(source, i - 1, "."))
            continue;
        if (is(source, i + 1, "+="))
            return i;
        for (size_t k = i + 2; is(source, i + 1, "=") && k < end && !is(source, k, ";"); k++)
            if (source_token_same(&source->tokens[k], name))
                return i;
    }
    return 0;
}

/* The plain variable in the line that the kernel adds to, other than an index: its token there. 0: there is none, or several. */
static size_t find_sum(const struct source *source, const struct source_function *kernel, int line)
{
    size_t found = 0;
    int brackets = 0;
    for (size_t i = kernel->first; i < kernel->last; i++) {
        const struct source_token *token = &source->tokens[i];
        brackets += is(source, i, "[") - is(source, i, "]");
        if (brackets > 0 || token->line != line || token->defined || token->kind != SOURCE_WORD || is(source, i + 1, "[")
            || is(source, i + 1, "(") || is(source, i - 1, ".")
            || find_addition(source, kernel->first, kernel->last, i) == 0)
            continue;
        if (found > 0 && !source_token_same(&source->tokens[found], token))
            return 0;
        found = i;
    }
    return found;
}

/* `int sum = 0;` */
static void tell_type(const struct source *source, const struct source_function *kernel, size_t sum,
                      struct result_finding *finding)
{
    const struct source_token *name = &source->tokens[sum];
    for (size_t i = kernel->first; i + 2 < kernel->last; i++) {
        struct expression_type type;
        size_t length = source->tokens[i].defined ? 0 : expression_read_type(source, i, kernel->last, &type);
        const struct source_token *last = &source->tokens[i + length - (length > 0)];
        if (length == 0 || type.bits == 1 || last->line != source->tokens[i].line
            || !source_token_same(&source->tokens[i + length], name)
            || !(is(source, i + length + 1, "=") || is(source, i + length + 1, ";") || is(source, i + length + 1, ",")))
            continue;
        int words = (int)(last->text + last->length - source->tokens[i].text);
        snprintf(finding->remark, sizeof finding->remark, "Line %d declares %.*s as %.*s.", source->tokens[i].line,
                 shown_length(name), name->text, words < 40 ? words : 40, source->tokens[i].text);
        return;
    }
}

static bool is_zero(const struct source_token *token)
{
    return token->kind == SOURCE_NUMBER && strspn(token->text, "0.f") >= (size_t)token->length;
}

/* `for (…) { sum = 0; … sum += …; }`, the first not inside of another condition or loop. */
static void tell_reset(const struct source *source, const struct source_function *kernel, size_t sum,
                       struct result_finding *finding)
{
    const struct source_token *name = &source->tokens[sum];
    for (size_t i = kernel->first; i + 3 < kernel->last; i++) {
        size_t close = is(source, i, "for") || is(source, i, "while") ? source_closing(source, i + 1, kernel->last)
                                                                      : kernel->last;
        size_t end = close + 1 < kernel->last && is(source, close + 1, "{") ? source_closing(source, close + 1, kernel->last)
                                                                            : 0;
        int depth = 0;
        for (size_t k = close + 2; k + 2 < end; k++) {
            depth += is(source, k, "{") - is(source, k, "}");
            bool begins = is(source, k - 1, "{") || is(source, k - 1, ";") || is(source, k - 1, "}");
            if (depth > 0 || !begins || !source_token_same(&source->tokens[k], name) || !is(source, k + 1, "=")
                || !is_zero(&source->tokens[k + 2]) || !is(source, k + 3, ";")
                || find_addition(source, k + 3, end, sum) == 0)
                continue;
            snprintf(finding->remark, sizeof finding->remark, "Line %d sets %.*s to 0 in every turn of the loop in line %d.",
                     source->tokens[k].line, shown_length(name), name->text, source->tokens[i].line);
            finding->line = source->tokens[k].line;
            finding->line2 = 0;
            return;
        }
    }
}

void story_sums_tell(const struct source *source, struct result_finding *finding)
{
    struct source_function kernel;
    bool typed = strcmp(finding->pattern, "typed") == 0, last_part = strcmp(finding->pattern, "one_tile") == 0;
    if (!(typed || last_part) || finding->remark[0] != '\0' || finding->line == 0
        || !source_find_function(source, finding->kernel, 0, &kernel))
        return;
    size_t sum = find_sum(source, &kernel, finding->line);
    if (sum > 0 && typed)
        tell_type(source, &kernel, sum, finding);
    if (sum > 0 && last_part)
        tell_reset(source, &kernel, sum, finding);
}
