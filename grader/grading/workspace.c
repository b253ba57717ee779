#include "grader/grading/workspace.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/lab/labs.h"

#define REMEMBERED "folder" /* in the `.lockstep/` of the kit's labs/: the folder that `start` made last */

/* ROOT/.lockstep of this user's. A link leads out of the folder, to where whoever made it likes: it marks nothing. */
static bool is_marked(const char *root)
{
    struct stat facts;
    char *mark = allocate_format("%s/" WORKSPACE_MARK, strcmp(root, "/") == 0 ? "" : root);
    bool marked = lstat(mark, &facts) == 0 && S_ISDIR(facts.st_mode) && (facts.st_uid == geteuid() || geteuid() == 0);
    free(mark);
    return marked;
}

static void take_kit(struct workspace *workspace)
{
    snprintf(workspace->root, sizeof workspace->root, "%.4000s/labs", kit_root());
    workspace->is_kit = true;
}

/* The nearest marked folder at or above `start` (absolute, without links). The kit's labs/ come last of all, whatever they
 * hold: a folder that `start` made comes before them. */
static bool find_above(const char *start, struct workspace *workspace)
{
    char folder[KIT_PATH_BYTES], labs[KIT_PATH_BYTES];
    snprintf(folder, sizeof folder, "%s", start);
    snprintf(labs, sizeof labs, "%.4000s/labs", kit_root());
    for (;;) {
        if (strcmp(folder, labs) != 0 && is_marked(folder)) {
            snprintf(workspace->root, sizeof workspace->root, "%s", folder);
            return true;
        }
        char *slash = strrchr(folder, '/');
        if (strcmp(folder, kit_root()) == 0 || !slash || slash[1] == '\0')
            return false;
        slash[slash == folder] = '\0';
    }
}

static bool find_remembered(struct workspace *workspace)
{
    char line[KIT_PATH_BYTES] = "";
    char *path = allocate_format("%s/labs/" WORKSPACE_MARK "/" REMEMBERED, kit_root());
    FILE *file = fopen(path, "re");
    free(path);
    if (!file)
        return false;
    bool found = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    line[strcspn(line, "\n")] = '\0';
    if (!found || line[0] != '/' || !is_marked(line))
        return false;
    snprintf(workspace->root, sizeof workspace->root, "%s", line);
    return true;
}

static void find_from(const char *start, struct workspace *workspace)
{
    const char *chosen = getenv("LOCKSTEP_FOLDER"), *ci = getenv("CI");
    memset(workspace, 0, sizeof *workspace);
    workspace->keeps_progress = !ci || ci[0] == '\0';
    if (chosen) {
        workspace->keeps_progress = chosen[0] != '\0';
        if (chosen[0] == '\0')
            take_kit(workspace);
        else if (!realpath(chosen, workspace->root))
            snprintf(workspace->root, sizeof workspace->root, "%.4000s", chosen);
        return;
    }
    if (!find_above(start, workspace) && !find_remembered(workspace))
        take_kit(workspace);
}

void workspace_find(struct workspace *workspace)
{
    char here[KIT_PATH_BYTES];
    find_from(getcwd(here, sizeof here) ? here : "/", workspace);
}

void workspace_find_for(const char *file, struct workspace *workspace)
{
    /* The folder, not the file, without links: the file may be gone just now, or be a link itself. */
    char *copy = allocate_format("%s", file), real[KIT_PATH_BYTES];
    bool found = realpath(dirname(copy), real) != NULL;
    free(copy);
    if (!found) {
        workspace_find(workspace);
        return;
    }
    find_from(real, workspace);
    /* A file of the kit's belongs to the kit, not to the folder that start made. */
    size_t length = strlen(kit_root());
    if (!getenv("LOCKSTEP_FOLDER") && length > 0 && strncmp(real, kit_root(), length) == 0
        && (real[length] == '/' || real[length] == '\0') && strncmp(workspace->root, kit_root(), length) != 0)
        take_kit(workspace);
}

/* Not being able to is not a failure: the kit may be installed for many. The kit's own labs/ need not be remembered. */
static void remember(const char *root, bool is_kit)
{
    if (kit_root()[0] == '\0' || getenv("LOCKSTEP_FOLDER")) /* it says for itself which folder is meant */
        return;
    char *folder = allocate_format("%s/labs/" WORKSPACE_MARK, kit_root());
    char *path = allocate_format("%s/" REMEMBERED, folder);
    mkdir(folder, 0777);
    FILE *file = is_kit ? NULL : fopen(path, "we");
    if (is_kit)
        unlink(path);
    if (file) {
        fprintf(file, "%s\n", root);
        fclose(file);
    }
    free(path);
    free(folder);
}

/* mkdir -p. */
static bool make_folders(const char *path)
{
    char *copy = allocate_format("%s", path);
    bool good = true;
    for (char *slash = strchr(copy + 1, '/'); good && slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        good = mkdir(copy, 0777) == 0 || errno == EEXIST;
        *slash = '/';
    }
    good = good && (mkdir(copy, 0777) == 0 || errno == EEXIST);
    free(copy);
    return good;
}

bool workspace_create(const char *folder, struct workspace *workspace, char *message, size_t message_bytes)
{
    memset(workspace, 0, sizeof *workspace);
    workspace->keeps_progress = true;
    bool good = folder[0] != '\0' && make_folders(folder) && realpath(folder, workspace->root);
    if (good) {
        char *mark = allocate_format("%s/" WORKSPACE_MARK, workspace->root);
        good = mkdir(mark, 0777) == 0 || (errno == EEXIST && is_marked(workspace->root));
        free(mark);
    }
    if (!good) {
        snprintf(message, message_bytes, "%.300s: %s", folder, strerror(errno));
        return false;
    }
    char labs[KIT_PATH_BYTES];
    snprintf(labs, sizeof labs, "%.4000s/labs", kit_root());
    workspace->is_kit = strcmp(workspace->root, labs) == 0;
    remember(workspace->root, workspace->is_kit);
    return true;
}

bool workspace_lab_file(const struct workspace *workspace, const struct lab *lab, char path[KIT_PATH_BYTES])
{
    char found[KIT_PATH_BYTES];
    bool is_there = kit_find_file(workspace->root, lab, found);
    kit_shown_path(found, path);
    return is_there;
}

bool workspace_owns(const struct workspace *workspace, const struct lab *lab, const char *file)
{
    char own[KIT_PATH_BYTES], real[KIT_PATH_BYTES], other[KIT_PATH_BYTES];
    return workspace_lab_file(workspace, lab, own) && realpath(own, real) && realpath(file, other)
           && strcmp(real, other) == 0;
}
