/* labs/map.yaml: the parts of the course, a list of maps.
 *
 *   part    title
 *   steps   names of labs, and pages: {page: PATH, title, needs, teaches}
 *
 * lab.yaml says what a lab needs and teaches. */
#ifndef MAP_FILE_H
#define MAP_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "grader/lab/map.h"

/* Reads the file. A file that is not there is an empty map.
 *   steps   [*count], those of labs without needs and teaches; they live until the process ends
 *   errors  complaints, a line each
 * Returns false when there was a complaint. */
bool map_file_read(const char *path, struct map_step **steps, int *count, FILE *errors);

#endif
