#include "grader/program/tools.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/allocate.h"

#define DRIVER_FILE "libcuda.so.1"

/* Is FOLDER/nvcc an nvcc beside the toolkit's headers? The toolkit is two levels up. */
static bool is_toolkit_bin(const char *folder, char toolkit[TOOLS_PATH_BYTES])
{
    char *nvcc = allocate_format("%s/nvcc", folder), whole[PATH_MAX];
    bool found = access(nvcc, X_OK) == 0 && realpath(nvcc, whole);
    free(nvcc);
    for (int up = 0; found && up < 2; up++) {
        char *slash = strrchr(whole, '/');
        if (slash)
            *slash = '\0';
    }
    char *header = allocate_format("%s/include/cuda_runtime.h", found ? whole : "");
    found = found && access(header, R_OK) == 0 && strlen(whole) < TOOLS_PATH_BYTES - 64;
    free(header);
    if (found)
        snprintf(toolkit, TOOLS_PATH_BYTES, "%s", whole);
    return found;
}

static bool is_toolkit(const char *folder, char toolkit[TOOLS_PATH_BYTES])
{
    char *programs = allocate_format("%s/bin", folder);
    bool found = is_toolkit_bin(programs, toolkit);
    free(programs);
    return found;
}

bool tools_find_toolkit(char folder[TOOLS_PATH_BYTES])
{
    static const char *const variables[] = {"CUDA_PATH", "CUDA_HOME"};
    const char *wanted = getenv("LOCKSTEP_NVCC"), *path = getenv("PATH");
    if (wanted && strcmp(wanted, "none") == 0)
        return false;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *named = getenv(variables[i]);
        if (named && named[0] != '\0' && is_toolkit(named, folder))
            return true;
    }
    for (const char *at = path; at && *at != '\0';) {
        size_t length = strcspn(at, ":");
        char *one = allocate_format("%.*s", (int)length, at);
        bool found = length > 0 && is_toolkit_bin(one, folder);
        free(one);
        if (found)
            return true;
        at += length + (at[length] == ':');
    }
    return is_toolkit("/usr/local/cuda", folder);
}

bool tools_find_driver(char folder[TOOLS_PATH_BYTES])
{
    const char *named = getenv("LOCKSTEP_EMULATED_DRIVER");
    char file[TOOLS_PATH_BYTES + 32];
    ssize_t length = named && named[0] != '\0' ? (ssize_t)snprintf(folder, TOOLS_PATH_BYTES, "%s", named)
                                               : readlink("/proc/self/exe", folder, TOOLS_PATH_BYTES - 64);
    if (length <= 0 || length >= TOOLS_PATH_BYTES)
        return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (!slash)
        return false;
    *slash = '\0';
    if (!named || named[0] == '\0')
        strcat(folder, "/emulated");
    snprintf(file, sizeof file, "%s/" DRIVER_FILE, folder);
    return access(file, R_OK) == 0;
}
