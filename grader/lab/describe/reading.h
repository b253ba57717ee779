/* A lab.yaml while it is read. Internal to grader/lab/describe. */
#ifndef READING_H
#define READING_H

#include "grader/base/yaml_file.h"
#include "grader/lab/describe/description.h"

struct reading {
    struct yaml_file file;
    struct description *description;
};

/* The type of a kernel's parameter that is a texture over an input. */
#define READING_TEXTURE "cudaTextureObject_t"

#define READING_OPTIONAL false
#define READING_NEEDED   true

/* A row of lab_keys.def. `owner` is what the keys of the scope fill. */
struct reading_key {
    const char *scope, *name;
    bool is_needed;
    void (*read)(struct reading *reading, const yaml_node_t *node, void *owner);
};

/* Reads a map by the keys of a scope. `place` names it in complaints: "budgets[2]". */
void reading_map(struct reading *reading, const char *scope, const char *place, const yaml_node_t *map, void *owner);

/* The value of a key in a map, NULL: it has none. */
const yaml_node_t *reading_find(const struct reading *reading, const yaml_node_t *map, const char *key);

/* Each returns false (NULL) with a complaint that begins with `place`. Texts live as long as the lab. */
const char *reading_text(struct reading *reading, const char *place, const yaml_node_t *node);
bool reading_number(struct reading *reading, const char *place, const yaml_node_t *node, double *number);
bool reading_whole(struct reading *reading, const char *place, const yaml_node_t *node, int64_t least, int64_t most,
                   int64_t *number);
bool reading_switch(struct reading *reading, const char *place, const yaml_node_t *node, bool *is_on);
struct formula *reading_formula(struct reading *reading, const char *place, const yaml_node_t *node, bool in_plan);
enum lab_type reading_type(struct reading *reading, const char *place, const yaml_node_t *node);

/* Up to `most` formulas: a list, or one. Returns how many. */
int reading_formulas(struct reading *reading, const char *place, const yaml_node_t *node, bool in_plan, int most,
                     struct formula **formulas);

/* Index of a name among the lab's; -1: there is none. Without a complaint. */
int reading_find_array(const struct reading *reading, const char *name);
int reading_find_scalar(const struct reading *reading, const char *name);
int reading_find_kernel(const struct reading *reading, const char *name);
int reading_find_plan(const struct reading *reading, const char *name);
int reading_find_values(const struct reading *reading, const char *name);

/* A type by its C spelling, whatever of the usual ones ("unsigned int", "size_t"), or by its name in types.def. LAB_NO_TYPE: there
 * is none. */
enum lab_type reading_find_type(const char *word);

/* Readers of the rows. */
#define KEY(scope, name, need, what) \
    void read_##scope##_##name(struct reading *reading, const yaml_node_t *node, void *owner);
#include "grader/lab/describe/lab_keys.def"
#undef KEY

/* What is derived once everything is read. */
void read_default_plan(struct reading *reading);

#endif
