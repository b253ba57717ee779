/* The tokens of a C source text as far as a signature needs them: comments and literals are gone, directives too, and
 * object-like macros, typedefs and `using` aliases can be looked up.
 */
#ifndef SOURCE_TOKENS_H
#define SOURCE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

#define SOURCE_TOKEN_BYTES 64

struct source_token {
    char text[SOURCE_TOKEN_BYTES]; /* word, number or one character of punctuation; longer words are cut */
    int line;                      /* 1-based */
};

/* #define NAME words, typedef words NAME, using NAME = words: the name stands for tokens[first, first + count). */
struct source_alias {
    char name[SOURCE_TOKEN_BYTES];
    size_t first, count;
};

struct source_tokens {
    struct source_token *tokens; /* the text's tokens, then those of the aliases; owned */
    size_t text_count, count, capacity;
    struct source_alias *aliases; /* owned */
    size_t alias_count, alias_capacity;
};

/* Reads a NUL-terminated text. Cannot fail; clear with source_tokens_clear. */
void source_tokens_read(const char *text, struct source_tokens *tokens);
void source_tokens_clear(struct source_tokens *tokens);

/* The latest alias of that name, NULL when there is none. */
const struct source_alias *source_tokens_find_alias(const struct source_tokens *tokens, const char *name);

#endif
