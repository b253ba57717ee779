/* The parameters of nodes between the driver API's structures and the work of a node. All functions expect the driver's
 * lock to be held. */
#ifndef EMULATOR_NODE_PARAMETERS_H
#define EMULATOR_NODE_PARAMETERS_H

#include <stdbool.h>

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/graph/node_work.h"

struct context;

/* The structure of CUDA 12 with the contents of the older one; all zero for NULL. */
CUDA_KERNEL_NODE_PARAMS node_parameters_newer(const CUDA_KERNEL_NODE_PARAMS_v1 *older);

/* Work from parameters. INVALID_VALUE for NULL and for what cannot be; the parameters of a kernel are copied. */
CUresult node_parameters_kernel(const struct context *current, const CUDA_KERNEL_NODE_PARAMS *wanted,
                                struct node_work *work);
CUresult node_parameters_copy(CUcontext context, const CUDA_MEMCPY3D *wanted, struct node_work *work);
CUresult node_parameters_fill(CUcontext context, const CUDA_MEMSET_NODE_PARAMS *wanted, struct node_work *work);

/* Work from the structure for any kind but child graphs and memory, to replace that of a node. */
CUresult node_parameters_any(const struct context *current, const CUgraphNodeParams *wanted, struct node_work *work);

/* Parameters from work. Pointers lead into the node and are valid until it changes. */
CUDA_KERNEL_NODE_PARAMS node_parameters_of_kernel(const struct node_work *work);

/* Are all members zero that must be? */
bool node_parameters_are_clean(const CUgraphNodeParams *wanted);

#endif
