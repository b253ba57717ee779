#include "runtime/emulator/machine/barrier_lines.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/findings/finding.h"
#include "runtime/emulator/machine/passing.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/warp.h"

static bool same_file(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* The line of the operation, made when it is new. */
static uint32_t line_of(struct barrier_lines *lines, const struct launch *launch, const struct operation *operation)
{
    if (launch_is_in_toolkit(launch, operation))
        return BARRIER_LINES_MOST;
    struct place place = place_of(launch, operation);
    for (uint32_t i = 0; i < lines->count; i++)
        if (lines->lines[i].line == place.line && lines->lines[i].ptx_line == place.ptx_line
            && same_file(lines->lines[i].file, place.file))
            return i;
    if (lines->count == BARRIER_LINES_MOST)
        return BARRIER_LINES_MOST;
    lines->lines[lines->count] = (struct barrier_line){.file = place.file, .line = place.line, .ptx_line = place.ptx_line};
    return (uint32_t)lines->count++;
}

/* Can a thread come back to it in its function? Where memory is short: perhaps, so that nothing is claimed. */
static bool is_in_loop(const struct code *code, const struct operation *operation)
{
    bool *follows = passing_list_following(code, operation);
    bool is_in_loop = !follows || follows[operation - code->operations];
    free(follows);
    return is_in_loop;
}

/* Lists the barriers, where there is room for them. Returns how many there are. */
static size_t list_places(struct barrier_lines *lines, const struct launch *launch)
{
    const struct program *program = launch->request->function->program;
    size_t count = 0;
    for (size_t i = 0; i < program->module->function_count; i++) {
        const struct code *code = &program->code[i];
        for (size_t o = 0; code->operations && o < code->operation_count; o++) {
            const struct operation *operation = &code->operations[o];
            if (operation->handler == HANDLER_activemask)
                lines->proven = UINT64_MAX; /* a barrier changes which threads run together, and that is observed */
            if (operation->handler != HANDLER_barrier)
                continue;
            if (lines->places) {
                uint32_t line = line_of(lines, launch, operation);
                lines->places[count] = (struct barrier_place){operation, code, line};
                if (line < BARRIER_LINES_MOST)
                    lines->lines[line].in_loop |= is_in_loop(code, operation);
            }
            count++;
        }
    }
    return count;
}

struct barrier_lines *barrier_lines_of(const struct launch *launch)
{
    struct program *program = (struct program *)launch->request->function->program;
    if (program->barriers)
        return program->barriers;
    struct barrier_lines *lines = calloc(1, sizeof *lines);
    if (!lines)
        return NULL;
    lines->place_count = list_places(lines, launch);
    lines->places = calloc(lines->place_count + 1, sizeof *lines->places);
    if (!lines->places) {
        free(lines);
        return NULL;
    }
    list_places(lines, launch);
    program->barriers = lines;
    return lines;
}

void barrier_lines_destroy(struct barrier_lines *lines)
{
    if (!lines)
        return;
    for (size_t i = 0; i < lines->count; i++)
        free(lines->lines[i].finding);
    free(lines->places);
    free(lines);
}

uint32_t barrier_lines_find(const struct barrier_lines *lines, const struct operation *operation)
{
    for (size_t i = 0; i < lines->place_count; i++)
        if (lines->places[i].operation == operation)
            return lines->places[i].line;
    return BARRIER_LINES_MOST;
}
