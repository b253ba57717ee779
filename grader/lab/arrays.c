#include "grader/lab/arrays.h"

size_t arrays_element_bytes(const struct lab *lab, int index)
{
    return types_get(lab->arrays[index].type)->bytes;
}

size_t arrays_bytes(const struct lab *lab, const struct lab_case *the_case, int index)
{
    return lab->extent(lab, the_case, index) * arrays_element_bytes(lab, index);
}

size_t arrays_elements(const struct lab *lab, const struct lab_case *the_case)
{
    size_t elements = 0;
    for (int i = 0; i < lab->array_count; i++)
        elements += lab->extent(lab, the_case, i);
    return elements;
}

void arrays_fill(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    lab->fill(lab, the_case, random, data);
    for (int i = 0; i < lab->scalar_count; i++) {
        enum lab_type type = lab->scalars[i].type;
        uint64_t element = 0;
        if (types_is_float(type)) {
            types_set_float(type, &element, 0, data->scalar[i].f);
            data->scalar[i].f = types_get_float(type, &element, 0);
        } else {
            types_set_integer(type, &element, 0, data->scalar[i].i);
            data->scalar[i].i = types_get_integer(type, &element, 0);
        }
    }
}
