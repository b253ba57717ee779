#include "grader/judge/origin_bins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/language/expression.h"

enum { MOST_BINS = 256 };

/* ---- what was executed --------------------------------------------------------------------------------------------- */

struct origin_atomics origin_bins_atomics(const struct origin_log *log, int launches)
{
    int launch = launches - 1;
    bool known = launch >= 0 && launch < log->count;
    const json_t *sites = known ? json_object_get(log->launches[launch], "sites") : NULL;
    struct origin_atomics atomics = {.count = 0};
    for (size_t i = 0; i < json_array_size(sites); i++) {
        const json_t *site = json_array_get(sites, i);
        const char *access = json_string_value(json_object_get(site, "access"));
        int line = (int)json_integer_value(json_object_get(site, "line")), at = 0;
        if (!access || strcmp(access, "atomic") != 0 || line == 0)
            continue;
        while (at < atomics.count && atomics.line[at] != line)
            at++;
        if (at == 8)
            break;
        atomics.count += at == atomics.count;
        atomics.line[at] = line;
        atomics.lanes[at] += json_integer_value(json_object_get(site, "lanes"));
    }
    return atomics;
}

/* ---- what the bins lack --------------------------------------------------------------------------------------------- */

/* Of all bins: what they should be, and how far they are from it. */
struct lack {
    int64_t want[MOST_BINS];
    int64_t divisor;        /* of all differences: their greatest; 0: there is none */
    int64_t largest;        /* of the wrong bins */
    int64_t least_wanted;   /* of the wrong bins */
    int64_t sum;            /* of all bins */
    int low, high, highest; /* how many bins are too low, too high, and one of the latter */
};

static struct lack find_lack(const struct origin_bins *bins)
{
    struct lack lack = {.least_wanted = INT64_MAX};
    for (size_t i = 0; i < bins->count; i++)
        lack.want[(size_t)bins->values[i] % MOST_BINS]++;
    for (int bin = 0; bin < MOST_BINS; bin++) {
        int64_t got = bins->got[bin], difference = lack.want[bin] - got, rest;
        lack.sum += got;
        lack.low += difference > 0;
        lack.high += difference < 0;
        lack.highest = difference < 0 ? bin : lack.highest;
        if (difference == 0)
            continue;
        lack.largest = got > lack.largest ? got : lack.largest;
        lack.least_wanted = lack.want[bin] < lack.least_wanted ? lack.want[bin] : lack.least_wanted;
        for (int64_t other = difference < 0 ? -difference : difference; other > 0; other = rest) {
            rest = lack.divisor % other;
            lack.divisor = other;
        }
    }
    return lack;
}

/* ---- counters in the source ------------------------------------------------------------------------------------------ */

static bool is(const struct source *source, size_t token, const char *text)
{
    return token < source->token_count && source_token_is(&source->tokens[token], text);
}

/* A variable or an array of a small type. */
struct counter {
    size_t first, name; /* tokens: of the type, of the name */
    int bits;
    bool is_unsigned;
};

/* Does a declaration of a small type begin at the token? */
static bool read_counter(const struct source *source, size_t at, struct counter *counter)
{
    static const char *const parts[] = {"unsigned", "signed"};
    struct expression_type type;
    if (source->tokens[at].kind != SOURCE_WORD || source->tokens[at].defined
        || (at > 0 && SOURCE_IS_ANY(&source->tokens[at - 1], parts)))
        return false;
    size_t length = expression_read_type(source, at, source->token_count, &type);
    *counter = (struct counter){.first = at, .name = at + length, .bits = (int)type.bits, .is_unsigned = type.is_unsigned};
    size_t end = counter->name + 1;
    return length > 0 && (type.bits == 8 || type.bits == 16) && end < source->token_count
           && source->tokens[counter->name].kind == SOURCE_WORD
           && (is(source, end, "[") || is(source, end, "=") || is(source, end, ";") || is(source, end, ","));
}

/* Behind the name and its subscripts. */
static size_t behind(const struct source *source, size_t name)
{
    size_t at = name + 1;
    while (is(source, at, "["))
        at = source_closing(source, at, source->token_count) + 1;
    return at;
}

