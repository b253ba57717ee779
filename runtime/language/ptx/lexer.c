#include "runtime/language/ptx/lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void lexer_init(struct lexer *lexer, const char *text, size_t length, struct diagnostic *diagnostic)
{
    const char *nul = memchr(text, 0, length);
    *lexer = (struct lexer){
        .at = text, .end = nul ? nul : text + length, .line_start = text, .line = 1, .diagnostic = diagnostic};
}

static struct token make_error(struct lexer *lexer, const char *message)
{
    diagnostic_set_at(lexer->diagnostic, lexer->line, (int)(lexer->at - lexer->line_start) + 1, "%s", message);
    lexer->at = lexer->end;
    return (struct token){.kind = TOKEN_ERROR, .line = lexer->line, .text = lexer->end};
}

/* Returns false at an unterminated comment. */
static bool skip_blank(struct lexer *lexer)
{
    while (lexer->at < lexer->end) {
        char c = *lexer->at;
        if (c == '\n') {
            lexer->line++;
            lexer->line_start = ++lexer->at;
        } else if (isspace((unsigned char)c)) {
            lexer->at++;
        } else if (c == '/' && lexer->end - lexer->at > 1 && lexer->at[1] == '/') {
            while (lexer->at < lexer->end && *lexer->at != '\n')
                lexer->at++;
        } else if (c == '/' && lexer->end - lexer->at > 1 && lexer->at[1] == '*') {
            const char *at = lexer->at + 2, *line_start = lexer->line_start;
            int line = lexer->line;
            for (; lexer->end - at >= 2 && !(at[0] == '*' && at[1] == '/'); at++)
                if (*at == '\n') {
                    line++;
                    line_start = at + 1;
                }
            if (lexer->end - at < 2)
                return false; /* the mistake is where the comment begins */
            lexer->line = line;
            lexer->line_start = line_start;
            lexer->at = at + 2;
        } else {
            break;
        }
    }
    return true;
}

