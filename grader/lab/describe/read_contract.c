/* What the student writes, and over which arrays: title, sizes, scalars, kernels, arrays. */
#include <stdio.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/lab/describe/reading.h"
#include "grader/lab/types.h"

void read_LAB_title(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    reading->description->lab.title = reading_text(reading, "title", node);
}

void read_LAB_needs(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    char *needs = NULL;
    size_t bytes = 0;
    FILE *list = open_memstream(&needs, &bytes);
    for (int i = 0; i < yaml_file_count(node); i++) {
        const yaml_node_t *item = yaml_file_item(&reading->file, node, i);
        const char *name = yaml_file_text(item);
        if (name && name[0] != '\0')
            fprintf(list, "%s%s", i > 0 ? ", " : "", name);
        else
            yaml_file_complain(&reading->file, item, "needs: expected a text.");
    }
    fclose(list);
    reading->description->lab.needs = needs;
}

void read_LAB_teaches(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    reading->description->lab.teaches = reading_text(reading, "teaches", node);
}

void read_LAB_handout(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    reading->description->lab.handout = reading_text(reading, "handout", node);
}

void read_LAB_precision(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    const char *text = yaml_file_text(node);
    reading->description->in_double = text && strcmp(text, "double") == 0;
    if (!reading->description->in_double && (!text || strcmp(text, "float") != 0))
        yaml_file_complain(&reading->file, node, "precision: expected double or float.");
}

void read_LAB_device_runtime(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    reading_switch(reading, "device_runtime", node, &reading->description->lab.device_runtime);
}

void read_LAB_elementwise(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    reading_switch(reading, "elementwise", node, &reading->description->lab.elementwise);
}

void read_LAB_sizes(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    struct description *description = reading->description;
    int count = yaml_file_count(node);
    if (count < 1 || count > LAB_MAX_SIZES) {
        yaml_file_complain(&reading->file, node, "sizes: expected 1 to %d names, such as [rows, columns].", LAB_MAX_SIZES);
        return;
    }
    for (int i = 0; i < count; i++) {
        const char *name = reading_text(reading, "sizes", yaml_file_item(&reading->file, node, i));
        if (!name)
            return;
        description->variables[i] = description->lab.size_names[i] = name;
    }
    description->size_count = count;
}

/* ---- scalars ---------------------------------------------------------------------------------------------------------- */

void read_SCALAR_type(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_scalar *scalar = owner;
    scalar->type = reading_type(reading, scalar->name, node);
}

void read_LAB_scalars(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    struct description *description = reading->description;
    if (!yaml_file_is_map(&reading->file, "scalars", node))
        return;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        const char *name = yaml_file_word(&reading->file, node, pair);
        const yaml_node_t *value = yaml_file_node(&reading->file, pair->value);
        if (!name)
            continue;
        if (description->lab.scalar_count == LAB_MAX_SCALARS) {
            yaml_file_complain(&reading->file, node, "scalars: more than %d.", LAB_MAX_SCALARS);
            return;
        }
        struct lab_scalar *scalar = &description->scalars[description->lab.scalar_count++];
        scalar->name = allocate_text(name, strlen(name));
        if (value->type == YAML_MAPPING_NODE)
            reading_map(reading, "SCALAR", name, value, scalar);
        else
            scalar->type = reading_type(reading, name, value);
    }
}

/* ---- kernels ---------------------------------------------------------------------------------------------------------- */

void read_KERNEL_signature(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_kernel *kernel = owner;
    struct description *description = reading->description;
    struct prototype *prototype = &description->prototypes[kernel - description->kernels];
    char message[256];
    const char *text = reading_text(reading, "signature", node);
    if (!text)
        return;
    if (!prototype_read(text, prototype, message, sizeof message)) {
        yaml_file_complain(&reading->file, node, "%s: %s.", text, message);
        return;
    }
    kernel->signature = text;
    kernel->name = prototype->name;
    for (int i = 0; i < prototype->parameter_count; i++)
        if (reading_find_type(prototype->parameters[i].type) == LAB_NO_TYPE
            && strcmp(prototype->parameters[i].type, READING_TEXTURE) != 0)
            yaml_file_complain(&reading->file, node, "%s: %s is not a type that a lab's kernel can take.", text,
                               prototype->parameters[i].type);
}

