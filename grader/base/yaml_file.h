/* A YAML file that people write by hand: its nodes, and complaints that name file and line. All mistakes are reported at once.
 * On libyaml, whose names begin with yaml_. */
#ifndef YAML_FILE_H
#define YAML_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <yaml.h>

/* A file while it is read. Begin with {.path, .kind, .errors}. */
struct yaml_file {
    const char *path; /* as shown in complaints; borrowed */
    const char *kind; /* "a course file" */
    FILE *errors;     /* where complaints go, a line each; borrowed */
    int error_count;
    yaml_document_t document;
};

/* Parses text[bytes]. Returns the root; NULL where the file is empty, or where a complaint says why it is not YAML. A second
 * document in it is a complaint. What is returned lives until yaml_file_close, which must be called in either case. */
const yaml_node_t *yaml_file_open(struct yaml_file *file, const char *text, size_t bytes);

/* Frees the nodes, and says how many complaints were left out. Returns error_count. */
int yaml_file_close(struct yaml_file *file);

/* Writes "path:line: text". The first 20 are shown, what cannot be printed is escaped. */
void yaml_file_complain(struct yaml_file *file, const yaml_node_t *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Line of a node, from 1; 1 for NULL. */
size_t yaml_file_line(const yaml_node_t *node);

/* The node that a list or a map refers to. */
const yaml_node_t *yaml_file_node(const struct yaml_file *file, int index);

/* The text of a scalar; NULL for a list, a map, or a text with a NUL in it. */
const char *yaml_file_text(const yaml_node_t *node);

/* Whether it is `key:` with nothing after it, or null. */
bool yaml_file_is_nothing(const yaml_node_t *node);

/* The key of a pair of the map: a scalar that no pair before it has. NULL with a complaint. */
const char *yaml_file_word(struct yaml_file *file, const yaml_node_t *map, const yaml_node_pair_t *pair);

/* Whether the node is a map. If not, and it is not nothing: a complaint with `name` and an example. */
bool yaml_file_is_map(struct yaml_file *file, const char *name, const yaml_node_t *node);

/* Elements of a list; 1 for a scalar, which may stand for a list of itself; 0 for a map. And each of them. */
int yaml_file_count(const yaml_node_t *node);
const yaml_node_t *yaml_file_item(const struct yaml_file *file, const yaml_node_t *node, int index);

#endif
