/* Seeds of the mutations: kernels one by one, each with what it needs of its module. */
#ifndef FUZZ_CORPUS_H
#define FUZZ_CORPUS_H

#include <stddef.h>
#include <stdio.h>

#include "tests/fuzz/draw.h"
#include "tests/fuzz/stock.h"

struct corpus_seed {
    char *text; /* PTX of a module with one kernel */
    size_t length;
    unsigned group; /* number of the file */
};

struct corpus {
    struct corpus_seed *seeds; /* by file */
    size_t count, capacity;
    unsigned groups;
    size_t *group_start; /* [groups + 1] */
    struct stock stock;
};

/* Reads PTX files, or files that corpus_write() wrote. Returns false, with a line on stderr, when one cannot be read. */
bool corpus_read(struct corpus *corpus, char *const *paths, size_t count);

/* Writes all seeds into one file. Of the many kernels of a file that differ in their data only it has some. */
bool corpus_write(const struct corpus *corpus, const char *path);

/* A seed: files have equal chances, whatever the number of their kernels. */
const struct corpus_seed *corpus_draw(const struct corpus *corpus, struct draw *draw);

void corpus_clear(struct corpus *corpus);

#endif
