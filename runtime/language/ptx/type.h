/* The fundamental types of PTX (PTX ISA, Fundamental Types). */
#ifndef PTX_TYPE_H
#define PTX_TYPE_H

#include <stdbool.h>
#include <stddef.h>

enum ptx_type {
    PTX_NONE,
#define TYPE(id, text, bytes, kind) PTX_##id,
#include "runtime/language/ptx/types.def"
#undef TYPE
    PTX_TYPE_COUNT
};

enum ptx_kind { KIND_PRED, KIND_BITS, KIND_UNSIGNED, KIND_SIGNED, KIND_FLOAT };

/* Finds the type spelled `text` [length], without the dot. PTX_NONE when there is none. */
enum ptx_type ptx_type_find(const char *text, size_t length);

const char *ptx_type_name(enum ptx_type type);
unsigned ptx_type_bytes(enum ptx_type type); /* in memory; 0 for pred */
enum ptx_kind ptx_type_kind(enum ptx_type type);

#endif
