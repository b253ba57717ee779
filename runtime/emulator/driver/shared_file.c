#include "runtime/emulator/driver/shared_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/emulator/machine/mapping.h"

enum { END_BYTES = 4096 };

struct file_end {
    char mark[16];
    struct shared_file file;
};

static const char file_mark[16] = "lockstep-memory";

int shared_file_create(const struct shared_file *wanted)
{
    struct file_end end = {.file = *wanted};
    memcpy(end.mark, file_mark, sizeof end.mark);
    off_t at = (off_t)(wanted->bytes + wanted->bytes / 8);
    int made = memfd_create("lockstep", MFD_CLOEXEC), file = made;
    if (made >= 0 && made < 3) { /* not one of the standard streams that the program has closed */
        file = fcntl(made, F_DUPFD_CLOEXEC, 3);
        close(made);
    }
    if (file >= 0 && (ftruncate(file, at + END_BYTES) != 0 || pwrite(file, &end, sizeof end, at) != (ssize_t)sizeof end)) {
        close(file);
        return -1;
    }
    return file;
}

bool shared_file_read(int file, struct shared_file *found)
{
    struct stat status;
    struct file_end end;
    if (file < 0 || fstat(file, &status) != 0 || status.st_size < END_BYTES
        || pread(file, &end, sizeof end, status.st_size - END_BYTES) != (ssize_t)sizeof end
        || memcmp(end.mark, file_mark, sizeof end.mark) != 0)
        return false;
    *found = end.file;
    return end.file.bytes > 0 && end.file.bytes % MAPPING_GRANULE == 0
           && (uint64_t)status.st_size == end.file.bytes + end.file.bytes / 8 + END_BYTES;
}
