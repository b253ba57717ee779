/* Lines of a lab's C code, from the table of lines (.debug_line) that the compiler leaves in the module. */
#ifndef CODE_LINE_H
#define CODE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Finds the line that an address of the module belongs to.
 *   image, bytes   the module's file, an ELF file of 64 bits
 *   address        as in the file, without where it was loaded
 *   file           out: the source as the compiler was given it, [file_bytes]
 * Reads versions 2 to 4 of DWARF's table (section 6.2 of its standard); module.c asks the compiler for version 4. Returns the
 * line; 0: not known, and `file` is "". The file may be damaged in any way. */
int code_line_find(const uint8_t *image, size_t bytes, uint64_t address, char *file, size_t file_bytes);

#endif
