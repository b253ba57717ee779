#include "grader/judge/story_source.h"

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

/* ---- types ------------------------------------------------------------------------------------------------------------- */

/* Values have lost their fraction or their upper bits: the only `__shared__` variable of a type that does that. Of `bits` bits; 0:
 * of any that holds whole numbers. */
static void tell_type(const struct source *source, unsigned bits, struct result_finding *finding)
{
    size_t found = 0, first = 0, end = 0;
    for (size_t i = 0; i + 2 < source->token_count; i++) {
        struct expression_type type;
        size_t from = i + 1 + is(source, i + 1, "volatile"), length;
        if (!is(source, i, "__shared__") || source->tokens[i].defined)
            continue;
        length = expression_read_type(source, from, source->token_count, &type);
        bool fits = length > 0 && source->tokens[from + length].kind == SOURCE_WORD
                    && (bits == 0 ? type.bits <= 32 && type.bits > 1 : type.bits == bits);
        if (!fits)
            continue;
        if (found > 0) /* it could be either */
            return;
        found = from + length;
        first = from;
        end = from + length - 1;
    }
    if (found == 0 || source->tokens[end].line != source->tokens[first].line)
        return;
    const struct source_token *name = &source->tokens[found], *begin = &source->tokens[first], *last = &source->tokens[end];
    char text[200];
    snprintf(text, sizeof text, "Line %d declares %.*s as %.*s.", name->line, name->length < 40 ? name->length : 40,
             name->text,
             (int)(last->text + last->length - begin->text) < 40 ? (int)(last->text + last->length - begin->text) : 40,
             begin->text);
    add_remark(finding, text);
}

/* "off by a multiple of 65536 = 2^16", "off by 2^31": how many bits are right; 0: the message does not say. */
static unsigned right_bits(const struct result_finding *finding)
{
    const char *bits = strstr(finding->message, " 2^");
    return bits ? (unsigned)atoi(bits + strlen(" 2^")) : 0;
}

/* Lines that take the highest bit alone, or all others, by `|` or `&` with a name for it. */
static void tell_high_bit(const struct source *source, struct result_finding *finding)
{
    const struct source_macro *flag = NULL;
    int lines[4], count = 0;
    for (size_t i = 0; i < source->macro_count && !flag; i++) {
        char text[16];
        const struct source_macro *macro = &source->macros[i];
        const struct source_token *token = &source->tokens[macro->first];
        if (macro->has_parameters || macro->count != 1 || token->length >= (int)sizeof text)
            continue;
        snprintf(text, sizeof text, "%.*s", token->length, token->text);
        flag = strtoull(text, NULL, 0) == UINT64_C(0x80000000) ? macro : NULL;
    }
    for (size_t i = 1; flag && i < source->token_count && count < 4; i++) {
        const struct source_token *token = &source->tokens[i];
        bool used = !token->defined && token->length == flag->length
                    && strncmp(token->text, flag->name, (size_t)flag->length) == 0;
        if (used && (count == 0 || lines[count - 1] != token->line))
            lines[count++] = token->line;
    }
    if (count == 0 || count == 4)
        return;
    char words[60];
    snprintf(words, sizeof words,
             count == 1   ? "line %d"
             : count == 2 ? "lines %d and %d"
                          : "lines %d, %d and %d",
             lines[0], lines[count > 1], lines[count - 1]);
    char text[240];
    snprintf(text, sizeof text, "%.*s is the highest bit of a number of 32 bits; it is used in %s.",
             flag->length < 40 ? flag->length : 40, flag->name, words);
    add_remark(finding, text);
}

/* ---- steps ------------------------------------------------------------------------------------------------------------- */

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

/* ---- indices ----------------------------------------------------------------------------------------------------------- */

