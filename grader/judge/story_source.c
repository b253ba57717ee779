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

/* Does a kernel take such a number: has one of its parameters a type with that word in front of the last one? */
static bool takes(const struct source *source, const char *word, const char *before)
{
    for (size_t i = 1; i + 1 < source->token_count; i++) {
        if (!is(source, i, "__global__"))
            continue;
        size_t open = i;
        while (open + 1 < source->token_count && !is(source, open, "{") && !is(source, open, ";")) {
            if (is(source, open, word) && (!before || is(source, open - 1, before)))
                return true;
            open++;
        }
    }
    return false;
}

/* Whole numbers above 2^24 that are off by no more than what roundings to a float make of them, in a lab whose kernels have no
 * floats: the lines that declare one anyway. */
static void tell_float(const struct source *source, struct result_finding *finding)
{
    enum { LINES_MOST = 3 };
    const char *should = strstr(finding->message, " should be "), *but = should ? strstr(should, " but is ") : NULL;
    double want = should ? strtod(should + strlen(" should be "), NULL) : 0,
           got = but ? strtod(but + strlen(" but is "), NULL) : 0;
    double off = want > got ? want - got : got - want, size = want < 0 ? -want : want;
    int lines[LINES_MOST], count = 0;
    if (!but || size < 0x1p24 || off == 0 || off > size * 0x1p-20 || takes(source, "float", NULL)
        || takes(source, "double", NULL))
        return;
    for (size_t i = 0; i < source->token_count; i++) {
        if (!is(source, i, "float") || (count > 0 && lines[count - 1] == source->tokens[i].line))
            continue;
        if (count == LINES_MOST)
            return;
        lines[count++] = source->tokens[i].line;
    }
    if (count == 0)
        return;
    char text[240], where[60];
    snprintf(where, sizeof where,
             count == 1   ? "Line %d has"
             : count == 2 ? "Lines %d and %d have"
                          : "Lines %d, %d and %d have",
             lines[0], lines[count > 1], lines[count - 1]);
    snprintf(text, sizeof text,
             "%s the type float, which has 24 bits: whole numbers above 2^24 = 16777216 may be rounded in it.", where);
    add_remark(finding, text);
    snprintf(finding->pattern, sizeof finding->pattern, "few_bits");
}

/* The kernels take bytes without a sign, and an array or a variable has one. */
static void tell_signed(const struct source *source, struct result_finding *finding)
{
    size_t found = 0;
    if (!takes(source, "char", "unsigned") || strstr(source->text, "(unsigned char)") || strstr(source->text, "uint8_t")
        || strstr(source->text, "& 255") || strstr(source->text, "& 0xff") || strstr(source->text, "& 0xFF"))
        return;
    for (size_t i = 1; i + 2 < source->token_count; i++) {
        bool plain = is(source, i, "char") && !is(source, i - 1, "unsigned") && source->tokens[i + 1].kind == SOURCE_WORD;
        if (!plain)
            continue;
        if (found > 0)
            return;
        found = i + 1;
    }
    if (found == 0)
        return;
    const struct source_token *name = &source->tokens[found];
    char text[200];
    snprintf(text, sizeof text, "Line %d declares %.*s as char, which holds -128 to 127; an unsigned char holds 0 to 255.",
             name->line, name->length < 40 ? name->length : 40, name->text);
    add_remark(finding, text);
    snprintf(finding->pattern, sizeof finding->pattern, "signed_byte");
}

/* `value += __shfl_up_sync(mask, value, d);` in every lane, in a loop: those that have no lane so far away add their own value. */
static void tell_own_added(const struct source *source, struct result_finding *finding)
{
    for (size_t i = 2; i + 6 < source->token_count; i++) {
        if (!is(source, i, "__shfl_up_sync") || !is(source, i + 1, "(") || !is(source, i - 1, "+=")
            || source->tokens[i].defined)
            continue;
        const struct source_token *value = &source->tokens[i - 2];
        size_t close = source_closing(source, i + 1, source->token_count), comma = i + 2;
        while (comma < close && !is(source, comma, ","))
            comma++;
        bool same = comma + 3 < close && source_token_same(&source->tokens[comma + 1], value) && is(source, comma + 2, ",");
        bool alone = same && comma + 4 == close && source->tokens[comma + 3].kind == SOURCE_WORD
                     && is(source, close + 1, ";");
        /* Behind the head of a loop, and not behind a condition. */
        size_t head = i - 3;
        head -= is(source, head, "{") ? 1 : 0;
        size_t open = head;
        for (int depth = 0; open > 1; open--) {
            depth += is(source, open, ")") - is(source, open, "(");
            if (depth == 0)
                break;
        }
        if (!alone || !is(source, head, ")") || !is(source, open - 1, "for"))
            continue;
        const struct source_token *distance = &source->tokens[comma + 3];
        char text[300];
        snprintf(
            text, sizeof text,
            "In line %d, every lane adds what __shfl_up_sync returns. Lanes below %.*s have no lane so far below them: they "
            "get back their own %.*s and add it once more.",
            source->tokens[i].line, distance->length < 40 ? distance->length : 40, distance->text,
            value->length < 40 ? value->length : 40, value->text);
        add_remark(finding, text);
        snprintf(finding->pattern, sizeof finding->pattern, "own_added");
        return;
    }
}

