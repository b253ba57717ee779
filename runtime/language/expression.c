#include "runtime/language/expression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 32 };

struct evaluator {
    const struct source *source;
    size_t at, end;
    const struct expression_names *names;
    struct expression *out;
    unsigned depth;
    bool failed;
};

/* Binary operators by rising precedence. */
static const struct {
    const char *sign;
    int level;
} operators[] = {
    {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7},
    {"<", 7},  {">", 7},  {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
};
enum { LEVEL_PRODUCT = 10 };

static const char *const type_words[] = {
    "int",      "unsigned", "signed",   "long",   "short",   "char",    "size_t",   "ptrdiff_t", "const", "int32_t",
    "uint32_t", "int64_t",  "uint64_t", "int8_t", "uint8_t", "int16_t", "uint16_t", "uint",      "std",   "::",
};

static const struct source_token *token(const struct evaluator *e)
{
    return &e->source->tokens[e->at];
}

static bool is(const struct evaluator *e, const char *text)
{
    return e->at < e->end && source_token_is(token(e), text);
}

static void write_text(struct evaluator *e, char *target, const char *text, size_t length)
{
    size_t used = strlen(target);
    if (used + length >= EXPRESSION_BYTES) {
        e->failed = true;
        return;
    }
    memcpy(target + used, text, length);
    target[used + length] = '\0';
}

static void write_both(struct evaluator *e, const char *text)
{
    write_text(e, e->out->text, text, strlen(text));
    write_text(e, e->out->numbers, text, strlen(text));
}

static int64_t parse_binary(struct evaluator *e, int level);

/* `(int)`, `(unsigned long)`: tokens it takes, 0 when no cast begins here. */
static size_t cast_length(const struct evaluator *e)
{
    if (!is(e, "("))
        return 0;
    for (size_t i = e->at + 1; i < e->end; i++) {
        bool known = false;
        if (source_token_is(&e->source->tokens[i], ")"))
            return i > e->at + 1 ? i + 1 - e->at : 0;
        for (size_t k = 0; k < sizeof type_words / sizeof *type_words && !known; k++)
            known = source_token_is(&e->source->tokens[i], type_words[k]);
        if (!known)
            return 0;
    }
    return 0;
}

static int64_t parse_name(struct evaluator *e)
{
    char number[32];
    int64_t value = 0;
    size_t taken = e->names->value(e->names->context, e->at, e->end, &value);
    if (!taken || e->at + taken > e->end) {
        e->failed = true;
        return 0;
    }
    for (size_t i = 0; i < taken; i++, e->at++)
        write_text(e, e->out->text, token(e)->text, (size_t)token(e)->length);
    snprintf(number, sizeof number, value < 0 ? "(%lld)" : "%lld", (long long)value);
    write_text(e, e->out->numbers, number, strlen(number));
    e->out->names++;
    return value;
}

static int64_t parse_number(struct evaluator *e)
{
    char text[32], *end;
    snprintf(text, sizeof text, "%.*s", token(e)->length, token(e)->text);
    int64_t value = (int64_t)strtoull(text, &end, 0);
    if (token(e)->length >= (int)sizeof text || end[strspn(end, "uUlL")])
        e->failed = true;
    write_text(e, e->out->text, text, strlen(text));
    write_text(e, e->out->numbers, text, strlen(text));
    e->at++;
    return value;
}

static int64_t parse_unary(struct evaluator *e)
{
    if (e->at >= e->end || e->failed || ++e->depth > MOST_DEPTH) {
        e->failed = true;
        return 0;
    }
    int64_t value = 0;
    size_t cast = cast_length(e);
    if (cast) {
        e->at += cast;
        value = parse_unary(e);
    } else if (is(e, "-") || is(e, "~") || is(e, "+")) {
        char sign = *token(e)->text;
        write_both(e, (char[]){sign, '\0'});
        e->at++;
        value = parse_unary(e);
        value = sign == '-' ? (int64_t)(0 - (uint64_t)value) : sign == '~' ? ~value : value;
    } else if (is(e, "(")) {
        write_both(e, "(");
        e->at++;
        value = parse_binary(e, 0);
        if (!is(e, ")"))
            e->failed = true;
        else
            e->at++;
        write_both(e, ")");
    } else if (token(e)->kind == SOURCE_NUMBER) {
        value = parse_number(e);
    } else if (token(e)->kind == SOURCE_WORD) {
        value = parse_name(e);
    } else {
        e->failed = true;
    }
    e->depth--;
    return value;
}

static int64_t combine(struct evaluator *e, const char *sign, int64_t a, int64_t b)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    if (strlen(sign) == 2)
        switch (sign[0]) {
        case '<': return sign[1] == '<' ? (int64_t)(x << (y & 63)) : a <= b;
        case '>': return sign[1] == '>' ? a >> (y & 63) : a >= b;
        case '=': return a == b;
        case '!': return a != b;
        case '&': return a && b;
        default: return a || b;
        }
    switch (sign[0]) {
    case '+': return (int64_t)(x + y);
    case '-': return (int64_t)(x - y);
    case '*': return (int64_t)(x * y);
    case '&': return (int64_t)(x & y);
    case '|': return (int64_t)(x | y);
    case '^': return (int64_t)(x ^ y);
    case '<': return a < b;
    case '>': return a > b;
    default: break;
    }
    if (b == 0 || b == -1) {
        e->failed |= b == 0;
        return b && sign[0] == '/' ? (int64_t)(0 - x) : 0;
    }
    return sign[0] == '/' ? a / b : a % b;
}

static int64_t parse_binary(struct evaluator *e, int level)
{
    int64_t value = parse_unary(e);
    while (!e->failed && e->at < e->end) {
        size_t found = 0, count = sizeof operators / sizeof *operators;
        while (found < count && !is(e, operators[found].sign))
            found++;
        if (found == count || operators[found].level <= level)
            break;
        bool spaced = operators[found].level != LEVEL_PRODUCT;
        write_both(e, spaced ? " " : "");
        write_both(e, operators[found].sign);
        write_both(e, spaced ? " " : "");
        e->at++;
        value = combine(e, operators[found].sign, value, parse_binary(e, operators[found].level));
    }
    return value;
}

bool expression_evaluate(const struct source *source, size_t first, size_t end, const struct expression_names *names,
                         struct expression *expression)
{
    struct evaluator e = {.source = source, .at = first, .end = end, .names = names, .out = expression};
    memset(expression, 0, sizeof *expression);
    expression->value = parse_binary(&e, 0);
    if (e.failed || e.at != end)
        return false;
    expression->is_name = expression->names == 1 && !strpbrk(expression->text, "+-*/%&|^~<>()= ");
    return true;
}
