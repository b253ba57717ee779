/* Words of PTX text (PTX ISA, Syntax): identifiers, numbers, strings, punctuation. Comments and white space are skipped. */
#ifndef PTX_LEXER_H
#define PTX_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/diagnostic.h"

enum token_kind {
    TOKEN_END,
    TOKEN_IDENTIFIER, /* add.s32, %r1, $L__BB0_2, _Z3fibi: dots stay inside, as opcodes and special registers have them */
    TOKEN_DIRECTIVE,  /* .visible: text without the dot */
    TOKEN_INTEGER,
    TOKEN_F32,         /* 0f3F800000: bits in integer */
    TOKEN_F64,         /* 0d… or decimal with a point or exponent: bits in integer */
    TOKEN_STRING,      /* text without the quotes, escapes untouched */
    TOKEN_PUNCTUATION, /* one character: { } ( ) [ ] < > , ; : @ ! + - * / | & = ^ ~ ? */
    TOKEN_UNKNOWN,     /* none of these; only from a tolerant lexer */
    TOKEN_ERROR,       /* the diagnostic has been set */
};

struct token {
    enum token_kind kind;
    const char *text; /* into the source, not NUL-terminated */
    size_t length;
    int line, column; /* 1-based; columns in bytes */
    uint64_t integer; /* value, or bits of a float */
    bool is_unsigned; /* the literal had the suffix U, or does not fit in s64 */
    char punctuation;
};

struct lexer {
    const char *at, *end;
    const char *line_start;
    int line;
    bool tolerant; /* a character or number that PTX does not know is a TOKEN_UNKNOWN, not an error */
    struct diagnostic *diagnostic;
};

/* Starts reading text [length], borrowed. */
void lexer_init(struct lexer *lexer, const char *text, size_t length, struct diagnostic *diagnostic);

/* Reads the next token. After TOKEN_END or TOKEN_ERROR it returns the same again. */
struct token lexer_next(struct lexer *lexer);

/* Skips past the brace that closes the one already read; for debug sections. False when there is none. */
bool lexer_skip_braces(struct lexer *lexer);

#endif
