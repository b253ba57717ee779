/* The lines of a kernel that store into one of its arrays, as the source shows them, and the values of the names in a line for
 * one thread. */
#ifndef STORES_H
#define STORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/result/result.h"
#include "grader/run/plan.h"
#include "runtime/language/source.h"

enum { STORES_MOST = 16, STORES_NAMES = 4 };

struct stores_line {
    int line, column, width;         /* of `out[i]` */
    bool sets;                       /* with a plain `=`: what was there before does not matter */
    size_t subscript, subscript_end; /* tokens; equal: `*out`, or by another pointer into the array */
};

struct stores {
    struct source *source; /* owned */
    struct source_function function;
    const struct plan_setup *setup;
    int kernel;                            /* in the lab */
    struct stores_line lines[STORES_MOST]; /* in the order of the text */
    int count;
    size_t names[STORES_NAMES]; /* tokens of pointers of the kernel's own into the array, `float *p = out + first;` */
    int name_count;
    bool has_alias; /* the array is also used in other ways that may store: as a pointer, in a macro, by reference */
    bool is_scalar; /* a variable, not an array */
    int used_line;  /* where it is named last; 0: nowhere in the body */
    int end_line;   /* of the kernel's last brace, if its line has nothing else; 0 else */
};

/* name: of a parameter, or of an array that the kernel declares. NULL when the source has no such kernel, or no such name in
 * it. */
struct stores *stores_find(const struct plan_setup *setup, const char *kernel, const char *name);
void stores_destroy(struct stores *stores);

/* The store at a line; NULL: none, or several. */
const struct stores_line *stores_at(const struct stores *stores, int line);

/* Fills the finding's arithmetic with the values that decide at a line, for the finding's thread: of the condition there, and
 * of the names in it. What is not known is not said. */
void stores_explain(const struct stores *stores, const struct plan_launch *launch, struct result_finding *finding, int line);

/* Fills the finding's arithmetic with what the head of the loop at a line is made of, for the finding's thread: where
 * it begins, what limits it, by how much it goes on. Returns false when nothing of that is known. */
bool stores_explain_head(const struct stores *stores, const struct plan_launch *launch, struct result_finding *finding,
                         int line);

/* Does the finding's thread not enter the loop at the line? Then the condition with its values is in `arithmetic`. */
bool stores_explain_no_turn(const struct stores *stores, const struct plan_launch *launch, struct result_finding *finding,
                            int line);

/* The first launch of a kernel in a case. Returns false when there is none. */
bool stores_find_launch(const struct plan_setup *setup, const struct lab_case *the_case, const char *kernel,
                        struct plan_launch *launch);

/* Is the condition at a line true for the finding's thread? Returns false when there is none, or its value is not known. */
bool stores_condition(const struct stores *stores, const struct plan_launch *launch, const struct result_finding *finding,
                      int line, bool *is_true);

/* Where the variable of the loop at a line is the index of the store at another one, `for (j = begin; …) out[j]`: its first
 * value in the finding's thread. Returns false when it is not, or the value is not known. */
bool stores_loop_begin(const struct stores *stores, const struct plan_launch *launch, const struct result_finding *finding,
                       int loop, int line, int64_t *begin);

/* As stores_explain_index(), in the first turn of the loop at a line. */
void stores_explain_turn(const struct stores *stores, const struct plan_launch *launch, struct result_finding *finding,
                         int loop, int line);

/* The line of the kernel with a call of one of the functions; 0: none. */
int stores_call(const struct stores *stores, const char *const *functions, size_t count, const char **function);

/* Of a condition `a == b && c` at a line: is the part with the == true, which chooses the thread? Returns false when there is no
 * such part beside others, or its value is not known. */
bool stores_choice(const struct stores *stores, const struct plan_launch *launch, const struct result_finding *finding,
                   int line, bool *is_true);

/* Is the line in a loop? */
bool stores_repeats(const struct stores *stores, int line);

/* The line of a `break` in the loop that holds the line; 0: none. */
int stores_break(const struct stores *stores, int line);

/* The line of a return, break or continue that precedes the store at a line and that no condition decides about: no thread
 * comes past it. 0: none. */
int stores_cut(const struct stores *stores, int line);

/* The line that declares a float of which the index of the store at a line is made, or that computes it with a number such
 * as 256.0f; *through: by way of a variable of another type; *number: it is such a number. 0: none. */
int stores_float(const struct stores *stores, int line, bool *through, bool *number);

/* The first call of ceil and the like whose argument is a quotient of whole numbers, `dividend` by another one, which leaves nothing to round up: writes
 * "K/BLOCK = 17/16 = 1" and the function's name. Returns the line; 0: there is none, or the values are not known, or the
 * quotient has no fraction. */
int stores_late_round(const struct stores *stores, const struct plan_launch *launch, const struct result_finding *finding,
                      int64_t dividend, char *text, size_t text_bytes, char *function, size_t function_bytes);

/* `out += blockIdx.x;`: the only line that moves the pointer of the store at a line, outside of loops and before it. Writes
 * "blockIdx.x = 1", the way for the finding's thread. 0: there is none, or the way is not known. */
int stores_move(const struct stores *stores, const struct plan_launch *launch, const struct result_finding *finding,
                int line, char *text, size_t text_bytes);

/* Is the number of the thread in the index of the store at a line? */
bool stores_has_thread(const struct stores *stores, int line);

/* Where the index of the store at a line comes from a function of the file, the formula there with the numbers of the finding's
 * thread. Returns false when it does not, or the numbers are not known. */
bool stores_explain_call(const struct stores *stores, const struct plan_launch *launch, const struct result_finding *finding,
                         int line, char *text, size_t text_bytes);

/* The index of the store at a line for the finding's thread. Returns false when it is not known. */
bool stores_index(const struct stores *stores, const struct plan_launch *launch, const struct result_finding *finding,
                  int line, int64_t *index);

/* As stores_explain(), for the index of the store at a line, if it gives `element`. */
void stores_explain_index(const struct stores *stores, const struct plan_launch *launch, struct result_finding *finding,
                          int line, int64_t element);

#endif
