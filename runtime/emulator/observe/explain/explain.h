/* What the source says about an access: which expression of its line it is, and how its index was computed.
 *
 * Only verified facts are shown: a subscript in the source is evaluated for the thread, and must give the index that was
 * found. Nothing here changes a verdict, and nothing runs before there is a finding.
 */
#ifndef EMULATOR_EXPLAIN_H
#define EMULATOR_EXPLAIN_H

#include "runtime/emulator/findings/finding.h"
#include "runtime/emulator/machine/warp.h"
#include "runtime/language/expression.h"
#include "runtime/language/source.h"

/* ---- explain_source.c ---- */

/* Have this thread's explanations cost SOURCE_EXPLAIN_WORK? Then no more are made: findings are told as they are. */
bool explain_is_spent(void);

/* The source of the file that holds the kernel, if it is known and the kernel is where the PTX says; else NULL, and so it is
 * where explain_is_spent. */
const struct source *explain_source(const struct launch *launch);

/* The kernel's definition in it. */
bool explain_kernel(const struct launch *launch, const struct source *source, struct source_function *function);

/* "run" of "space::kernel<int>::run<float>". */
void explain_plain_name(const char *readable, char *text, size_t bytes);

/* ---- explain_names.c ---- */

/* See struct words. */
/* Type of the elements of an array, or of what a parameter points to, as the source declares it; NULL if unknown. */
const char *explain_element_type(const struct launch *launch, const char *name);
void explain_name_parameter(const struct launch *launch, uint32_t index, char *text, size_t bytes);
void explain_name_variable(const struct launch *launch, const struct ptx_variable *variable, uint64_t bytes,
                           unsigned element_bytes, struct finding *finding);

/* The token of the name in the declaration of a __shared__ or __device__ array that the launch's kernel means; 0: none. */
size_t explain_array_declaration(const struct launch *launch, const struct source *source, const char *name);

/* Finds the function that holds the line, by its readable name: fills view->function and in_kernel. */
struct explain_view;
void explain_find_function(struct explain_view *view, const char *readable, int line);

/* ---- explain_loop.c ---- */

/* See struct words. */
void explain_loop(const struct launch *launch, bool proven, struct finding *finding);

/* ---- explain_constant.c ---- */

/* See struct words. */
bool explain_constant_write(const struct launch *launch, struct finding *finding);
int explain_unset_pointer(const struct launch *launch, struct finding *finding);
int explain_local_atomic(const struct launch *launch, struct finding *finding);
bool explain_has_trap(const struct launch *launch);
bool explain_leaves_at(const struct launch *launch, int line);

/* ---- explain_value.c ---- */

/* A thread at a line of a function: what gives names their values. */
struct explain_view {
    const struct launch *launch;
    const struct source *source;
    struct source_function function; /* that holds the line */
    bool in_kernel;                  /* it is the kernel: parameters and template arguments are known */
    const uint32_t *thread, *block;
    unsigned depth;
    /* one name may be unknown, such as a loop's variable: it gets a trial value and is solved for */
    const struct source_token *unknown;
    size_t unknown_count; /* its tokens: more than one of an element that is read, data[i] */
    int64_t trial;
    unsigned uses; /* of the unknown so far */
    bool narrowed; /* on the way a value was cut to fewer than 32 bits: an unknown in it cannot be solved for */
    bool wide;     /* a value on the way did not fit in an int */
};

/* Can the unknown have this value: in the loop that it counts, in an array of its type? */
bool explain_fits(const struct explain_view *view, int64_t value);

/* Evaluates tokens [first, end). */
bool explain_evaluate(struct explain_view *view, size_t first, size_t end, struct expression *expression);

/* What a variable holds where it is used: the declaration `type name = ...`, or `name = ...` where the function sets it again
 * and every way to the use has come by there last.
 *   name        the token of the source that uses it
 *   first, end  out: the tokens after the =
 * Returns false where several statements may have set it, or none that is found. */
bool explain_declaration(const struct source *source, const struct source_function *function,
                         const struct source_token *name, size_t *first, size_t *end);

/* Leaves of *value what a variable holds whose initial value begins at token `first`: less, in a short or a char. *type says
 * in how many bits then; else it is NULL. Returns false where the variable's type is not known. */
