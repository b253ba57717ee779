/* Statements that are legal and do something else than they look like: a parameter that is a copy, a sum that is a factor, a
 * loop that passes its end, a pointer that counts other units than its elements. Internal to the runtime. */
#ifndef RUNTIME_ADVICE_MEANT_H
#define RUNTIME_ADVICE_MEANT_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/language/source.h"

struct advice_remark {
    const char *kind; /* of the mistake, as in labs/hints.md: "compile KIND" */
    const struct source_token *token;
    char words[256];
};

/* Does such a statement begin at token `at`? */
bool advice_meant(const struct source *source, size_t at, struct advice_remark *remark);

#endif
