/* A .cu file taken apart for two compilers, where there is no nvcc: one text with what runs on the device, for NVRTC,
 * one with what runs on the host, for the system's C++ compiler. Each line of the source is the same line in both.
 *
 * Launches with <<<...>>> become calls, kernels become functions that launch them, and a function at the end registers
 * them with the runtime library, as nvcc's own code does. Templates of kernels, kernels in a namespace, several kernels
 * of one name, managed variables and parameters without a name are refused: they need nvcc. */
#ifndef PROGRAM_SPLIT_H
#define PROGRAM_SPLIT_H

#include <stdbool.h>
#include <stddef.h>

enum { SPLIT_NAMES = 64, SPLIT_NAME_BYTES = 128 };

struct split {
    char *device, *host;                         /* owned; NULL when the source is refused */
    char kernels[SPLIT_NAMES][SPLIT_NAME_BYTES]; /* as the source calls them */
    int kernel_count;
    char variables[SPLIT_NAMES][SPLIT_NAME_BYTES]; /* of the device */
    bool constant[SPLIT_NAMES];                    /* a variable is __constant__ */
    int variable_count;
    char message[300]; /* why it is refused */
    int line;
};

/* Returns false when the source is refused. */
bool split_source(const char *text, size_t bytes, const char *file_name, struct split *split);

/* Appends what registers the kernels and variables that the PTX has. Returns false with a message when a kernel has no
 * name of its own there. */
bool split_register(struct split *split, const char *ptx, const char *const *entries, size_t entry_count);

void split_clear(struct split *split);

#endif
