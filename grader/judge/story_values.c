#include "grader/judge/story_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers that are treated in another way ------------------------------------------------------------------------- */

/* Wrong values that begin with subnormal numbers alone, and an addition that cannot keep those. */
static void tell_subnormal(const struct repair_source *source, struct result_finding *finding)
{
    bool only = strcmp(finding->pattern, "special") == 0 && strstr(finding->message, " is special: subnormal. ");
    int line = only && finding->remark[0] == '\0' ? repair_source_find_atomic_add(source, finding->array) : 0;
    if (line > 0)
        snprintf(finding->remark, sizeof finding->remark,
                 "Line %d adds with atomicAdd: of floats in global memory, it takes subnormal numbers for 0.", line);
}

/* Wrong values that begin with NaN or infinities, and the one place that asks for these. */
static void tell_asked(const struct repair_source *source, struct result_finding *finding)
{
    static const char *const functions[] = {"isnan", "isinf", "isfinite"};
    bool special = strcmp(finding->pattern, "special") == 0, nan = strstr(finding->message, "NaN"),
         infinite = strstr(finding->message, "inf");
    const char *function = NULL;
    int line = special && finding->remark[0] == '\0'
                   ? repair_source_find_only_call(source, functions, sizeof functions / sizeof *functions, &function)
                   : 0;
    bool fits = line > 0
                && ((nan && strcmp(function, functions[1]) != 0) || (infinite && strcmp(function, functions[0]) != 0));
    if (fits)
        snprintf(finding->remark, sizeof finding->remark, "In line %d, %s asks for such a number.", line, function);
}

/* Wrong values of special or small numbers alone, and a variable that is given another value under a condition about it. */
static void tell_replaced(const struct repair_source *source, struct result_finding *finding)
{
    char name[40];
    bool fits = strcmp(finding->pattern, "special") == 0 || strcmp(finding->pattern, "small") == 0;
    int second,
        line = fits && finding->remark[0] == '\0' ? repair_source_find_replaced(source, &second, name, sizeof name) : 0;
    if (line > 0 && second > line)
        snprintf(finding->remark, sizeof finding->remark,
                 "Lines %d and %d give %s another value, under conditions that ask about %s.", line, second, name, name);
    else if (line > 0)
        snprintf(finding->remark, sizeof finding->remark,
                 "Line %d gives %s another value, under a condition that asks about %s.", line, name, name);
}

/* Wrong values of special numbers alone, and the one place that computes with the bits of a float. */
static void tell_bits(const struct repair_source *source, struct result_finding *finding)
{
    static const char *const functions[] = {"__float_as_int", "__float_as_uint"};
    const char *function = NULL;
    int line = strcmp(finding->pattern, "special") == 0 && finding->remark[0] == '\0'
                   ? repair_source_find_only_call(source, functions, sizeof functions / sizeof *functions, &function)
                   : 0;
    if (line > 0)
        snprintf(finding->remark, sizeof finding->remark, "In line %d, %s takes the bits of a float for a whole number.",
                 line, function);
}

/* A function that returns a number instead, under a condition about what it was given. */
static void tell_returned(const struct repair_source *source, struct result_finding *finding)
{
    char name[40], value[40];
    bool fits = strcmp(finding->pattern, "special") == 0 || strcmp(finding->pattern, "small") == 0;
    int line = fits && finding->remark[0] == '\0'
                   ? repair_source_find_returned(source, name, sizeof name, value, sizeof value)
                   : 0;
    if (line > 0)
        snprintf(finding->remark, sizeof finding->remark, "Line %d returns %s, under a condition that asks about %s.", line,
                 value, name);
}

void story_values_tell(const struct repair_source *own, struct result_finding *finding)
{
    tell_subnormal(own, finding);
    tell_asked(own, finding);
    tell_replaced(own, finding);
    tell_returned(own, finding);
    tell_bits(own, finding);
}

/* ---- words of the text ----------------------------------------------------------------------------------------------- */

static bool is(const struct source *source, size_t at, const char *text)
{
    return at < source->token_count && source_token_is(&source->tokens[at], text);
}

/* The text of tokens [first, end), which are in one line. */
static void copy(const struct source *source, size_t first, size_t end, char *text, size_t bytes)
{
    const struct source_token *from = &source->tokens[first], *last = &source->tokens[end - 1];
    snprintf(text, bytes, "%.*s", (int)(last->text + last->length - from->text), from->text);
}

