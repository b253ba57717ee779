/* The arrays of a run as tables for the terminal. */
#ifndef RUN_TABLES_H
#define RUN_TABLES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Writes what cases_show.h keeps of a run: arrays of one length side by side, a row for each element; matrices as they lie;
 * single values in a line. Of what is long the beginning and the first wrong elements are shown, and how many are left out. */
void run_tables_write(FILE *file, const json_t *run, bool colour);

#endif
