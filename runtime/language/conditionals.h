/* What the preprocessor's conditionals leave out of a source, so that no reader sees what the compiler does not.
 *
 * Only `#if 0` and `#if 1` are decided here. Every other condition is the compiler's to decide, with all macros that it and
 * its headers define: it is asked with a source that has only the directives of the text, and a #warning in each group.
 */
#ifndef RUNTIME_CONDITIONALS_H
#define RUNTIME_CONDITIONALS_H

#include <stdbool.h>
#include <stddef.h>

struct conditionals;

/* Finds the groups of text [bytes], which ends in NUL and is borrowed. NULL when memory is short. */
struct conditionals *conditionals_read(const char *text, size_t bytes);
void conditionals_destroy(struct conditionals *conditionals);

/* Is there nothing to ask: no condition but 0 and 1? */
bool conditionals_are_certain(const struct conditionals *conditionals);

/* The source to ask the compiler with; the caller frees it. NULL when memory is short, or when the answer would not hold for
 * the text itself: a condition may depend on __COUNTER__, or on a __LINE__ that #line changes. */
char *conditionals_ask(const struct conditionals *conditionals);

/* Takes the compiler's messages about that source. Returns false when they are not complete: then nothing is decided. */
bool conditionals_answer(struct conditionals *conditionals, const char *log);

/* Puts blanks for every group that is known to be left out into a copy of the text. Lines and columns stay. Returns whether
 * there is such a group with anything in it. */
bool conditionals_blank(const struct conditionals *conditionals, char *copy);

#endif
