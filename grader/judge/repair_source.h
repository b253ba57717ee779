/* Repairs of the source: where a statement can be put in, the text with it, and the words for the place. Whoever follows the
 * words makes the edit that was tried.
 */
#ifndef REPAIR_SOURCE_H
#define REPAIR_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/result/result.h"

enum { REPAIR_PLACES_MOST = 16, REPAIR_PLACE_WORDS = 160 };

/* A place behind a statement. */
struct repair_place {
    size_t token;                /* the last one of that statement */
    size_t braces;               /* the statement is a whole loop body and gets braces: its first token; 0: it needs none */
    size_t removed, removed_end; /* the statement is one that goes away: its tokens; 0: it stays */
    int line;                    /* of `token` */
    int depth;                   /* of the statements around it */
    bool before_barrier;         /* a __syncthreads() follows */
    bool at_body_end;            /* of a loop … */
    int loop;                    /* … that begins in this line */
    char words[REPAIR_PLACE_WORDS]; /* "after line 14", "at the end of the body of the loop in line 22" */
};

/* One edit: `text` goes to the place, and a statement elsewhere may go away. */
struct repair_edit {
    struct repair_place place;
    const char *text;            /* "__syncthreads();" */
    size_t removed, removed_end; /* tokens [removed, removed_end) that are left out; 0: none */
    int removed_line;
};

struct repair_source;

/* Reads the text; NULL when there is none to read. */
struct repair_source *repair_source_create(const char *text, size_t bytes);
void repair_source_destroy(struct repair_source *own);

/* The places behind the two accesses of a finding and behind the statements that hold them, also where their functions are
 * called: the ones that fewest loops and branches are around come first, of equals the one that is first in the text.
 * Returns how many. */
int repair_source_places(const struct repair_source *own, const struct result_finding *finding,
                         struct repair_place places[REPAIR_PLACES_MOST]);

/* The statement `__syncthreads();` in a line: its tokens. Returns false when there is none. */
bool repair_source_find_barrier(const struct repair_source *own, int line, size_t *first, size_t *end);

/* The `__syncwarp(…)` nearest before `line` and not before `from`; 0: there is none. */
int repair_source_find_warp_barrier(const struct repair_source *own, int from, int line);

/* The `__threadfence()` or `__threadfence_block()` there, and which of them it is. */
int repair_source_find_fence(const struct repair_source *own, int from, int line, const char **name);

/* A `__syncthreads();` that stands directly in the body of the innermost loop around two lines, between these in the text, and
 * that no jump leads around: two threads that race over them are in different turns. Returns the line of the loop; 0: there is
 * none. */
int repair_source_find_turns(const struct repair_source *own, int line, int line2);

/* A `__device__` variable that only additions change, and whose value is used: it keeps its sum from launch to launch. Returns
 * the line of the first addition; 0: there is none. */
int repair_source_find_kept(const struct repair_source *own, char *name, size_t name_bytes);

/* A condition with a remainder that lets threads come to `line`, and in which every variable that goes by the thread is made of
 * threadIdx alone: it is true for the same threads of every block. Returns its line; 0: there is none. */
int repair_source_find_thread_alone(const struct repair_source *own, int line);

/* The only statement `atomicAdd(...);` of a kernel, where no condition, loop or early end decides whether a thread comes to it:
 * its line. 0: there is none, or another one. */
int repair_source_find_plain_atomic(const struct repair_source *own, const char *kernel);

/* The line that declares a `__device__` variable of the name outside of all functions; 0: none does.
 *   is_array   out, where one does: is it an array? */
int repair_source_find_outside(const struct repair_source *own, const char *name, bool *is_array);

/* The first index of an array of several parts in a line, `As[cur][y][x]` of `As[2][16][16]`: a name that is set to a number
 * where it is declared, and never changed. Returns the line of that; 0: it is none. */
int repair_source_find_still_index(const struct repair_source *own, int line, const char *array, char *name,
                                   size_t name_bytes);

