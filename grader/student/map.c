#include "grader/student/map.h"

#include <stddef.h>
#include <string.h>

#include "grader/lab/labs.h"

static const struct map *registered = &(const struct map){NULL, 0, NULL, 0};

void map_register(const struct map *map)
{
    registered = map;
}

const struct map *map_get(void)
{
    return registered;
}

const struct map_step *map_find(const char *name)
{
    for (int i = 0; i < registered->step_count; i++)
        if (strcmp(registered->steps[i].name, name) == 0)
            return &registered->steps[i];
    return NULL;
}

const struct map_step *map_find_lab(const struct lab *lab)
{
    return map_find(labs_short_name(lab));
}
