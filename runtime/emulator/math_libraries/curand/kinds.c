#include "runtime/emulator/math_libraries/curand/generator.h"

static const struct kind *const kinds[] = {&xorwow, &mrg32k3a, &philox4_32_10, &sobol32, &sobol64};

const struct kind *kind_find(int type)
{
    if (type == TYPE_PSEUDO_DEFAULT)
        type = TYPE_XORWOW;
    if (type == TYPE_QUASI_DEFAULT)
        type = TYPE_SOBOL32;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i]->type == type)
            return kinds[i];
    return NULL;
}
