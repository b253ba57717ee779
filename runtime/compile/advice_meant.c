#include "runtime/compile/advice_meant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/compile/advice_facts.h"
#include "runtime/language/expression.h"

enum { LONGEST_NAME = 40 };

static const char *const assignments[] = {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "++", "--"};

static bool is(const struct source *source, size_t at, const char *text)
{
    return at < source->token_count && source_token_is(&source->tokens[at], text);
}

static int length_of(const struct source_token *token)
{
    return token->length < LONGEST_NAME ? token->length : LONGEST_NAME;
}

/* The end of a part that , or ; ends, at the depth of its first token. */
static size_t end_of_part(const struct source *source, size_t first, size_t limit)
{
    int depth = 0;
    size_t i = first;
    for (; i < limit; i++) {
        const struct source_token *token = &source->tokens[i];
        if (depth == 0 && (source_token_is(token, ",") || source_token_is(token, ";")))
            break;
        depth += facts_bracket_change(token);
        if (depth < 0)
            break;
    }
    return i;
}

static bool holds(const struct source *source, size_t first, size_t end, const char *text)
{
    bool found = false;
    for (size_t i = first; i < end; i++)
        found |= is(source, i, text);
    return found;
}

static bool holds_token(const struct source *source, size_t first, size_t end, const struct source_token *token)
{
    bool found = false;
    for (size_t i = first; i < end; i++)
        found |= source_token_same(&source->tokens[i], token);
    return found;
}

/* The number that a literal or a macro of one literal stands for; -1: it is none. */
static int64_t number_at(const struct source *source, size_t at)
{
    const struct source_token *token = &source->tokens[at];
    const struct source_macro *macro = token->kind == SOURCE_WORD ? source_find_macro(source, token) : NULL;
    if (macro && macro->count == 1)
        token = &source->tokens[macro->first];
    return token->kind == SOURCE_NUMBER && !memchr(token->text, '.', (size_t)token->length) ? strtoll(token->text, NULL, 0)
                                                                                            : -1;
}

/* ---- a parameter that is a copy ---- */

static bool is_by_value(const struct source *source, const struct source_function *function, unsigned number)
{
    size_t name = function->parameters[number];
    for (size_t i = function->types[number]; i < name; i++)
        if (source->tokens[i].kind != SOURCE_WORD)
            return false;
    return name > 0 && !is(source, name + 1, "[");
}

/* Where a function stores into its own copy of an argument and reads it for nothing else; 0: nowhere. */
static size_t find_lost_store(const struct source *source, const struct source_function *function, size_t name)
{
    size_t first = 0;
    for (size_t i = function->first; i < function->last; i++) {
        if (!source_token_same(&source->tokens[i], &source->tokens[name]))
            continue;
        const struct source_token *before = &source->tokens[i - 1];
        bool begins = source_token_is(before, ";") || source_token_is(before, "{") || source_token_is(before, "}")
                      || source_token_is(before, ")") || source_token_is(before, "else");
        if (!begins || !SOURCE_IS_ANY(&source->tokens[i + 1], assignments))
            return 0;
        first = first > 0 ? first : i;
        i = end_of_part(source, i, function->last);
        if (!is(source, i, ";"))
            return 0;
    }
    return first;
}

/* `__device__ void add(float sum, …) { sum += …; }` */
static bool is_lost(const struct source *source, size_t at, struct advice_remark *remark)
{
    struct source_function function;
    char name[LONGEST_NAME + 1];
    if (!is(source, at, "void") || !is(source, at + 2, "(") || source->tokens[at + 1].length > LONGEST_NAME)
        return false;
    snprintf(name, sizeof name, "%.*s", source->tokens[at + 1].length, source->tokens[at + 1].text);
    if (!source_find_function(source, name, source->tokens[at + 1].line, &function) || function.name != at + 1)
        return false;
    for (unsigned i = 0; i < function.parameter_count; i++) {
        size_t store = is_by_value(source, &function, i) ? find_lost_store(source, &function, function.parameters[i]) : 0;
        if (store == 0)
            continue;
        remark->kind = "by_value";
        remark->token = &source->tokens[store];
        snprintf(remark->words, sizeof remark->words,
                 "%.*s is a copy of what the call of %s passes. What this line stores in it is lost when %s ends.",
                 length_of(remark->token), remark->token->text, name, name);
        return true;
    }
    return false;
}

/* ---- a sum that is a factor ---- */

