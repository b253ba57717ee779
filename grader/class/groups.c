#include "grader/class/groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grader/base/allocate.h"
#include "grader/class/csv.h"

static int compare_lines(const void *left, const void *right)
{
    const struct group_line *a = left, *b = right;
    return a->student != b->student ? (a->student < b->student ? -1 : 1) : strcmp(a->folder, b->folder);
}

static void add_line(struct class *class, const struct names *ids, const char *file, const struct csv_row *row,
                     const char *id, const char *folder, const char *group, struct groups *groups)
{
    size_t student = names_find(ids, id);
    if (student == NAMES_NONE) {
        problems_add(&class->problems, PROBLEM_roster_line, file, "line %d: there is no student %s. It was skipped.",
                     row->line, id);
        return;
    }
    if (group[0] == '\0' || folder[0] == '\0')
        return;
    groups->list = allocate_grown(groups->list, &groups->capacity, groups->count + 1, sizeof *groups->list);
    groups->list[groups->count++] = (struct group_line){student, allocate_text(folder, strlen(folder)),
                                                        allocate_text(group, strlen(group))};
}

bool groups_read(struct class *class, const struct names *ids, struct groups *groups, char *message, size_t message_bytes)
{
    struct csv csv = {0};
    struct stat facts;
    char *path = allocate_format("%s/groups.csv", class->submissions);
    memset(groups, 0, sizeof *groups);
    bool exists = lstat(path, &facts) == 0 && S_ISREG(facts.st_mode);
    bool good = !exists || csv_read(path, &csv, message, message_bytes);
    if (good && exists) {
        int id = csv_find_column(&csv, "id"), folder = csv_find_column(&csv, "folder"),
            group = csv_find_column(&csv, "group");
        good = id >= 0 && folder >= 0 && group >= 0;
        if (!good)
            snprintf(message, message_bytes, "%.300s:%d: the first line must name the columns id, folder and group.", path,
                     csv.rows[0].line);
        for (size_t i = 1; good && i < csv.row_count; i++)
            add_line(class, ids, "groups.csv", &csv.rows[i], csv_get(&csv.rows[i], id), csv_get(&csv.rows[i], folder),
                     csv_get(&csv.rows[i], group), groups);
    }
    if (groups->count > 0)
        qsort(groups->list, groups->count, sizeof *groups->list, compare_lines);
    csv_clear(&csv);
    free(path);
    return good;
}

void groups_clear(struct groups *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        free(groups->list[i].folder);
        free(groups->list[i].group);
    }
    free(groups->list);
    memset(groups, 0, sizeof *groups);
}

static bool is_inside(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    while (length > 0 && folder[length - 1] == '/')
        length--;
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

bool groups_has(const struct groups *groups, const char *group, const char *path)
{
    bool has = false;
    for (size_t i = 0; i < groups->count && !has; i++) {
        char *name = is_inside(path, groups->list[i].folder) ? class_plain_name(groups->list[i].group) : NULL;
        has = name && strcmp(name, group) == 0;
        free(name);
    }
    return has;
}

const char *groups_find(const struct groups *groups, size_t student, const char *path)
{
    size_t low = 0, high = groups->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool before = groups->list[middle].student < student;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    for (size_t i = low; i < groups->count && groups->list[i].student == student; i++)
        if (is_inside(path, groups->list[i].folder))
            return groups->list[i].group;
    return NULL;
}
