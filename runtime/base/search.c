#include "runtime/base/search.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int compare_versions_descending(const void *left, const void *right)
{
    return strverscmp(*(char *const *)right, *(char *const *)left);
}

static void add_path(struct search *search, const char *path)
{
    if (search->count == SEARCH_MAX_PATHS || strlen(path) >= SEARCH_PATH_BYTES)
        return;
    for (size_t at = 0; at < search->count; at++)
        if (strcmp(search->paths[at], path) == 0)
            return;
    snprintf(search->paths[search->count++], SEARCH_PATH_BYTES, "%s", path);
}

void search_add(struct search *search, const char *folder, const char *pattern)
{
    char whole[2 * SEARCH_PATH_BYTES];
    size_t length = 0;
    if (strlen(folder) + strlen(pattern) + 2 > SEARCH_PATH_BYTES)
        return;
    for (; *folder; folder++) { /* a folder may be called "[old] *": its name is not a pattern */
        if (strchr("\\*?[", *folder))
            whole[length++] = '\\';
        whole[length++] = *folder;
    }
    snprintf(whole + length, sizeof whole - length, "/%s", pattern);

    glob_t found;
    if (glob(whole, 0, NULL, &found) == 0) {
        qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, compare_versions_descending);
        for (size_t at = 0; at < found.gl_pathc; at++)
            add_path(search, found.gl_pathv[at]);
    }
    globfree(&found);
}

bool search_is_folder(const char *path)
{
    struct stat information;
    return stat(path, &information) == 0 && S_ISDIR(information.st_mode);
}

bool search_program_folder(char folder[SEARCH_PATH_BYTES])
{
    ssize_t length = readlink("/proc/self/exe", folder, SEARCH_PATH_BYTES - 1);
    if (length <= 0)
        return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (!slash)
        return false;
    *slash = '\0';
    return true;
}
