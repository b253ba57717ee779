#include "grader/class/copies.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/class/kit_files.h"

struct handed_in {
    const char *sha256, *id;
};

static int compare_files(const void *left, const void *right)
{
    const struct handed_in *a = left, *b = right;
    int order = strcmp(a->sha256, b->sha256);
    return order != 0 ? order : strcmp(a->id, b->id);
}

void copies_find(const struct class *class, int lab, json_t *groups)
{
    const struct lab *of = class->course->labs[lab].lab;
    struct handed_in *files = allocate_zeroed((class->count + 1) * sizeof *files);
    size_t count = 0;
    for (size_t i = 0; i < class->count; i++) {
        const struct class_entry *entry = &class->students[i].entries[lab];
        if (entry->state == ENTRY_GRADED && !entry->shared_from && entry->sha256[0] != '\0'
            && !kit_files_is_solution(of, entry->sha256))
            files[count++] = (struct handed_in){entry->sha256, class->students[i].id};
    }
    if (count > 0)
        qsort(files, count, sizeof *files, compare_files);
    for (size_t start = 0, end; start < count; start = end) {
        json_t *ids = json_array();
        for (end = start; end < count && strcmp(files[end].sha256, files[start].sha256) == 0; end++)
            json_array_append_new(ids, json_string(files[end].id));
        if (end - start > 1)
            json_array_append_new(groups, json_pack("{s:s,s:O,s:f,s:b}", "lab", of->name, "students", ids, "similarity", 1.0,
                                                    "same_bytes", 1));
        json_decref(ids);
    }
    free(files);
}

void copies_join(json_t *groups, json_t *alike)
{
    size_t i, k, copies = json_array_size(groups);
    json_t *group;
    json_array_foreach(alike, i, group)
    {
        bool told = false;
        for (k = 0; k < copies && !told; k++) {
            const json_t *copy = json_array_get(groups, k);
            told = json_equal(json_object_get(copy, "students"), json_object_get(group, "students"))
                   && json_equal(json_object_get(copy, "lab"), json_object_get(group, "lab"));
        }
        if (!told)
            json_array_append(groups, group);
    }
    json_decref(alike);
}
