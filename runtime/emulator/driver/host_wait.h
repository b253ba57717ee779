/* Kernels that may wait for the host: late.h. */
#ifndef EMULATOR_HOST_WAIT_H
#define EMULATOR_HOST_WAIT_H

#include <stdbool.h>
#include <stdint.h>

struct ptx_module;
struct ptx_function;

/* May the kernel wait for a change that the host makes? Does a loop of it read memory that the host shares as volatile, in an
 * order with other threads, or in an atomic operation of the whole system? Where addresses come from is followed through
 * registers of 64 bits; of functions that the kernel calls, everything is believed.
 *   is_shared   the parameter of the launch at this offset of the parameter block is an address in memory that the host
 *               shares; `data` is handed to it */
bool host_wait_is_possible(const struct ptx_module *module, const struct ptx_function *kernel,
                           bool (*is_shared)(const void *data, uint64_t offset), const void *data);

#endif
