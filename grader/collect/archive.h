/* Unpacks an archive that a stranger made: zip, or tar, plain or compressed with gzip, bzip2, xz or zstd.
 *
 * A confined child (the sandbox's layer of the emulated run: it can open nothing) reads the format with libarchive and sends
 * names and bytes; this process makes the files. It decides alone what is written: regular files, inside the folder, never
 * over another, within the limits.
 */
#ifndef COLLECT_ARCHIVE_H
#define COLLECT_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/collect/notes.h"

struct archive_limits {
    uint64_t bytes;   /* of all files together, unpacked */
    uint32_t entries; /* files, folders and all else */
    uint32_t depth;   /* levels of folders */
    uint32_t ratio;   /* unpacked bytes for each byte of the archive, beyond the first megabyte */
};

/* A whole class, and what one student hands in. */
extern const struct archive_limits archive_of_class, archive_of_student;

/* Unpacks the archive behind a descriptor into an empty folder.
 *   place   names the archive in notes
 *   notes   entries that were refused: links, devices, paths that lead out of the folder
 * Returns false with a message when it could not be unpacked whole (encrypted, damaged, beyond a limit, disk full); what had
 * been written by then is left to the caller to remove. *disk: whether it failed because of the disk or the kit. */
bool archive_unpack(int archive, int folder, const struct archive_limits *limits, const char *place, struct notes *notes,
                    bool *disk, char *message, size_t message_bytes);

#endif
