#include "runtime/base/user_cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool user_cache_folder(const char *own, char *folder, size_t bytes)
{
    const char *shared = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length;
    if (own && *own)
        length = snprintf(folder, bytes, "%s", own);
    else if (shared && *shared == '/') /* a relative path must be ignored: XDG Base Directory Specification */
        length = snprintf(folder, bytes, "%s/lockstep", shared);
    else if (home && *home == '/')
        length = snprintf(folder, bytes, "%s/.cache/lockstep", home);
    else
        return false;
    return length > 0 && (size_t)length < bytes;
}

bool user_cache_make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool good = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
        if (!good)
            return false;
    }
    return true;
}