/* A `__syncwarp(…);` in the innermost loop around two lines that is not between these: between two turns. 0: there is none. */
int repair_source_find_turns_wait(const struct repair_source *own, int line, int line2);

/* How many statements are around the one in `line`. */
int repair_source_depth(const struct repair_source *own, int line);

/* How a thread gets around the statement in `line`: the line of a `continue`, `break` or `return` before it in the same loop,
 * or in the same function for `return`, with the word. 0: there is none. */
int repair_source_find_jump(const struct repair_source *own, int line, const char **word);

/* The statement that lets only some threads come to the one in `line`, from inside out: "if" or "loop", with its line.
 * Returns false when there is none. */
bool repair_source_find_around(const struct repair_source *own, int line, bool *is_loop, int *around);

/* The innermost loop around the statement in `line`: the line it begins in; 0: there is none, or it has no head of one line in
 * front of its body. head: "for (int i = 0; i < n; i++)" */
int repair_source_find_loop(const struct repair_source *own, int line, char *head, size_t head_bytes);

/* Likewise the innermost `if`, where no loop comes between and the statement is not in its `else`. */
int repair_source_find_if(const struct repair_source *own, int line, char *head, size_t head_bytes);

/* A loop that waits: it does nothing but ask for a value that other threads change. */
struct repair_wait {
    int line;          /* of the loop */
    int read_line;     /* where the value is read, when that is a statement before the loop; else 0 */
    bool plain;        /* neither atomically nor through volatile */
    bool empty;        /* nothing is in its body, so that the compiler may read once */
    char variable[40]; /* that keeps what read_line reads */
};

/* The one that waits for memory in the statement of `line`, or in the kernel with the array in its condition; or for a variable
 * that `line` sets from memory. Returns false when there is none. */
bool repair_source_find_wait(const struct repair_source *own, int line, const char *array, struct repair_wait *wait);

/* Where `line` stores to the array in one branch of an `if`: the line of a store to it in the other branch, which the compiler
 * may have made one with it. 0: there is none. */
int repair_source_find_twin(const struct repair_source *own, int line, const char *array);

/* Where the store to the array in `line` and one in the other branch of an `if` have the same left side, the compiler may have
 * made one of them: the line of the other one. 0: there is none. */
int repair_source_find_same_store(const struct repair_source *own, int line, const char *array);

/* The only loop around the statement in `line`, where that statement is not a loop itself: its line. 0: there is none, or several. */
int repair_source_find_only_loop(const struct repair_source *own, int line);

/* Is there nothing but a barrier in the line? */
bool repair_source_is_barrier(const struct repair_source *own, int line);

/* `a % b * c` in the line or in the head of what is around it: as C reads it, "`a % b * c` as `(a % b) * c`". Returns its
 * line; 0: there is none. */
int repair_source_find_remainder(const struct repair_source *own, int line, char *text, size_t text_bytes);

/* `a << b + c` in a formula that the text shows, as C reads it: "`a << b + c` as `a << (b + c)`". Returns its line; 0: it is not
 * there. */
int repair_source_find_shifted_sum(const struct repair_source *own, const char *shown, char *text, size_t text_bytes);

/* The numbers that the call in line `call` passes to the function that holds `line`, under other names than it has for them:
 * "i for count, n for pos". Returns false when there are none, or it is not the line's only call of that name. */
bool repair_source_find_passed(const struct repair_source *own, const char *function, int line, int call, char *text,
                               size_t text_bytes);

/* `if (x > limit) x = limit;`: the first two lines that replace a float variable under a condition that compares it, *second 0:
 * there is one. Returns the first, 0: there is none; and the name. */
int repair_source_find_replaced(const struct repair_source *own, int *second, char *name, size_t name_bytes);

/* `if (x < limit) return 0.0f;`: the line that returns a number under a condition that compares a float variable; that number, and
 * the name of the variable. 0: there is none. */
