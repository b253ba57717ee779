#include "grader/compile/ptx_scan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A token is a word (with its leading dot), a number, or one character of punctuation. */
struct scanner {
    const char *at, *end;
    const char *token;
    size_t length; /* 0 at the end of the text */
};

static void skip_blank(struct scanner *scanner)
{
    while (scanner->at < scanner->end) {
        const char *at = scanner->at;
        size_t left = (size_t)(scanner->end - at);
        if (isspace((unsigned char)*at)) {
            scanner->at++;
        } else if (left >= 2 && at[0] == '/' && at[1] == '/') {
            const char *line_end = memchr(at, '\n', left);
            scanner->at = !line_end ? scanner->end : line_end;
        } else if (left >= 2 && at[0] == '/' && at[1] == '*') {
            const char *close = memmem(at + 2, left - 2, "*/", 2);
            scanner->at = !close ? scanner->end : close + 2;
        } else if (*at == '"') {
            const char *close = memchr(at + 1, '"', left - 1);
            scanner->at = !close ? scanner->end : close + 1;
        } else {
            return;
        }
    }
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

static bool next(struct scanner *scanner)
{
    skip_blank(scanner);
    scanner->token = scanner->at;
    if (scanner->at < scanner->end) {
        do
            scanner->at++;
        while (is_word(scanner->at[-1]) && scanner->at < scanner->end && is_word(*scanner->at));
    }
    scanner->length = (size_t)(scanner->at - scanner->token);
    return scanner->length > 0;
}

static bool is(const struct scanner *scanner, const char *text)
{
    return scanner->length == strlen(text) && memcmp(scanner->token, text, scanner->length) == 0;
}

static void copy_name(const struct scanner *scanner, char name[PTX_NAME_BYTES])
{
    size_t length = scanner->length < PTX_NAME_BYTES - 1 ? scanner->length : PTX_NAME_BYTES - 1;
    memcpy(name, scanner->token, length);
    name[length] = '\0';
}

static uint32_t number(const struct scanner *scanner)
{
    char digits[24] = "";
    size_t length = scanner->length < sizeof digits - 1 ? scanner->length : sizeof digits - 1;
    memcpy(digits, scanner->token, length);
    return (uint32_t)strtoull(digits, NULL, 0);
}

/* Width of ".u64", ".b8" and so on; 0 when the token is no type. PTX manual, "Fundamental Types". */
static uint32_t type_bytes(const struct scanner *scanner)
{
    if (scanner->length < 3 || scanner->token[0] != '.' || !strchr("busf", scanner->token[1]))
        return 0;
    char *end = NULL;
    char digits[8] = "";
    memcpy(digits, scanner->token + 2, scanner->length - 2 < 7 ? scanner->length - 2 : 7);
    unsigned long bits = strtoul(digits, &end, 10);
    return *end == '\0' && bits % 8 == 0 && bits <= 128 ? (uint32_t)(bits / 8) : 0;
}

/* "( .param .u64 .ptr .align 1 k_param_0, .param .align 8 .b8 k_param_1[16] )", from behind the parenthesis. */
static void scan_parameters(struct scanner *scanner, struct ptx_entry *entry)
{
    uint32_t width = 0;
    while (next(scanner) && !is(scanner, ")") && !is(scanner, "{")) {
        if (is(scanner, ".param")) {
            width = 0;
            entry->parameter_count++;
        } else if (is(scanner, ".align")) {
            next(scanner);
        } else if (is(scanner, "[")) {
            next(scanner);
            width *= number(scanner);
        } else if (type_bytes(scanner) > 0) {
            width = type_bytes(scanner);
        }
        if (entry->parameter_count > 0 && entry->parameter_count <= PTX_MAX_PARAMETERS)
            entry->parameter_bytes[entry->parameter_count - 1] = width;
    }
}

/* "128, 1, 1" behind .maxntid or .reqntid; ends at the first token that is neither number nor comma. */
static void scan_threads(struct scanner *scanner, struct ptx_entry *entry)
{
    uint32_t threads[3] = {1, 1, 1};
    int count = 0;
    while (next(scanner) && (is(scanner, ",") || isdigit((unsigned char)scanner->token[0])))
        if (!is(scanner, ",") && count < 3)
            threads[count++] = number(scanner);
    if (count > 0)
        memcpy(entry->max_threads, threads, sizeof threads);
}

static void scan_entry(struct scanner *scanner, struct ptx_summary *summary)
{
    struct ptx_entry entry = {0};
    if (!next(scanner))
        return;
    copy_name(scanner, entry.name);
    if (!next(scanner))
        return;
    if (is(scanner, "(")) {
        scan_parameters(scanner, &entry);
        next(scanner);
    }
    /* Directives up to the body; a declaration ends with a semicolon and defines nothing. */
    while (scanner->length > 0 && !is(scanner, "{") && !is(scanner, ";")) {
        if (is(scanner, ".maxntid") || is(scanner, ".reqntid")) {
            entry.threads_required = is(scanner, ".reqntid");
            scan_threads(scanner, &entry);
        } else {
            next(scanner);
        }
    }
    if (is(scanner, "{") && summary->entry_count < PTX_MAX_ENTRIES)
        summary->entries[summary->entry_count++] = entry;
}

/* ".align 4 .b8 k_block[12] = {16, 0, 0, 0, 16}" or ".align 4 .u32 k_items = 1024", from behind ".const". Bytes that the
 * initialiser leaves out are zero. */
static void scan_constant(struct scanner *scanner, struct ptx_summary *summary)
{
    struct ptx_constant constant = {0};
    uint32_t width = 0, extent = 1, filled = 0;
    uint8_t bytes[12] = {0};
    bool values = false;
    while (next(scanner) && !is(scanner, ";")) {
        if (is(scanner, ".align")) {
            next(scanner);
        } else if (is(scanner, "=")) {
            values = true;
        } else if (!values && is(scanner, "[")) {
            next(scanner);
            extent = number(scanner);
        } else if (!values && type_bytes(scanner) > 0) {
            width = type_bytes(scanner);
        } else if (!values && (isalpha((unsigned char)scanner->token[0]) || strchr("_$%", scanner->token[0]))) {
            copy_name(scanner, constant.name);
        } else if (values && isdigit((unsigned char)scanner->token[0]) && width > 0 && filled + width <= sizeof bytes) {
            bool negative = scanner->token[-1] == '-';
            uint32_t value = negative ? 0u - number(scanner) : number(scanner);
            memcpy(bytes + filled, &value, width < 4 ? width : 4);
            filled += width;
        }
    }
    uint64_t total = (uint64_t)width * extent;
    if (constant.name[0] == '\0' || total == 0 || total % 4 != 0 || total > sizeof bytes
        || summary->constant_count == PTX_MAX_CONSTANTS)
        return;
    constant.count = (uint32_t)(total / 4);
    memcpy(constant.value, bytes, total);
    summary->constants[summary->constant_count++] = constant;
}

void ptx_scan(const char *ptx, size_t bytes, struct ptx_summary *summary)
{
    struct scanner scanner = {ptx, ptx + bytes, ptx, 0};
    memset(summary, 0, sizeof *summary);
    int depth = 0;
    while (next(&scanner)) {
        if (is(&scanner, ".entry") && depth == 0) {
            scan_entry(&scanner, summary);
            depth += is(&scanner, "{");
        } else if (is(&scanner, ".const") && depth == 0) {
            scan_constant(&scanner, summary);
        } else if (is(&scanner, "{")) {
            depth++;
        } else if (is(&scanner, "}") && depth > 0) {
            depth--;
        }
    }
}

const struct ptx_entry *ptx_scan_find_entry(const struct ptx_summary *summary, const char *name)
{
    for (uint32_t i = 0; i < summary->entry_count; i++)
        if (strcmp(summary->entries[i].name, name) == 0)
            return &summary->entries[i];
    return NULL;
}

const struct ptx_constant *ptx_scan_find_constant(const struct ptx_summary *summary, const char *name)
{
    for (uint32_t i = 0; i < summary->constant_count; i++)
        if (strcmp(summary->constants[i].name, name) == 0)
            return &summary->constants[i];
    return NULL;
}
