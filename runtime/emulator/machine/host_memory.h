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

/* What is in the way of an access to some bytes. */
enum host_gap_kind { HOST_GAP_UNMAPPED, HOST_GAP_PROTECTED, HOST_GAP_READ_ONLY, HOST_GAP_BEYOND_FILE };
struct host_gap {
    enum host_gap_kind kind;
    uint64_t offset; /* of the first byte that may not be accessed, from the first of the bytes */
};

/* May the process read these bytes, or write them? Asks the kernel and changes no value; no signal has to be caught, for
 * signals belong to the program. `bytes` is not 0. Returns whether something is in the way: no, where it cannot be known. */
bool host_memory_find_gap(uint64_t address, uint64_t bytes, bool to_write, struct host_gap *gap);

/* Asks the function first about bytes that may not be accessed. If it returns true, it has opened what it had closed itself. */
void host_memory_ask(bool (*open_closed)(uint64_t address, uint64_t bytes));

#endif