/* The parenthesis of a loop's head around the token. */
static bool is_in_head(const struct source *source, size_t token)
{
    int depth = 0;
    for (size_t i = token; i-- > 1;) {
        depth += is(source, i, ")") - is(source, i, "(");
        if (depth < 0)
            return is(source, i - 1, "for");
        if (depth == 0 && (is(source, i, "{") || is(source, i, "}")))
            return false;
    }
    return false;
}

/* The line that makes the counter grow; 0: none does. */
static int line_of_growth(const struct source *source, const struct counter *counter)
{
    for (size_t i = counter->name + 1; i + 1 < source->token_count; i++) {
        if (!source_token_same(&source->tokens[i], &source->tokens[counter->name]) || is_in_head(source, i))
            continue;
        size_t end = behind(source, i);
        bool itself = false; /* x = x + … */
        for (size_t k = end + 1; is(source, end, "=") && k < source->token_count && !is(source, k, ";"); k++)
            itself |= source_token_same(&source->tokens[k], &source->tokens[i]);
        if (is(source, end, "++") || is(source, end, "+=") || is(source, i - 1, "++") || itself)
            return source->tokens[i].line;
    }
    return 0;
}

static const char *say_narrow(const struct origin_bins *bins, const struct lack *lack, char *text, size_t text_bytes,
                              int *line, int *line2)
{
    const struct source *source = bins->source;
    for (size_t at = 0; at + 1 < source->token_count; at++) {
        struct counter counter;
        if (!read_counter(source, at, &counter))
            continue;
        int64_t range = INT64_C(1) << counter.bits, largest = counter.is_unsigned ? range - 1 : range / 2 - 1;
        int growth = line_of_growth(source, &counter);
        size_t begin = counter.first;
        at = counter.name;
        if (growth == 0 || lack->divisor % range != 0 || lack->least_wanted <= largest)
            continue;
        const struct source_token *name = &source->tokens[counter.name], *last = name - 1, *first = &source->tokens[begin];
        bool many = is(source, counter.name + 1, "[");
        *line = growth;
        *line2 = name->line != growth ? name->line : *line2;
        snprintf(
            text, text_bytes,
            "Line %d declares %.*s with %s %.*s, which hold%s %lld to %lld: a count that goes beyond comes out %lld too "
            "low, or a multiple of that. How large must %.*s be able to become in this case?",
            name->line, name->length, name->text, many ? "elements of type" : "the type",
            (int)(last->text + last->length - first->text), first->text, many ? "" : "s", (long long)(largest - range + 1),
            (long long)largest, (long long)range, name->length, name->text);
        return "narrow";
    }
    return NULL;
}

/* The second argument of the call that begins at `call`: tokens [*first, *end). */
static bool find_second(const struct source *source, size_t call, size_t *first, size_t *end)
{
    size_t close = source_closing(source, call + 1, source->token_count);
    *first = 0;
    *end = close;
    for (size_t t = call + 2; t < close; t++) {
        if (is(source, t, "(") || is(source, t, "["))
            t = source_closing(source, t, close);
        else if (is(source, t, ",")) {
            *first = t + 1;
            return close < source->token_count && *first < close;
        }
    }
    return false;
}

/* Is there a number of steps after which the bins start again, so that what is left is below it? */
static bool has_period(const struct lack *lack)
{
    for (int64_t period = lack->largest + 1; period > 0 && period <= lack->divisor; period++)
        if (lack->divisor % period == 0)
            return true;
    return false;
}

static const char *say_limit(const struct origin_bins *bins, const struct lack *lack, char *text, size_t text_bytes,
                             int *line)
{
    const struct source *source = bins->source;
    for (size_t at = 0; at + 1 < source->token_count; at++) {
        size_t first, end;
        if (!is(source, at, "atomicInc") || !is(source, at + 1, "(") || source->tokens[at].defined
            || !find_second(source, at, &first, &end))
            continue;
        const struct source_token *from = &source->tokens[first], *last = &source->tokens[end - 1];
        bool number = end == first + 1 && from->kind == SOURCE_NUMBER;
        int64_t limit = number ? strtoll(from->text, NULL, 0) : 0;
        bool counts = limit >= 0 && limit < UINT32_MAX && lack->divisor <= (int64_t)bins->count;
        if (lack->divisor == 0 || lack->high > 0 || !counts || last->line != from->line
            || (number ? lack->divisor % (limit + 1) != 0 : !has_period(lack)))
            continue;
        *line = source->tokens[at].line;
        snprintf(text, text_bytes,
                 "Line %d counts with atomicInc, whose second argument, %.*s, is not a step but a limit: a counter that has "
                 "reached it is set to 0 by its next update. How large can a count become here?",
                 *line, (int)(last->text + last->length - from->text), from->text);
        return "inc";
    }
    return NULL;
}