/* The kernel of the finding: its tokens. */
static bool find_kernel(const struct source *source, const struct result_finding *finding, struct source_function *kernel)
{
    return finding->kernel[0] != '\0' && source_find_function(source, finding->kernel, 0, kernel);
}

/* ---- calls that give something else ---------------------------------------------------------------------------------- */

/* `__fadd_rd`: the direction of rounding that the name ends with; NULL: it is no such function, or rounds to nearest. */
static const char *direction_of(const struct source_token *token)
{
    static const char *const operations[] = {"add", "sub", "mul", "div", "sqrt", "rcp", "maf", "ma"};
    const char *text = token->text, *end = text + token->length - 3;
    bool begins = token->length > 7 && (strncmp(text, "__f", 3) == 0 || strncmp(text, "__d", 3) == 0);
    size_t length = begins ? (size_t)(end - text) - 3 : 0;
    for (size_t i = 0; begins && i < sizeof operations / sizeof *operations; i++)
        if (strlen(operations[i]) == length && strncmp(text + 3, operations[i], length) == 0)
            return strncmp(end, "_rd", 3) == 0   ? "down"
                   : strncmp(end, "_ru", 3) == 0 ? "up"
                   : strncmp(end, "_rz", 3) == 0 ? "towards 0"
                                                 : NULL;
    return NULL;
}

static void tell_rounding(const struct source *source, struct result_finding *finding)
{
    for (size_t i = 0; i + 1 < source->token_count; i++) {
        const struct source_token *token = &source->tokens[i];
        const char *direction = is(source, i + 1, "(") ? direction_of(token) : NULL;
        if (!direction)
            continue;
        snprintf(finding->remark, sizeof finding->remark, "In line %d, %.*s rounds %s, and not to the nearest number.",
                 token->line, token->length, token->text, direction);
        return;
    }
}

/* Does the function declare the name as a float? */
static bool is_float(const struct source *source, const struct source_function *function, const struct source_token *name)
{
    for (size_t i = function->first; i + 1 < function->last; i++)
        if (is(source, i, "float") && source_token_same(&source->tokens[i + 1], name))
            return true;
    return false;
}

/* `x += dx;` in a loop, where the line of the store uses x: a number that grows by rounded steps. */
static void tell_accumulated(const struct source *source, struct result_finding *finding)
{
    struct source_function kernel;
    size_t end = 0; /* of the loop */
    if (!find_kernel(source, finding, &kernel))
        return;
    for (size_t i = kernel.first; i + 4 < kernel.last; i++) {
        const struct source_token *name = &source->tokens[i];
        bool used = false;
        if (is(source, i, "for") || is(source, i, "while")) {
            size_t close = source_closing(source, i + 1, kernel.last);
            end = is(source, close + 1, "{") ? source_closing(source, close + 1, kernel.last) : close;
        }
        bool step = name->kind == SOURCE_WORD && is(source, i + 1, "+=") && source->tokens[i + 2].kind == SOURCE_WORD
                    && is(source, i + 3, ";") && is_float(source, &kernel, name)
                    && is_float(source, &kernel, &source->tokens[i + 2]);
        for (size_t k = kernel.first; step && k < kernel.last; k++)
            used |= source->tokens[k].line == finding->line && finding->line != name->line
                    && source_token_same(&source->tokens[k], name);
        if (!used || i > end)
            continue;
        snprintf(finding->remark, sizeof finding->remark,
                 "Line %d, in a loop, adds %.*s to %.*s again and again, and each addition may round.", name->line,
                 source->tokens[i + 2].length < 40 ? source->tokens[i + 2].length : 40, source->tokens[i + 2].text,
                 name->length < 40 ? name->length : 40, name->text);
        return;
    }
}

/* `out[i] = atomicAdd(…)`: what the function returns is what was there before. */
static void tell_atomic_result(const struct source *source, struct result_finding *finding)
{
    for (size_t i = 1; i + 2 < source->token_count; i++) {
        const struct source_token *token = &source->tokens[i];
        if (token->line != finding->line || token->defined || strncmp(token->text, "atomic", 6) != 0 || token->length < 9
            || !is(source, i - 1, "=") || !is(source, i - 2, "]") || !is(source, i + 1, "("))
            continue;
        snprintf(finding->remark, sizeof finding->remark,
                 "In line %d, %.*s returns the value that was there before it, not the one that it leaves.", token->line,
                 token->length, token->text);
        return;
    }
}

