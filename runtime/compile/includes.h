/* What a source includes, as far as the text shows it. Internal to the runtime.
 *
 * The module cache must know whether the result depends on files that its key does not cover. This is a scan, not a
 * preprocessor: whatever it does not recognise (macros in #include, __has_include) counts as "unknown".
 */
#ifndef RUNTIME_INCLUDES_H
#define RUNTIME_INCLUDES_H

#include <stdbool.h>
#include <stddef.h>

struct includes {
    bool foreign;   /* asks for a header that is not one of the kit's stand-ins, or for something unknown */
    bool cacheable; /* every header is a stand-in, or comes from the toolkit that belongs to the compiler */
};

/* Scans source[bytes]. A header beside the source file (or in the working folder) is the user's own and makes the source
 * uncacheable; it is looked for only when check_files. */
struct includes includes_scan(const char *source, size_t bytes, const char *file_name, bool check_files);

#endif
