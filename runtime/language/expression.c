#include "runtime/language/expression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 32, MOST_TOKENS = 256, MOST_MACROS = 8 };

struct evaluator {
    const struct source *source;
    size_t tokens[MOST_TOKENS]; /* of the source, macros replaced */
    size_t at, end;             /* in this list */
    const struct expression_names *names;
    struct expression *out;
    unsigned depth;
    int level;  /* of the operator that was applied last in the operand that has just been read; 0: none */
    bool sized; /* there is a sizeof in it: what is combined with it is unsigned */
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
enum {
    LEVEL_BITS_LEAST = 3,
    LEVEL_BITS_MOST = 5,
    LEVEL_EQUAL = 6,
    LEVEL_LESS = 7,
    LEVEL_SHIFT = 8,
    LEVEL_SUM = 9,
    LEVEL_PRODUCT = 10
};

int expression_level(const struct source_token *token)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (source_token_is(token, operators[i].sign))
            return operators[i].level;
    return 0;
}

static const struct {
    const char *word;
    unsigned bits; /* 0: the other words tell */
    bool is_unsigned;
} type_words[] = {
    {"int", 0, false},      {"unsigned", 0, true},  {"signed", 0, false},   {"long", 64, false},      {"short", 16, false},
    {"char", 8, false},     {"bool", 1, true},      {"size_t", 64, true},   {"ptrdiff_t", 64, false}, {"int8_t", 8, false},
    {"int16_t", 16, false}, {"int32_t", 32, false}, {"int64_t", 64, false}, {"uint8_t", 8, true},     {"uint16_t", 16, true},
    {"uint32_t", 32, true}, {"uint64_t", 64, true}, {"uint", 32, true},     {"ushort", 16, true},     {"uchar", 8, true},
};
static const char *const type_marks[] = {"const", "volatile", "static", "constexpr", "register", "std", "::"};

size_t expression_read_type(const struct source *source, size_t first, size_t end, struct expression_type *type)
{
    size_t at = first;
    bool any = false;
    *type = (struct expression_type){.bits = 0};
    for (; at < end; at++) {
        bool known = false;
        for (size_t i = 0; i < sizeof type_marks / sizeof *type_marks && !known; i++)
            known = source_token_is(&source->tokens[at], type_marks[i]);
        for (size_t i = 0; i < sizeof type_words / sizeof *type_words && !known; i++) {
            if (!source_token_is(&source->tokens[at], type_words[i].word))
                continue;
            type->bits = type_words[i].bits ? type_words[i].bits : type->bits;
            type->is_unsigned |= type_words[i].is_unsigned;
            known = any = true;
        }
        const struct source_macro *alias = known || any || source->tokens[at].kind != SOURCE_WORD
                                               ? NULL
                                               : source_find_alias(source, &source->tokens[at]);
        if (alias && alias->count && alias->first + alias->count <= first) /* nothing that names itself */
            known = any = expression_read_type(source, alias->first, alias->first + alias->count, type) == alias->count;
        if (!known)
            break;
    }
    type->bits = type->bits ? type->bits : 32;
    return any ? at - first : 0;
}

int64_t expression_convert(int64_t value, const struct expression_type *type)
{
    if (type->bits == 1)
        return value != 0;
    if (type->bits == 8)
        return type->is_unsigned ? (uint8_t)value : (int8_t)value;
    if (type->bits == 16)
        return type->is_unsigned ? (uint16_t)value : (int16_t)value;
    return value;
}

static const struct source_token *token(const struct evaluator *e)
{
    return &e->source->tokens[e->tokens[e->at]];
}

static bool is(const struct evaluator *e, const char *text)
{
    return e->at < e->end && source_token_is(token(e), text);
}

/* The token of the source up to which those of the list at `at` follow one another there. */
static size_t piece_end(const struct evaluator *e)
{
    size_t at = e->at;
    while (at + 1 < e->end && e->tokens[at + 1] == e->tokens[at] + 1)
        at++;
    return e->tokens[at] + 1;
}

/* Is there an operator in it outside of brackets, with which what is around it may compete? */
static bool has_operator(const struct source *source, const struct source_macro *macro)
{
    int depth = 0;
    for (size_t i = macro->first; i < macro->first + macro->count; i++) {
        const struct source_token *one = &source->tokens[i];
        int change = (source_token_is(one, "(") || source_token_is(one, "["))
                     - (source_token_is(one, ")") || source_token_is(one, "]"));
        depth += change;
        if (depth == 0 && !change && one->kind == SOURCE_SIGN && !source_token_is(one, ".") && !source_token_is(one, "::"))
            return true;
    }
    return false;
}