/* The token behind `a`, `a.x` or `a[t + 1]` that begins at `at`; `at`: none does. */
static size_t place_end(const struct source *source, size_t at)
{
    if (at >= source->token_count || source->tokens[at].kind != SOURCE_WORD || source->tokens[at].defined)
        return at;
    for (size_t end = at + 1;;)
        if (is(source, end, "."))
            end += 2;
        else if (is(source, end, "["))
            end = source_closing(source, end, source->token_count) + 1;
        else
            return end;
}

/* Are the tokens from `a` on those of [b, b_end)? Returns the token behind them; 0: they are not. */
static size_t same_place(const struct source *source, size_t a, size_t b, size_t b_end)
{
    for (size_t i = 0; b + i < b_end; i++)
        if (a + i >= source->token_count || !source_token_same(&source->tokens[a + i], &source->tokens[b + i]))
            return 0;
    return a + (b_end - b);
}

static int length_of(const struct source *source, size_t first, size_t end)
{
    const struct source_token *last = &source->tokens[end - 1];
    int length = (int)(last->text + last->length - source->tokens[first].text);
    return length < 60 ? length : 60;
}

/* `m = larger; s *= expf(m - larger);`: a difference that has become 0. And `s *= expf(x - m); m = x;`: the new value minus the old
 * one, where the sum so far wants the old one minus the new one. */
static void tell_difference(const struct source *source, struct result_finding *finding)
{
    for (size_t i = 1; i + 4 < source->token_count; i++) {
        bool begins = is(source, i - 1, ";") || is(source, i - 1, "{") || is(source, i - 1, "}");
        size_t end = begins ? place_end(source, i) : i, value = end + 1;
        size_t value_end = end > i && is(source, end, "=") ? place_end(source, value) : value;
        char text[320];
        if (value_end == value || !is(source, value_end, ";"))
            continue;
        const char *left = source->tokens[i].text, *right = source->tokens[value].text;
        int left_length = length_of(source, i, end), right_length = length_of(source, value, value_end);
        for (size_t k = value_end + 1; k + 3 < source->token_count && !is(source, k, ";") && !is(source, k, "{"); k++) {
            size_t minus = is(source, k, "(") ? same_place(source, k + 1, i, end) : 0;
            size_t close = minus > 0 && is(source, minus, "-") ? same_place(source, minus + 1, value, value_end) : 0;
            if (close == 0 || !is(source, close, ")"))
                continue;
            snprintf(text, sizeof text, "Line %d sets %.*s to %.*s, so that %.*s - %.*s in line %d is 0.",
                     source->tokens[i].line, left_length, left, right_length, right, left_length, left, right_length, right,
                     source->tokens[k].line);
            add_remark(finding, text);
            return;
        }
        size_t before = i - 2; /* the statement in front of it */
        for (; is(source, i - 1, ";") && before > 1 && !is(source, before, ";") && !is(source, before, "{"); before--) {
            size_t minus = is(source, before, "(") && is(source, before - 2, "*")
                               ? same_place(source, before + 1, value, value_end)
                               : 0;
            size_t close = minus > 0 && is(source, minus, "-") ? same_place(source, minus + 1, i, end) : 0;
            if (close == 0 || !is(source, close, ")"))
                continue;
            snprintf(
                text, sizeof text,
                "Line %d multiplies by %.*s(%.*s - %.*s), and line %d then sets %.*s to %.*s: the difference is the new "
                "value minus the old one.",
                source->tokens[before].line, source->tokens[before - 1].length, source->tokens[before - 1].text,
                right_length, right, left_length, left, source->tokens[i].line, left_length, left, right_length, right);
            add_remark(finding, text);
            return;
        }
    }
}

