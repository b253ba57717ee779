/* Where the kit is: the folder that holds labs/map.yaml, found from the running program, so that build/lockstep works from
 * any directory.
 */
#ifndef KIT_H
#define KIT_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/lab/lab.h"

#define KIT_PATH_BYTES 4096
#define KIT_VERSION    "0.1.0"
#define KIT_SEAL       "sealed" /* in a lab's folder of a kit without solutions: what it has in their place */
#define KIT_COMMIT     "commit" /* in an archive of ci/package: a line with the commit that it was made from */

/* The kit's root, without a slash at the end: the nearest folder above the program that has labs/map.yaml. "" when
 * there is none. Valid for the life of the process. */
const char *kit_root(void);

/* Why there is none. */
const char *kit_missing(void);

/* Whether the kit has its solutions. One that ci/package made has none. */
bool kit_has_solutions(void);

/* Whether the lab is one of the kit's own labs/. */
bool kit_has_lab(const struct lab *lab);

/* Absolute path of something in the lab's folder: "hints.md", "variants". */
void kit_lab_part(const struct lab *lab, const char *part, char path[KIT_PATH_BYTES]);

/* How the names of the lab's sources end: ".cu"; ".c" where the learner writes a program and the skeleton is NAME.c. */
const char *kit_source_ending(const struct lab *lab);

/* The lab's file in a folder: NAME/NAME.cu, NAME.cu, or as in the folders of older kits, 04_NAME/NAME.cu. Returns false where none
 * is there; path is the first of them then. */
bool kit_find_file(const char *folder, const struct lab *lab, char path[KIT_PATH_BYTES]);

/* Path of labs/NAME/NAME.cu or solutions/NAME/FILE as the user can type it: relative to the working directory when it
 * lies below it. `folder` is "labs" or "solutions"; `suffix` comes between name and ".cu" ("_fast", ""). Of a lab that is not
 * the kit's: FOLDER/name.cu and FOLDER/solution.cu. */
void kit_lab_file(const struct lab *lab, const char *folder, const char *suffix, char path[KIT_PATH_BYTES]);

/* Path of the lab's handout as the user can type it. */
void kit_handout(const struct lab *lab, char path[KIT_PATH_BYTES]);

/* An absolute path as the user can type it: relative to the working directory when it lies below it. */
void kit_shown_path(const char *absolute, char path[KIT_PATH_BYTES]);

/* How a command names a student's file: its path, as a word for the shell, its lab where the path does not tell it, and the lab's
 * folder where it is not the kit's. The
 * caller frees it. */
char *kit_file_words(const struct lab *lab, const char *path);

/* The program as the user called it, for advice that can be typed: "build/lockstep". */
const char *kit_program(void);

/* What a verdict depends on besides the file: version, commit and build of this program. Valid for the life of the
 * process. */
const char *kit_build(void);

/* The commit that the kit's checkout is at, or that an archive was made from; "" when it is not known. Valid for the life of the process. */
const char *kit_git(void);

#endif
