/* What this machine has to build and run programs with. */
#ifndef PROGRAM_TOOLS_H
#define PROGRAM_TOOLS_H

#include <stdbool.h>

enum { TOOLS_PATH_BYTES = 4096 };

/* Folder of the CUDA toolkit that has bin/nvcc: CUDA_PATH, CUDA_HOME, that of the nvcc in the PATH, /usr/local/cuda.
 * Returns false when there is none; LOCKSTEP_NVCC=none: as if there were none. */
bool tools_find_toolkit(char folder[TOOLS_PATH_BYTES]);

/* Folder of the emulated driver: LOCKSTEP_EMULATED_DRIVER, else emulated/ beside this program. Returns false when there
 * is none. */
bool tools_find_driver(char folder[TOOLS_PATH_BYTES]);

#endif