void read_KERNEL_block(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_kernel *kernel = owner;
    int count = yaml_file_count(node);
    int64_t threads = 1;
    if (count < 1 || count > 3) {
        yaml_file_complain(&reading->file, node, "block: expected 1 to 3 numbers, such as 256 or [16, 16].");
        return;
    }
    for (int i = 0; i < 3; i++) {
        int64_t side = 1;
        if (i < count && !reading_whole(reading, "block", yaml_file_item(&reading->file, node, i), 1, 1024, &side))
            return;
        kernel->block[i] = (uint32_t)side;
        threads *= side;
    }
    if (threads > 1024)
        yaml_file_complain(&reading->file, node, "block: %lld threads; a block has at most 1024.", (long long)threads);
}

void read_KERNEL_covers(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_kernel *kernel = owner;
    struct description *description = reading->description;
    struct formula **covers = description->covers[kernel - description->kernels];
    kernel->dimensions = reading_formulas(reading, "covers", node, true, 3, covers);
}

void read_KERNEL_fixed(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_kernel *kernel = owner;
    reading_switch(reading, "fixed", node, &kernel->fixed_block);
}

void read_KERNEL_threads(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_kernel *kernel = owner;
    int64_t ends[2] = {0, 0};
    if (yaml_file_count(node) != 2) {
        yaml_file_complain(&reading->file, node, "threads: expected the fewest and the most, such as [64, 512].");
        return;
    }
    for (int i = 0; i < 2; i++)
        if (!reading_whole(reading, "threads", yaml_file_item(&reading->file, node, i), 1, 1024, &ends[i]))
            return;
    kernel->least_threads = (uint32_t)ends[0];
    kernel->most_threads = (uint32_t)ends[1];
    if (ends[0] > ends[1])
        yaml_file_complain(&reading->file, node, "threads: the fewest are more than the most.");
}

void read_KERNEL_multiple_of(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_kernel *kernel = owner;
    int64_t number;
    if (reading_whole(reading, "multiple_of", node, 1, 1024, &number))
        kernel->threads_multiple_of = (uint32_t)number;
}

void read_KERNEL_chooses_grid(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_kernel *kernel = owner;
    reading_switch(reading, "chooses_grid", node, &kernel->chooses_grid);
}

/* What a kernel's entry leaves open. */
static void complete_kernel(struct reading *reading, struct lab_kernel *kernel, const yaml_node_t *node)
{
    struct description *description = reading->description;
    struct formula **covers = description->covers[kernel - description->kernels];
    char message[256];
    if (!covers[0] && description->size_count == 1) {
        covers[0] = formula_create(description->variables[0], description->variables, 1, message, sizeof message);
        kernel->dimensions = 1;
    } else if (!covers[0]) {
        yaml_file_complain(&reading->file, node,
                           "%s: covers is missing: which elements do its threads cover? Such as [%s, %s], x first.",
                           kernel->name, description->variables[1], description->variables[0]);
    }
    if (kernel->block[0] == 0) {
        uint32_t side = kernel->dimensions == 1 ? 256 : kernel->dimensions == 2 ? 16 : 8;
        for (int i = 0; i < 3; i++)
            kernel->block[i] = i < kernel->dimensions ? side : 1;
    }
}

void read_LAB_kernels(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    struct description *description = reading->description;
    int count = yaml_file_count(node);
    if (count < 1 || count > LAB_MAX_ALL_KERNELS) {
        yaml_file_complain(&reading->file, node, "kernels: expected a list of 1 to %d.", LAB_MAX_ALL_KERNELS);
        return;
    }
    for (int i = 0; i < count; i++) {
        const yaml_node_t *item = yaml_file_item(&reading->file, node, i);
        struct lab_kernel *kernel = &description->kernels[i];
        char place[32];
        snprintf(place, sizeof place, "kernels[%d]", i);
        if (item->type == YAML_MAPPING_NODE)
            reading_map(reading, "KERNEL", place, item, kernel);
        else
            read_KERNEL_signature(reading, item, kernel);
        if (!kernel->name)
            kernel->name = "";
        else if (reading_find_kernel(reading, kernel->name) >= 0)
            yaml_file_complain(&reading->file, item, "kernels: %s is there twice.", kernel->name);
        description->lab.kernel_count = i + 1;
        complete_kernel(reading, kernel, item);
    }
}