int repair_source_find_returned(const struct repair_source *own, char *name, size_t name_bytes, char *value,
                                size_t value_bytes);

/* The only call of one of the functions: its line, and its name. 0: there is none, or several. */
int repair_source_find_only_call(const struct repair_source *own, const char *const *functions, size_t count,
                                 const char **function);

/* `atomicAdd(&array[…` or `atomicAdd(array + …`: its line; 0: there is none. */
int repair_source_find_atomic_add(const struct repair_source *own, const char *array);

/* An update by atomic operations that is not one step: an atomicCAS whose result is not used (*read_line is 0), or an
 * atomicExch of what an earlier statement has read at the same place. Returns its line; 0: there is none. */
int repair_source_find_steps(const struct repair_source *own, int *read_line);

/* A statement that sets elements of an array to 0, in a loop in which a later one changes them by an atomic function, where
 * nothing else in the loop uses the array: its line, that of the loop, and the name. 0: there is none. */
int repair_source_find_reset(const struct repair_source *own, int *loop, char *name, size_t name_bytes);

/* An `if` whose condition takes a lock by an atomicCAS or atomicExch with numbers, and that no loop repeats until it succeeds:
 * its line, and the lock's name. 0: there is none. */
int repair_source_find_try(const struct repair_source *own, char *name, size_t name_bytes);

/* `x = atomicAdd(&x, y);`: an atomic function returns the value from before, and the `=` stores that at the same place. Returns
 * its line and the function's name; 0: there is none. */
int repair_source_find_old_value(const struct repair_source *own, char *name, size_t name_bytes);

/* The loop around `line` whose variable starts at what is made of blockIdx, and whose step `+=` has no gridDim in it: its line,
 * and the step as it is written. 0: there is none. */
int repair_source_find_short_step(const struct repair_source *own, int line, char *step, size_t step_bytes);

/* The loop around `line` whose variable starts at what is made of threadIdx, is alone the index of `array` there, and goes on
 * by `++`, by gridDim, or by a number that divides `apart`, the distance of two threads of a block: its line, and the step.
 * 0: there is none. */
int repair_source_find_step_in_block(const struct repair_source *own, int line, const char *array, long apart, char *step,
                                     size_t step_bytes);

/* The only line of the function around `line` that reads the variable and does nothing else to it; 0: none, or several. */
int repair_source_find_only_read(const struct repair_source *own, int line, const char *name);

/* `i = atomicAdd(&next, 1)`: what the names in `line` are made of comes from an atomic operation. Returns its line and the
 * variable that it changes; 0: there is none. */
int repair_source_find_ticket(const struct repair_source *own, int line, char *name, size_t name_bytes);

/* `if (name)` or `if (!name)` in `line`: the line of the only statement that sets the name, and the name. 0: none. */
int repair_source_find_asked_name(const struct repair_source *own, int line, char *name, size_t name_bytes);

/* A name in `line` that is declared outside of all functions with `__constant__` or `__device__` and without a value, and
 * that no line of the file changes: it is 0. Returns the line of the declaration; 0: there is none. */
int repair_source_find_unset(const struct repair_source *own, int line, char *name, size_t name_bytes);

/* A parameter `float *` that `line`, or a statement that sets a name in it, converts to a pointer to another arithmetic
 * type. Returns the line of that, the parameter's name and the type; 0: there is none. */
int repair_source_find_pointee(const struct repair_source *own, int line, char *name, size_t name_bytes, char *type,
                               size_t type_bytes);

/* `array[name]` in `line`, and two plain statements of the function's body that set the name, one after the other, before
 * it: their lines, and the name. 0: it is not so. */
int repair_source_find_set_again(const struct repair_source *own, int line, const char *array, int *second, char *name,
                                 size_t name_bytes);

/* The text with the edits; no line moves. To be freed. */
char *repair_source_edited(const struct repair_source *own, const struct repair_edit *edits, int count, size_t *bytes);

#endif
