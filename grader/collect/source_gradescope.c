#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"
#include "grader/base/yaml_file.h"
#include "grader/class/moment_any.h"
#include "grader/collect/source.h"

/* Holds the autograder's output too. */
#define METADATA_BYTES_MAX (512u << 20)

static const struct {
    const char *key;
    enum person_field field;
} person_keys[] = {{":name", PERSON_NAME}, {":sid", PERSON_NUMBER}, {":email", PERSON_EMAIL}};

/* The value of a key of a map; NULL: there is none. */
static const yaml_node_t *find_value(const struct yaml_file *file, const yaml_node_t *map, const char *key)
{
    if (!map || map->type != YAML_MAPPING_NODE)
        return NULL;
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top; pair++) {
        const char *word = yaml_file_text(yaml_file_node(file, pair->key));
        if (word && strcmp(word, key) == 0)
            return yaml_file_node(file, pair->value);
    }
    return NULL;
}

/* The text of a key; NULL: there is none. */
static const char *find_text(const struct yaml_file *file, const yaml_node_t *map, const char *key)
{
    const yaml_node_t *value = find_value(file, map, key);
    return value ? yaml_file_text(value) : NULL;
}

/* The metadata while it is read. */
struct reading {
    struct sources *sources;
    size_t number;
    const struct forms_list *list;
    struct yaml_file file;
    size_t bad;
    char message[400]; /* of the first time that cannot be read */
    bool is_ambiguous;
};

static bool has_folder(const struct forms_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->entries[i].is_folder && strcmp(list->entries[i].name, name) == 0)
            return true;
    return false;
}

static bool read_time(struct reading *reading, const char *folder, const yaml_node_t *map, int64_t *utc)
{
    const struct course *course = reading->sources->course;
    const char *text = find_text(&reading->file, map, ":created_at");
    if (!text)
        return false;
    const char *why = moment_read_any(text, course->time_zone, course->date_order, utc);
    if (!why)
        return true;
    char *place = allocate_format("%s: %s", reading->sources->list[reading->number].path, folder);
    if (reading->bad++ == 0)
        snprintf(reading->message, sizeof reading->message, "%.200s: %.60s: %s.", place, text, why);
    notes_add(&reading->sources->notes, true, place, "%s: %s. This time was left out.", text, why);
    reading->is_ambiguous |= moment_is_ambiguous(why);
    free(place);
    return false;
}

static void read_submission(struct reading *reading, const char *folder, const yaml_node_t *map)
{
    const struct yaml_file *file = &reading->file;
    const yaml_node_t *submitters = find_value(file, map, ":submitters");
    int count = submitters ? yaml_file_count(submitters) : 0;
    int64_t submitted = 0;
    if (!has_folder(reading->list, folder) || count == 0) {
        char *place = allocate_format("%s: %s", reading->sources->list[reading->number].path, folder);
        notes_add(&reading->sources->notes, true, place,
                  count == 0 ? "Not collected: the metadata does not say whose it is."
                             : "In the metadata, but its folder is not there.");
        free(place);
        return;
    }
    bool has_time = read_time(reading, folder, map, &submitted);
    reading->sources->list[reading->number].times += has_time;
    for (int i = 0; i < count; i++) {
        const yaml_node_t *submitter = yaml_file_item(file, submitters, i);
        struct handed *handed = sources_add_handed(reading->sources, reading->number);
        for (size_t k = 0; k < sizeof person_keys / sizeof *person_keys; k++) {
            const char *text = find_text(file, submitter, person_keys[k].key);
            person_set(&handed->person, person_keys[k].field, text ? text : "");
        }
        person_set(&handed->person, PERSON_FOLDER, folder);
        if (count > 1)
            person_set(&handed->person, PERSON_GROUP, folder);
        handed->has_time = has_time;
        handed->submitted = submitted;
        handed_add_part(handed, folder, "", false);
    }
}

/* Folders that the metadata does not mention. */
static void tell_strangers(struct reading *reading, const yaml_node_t *root)
{
    for (size_t i = 0; i < reading->list->count; i++) {
        const struct forms_entry *entry = &reading->list->entries[i];
        if (!entry->is_folder || find_value(&reading->file, root, entry->name))
            continue;
        char *place = allocate_format("%s: %s", reading->sources->list[reading->number].path, entry->name);
        notes_add(&reading->sources->notes, true, place, "Not collected: the metadata does not say whose it is.");
        free(place);
    }
}

bool source_read_gradescope(struct sources *sources, size_t number, const struct forms_list *list)
{
    struct reading reading = {.sources = sources, .number = number, .list = list};
    char *path = allocate_format("%s/submission_metadata.yml", sources->list[number].root), *errors = NULL;
    size_t bytes, errors_bytes;
    char *text = files_read(path, METADATA_BYTES_MAX, &bytes, sources->message, sizeof sources->message);
    bool good = text != NULL;
    if (good) {
        FILE *stream = open_memstream(&errors, &errors_bytes);
        reading.file = (struct yaml_file){.path = path, .kind = "the metadata", .errors = stream};
        const yaml_node_t *root = yaml_file_open(&reading.file, text, bytes);
        good = root && root->type == YAML_MAPPING_NODE;
        for (yaml_node_pair_t *pair = good ? root->data.mapping.pairs.start : NULL;
             good && pair < root->data.mapping.pairs.top; pair++) {
            const char *folder = yaml_file_text(yaml_file_node(&reading.file, pair->key));
            if (folder)
                read_submission(&reading, folder, yaml_file_node(&reading.file, pair->value));
        }
        if (good)
            tell_strangers(&reading, root);
        yaml_file_close(&reading.file);
        fclose(stream);
        if (!good)
            snprintf(sources->message, sizeof sources->message, "%.300s: %.500s", path,
                     errors_bytes > 0 ? errors : "it does not list submissions. Export them from Gradescope again.");
        free(errors);
    }
    bool none = reading.bad > 0 && sources->list[number].times == 0;
    if (good && (none || reading.is_ambiguous)) {
        snprintf(sources->message, sizeof sources->message, "%s%s", reading.message,
                 none ? " No time in this export can be read." : "");
        good = false;
    }
    free(text);
    free(path);
    return good;
}
