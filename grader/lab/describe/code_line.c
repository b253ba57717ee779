#include "grader/lab/describe/code_line.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

/* ---- bytes ------------------------------------------------------------------------------------------------------------ */

/* What is still to be read; beyond the end it gives zeros and is no longer good. */
struct reader {
    const uint8_t *at, *end;
    bool good;
};

static uint64_t take(struct reader *reader, size_t bytes)
{
    uint64_t value = 0;
    if ((size_t)(reader->end - reader->at) < bytes) {
        reader->good = false;
        reader->at = reader->end;
        return 0;
    }
    for (size_t i = 0; i < bytes; i++) /* the least significant byte first: the files of the machines that we know */
        value |= (uint64_t)reader->at[i] << 8 * i;
    reader->at += bytes;
    return value;
}

/* LEB128: seven bits a byte, the least significant first. */
static uint64_t take_unsigned(struct reader *reader)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint64_t byte = take(reader, 1);
        value |= shift < 64 ? (byte & 0x7f) << shift : 0;
        if (!(byte & 0x80))
            return value;
    }
}

static int64_t take_signed(struct reader *reader)
{
    uint64_t value = 0, byte = 0x80;
    unsigned shift = 0;
    for (; byte & 0x80; shift += 7) {
        byte = take(reader, 1);
        value |= shift < 64 ? (byte & 0x7f) << shift : 0;
    }
    if (shift < 64 && byte & 0x40)
        value |= ~UINT64_C(0) << shift;
    return (int64_t)value;
}

static const char *take_text(struct reader *reader)
{
    const char *text = (const char *)reader->at;
    const uint8_t *end = memchr(reader->at, '\0', (size_t)(reader->end - reader->at));
    reader->good = reader->good && end;
    reader->at = end ? end + 1 : reader->end;
    return end ? text : "";
}

static struct reader part_of(struct reader *reader, uint64_t bytes)
{
    size_t left = (size_t)(reader->end - reader->at);
    reader->good = reader->good && bytes <= left;
    struct reader part = {reader->at, reader->at + (bytes < left ? bytes : left), reader->good};
    reader->at = part.end;
    return part;
}

/* ---- one unit of the table -------------------------------------------------------------------------------------------- */

struct unit {
    struct reader program;
    const uint8_t *folders, *files; /* lists of names, up to an empty one */
    const uint8_t *end;             /* of both */
    unsigned least_instruction, line_range, first_special;
    int line_base;
    uint8_t lengths[256]; /* operands of the standard opcodes */
};

/* DWARF 4, 6.2.4. */
static bool read_header(struct reader *reader, struct unit *unit)
{
    unsigned version = (unsigned)take(reader, 2);
    struct reader header = part_of(reader, take(reader, 4));
    unit->program = *reader;
    unit->least_instruction = (unsigned)take(&header, 1);
    if (version >= 4)
        take(&header, 1); /* operations of an instruction: 1 where instructions are not bundled */
    take(&header, 1);     /* whether lines begin statements */
    unit->line_base = (int8_t)take(&header, 1);
    unit->line_range = (unsigned)take(&header, 1);
    unit->first_special = (unsigned)take(&header, 1);
    for (unsigned i = 1; i < unit->first_special; i++)
        unit->lengths[i] = (uint8_t)take(&header, 1);
    unit->folders = header.at;
    unit->end = header.end;
    while (header.good && *take_text(&header) != '\0') {}
    unit->files = header.at;
    return header.good && version >= 2 && version <= 4 && unit->line_range > 0;
}

static void name_file(const struct unit *unit, uint64_t number, char *file, size_t file_bytes)
{
    struct reader files = {unit->files, unit->end, true}, folders = {unit->folders, unit->end, true};
    const char *name = "", *folder = "";
    uint64_t in = 0;
    for (uint64_t i = 0; i < number && files.good; i++) {
        name = take_text(&files);
        if (*name == '\0')
            break;
        in = take_unsigned(&files);
        take_unsigned(&files); /* when it was changed */
        take_unsigned(&files); /* its length */
    }
    for (uint64_t i = 0; i < in && folders.good && *name != '/'; i++) {
        folder = take_text(&folders);
        if (*folder == '\0')
            break;
    }
    snprintf(file, file_bytes, "%s%s%s", folder, *folder != '\0' ? "/" : "", name);
}

struct row {
    uint64_t address, file;
    int64_t line;
    bool ends;
};

