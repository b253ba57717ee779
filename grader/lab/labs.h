/* The labs that the grader knows, in the order of the course. */
#ifndef LABS_H
#define LABS_H

#include "grader/lab/lab.h"

/* Says which labs there are: once, before anything else here is called.
 *   labs   [count], borrowed for the life of the process */
void labs_register(const struct lab *const *labs, int count);

/* How many labs there are, and each of them. */
int labs_count(void);
const struct lab *labs_get(int index);

/* All points that the lab can give without a GPU: for results, budgets, and the rules of a program. */
int labs_max_score(const struct lab *lab);

/* Finds a lab by its name, with any number before it, as the folders of older kits have: "scan", "04_scan". NULL when there is
 * none. */
const struct lab *labs_find(const char *name);

/* The part of a folder's or file's name that can be a lab's: what follows digits and an underscore, else all of it. */
const char *labs_without_number(const char *name);

/* Finds the lab that a user means: as labs_find does, else in any case, with dashes for underscores, or by its number:
 * "Scan", "vector-add", "4", "04". NULL when there is none, or more than one. */
const struct lab *labs_find_typed(const char *word);

/* Writes "; did you mean scan?" for a name that no lab has; "" where none is near. */
void labs_suggest(const char *word, char *text, size_t text_bytes);

/* Finds the lab that a file belongs to: by its own name ("scan.cu"), else by a folder of its path. NULL: neither tells. */
const struct lab *labs_find_for_path(const char *path);

#endif
