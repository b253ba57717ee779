/* The test runner knows the kit's labs, as build/lockstep does. */
#include <stdlib.h>

#include "grader/lab/describe/lab_list.h"

__attribute__((constructor)) static void open_labs(void)
{
    if (!lab_list_open(NULL, 0, stderr))
        abort();
}
