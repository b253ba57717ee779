#include "grader/lab/describe/reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/near.h"
#include "grader/lab/types.h"

static const struct reading_key keys[] = {
#define KEY(scope, name, need, what) {#scope, #name, READING_##need, read_##scope##_##name},
#include "grader/lab/describe/lab_keys.def"
#undef KEY
};
enum { KEY_COUNT = sizeof keys / sizeof *keys };

const yaml_node_t *reading_find(const struct reading *reading, const yaml_node_t *map, const char *key)
{
    if (map->type != YAML_MAPPING_NODE)
        return NULL;
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++) {
        const char *word = yaml_file_text(yaml_file_node(&reading->file, pair->key));
        if (word && strcmp(word, key) == 0)
            return yaml_file_node(&reading->file, pair->value);
    }
    return NULL;
}

static void complain_unknown(struct reading *reading, const char *scope, const char *place, const yaml_node_t *node,
                             const char *word)
{
    const char *names[KEY_COUNT];
    char allowed[512] = "";
    size_t count = 0;
    for (int i = 0; i < KEY_COUNT; i++)
        if (strcmp(keys[i].scope, scope) == 0) {
            size_t used = strlen(allowed);
            names[count++] = keys[i].name;
            snprintf(allowed + used, sizeof allowed - used, "%s%s", used > 0 ? ", " : "", keys[i].name);
        }
    const char *near = near_find(word, names, count);
    yaml_file_complain(&reading->file, node, "%s: unknown key %.100s%s%s%s Allowed here: %s.", place, word,
                       near ? "; did you mean " : "", near ? near : "", near ? "?" : ".", allowed);
}

void reading_map(struct reading *reading, const char *scope, const char *place, const yaml_node_t *map, void *owner)
{
    if (map->type != YAML_MAPPING_NODE) {
        yaml_file_complain(&reading->file, map, "%s: expected keys with values, such as \"%s: ...\".", place, keys[0].name);
        return;
    }
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++) {
        const char *word = yaml_file_word(&reading->file, map, pair);
        bool known = false;
        for (int i = 0; i < KEY_COUNT && word; i++)
            known = known || (strcmp(keys[i].scope, scope) == 0 && strcmp(keys[i].name, word) == 0);
        if (word && !known)
            complain_unknown(reading, scope, place, yaml_file_node(&reading->file, pair->key), word);
    }
    for (int i = 0; i < KEY_COUNT; i++) {
        if (strcmp(keys[i].scope, scope) != 0)
            continue;
        const yaml_node_t *value = reading_find(reading, map, keys[i].name);
        if (value && !yaml_file_is_nothing(value))
            keys[i].read(reading, value, owner);
        else if (keys[i].is_needed)
            yaml_file_complain(&reading->file, map, "%s: %s is missing.", place, keys[i].name);
    }
}

/* ---- values ----------------------------------------------------------------------------------------------------------- */

const char *reading_text(struct reading *reading, const char *place, const yaml_node_t *node)
{
    const char *text = yaml_file_text(node);
    if (text && text[0] != '\0')
        return allocate_text(text, strlen(text));
    yaml_file_complain(&reading->file, node, "%s: expected a text.", place);
    return NULL;
}

bool reading_number(struct reading *reading, const char *place, const yaml_node_t *node, double *number)
{
    const char *text = yaml_file_text(node);
    char *end = NULL;
    if (text && text[0] != '\0')
        *number = strtod(text, &end);
    if (end && *end == '\0' && isfinite(*number))
        return true;
    yaml_file_complain(&reading->file, node, "%s: expected a number.", place);
    return false;
}

bool reading_whole(struct reading *reading, const char *place, const yaml_node_t *node, int64_t least, int64_t most,
                   int64_t *number)
{
    double value;
    if (!reading_number(reading, place, node, &value))
        return false;
    if (value == floor(value) && value >= (double)least && value <= (double)most) {
        *number = (int64_t)value;
        return true;
    }
    yaml_file_complain(&reading->file, node, "%s: expected a whole number from %lld to %lld.", place, (long long)least,
                       (long long)most);
    return false;
}

bool reading_switch(struct reading *reading, const char *place, const yaml_node_t *node, bool *is_on)
{
    const char *text = yaml_file_text(node);
    *is_on = text && (strcmp(text, "yes") == 0 || strcmp(text, "true") == 0);
    if (text && (*is_on || strcmp(text, "no") == 0 || strcmp(text, "false") == 0))
        return true;
    yaml_file_complain(&reading->file, node, "%s: expected yes or no.", place);
    return false;
}

