#include "runtime/emulator/machine/host_memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_READ /* a C library older than the kernel that it runs on */
#define MADV_POPULATE_READ  22
#define MADV_POPULATE_WRITE 23
#endif

static void describe(const char *path, struct host_memory *found)
{
    const char *slash = strrchr(path, '/');
    if (strcmp(path, "[stack]") == 0)
        snprintf(found->words, sizeof found->words, "on the stack of the program, where local variables are");
    else if (strcmp(path, "[heap]") == 0)
        snprintf(found->words, sizeof found->words, "on the heap of the program, where malloc and new find room");
    else if (slash)
        snprintf(found->words, sizeof found->words,
                 "a variable or the code of %.60s (a __device__ variable has its device address from cudaGetSymbolAddress)",
                 slash + 1);
    else
        snprintf(found->words, sizeof found->words, "memory of the program, such as malloc and new give");
}

/* One line of /proc/self/maps. */
struct mapping_line {
    uint64_t start, end;
    bool readable, writable;
    char path[256];
};

static bool read_line(FILE *maps, struct mapping_line *mapping)
{
    char line[512], rights[8];
    while (fgets(line, sizeof line, maps)) {
        mapping->path[0] = '\0';
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %*s %*s %*s %255[^\n]", &mapping->start, &mapping->end, rights,
                   mapping->path)
            < 3)
            continue;
        mapping->readable = rights[0] == 'r';
        mapping->writable = rights[1] == 'w';
        return true;
    }
    return false;
}

bool host_memory_find(uint64_t address, struct host_memory *found)
{
    struct mapping_line mapping;
    bool known = false, passed = false;
    FILE *maps = fopen("/proc/self/maps", "re");
    found->start = 0;
    found->end = UINT64_MAX;
    while (maps && !passed && read_line(maps, &mapping)) { /* in the order of their addresses */
        passed = address < mapping.end;
        if (!passed) {
            found->start = mapping.end;
        } else if (address < mapping.start) {
            found->end = mapping.start;
        } else {
            found->start = mapping.start;
            found->end = mapping.end;
            known = mapping.readable || mapping.writable;
        }
        if (known)
            describe(mapping.path, found);
    }
    if (maps)
        fclose(maps);
    return known;
}

/* Looks for a gap among the mappings. Returns false, too, when they cannot be read. */
static bool find_unmapped(uint64_t address, uint64_t bytes, bool to_write, struct host_gap *gap)
{
    struct mapping_line mapping;
    uint64_t at = address, end = address + bytes;
    bool found = false, is_read = false;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && !found && at < end && read_line(maps, &mapping)) {
        is_read = true;
        if (mapping.end <= at)
            continue;
        if (mapping.start > at) /* they are in the order of their addresses */
            break;
        found = to_write ? !mapping.writable : !mapping.readable;
        if (found)
            *gap = (struct host_gap){to_write && mapping.readable ? HOST_GAP_READ_ONLY : HOST_GAP_PROTECTED, at - address};
        else
            at = mapping.end;
    }
    if (maps)
        fclose(maps);
    if (is_read && !found && at < end) {
        *gap = (struct host_gap){HOST_GAP_UNMAPPED, at - address};
        found = true;
    }
    return found;
}

enum answer { ANSWER_YES, ANSWER_NO, ANSWER_BEYOND_FILE, ANSWER_UNKNOWN };

/* Asks the kernel to fault the pages in, as the access would (Linux 5.14 and later): that takes 0.2 us, or 1/20 of the time
 * of a large copy, where the list of mappings takes 50 us and more. */
static enum answer populate(uint64_t address, uint64_t bytes, bool to_write)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), from = address / page * page;
    void *start = (void *)(uintptr_t)from; /* NOLINT(performance-no-int-to-ptr) */
    int result;
    do
        result = madvise(start, address + bytes - from, to_write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
    while (result != 0 && (errno == EINTR || errno == EAGAIN));
    if (result == 0)
        return ANSWER_YES;
    switch (errno) {
    case ENOMEM: return ANSWER_NO;
    case EFAULT: return ANSWER_BEYOND_FILE;
    default: return ANSWER_UNKNOWN; /* EINVAL: the rights of a mapping, or an older kernel; EPERM: a sandbox */
    }
}

/* The first page that the mapped file does not have. */
static uint64_t find_end_of_file(uint64_t address, uint64_t bytes, bool to_write)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), offset = 0;
    while (offset < bytes && populate(address + offset, 1, to_write) == ANSWER_YES)
        offset += page - (address + offset) % page;
    return offset;
}

static bool (*opened)(uint64_t address, uint64_t bytes); /* NULL: not asked */

void host_memory_ask(bool (*open_closed)(uint64_t address, uint64_t bytes))
{
    opened = open_closed;
}

bool host_memory_find_gap(uint64_t address, uint64_t bytes, bool to_write, struct host_gap *gap)
{
    enum answer answer = populate(address, bytes, to_write);
    if (answer != ANSWER_YES && opened && opened(address, bytes))
        answer = populate(address, bytes, to_write);
    if (answer == ANSWER_YES)
        return false;
    if (find_unmapped(address, bytes, to_write, gap))
        return true;
    if (answer != ANSWER_BEYOND_FILE)
        return false;
    *gap = (struct host_gap){HOST_GAP_BEYOND_FILE, find_end_of_file(address, bytes, to_write)};
    return true;
}
