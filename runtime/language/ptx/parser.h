/* What the parts of the parser share. The public entry is ptx_parse() in module.h. */
#ifndef PTX_PARSER_H
#define PTX_PARSER_H

#include <setjmp.h>

#include "runtime/language/ptx/lexer.h"
#include "runtime/language/ptx/module.h"
#include "runtime/language/ptx/symbols.h"

/* A label used before it was seen; bound when the scope that declares it closes. */
struct parser_reference {
    struct ptx_operand *operand;
    const char *name;
    size_t length;
    int level, line, column;
};

struct parser {
    struct lexer lexer;
    struct token token; /* the one to look at */
    struct ptx_module *module;
    struct ptx_function *function; /* being parsed; NULL outside */
    struct symbols symbols;
    struct diagnostic *diagnostic;
    struct parser_reference *references;
    size_t reference_count, reference_capacity;
    const struct ptx_operand *result_operands; /* of the call being read */
    const bool *result_moved;                  /* those that are registers */
    int location;                              /* of the latest .loc; -1 none */
    size_t register_total;                     /* declared in all functions so far */
    uint64_t const_bytes;                      /* of all .const variables so far */
    unsigned expression_depth;                 /* parentheses and signs that are open */
    unsigned static_count;                     /* .global and .const variables declared in functions so far */
    enum ptx_status status;
    jmp_buf failed; /* an error unwinds all functions of the parser at once */
};

_Noreturn void parser_fail(struct parser *parser, const char *format, ...) __attribute__((format(printf, 2, 3)));
_Noreturn void parser_fail_memory(struct parser *parser);

void parser_next(struct parser *parser);
bool parser_is(const struct parser *parser, char punctuation);
bool parser_is_directive(const struct parser *parser, const char *name);
bool parser_accept(struct parser *parser, char punctuation);
void parser_expect(struct parser *parser, char punctuation);
/* Copies the current identifier into the module's arena and moves on. */
const char *parser_name(struct parser *parser);
void *parser_allocate(struct parser *parser, size_t bytes);
/* Appends room for one element to a list in the arena and returns it. */
#define PARSER_APPEND(parser, list, count, capacity) \
    (parser_grow((parser), (void **)&(list), (count), &(capacity), sizeof *(list)), &(list)[(count)++])
void parser_grow(struct parser *parser, void **list, size_t count, size_t *capacity, size_t element_bytes);

/* parser_expression.c */
struct parser_constant {
    enum ptx_operand_kind kind; /* OPERAND_INTEGER, OPERAND_F32 or OPERAND_F64 */
    uint64_t bits;
    bool is_unsigned; /* of an integer */
};
/* Reads a constant expression. */
struct parser_constant parser_constant(struct parser *parser);
/* Can one begin at the token? `!` may begin one, too, or negate a predicate: not here. */
bool parser_begins_constant(const struct parser *parser);
/* Reads one that must be an integer; in `<9>`, where `>` is not an operator. */
int64_t parser_integer(struct parser *parser);
int64_t parser_count(struct parser *parser);
/* Reads one without operators, but for a sign: where numbers follow one another, as in `.loc 1 2 3`. */
int64_t parser_number(struct parser *parser);

/* parser_variable.c */
/* Reads type, name, dimensions and initial values. `before` is the variable before the comma, whose type this one shares
 * when it has none of its own; NULL for the first. */
struct ptx_variable *parser_variable(struct parser *parser, enum ptx_space space, const struct ptx_variable *before,
                                     bool initialiser_allowed);
/* Enters a .global or .const variable into the module, and counts .const memory. */
void parser_add_variable(struct parser *parser, struct ptx_variable *variable);
void parser_declare_variable(struct parser *parser, struct ptx_variable *variable);
void parser_registers(struct parser *parser);

/* parser_lines.c */
void parser_file(struct parser *parser);
void parser_location(struct parser *parser);
/* A debug section: the strings of .debug_str name functions, everything else is skipped. */
void parser_section(struct parser *parser);
/* Called when the whole module is read: labels that no section defines name nothing. */
void parser_finish_locations(struct parser *parser);

/* parser_body.c */
void parser_body(struct parser *parser);
void parser_operand(struct parser *parser, struct ptx_operand *operand);

/* parser_call.c */
/* The operands of a call. Arguments and results in registers become .param variables: what follows stores and loads them. */
void parser_call(struct parser *parser, struct ptx_instruction *call);
/* After the call: registers that take its results get them. */
void parser_load_results(struct parser *parser, const struct ptx_instruction *call);
/* `.reg` parameters and results of the function are registers in its body: loaded where it begins, stored before each `ret`,
 * and at its end (NULL). */
void parser_load_parameters(struct parser *parser);
void parser_store_results(struct parser *parser, const struct ptx_instruction *before);
/* `(.param …) name (.param …)` of a .func, or the prototype of an indirect call (name "_"). */
void parser_signature(struct parser *parser, struct ptx_function *function);
struct ptx_variable **parser_parameter_list(struct parser *parser, unsigned *count, uint32_t *bytes);

#endif
