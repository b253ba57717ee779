/* The prototype of a kernel, as a lab's description states it: "void transpose(const float *in, float *out, int rows, int columns)".
 * What types there are is the caller's business: a prototype has words. */
#ifndef PROTOTYPE_H
#define PROTOTYPE_H

#include <stdbool.h>
#include <stddef.h>

#define PROTOTYPE_PARAMETERS 16

struct prototype_parameter {
    char type[40]; /* without const and restrict, words with one blank between them: "unsigned int" */
    char name[40];
    bool is_pointer;
    bool is_const; /* what is pointed to */
};

struct prototype {
    char name[64];
    struct prototype_parameter parameters[PROTOTYPE_PARAMETERS];
    int parameter_count;
};

/* Reads it. The result must be void, no parameter may be a pointer to a pointer or an array, and all have names of their own.
 * Returns false with a message otherwise. */
bool prototype_read(const char *text, struct prototype *prototype, char *message, size_t message_bytes);

/* Index of the parameter with the name; -1: there is none. */
int prototype_find(const struct prototype *prototype, const char *name);

#endif
