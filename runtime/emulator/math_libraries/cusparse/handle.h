/* Which handles live. */
#ifndef EMULATOR_CUSPARSE_HANDLE_H
#define EMULATOR_CUSPARSE_HANDLE_H

#include "runtime/emulator/math_libraries/cusparse/cusparse.h"

/* Is it a handle that cusparseCreate made and cusparseDestroy has not destroyed? */
bool sparse_handle_lives(const struct sparse_handle *handle);

#endif