/* Runs the program of the unit (6.2.5). Returns whether a row covers the address: *found. */
static bool run(struct unit *unit, uint64_t address, struct row *found)
{
    enum { COPY = 1, ADVANCE_ADDRESS, ADVANCE_LINE, SET_FILE, CONSTANT_ADDRESS = 8, FIXED_ADDRESS = 9 };
    enum { END_SEQUENCE = 1, SET_ADDRESS };
    const struct row start = {0, 1, 1, false};
    struct reader *program = &unit->program;
    struct row row = start, before = {.ends = true};
    while (program->good && program->at < program->end) {
        unsigned opcode = (unsigned)take(program, 1);
        bool emits = opcode == COPY || opcode >= unit->first_special;
        if (opcode >= unit->first_special) {
            unsigned adjusted = opcode - unit->first_special;
            row.address += (uint64_t)(adjusted / unit->line_range) * unit->least_instruction;
            row.line += unit->line_base + (int)(adjusted % unit->line_range);
        } else if (opcode == 0) {
            struct reader extended = part_of(program, take_unsigned(program));
            unsigned kind = (unsigned)take(&extended, 1);
            if (kind == SET_ADDRESS)
                row.address = take(&extended, 8);
            row.ends = emits = kind == END_SEQUENCE;
        } else if (opcode == ADVANCE_ADDRESS) {
            row.address += take_unsigned(program) * unit->least_instruction;
        } else if (opcode == ADVANCE_LINE) {
            row.line += take_signed(program);
        } else if (opcode == SET_FILE) {
            row.file = take_unsigned(program);
        } else if (opcode == CONSTANT_ADDRESS) {
            row.address += (uint64_t)((255 - unit->first_special) / unit->line_range) * unit->least_instruction;
        } else if (opcode == FIXED_ADDRESS) {
            row.address += take(program, 2);
        } else if (opcode != COPY) {
            for (unsigned i = 0; i < unit->lengths[opcode]; i++)
                take_unsigned(program);
        }
        if (!emits)
            continue;
        if (!before.ends && before.address <= address && address < row.address) {
            *found = before;
            return true;
        }
        before = row;
        row = row.ends ? start : row;
    }
    return false;
}

/* ---- the file --------------------------------------------------------------------------------------------------------- */

static bool find_section(const uint8_t *image, size_t bytes, const char *name, struct reader *section)
{
    Elf64_Ehdr header;
    Elf64_Shdr names, one;
    if (bytes < sizeof header)
        return false;
    memcpy(&header, image, sizeof header);
    uint64_t end = header.e_shoff + (uint64_t)header.e_shnum * sizeof one;
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64
        || header.e_shentsize != sizeof one || header.e_shoff > bytes || end > bytes || header.e_shstrndx >= header.e_shnum)
        return false;
    memcpy(&names, image + header.e_shoff + header.e_shstrndx * sizeof names, sizeof names);
    for (unsigned i = 0; i < header.e_shnum; i++) {
        memcpy(&one, image + header.e_shoff + i * sizeof one, sizeof one);
        uint64_t at = names.sh_offset + one.sh_name;
        if (names.sh_offset > bytes || at >= bytes || bytes - at <= strlen(name)
            || memcmp(image + at, name, strlen(name) + 1) != 0)
            continue;
        if (one.sh_type == SHT_NOBITS || one.sh_flags & SHF_COMPRESSED || one.sh_offset > bytes
            || one.sh_size > bytes - one.sh_offset)
            return false;
        *section = (struct reader){image + one.sh_offset, image + one.sh_offset + one.sh_size, true};
        return true;
    }
    return false;
}

int code_line_find(const uint8_t *image, size_t bytes, uint64_t address, char *file, size_t file_bytes)
{
    enum { BYTES_OF_64_BITS = 0xffffffff };
    struct reader table;
    file[0] = '\0';
    if (!find_section(image, bytes, ".debug_line", &table))
        return 0;
    while (table.good && table.at < table.end) {
        struct unit unit = {.least_instruction = 1};
        struct row found;
        uint64_t length = take(&table, 4);
        if (length == BYTES_OF_64_BITS) /* a table of more than 4 GB */
            return 0;
        struct reader one = part_of(&table, length);
        if (!read_header(&one, &unit) || !run(&unit, address, &found) || found.line <= 0 || found.line > INT32_MAX)
            continue;
        name_file(&unit, found.file, file, file_bytes);
        return (int)found.line;
    }
    return 0;
}
