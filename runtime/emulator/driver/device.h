/* What the devices report about themselves, for the files that answer on behalf of another call. */
#ifndef EMULATOR_DEVICE_H
#define EMULATOR_DEVICE_H

#include "runtime/cuda/driver_api.h"

/* Writes an attribute (device_attributes.def). INVALID_VALUE: there is none of that number. Expects the driver's lock to be
 * held. */
CUresult device_get_attribute(CUdevice device, int attribute, int *value);

#endif