struct formula *reading_formula(struct reading *reading, const char *place, const yaml_node_t *node, bool in_plan)
{
    const struct description *description = reading->description;
    const char *text = yaml_file_text(node);
    char message[512];
    if (!text || text[0] == '\0') {
        yaml_file_complain(&reading->file, node, "%s: expected a formula, such as 4 * %s.", place,
                           description->size_count > 0 ? description->variables[0] : "n");
        return NULL;
    }
    /* The names of sizes that the lab does not have are empty: no formula can say them. */
    struct formula *formula = formula_create(
        text, description->variables, in_plan ? DESCRIPTION_VARIABLES : description->size_count, message, sizeof message);
    if (!formula)
        yaml_file_complain(&reading->file, node, "%s: %s: %s.", place, text, message);
    return formula;
}

int reading_formulas(struct reading *reading, const char *place, const yaml_node_t *node, bool in_plan, int most,
                     struct formula **formulas)
{
    int count = yaml_file_count(node);
    if (count < 1 || count > most) {
        yaml_file_complain(&reading->file, node, "%s: expected 1 to %d formulas: [rows, columns].", place, most);
        return 0;
    }
    for (int i = 0; i < count; i++)
        formulas[i] = reading_formula(reading, place, yaml_file_item(&reading->file, node, i), in_plan);
    return count;
}

enum lab_type reading_find_type(const char *word)
{
    static const struct {
        const char *word, *name;
    } others[] = {
        {"signed", "int32"},
        {"signed int", "int32"},
        {"unsigned int", "uint32"},
        {"char", "int8"},
        {"int8_t", "int8"},
        {"uint8_t", "uint8"},
        {"int16_t", "int16"},
        {"uint16_t", "uint16"},
        {"int32_t", "int32"},
        {"uint32_t", "uint32"},
        {"int64_t", "int64"},
        {"uint64_t", "uint64"},
        {"long long", "int64"},
        {"unsigned long long", "uint64"},
        {"size_t", "uint64"},
        {"short int", "int16"},
        {"unsigned short int", "uint16"},
        {"long int", "int64"},
        {"__half", "float16"},
        {"_Float16", "float16"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i].word, word) == 0)
            return types_find(others[i].name);
    return types_find(word);
}

enum lab_type reading_type(struct reading *reading, const char *place, const yaml_node_t *node)
{
    const char *text = yaml_file_text(node);
    enum lab_type type = text ? reading_find_type(text) : LAB_NO_TYPE;
    if (type == LAB_NO_TYPE)
        yaml_file_complain(&reading->file, node,
                           "%s: %.60s is not a type of a lab. There are int, unsigned, float, double, half, __nv_bfloat16, "
                           "and int8 to uint64.",
                           place, text ? text : "a list");
    return type;
}

/* ---- names ------------------------------------------------------------------------------------------------------------ */

int reading_find_array(const struct reading *reading, const char *name)
{
    const struct description *description = reading->description;
    for (int i = 0; i < description->lab.array_count; i++)
        if (strcmp(description->arrays[i].name, name) == 0)
            return i;
    return -1;
}

int reading_find_scalar(const struct reading *reading, const char *name)
{
    const struct description *description = reading->description;
    for (int i = 0; i < description->lab.scalar_count; i++)
        if (strcmp(description->scalars[i].name, name) == 0)
            return i;
    return -1;
}

int reading_find_kernel(const struct reading *reading, const char *name)
{
    const struct description *description = reading->description;
    for (int i = 0; i < description->lab.kernel_count; i++)
        if (strcmp(description->kernels[i].name, name) == 0)
            return i;
    return -1;
}

int reading_find_plan(const struct reading *reading, const char *name)
{
    const struct description *description = reading->description;
    for (int i = 0; i < description->lab.plan_count; i++)
        if (strcmp(description->plans[i].name, name) == 0)
            return i;
    return -1;
}

int reading_find_values(const struct reading *reading, const char *name)
{
    const struct description *description = reading->description;
    for (int i = 0; i < description->value_count; i++)
        if (strcmp(description->values[i].name, name) == 0)
            return i;
    return -1;
}
