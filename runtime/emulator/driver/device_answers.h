/* What the device runtime of a running kernel asks the driver: machine/device_port.h. */
#ifndef EMULATOR_DEVICE_ANSWERS_H
#define EMULATOR_DEVICE_ANSWERS_H

#include "runtime/emulator/machine/device_port.h"

struct context;

/* The table for launches in that context: one launch runs at a time. */
const struct device_port *device_answers_for(const struct context *context);

#endif
