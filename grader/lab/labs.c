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

const char *labs_without_number(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    return digits > 0 && name[digits] == '_' && name[digits + 1] != '\0' ? name + digits + 1 : name;
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
        if (strcmp(known_labs[i]->name, labs_without_number(name)) == 0)
            return known_labs[i];
    return NULL;
}

/* Is the name meant by the word? Case and dashes do not count. */
static bool is_meant(const char *word, const char *name)
{
    for (; *name != '\0' && *word != '\0'; word++, name++)
        if (tolower((unsigned char)(*word == '-' ? '_' : *word)) != tolower((unsigned char)*name))
            return false;
    return *name == '\0' && *word == '\0';
}

/* "4", "04": the number of a lab. 0: the word is something else. */
static int number_of(const char *word)
{
    size_t digits = strspn(word, "0123456789");
    return digits > 0 && digits < 6 && word[digits] == '\0' ? atoi(word) : 0;
}

const struct lab *labs_find_typed(const char *word)
{
    const struct lab *found = labs_find(word);
    size_t digits = strspn(word, "0123456789");
    bool parted = digits > 0 && (word[digits] == '_' || word[digits] == '-');
    int count = 0, number = number_of(word);
    if (found || word[0] == '\0')
        return found;
    for (int i = 0; i < labs_count(); i++)
        if (is_meant(parted ? word + digits + 1 : word, known_labs[i]->name)
            || (number > 0 && known_labs[i]->number == number)) {
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
    for (int i = 0; i < labs_count() && count < NAMES_MAX; i++)
        names[count++] = known_labs[i]->name;
    const char *near = near_find(labs_without_number(word), names, count);
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
    /* Then the folders, the innermost first: labs/scan/wrong/up_sweep_only.cu. */
    for (const char *end = base; !lab && end > path;) {
        const char *start = --end;
        while (start > path && start[-1] != '/')
            start--;
        lab = find_component(start, (size_t)(end - start));
        end = start;
    }
    return lab;
}
