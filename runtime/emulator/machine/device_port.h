/* What the device runtime (device_calls.def) needs of the driver: a table that comes with the launch. All functions expect
 * the driver's lock to be held, as a launch does. Errors are those of the runtime API, whose numbers the driver shares. */
#ifndef EMULATOR_DEVICE_PORT_H
#define EMULATOR_DEVICE_PORT_H

#include <stdbool.h>
#include <stdint.h>

struct program_function;

enum { DEVICE_FUNCTION_WORDS = 10 }; /* 32 bits each, of cudaFuncAttributes: an H200 leaves the rest as it is */

/* Rows of `width` bytes, `height` in a slice, `depth` slices; pitches in bytes, slices in rows. */
struct device_box {
    uint64_t to, to_pitch, to_slice;
    uint64_t from, from_pitch, from_slice; /* of a copy */
    uint32_t value;                        /* of a fill: its lowest byte */
    uint64_t width, height, depth;
};

struct device_port {
    int (*device_count)(void);
    int (*runtime_version)(void);
    /* cudaDeviceGetAttribute, cudaDeviceGetLimit: 0 or an error. */
    int (*attribute)(int attribute, int device, int *value);
    int (*limit)(int limit, uint64_t *value);
    /* What cudaFuncGetAttributes writes. */
    void (*function_words)(const struct program_function *kernel, uint32_t words[DEVICE_FUNCTION_WORDS]);
    /* CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as the host has set it; 0: never set. */
    uint32_t (*dynamic_shared_limit)(const struct program_function *kernel);
    /* Device address of the name or the text of an error; 0: no memory. */
    uint64_t (*error_name)(int error);
    uint64_t (*error_text)(int error);
    /* Copies, fills: 0, or an error with a finding. `call` names it there. */
    int (*copy)(const char *call, const struct device_box *box);
    int (*fill)(const char *call, const struct device_box *box);
};

#endif