/* A line that takes a cell of an array plainly, where all others find it by a macro: `s[255]` beside `s[PAD(t)]`. */
static void tell_plain_index(const struct source *source, struct result_finding *finding)
{
    for (size_t i = 0; i + 3 < source->token_count; i++) {
        const struct source_token *array = &source->tokens[i], *macro = NULL;
        if (array->line != finding->line || array->defined || array->kind != SOURCE_WORD || !is(source, i + 1, "[")
            || source->tokens[i + 2].kind == SOURCE_NUMBER || (is(source, i + 3, "(")))
            continue;
        int others = 0, same = 0;
        for (size_t k = 1; k + 3 < source->token_count; k++) {
            const struct source_token *inner = &source->tokens[k + 2];
            if (k == i || source->tokens[k].defined || !source_token_same(&source->tokens[k], array)
                || !is(source, k + 1, "[") || source->tokens[k - 1].kind == SOURCE_WORD) /* its declaration */
                continue;
            bool by_macro = false;
            for (size_t m = 0; m < source->macro_count && is(source, k + 3, "("); m++)
                by_macro |= source->macros[m].has_parameters && source->macros[m].length == inner->length
                            && strncmp(source->macros[m].name, inner->text, (size_t)inner->length) == 0;
            others++;
            same += by_macro && (!macro || source_token_same(macro, inner));
            macro = by_macro && !macro ? inner : macro;
        }
        if (others < 3 || same < others)
            continue;
        char text[240];
        snprintf(text, sizeof text, "All other lines find a cell of %.*s by %.*s(...); line %d does not.",
                 array->length < 40 ? array->length : 40, array->text, macro->length < 40 ? macro->length : 40, macro->text,
                 finding->line);
        add_remark(finding, text);
        return;
    }
}

/* ---- calls ------------------------------------------------------------------------------------------------------------- */

/* Two lines of a function with a barrier between them that every call passes, and still their accesses race: they belong to two
 * calls. The line that is later in the text belongs to the earlier one. */
static void tell_calls(const struct source *source, struct result_finding *finding)
{
    static const char reason[] = "no barrier between them";
    struct source_function function;
    char *at = strstr(finding->message, reason), text[240], rest[sizeof finding->message];
    int from = finding->line < finding->line2 ? finding->line : finding->line2;
    int to = finding->line < finding->line2 ? finding->line2 : finding->line;
    if (!at || from == 0 || from == to || finding->function[0] == '\0'
        || !source_find_function(source, finding->function, from, &function) || source->tokens[function.first].line > from
        || source->tokens[function.last].line < to)
        return;
    int depth = 0, barriers = 0, loops = 0, calls = 0;
    for (size_t i = function.first; i < function.last; i++) {
        depth += is(source, i, "{") - is(source, i, "}");
        int line = source->tokens[i].line;
        barriers += depth == 0 && is(source, i, "__syncthreads") && is(source, i - 1, ";") && line >= from && line <= to;
        loops += is(source, i, "return") && line < to;
    }
    for (size_t i = 1; i + 1 < source->token_count; i++)
        calls += i != function.name && source_token_same(&source->tokens[i], &source->tokens[function.name])
                 && is(source, i + 1, "(") && !source->tokens[i].defined;
    if (barriers == 0 || loops > 0 || calls == 0)
        return;
    snprintf(text, sizeof text,
             "line %d belongs to one call of %.60s, line %d to the next one, and no barrier separates the two calls", to,
             finding->function, from);
    snprintf(rest, sizeof rest, "%s", at + strlen(reason));
    snprintf(at, sizeof finding->message - (size_t)(at - finding->message), "%s%s", text, rest);
    snprintf(finding->pattern, sizeof finding->pattern, "calls");
}

void story_source_tell(const struct source *source, struct result_finding *finding)
{
    if (strncmp(finding->code, "race_", 5) == 0 && finding->pattern[0] == '\0')
        tell_calls(source, finding);
    if (strcmp(finding->code, "wrong_value") != 0)
        return;
    if (is_pattern(finding, "whole") || is_pattern(finding, "wrapped"))
        tell_type(source, 0, finding);
    else if (is_pattern(finding, "upper_bits") && right_bits(finding) == 31)
        tell_high_bit(source, finding);
    else if (is_pattern(finding, "upper_bits") && right_bits(finding) > 0)
        tell_type(source, right_bits(finding), finding);
}

void story_source_tell_measured(const struct source *source, struct result_finding *finding)
{
    if (strcmp(finding->code, "wrong_value") != 0)
        return;
    if (is_pattern(finding, "unused") && finding->kernel[0] != '\0')
        tell_step_end(source, finding);
    if (finding->remark[0] == '\0' && finding->line > 0)
        tell_plain_index(source, finding);
}
