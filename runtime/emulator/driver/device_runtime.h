/* NVIDIA's device runtime (libcudadevrt.a): what the emulated driver has in its place. */
#ifndef EMULATOR_DEVICE_RUNTIME_H
#define EMULATOR_DEVICE_RUNTIME_H

#include <stdbool.h>

struct ptx_module;

/* Is this a module of NVIDIA's own library? It calls functions that only NVIDIA's driver has, so it takes no part in a
 * link. */
bool device_runtime_is_nvidias(const struct ptx_module *module);

/* Does the module call a function that the text below defines? */
bool device_runtime_is_called(const struct ptx_module *module);

/* PTX text with the functions behind a grid's barrier, cudaCGGetIntrinsicHandle and cudaCGSynchronize, and those of
 * machine/device_calls.def that write something. They are weak: a definition of the program's own is preferred. The others
 * the machine provides. Malloc'd; NULL when out of memory. */
char *device_runtime_create_text(void);

#endif