/* "No thread reads in[0].", and the line that reads in[k] asks k > 0. */
static void tell_first_turned_away(const struct source *source, struct result_finding *finding)
{
    const char *at = strstr(finding->message, "No thread reads ");
    char array[64], text[160];
    if (!at || sscanf(at, "No thread reads %63[A-Za-z0-9_][0]", array) != 1)
        return;
    at += strlen("No thread reads ") + strlen(array);
    if (strncmp(at, "[0].", 4) != 0)
        return;
    for (size_t i = 0; i + 3 < source->token_count; i++) {
        const struct source_token *index = &source->tokens[i + 2];
        if (!is(source, i, array) || !is(source, i + 1, "[") || index->kind != SOURCE_WORD || !is(source, i + 3, "]"))
            continue;
        for (size_t k = i; k > 1 && source->tokens[k].line >= source->tokens[i].line - 1; k--) {
            if (!source_token_same(&source->tokens[k], index) || !is(source, k + 1, ">") || !is(source, k + 2, "0")
                || is(source, k - 1, "."))
                continue;
            snprintf(text, sizeof text, "Line %d asks %.*s > 0, which is false for 0.", source->tokens[k].line,
                     index->length < 40 ? index->length : 40, index->text);
            add_remark(finding, text);
            return;
        }
    }
}

/* `int chunk = blocks / BLOCK;` in a kernel that leaves elements out: the only quotient there of a parameter and a constant. */
static void tell_dropped_remainder(const struct source *source, struct result_finding *finding)
{
    struct source_function kernel;
    size_t found = 0;
    if (finding->kernel[0] == '\0' || !source_find_function(source, finding->kernel, 0, &kernel))
        return;
    for (size_t i = kernel.first; i + 4 < kernel.last; i++) {
        bool parameter = false;
        for (unsigned p = 0; p < kernel.parameter_count; p++)
            parameter |= kernel.parameters[p]
                         && source_token_same(&source->tokens[i], &source->tokens[kernel.parameters[p]]);
        if (!parameter || !is(source, i - 1, "=") || !is(source, i + 1, "/") || !is(source, i + 3, ";")
            || !is(source, i - 3, "int"))
            continue;
        if (found > 0)
            return;
        found = i;
    }
    if (found == 0)
        return;
    const struct source_token *name = &source->tokens[found - 2], *of = &source->tokens[found], *by = of + 2;
    char text[300];
    snprintf(text, sizeof text,
             "Line %d sets %.*s to %.*s / %.*s, which drops the remainder: it is 0 where %.*s is below %.*s.", name->line,
             name->length < 40 ? name->length : 40, name->text, of->length < 40 ? of->length : 40, of->text,
             by->length < 40 ? by->length : 40, by->text, of->length < 40 ? of->length : 40, of->text,
             by->length < 40 ? by->length : 40, by->text);
    add_remark(finding, text);
}

