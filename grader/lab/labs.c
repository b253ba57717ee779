#include "grader/lab/labs.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/near.h"
#include "grader/lab/program.h"

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

int labs_max_score(const struct lab *lab)
{
    int points = lab->points;
    for (int i = 0; i < lab->budget_count; i++)
        points += lab->budgets[i].points;
    for (int i = 0; lab->program && i < lab->program->rule_count; i++)
        points += lab->program->rules[i].points;
    return points;
}

const struct lab *labs_find(const char *name)
{
    for (int i = 0; i < labs_count(); i++)
        if (strcmp(known_labs[i]->name, name) == 0 || strcmp(labs_short_name(known_labs[i]), name) == 0)
            return known_labs[i];
    return NULL;
}

/* Is name[0 .. name_length) meant by the word? Case, dashes and leading zeros of the number do not count. */
static bool is_meant(const char *word, const char *name, size_t name_length)
{
    size_t zeros = strspn(name, "0");
    name += zeros;
    name_length -= zeros;
    for (word += strspn(word, "0"); name_length > 0 && *word != '\0'; word++, name++, name_length--)
        if (tolower((unsigned char)(*word == '-' ? '_' : *word)) != tolower((unsigned char)*name))
            return false;
    return name_length == 0 && *word == '\0';
}

static bool is_lab_meant(const char *word, const struct lab *lab)
{
    size_t digits = strspn(lab->name, "0123456789");
    const char *stem = labs_short_name(lab);
    return is_meant(word, lab->name, strlen(lab->name)) || is_meant(word, stem, strlen(stem))
           || (digits > 0 && is_meant(word, lab->name, digits));
}

const struct lab *labs_find_typed(const char *word)
{
    const struct lab *found = labs_find(word);
    int count = 0;
    if (found || word[0] == '\0')
        return found;
    for (int i = 0; i < labs_count(); i++)
        if (is_lab_meant(word, known_labs[i])) {
            found = known_labs[i];
            count++;
        }
    return count == 1 ? found : NULL;
}

void labs_suggest(const char *word, char *text, size_t text_bytes)
{
    enum { NAMES_MAX = 256 };
    const char *names[NAMES_MAX];
    size_t count = 0;
    for (int i = 0; i < labs_count() && count + 2 <= NAMES_MAX; i++) {
        names[count++] = labs_short_name(known_labs[i]);
        names[count++] = known_labs[i]->name;
    }
    const char *near = near_find(word, names, count);
    text[0] = '\0';
    if (near)
        snprintf(text, text_bytes, "; did you mean %s?", near);
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
