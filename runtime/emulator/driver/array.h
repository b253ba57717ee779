/* CUDA arrays, with and without levels of detail. All functions expect the driver's lock to be held. */
#ifndef EMULATOR_ARRAY_H
#define EMULATOR_ARRAY_H

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/machine/texture.h"

struct context;

struct array {
    CUarray handle;
    const struct context *context;
    CUDA_ARRAY3D_DESCRIPTOR descriptor; /* of a level: its own sizes */
    struct image image;                 /* one level */
    CUmipmappedArray parent;            /* whose level it is, and who owns the memory; NULL: it owns its own */
};

/* A part of an array. x and width are in bytes. */
struct array_box {
    size_t x, y, z, width, height, depth;
};

/* The array behind a live handle; NULL. */
struct array *array_find(CUarray handle);

/* All levels of a mipmapped array as one image, and its descriptor (either may be NULL). Returns false when the handle
 * is not live. */
bool array_get_mipmap(CUmipmappedArray handle, struct image *image, CUDA_ARRAY3D_DESCRIPTOR *descriptor);

/* Where a box begins in memory, and how far apart its rows and slices are.
 *   call, verb   for the finding: "cuMemcpy2D", "write"
 * INVALID_HANDLE when there is no such array; INVALID_VALUE, with a finding, when the box does not fit into it. */
CUresult array_find_box(const char *call, const char *verb, CUarray handle, const struct array_box *box, uint64_t *address,
                        uint64_t *row_bytes, uint64_t *slice_bytes);

/* What a format means. Returns false for formats that are not supported. */
bool array_describe_format(CUarray_format format, unsigned channels, struct image *image);

void array_destroy_all(const struct context *context);

#endif
