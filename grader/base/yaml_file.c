#include "grader/base/yaml_file.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/printable.h"

#define ERRORS_MAX 20

static void complain_at(struct yaml_file *file, size_t line, const char *format, va_list arguments)
{
    char *text = NULL, shown[1024] = "";
    if (file->error_count++ >= ERRORS_MAX)
        return;
    if (vasprintf(&text, format, arguments) >= 0)
        printable_append(shown, sizeof shown, text, strlen(text));
    free(text);
    fprintf(file->errors, "%s:%zu: %s\n", file->path, line, shown);
}

void yaml_file_complain(struct yaml_file *file, const yaml_node_t *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain_at(file, yaml_file_line(node), format, arguments);
    va_end(arguments);
}

static void complain_on_line(struct yaml_file *file, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void complain_on_line(struct yaml_file *file, size_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain_at(file, line, format, arguments);
    va_end(arguments);
}

static void refuse_second(struct yaml_file *file, yaml_parser_t *parser)
{
    yaml_document_t more;
    if (!yaml_parser_load(parser, &more))
        return;
    const yaml_node_t *second = yaml_document_get_root_node(&more);
    if (second)
        yaml_file_complain(file, second, "a second document begins here (---); %s has only one.", file->kind);
    yaml_document_delete(&more);
}

const yaml_node_t *yaml_file_open(struct yaml_file *file, const char *text, size_t bytes)
{
    yaml_parser_t parser;
    const yaml_node_t *root = NULL;
    memset(&file->document, 0, sizeof file->document);
    if (!yaml_parser_initialize(&parser)) {
        complain_on_line(file, 1, "not enough memory to read it.");
        return NULL;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, bytes);
    if (!yaml_parser_load(&parser, &file->document)) {
        complain_on_line(file, parser.problem_mark.line + 1,
                         "not YAML: %s%s%s. Indentation matters, and must not contain tabs.",
                         parser.context ? parser.context : "", parser.context ? ", " : "",
                         parser.problem ? parser.problem : "unreadable");
        memset(&file->document, 0, sizeof file->document);
    } else {
        root = yaml_document_get_root_node(&file->document);
        if (root) /* NULL: the file is empty or has comments only */
            refuse_second(file, &parser);
    }
    yaml_parser_delete(&parser);
    return root;
}

int yaml_file_close(struct yaml_file *file)
{
    yaml_document_delete(&file->document);
    if (file->error_count > ERRORS_MAX)
        fprintf(file->errors, "%s: and %d more mistakes\n", file->path, file->error_count - ERRORS_MAX);
    return file->error_count;
}

size_t yaml_file_line(const yaml_node_t *node)
{
    return node ? node->start_mark.line + 1 : 1;
}

const yaml_node_t *yaml_file_node(const struct yaml_file *file, int index)
{
    return yaml_document_get_node((yaml_document_t *)&file->document, index);
}

const char *yaml_file_text(const yaml_node_t *node)
{
    if (node->type != YAML_SCALAR_NODE || strlen((const char *)node->data.scalar.value) != node->data.scalar.length)
        return NULL;
    return (const char *)node->data.scalar.value;
}

bool yaml_file_is_nothing(const yaml_node_t *node)
{
    const char *text = yaml_file_text(node);
    return text && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE
           && (text[0] == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0);
}

const char *yaml_file_word(struct yaml_file *file, const yaml_node_t *map, const yaml_node_pair_t *pair)
{
    const yaml_node_t *node = yaml_file_node(file, pair->key);
    const char *word = yaml_file_text(node);
    if (!word) {
        yaml_file_complain(file, node, "a key must be a single word.");
        return NULL;
    }
    for (const yaml_node_pair_t *before = map->data.mapping.pairs.start; before < pair; before++) {
        const yaml_node_t *other = yaml_file_node(file, before->key);
        if (yaml_file_text(other) && strcmp(yaml_file_text(other), word) == 0) {
            yaml_file_complain(file, node, "%.100s is given twice; the first is on line %zu.", word, yaml_file_line(other));
            return NULL;
        }
    }
    return word;
}

bool yaml_file_is_map(struct yaml_file *file, const char *name, const yaml_node_t *node)
{
    if (node->type == YAML_MAPPING_NODE)
        return true;
    if (!yaml_file_is_nothing(node))
        yaml_file_complain(file, node, "%s: expected keys with values, indented, such as \"points: 2\".", name);
    return false;
}

int yaml_file_count(const yaml_node_t *node)
{
    if (node->type == YAML_SEQUENCE_NODE)
        return (int)(node->data.sequence.items.top - node->data.sequence.items.start);
    return node->type == YAML_SCALAR_NODE && !yaml_file_is_nothing(node);
}

const yaml_node_t *yaml_file_item(const struct yaml_file *file, const yaml_node_t *node, int index)
{
    return node->type == YAML_SEQUENCE_NODE ? yaml_file_node(file, node->data.sequence.items.start[index]) : node;
}