/* The only shuffle of the file, by a number of lanes up or down: where a lane gets its value from, and who gets its own. */
static void tell_shuffle(const struct source *source, struct result_finding *finding)
{
    size_t found = 0;
    for (size_t i = 0; i + 8 < source->token_count; i++)
        if (!strncmp(source->tokens[i].text, "__shfl_", 7) && is(source, i + 1, "(")) {
            if (found > 0)
                return;
            found = i;
        }
    bool up = found > 0 && is(source, found, "__shfl_up_sync"), down = found > 0 && is(source, found, "__shfl_down_sync");
    size_t close = up || down ? source_closing(source, found + 1, source->token_count) : 0;
    const struct source_token *number = &source->tokens[close > 0 ? close - 1 : 0];
    int lanes = close > 0 && number->kind == SOURCE_NUMBER && is(source, close - 2, ",") ? atoi(number->text) : 0,
        commas = 0;
    for (size_t i = found + 2; i < close; i++)
        commas += is(source, i, ",");
    if (commas != 2 || lanes < 1 || lanes > 31)
        return;
    char own[60];
    snprintf(own, sizeof own,
             lanes == 1 ? "lane %d gets"
             : up       ? "lanes 0 to %d get"
                        : "lanes %d to 31 get",
             up ? lanes - 1 : 32 - lanes);
    snprintf(finding->remark, sizeof finding->remark,
             "In line %d, %s gives each lane the value of the one %d %s; %s back what they pass.",
             source->tokens[found].line, up ? "__shfl_up_sync" : "__shfl_down_sync", lanes, up ? "below it" : "above it",
             own);
    if (lanes == 1)
        snprintf(finding->remark, sizeof finding->remark,
                 "In line %d, %s gives each lane the value of the one %s; lane %d gets back what it passes.",
                 source->tokens[found].line, up ? "__shfl_up_sync" : "__shfl_down_sync", up ? "before it" : "behind it",
                 up ? 0 : 31);
}

/* ---- lines that follow one another --------------------------------------------------------------------------------------- */

/* Is the token a part of a vector, behind a point? */
static bool is_part(const struct source *source, size_t at)
{
    const struct source_token *token = &source->tokens[at];
    return at > 0 && is(source, at - 1, ".") && token->length == 1 && strchr("xyzw", *token->text);
}

/* Have two statements, `s.x = a.x + b.x;` and `s.y = a.y + b.y;`, the same words but for the parts? */
static bool is_alike(const struct source *source, size_t a, size_t b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!source_token_same(&source->tokens[a + i], &source->tokens[b + i])
            && !(is_part(source, a + i) && is_part(source, b + i)))
            return false;
    return true;
}

/* The part that all of the statement's vectors have: its letter; 0: there are several, or none. */
static char part_of(const struct source *source, size_t first, size_t count)
{
    char part = 0;
    for (size_t i = first; i < first + count; i++) {
        if (!is_part(source, i))
            continue;
        if (part != 0 && part != *source->tokens[i].text)
            return 0;
        part = *source->tokens[i].text;
    }
    return part;
}

/* Of three or four statements that are alike, one that mixes two parts where each of the others has one. */
static void tell_mixed_parts(const struct source *source, struct result_finding *finding)
{
    for (size_t i = 1; i + 1 < source->token_count; i++) {
        size_t count = 0, lines = 1, odd = 0, mixed = 0;
        bool begins = is(source, i - 1, ";") || is(source, i - 1, "{");
        while (begins && i + count < source->token_count && !is(source, i + count, ";") && !is(source, i + count, "{"))
            count++;
        if (!begins || count < 5 || !is(source, i + count, ";"))
            continue;
        count++;
        while (lines < 4 && i + (lines + 1) * count <= source->token_count && is_alike(source, i, i + lines * count, count))
            lines++;
        for (size_t k = 0; k < lines; k++)
            if (part_of(source, i + k * count, count) == 0) {
                mixed++;
                odd = i + k * count;
            }
        if (lines < 3 || mixed != 1 || source->tokens[odd].line == source->tokens[odd - 1].line)
            continue;
        snprintf(finding->remark, sizeof finding->remark,
                 "Line %d mixes two parts of its vectors; each of the lines beside it, which are alike, has one part only.",
                 source->tokens[odd].line);
        return;
    }
}

