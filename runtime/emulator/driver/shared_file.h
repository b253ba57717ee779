/* Files in memory that hold device memory which several mappings or processes see: whole granules, then a bit for each byte,
 * whether it was written, then a page that says what the file is. */
#ifndef EMULATOR_SHARED_FILE_H
#define EMULATOR_SHARED_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct shared_file {
    uint64_t bytes;   /* of memory: whole granules (machine/mapping.h) */
    int handle_types; /* for which kinds of handles it was made */
    int device;       /* whose memory it is */
};

/* Makes a file of zeros, not written. Returns its descriptor, which the caller closes; -1 when the host refuses. */
int shared_file_create(const struct shared_file *wanted);

/* What a descriptor is. Returns false for any other file. */
bool shared_file_read(int file, struct shared_file *found);

#endif
