/* Names and texts of result codes. */
#include "runtime/emulator/driver/entry_points.h"

static const struct {
    CUresult result;
    const char *name, *text;
} results[] = {
#define RESULT(name, number, text) {name, #name, text},
#include "runtime/cuda/driver_results.def"
#undef RESULT
};

enum { RESULT_COUNT = sizeof results / sizeof results[0] };

static int find(CUresult result)
{
    for (int i = 0; i < RESULT_COUNT; i++) {
        if (results[i].result == result)
            return i;
    }
    return -1;
}

CUresult cuGetErrorName(CUresult result, const char **name)
{
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    int row = find(result);
    *name = row < 0 ? NULL : results[row].name;
    return row < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult result, const char **text)
{
    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    int row = find(result);
    *text = row < 0 ? NULL : results[row].text;
    return row < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