/* `float dx = 1 / n;`: the first quotient of whole numbers, of 1 or of a variable declared as an int, by a parameter. */
static void tell_quotient(const struct source *source, struct result_finding *finding)
{
    struct source_function kernel;
    if (!find_kernel(source, finding, &kernel))
        return;
    for (size_t i = kernel.first + 1; i + 1 < kernel.last; i++) {
        const struct source_token *left = &source->tokens[i - 1], *right = &source->tokens[i + 1];
        bool parameter = false,
             whole = left->kind == SOURCE_NUMBER && strspn(left->text, "0123456789") >= (size_t)left->length;
        if (!is(source, i, "/") || is(source, i - 2, ")") || is(source, i - 2, "*") || is(source, i - 2, "."))
            continue;
        for (unsigned p = 0; p < kernel.parameter_count; p++)
            parameter |= kernel.parameters[p] > 0 && source_token_same(&source->tokens[kernel.parameters[p]], right)
                         && is(source, kernel.types[p], "int") && kernel.types[p] + 1 == kernel.parameters[p];
        for (size_t k = kernel.first; k + 1 < kernel.last; k++)
            whole |= is(source, k, "int") && source_token_same(&source->tokens[k + 1], left);
        if (!parameter || !whole)
            continue;
        snprintf(finding->remark, sizeof finding->remark, "Line %d divides %.*s by %.*s, and both are whole numbers.",
                 left->line, left->length < 40 ? left->length : 40, left->text, right->length < 40 ? right->length : 40,
                 right->text);
        return;
    }
}

/* ---- sums ------------------------------------------------------------------------------------------------------------ */

/* `partial[0] = 0.0f;` before any other use of an array that a kernel before has filled, and that later lines read. */
static void tell_erased(const struct source *source, struct result_finding *finding)
{
    struct source_function kernel;
    if (!find_kernel(source, finding, &kernel))
        return;
    for (unsigned p = 0; p < kernel.parameter_count; p++) {
        size_t name = kernel.parameters[p], first = kernel.first;
        bool read = false;
        while (name > 0 && first < kernel.last && !source_token_same(&source->tokens[first], &source->tokens[name]))
            first++;
        if (name == 0 || first + 6 >= kernel.last || !is(source, first + 1, "[")
            || source->tokens[first + 2].kind != SOURCE_NUMBER || !is(source, first + 3, "]") || !is(source, first + 4, "=")
            || source->tokens[first + 5].kind != SOURCE_NUMBER || !is(source, first + 6, ";"))
            continue;
        for (size_t i = first + 7; i + 1 < kernel.last; i++)
            read |= source_token_same(&source->tokens[i], &source->tokens[name]) && is(source, i + 1, "[")
                    && source->tokens[i + 2].kind == SOURCE_WORD && is(source, i + 3, "]") && !is(source, i + 4, "=")
                    && !is(source, i - 1, "&");
        char place[60];
        copy(source, first, first + 4, place, sizeof place);
        if (!read || source->tokens[first].line != source->tokens[first + 5].line)
            continue;
        snprintf(finding->remark, sizeof finding->remark,
                 "Line %d sets %s to %.*s, and no line before it reads what was there.", source->tokens[first].line, place,
                 source->tokens[first + 5].length, source->tokens[first + 5].text);
        return;
    }
}

/* The value of a number, or of the name of one; 0: none. */
static long number_of(const struct source *source, size_t at)
{
    const struct source_token *token = &source->tokens[at];
    const struct source_macro *macro = source_find_macro(source, token);
    if (macro && macro->count == 1)
        token = &source->tokens[macro->first];
    return token->kind == SOURCE_NUMBER ? strtol(token->text, NULL, 0) : 0;
}

/* `half > 0;`, `half >= 1;`, `half != 0;` or `half;` */
static bool ends_at_0(const struct source *source, size_t at, const struct source_token *name)
{
    bool alone = is(source, at + 1, ";"), zero = is(source, at + 2, "0") && is(source, at + 3, ";");
    bool one = is(source, at + 1, ">=") && is(source, at + 2, "1") && is(source, at + 3, ";");
    return source_token_same(&source->tokens[at], name)
           && (alone || one || (zero && (is(source, at + 1, ">") || is(source, at + 1, "!="))));
}

