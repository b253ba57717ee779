#include "runtime/emulator/machine/place.h"

#include <stdio.h>
#include <string.h>

#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/warp.h"
#include "runtime/language/demangle.h"

/* Innermost first; deeper recursion is not reported. */
enum { MOST_FRAMES = 24 };

struct frame {
    const char *function; /* mangled; NULL unknown */
    int file, line;
};

struct frames {
    struct frame list[MOST_FRAMES];
    int count;
    int inlined; /* how many of them belong to the operation's own function */
};

const struct ptx_instruction *operation_instruction(const struct launch *launch, const struct operation *operation)
{
    const struct code *code = program_code_of(launch->request->function->program, operation);
    return !code || operation->instruction < 0 ? NULL : &code->function->instructions[operation->instruction];
}

bool launch_is_in_toolkit(const struct launch *launch, const struct operation *operation)
{
    static const char *const places[] = {
        "/include/cooperative_groups", "/include/cuda_pipeline", "/include/cccl/",       "/include/cub/", "/include/thrust/",
        "/include/cuda/std/",          "/include/cuda/pipeline", "/include/cuda/barrier"};
    const struct ptx_instruction *instruction = operation_instruction(launch, operation);
    const struct ptx_module *module = launch->request->function->program->module;
    const char *file = NULL;
    if (instruction && instruction->location >= 0)
        file = ptx_module_file(module, module->locations[instruction->location].file);
    for (size_t i = 0; file && i < sizeof places / sizeof *places; i++)
        if (strstr(file, places[i]))
            return true;
    return false;
}

static int student_file_of(const struct ptx_module *module, const struct ptx_function *kernel)
{
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        int index = kernel->instructions[i].location;
        for (int outer = index; outer >= 0; outer = ptx_location_outer(module, outer))
            index = outer;
        if (index >= 0)
            return module->locations[index].inlined_file ? module->locations[index].inlined_file
                                                         : module->locations[index].file;
    }
    return module->file_count ? module->files[0].number : 0;
}

int place_student_file(const struct launch *launch)
{
    return student_file_of(launch->request->function->program->module, launch->code->function);
}

/* ---- frames ---- */

/* The compiler gives line 0 to code of several lines: the location before it is more precise. */
static int location_with_line(const struct ptx_function *function, const struct ptx_module *module, int64_t instruction)
{
    for (; instruction >= 0; instruction--) {
        int index = function->instructions[instruction].location;
        if (index >= 0 && module->locations[index].line > 0)
            return index;
    }
    return -1;
}

static void add_frame(struct frames *frames, const char *function, int file, int line)
{
    if (frames->count < MOST_FRAMES)
        frames->list[frames->count++] = (struct frame){function, file, line};
}

/* Adds the frames of an instruction: itself, then the calls that were inlined. */
static void add_frames(struct frames *frames, const struct ptx_module *module, const struct ptx_function *function,
                       int64_t instruction)
{
    for (int index = location_with_line(function, module, instruction); index >= 0;) {
        const struct ptx_location *location = &module->locations[index];
        int outer = ptx_location_outer(module, index);
        bool last = outer < 0 && !location->inlined_file;
        add_frame(frames, last ? function->name : location->function, location->file, location->line);
        if (outer < 0 && !last)
            add_frame(frames, function->name, location->inlined_file, location->inlined_line);
        index = outer;
    }
}

/* The frame on the stack in which a lane is at the operation: of a fragment that waits, or of the one that runs. */
static const uint64_t *frame_of(const struct warp *warp, const struct operation *operation, unsigned lane)
{
    for (uint32_t rest = warp->ready | warp->at_barrier | warp->at_warp_barrier; rest; rest &= rest - 1) {
        const struct fragment *fragment = &warp->fragments[__builtin_ctz(rest)];
        if (fragment->mask >> lane & 1 && fragment->at == operation)
            return fragment->q;
    }
    return warp->mask >> lane & 1 ? warp->q : NULL;
}

/* Follows the calls outwards. Each step is checked, since lanes that have left no longer have a frame. */
static void add_callers(struct frames *frames, const struct warp *warp, const struct operation *operation, unsigned lane)
{
    const struct program *program = warp->launch->request->function->program;
    const struct code *code = program_code_of(program, operation);
    const uint64_t *frame = code && !code->function->is_entry ? frame_of(warp, operation, lane) : NULL;
    while (frame && code && !code->function->is_entry && frames->count < MOST_FRAMES) {
        const uint64_t *slot = (const uint64_t *)((const char *)frame + code->return_slot);
        const struct operation *call = (const struct operation *)(uintptr_t)slot[lane];
        const struct code *caller = program_code_of(program, call);
        if (!caller || !call->call || call->call->caller != caller || (call->call->callee && call->call->callee != code))
            return;
        add_frames(frames, program->module, caller->function, call->instruction);
        frame = (const uint64_t *)((const char *)frame - caller->q_bytes);
        code = caller;
    }
}

/* The innermost frame in the student's own file; without one, the outermost of the operation's function. -1: no frame. */
static int find_own(const struct frames *frames, int student_file)
{
    for (int i = 0; i < frames->count; i++)
        if (frames->list[i].file == student_file)
            return i;
    return frames->inlined - 1;
}

static void find_frames(struct frames *frames, const struct launch *launch, const struct operation *operation)
{
    const struct program *program = launch->request->function->program;
    const struct code *code = program_code_of(program, operation);
    frames->count = 0;
    if (code)
        add_frames(frames, program->module, code->function, operation->instruction);
    frames->inlined = frames->count;
}

/* ---- places ---- */