/* ---- bins alone ----------------------------------------------------------------------------------------------------- */

/* Is each bin the number of blocks in which its value occurs? */
static bool counts_blocks(const struct origin_bins *bins)
{
    int32_t blocks[MOST_BINS] = {0};
    size_t tile = bins->tile > 0 ? bins->tile : bins->count;
    for (size_t start = 0; start < bins->count; start += tile) {
        bool occurs[MOST_BINS] = {false};
        for (size_t i = start; i < bins->count && i < start + tile; i++) {
            size_t bin = (size_t)bins->values[i] % MOST_BINS;
            blocks[bin] += !occurs[bin];
            occurs[bin] = true;
        }
    }
    return memcmp(blocks, bins->got, sizeof blocks) == 0;
}

static const char *say_presence(const struct origin_bins *bins, char *text, size_t text_bytes)
{
    bool single = bins->tile == 0 || bins->count <= bins->tile;
    if (!counts_blocks(bins))
        return NULL;
    if (single)
        snprintf(text, text_bytes,
                 "Every bin is 1 if its value occurs, however often it does. What does the second element of a value change "
                 "in its bin?");
    else
        snprintf(text, text_bytes,
                 "Every bin is the number of blocks in which its value occurs, however often it does there. What do all "
                 "elements of a block that have the same value add to its bin?");
    return "presence";
}

/* Updates without an element, all of one bin: no element is read twice. */
static const char *say_padding(const struct origin_bins *bins, const struct lack *lack, char *text, size_t text_bytes,
                               int *line)
{
    struct origin_atomics atomics = origin_bins_atomics(bins->log, bins->launches);
    int64_t count = (int64_t)bins->count;
    int at = 0;
    while (at < atomics.count && atomics.lanes[at] != lack->sum)
        at++;
    int64_t loads = origin_log_loads(bins->log, bins->launches, bins->data_name);
    if (lack->high != 1 || lack->low != 0 || lack->sum <= count || at == atomics.count || loads < 0 || loads > count)
        return NULL;
    *line = atomics.line[at];
    snprintf(
        text, text_bytes,
        "%s[%d] alone is too high, by %lld: line %d was executed %lld times, and there %s only %lld element%s. What does "
        "it count when there is no element left?",
        bins->name, lack->highest, (long long)(lack->sum - count), *line, (long long)lack->sum, count == 1 ? "is" : "are",
        (long long)count, count == 1 ? "" : "s");
    return "padding";
}

/* The line that changes the bins does so by an atomic function that does not add. */
static const char *say_operation(const struct origin_bins *bins, const struct lack *lack, char *text, size_t text_bytes)
{
    static const char *const others[] = {"atomicOr", "atomicXor", "atomicAnd", "atomicMax", "atomicMin", "atomicExch"};
    for (size_t at = 0; bins->stored_line > 0 && at + 1 < bins->source->token_count; at++) {
        const struct source_token *token = &bins->source->tokens[at];
        if (token->line != bins->stored_line || token->defined || !SOURCE_IS_ANY(token, others) || lack->high > 0)
            continue;
        snprintf(text, text_bytes,
                 "Line %d changes %s with %.*s, which does not add. What does it leave in a bin that has a count already?",
                 token->line, bins->name, token->length, token->text);
        return "replaced";
    }
    return NULL;
}

const char *origin_bins_words(const struct origin_bins *bins, bool several, char *text, size_t text_bytes, int *line,
                              int *line2)
{
    if (bins->bin_count != MOST_BINS)
        return NULL;
    struct lack lack = find_lack(bins);
    const char *pattern = bins->source ? say_narrow(bins, &lack, text, text_bytes, line, line2) : NULL;
    if (!pattern && bins->source)
        pattern = say_limit(bins, &lack, text, text_bytes, line);
    if (!pattern && several)
        pattern = say_presence(bins, text, text_bytes);
    if (!pattern && several && bins->source)
        pattern = say_operation(bins, &lack, text, text_bytes);
    if (!pattern && several)
        pattern = say_padding(bins, &lack, text, text_bytes, line);
    return pattern;
}
