/* How a library of ours meets the emulated driver: its operands in device memory. */
#ifndef EMULATOR_MATH_OPERAND_H
#define EMULATOR_MATH_OPERAND_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/lockstep_driver.h"

/* The memory of an operand, `rows` rows of `width` bytes, `pitch` bytes apart (one row: pitch is width).
 *   call      the library's function, for findings
 *   stream    the handle's cudaStream_t
 *   pointer   device, pinned or managed memory
 *   access    LOCKSTEP_READ, LOCKSTEP_WRITE or both
 * Returns where it lies in this process, or NULL: the driver has reported why, or is not loaded. Ask for all operands of a
 * call before computing, and read before write where they overlap. */
void *operand(const char *call, void *stream, const void *pointer, uint64_t width, uint64_t pitch, uint64_t rows,
              int access);

/* The same for rows of which each is `growth` bytes longer than the one before it (negative: shorter). */
void *operand_growing(const char *call, void *stream, const void *pointer, uint64_t width, int64_t growth, uint64_t pitch,
                      uint64_t rows, int access);

/* Makes the first device's primary context current in a thread that has none, as NVIDIA's libraries do. Returns whether the
 * thread has one now. */
bool operand_context(void);

/* Whether the driver knows the pointer as device, pinned or managed memory: for functions whose scalars lie at either side. */
bool operand_is_known(const void *pointer);

/* Says on stderr, once for each name, that the library has no such function, or does not offer this `what` of it:
 * "cublasLtMatmul", "the type CUDA_R_8F_E4M3 in cublasGemmEx". */
void refuse(const char *library, const char *what);

#endif