static struct place place_of_frames(const struct launch *launch, const struct frames *frames,
                                    const struct ptx_instruction *instruction)
{
    int own = find_own(frames, launch->student_file);
    if (own < 0)
        return (struct place){.ptx_line = instruction ? instruction->line : 0};
    const struct ptx_module *module = launch->request->function->program->module;
    return (struct place){.file = ptx_module_file(module, frames->list[own].file), .line = frames->list[own].line};
}

struct place place_of(const struct launch *launch, const struct operation *operation)
{
    struct frames frames;
    find_frames(&frames, launch, operation);
    return place_of_frames(launch, &frames, operation_instruction(launch, operation));
}

struct place place_of_instruction(const struct launch *launch, const struct ptx_instruction *instruction)
{
    const struct program *program = launch->request->function->program;
    for (size_t i = 0; i < program->module->function_count; i++) {
        const struct ptx_function *function = program->module->functions[i];
        if (instruction < function->instructions || instruction >= function->instructions + function->instruction_count)
            continue;
        struct frames frames = {.count = 0};
        add_frames(&frames, program->module, function, instruction - function->instructions);
        frames.inlined = frames.count;
        return place_of_frames(launch, &frames, instruction);
    }
    return (struct place){0};
}

int place_line(const struct ptx_module *module, const struct ptx_function *function, size_t instruction)
{
    struct frames frames = {.count = 0};
    add_frames(&frames, module, function, (int64_t)instruction);
    frames.inlined = frames.count;
    int own = find_own(&frames, student_file_of(module, function));
    return own < 0 ? 0 : frames.list[own].line;
}

/* "line 14", "line 98 of sm_30_intrinsics.hpp", "PTX line 57". */
static void write_where(const struct launch *launch, const struct place *place, char where[WHERE_BYTES])
{
    const char *own = ptx_module_file(launch->request->function->program->module, launch->student_file);
    const char *slash = place->file ? strrchr(place->file, '/') : NULL;
    if (!place->line)
        snprintf(where, WHERE_BYTES, place->ptx_line ? "PTX line %d" : "an unknown line", place->ptx_line);
    else if (place->file && own && strcmp(place->file, own) != 0)
        snprintf(where, WHERE_BYTES, "line %d of %s", place->line, slash ? slash + 1 : place->file);
    else
        snprintf(where, WHERE_BYTES, "line %d", place->line);
}

const char *place_words(const struct launch *launch, const struct operation *operation, char where[WHERE_BYTES])
{
    struct place place = place_of(launch, operation);
    write_where(launch, &place, where);
    return where;
}

static void fill_frame(const struct launch *launch, const struct frame *from, struct finding_frame *to)
{
    const char *file = ptx_module_file(launch->request->function->program->module, from->file);
    to->line = from->line;
    snprintf(to->file, sizeof to->file, "%s", file ? file : "");
    to->function[0] = '\0';
    if (from->function)
        demangle_function(from->function, to->function, sizeof to->function);
}

/* Once for a program. */
static void say_no_lines(const struct launch *launch, const struct finding *finding)
{
    struct program *program = (struct program *)launch->request->function->program; /* what it keeps for findings */
    if (!program->lines_missed && !program->module->file_count) /* what the compiler adds has no line of its own */
        fprintf(stderr,
                "lockstep: the PTX of %s has no source lines, so findings name lines of the PTX: compile with "
                "-lineinfo (nvcc), --generate-line-info (NVRTC) or @cuda.jit(lineinfo=True) (Numba)\n",
                finding->kernel);
    program->lines_missed = true;
}

void place_describe(const struct warp *warp, const struct operation *operation, unsigned lane, struct finding *finding)
{
    const struct launch *launch = warp->launch;
    struct frames frames;
    find_frames(&frames, launch, operation);
    add_callers(&frames, warp, operation, lane);
    struct place place = place_of_frames(launch, &frames, operation_instruction(launch, operation));
    int own = find_own(&frames, launch->student_file);
    snprintf(finding->file, sizeof finding->file, "%s", place.file ? place.file : "");
    finding->line = place.line;
    finding->ptx_line = place.ptx_line;
    write_where(launch, &place, finding->where);
    if (place.ptx_line)
        say_no_lines(launch, finding);
    if (own < 0)
        return;
    struct finding_frame here;
    fill_frame(launch, &frames.list[own], &here);
    memcpy(finding->function, here.function, sizeof finding->function);
    if (own > 0)
        fill_frame(launch, &frames.list[0], &finding->inside);
    for (int i = own + 1; i < frames.count && finding->called_from_count < FINDING_MAX_CALLS; i++)
        fill_frame(launch, &frames.list[i], &finding->called_from[finding->called_from_count++]);
}

void place_describe_second(const struct launch *launch, const struct operation *operation, struct finding *finding)
{
    struct place place = place_of(launch, operation);
    snprintf(finding->file2, sizeof finding->file2, "%s", place.file ? place.file : "");
    finding->line2 = place.line;
    finding->ptx_line2 = place.ptx_line;
    write_where(launch, &place, finding->where2);
}

void launch_finding(const struct warp *warp, const struct operation *operation, unsigned lane, enum finding_code code,
                    struct finding *finding)
{
    memset(finding, 0, sizeof *finding);
    finding->code = code;
    finding->severity = finding_code_severity(code);
    demangle_function(warp->launch->request->function->name, finding->kernel, sizeof finding->kernel);
    place_describe(warp, operation, lane, finding);
    finding->has_thread = true;
    for (int i = 0; i < 3; i++) {
        finding->thread[i] = warp->tid[i][lane];
        finding->block[i] = warp->block->index[i];
    }
    finding->count = 1;
}
