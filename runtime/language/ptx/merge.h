/* Linking: several modules become the text of one. */
#ifndef PTX_MERGE_H
#define PTX_MERGE_H

#include "runtime/language/ptx/module.h"

/* A module to be linked, and what to call it in messages. */
struct ptx_input {
    struct ptx_module *module;
    const char *name;
};

enum ptx_merge_status { PTX_MERGE_OK, PTX_MERGE_CONFLICT, PTX_MERGE_OUT_OF_MEMORY };

/* Is a name defined for all modules (.visible) in more than one? Returns PTX_MERGE_CONFLICT with a line for each such name.
 */
enum ptx_merge_status ptx_merge_check(const struct ptx_input *inputs, size_t count, struct diagnostic *diagnostic);

/* Merges the modules; their names and file numbers change on the way.
 *   provided   does the driver provide a function of this name (vprintf)?
 *   text       out: PTX with a NUL; the caller frees it; an empty module when count is 0
 *   length     out: bytes without the NUL
 * A declaration is bound to the definition of its name in another module; of .weak definitions the first one is kept,
 * and none beside a .visible one; other items are private to their module. Returns PTX_MERGE_CONFLICT when a name has two
 * definitions or none. */
enum ptx_merge_status ptx_merge(const struct ptx_input *inputs, size_t count, bool (*provided)(const char *name),
                                char **text, size_t *length, struct diagnostic *diagnostic);

#endif
