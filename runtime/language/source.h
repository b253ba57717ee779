/* The text of a C or CUDA source file, by lines and tokens: for findings, which use the student's own names, and for
 * signatures.
 *
 * Reading is tolerant: comments and directives are skipped, except `#define NAME tokens` and `#line`; a literal is one
 * token. What `#if 0` leaves out is not there. Other conditions are the compiler's to decide: give the text with its answer
 * (lockstep_compiled.seen). Nothing here can fail because of what the text says; but a search may find nothing.
 */
#ifndef EMULATOR_SOURCE_H
#define EMULATOR_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum source_token_kind { SOURCE_WORD, SOURCE_NUMBER, SOURCE_SIGN, SOURCE_LITERAL };

struct source_token {
    const char *text; /* in the source's text */
    int length;       /* bytes */
    int line;         /* as the compiler counts: 1-based, `#line` heeded */
    bool own;         /* the line belongs to this file, not to one that `#line` names */
    bool defined;     /* in the replacement of a macro */
    enum source_token_kind kind;
    const char *sign; /* what `and`, `or`, `not` and the like stand for: "&&"; NULL: it is spelled as it is */
};

/* `#define name tokens[first, first + count)`; with parameters it is only known to exist. Or a type alias: `typedef
 * tokens name;`, `using name = tokens;`. */
struct source_macro {
    const char *name;
    int length;
    bool has_parameters;
    size_t first, count;
};

/* The latest of a list of macros by its name: slots hold 1 + its position, 0 when empty. */
struct source_index {
    size_t *slots; /* [slot_count], a power of two; owned */
    size_t slot_count;
};

struct source {
    char *text; /* NUL-terminated; owned, as all below */
    size_t bytes;
    struct source_token *tokens; /* of the text, in its order; those of macros among them */
    size_t token_count, token_capacity;
    struct source_macro *macros;
    size_t macro_count, macro_capacity;
    struct source_macro *types;
    size_t type_count, type_capacity;
    struct source_index macro_index, type_index;
};

/* ---- work ----
 *
 * Whoever explains something looks at the tokens of a function for each name, and again for each name that this one is made
 * of: a long source with many mistakes could keep it busy for minutes. So it has a budget. What is counted is how many tokens
 * this thread has compared, which is the same on every machine. */
#define SOURCE_EXPLAIN_WORK UINT64_C(50000000) /* some tenths of a second */

/* From now on source_create gives nothing once that much more work is done, and source_is_spent says so. 0: no limit. */
void source_limit_work(uint64_t work);
bool source_is_spent(void);
void source_add_work(uint64_t work); /* what was looked at elsewhere, such as instructions */

/* Copies and reads a text [bytes]; NULL when out of memory, when the text holds a NUL, or when the work that it may cost is
 * spent. */
struct source *source_create(const char *text, size_t bytes);

/* The same whatever work is done: for what is no explanation. */
struct source *source_create_anyway(const char *text, size_t bytes);

/* Reads a file. NULL when it cannot be read, is not an ordinary file, holds a NUL, or is larger than 4 MiB. */
struct source *source_read(const char *path);
void source_destroy(struct source *source);

/* Start of the line that holds the token; *length is its length without the line's end. */
const char *source_line_of(const struct source *source, const struct source_token *token, int *length);

bool source_token_is(const struct source_token *token, const char *text);
bool source_token_same(const struct source_token *a, const struct source_token *b);

/* Are the `count` tokens from `a` on the same words and signs as those from `b` on? Both runs must lie in the source. */
bool source_same_tokens(const struct source *source, size_t a, size_t b, size_t count);
bool source_token_is_any(const struct source_token *token, const char *const *texts, size_t count);
#define SOURCE_IS_ANY(token, texts) source_token_is_any(token, texts, sizeof(texts) / sizeof *(texts))

/* Position of the token that closes the bracket at `open`; `end` when nothing does. */
size_t source_closing(const struct source *source, size_t open, size_t end);

/* Does an operand end with the token at `at`, so that a & or * after it has two sides? A `)` that ends a cast does not end
 * one, nor does `return`. */
bool source_ends_operand(const struct source *source, size_t at);

/* The latest macro of that name without parameters; NULL when there is none, or one with parameters. */
const struct source_macro *source_find_macro(const struct source *source, const struct source_token *name);

/* What a name means in a declaration: such a macro, else the latest typedef or `using`. NULL when there is neither. */
const struct source_macro *source_find_alias(const struct source *source, const struct source_token *name);

/* A function as it is defined in the text. */
enum { SOURCE_MAX_PARAMETERS = 32 };
struct source_function {
    size_t name;                              /* token */
    size_t first, last;                       /* tokens of the body: after {, and the } itself */
    size_t template_first, template_last;     /* tokens between < and > of `template <…>`; equal: none */
    size_t parameters[SOURCE_MAX_PARAMETERS]; /* token of each parameter's name; 0: it has none */
    size_t types[SOURCE_MAX_PARAMETERS];      /* first token of each parameter */
    unsigned parameter_count;
};

/* Finds the definition of a function by its plain name; with several, the one whose head and body hold `line` (0: the
 * first). Returns false when there is none. */
bool source_find_function(const struct source *source, const char *name, int line, struct source_function *function);

#endif