static void replace_macros(struct evaluator *e, size_t first, size_t end, unsigned depth)
{
    for (size_t i = first; i < end && !e->failed; i++) {
        const struct source_token *one = &e->source->tokens[i];
        bool member = i > first && (source_token_is(one - 1, ".") || source_token_is(one - 1, "->"));
        const struct source_macro *macro = one->kind == SOURCE_WORD && !member ? source_find_macro(e->source, one) : NULL;
        if (macro && macro->count && has_operator(e->source, macro)) {
            if (depth == MOST_MACROS)
                e->failed = true;
            else
                replace_macros(e, macro->first, macro->first + macro->count, depth + 1);
        } else if (e->end == MOST_TOKENS) {
            e->failed = true;
        } else {
            e->tokens[e->end++] = i;
        }
    }
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

/* `(int)`, `(unsigned long)`, `short` of short(x), `static_cast<int>`: tokens it takes, 0 when no cast begins here. */
static size_t cast_length(const struct evaluator *e, struct expression_type *type)
{
    size_t end = piece_end(e), at = e->tokens[e->at];
    const struct source_token *tokens = e->source->tokens;
    if (source_token_is(&tokens[at], "static_cast") && at + 1 < end && source_token_is(&tokens[at + 1], "<")) {
        size_t length = expression_read_type(e->source, at + 2, end, type);
        return length && at + 2 + length < end && source_token_is(&tokens[at + 2 + length], ">") ? length + 3 : 0;
    }
    bool open = source_token_is(&tokens[at], "(");
    size_t length = expression_read_type(e->source, at + open, end, type);
    if (!length || at + open + length >= end)
        return 0;
    if (!open)
        return source_token_is(&tokens[at + length], "(") ? length : 0;
    return source_token_is(&tokens[at + 1 + length], ")") ? length + 2 : 0;
}

static const char *type_name(const struct expression_type *type)
{
    return type->bits == 1   ? "(bool)"
           : type->bits == 8 ? (type->is_unsigned ? "(unsigned char)" : "(char)")
                             : (type->is_unsigned ? "(unsigned short)" : "(short)");
}

/* The operand of a cast; one to fewer bits than an int has is written. */
static int64_t parse_cast(struct evaluator *e, const struct expression_type *type);

static int64_t parse_name(struct evaluator *e)
{
    char number[32];
    int64_t value = 0;
    static const char *const no_names[] = {"float", "double", "half", "__half", "void", "auto"};
    for (size_t i = 0; i < sizeof no_names / sizeof *no_names; i++)
        e->failed |= is(e, no_names[i]);
    if (e->failed)
        return 0;
    size_t taken = e->names->value(e->names->context, e->tokens[e->at], piece_end(e), &value);
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

/* `sizeof(TYPE)`; of an expression it is not known. */
static int64_t parse_sizeof(struct evaluator *e)
{
    size_t end = piece_end(e), at = e->tokens[e->at];
    struct expression_type type = {.bits = 32};
    bool is_double = at + 3 < end && source_token_is(&e->source->tokens[at + 2], "double");
    bool other = is_double || (at + 3 < end && source_token_is(&e->source->tokens[at + 2], "float"));
    size_t length = other ? 1 : at + 3 < end ? expression_read_type(e->source, at + 2, end, &type) : 0;
    if (!length || !source_token_is(&e->source->tokens[at + 1], "(") || at + 2 + length >= end
        || !source_token_is(&e->source->tokens[at + 2 + length], ")")) {
        e->failed = true;
        return 0;
    }
    int64_t bytes = is_double ? 8 : type.bits == 1 ? 1 : type.bits / 8;
    char number[24];
    for (size_t i = 0; i < length + 3; i++) {
        bool spaced = i > 2 && i < length + 2;
        write_text(e, e->out->text, " ", spaced);
        write_text(e, e->out->text, e->source->tokens[at + i].text, (size_t)e->source->tokens[at + i].length);
    }
    snprintf(number, sizeof number, "%lld", (long long)bytes);
    write_text(e, e->out->numbers, number, strlen(number));
    e->at += length + 3;
    e->sized = true;
    return bytes;
}

static int64_t parse_unary(struct evaluator *e)
{
    if (e->at >= e->end || e->failed || ++e->depth > MOST_DEPTH) {
        e->failed = true;
        return 0;
    }
    int64_t value = 0;
    struct expression_type type;
    size_t cast = cast_length(e, &type);
    if (cast) {
        e->at += cast;
        value = parse_cast(e, &type);
    } else if (is(e, "-") || is(e, "~") || is(e, "+") || is(e, "!")) {
        char sign = is(e, "-") ? '-' : is(e, "~") ? '~' : is(e, "+") ? '+' : '!';
        write_both(e, (char[]){sign, '\0'});
        e->at++;
        value = parse_unary(e);
        value = sign == '-' ? (int64_t)(0 - (uint64_t)value) : sign == '~' ? ~value : sign == '!' ? !value : value;
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
    } else if (is(e, "sizeof")) {
        value = parse_sizeof(e);
    } else if (token(e)->kind == SOURCE_WORD) {
        value = parse_name(e);
    } else {
        e->failed = true;
    }
    e->depth--;
    return value;
}

static int64_t parse_cast(struct evaluator *e, const struct expression_type *type)
{
    if (type->bits >= 32)
        return parse_unary(e);
    e->out->narrowed = true;
    write_both(e, type_name(type));
    int64_t whole = parse_unary(e), value = expression_convert(whole, type);
    if (value != whole && type->bits > 1) {
        e->out->cut_bits = type->bits;
        e->out->cut = whole;
    }
    return value;
}

static int64_t combine(struct evaluator *e, const char *sign, int64_t a, int64_t b)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    bool shifts = strcmp(sign, "<<") == 0 || strcmp(sign, ">>") == 0;
    e->failed |= shifts && y > 63 && a != 0; /* C does not say what comes of it */
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

/* Is the order in which C applies two operators often mistaken: 1 << 8 + x, x & 1 == 0, 0 <= x < n? */
static bool is_surprising(int outer, int inner)
{
    bool compares = outer == LEVEL_EQUAL || outer == LEVEL_LESS;
    bool bits = outer == LEVEL_SHIFT || (outer >= LEVEL_BITS_LEAST && outer <= LEVEL_BITS_MOST);
    bool inner_compares = inner == LEVEL_EQUAL || inner == LEVEL_LESS;
    return compares ? inner_compares : bits && ((inner_compares && outer != LEVEL_SHIFT) || inner == LEVEL_SUM);
}

/* Puts brackets around the numbers from `start` on, where the operand that they are is not what it looks like. */
static void show_order(struct evaluator *e, int outer, int inner, size_t start)
{
    char *numbers = e->out->numbers;
    if (!is_surprising(outer, inner) || e->failed)
        return;
    write_text(e, numbers, "()", 2);
    size_t length = strlen(numbers);
    if (e->failed)
        return;
    memmove(numbers + start + 1, numbers + start, length - 2 - start);
    numbers[start] = '(';
    numbers[length - 1] = ')';
}

static int64_t parse_binary(struct evaluator *e, int level)
{
    size_t start = strlen(e->out->numbers);
    int64_t value = parse_unary(e);
    int last = 0;
    while (!e->failed && e->at < e->end) {
        size_t found = 0, count = sizeof operators / sizeof *operators;
        while (found < count && !is(e, operators[found].sign))
            found++;
        if (found == count || operators[found].level <= level)
            break;
        show_order(e, operators[found].level, last, start);
        bool spaced = operators[found].level != LEVEL_PRODUCT;
        write_both(e, spaced ? " " : "");
        write_both(e, operators[found].sign);
        write_both(e, spaced ? " " : "");
        e->at++;
        size_t right = strlen(e->out->numbers);
        int64_t operand = parse_binary(e, operators[found].level);
        last = operators[found].level;
        show_order(e, last, e->level, right);
        bool negative = value < 0 || operand < 0;
        value = combine(e, operators[found].sign, value, operand);
        e->failed |= e->sized && (negative || value < 0); /* C computes with a large unsigned number here */
        e->out->wide |= value < INT32_MIN || value > INT32_MAX;
    }
    e->level = last;
    return value;
}

bool expression_evaluate(const struct source *source, size_t first, size_t end, const struct expression_names *names,
                         struct expression *expression)
{
    struct evaluator e = {.source = source, .names = names, .out = expression};
    memset(expression, 0, sizeof *expression);
    replace_macros(&e, first, end, 0);
    if (!e.failed)
        expression->value = parse_binary(&e, 0);
    if (e.failed || e.at != e.end)
        return false;
    expression->is_name = expression->names == 1 && !strpbrk(expression->text, "+-*/%&|^~<>()= ");
    return true;
}
