/* The memory of this process itself, which is the host's. */
#ifndef EMULATOR_HOST_MEMORY_H
#define EMULATOR_HOST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

enum { HOST_MEMORY_BYTES = 160 };

struct host_memory {
    uint64_t start, end;           /* of the mapping that holds the address, or of the room between two in which it lies */
    char words[HOST_MEMORY_BYTES]; /* "It is …": "on the stack of the program" */
};

/* What the process has at the address. Returns false when it has nothing there, or when that cannot be known: a sandbox may
 * hide /proc. */
bool host_memory_find(uint64_t address, struct host_memory *found);

#endif
