/* Lines of the host's source, for programs that were built with debugging information (-g). */
#ifndef EMULATOR_SOURCE_LINE_H
#define EMULATOR_SOURCE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SOURCE_LINE_BYTES = 220 };

/* Finds what the address (as in the file) is: writes "main, line 40 of main.cu". Of functions that were inlined there, it is
 * the innermost one that is the program's: none of the toolkit's headers, and not the kernel itself, as the host sees it.
 *   kernel   name of what is launched there; NULL: nothing is launched there
 * Runs addr2line, which comes with every compiler; answers are kept.
 * Returns false, and writes nothing, when it is not installed or knows no line. */
bool source_line_find(const char *path, uint64_t address, const char *kernel, char text[SOURCE_LINE_BYTES]);

#endif
