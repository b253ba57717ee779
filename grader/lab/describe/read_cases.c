/* Cases, hidden cases, and the case at which time is measured. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/lab/describe/reading.h"

#define MOST_CASES 64
#define LARGEST    ((int64_t)1 << 40)

/* A size: a whole number; of a hidden case also a range, "1..512". */
static void read_size(struct reading *reading, const char *place, const yaml_node_t *node, struct lab_case *the_case,
                      int index)
{
    const char *text = yaml_file_text(node), *dots = text ? strstr(text, "..") : NULL;
    double none[DESCRIPTION_VARIABLES] = {0};
    char message[256];
    int64_t ends[2] = {0, 0};
    if (dots && !the_case->hidden) {
        yaml_file_complain(&reading->file, node, "%s: only a hidden case has a range of sizes.", place);
        return;
    }
    for (int i = 0; i < 2; i++) {
        const char *start = i == 0 || !dots ? text : dots + 2;
        char *part = start ? allocate_text(start, i == 0 && dots ? (size_t)(dots - text) : strlen(start)) : NULL;
        struct formula *formula = part ? formula_create(part, NULL, 0, message, sizeof message) : NULL;
        double value = formula ? formula_value(formula, none) : 0;
        ends[i] = value >= 1 && value <= (double)LARGEST ? (int64_t)value : 0;
        if (ends[i] < 1 || (double)ends[i] != value) {
            yaml_file_complain(&reading->file, node, "%s: expected a whole number from 1 on%s.", place,
                               the_case->hidden ? ", or a range such as 1..512" : "");
            formula_destroy(formula);
            free(part);
            return;
        }
        formula_destroy(formula);
        free(part);
    }
    if (ends[1] < ends[0] || ends[1] - ends[0] > UINT32_MAX - 1) {
        yaml_file_complain(&reading->file, node, "%s: the range must not end before it begins.", place);
        return;
    }
    the_case->size[index] = ends[0];
    the_case->spread[index] = (uint32_t)(ends[1] - ends[0]);
}

/* "n = 257", "17 x 17", with the kind of values where it is not the usual one. */
static const char *name_of(const struct description *description, const struct lab_case *the_case)
{
    char text[160];
    if (description->size_count == 1)
        snprintf(text, sizeof text, "%s = %lld", description->variables[0], (long long)the_case->size[0]);
    else
        snprintf(text, sizeof text, "%lld", (long long)the_case->size[0]);
    for (int i = 1; i < description->size_count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, " x %lld", (long long)the_case->size[i]);
    }
    bool usual = the_case->values == 0;
    return allocate_format("%s%s%s", text, usual ? "" : ", ", usual ? "" : description->values[the_case->values].name);
}

static void read_values_of(struct reading *reading, const char *place, const yaml_node_t *node, struct lab_case *the_case)
{
    const char *name = yaml_file_text(node);
    the_case->values = name ? reading_find_values(reading, name) : -1;
    if (the_case->values < 0) {
        yaml_file_complain(&reading->file, node, "%s: there is no kind of values called %.60s.", place,
                           name ? name : "that");
        the_case->values = 0;
    }
}

static int find_size(const struct description *description, const char *word)
{
    for (int i = 0; i < description->size_count; i++)
        if (strcmp(description->variables[i], word) == 0)
            return i;
    return -1;
}

/* A case's keys: the names of the sizes, and name, purpose, values, budget. */
static void read_case(struct reading *reading, const char *place, const yaml_node_t *map, struct lab_case *the_case)
{
    const struct description *description = reading->description;
    if (map->type != YAML_MAPPING_NODE) {
        yaml_file_complain(&reading->file, map, "%s: expected {%s: 257, purpose: one more than a block}.", place,
                           description->variables[0]);
        return;
    }
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++) {
        const char *word = yaml_file_word(&reading->file, map, pair);
        const yaml_node_t *value = yaml_file_node(&reading->file, pair->value);
        int size = word ? find_size(description, word) : -1;
        if (!word)
            continue;
        if (size >= 0)
            read_size(reading, place, value, the_case, size);
        else if (strcmp(word, "purpose") == 0)
            the_case->purpose = reading_text(reading, place, value);
        else if (strcmp(word, "name") == 0)
            the_case->name = reading_text(reading, place, value);
        else if (strcmp(word, "values") == 0)
            read_values_of(reading, place, value, the_case);
        else if (strcmp(word, "budget") == 0 && !the_case->hidden)
            reading_switch(reading, place, value, &the_case->budget);
        else
            yaml_file_complain(&reading->file, yaml_file_node(&reading->file, pair->key),
                               "%s: unknown key %.60s. Allowed here: the sizes, name, purpose, values%s.", place, word,
                               the_case->hidden ? "" : ", budget");
    }
    for (int i = 0; i < description->size_count; i++)
        if (the_case->size[i] == 0)
            yaml_file_complain(&reading->file, map, "%s: %s is missing.", place, description->variables[i]);
    if (!the_case->purpose)
        yaml_file_complain(&reading->file, map, "%s: purpose is missing: why is this case there? Students read it.", place);
    if (!the_case->name && the_case->hidden)
        yaml_file_complain(&reading->file, map, "%s: name is missing: a hidden case is shown by its name, never its sizes.",
                           place);
    else if (!the_case->name)
        the_case->name = name_of(description, the_case);
    if (the_case->hidden && the_case->name && strncmp(the_case->name, "hidden: ", 8) != 0) {
        char *name = allocate_format("hidden: %s", the_case->name);
        free((char *)the_case->name);
        the_case->name = name;
    }
}

