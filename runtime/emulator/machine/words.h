/* The words that a finding needs and only the source has: the driver gives the table with the launch (launch_request), and
 * observe/explain fills it. It is used when there is a finding, never before. */
#ifndef EMULATOR_WORDS_H
#define EMULATOR_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct finding;
struct launch;
struct operation;
struct ptx_variable;
struct warp;

struct words {
    /* Name of a parameter of the launch's kernel: the student's, where the source is known, else "parameter 1". */
    void (*name_parameter)(const struct launch *launch, uint32_t index, char *text, size_t bytes);
    /* Name of the pointer that lies `offset` bytes into a parameter that is a structure, as the kernel's source writes it:
     * "s.data"; "" where the source does not show it. */
    void (*name_field)(const struct launch *launch, uint32_t index, uint64_t offset, char *text, size_t bytes);
    /* Fills array and columns of a finding about a variable of `bytes` bytes, accessed by elements of `element_bytes`. */
    void (*name_variable)(const struct launch *launch, const struct ptx_variable *variable, uint64_t bytes,
                          unsigned element_bytes, struct finding *finding);
    /* Type of an array's elements, or of what a parameter points to, as the source declares it: "f32", "u8"; NULL if
     * unknown. */
    const char *(*element_type)(const struct launch *launch, const char *name);
    /* Turns the index of an access to a member of a structure, `p[i].y`, into that of the element, where the source
     * shows it. */
    void (*name_member)(const struct warp *warp, const struct operation *operation, struct finding *finding);
    /* The compiler put a trap into the kernel. Is there a store to a __constant__ variable in the kernel's source? Then file,
     * line and array are filled. */
    bool (*constant_write)(const struct launch *launch, struct finding *finding);
    /* Does the line of a finding use a pointer that its kernel declares and never sets? Returns the line of the declaration and
     * fills array; else 0. */
    int (*unset_pointer)(const struct launch *launch, struct finding *finding);
    /* Does the kernel use an atomic function on a variable of its own that is not __shared__? Returns the line of the
     * declaration and fills file, line and array; else 0. */
    int (*local_atomic)(const struct launch *launch, struct finding *finding);
    /* Has the source a __trap() of its own, or is it unknown? */
    bool (*has_trap)(const struct launch *launch);
    /* Does a thread that takes its last branch at this line of the kernel perhaps return there, as in `if (c) { …; return; }`? */
    bool (*leaves_at)(const struct launch *launch, int line);
    /* Fills marks, arithmetic and remark of a finding whose place, array, index and thread are set. */
    void (*explain)(const struct warp *warp, const struct operation *operation, struct finding *finding);
    /* A thread stays in a loop: fills line, line2, pattern, array (a variable that decides when it ends) and remark (why it does
     * not) of a finding about it, as far as the source and what the thread was seen to do show it (turn.h).
     *   proven   it is known never to end */
    void (*loop)(const struct launch *launch, bool proven, struct finding *finding);
    /* The same for the other access of two. */
    void (*explain_second)(const struct launch *launch, const struct operation *operation, const uint32_t thread[3],
                           const uint32_t block[3], struct finding *finding);
};

#endif
