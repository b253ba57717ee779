/* Where the pieces of C and CUDA text end: literals, numbers, continued lines. Every text ends in NUL, and nothing is read
 * beyond it. */
#ifndef RUNTIME_LEXICAL_H
#define RUNTIME_LEXICAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Can the byte be part of a name? Every byte of a character that is not ASCII counts as one that can. */
bool lexical_is_word(char c);

/* A backslash before the end of a line, which may be CR LF. 0: none; else its bytes. */
size_t lexical_spliced(const char *at);

/* Skips what is between quotes, from the opening one; the end of a line that is not continued closes it too. */
const char *lexical_end_of_literal(const char *at);

/* Does the word [at, end) make the quote after it begin a raw string? */
bool lexical_is_raw(const char *at, const char *end);

/* Skips `"mark(any text)mark"`, from the quote. A mark has at most 16 characters (C++ [lex.string]). */
const char *lexical_end_of_raw(const char *quote);

/* The number of a line, from #line or .loc; 0, unknown, for one that no text has: readers count on from it, and add to it. */
int lexical_line(int64_t number);

/* Skips a number, digit separators, exponent and suffix included. */
const char *lexical_end_of_number(const char *at);

#endif