static bool is_word_start(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* A token that this lexer does not know: an error, or for a tolerant lexer a token that extends to what certainly ends
 * it. */
static struct token make_unknown(struct lexer *lexer, struct token token, const char *message)
{
    if (!lexer->tolerant)
        return make_error(lexer, message);
    lexer->at = token.text + 1;
    while (lexer->at < lexer->end && (is_word(*lexer->at) || *lexer->at == '.'))
        lexer->at++;
    token.kind = TOKEN_UNKNOWN;
    token.length = (size_t)(lexer->at - token.text);
    return token;
}

/* An identifier continues across dots and the :: of state-space qualifiers ("shared::cta"). */
static const char *word_end(const char *at, const char *end, bool dots)
{
    while (at < end) {
        if (is_word(*at))
            at++;
        else if (dots && *at == '.' && end - at > 1 && is_word(at[1]))
            at++;
        else if (*at == ':' && end - at > 2 && at[1] == ':' && is_word(at[2]))
            at += 2;
        else
            break;
    }
    return at;
}

static struct token read_float_bits(struct lexer *lexer, struct token token, int digits, enum token_kind kind)
{
    const char *at = token.text + 2;
    for (int i = 0; i < digits; i++, at++) {
        if (at == lexer->end || !isxdigit((unsigned char)*at))
            return make_unknown(lexer, token, "a floating-point constant has too few hexadecimal digits");
        int value = isdigit((unsigned char)*at) ? *at - '0' : tolower((unsigned char)*at) - 'a' + 10;
        token.integer = token.integer << 4 | (unsigned)value;
    }
    token.kind = kind;
    token.length = (size_t)(at - token.text);
    lexer->at = at;
    return token;
}

static bool looks_decimal_float(const char *at, const char *end)
{
    while (at < end && isdigit((unsigned char)*at))
        at++;
    return at < end && (*at == '.' || *at == 'e' || *at == 'E');
}

static struct token read_decimal_float(struct lexer *lexer, struct token token)
{
    char text[64];
    size_t length = 0;
    const char *at = token.text;
    while (at < lexer->end && length < sizeof text - 1
           && (isdigit((unsigned char)*at) || *at == '.' || *at == 'e' || *at == 'E'
               || ((*at == '+' || *at == '-') && length && (text[length - 1] == 'e' || text[length - 1] == 'E'))))
        text[length++] = *at++;
    text[length] = 0;
    double value = strtod(text, NULL);
    memcpy(&token.integer, &value, sizeof value);
    token.kind = TOKEN_F64;
    token.length = length;
    lexer->at = at;
    return token;
}

static struct token read_number(struct lexer *lexer, struct token token)
{
    const char *at = token.text, *end = lexer->end;
    char second = end - at > 1 ? (char)tolower((unsigned char)at[1]) : 0;
    if (*at == '0' && second == 'f')
        return read_float_bits(lexer, token, 8, TOKEN_F32);
    if (*at == '0' && second == 'd')
        return read_float_bits(lexer, token, 16, TOKEN_F64);
    unsigned base = 10;
    if (*at == '0' && (second == 'x' || second == 'b')) {
        base = second == 'x' ? 16 : 2;
        at += 2;
    } else if (looks_decimal_float(at, end)) {
        return read_decimal_float(lexer, token);
    } else if (*at == '0') {
        base = 8;
    }
    const char *digits = at;
    for (; at < end && isxdigit((unsigned char)*at); at++) {
        unsigned value = isdigit((unsigned char)*at) ? (unsigned)(*at - '0')
                                                     : (unsigned)(tolower((unsigned char)*at) - 'a' + 10);
        if (value >= base)
            break;
        if (token.integer > (UINT64_MAX - value) / base)
            return make_unknown(lexer, token, "an integer constant does not fit in 64 bits");
        token.integer = token.integer * base + value;
    }
    if (at == digits)
        return make_unknown(lexer, token, "a number has no digits");
    token.is_unsigned = token.integer > INT64_MAX;
    if (at < end && *at == 'U') {
        token.is_unsigned = true;
        at++;
    }
    if (at < end && is_word(*at))
        return make_unknown(lexer, token, "a number runs into a word");
    token.kind = TOKEN_INTEGER;
    token.length = (size_t)(at - token.text);
    lexer->at = at;
    return token;
}

static struct token read_string(struct lexer *lexer, struct token token)
{
    const char *at = lexer->at + 1;
    while (at < lexer->end && *at != '"' && *at != '\n')
        at += *at == '\\' && lexer->end - at > 1 ? 2 : 1;
    if (at >= lexer->end || *at != '"')
        return make_error(lexer, "a string has no closing quote");
    token.kind = TOKEN_STRING;
    token.text = lexer->at + 1;
    token.length = (size_t)(at - token.text);
    lexer->at = at + 1;
    return token;
}

struct token lexer_next(struct lexer *lexer)
{
    if (!skip_blank(lexer))
        return make_error(lexer, "a comment is not closed");
    struct token token = {
        .kind = TOKEN_END, .text = lexer->at, .line = lexer->line, .column = (int)(lexer->at - lexer->line_start) + 1};
    if (lexer->at == lexer->end) {
        token.text = "end of the text";
        token.length = strlen(token.text);
        return token;
    }
    char c = *lexer->at;
    bool directive = c == '.' && lexer->end - lexer->at > 1 && is_word_start(lexer->at[1]);
    if (is_word_start(c) || directive) {
        token.kind = directive ? TOKEN_DIRECTIVE : TOKEN_IDENTIFIER;
        token.text += directive;
        lexer->at = word_end(token.text + 1, lexer->end, !directive);
        token.length = (size_t)(lexer->at - token.text);
        return token;
    }
    if (isdigit((unsigned char)c))
        return read_number(lexer, token);
    if (c == '"')
        return read_string(lexer, token);
    if (strchr("{}()[]<>,;:@!+-*/|&=^~?", c)) {
        token.kind = TOKEN_PUNCTUATION;
        token.punctuation = c;
        token.length = 1;
        lexer->at++;
        return token;
    }
    return make_unknown(lexer, token, "a character that is not valid in PTX");
}

bool lexer_skip_braces(struct lexer *lexer)
{
    int depth = 1;
    for (;;) {
        struct token token = lexer_next(lexer);
        if (token.kind == TOKEN_END || token.kind == TOKEN_ERROR)
            return false;
        if (token.kind == TOKEN_PUNCTUATION && token.punctuation == '{')
            depth++;
        if (token.kind == TOKEN_PUNCTUATION && token.punctuation == '}' && --depth == 0)
            return true;
    }
}