/* `sum = fmaf(sum, a[k], b[k])`: elements of arrays, so that it is not a polynomial. */
static bool is_reordered(const struct source *source, size_t at, struct advice_remark *remark)
{
    static const char *const functions[] = {"fmaf", "fma", "__fmaf_rn", "__fma_rn"};
    const struct source_token *tokens = source->tokens, *name = &tokens[at];
    size_t first[3], end[3], close, i = at + 2;
    if (at < 2 || !SOURCE_IS_ANY(name, functions) || !is(source, at + 1, "(") || !source_token_is(name - 1, "=")
        || name[-2].kind != SOURCE_WORD)
        return false;
    close = source_closing(source, at + 1, source->token_count);
    for (int k = 0; k < 3; k++) {
        first[k] = i;
        end[k] = close < source->token_count ? end_of_part(source, i, close) : i;
        i = end[k] + 1;
    }
    for (int k = 0; k < 2 && end[2] == close && end[2] > first[2]; k++) {
        int other = 1 - k;
        if (end[k] != first[k] + 1 || !source_token_same(&tokens[first[k]], name - 2)
            || !holds(source, first[other], end[other], "[") || !holds(source, first[2], end[2], "[")
            || holds_token(source, first[2], end[2], name - 2))
            continue;
        remark->kind = "fma_order";
        remark->token = name;
        snprintf(remark->words, sizeof remark->words,
                 "%.*s(a, b, c) is a * b + c. So %.*s is multiplied here, and the third argument is added.", name->length,
                 name->text, length_of(name - 2), name[-2].text);
        return true;
    }
    return false;
}

/* ---- a loop that passes its end ---- */

/* `for (unsigned left = n; left > 0; left -= 16)` */
static bool is_countdown(const struct source *source, size_t type, size_t name, size_t condition, size_t step,
                         struct advice_remark *remark)
{
    const struct source_token *tokens = source->tokens;
    struct expression_type read = {0};
    bool given = false;
    bool words = type < name && expression_read_type(source, type, name, &read) == name - type;
    bool is_unsigned = words && read.is_unsigned && read.bits >= 32;
    bool ends = (is(source, condition + 1, ">") || is(source, condition + 1, "!=")) && is(source, condition + 2, "0")
                && is(source, condition + 3, ";");
    for (size_t i = name + 2; i + 1 < condition; i++)
        given |= tokens[i].kind == SOURCE_WORD && number_at(source, i) < 0;
    if (!is_unsigned || !ends || !given || !is(source, step + 1, "-=") || number_at(source, step + 2) == 1
        || !source_token_same(&tokens[name], &tokens[step]))
        return false;
    remark->kind = "countdown";
    remark->token = &tokens[name];
    snprintf(remark->words, sizeof remark->words,
             "%.*s is unsigned, so it is never below 0: when less is left than this loop takes away, %.*s becomes a huge "
             "number, and the loop goes on.",
             length_of(remark->token), remark->token->text, length_of(remark->token), remark->token->text);
    return true;
}

/* `for (unsigned char b = 0; b < 256; b++)` */
static bool is_too_narrow(const struct source *source, size_t type, size_t name, size_t condition,
                          struct advice_remark *remark)
{
    struct expression_type read = {0};
    if (expression_read_type(source, type, name, &read) != name - type || read.bits > 16 || read.bits < 8)
        return false;
    int64_t most = (INT64_C(1) << (read.is_unsigned ? read.bits : read.bits - 1)) - 1;
    int64_t limit = is(source, condition + 3, ";") ? number_at(source, condition + 2) : -1;
    bool always = (is(source, condition + 1, "<") && limit > most) || (is(source, condition + 1, "<=") && limit >= most);
    const struct source_token *token = &source->tokens[name], *bound = &source->tokens[condition + 2];
    if (!always)
        return false;
    remark->kind = "narrow";
    remark->token = token;
    snprintf(remark->words, sizeof remark->words,
             "%.*s has a type of %u bits, in which no number is above %lld. So %.*s %s %.*s is always true.",
             length_of(token), token->text, read.bits, (long long)most, length_of(token), token->text,
             is(source, condition + 1, "<") ? "<" : "<=", length_of(bound), bound->text);
    return true;
}

static bool is_endless(const struct source *source, size_t at, struct advice_remark *remark)
{
    size_t close = is(source, at, "for") && is(source, at + 1, "(") ? source_closing(source, at + 1, source->token_count)
                                                                    : 0;
    size_t name = at + 2, condition, step;
    if (close == 0 || close >= source->token_count)
        return false;
    while (name < close && !is(source, name + 1, "=") && source->tokens[name].kind == SOURCE_WORD)
        name++;
    condition = end_of_part(source, name, close) + 1;
    step = end_of_part(source, condition, close) + 1;
    if (name == at + 2 || step + 2 > close || !is(source, condition - 1, ";") || !is(source, step - 1, ";")
        || !is(source, name + 1, "=") || !source_token_same(&source->tokens[name], &source->tokens[condition]))
        return false;
    return is_countdown(source, at + 2, name, condition, step, remark)
           || is_too_narrow(source, at + 2, name, condition, remark);
}

/* ---- a pointer that counts something else ---- */

static unsigned bytes_of(const struct source *source, size_t first, size_t end)
{
    static const char *const words[] = {"const", "volatile", "__restrict__", "__shared__", "extern", "static"};
    struct expression_type type = {0};
    while (first < end && SOURCE_IS_ANY(&source->tokens[first], words))
        first++;
    while (end > first && SOURCE_IS_ANY(&source->tokens[end - 1], words))
        end--;
    if (end == first + 1 && (is(source, first, "float") || is(source, first, "double")))
        return is(source, first, "float") ? 4 : 8;
    return end > first && expression_read_type(source, first, end, &type) == end - first ? type.bits / 8 : 0;
}