bool explain_narrow(const struct source *source, size_t first, int64_t *value, const char **type);

/* The same of a pointer: `const float *x = …`. */
bool explain_pointer(const struct source *source, const struct source_function *function, const struct source_token *name,
                     size_t *first, size_t *end);

/* How often the function changes the name, and where first. */
unsigned explain_changes(const struct source *source, const struct source_function *function,
                         const struct source_token *name, size_t *first);

/* Value of a constant expression in the file, such as an array's extent. */
bool explain_constant(const struct launch *launch, const struct source *source, size_t first, size_t end, int64_t *value);

/* ---- explain.c ---- */

/* What the driver gives with a launch. */
struct words;
extern const struct words explain_words;

enum { EXPLAIN_MAX_CANDIDATES = 8, EXPLAIN_MAX_DIMENSIONS = 3 };

/* `name[…][…].member` on the line of an access. */
struct explain_candidate {
    size_t name, last;                                                 /* tokens: the first, and the last one */
    size_t first[EXPLAIN_MAX_DIMENSIONS], end[EXPLAIN_MAX_DIMENSIONS]; /* tokens of the subscripts */
    unsigned dimensions;
    bool read, written, named; /* named: the array's name is used */
    size_t offset_first,
        offset_end; /* of a pointer into the array, x = a + first: tokens of what is added; equal: nothing */
    bool verified;  /* the subscripts give the index that was found */
};

/* A thread's access, and what to look for. */
struct explain_access {
    struct explain_view names;
    const struct finding *finding;
    int line;
    bool reads, writes;
    struct explain_candidate list[EXPLAIN_MAX_CANDIDATES];
    unsigned count;
};

/* The flat index that the candidate's subscripts give; `trial` replaces an unknown name. */
bool explain_flat_index(struct explain_access *view, const struct explain_candidate *candidate, int64_t trial,
                        int64_t *index);

/* ---- explain_bounds.c ---- */

/* Says of an access out of bounds what the source and the launch show: the conditions that let the thread through, with their
 * values; how the array was declared; a pointer that was moved; the grid. Fills remark, and pattern where a fact tells
 * which mistake it is.
 *   chosen   whose subscripts give the index; NULL unknown */
void explain_bounds(struct explain_access *view, const struct explain_candidate *chosen, struct finding *finding);

/* Is the thread not at the place, because the condition of an `if` around or before it came out otherwise? *decides is that
 * condition. False where that is not known. */
struct guard;
bool explain_is_elsewhere(struct explain_access *view, const struct explain_candidate *place, struct guard *decides);

/* ---- explain_words.c ---- */

void explain_append(char *text, size_t bytes, const char *more);

/* Writes how the candidate's subscripts get their values; "" when that says nothing or is too long. */
void explain_arithmetic(struct explain_access *view, const struct explain_candidate *candidate, char text[ARITHMETIC_BYTES]);

/* Writes a fact about the launch that explains an index beyond the end: more threads than elements. "" when there is none. */
void explain_threads(const struct explain_access *view, const struct finding *finding, char *text, size_t bytes);

/* ---- explain_struct.c ---- */

/* See struct words. */
void explain_name_field(const struct launch *launch, uint32_t index, uint64_t offset, char *text, size_t bytes);

/* Is byte `offset` of the kernel's parameter its element [first, end), in the member of that name? Returns false where the
 * structure is not understood or the thread's subscript gives another byte; else *index is the element, *bytes the size of
 * one. */
bool explain_member(struct explain_view *view, const char *parameter, size_t first, size_t end,
                    const struct source_token *member, int64_t offset, int64_t *index, int64_t *bytes);

/* ---- explain_slice.c ---- */

/* Fills the arithmetic of a finding from the PTX: a sum of products of the thread's numbers, parameters and constants, which
 * gives the index that was found. Else leaves it unchanged. */
void explain_slice(const struct explain_view *view, const struct operation *operation, struct finding *finding);

/* ---- explain_loads.c ---- */

/* Fills index_loads: the kernel's instructions that read from memory values that the address of an access is computed
 * from. */
void explain_loads(const struct launch *launch, const struct operation *operation, struct finding *finding);

#endif
