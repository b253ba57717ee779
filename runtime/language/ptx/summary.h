/* What PTX text says about a module without running it: its kernels with their parameters and block sizes, its small
 * constants, and the instructions of its functions, token by token.
 *
 * The text may be hostile, or newer than the tables of instructions: nothing is checked against them. Only a text whose
 * structure cannot be followed is refused (a body or a parameter list that is not closed, a comment without an end), and
 * everything before that place is kept. Time and memory grow with the length of the text.
 */
#ifndef PTX_SUMMARY_H
#define PTX_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"
#include "runtime/language/ptx/lexer.h"
#include "runtime/language/ptx/module.h"

/* A kernel with a body. A declaration (`.entry name;`) defines nothing that could be launched, and is left out. */
struct ptx_entry {
    const char *name; /* as in the PTX: "_Z10vector_addPKfS0_Pfi" */
    size_t parameter_count;
    uint32_t *parameter_bytes; /* [parameter_count]; 0: of an unknown type, or larger than 4 GiB */
    bool parameters_known;     /* no width is 0 */
    bool threads_required;     /* .reqntid */
    uint32_t max_threads[3];   /* .maxntid or .reqntid; all 0 when neither is given */
};

/* A variable of up to three 32-bit words in constant memory, with its initial value. A floating-point value reads as 0. */
enum { PTX_CONSTANT_WORDS = 3 };
struct ptx_constant {
    const char *name;
    uint32_t count; /* words, 1 to PTX_CONSTANT_WORDS */
    int32_t value[PTX_CONSTANT_WORDS];
};

/* The text of a function between its braces, in the text that was read. */
struct ptx_body {
    const char *text;
    size_t length;
};

struct ptx_summary {
    struct arena arena; /* owns all names and lists */
    struct ptx_entry *entries;
    size_t entry_count, entry_capacity;
    struct ptx_constant *constants;
    size_t constant_count, constant_capacity;
    struct ptx_body *bodies; /* of kernels and functions; borrow the text */
    size_t body_count, body_capacity;
};

/* Reads text [length]. Returns PTX_OK, PTX_INVALID (the diagnostic says where and why) or PTX_OUT_OF_MEMORY; in every case
 * the summary holds what was read, and belongs to the caller: ptx_summary_clear. */
enum ptx_status ptx_summary_read(const char *text, size_t length, struct ptx_summary *summary,
                                 struct diagnostic *diagnostic);
void ptx_summary_clear(struct ptx_summary *summary);

/* Adds an element to a summary that is built by hand; a zeroed one is empty. NULL when out of memory. */
struct ptx_entry *ptx_summary_add_entry(struct ptx_summary *summary, const char *name, size_t name_length);
bool ptx_summary_add_parameter(struct ptx_summary *summary, struct ptx_entry *entry, size_t *capacity, uint32_t bytes);
struct ptx_constant *ptx_summary_add_constant(struct ptx_summary *summary, const char *name, size_t name_length);

/* Finds by name; NULL when there is none. */
const struct ptx_entry *ptx_summary_entry(const struct ptx_summary *summary, const char *name);
const struct ptx_constant *ptx_summary_constant(const struct ptx_summary *summary, const char *name);

/* A walk over the instructions of a body, without labels and directives. */
struct ptx_instructions {
    struct lexer lexer;
    struct token ahead;   /* the next token */
    size_t depth;         /* braces open, with the body's own */
    size_t operand_depth; /* those among them that the instruction opened */
    bool within;          /* an instruction has begun */
    const char *end;      /* the brace that closes the body; NULL before that */
};

void ptx_instructions_begin(struct ptx_instructions *walk, const struct ptx_body *body);

/* The next token of an instruction; ';' ends each of them, even where the text lacks it. Returns false at the body's end. */
bool ptx_instructions_next(struct ptx_instructions *walk, struct token *token);

#endif
