#include "grader/lab/labs.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct lab *const *known_labs;
static int known_count;

void labs_register(const struct lab *const *labs, int count)
{
    known_labs = labs;
    known_count = count;
}

int labs_count(void)
{
    return known_count;
}

const struct lab *labs_get(int index)
{
    return known_labs[index];
}

const char *labs_short_name(const struct lab *lab)
{
    const char *name = lab->name;
    while (isdigit((unsigned char)*name))
        name++;
    return *name == '_' ? name + 1 : lab->name;
}

const struct lab *labs_find(const char *name)
{
    for (int i = 0; i < labs_count(); i++)
        if (strcmp(known_labs[i]->name, name) == 0 || strcmp(labs_short_name(known_labs[i]), name) == 0)
            return known_labs[i];
    return NULL;
}

/* The lab whose folder name is the path component [start, end). */
static const struct lab *find_component(const char *start, size_t length)
{
    char name[128];
    if (length >= sizeof name)
        return NULL;
    memcpy(name, start, length);
    name[length] = '\0';
    return labs_find(name);
}

const struct lab *labs_find_for_path(const char *path)
{
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    /* The file's own name first: a student's folder may be called after another lab. */
    const char *dot = strrchr(base, '.');
    const struct lab *lab = find_component(base, dot ? (size_t)(dot - base) : strlen(base));
    /* Then the folders, the innermost first: labs/04_scan/wrong/up_sweep_only.cu. */
    for (const char *end = base; !lab && end > path;) {
        const char *start = --end;
        while (start > path && start[-1] != '/')
            start--;
        lab = find_component(start, (size_t)(end - start));
        end = start;
    }
    return lab;
}
