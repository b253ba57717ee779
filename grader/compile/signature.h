/* The signatures of kernels as the student wrote them, compared with what the lab's contract says.
 *
 * PTX shows how many parameters a kernel has and how wide each is. Whether a pointer is to float or to int, and whether an
 * integer is signed, stands only in the source, so the source is read with a tolerant parser: comments, #define NAME value,
 * typedef, using and __restrict__ are understood; what is not understood is a doubt, and a doubt is a warning.
 */
#ifndef SIGNATURE_H
#define SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/language/ptx/summary.h"

#define SIGNATURE_MAX_PARAMETERS 16
#define SIGNATURE_NAME_BYTES     64

struct signature_parameter {
    char type[SIGNATURE_NAME_BYTES]; /* "float", "int", "unsigned int": without const, volatile and restrict */
    int pointers;                    /* levels of indirection; an array parameter is one */
    bool known;                      /* `type` is a type of the language whose width we know */
    char name[SIGNATURE_NAME_BYTES]; /* "" when it has none */
    bool reference;                  /* declared with & */
    bool constant;                   /* the word const precedes its `*`: what it points to is only read */
};

struct signature {
    int line;       /* of the kernel's name in the source, 1-based */
    char text[512]; /* as written, on one line: "void scan_blocks(const int *in, int n)" */
    struct signature_parameter parameters[SIGNATURE_MAX_PARAMETERS];
    int parameter_count; /* may exceed SIGNATURE_MAX_PARAMETERS */
};

/* Parses the signature that a lab's contract gives ("void k(const float *a, int n)"). A contract that does not parse is a
 * mistake in the lab: returns false. */
bool signature_parse(const char *text, struct signature *signature);

/* Finds the kernel in source text (NUL-terminated): the definition, else a declaration. Returns false when there is none
 * that can be read (a name made by a macro, for one). */
bool signature_find(const char *source, const char *kernel, struct signature *signature);

/* Position of the parameter of that name; -1 when there is none. */
int signature_find_parameter(const struct signature *signature, const char *name);

/* Whether the student uses all of the contract's names, but in another order, or names of their own with `const` at other arrays:
 * the types may still agree. That is not a mistake in itself: c = b + a is right. Writes both orders and a question to `message`, which else stays as it is. */
bool signature_is_reordered(const struct signature *contract, const struct signature *student, char *message,
                            size_t message_bytes);

enum signature_verdict { SIGNATURE_MATCH, SIGNATURE_DOUBT, SIGNATURE_MISMATCH };

/* Compares.
 *   contract   what the lab says
 *   student    from signature_find; NULL when it was not found
 *   entry      the kernel in the PTX
 *   message    out: empty for a match, else what differs and both signatures
 */
enum signature_verdict signature_compare(const struct signature *contract, const struct signature *student,
                                         const struct ptx_entry *entry, char *message, size_t message_bytes);

#endif
