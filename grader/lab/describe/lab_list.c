#include "grader/lab/describe/lab_list.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/lab/describe/lab_folder.h"
#include "grader/lab/describe/map_file.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"

struct list {
    struct lab **labs;
    size_t count, capacity;
    FILE *errors;
    bool is_good;
};

static bool has_description(const char *folder)
{
    char *path = allocate_format("%s/lab.yaml", folder);
    bool found = access(path, F_OK) == 0;
    free(path);
    return found;
}

/* build/lockstep loads build/labs/NAME.so for labs/NAME. */
static char *built_module(const char *name)
{
    char program[KIT_PATH_BYTES];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    for (char *slash; (slash = strrchr(program, '/'));) {
        *slash = '\0';
        char *path = allocate_format("%s/labs/%s.so", program, name);
        if (access(path, R_OK) == 0)
            return path;
        free(path);
        if (strcmp(program, kit_root()) == 0)
            return NULL;
    }
    return NULL;
}

static void add(struct list *list, const char *folder, bool is_of_kit)
{
    const char *slash = strrchr(folder, '/');
    char *built = is_of_kit ? built_module(slash ? slash + 1 : folder) : NULL;
    struct lab *lab = lab_folder_open(folder, built, list->errors);
    free(built);
    list->is_good = list->is_good && lab;
    if (!lab)
        return;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->labs[i]->name, lab->name) == 0) {
            list->labs[i] = lab;
            return;
        }
    list->labs = allocate_grown(list->labs, &list->capacity, list->count + 1, sizeof *list->labs);
    list->labs[list->count++] = lab;
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Adds a lab, or each lab of a folder of labs. Returns how many there were. */
static int add_all(struct list *list, const char *folder, bool is_of_kit)
{
    struct dirent **entries;
    int found = 0, count;
    if (has_description(folder)) {
        add(list, folder, is_of_kit);
        return 1;
    }
    count = scandir(folder, &entries, is_shown, alphasort);
    for (int i = 0; i < count; i++) {
        char *path = allocate_format("%s/%s", folder, entries[i]->d_name);
        if (has_description(path)) {
            add(list, path, is_of_kit);
            found++;
        }
        free(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return found;
}

/* Labs in the order of the map, with numbers; the map's steps with what their labs say. */
static void arrange(struct list *list, FILE *errors)
{
    char *path = allocate_format("%s/labs/map.yaml", kit_root());
    const struct lab **labs = allocate_zeroed((list->count + 1) * sizeof(struct lab *));
    struct map_step *steps;
    int step_count, count = 0;
    list->is_good &= map_file_read(path, &steps, &step_count, errors);
    for (int i = 0; i < step_count; i++) {
        struct lab *lab = NULL;
        for (size_t k = 0; k < list->count && !steps[i].title && !lab; k++)
            lab = strcmp(list->labs[k]->name, steps[i].name) == 0 ? list->labs[k] : NULL;
        if (lab) {
            lab->number = count + 1;
            steps[i].needs = lab->needs;
            steps[i].teaches = lab->teaches;
            labs[count++] = lab;
        } else if (!steps[i].title && list->is_good) { /* else it may be a lab that could not be read */
            fprintf(errors, "%s: there is no lab %s.\n", path, steps[i].name);
            list->is_good = false;
        }
    }
    for (size_t k = 0; k < list->count; k++)
        if (list->labs[k]->number == 0)
            labs[count++] = list->labs[k];
    free(path);
    map_register(steps, step_count);
    labs_register(labs, count);
}

bool lab_list_open(const char *const *folders, int count, FILE *errors)
{
    struct list list = {.errors = errors, .is_good = true};
    char *kit = allocate_format("%s/labs", kit_root());
    add_all(&list, kit, true);
    free(kit);
    for (int i = 0; i < count; i++) {
        char absolute[PATH_MAX];
        if (!realpath(folders[i], absolute)) {
            fprintf(errors, "--labs-from %s: %s\n", folders[i], strerror(errno));
            list.is_good = false;
        } else if (add_all(&list, absolute, false) == 0) {
            fprintf(errors, "--labs-from %s: there is no lab.yaml in this folder, nor in the folders in it.\n", folders[i]);
            list.is_good = false;
        }
    }
    arrange(&list, errors);
    free(list.labs);
    return list.is_good;
}
