/* Textures and surfaces as kernels read and write them: images in device memory, and the instructions on them.
 *
 * An image lies in its allocation row by row, without gaps: slices or layers after rows, and levels of detail one after the
 * other. NVIDIA does not document how arrays are laid out, and no program can see it. What a kernel reads of a texture or
 * surface goes through the same checks as a load, and is shown to the same observers.
 */
#ifndef EMULATOR_TEXTURE_H
#define EMULATOR_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/arithmetic/texel.h"

struct warp;
struct operation;

enum { IMAGE_LEVELS = 17 };

/* One level of detail. Sizes are in texels, at least 1. */
struct image_level {
    uint64_t address; /* of the first texel, as the program addresses memory */
    uint64_t row_bytes, slice_bytes;
    uint32_t width, height, depth; /* depth: slices, or layers; of a cube, faces */
};

/* Texels in device memory. */
struct image {
    enum texel_kind kind;
    unsigned channels, channel_bytes; /* 1, 2 or 4; 1, 2 or 4 */
    unsigned dimensions;              /* 1 to 3, without layers */
    bool layered, cube;
    bool linear; /* memory of its own, read by whole coordinates: outside it reads 0 */
    unsigned level_count;
    struct image_level levels[IMAGE_LEVELS];
    uint32_t width, height, depth; /* as they were given at the creation: 0 for a dimension it lacks */
};

/* What a handle in a kernel stands for. */
struct texture {
    struct image image;
    bool is_surface; /* the rest is not used */
    enum texel_outside outside[3];
    bool blends; /* linear filter */
    bool normalized_coordinates, normalized_values, srgb, seamless;
    bool blends_levels;
    float border[4];
    float level_bias, level_low, level_high;
};

/* What an instruction does: the operands of one operation, in the decoder's arena. */
enum texel_instruction { TEXEL_SAMPLE, TEXEL_GATHER, TEXEL_LOAD, TEXEL_STORE, TEXEL_REDUCE, TEXEL_QUERY };
enum texel_mode { TEXEL_TRAPS, TEXEL_CLAMPS, TEXEL_ZEROES };
enum texel_lod { LOD_BASE, LOD_LEVEL, LOD_GRADIENTS };
enum texel_query { QUERY_WIDTH, QUERY_HEIGHT, QUERY_DEPTH };

struct texel_site {
    enum texel_instruction instruction;
    unsigned dimensions; /* of the instruction: 1 to 3, without layers */
    bool layered, cube;
    bool whole;             /* coordinates are .s32 */
    bool integers;          /* results are .u32 or .s32 */
    bool formatted;         /* .p */
    uint32_t coordinate[4]; /* offsets in r: layer first where there are layers, then x, y, z */
    enum texel_lod lod;
    uint32_t level;       /* offset in r */
    uint32_t gradient[6]; /* offsets in r: along x, then along y */
    int32_t offset[3];    /* texels */
    unsigned component;   /* TEXEL_GATHER */
    enum texel_mode mode;
    enum texel_query query;
    unsigned bytes, vector; /* TEXEL_LOAD, TEXEL_STORE and TEXEL_REDUCE: of an element; elements */
};

/* Executes the operation for the active lanes. */
void texture_run(struct warp *warp, const struct operation *operation);

#endif
