/* Constant expressions (PTX ISA 4.5.5): C's operators on integers of 64 bits, signed or unsigned. They stand wherever a constant
 * does; what they come to is all that the rest of the parser sees. */
#include "runtime/language/ptx/parser.h"

#include <string.h>

enum { LOWEST = 1, ADDITIVE = 9, MOST_PARENTHESES = 256 };

/* Operators of two operands, weakest first; those of a level from left to right. */
static const struct binary {
    char text[3];
    int level;
} binaries[] = {
    {"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4}, {"&", 5}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7},
    {"<<", 8}, {">>", 8}, {"<", 7}, {">", 7}, {"+", 9}, {"-", 9},  {"*", 10}, {"/", 10},
};

static struct parser_constant evaluate(struct parser *parser, int level);

/* The operator that begins at the token; NULL: none does. Those of two characters are two tokens that touch. */
static const struct binary *find_binary(const struct parser *parser)
{
    const struct token *token = &parser->token;
    static const struct binary modulo = {"%", 10};
    if (token->kind == TOKEN_IDENTIFIER && token->length == 1 && *token->text == '%') /* not the beginning of a register */
        return &modulo;
    if (token->kind != TOKEN_PUNCTUATION)
        return NULL;
    char next = parser->lexer.at < parser->lexer.end ? *parser->lexer.at : 0;
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++) {
        const char *text = binaries[i].text;
        if (text[0] == token->punctuation && (!text[1] || text[1] == next))
            return &binaries[i];
    }
    return NULL;
}

static bool is_float(const struct parser_constant *value)
{
    return value->kind != OPERAND_INTEGER;
}

static struct parser_constant integer(uint64_t bits, bool is_unsigned)
{
    return (struct parser_constant){.kind = OPERAND_INTEGER, .bits = bits, .is_unsigned = is_unsigned};
}

static void require_integer(struct parser *parser, const struct parser_constant *value)
{
    if (is_float(value))
        parser_fail(parser, "arithmetic on floating-point constants is not supported: write the result");
}

/* ---- one operand ---- */

/* `(.s64) x` or `(x)`, after the parenthesis. */
static struct parser_constant parse_parenthesis(struct parser *parser)
{
    bool to_signed = parser_is_directive(parser, "s64"), to_unsigned = parser_is_directive(parser, "u64");
    if (parser->expression_depth++ == MOST_PARENTHESES)
        parser_fail(parser, "a constant expression is nested more than %d deep", MOST_PARENTHESES);
    struct parser_constant value;
    if (to_signed || to_unsigned) {
        parser_next(parser);
        parser_expect(parser, ')');
        value = evaluate(parser, INT32_MAX);
        require_integer(parser, &value);
        value.is_unsigned = to_unsigned;
    } else {
        value = evaluate(parser, LOWEST);
        parser_expect(parser, ')');
    }
    parser->expression_depth--;
    return value;
}

static struct parser_constant negate(struct parser_constant value)
{
    if (value.kind == OPERAND_F32)
        value.bits ^= UINT64_C(1) << 31;
    else if (value.kind == OPERAND_F64)
        value.bits ^= UINT64_C(1) << 63;
    else
        value.bits = 0 - value.bits;
    return value;
}

static struct parser_constant parse_literal(struct parser *parser)
{
    struct token token = parser->token;
    bool word = token.kind == TOKEN_IDENTIFIER && token.length == 7 && memcmp(token.text, "WARP_SZ", 7) == 0;
    if (word || token.kind == TOKEN_INTEGER || token.kind == TOKEN_F32 || token.kind == TOKEN_F64)
        parser_next(parser);
    else
        parser_fail(parser, "expected a constant before '%.*s'", (int)token.length, token.text);
    if (word)
        return integer(32, false);
    if (token.kind == TOKEN_INTEGER)
        return integer(token.integer, token.is_unsigned);
    return (struct parser_constant){.kind = token.kind == TOKEN_F32 ? OPERAND_F32 : OPERAND_F64, .bits = token.integer};
}

static struct parser_constant parse_unary(struct parser *parser)
{
    char sign = parser->token.kind == TOKEN_PUNCTUATION ? parser->token.punctuation : 0;
    if (sign == '(') {
        parser_next(parser);
        return parse_parenthesis(parser);
    }
    if (!sign || !strchr("+-!~", sign))
        return parse_literal(parser);
    if (parser->expression_depth++ == MOST_PARENTHESES)
        parser_fail(parser, "a constant expression is nested more than %d deep", MOST_PARENTHESES);
    parser_next(parser);
    struct parser_constant value = parse_unary(parser);
    parser->expression_depth--;
    if (sign == '-')
        return negate(value);
    if (sign == '+')
        return value;
    require_integer(parser, &value);
    return sign == '~' ? integer(~value.bits, value.is_unsigned) : integer(!value.bits, false);
}

