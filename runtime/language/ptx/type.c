#include "runtime/language/ptx/type.h"

#include <string.h>

static const struct {
    const char *name;
    unsigned bytes;
    enum ptx_kind kind;
} types[PTX_TYPE_COUNT] = {
    [PTX_NONE] = {"", 0, KIND_BITS},
#define TYPE(id, text, size, category) [PTX_##id] = {text, size, category},
#include "runtime/language/ptx/types.def"
#undef TYPE
};

enum ptx_type ptx_type_find(const char *text, size_t length)
{
    for (int type = PTX_NONE + 1; type < PTX_TYPE_COUNT; type++)
        if (strlen(types[type].name) == length && memcmp(types[type].name, text, length) == 0)
            return (enum ptx_type)type;
    return PTX_NONE;
}

const char *ptx_type_name(enum ptx_type type)
{
    return types[type].name;
}

unsigned ptx_type_bytes(enum ptx_type type)
{
    return types[type].bytes;
}

enum ptx_kind ptx_type_kind(enum ptx_type type)
{
    return types[type].kind;
}