/* ---- arrays ----------------------------------------------------------------------------------------------------------- */

void read_ARRAY_shape(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_array *array = owner;
    ptrdiff_t index = array - reading->description->arrays;
    reading->description->ranks[index] = reading_formulas(reading, array->name, node, false, 3,
                                                          reading->description->shapes[index]);
}

void read_ARRAY_type(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_array *array = owner;
    array->type = reading_type(reading, array->name, node);
}

void read_ARRAY_role(struct reading *reading, const yaml_node_t *node, void *owner)
{
    static const char *const roles[] = {[LAB_INPUT] = "input", [LAB_OUTPUT] = "output", [LAB_IN_PLACE] = "in place"};
    struct lab_array *array = owner;
    const char *text = yaml_file_text(node);
    for (int i = 0; i < 3; i++)
        if (text && strcmp(text, roles[i]) == 0) {
            array->role = (enum lab_role)i;
            return;
        }
    yaml_file_complain(&reading->file, node, "%s: role: expected input, output or in place.", array->name);
}

void read_ARRAY_picture(struct reading *reading, const yaml_node_t *node, void *owner)
{
    struct lab_array *array = owner;
    const char *text = yaml_file_text(node);
    array->picture = text && strcmp(text, "rgb") == 0 ? LAB_RGB : LAB_GREY;
    if (!text || (array->picture == LAB_GREY && strcmp(text, "grey") != 0))
        yaml_file_complain(&reading->file, node, "%s: picture: expected grey or rgb.", array->name);
}

/* Type and role as the kernels' parameters of that name have them. */
static void take_from_kernels(struct reading *reading, struct lab_array *array)
{
    struct description *description = reading->description;
    array->role = LAB_INPUT;
    for (int k = description->lab.kernel_count - 1; k >= 0; k--) {
        const struct prototype *prototype = &description->prototypes[k];
        int at = prototype_find(prototype, array->name);
        if (at < 0 || !prototype->parameters[at].is_pointer)
            continue; /* a texture does not tell the type of its elements */
        array->type = reading_find_type(prototype->parameters[at].type);
        if (!prototype->parameters[at].is_const)
            array->role = LAB_OUTPUT;
    }
}

void read_LAB_arrays(struct reading *reading, const yaml_node_t *node, void *owner)
{
    (void)owner;
    struct description *description = reading->description;
    if (!yaml_file_is_map(&reading->file, "arrays", node))
        return;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        const char *name = yaml_file_word(&reading->file, node, pair);
        const yaml_node_t *value = yaml_file_node(&reading->file, pair->value);
        if (!name)
            continue;
        if (description->lab.array_count == LAB_MAX_ARRAYS) {
            yaml_file_complain(&reading->file, node, "arrays: more than %d.", LAB_MAX_ARRAYS);
            return;
        }
        struct lab_array *array = &description->arrays[description->lab.array_count++];
        array->name = allocate_text(name, strlen(name));
        take_from_kernels(reading, array);
        if (value->type == YAML_MAPPING_NODE)
            reading_map(reading, "ARRAY", name, value, array);
        else
            read_ARRAY_shape(reading, value, array);
        if (array->type == LAB_NO_TYPE)
            yaml_file_complain(&reading->file, value, "%s: type is missing, since no kernel has a pointer of this name.",
                               name);
        if (array->picture != LAB_NO_PICTURE
            && (array->type != LAB_UINT8 || description->ranks[array - description->arrays] < 2))
            yaml_file_complain(&reading->file, value, "%s: a picture has rows and columns of unsigned char.", name);
    }
}
