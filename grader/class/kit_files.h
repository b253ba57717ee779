/* What a submission has of the kit itself: a whole clone is often handed in, with solutions, wrong versions and tests.
 * Skeletons are known by their text, solutions by their bytes, the kit's other folders by their names.
 */
#ifndef CLASS_KIT_FILES_H
#define CLASS_KIT_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/lab/lab.h"

/* Is this text the lab's skeleton, blanks and line ends apart? NULL is not. */
bool kit_files_is_skeleton(const struct lab *lab, const char *source);

/* Is a file with this hash the published solution, byte for byte? "" is not. */
bool kit_files_is_solution(const struct lab *lab, const char *sha256);

/* Is a folder with these names in it a copy of the kit? */
bool kit_files_is_copy(char *const *names, size_t count);

/* Is the folder `name` the kit's own business, so that no submission is in it?
 *   parent    name of the folder that it is in
 *   in_copy   the parent is a copy of the kit */
bool kit_files_passes_over(const char *name, const char *parent, bool in_copy);

#endif