/* Does the body of the loop whose head ends at a token change the name? */
static bool is_set_again(const struct source *source, size_t close, size_t last, const struct source_token *name)
{
    static const char *const changes[] = {"=", "+=", "-=", "*=", "/=", "<<=", ">>=", "++", "--"};
    size_t end = is(source, close + 1, "{") ? source_closing(source, close + 1, last) : close;
    for (size_t i = close; i < end; i++)
        if (source_token_same(&source->tokens[i], name) && SOURCE_IS_ANY(&source->tokens[i + 1], changes))
            return true;
    return false;
}

/* `for (int half = 96 / 2; half > 0; half /= 2)`: the first odd number that is halved, and is not 1. */
static void tell_halving(const struct source *source, struct result_finding *finding)
{
    struct source_function kernel;
    char every[40];
    if (!find_kernel(source, finding, &kernel))
        return;
    for (size_t i = kernel.first; i + 12 < kernel.last; i++) {
        size_t close = is(source, i, "for") && is(source, i + 1, "(") ? source_closing(source, i + 1, kernel.last) : 0;
        size_t equal = i + 2, semicolon;
        while (equal < close && !is(source, equal, "="))
            equal++;
        for (semicolon = equal; semicolon < close && !is(source, semicolon, ";"); semicolon++)
            ;
        if (close == 0 || semicolon + 4 >= close)
            continue;
        const struct source_token *name = &source->tokens[equal - 1];
        if (!ends_at_0(source, semicolon + 1, name) || is_set_again(source, close, kernel.last, name))
            continue;
        long start = number_of(source, equal + 1);
        if (semicolon == equal + 4)
            start = is(source, equal + 2, "/") && is(source, equal + 3, "2")    ? start / 2
                    : is(source, equal + 2, ">>") && is(source, equal + 3, "1") ? start / 2
                                                                                : 0;
        else if (semicolon != equal + 2)
            start = 0;
        size_t step = semicolon + 1;
        while (step < close && !is(source, step, ";"))
            step++;
        bool same = step + 2 < close && source_token_same(&source->tokens[step + 1], name), halves = false;
        if (same && step + 4 == close)
            halves = (is(source, step + 2, "/=") && is(source, step + 3, "2"))
                     || (is(source, step + 2, ">>=") && is(source, step + 3, "1"));
        else if (same && step + 6 == close && is(source, step + 2, "=")
                 && source_token_same(&source->tokens[step + 3], name))
            halves = (is(source, step + 4, "/") && is(source, step + 5, "2"))
                     || (is(source, step + 4, ">>") && is(source, step + 5, "1"));
        while (start > 1 && start % 2 == 0)
            start /= 2;
        if (!halves || start <= 1)
            continue;
        snprintf(finding->remark, sizeof finding->remark,
                 "In the loop in line %d, %.*s becomes half as large in every turn. It comes to %ld, and half of that is "
                 "rounded down to %ld.",
                 source->tokens[i].line, name->length < 40 ? name->length : 40, name->text, start, start / 2);
        snprintf(every, sizeof every, ", one in every %ld. ", start);
        char *shown = strstr(finding->message, every);
        if (shown) { /* its own question is about the elements, which a thread may well have taken */
            shown[strlen(every) - 1] = '\0';
            snprintf(finding->pattern, sizeof finding->pattern, "halved");
            finding->explained = true;
            finding->asks = false;
        }
        return;
    }
}

void story_values_tell_measured(const struct source *source, bool handed_on, struct result_finding *finding)
{
    bool wrong = strcmp(finding->code, "wrong_value") == 0, near_miss = strcmp(finding->code, "near_miss") == 0;
    bool small = strstr(finding->message, " too small by ") != NULL;
    if (near_miss && finding->remark[0] == '\0')
        tell_rounding(source, finding);
    if (near_miss && finding->remark[0] == '\0')
        tell_accumulated(source, finding);
    if (wrong && finding->line > 0 && finding->remark[0] == '\0')
        tell_atomic_result(source, finding);
    if (wrong && strcmp(finding->pattern, "unused") == 0 && finding->remark[0] == '\0')
        tell_shuffle(source, finding);
    if (wrong && (strcmp(finding->pattern, "carried") == 0 || strcmp(finding->pattern, "moved") == 0)
        && finding->remark[0] == '\0')
        tell_mixed_parts(source, finding);
    if (wrong && strcmp(finding->pattern, "integer") == 0 && finding->remark[0] == '\0')
        tell_quotient(source, finding);
    if (wrong && handed_on && finding->remark[0] == '\0')
        tell_erased(source, finding);
    if (wrong && small && finding->remark[0] == '\0')
        tell_halving(source, finding);
}