/* The parameter of that name of the function around token `at`: the size of an element, where it is a pointer. */
static unsigned element_bytes(const struct source *source, size_t at, const struct source_token *array)
{
    for (size_t i = at; i-- > 0;) {
        if (!source_token_same(&source->tokens[i], array) || !is(source, i - 1, "*"))
            continue;
        size_t first = i - 1;
        while (first > 0 && source->tokens[first - 1].kind == SOURCE_WORD)
            first--;
        unsigned bytes = bytes_of(source, first, i - 1);
        if (bytes > 0)
            return bytes;
    }
    return 0;
}

/* `unsigned char *bytes = (unsigned char *)data;`, and bytes[i] further down. */
static bool is_in_bytes(const struct source *source, size_t at, struct advice_remark *remark)
{
    const struct source_token *tokens = source->tokens, *name = &tokens[at];
    if (at == 0 || !is(source, at - 1, "*") || name->kind != SOURCE_WORD || !is(source, at + 1, "=")
        || !is(source, at + 2, "("))
        return false;
    size_t close = source_closing(source, at + 2, source->token_count), end;
    if (close + 2 >= source->token_count || !is(source, close - 1, "*") || bytes_of(source, at + 3, close - 1) != 1
        || tokens[close + 1].kind != SOURCE_WORD || !is(source, close + 2, ";"))
        return false;
    const struct source_token *array = &tokens[close + 1];
    unsigned bytes = element_bytes(source, at, array);
    int depth = 0;
    bool indexed = false;
    for (end = close + 2; end + 1 < source->token_count && depth >= 0 && !indexed; end++) {
        depth += is(source, end, "{") - is(source, end, "}");
        indexed = source_token_same(&tokens[end], name) && is(source, end + 1, "[");
    }
    if (bytes < 2 || !indexed)
        return false;
    remark->kind = "bytes";
    remark->token = name;
    snprintf(remark->words, sizeof remark->words,
             "%.*s counts single bytes, and an element of %.*s has %u of them: %.*s[i] is one byte of %.*s[i / %u].",
             length_of(name), name->text, length_of(array), array->text, bytes, length_of(name), name->text,
             length_of(array), array->text, bytes);
    return true;
}

/* `float *second = pool + n * sizeof(float);` */
static bool is_scaled(const struct source *source, size_t at, struct advice_remark *remark)
{
    const struct source_token *tokens = source->tokens, *name = &tokens[at];
    size_t first = at;
    if (at < 2 || !is(source, at - 1, "*") || name->kind != SOURCE_WORD || !is(source, at + 1, "=")
        || tokens[at + 2].kind != SOURCE_WORD || !is(source, at + 3, "+"))
        return false;
    while (first > 1 && tokens[first - 2].kind == SOURCE_WORD)
        first--;
    size_t end = end_of_part(source, at + 4, source->token_count);
    if (bytes_of(source, first - 1, at - 1) < 2 || !holds(source, at + 4, end, "sizeof") || holds(source, at + 4, end, "/"))
        return false;
    remark->kind = "sizeof";
    remark->token = name;
    snprintf(remark->words, sizeof remark->words,
             "What is added to %.*s counts elements, not bytes. With sizeof in it, %.*s begins that many times too far on.",
             length_of(&tokens[at + 2]), tokens[at + 2].text, length_of(name), name->text);
    return true;
}

/* `(int *)&counts[i]`, where counts has smaller elements. */
static bool is_wide(const struct source *source, size_t at, struct advice_remark *remark)
{
    const struct source_token *tokens = source->tokens;
    size_t close = is(source, at, "(") ? source_closing(source, at, source->token_count) : source->token_count;
    if (close + 3 >= source->token_count || !is(source, close - 1, "*") || !is(source, close + 1, "&")
        || tokens[close + 2].kind != SOURCE_WORD || !is(source, close + 3, "["))
        return false;
    unsigned wide = bytes_of(source, at + 1, close - 1);
    const struct source_token *array = &tokens[close + 2];
    for (size_t i = at; wide > 1 && i-- > 2;) {
        if (!source_token_same(&tokens[i], array) || !is(source, i + 1, "[") || tokens[i - 1].kind != SOURCE_WORD)
            continue;
        size_t first = i;
        while (first > 0 && tokens[first - 1].kind == SOURCE_WORD)
            first--;
        unsigned bytes = bytes_of(source, first, i);
        if (bytes == 0 || bytes >= wide)
            return false;
        remark->kind = "wide";
        remark->token = array;
        snprintf(remark->words, sizeof remark->words,
                 "An element of %.*s has %u byte%s, and through this pointer %u are accessed: its neighbours, too.",
                 length_of(array), array->text, bytes, bytes == 1 ? "" : "s", wide);
        return true;
    }
    return false;
}

bool advice_meant(const struct source *source, size_t at, struct advice_remark *remark)
{
    return is_lost(source, at, remark) || is_reordered(source, at, remark) || is_endless(source, at, remark)
           || is_in_bytes(source, at, remark) || is_scaled(source, at, remark) || is_wide(source, at, remark);
}
