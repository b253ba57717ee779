/* Functions of CUDA's device runtime, called by a lane: device_calls.def. */
#ifndef EMULATOR_DEVICE_CALLS_H
#define EMULATOR_DEVICE_CALLS_H

#include <stdint.h>

#include "runtime/emulator/machine/warp.h"

/* What the driver's PTX calls for a function that writes something: this and the name, with the same parameters. The
 * answer is 16 bytes: the error, and, in the last 8, what is to be stored. A function that writes more takes the number of
 * a word of 32 bits as well, and is called for each. */
#define DEVICE_ANSWER_PREFIX "__lockstep_device_"

/* A row of device_calls.def. */
struct device_call {
    const char *name, *parameters;
    uint32_t out_bytes;
};
/* All rows; *count: how many. */
const struct device_call *device_calls_list(unsigned *count);

/* The number of the function that a program calls by that name, from 0, or -1 when there is none, also where a row writes
 * something and so is called through the driver's PTX. */
int device_call_find(const char *name);

/* Does a call pass what the function takes? */
struct ptx_function;
bool device_call_fits(int number, const struct ptx_function *declared);

/* Runs it for one lane. answer: what it returns, or the error and what is to be stored. */
void device_call_run(int number, struct warp *warp, const struct operation *operation, unsigned lane, uint64_t answer[2]);

#endif
