#include "grader/lab/describe/map_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"
#include "grader/base/yaml_file.h"

#define FILE_BYTES_MAX (1u << 20)

struct map_reading {
    struct yaml_file file;
    struct map_step *steps;
    size_t count, capacity;
};

/* A copy of a text; NULL with a complaint. */
static const char *read_text(struct map_reading *reading, const char *key, const yaml_node_t *node)
{
    const char *text = yaml_file_text(node);
    if (text && text[0] != '\0')
        return allocate_text(text, strlen(text));
    yaml_file_complain(&reading->file, node, "%s: expected a text.", key);
    return NULL;
}

static void add(struct map_reading *reading, const yaml_node_t *node, struct map_step step)
{
    for (size_t i = 0; i < reading->count && step.name; i++)
        if (strcmp(reading->steps[i].name, step.name) == 0) {
            yaml_file_complain(&reading->file, node, "%.100s is here for the second time.", step.name);
            return;
        }
    if (!step.name)
        return;
    reading->steps = allocate_grown(reading->steps, &reading->capacity, reading->count + 1, sizeof *reading->steps);
    reading->steps[reading->count++] = step;
}

/* Calls `read` for each pair of a map with the keys in `allowed`. Any other is a complaint. */
static void read_pairs(struct map_reading *reading, const yaml_node_t *map, const char *what, const char *const *allowed,
                       void (*read)(struct map_reading *reading, int key, const yaml_node_t *node, struct map_step *step),
                       struct map_step *step)
{
    for (int key = 0; allowed[key]; key++)
        for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++) {
            const char *word = yaml_file_text(yaml_file_node(&reading->file, pair->key));
            if (word && strcmp(word, allowed[key]) == 0)
                read(reading, key, yaml_file_node(&reading->file, pair->value), step);
        }
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++) {
        const char *word = yaml_file_word(&reading->file, map, pair);
        bool known = !word;
        for (int key = 0; allowed[key]; key++)
            known = known || strcmp(word, allowed[key]) == 0;
        if (!known)
            yaml_file_complain(&reading->file, yaml_file_node(&reading->file, pair->key), "%s: unknown key %.100s.", what,
                               word);
    }
}

static void read_page_pair(struct map_reading *reading, int key, const yaml_node_t *node, struct map_step *step)
{
    const char **fields[] = {&step->name, &step->title, &step->needs, &step->teaches};
    static const char *const names[] = {"page", "title", "needs", "teaches"};
    *fields[key] = read_text(reading, names[key], node);
}

static void read_page(struct map_reading *reading, const yaml_node_t *node, const char *part)
{
    static const char *const allowed[] = {"page", "title", "needs", "teaches", NULL};
    struct map_step step = {.part = part};
    if (!yaml_file_is_map(&reading->file, "steps", node))
        return;
    read_pairs(reading, node, "a page", allowed, read_page_pair, &step);
    if (step.name && step.title)
        add(reading, node, step);
    else
        yaml_file_complain(&reading->file, node, "a page needs page: PATH and a title.");
}

static void read_part_pair(struct map_reading *reading, int key, const yaml_node_t *node, struct map_step *step)
{
    if (key == 0) {
        step->part = read_text(reading, "part", node);
        return;
    }
    for (int i = 0; i < yaml_file_count(node); i++) {
        const yaml_node_t *item = yaml_file_item(&reading->file, node, i);
        if (item->type == YAML_MAPPING_NODE)
            read_page(reading, item, step->part);
        else
            add(reading, item, (struct map_step){.part = step->part, .name = read_text(reading, "steps", item)});
    }
}

bool map_file_read(const char *path, struct map_step **steps, int *count, FILE *errors)
{
    static const char *const allowed[] = {"part", "steps", NULL};
    struct map_reading reading = {.file = {.path = path, .kind = "the map of the course", .errors = errors}};
    char message[1024];
    size_t bytes;
    *steps = NULL;
    *count = 0;
    if (access(path, F_OK) != 0)
        return true;
    char *text = files_read(path, FILE_BYTES_MAX, &bytes, message, sizeof message);
    if (!text) {
        fprintf(errors, "%s\n", message);
        return false;
    }
    const yaml_node_t *root = yaml_file_open(&reading.file, text, bytes);
    for (int i = 0; root && i < yaml_file_count(root); i++) {
        const yaml_node_t *part = yaml_file_item(&reading.file, root, i);
        struct map_step step = {.part = NULL};
        if (!yaml_file_is_map(&reading.file, "a part", part))
            continue;
        read_pairs(&reading, part, "a part", allowed, read_part_pair, &step);
        if (!step.part)
            yaml_file_complain(&reading.file, part, "a part needs a title, such as \"- part: A thread for each element\".");
    }
    bool is_good = yaml_file_close(&reading.file) == 0;
    free(text);
    *steps = reading.steps;
    *count = (int)reading.count;
    return is_good;
}
