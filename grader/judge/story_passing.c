#include "grader/judge/story_passing.h"

#include <stdio.h>
#include <string.h>

static bool is(const struct source *source, size_t at, const char *text)
{
    return at < source->token_count && source_token_is(&source->tokens[at], text);
}

static int line_of(const struct source *source, size_t at)
{
    return source->tokens[at].line;
}

static int shown_length(const struct source_token *token)
{
    return token->length < 40 ? token->length : 40;
}

/* The first token of the statement that holds the one at `at`. */
static size_t statement_of(const struct source *source, size_t at)
{
    int depth = 0; /* of brackets that close behind */
    for (; at > 0; at--) {
        depth += is(source, at - 1, ")") - is(source, at - 1, "(");
        if (depth < 0)
            depth = 0; /* inside of a call's arguments */
        if (is(source, at - 1, ";") || is(source, at - 1, "{") || is(source, at - 1, "}")
            || (depth == 1 && is(source, at - 1, ")")))
            return at;
    }
    return at;
}

/* ---- shuffles --------------------------------------------------------------------------------------------------------- */

/* Is the statement one that every thread comes to which comes to the loop or function around it: not the branch of an `if`? */
static bool is_unconditional(const struct source *source, size_t statement)
{
    if (is(source, statement - 1, "else"))
        return false;
    size_t head = statement - 1;
    if (is(source, head, "{"))
        head--;
    else if (!is(source, head, ")")) { /* `;` or `}`: what is before it is in the same braces */
        int depth = 0;
        while (head > 0 && !(depth == 0 && is(source, head, "{"))) {
            depth += is(source, head, "}") - is(source, head, "{");
            head--;
        }
        head -= head > 0;
    }
    if (is(source, head, "else"))
        return false;
    int depth = 0;
    for (; is(source, head, ")") || depth > 0; head--) {
        depth += is(source, head, ")") - is(source, head, "(");
        if (head == 0)
            return false;
        if (depth == 0)
            return !is(source, head - 1, "if");
    }
    return true;
}

/* `x += __shfl_up_sync(mask, x, d);` or `y = __shfl_up_sync(mask, x, d); x += y;`, without a condition. Returns the line of the
 * addition; 0: it is another statement. */
static int find_addition(const struct source *source, size_t call)
{
    size_t close = source_closing(source, call + 1, source->token_count), begin = statement_of(source, call);
    if (!is(source, close + 1, ";") || !is_unconditional(source, begin))
        return 0;
    if (call == begin + 2 && is(source, begin + 1, "+="))
        return line_of(source, begin);
    size_t next = close + 2;
    bool adds = call >= 2 && is(source, call - 1, "=") && is(source, next + 1, "+=") && is(source, next + 3, ";")
                && source_token_same(&source->tokens[next + 2], &source->tokens[call - 2]);
    return adds ? line_of(source, next) : 0;
}

/* Elements come in several times, and lanes that have no lane so far to their left add their own value. */
static void tell_own_lane(const struct source *source, struct result_finding *finding)
{
    char *last = NULL;
    for (size_t i = 1; i + 1 < source->token_count; i++) {
        int line = is(source, i, "__shfl_up_sync") && !source->tokens[i].defined ? find_addition(source, i) : 0;
        if (line == 0)
            continue;
        snprintf(finding->remark, sizeof finding->remark,
                 "In line %d, a lane that has no lane so far to its left gets its own value back from __shfl_up_sync, and "
                 "line %d adds it.",
                 line_of(source, i), line);
        for (char *at = finding->message; finding->asks && (at = strstr(at, ". ")); at += 2)
            last = at;
        if (last && finding->message[strlen(finding->message) - 1] == '?')
            last[1] = '\0';
        finding->asks = false;
        snprintf(finding->pattern, sizeof finding->pattern, "own_lane");
        return;
    }
}

/* "out[2] is made of in[2..5], and should be made of in[0..2]": it reaches to the right, as __shfl_down_sync does. */
static void tell_other_side(const struct source *source, struct result_finding *finding)
{
    long long own_first, own_last, first, last;
    const char *made = strstr(finding->message, " is made of "), *open = made ? strchr(made + 1, '[') : NULL;
    const char *should = open ? strstr(open, "], and should be made of ") : NULL;
    const char *other = should ? strchr(should + 1, '[') : NULL;
    if (!other || sscanf(open, "[%lld..%lld]", &own_first, &own_last) != 2
        || sscanf(other, "[%lld..%lld]", &first, &last) != 2 || own_last <= last || own_first < first)
        return;
    for (size_t i = 1; i + 1 < source->token_count; i++)
        if (is(source, i, "__shfl_up_sync"))
            return;
    for (size_t i = 1; i + 1 < source->token_count; i++) {
        if (!is(source, i, "__shfl_down_sync") || source->tokens[i].defined || finding->remark[0] != '\0')
            continue;
        snprintf(finding->remark, sizeof finding->remark,
                 "The __shfl_down_sync in line %d brings values from lanes to the right, with higher numbers.",
                 line_of(source, i));
    }
}

