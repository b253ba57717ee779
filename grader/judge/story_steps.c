#include "grader/judge/story_steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/language/expression.h"

static bool is(const struct source *source, size_t at, const char *text)
{
    return at < source->token_count && source_token_is(&source->tokens[at], text);
}

static bool is_pattern(const struct result_finding *finding, const char *pattern)
{
    return strcmp(finding->pattern, pattern) == 0;
}

static void add_remark(struct result_finding *finding, const char *text)
{
    size_t used = strlen(finding->remark);
    if (used + strlen(text) + 2 < sizeof finding->remark)
        snprintf(finding->remark + used, sizeof finding->remark - used, "%s%s", used > 0 ? " " : "", text);
}

/* Takes the message's own question away, so that the one of the pattern's hints is asked. */
static void drop_question(struct result_finding *finding)
{
    size_t used = strlen(finding->message);
    char *last = NULL;
    for (char *at = finding->message; finding->asks && (at = strstr(at, ". ")); at += 2)
        last = at;
    if (last && used > 0 && finding->message[used - 1] == '?')
        last[1] = '\0';
    finding->asks = false;
}

/* `for (int d = 1; d < n; d *= 2)` with a barrier in it, where n is a parameter of the kernel: the steps end at the number of
 * all elements, though the block has more threads. Returns the loop's first token; 0: there is none. */
static size_t find_step_end(const struct source *source, const struct source_function *kernel, size_t *bound)
{
    for (size_t i = kernel->first; i + 8 < kernel->last; i++) {
        size_t close = is(source, i, "for") ? source_closing(source, i + 1, kernel->last) : kernel->last;
        size_t semicolon = i;
        while (semicolon < close && !is(source, semicolon, ";"))
            semicolon++;
        if (close >= kernel->last || semicolon + 5 >= close || !is(source, semicolon - 1, "1")
            || !is(source, semicolon + 2, "<") || !is(source, semicolon + 4, ";")
            || !source_token_same(&source->tokens[semicolon + 1], &source->tokens[semicolon + 5])
            || !(is(source, semicolon + 6, "*=") || is(source, semicolon + 6, "<<=")) || !is(source, close + 1, "{"))
            continue;
        bool is_parameter = false, has_barrier = false;
        for (unsigned k = 0; k < kernel->parameter_count; k++)
            is_parameter |= kernel->parameters[k] > 0
                            && source_token_same(&source->tokens[kernel->parameters[k]], &source->tokens[semicolon + 3]);
        for (size_t k = close; k < source_closing(source, close + 1, kernel->last); k++)
            has_barrier |= is(source, k, "__syncthreads");
        *bound = semicolon + 3;
        if (is_parameter && has_barrier)
            return i;
    }
    return 0;
}

static void tell_step_end(const struct source *source, struct result_finding *finding)
{
    struct source_function kernel;
    size_t bound,
        loop = source_find_function(source, finding->kernel, 0, &kernel) ? find_step_end(source, &kernel, &bound) : 0;
    if (loop == 0)
        return;
    const struct source_token *name = &source->tokens[bound];
    char text[320];
    snprintf(
        text, sizeof text,
        "The steps of the loop in line %d end below %.*s. Where the block has more threads than that, its last threads are "
        "too far from the first ones: what these have never reaches them.",
        source->tokens[loop].line, name->length < 40 ? name->length : 40, name->text);
    drop_question(finding);
    add_remark(finding, text);
    snprintf(finding->pattern, sizeof finding->pattern, "step_end");
}

/* The value of a macro that is one number; no other name is known. */
static size_t value_of_macro(void *context, size_t at, size_t end, int64_t *value)
{
    const struct source *source = context;
    const struct source_macro *macro = at < end ? source_find_macro(source, &source->tokens[at]) : NULL;
    if (!macro || macro->count != 1 || source->tokens[macro->first].kind != SOURCE_NUMBER)
        return 0;
    *value = strtoll(source->tokens[macro->first].text, NULL, 0);
    return 1;
}

/* Is the loop's variable doubled in each turn: `d *= 2`, `d <<= 1`, `d += d`, up to the closing bracket? */
static bool doubles(const struct source *source, size_t step, size_t close)
{
    return close == step + 3
           && ((is(source, step + 1, "*=") && is(source, step + 2, "2"))
               || (is(source, step + 1, "<<=") && is(source, step + 2, "1"))
               || (is(source, step + 1, "+=") && source_token_same(&source->tokens[step], &source->tokens[step + 2])));
}

