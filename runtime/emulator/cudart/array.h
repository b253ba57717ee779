/* Formats of arrays: the runtime counts bits of each component, the driver names the type and counts components. */
#ifndef EMULATOR_CUDART_ARRAY_H
#define EMULATOR_CUDART_ARRAY_H

#include <stddef.h>

#include "runtime/cuda/driver_api.h"

/* Bytes of an element of an array with one of the formats that the driver takes. */
size_t array_element_bytes(const CUDA_ARRAY3D_DESCRIPTOR *descriptor);

#endif
