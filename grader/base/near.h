/* "Did you mean …?": the known word that a mistyped one is nearest to. */
#ifndef NEAR_H
#define NEAR_H

#include <stddef.h>

/* The name that needs the fewest changes to become `word`: a letter more, less or another, or two neighbours exchanged. Case
 * does not count, and a name that begins with three or more letters of `word` is one change away. NULL when every name needs
 * more than a third of its letters changed.
 *   names   [count], borrowed; the first of several that are equally near is taken */
const char *near_find(const char *word, const char *const *names, size_t count);

#endif