/* "Is the step with distance 128 made": what the head of the only loop of such steps says, if it is made of constants. */
static void tell_last_step(const struct source *source, struct result_finding *finding)
{
    static const char asked[] = "Is the step with distance ";
    const char *at = strstr(finding->message, asked);
    long long distance = at ? atoll(at + strlen(asked)) : 0, made = -1;
    struct source_function kernel;
    int line = 0;
    if (distance <= 0 || !source_find_function(source, finding->kernel, 0, &kernel))
        return;
    for (size_t i = kernel.first; i + 8 < kernel.last; i++) {
        const struct expression_names names = {value_of_macro, (void *)source};
        struct expression bound;
        size_t close = is(source, i, "for") ? source_closing(source, i + 1, kernel.last) : kernel.last, condition = i + 2;
        while (condition < close && !is(source, condition, ";"))
            condition++;
        size_t end = condition + 1;
        while (end < close && !is(source, end, ";"))
            end++;
        bool inclusive = is(source, condition + 2, "<=");
        if (close >= kernel.last || end >= close || !is(source, condition - 1, "1")
            || !(inclusive || is(source, condition + 2, "<")) || !doubles(source, end + 1, close))
            continue;
        if (line > 0 || !expression_evaluate(source, condition + 3, end, &names, &bound))
            return;
        size_t body = is(source, close + 1, "{") ? source_closing(source, close + 1, kernel.last) : close;
        for (size_t k = close; k < body; k++)
            if (is(source, k, "break") || is(source, k, "return") || is(source, k, "continue"))
                return;
        line = source->tokens[i].line;
        for (long long step = 1; step < bound.value + inclusive; step *= 2)
            made = step;
    }
    char text[200];
    if (line == 0)
        return;
    snprintf(text, sizeof text,
             made >= distance ? "The loop in line %d makes this step. Which array or variable does it leave its result in?"
                              : "The loop in line %d ends before this step: the last distance that it takes is %lld.",
             line, made);
    add_remark(finding, text);
}

/* `if (t > d) … cells[t - d]`, `if (lane > d)` behind a shuffle by d: the thread that is exactly d away from the first one is left
 * out. */
static bool tell_strict_in(const struct source *source, const struct source_function *function,
                           struct result_finding *finding)
{
    enum { NEAR = 24 };
    const struct source_token *tokens = source->tokens;
    for (size_t i = function->first + 1; i + 4 < function->last; i++) {
        const struct source_token *number = &tokens[i - 1], *distance = &tokens[i + 1];
        if (!is(source, i, ">") || tokens[i].defined || number->kind != SOURCE_WORD || distance->kind != SOURCE_WORD
            || !(is(source, i + 2, ")") || is(source, i + 2, "?")))
            continue;
        bool cell = false, shuffle = false;
        for (size_t k = i; k < i + NEAR && k + 3 < function->last && tokens[k].line <= tokens[i].line + 2; k++)
            cell |= is(source, k, "[") && source_token_same(&tokens[k + 1], number) && is(source, k + 2, "-")
                    && source_token_same(&tokens[k + 3], distance) && is(source, k + 4, "]");
        for (size_t k = i - 1; k > function->first && k + NEAR > i; k--) {
            size_t close = is(source, k, "__shfl_up_sync") ? source_closing(source, k + 1, function->last) : function->last;
            shuffle |= close < i && source_token_same(&tokens[close - 1], distance);
        }
        if (!cell && !shuffle)
            continue;
        char text[240], name[40], far[40];
        snprintf(name, sizeof name, "%.*s", number->length, number->text);
        snprintf(far, sizeof far, "%.*s", distance->length, distance->text);
        snprintf(
            text, sizeof text,
            cell
                ? "Line %d asks %s > %s, so where %s is %s nothing is added: the cell with the index %s - %s = 0 is left out."
                : "Line %d asks %s > %s, so where %s is %s nothing is added: the lane %s - %s = 0 is left out.",
            tokens[i].line, name, far, name, far, name, far);
        add_remark(finding, text);
        return true;
    }
    return false;
}

/* In the kernel, or in a function that it calls. */
static void tell_strict(const struct source *source, struct result_finding *finding)
{
    struct source_function kernel, function;
    char name[64];
    if (!source_find_function(source, finding->kernel, 0, &kernel) || tell_strict_in(source, &kernel, finding))
        return;
    for (size_t i = kernel.first; i + 1 < kernel.last; i++) {
        const struct source_token *token = &source->tokens[i];
        if (token->kind != SOURCE_WORD || !is(source, i + 1, "(") || token->length >= (int)sizeof name)
            continue;
        snprintf(name, sizeof name, "%.*s", token->length, token->text);
        if (source_find_function(source, name, 0, &function) && tell_strict_in(source, &function, finding))
            return;
    }
}

void story_steps_tell(const struct source *source, struct result_finding *finding)
{
    if (strcmp(finding->code, "wrong_value") != 0 || finding->kernel[0] == '\0')
        return;
    if (is_pattern(finding, "unused"))
        tell_step_end(source, finding);
    if (is_pattern(finding, "steps") && finding->remark[0] == '\0')
        tell_last_step(source, finding);
    if (is_pattern(finding, "missing") && finding->remark[0] == '\0')
        tell_strict(source, finding);
}
