#include "grader/class/hints_used.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"
#include "grader/grading/progress.h"
#include "grader/grading/workspace.h"

#define PROGRESS_BYTES_MAX (4u << 20)

/* The lab's entry in the progress file of a folder. Returns -1 when there is none. */
static int find_in(const char *folder, const struct lab *lab)
{
    char message[512];
    size_t bytes;
    char *path = allocate_format("%s/" WORKSPACE_MARK "/progress.json", folder);
    char *text = files_read(path, PROGRESS_BYTES_MAX, &bytes, message, sizeof message);
    json_t *content = text ? json_loadb(text, bytes, JSON_REJECT_DUPLICATES, NULL) : NULL;
    const json_t *entry = json_object_get(json_object_get(content, "labs"), lab->name);
    int used = json_is_object(entry) ? progress_hints_used(entry) : -1;
    json_decref(content);
    free(text);
    free(path);
    return used;
}

int hints_used_find(const char *submissions, const char *path, const struct lab *lab)
{
    char *folder = allocate_format("%s/%s", submissions, path);
    size_t top = strlen(submissions) + 1; /* the student's own folder begins here: not beyond it */
    int used = -1;
    for (char *slash; used < 0 && (slash = strrchr(folder, '/')) && (size_t)(slash - folder) > top;) {
        *slash = '\0';
        used = find_in(folder, lab);
    }
    free(folder);
    return used;
}
