#include "grader/class/names.h"

#include <assert.h>
#include <search.h>
#include <stdint.h>
#include <stdlib.h>

#include "grader/base/allocate.h"
#include "grader/class/class.h"

struct names {
    struct hsearch_data table;
    char **plain; /* the table borrows its keys */
    size_t count, most;
};

struct names *names_create(size_t most)
{
    struct names *names = allocate_zeroed(sizeof *names);
    names->plain = allocate_zeroed((most + 1) * sizeof *names->plain);
    names->most = most;
    int made = hcreate_r(2 * most + 16, &names->table);
    assert(made != 0);
    (void)made;
    return names;
}

void names_destroy(struct names *names)
{
    hdestroy_r(&names->table);
    for (size_t i = 0; i < names->count; i++)
        free(names->plain[i]);
    free(names->plain);
    free(names);
}

size_t names_find(const struct names *names, const char *name)
{
    ENTRY *found = NULL, wanted = {.key = class_plain_name(name)};
    int hit = hsearch_r(wanted, FIND, &found, (struct hsearch_data *)&names->table);
    free(wanted.key);
    return hit != 0 ? (size_t)(uintptr_t)found->data : NAMES_NONE;
}

void names_add(struct names *names, const char *name, size_t number)
{
    ENTRY *added, entry = {.key = class_plain_name(name), .data = (void *)(uintptr_t)number};
    assert(names->count < names->most);
    names->plain[names->count++] = entry.key;
    hsearch_r(entry, ENTER, &added, &names->table);
}