static void read_cases(struct reading *reading, const char *what, const yaml_node_t *node, bool hidden)
{
    struct description *description = reading->description;
    int count = yaml_file_count(node), before = description->lab.case_count;
    if (node->type != YAML_SEQUENCE_NODE || count < 1 || before + count > MOST_CASES) {
        yaml_file_complain(&reading->file, node, "%s: expected a list of 1 to %d cases.", what, MOST_CASES - before);
        return;
    }
    struct lab_case *cases = allocate_zeroed((size_t)(before + count) * sizeof *cases);
    for (int i = 0; i < before; i++)
        cases[i] = description->cases[i];
    free(description->cases);
    description->cases = cases;
    for (int i = 0; i < count; i++) {
        char place[40];
        snprintf(place, sizeof place, "%s[%d]", what, i);
        cases[before + i].hidden = hidden;
        read_case(reading, place, yaml_file_item(&reading->file, node, i), &cases[before + i]);
        for (int k = 0; k < before + i; k++)
            if (cases[before + i].name && cases[k].name && strcmp(cases[before + i].name, cases[k].name) == 0)
                yaml_file_complain(&reading->file, yaml_file_item(&reading->file, node, i),
                                   "%s: a case is called %s already. Give one of them another name.", place, cases[k].name);
    }
    description->lab.case_count = before + count;
    description->lab.cases = cases;
}

void read_LAB_cases(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    const struct lab *lab = &reading->description->lab;
    int budgets = 0;
    read_cases(reading, "cases", node, false);
    for (int i = 0; i < lab->case_count; i++)
        budgets += lab->cases[i].budget;
    if (lab->case_count > 0 && budgets != 1)
        yaml_file_complain(&reading->file, node, "cases: %d have budget: yes. Counters are compared on one of them.",
                           budgets);
}

void read_LAB_hidden(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    read_cases(reading, "hidden", node, true);
}

void read_LAB_points(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    int64_t points;
    if (reading_whole(reading, "points", node, 1, 100, &points))
        reading->description->lab.points = (int)points;
}

/* ---- time ------------------------------------------------------------------------------------------------------------- */

void read_WORK_bytes(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct description *description = owner;
    description->bytes = reading_formula(reading, "bytes", node, false);
}

void read_WORK_operations(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct description *description = owner;
    description->operations = reading_formula(reading, "operations", node, false);
}

void read_LAB_work(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    reading_map(reading, "WORK", "work", node, reading->description);
}

void read_TIME_size(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct description *description = owner;
    struct lab_case *the_case = &description->lab.timing_case;
    for (int i = 0; i < description->size_count; i++) {
        const yaml_node_t *value = reading_find(reading, node, description->variables[i]);
        if (value)
            read_size(reading, "time: size", value, the_case, i);
        else
            yaml_file_complain(&reading->file, node, "time: size: %s is missing.", description->variables[i]);
    }
    the_case->purpose = "time is measured here";
}

void read_TIME_values(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct description *description = owner;
    read_values_of(reading, "time: values", node, &description->lab.timing_case);
}

void read_TIME_name(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct description *description = owner;
    description->lab.timing_case.name = reading_text(reading, "time: name", node);
}

void read_TIME_full(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct description *description = owner;
    reading_number(reading, "time: full", node, &description->lab.time.full_at);
}

void read_TIME_none(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct description *description = owner;
    reading_number(reading, "time: none", node, &description->lab.time.zero_at);
}

void read_TIME_points(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct description *description = owner;
    int64_t points;
    if (reading_whole(reading, "time: points", node, 0, 100, &points))
        description->lab.time.points = (int)points;
}

void read_LAB_time(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    struct description *description = reading->description;
    description->lab.time = (struct lab_time){1.2, 4, 10};
    reading_map(reading, "TIME", "time", node, description);
    if (!description->lab.timing_case.name)
        description->lab.timing_case.name = name_of(description, &description->lab.timing_case);
    if (!(description->lab.time.full_at < description->lab.time.zero_at))
        yaml_file_complain(&reading->file, node, "time: full must be below none.");
}