/* Nothing is counted, and a lane is compared with what __ffs returns. */
static void tell_first_bit(const struct source *source, struct result_finding *finding)
{
    for (size_t i = 1; i + 3 < source->token_count; i++) {
        size_t close = is(source, i, "__ffs") && is(source, i + 1, "(") && !source->tokens[i].defined
                           ? source_closing(source, i + 1, source->token_count)
                           : source->token_count;
        if (close + 1 >= source->token_count || is(source, close + 1, "-"))
            continue;
        snprintf(finding->remark, sizeof finding->remark,
                 "The __ffs in line %d counts bits from 1: where lane 0 is the first, it returns 1.", line_of(source, i));
        return;
    }
}

/* ---- orders ------------------------------------------------------------------------------------------------------------ */

/* The comma behind the first argument of a call; 0: there is none. */
static size_t first_comma(const struct source *source, size_t call)
{
    size_t close = source_closing(source, call + 1, source->token_count);
    for (size_t i = call + 2, depth = 0; i < close; i++) {
        depth += is(source, i, "(") || is(source, i, "[");
        depth -= is(source, i, ")") || is(source, i, "]");
        if (depth == 0 && is(source, i, ","))
            return i;
    }
    return 0;
}

/* `atomicExch(flag, 1); __threadfence(); atomicExch(value, …);`: others may see the flag without the value. */
static bool tell_flag_first(const struct source *source, struct result_finding *finding)
{
    for (size_t i = 1; i + 8 < source->token_count; i++) {
        size_t comma = is(source, i, "atomicExch") && is(source, i + 1, "(") ? first_comma(source, i) : 0;
        bool number = comma > 0 && source->tokens[comma + 1].kind == SOURCE_NUMBER && is(source, comma + 2, ")");
        if (!number || source->tokens[i].defined || !is(source, comma + 3, ";"))
            continue;
        size_t next = comma + 4;
        if (is(source, next, "__threadfence") && is(source, next + 3, ";"))
            next += 4;
        size_t second = is(source, next, "atomicExch") && is(source, next + 1, "(") ? first_comma(source, next) : 0;
        if (second == 0 || source->tokens[second + 1].kind == SOURCE_NUMBER)
            continue;
        snprintf(
            finding->remark, sizeof finding->remark,
            "Line %d comes before line %d: another block may see what line %d stores before line %d has stored anything.",
            line_of(source, i), line_of(source, next), line_of(source, i), line_of(source, next));
        finding->line = line_of(source, i);
        finding->line2 = line_of(source, next);
        snprintf(finding->pattern, sizeof finding->pattern, "flag_first");
        return true;
    }
    return false;
}

/* `out[i] = atomicAdd(&sum, …) + …;` */
static void tell_returned(const struct source *source, struct result_finding *finding)
{
    for (size_t i = 3; i + 1 < source->token_count; i++) {
        if (!is(source, i, "atomicAdd") || source->tokens[i].defined)
            continue;
        size_t at = statement_of(source, i);
        while (at < i && !is(source, at, "="))
            at += is(source, at, "[") ? source_closing(source, at, i) - at : 1;
        size_t name = i + 2 + (size_t)is(source, i + 2, "&");
        if (at >= i || !is(source, at - 1, "]") || source->tokens[name].kind != SOURCE_WORD)
            continue;
        snprintf(
            finding->remark, sizeof finding->remark,
            "Line %d stores what it makes of the old value of %.*s, which atomicAdd returns. That depends on which threads "
            "came before.",
            line_of(source, i), shown_length(&source->tokens[name]), source->tokens[name].text);
        finding->line = line_of(source, i);
        return;
    }
}

void story_passing_tell(const struct source *source, struct result_finding *finding)
{
    if (finding->remark[0] != '\0')
        return;
    if (strcmp(finding->code, "wrong_value") == 0 && strcmp(finding->pattern, "multiple") == 0)
        tell_own_lane(source, finding);
    else if (strcmp(finding->code, "wrong_value") == 0 && strcmp(finding->pattern, "none") == 0)
        tell_first_bit(source, finding);
    else if (strcmp(finding->code, "wrong_value") == 0)
        tell_other_side(source, finding);
    if (strcmp(finding->code, "order_dependent") == 0 && finding->pattern[0] == '\0' && !tell_flag_first(source, finding)
        && finding->line == 0)
        tell_returned(source, finding);
}
