#include "runtime/emulator/driver/capture_port.h"

const struct capture_port *capture_port;

CUresult capture_allow(enum capture_call call, CUstream stream)
{
    return capture_port ? capture_port->allow(call, stream) : CUDA_SUCCESS;
}

CUresult capture_allow_event(CUevent event)
{
    return capture_port ? capture_port->allow_event(event) : CUDA_SUCCESS;
}