/* FLT_MIN is not what its name says. */
static void tell_least(const struct source *source, struct result_finding *finding)
{
    for (size_t i = 0; i < source->token_count; i++) {
        if (!is(source, i, "FLT_MIN") || source->tokens[i].defined || strstr(source->text, "define FLT_MIN"))
            continue;
        char text[200];
        snprintf(text, sizeof text,
                 "FLT_MIN in line %d is about 1.2e-38, the smallest normal float above 0. The lowest float is -FLT_MAX.",
                 source->tokens[i].line);
        add_remark(finding, text);
        return;
    }
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

/* `blockIdx.x * 16 + threadIdx.y`: the block counts in one direction, the thread in the other. */
static void tell_axes(const struct source *source, struct result_finding *finding)
{
    struct source_function kernel;
    if (!source_find_function(source, finding->kernel, 0, &kernel))
        return;
    for (size_t i = kernel.first; i + 4 < kernel.last; i++) {
        size_t end = i + 1, other = 0, numbers = 0;
        if (!is(source, i, "=") || source->tokens[i].defined)
            continue;
        for (; end + 2 < kernel.last && !is(source, end, ";") && !is(source, end, ",") && !is(source, end, "?"); end++)
            if (is(source, end, "blockIdx") || is(source, end, "threadIdx")) {
                numbers++;
                other = numbers == 1 ? end : other;
            }
        size_t second = other + 3;
        while (numbers == 2 && !is(source, second, "blockIdx") && !is(source, second, "threadIdx"))
            second++;
        if (numbers != 2 || source_token_same(&source->tokens[other], &source->tokens[second])
            || source_token_same(&source->tokens[other + 2], &source->tokens[second + 2]))
            continue;
        char text[160];
        snprintf(text, sizeof text, "Line %d makes one index of %.*s.%.*s and %.*s.%.*s.", source->tokens[i].line,
                 source->tokens[other].length, source->tokens[other].text, source->tokens[other + 2].length,
                 source->tokens[other + 2].text, source->tokens[second].length, source->tokens[second].text,
                 source->tokens[second + 2].length, source->tokens[second + 2].text);
        add_remark(finding, text);
        return;
    }
}

/* `A[row * K + min(k, K - 1)]`: beyond the edge, an element that belongs elsewhere. */
static void tell_limit(const struct source *source, struct result_finding *finding)
{
    struct source_function kernel;
    if (!source_find_function(source, finding->kernel, 0, &kernel))
        return;
    for (size_t i = kernel.first; i + 3 < kernel.last; i++) {
        size_t close = is(source, i, "[") ? source_closing(source, i, kernel.last) : 0;
        for (size_t k = i; k + 3 < close; k++) {
            size_t end = is(source, k, "min") && is(source, k + 1, "(") ? source_closing(source, k + 1, close) : 0;
            if (end < 3 || end >= close || !is(source, end - 1, "1") || !is(source, end - 2, "-")
                || source->tokens[k].defined)
                continue;
            char text[200];
            snprintf(
                text, sizeof text,
                "Line %d limits an index by min(): where it would go beyond the edge, the line reads the element at the edge "
                "again.",
                source->tokens[k].line);
            add_remark(finding, text);
            return;
        }
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

/* ---- what lets two threads meet --------------------------------------------------------------------------------------- */

/* `array[name]` in the line of a store: the token at which the function gives the name its only value; 0: it is not so. */
static size_t find_index_set(const struct source *source, const struct result_finding *finding)
{
    struct source_function function;
    size_t name = 0, set = 0;
    if (finding->kernel[0] == '\0' || !source_find_function(source, finding->kernel, 0, &function))
        return 0;
    for (size_t i = function.first; i + 4 < function.last && name == 0; i++)
        if (source->tokens[i].line == finding->line && source_token_is(&source->tokens[i], finding->array)
            && is(source, i + 1, "[") && source->tokens[i + 2].kind == SOURCE_WORD && is(source, i + 3, "]"))
            name = i + 2;
    for (size_t i = function.first; name > 0 && i + 1 < function.last; i++) {
        static const char *const changes[] = {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "++", "--"};
        if (!source_token_same(&source->tokens[i], &source->tokens[name]) || is(source, i - 1, ".")
            || !SOURCE_IS_ANY(&source->tokens[i + 1], changes))
            continue;
        if (set > 0 || !is(source, i + 1, "="))
            return 0;
        set = i;
    }
    return set;
}

/* `int where = inside ? i : n - 1;` or `min(i, n - 1)`: an index that is the same for all threads that do not get their own. */
static void tell_chosen_index(const struct source *source, struct result_finding *finding)
{
    size_t set = find_index_set(source, finding), first = set + 2, end = first, middle = 0, mark = 0;
    char text[240];
    while (set > 0 && end < source->token_count && !is(source, end, ";") && !is(source, end, "{")) {
        mark = is(source, end, "?") && mark == 0 ? end : mark;
        middle = mark > 0 && is(source, end, ":") && middle == 0 ? end : middle;
        end++;
    }
    for (size_t i = first + 2; set > 0 && i < end; i++)
        if ((is(source, i, "?") && i != mark) || is(source, i, "(") || is(source, first, "("))
            return;
    bool smaller = set > 0 && is(source, first, "min") && is(source, first + 1, "(")
                   && source_closing(source, first + 1, end) + 1 == end;
    for (size_t i = first + 2; smaller && i < end; i++) {
        bool first_comma = is(source, i, ",") && middle == 0;
        middle = first_comma ? i : middle;
    }
    if (set == 0 || middle == 0 || (!smaller && mark == 0) || source->tokens[end - 1].line != source->tokens[set].line)
        return;
    size_t from = smaller ? first + 2 : mark + 1, to = smaller ? end - 1 : end;
    const struct source_token *a = &source->tokens[from], *a_last = &source->tokens[middle - 1];
    const struct source_token *b = &source->tokens[middle + 1], *b_last = &source->tokens[to - 1];
    int a_length = (int)(a_last->text + a_last->length - a->text), b_length = (int)(b_last->text + b_last->length - b->text);
    const struct source_token *name = &source->tokens[set];
    if (a_length > 40 || b_length > 40 || name->length > 40)
        return;
    snprintf(text, sizeof text,
             smaller ? "Line %d sets %.*s to the smaller one of %.*s and %.*s." : "Line %d sets %.*s to %.*s or to %.*s.",
             name->line, name->length, name->text, a_length, a->text, b_length, b->text);
    add_remark(finding, text);
}

/* `(id & (2 * i)) == 0` before the line: a test of single bits where a multiple may be meant. */
static void tell_mask(const struct source *source, struct result_finding *finding)
{
    struct source_function function;
    if (finding->kernel[0] == '\0' || !source_find_function(source, finding->kernel, 0, &function))
        return;
    for (size_t i = function.first; i + 4 < function.last && source->tokens[i].line <= finding->line; i++) {
        bool begins = is(source, i, "(") && source->tokens[i + 1].kind == SOURCE_WORD && is(source, i + 2, "&")
                      && is(source, i + 3, "(");
        size_t close = begins ? source_closing(source, i + 3, function.last) : function.last;
        if (!begins || close + 3 >= function.last || !is(source, close + 1, ")"))
            continue;
        bool zero = (is(source, close + 2, "==") && is(source, close + 3, "0")) || is(source, i - 1, "!");
        bool product = false, lower = false;
        for (size_t k = i + 4; k < close; k++) {
            product |= is(source, k, "*") || is(source, k, "<<");
            lower |= is(source, k, "-") || is(source, k, "~");
        }
        if (!zero || !product || lower || source->tokens[close].line != source->tokens[i].line)
            continue;
        const struct source_token *mask = &source->tokens[i + 4], *last = &source->tokens[close - 1];
        char text[320];
        int length = (int)(last->text + last->length - mask->text);
        if (length > 40 || source->tokens[i + 1].length > 40)
            return;
        snprintf(
            text, sizeof text,
            "Line %d asks for the bits of %.*s alone. Where that is a power of two, it is one bit, and a multiple of it "
            "has no bit below that one, either: about those, the line does not ask.",
            source->tokens[i].line, length, mask->text);
        add_remark(finding, text);
        return;
    }
}

void story_source_tell(const struct source *source, struct result_finding *finding)
{
    if (strncmp(finding->code, "race_", 5) == 0 && finding->pattern[0] == '\0')
        tell_calls(source, finding);
    if (strncmp(finding->code, "race_", 5) == 0 && finding->remark[0] == '\0'
        && (is_pattern(finding, "same_element") || strcmp(finding->code, "race_same_value") == 0))
        tell_chosen_index(source, finding);
    if (strncmp(finding->code, "race_", 5) == 0 && finding->remark[0] == '\0' && is_pattern(finding, "chain"))
        tell_mask(source, finding);
    if (strcmp(finding->code, "wrong_value") != 0)
        return;
    if (is_pattern(finding, "whole") || is_pattern(finding, "wrapped"))
        tell_type(source, 0, finding);
    else if (is_pattern(finding, "upper_bits") && right_bits(finding) == 31)
        tell_high_bit(source, finding);
    else if ((is_pattern(finding, "upper_bits") || is_pattern(finding, "wraps")) && right_bits(finding) > 0)
        tell_type(source, right_bits(finding), finding);
}

void story_source_tell_measured(const struct source *source, struct result_finding *finding)
{
    if (strcmp(finding->code, "never_written") == 0 && finding->remark[0] == '\0' && finding->kernel[0] != '\0')
        tell_axes(source, finding);
    if (strcmp(finding->code, "never_written") == 0 && finding->remark[0] == '\0')
        tell_dropped_remainder(source, finding);
    if (strcmp(finding->code, "wrong_value") != 0)
        return;
    if (is_pattern(finding, "not_read") && finding->remark[0] == '\0')
        tell_first_turned_away(source, finding);
    if (is_pattern(finding, "special_nan") && finding->remark[0] == '\0')
        tell_limit(source, finding);
    bool unexplained = is_pattern(finding, "other"), typed = is_pattern(finding, "typed");
    if ((unexplained || typed) && finding->remark[0] == '\0')
        tell_float(source, finding);
    if ((unexplained || typed) && finding->remark[0] == '\0')
        tell_signed(source, finding);
    if (unexplained && finding->remark[0] == '\0')
        tell_own_added(source, finding);
    if (finding->remark[0] == '\0' && (is_pattern(finding, "factor") || is_pattern(finding, "special_nan")))
        tell_difference(source, finding);
    if (finding->remark[0] == '\0')
        tell_least(source, finding);
    if (finding->remark[0] == '\0' && finding->line > 0)
        tell_plain_index(source, finding);
}
