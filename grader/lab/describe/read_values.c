/* Kinds of values: how arrays and scalars are filled. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/lab/describe/fills.h"
#include "grader/lab/describe/reading.h"

/* "uniform -1 1": the row's name and its numbers, with blanks between them. */
static void read_rule(struct reading *reading, const char *place, const yaml_node_t *node, struct fill_rule *rule)
{
    const struct description *description = reading->description;
    const char *text = yaml_file_text(node);
    char *copy = text ? allocate_text(text, strlen(text)) : NULL, *rest = NULL, message[512];
    const char *word = copy ? strtok_r(copy, " ", &rest) : NULL;
    const struct fill_kind *kind = word ? fills_find(word) : NULL;
    int count = 0;
    if (!kind) {
        yaml_file_complain(&reading->file, node, "%s: %.60s is not a way to fill an array. There are %s.", place,
                           text ? text : "a list", fills_known());
        free(copy);
        return;
    }
    for (const char *number = strtok_r(NULL, " ", &rest); number; number = strtok_r(NULL, " ", &rest), count++) {
        if (count >= kind->numbers)
            continue;
        rule->numbers[count] = formula_create(number, description->variables, description->size_count, message,
                                              sizeof message);
        if (!rule->numbers[count])
            yaml_file_complain(&reading->file, node, "%s: %s: %s.", place, number, message);
    }
    if (count == kind->numbers)
        rule->kind = kind;
    else
        yaml_file_complain(&reading->file, node, "%s: %s takes %d number%s, not %d.", place, kind->name, kind->numbers,
                           kind->numbers == 1 ? "" : "s", count);
    free(copy);
}

static void read_hook(struct reading *reading, const char *place, const yaml_node_t *node, struct description_values *values)
{
    const char *name = yaml_file_text(node);
    void *found = name ? module_find(reading->description->module, name) : NULL;
    if (found)
        memcpy(&values->hook, &found, sizeof found);
    else
        yaml_file_complain(&reading->file, node, "%s: hooks.c has no function %.60s.", place, name ? name : "of that name");
}

/* A kind's map: {a: uniform -1 1, hook: fill_edges}. */
static void read_kind(struct reading *reading, const char *name, const yaml_node_t *map)
{
    struct description *description = reading->description;
    struct description_values *values = &description->values[description->value_count++];
    values->name = allocate_text(name, strlen(name));
    if (!yaml_file_is_map(&reading->file, name, map))
        return;
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++) {
        const char *word = yaml_file_word(&reading->file, map, pair);
        const yaml_node_t *value = yaml_file_node(&reading->file, pair->value);
        int array = word ? reading_find_array(reading, word) : -1, scalar = word ? reading_find_scalar(reading, word) : -1;
        char place[128];
        snprintf(place, sizeof place, "values: %.50s: %.50s", name, word ? word : "");
        if (array >= 0)
            read_rule(reading, place, value, &values->arrays[array]);
        else if (scalar >= 0)
            read_rule(reading, place, value, &values->scalars[scalar]);
        else if (word && strcmp(word, "hook") == 0)
            read_hook(reading, place, value, values);
        else if (word)
            yaml_file_complain(&reading->file, yaml_file_node(&reading->file, pair->key),
                               "values: %s: there is no array and no scalar called %.60s.", name, word);
    }
}

void read_LAB_values(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    const struct description *description = reading->description;
    if (!yaml_file_is_map(&reading->file, "values", node))
        return;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        const char *name = yaml_file_word(&reading->file, node, pair);
        if (!name)
            continue;
        if (description->value_count == DESCRIPTION_VALUES) {
            yaml_file_complain(&reading->file, node, "values: more than %d kinds.", DESCRIPTION_VALUES);
            return;
        }
        read_kind(reading, name, yaml_file_node(&reading->file, pair->value));
    }
    /* The first kind is what the others fall back on. */
    const struct description_values *first = &description->values[0];
    for (int i = 0; i < description->lab.array_count && description->value_count > 0 && !first->hook; i++)
        if (description->arrays[i].role != LAB_OUTPUT && !first->arrays[i].kind)
            yaml_file_complain(&reading->file, node, "values: %s: nothing fills %s.", first->name,
                               description->arrays[i].name);
    for (int i = 0; i < description->lab.scalar_count && description->value_count > 0 && !first->hook; i++)
        if (!first->scalars[i].kind)
            yaml_file_complain(&reading->file, node, "values: %s: nothing gives %s a value.", first->name,
                               description->scalars[i].name);
}
