#include "runtime/emulator/machine/host_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

bool host_memory_find(uint64_t address, struct host_memory *found)
{
    char line[512];
    bool known = false, passed = false;
    FILE *maps = fopen("/proc/self/maps", "re");
    found->start = 0;
    found->end = UINT64_MAX;
    while (maps && !passed && fgets(line, sizeof line, maps)) { /* in rising order */
        char path[256] = "";
        char rights[8];
        uint64_t start, end;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %*s %*s %*s %255[^\n]", &start, &end, rights, path) < 3)
            continue;
        passed = address < end;
        if (!passed) {
            found->start = end;
            continue;
        }
        found->end = address < start ? start : end;
        if (address < start)
            break;
        found->start = start;
        known = rights[0] == 'r' || rights[1] == 'w';
        if (known)
            describe(path, found);
    }
    if (maps)
        fclose(maps);
    return known;
}
