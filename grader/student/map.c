#include "grader/student/map.h"

#include <stddef.h>
#include <string.h>

#include "grader/lab/labs.h"

/* A part's title belongs to each of the steps below it. */
struct row {
    const char *part;
    struct map_step step;
};

static const struct row rows[] = {
#define PART(title)                       {title, {NULL, NULL, NULL, NULL, NULL}},
#define LAB(name, needs, teaches)         {NULL, {NULL, name, NULL, needs, teaches}},
#define PAGE(path, title, needs, teaches) {NULL, {NULL, path, title, needs, teaches}},
#include "grader/student/map.def"
#undef PART
#undef LAB
#undef PAGE
};

static const struct map_question questions[] = {
#define QUESTION(step, text, a, b, c, right, why) {step, text, {a, b, c}, (right) - 'a', why},
#include "grader/student/quiz.def"
#undef QUESTION
};

enum { ROWS = sizeof rows / sizeof *rows };

const struct map *map_get(void)
{
    static struct map_step steps[ROWS];
    static struct map map = {steps, 0, questions, sizeof questions / sizeof *questions};
    const char *part = "";
    if (map.step_count > 0)
        return &map;
    for (int i = 0; i < ROWS; i++) {
        part = rows[i].part ? rows[i].part : part;
        if (rows[i].part)
            continue;
        steps[map.step_count] = rows[i].step;
        steps[map.step_count++].part = part;
    }
    return &map;
}

const struct map_step *map_find(const char *name)
{
    const struct map *map = map_get();
    for (int i = 0; i < map->step_count; i++)
        if (strcmp(map->steps[i].name, name) == 0)
            return &map->steps[i];
    return NULL;
}

const struct map_step *map_find_lab(const struct lab *lab)
{
    return map_find(labs_short_name(lab));
}
