/* The ranges of copies and fills that become nodes, checked when the node is made: NVIDIA's driver does so too, and the place
 * that is wrong is nearer. They are checked again in each launch. All functions expect the driver's lock to be held. */
#ifndef EMULATOR_NODE_RANGE_H
#define EMULATOR_NODE_RANGE_H

#include "runtime/cuda/driver_api.h"

/* Do all bytes lie inside memory that exists, or that a node will allocate?
 *   what   the subject of a finding's sentence: "A memcpy node"
 * Returns INVALID_VALUE, with a finding, if not. */
CUresult node_range_check_copy(const char *what, const CUDA_MEMCPY3D *copy);
CUresult node_range_check_fill(const char *what, const CUDA_MEMSET_NODE_PARAMS *fill);

#endif
