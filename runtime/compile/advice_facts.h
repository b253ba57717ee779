/* A compiler's message beside the source that it is about: what the conditions of advice.def look at. */
#ifndef RUNTIME_ADVICE_FACTS_H
#define RUNTIME_ADVICE_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/language/source.h"
#include "runtime/lockstep.h"

enum { FACTS_WORD_BYTES = 64, FACTS_TEXT_BYTES = 300 };

struct facts {
    const struct source *source; /* borrowed; NULL: none of it is known but the message */
    const char *message;
    int line, column;
    bool at_end; /* the message is about the end of the file */
    size_t at;   /* the token at the caret, or token_count */
    /* the braces around it; those of extern "C" and namespaces do not count */
    int depth;     /* 0: outside of all functions */
    size_t body;   /* the outermost { that is open there; when depth > 0 */
    size_t head;   /* first token of the declaration that it belongs to; when depth > 0 */
    size_t params; /* the ( of the function's parameters, or 0; when depth > 0 */
    bool kernel;   /* the function is a __global__ one */
    bool device;   /* a __device__ one */
    /* the innermost bracket that is open there */
    size_t open; /* token_count: none */
    /* what a condition leaves for the sentence: {a}, {b}, {n}, {text} */
    char a[FACTS_WORD_BYTES], b[FACTS_WORD_BYTES], text[FACTS_TEXT_BYTES];
    int n;
};

void facts_find(const struct source *source, const lockstep_diagnostic *diagnostic, bool at_end, struct facts *facts);

/* Fills what is around facts->at: braces, function, brackets. */
void facts_look_around(struct facts *facts);

/* Token `at + step`, or an empty one. */
const struct source_token *facts_token(const struct facts *facts, size_t at, int step);
bool facts_is(const struct facts *facts, int step, const char *text);
bool facts_is_word(const struct facts *facts, int step);
void facts_copy(const struct source_token *token, char word[FACTS_WORD_BYTES]);

/* 1 for ( and [, -1 for ) and ], 0 else. */
int facts_bracket_change(const struct source_token *token);

/* The n-th text (from 0) between double quotes in the message. Returns false when it has none, or too long a one. */
bool facts_quoted(const struct facts *facts, int n, char word[FACTS_WORD_BYTES]);

/* The declaration of a parameter of the function around the caret: tokens [*first, *last). Returns false when the name is
 * none of them. */
bool facts_parameter(const struct facts *facts, const struct source_token *name, size_t *first, size_t *last);

/* Has the declaration a word like this, a sign like this? */
bool facts_has(const struct facts *facts, size_t first, size_t last, const char *text);

/* Is the name a parameter that is a pointer, or an array of the function's own? */
bool facts_is_array(const struct facts *facts, const struct source_token *name);

/* Does the token declare a variable, as far as can be seen from the type before it? */
bool facts_declares(const struct facts *facts, size_t at);

/* First token of the statement or declaration that the token is part of. */
size_t facts_statement(const struct facts *facts, size_t at);

/* Two neighbours exchanged, one letter added, missing or wrong; case and underscores at both ends are ignored. */
bool facts_is_nearly(const char *word, const char *right);

#endif
