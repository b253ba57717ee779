/* Cells of the shadow: allocated as needed, freed all at once. */
#ifndef EMULATOR_RACE_POOL_H
#define EMULATOR_RACE_POOL_H

#include <stdint.h>

#include "runtime/emulator/observe/races/race_cell.h"

/* Empty cells; NULL when there are no more: part of the memory is not checked, which is reported on stderr. */
struct race_write *race_take_writes(unsigned count);
struct race_reader *race_take_readers(unsigned count);

/* The launch is over: all cells are free. */
void race_cells_rewind(void);
/* Keeps the cells of the launch, while others are used for the next ones; NULL when out of memory: they are lost. Freed with
 * race_cells_free; NULL is allowed. */
struct race_pools;
struct race_pools *race_cells_take(void);
void race_cells_free(struct race_pools *pools);
/* All cells that are in use, or were. */
void race_visit_cells(void (*visit)(void *context, uint32_t *segment), void *context);

#endif
