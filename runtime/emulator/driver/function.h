/* Attributes of functions, for the entry points on CUfunction and on CUkernel. All functions expect the driver's lock to be
 * held. */
#ifndef EMULATOR_FUNCTION_H
#define EMULATOR_FUNCTION_H

#include "runtime/emulator/driver/module.h"

CUresult function_get_attribute(const struct function *function, CUfunction_attribute attribute, int *value);
CUresult function_set_attribute(struct function *function, CUfunction_attribute attribute, int value);

/* Offset and size of a parameter; `bytes` may be NULL. INVALID_VALUE past the last one. */
CUresult function_get_parameter(const struct function *function, size_t index, size_t *offset, size_t *bytes);

#endif