/* ---- two operands ---- */

static uint64_t divide(struct parser *parser, char operation, uint64_t a, uint64_t b, bool is_unsigned)
{
    bool modulo = operation == '%';
    if (!b)
        parser_fail(parser, "a constant expression divides by zero");
    if (is_unsigned)
        return modulo ? a % b : a / b;
    if (b == UINT64_MAX) /* by -1, whose quotient may overflow */
        return modulo ? 0 : 0 - a;
    return (uint64_t)(modulo ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
}

static bool is_less(uint64_t a, uint64_t b, bool is_unsigned)
{
    return is_unsigned ? a < b : (int64_t)a < (int64_t)b;
}

/* Shifts keep the sign of what is shifted; comparisons give a signed 0 or 1; else one unsigned operand makes both so. */
static struct parser_constant apply(struct parser *parser, const struct binary *operation, struct parser_constant x,
                                    struct parser_constant y)
{
    require_integer(parser, &x);
    require_integer(parser, &y);
    bool is_unsigned = x.is_unsigned || y.is_unsigned;
    uint64_t a = x.bits, b = y.bits;
    switch (operation->level) {
    case 1: return integer(a || b, false);
    case 2: return integer(a && b, false);
    case 3: return integer(a | b, is_unsigned);
    case 4: return integer(a ^ b, is_unsigned);
    case 5: return integer(a & b, is_unsigned);
    case 6: return integer((a == b) == (*operation->text == '='), false);
    case 7: {
        bool or_equal = operation->text[1] == '=', less = *operation->text == '<';
        bool result = or_equal ? !(less ? is_less(b, a, is_unsigned) : is_less(a, b, is_unsigned))
                      : less   ? is_less(a, b, is_unsigned)
                               : is_less(b, a, is_unsigned);
        return integer(result, false);
    }
    case 8:
        if (b > 63)
            parser_fail(parser, "a constant expression shifts by more than 63 bits");
        if (*operation->text == '<')
            return integer(a << b, x.is_unsigned);
        return integer(x.is_unsigned || !(a >> 63) ? a >> b : ~(~a >> b), x.is_unsigned);
    case 9: return integer(*operation->text == '+' ? a + b : a - b, is_unsigned);
    default:
        return integer(*operation->text == '*' ? a * b : divide(parser, *operation->text, a, b, is_unsigned), is_unsigned);
    }
}

static struct parser_constant evaluate(struct parser *parser, int level)
{
    struct parser_constant value = parse_unary(parser);
    for (;;) {
        const struct binary *operation = find_binary(parser);
        if (!operation || operation->level < level)
            break;
        parser_next(parser);
        if (operation->text[1])
            parser_next(parser);
        struct parser_constant right = evaluate(parser, operation->level + 1);
        value = apply(parser, operation, value, right);
    }
    if (level > LOWEST || !parser_accept(parser, '?'))
        return value;
    require_integer(parser, &value);
    struct parser_constant yes = evaluate(parser, LOWEST);
    parser_expect(parser, ':');
    struct parser_constant no = evaluate(parser, LOWEST);
    return value.bits ? yes : no;
}

bool parser_begins_constant(const struct parser *parser)
{
    const struct token *token = &parser->token;
    switch (token->kind) {
    case TOKEN_INTEGER:
    case TOKEN_F32:
    case TOKEN_F64: return true;
    case TOKEN_PUNCTUATION: return strchr("(+-~", token->punctuation) != NULL;
    default: return token->kind == TOKEN_IDENTIFIER && token->length == 7 && memcmp(token->text, "WARP_SZ", 7) == 0;
    }
}

struct parser_constant parser_constant(struct parser *parser)
{
    return evaluate(parser, LOWEST);
}

int64_t parser_integer(struct parser *parser)
{
    if (!parser_begins_constant(parser) || parser->token.kind == TOKEN_F32 || parser->token.kind == TOKEN_F64)
        parser_fail(parser, "expected an integer before '%.*s'", (int)parser->token.length, parser->token.text);
    struct parser_constant value = evaluate(parser, LOWEST);
    require_integer(parser, &value);
    return (int64_t)value.bits;
}

int64_t parser_number(struct parser *parser)
{
    if (!parser_begins_constant(parser))
        parser_fail(parser, "expected an integer before '%.*s'", (int)parser->token.length, parser->token.text);
    struct parser_constant value = parse_unary(parser);
    require_integer(parser, &value);
    return (int64_t)value.bits;
}

int64_t parser_count(struct parser *parser)
{
    struct parser_constant value = evaluate(parser, ADDITIVE);
    require_integer(parser, &value);
    return (int64_t)value.bits;
}
