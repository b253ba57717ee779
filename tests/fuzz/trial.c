#include "tests/fuzz/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/lockstep_driver.h"
#include "runtime/emulator/settings/schedule.h"

enum { BUFFERS = 5, LARGEST_BUFFER = 4096, LOG_BYTES = 600, LARGEST_BLOCK = 1 << 16 };

lockstep_set_schedule_fn lockstepSetSchedule;
lockstep_name_memory_fn lockstepNameMemory;
lockstep_poison_memory_fn lockstepPoisonMemory;
lockstep_protect_memory_fn lockstepProtectMemory;
lockstep_written_memory_fn lockstepWrittenMemory;
lockstep_module_source_fn lockstepModuleSource;

static CUcontext context;

static void demand(CUresult result, const char *what)
{
    if (result != CUDA_SUCCESS) {
        fprintf(stderr, "fuzz trial: %s: %d\n", what, (int)result);
        abort();
    }
}

/* ---- what is drawn ---- */

static const char *word_of(struct draw *draw, const char *const *words, size_t count)
{
    return words[draw_below(draw, count)];
}

#define WORD(draw, ...) \
    word_of(draw, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

void trial_draw_process(struct trial *trial, struct draw *draw)
{
    static const unsigned fuels[] = {150, 150, 400, 400, 1000, 1000, 4000};
    *trial = (struct trial){0};
    snprintf(trial->gpu, sizeof trial->gpu, "%s", WORD(draw, "7.5", "8.0", "8.6", "9.0", "9.0"));
    snprintf(trial->checks, sizeof trial->checks, "%s", WORD(draw, "all", "all", "all", "all", "poison", "memory", "none"));
    snprintf(trial->isa, sizeof trial->isa, "%s", WORD(draw, "baseline", "avx2", "avx2", "avx512"));
    trial->counters = draw_once_in(draw, 2);
    trial->trace = draw_once_in(draw, 5);
    trial->text = draw_once_in(draw, 3);
    trial->fuel = fuels[draw_below(draw, sizeof fuels / sizeof *fuels)];
}

void trial_draw_launch(struct trial *trial, struct draw *draw)
{
    static const unsigned blocks[][3] = {{1, 1, 1},  {32, 1, 1}, {32, 1, 1}, {33, 1, 1},  {64, 1, 1}, {64, 1, 1},
                                         {16, 4, 1}, {5, 3, 2},  {8, 8, 1},  {128, 1, 1}, {96, 1, 1}, {7, 1, 1}};
    static const unsigned grids[][3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {2, 1, 1},
                                        {3, 1, 1}, {2, 2, 1}, {1, 1, 2}, {5, 1, 1}};
    size_t schedule_count = 0;
    while (schedules[schedule_count].name)
        schedule_count++;
    snprintf(trial->schedule, sizeof trial->schedule, "%s",
             schedules[draw_once_in(draw, 3) ? 0 : draw_below(draw, schedule_count)].name);
    memcpy(trial->block, blocks[draw_below(draw, sizeof blocks / sizeof *blocks)], sizeof trial->block);
    memcpy(trial->grid, grids[draw_below(draw, sizeof grids / sizeof *grids)], sizeof trial->grid);
    trial->shared = draw_once_in(draw, 2) ? 0 : draw_once_in(draw, 8) ? 49152 : (unsigned)draw_below(draw, 2048);
    trial->cooperative = draw_once_in(draw, 8);
    trial->launches = draw_once_in(draw, 4) ? 2 : 1;
    trial->seed = draw_bits(draw) >> 16;
}

void trial_print(const struct trial *trial, char text[512])
{
    snprintf(text, 512,
             TRIAL_MARK " gpu=%s checks=%s isa=%s counters=%u trace=%u text=%u fuel=%u schedule=%s grid=%u,%u,%u "
                        "block=%u,%u,%u shared=%u cooperative=%u launches=%u seed=%llu",
             trial->gpu, trial->checks, trial->isa, trial->counters, trial->trace, trial->text, trial->fuel, trial->schedule,
             trial->grid[0], trial->grid[1], trial->grid[2], trial->block[0], trial->block[1], trial->block[2],
             trial->shared, trial->cooperative, trial->launches, (unsigned long long)trial->seed);
}

bool trial_parse(struct trial *trial, const char *text)
{
    const char *line = strstr(text, TRIAL_MARK);
    unsigned long long seed = 0;
    if (!line)
        return false;
    int read = sscanf(line,
                      TRIAL_MARK " gpu=%7s checks=%7s isa=%11s counters=%u trace=%u text=%u fuel=%u schedule=%23s "
                                 "grid=%u,%u,%u block=%u,%u,%u shared=%u cooperative=%u launches=%u seed=%llu",
                      trial->gpu, trial->checks, trial->isa, &trial->counters, &trial->trace, &trial->text, &trial->fuel,
                      trial->schedule, &trial->grid[0], &trial->grid[1], &trial->grid[2], &trial->block[0], &trial->block[1],
                      &trial->block[2], &trial->shared, &trial->cooperative, &trial->launches, &seed);
    trial->seed = seed;
    return read == 18;
}

unsigned trial_limit_s(const struct trial *trial)
{
    return 5 + trial->fuel * trial->launches / 100;
}

/* ---- what is run ---- */

void trial_begin_process(const struct trial *trial)
{
    char fuel[16];
    snprintf(fuel, sizeof fuel, "%u", trial->fuel);
    setenv("LOCKSTEP_GPU", trial->gpu, 1);
    setenv("LOCKSTEP_CHECKS", trial->checks, 1);
    setenv("LOCKSTEP_ISA", trial->isa, 1);
    setenv("LOCKSTEP_FUEL", fuel, 1);
    setenv("LOCKSTEP_MEMORY", "64", 1);
    setenv("LOCKSTEP_COUNTERS", trial->counters ? "/dev/null" : "", 1);
    setenv("LOCKSTEP_TRACE", trial->trace ? "/dev/null" : "", 1);
    setenv("LOCKSTEP_FINDINGS", trial->text ? "" : "/dev/null", 1);
    demand(cuInit(0), "cuInit");
}

void trial_begin(void)
{
    demand(cuCtxCreate_v2(&context, 0, 0), "cuCtxCreate");
}

void trial_end(void)
{
    demand(cuCtxDestroy_v2(context), "cuCtxDestroy");
}

static CUmodule load(const char *text)
{
    char log[LOG_BYTES] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    CUmodule module = NULL;
    CUresult result = cuModuleLoadDataEx(&module, text, 2, options, values);
    if (result == CUDA_SUCCESS)
        return module;
    if (!log[0] || (uintptr_t)values[1] != strlen(log) + 1)
        demand(result, "a refusal without a reason");
    if (getenv("FUZZ_REFUSALS"))
        fprintf(stderr, "refused: %s\n", log);
    return NULL;
}

bool trial_loads(const char *text)
{
    CUmodule module = load(text);
    if (module)
        demand(cuModuleUnload(module), "cuModuleUnload");
    return module != NULL;
}

struct buffers {
    CUdeviceptr address[BUFFERS]; /* the last one has been freed */
    size_t bytes[BUFFERS];
};

static void make_buffers(struct buffers *buffers, struct draw *draw)
{
    static const size_t sizes[] = {4, 64, 100, 1024, 4096, 4096};
    for (unsigned i = 0; i < BUFFERS; i++) {
        buffers->bytes[i] = sizes[draw_below(draw, sizeof sizes / sizeof *sizes)];
        demand(cuMemAlloc_v2(&buffers->address[i], buffers->bytes[i]), "cuMemAlloc");
        if (!draw_once_in(draw, 3))
            demand(cuMemsetD8_v2(buffers->address[i], (unsigned char)draw_below(draw, 4), buffers->bytes[i]), "cuMemset");
        if (draw_once_in(draw, 4))
            lockstepPoisonMemory(buffers->address[i] + buffers->bytes[i] / 2, buffers->bytes[i] / 4);
        if (draw_once_in(draw, 3))
            lockstepNameMemory(buffers->address[i], "array", 1u << draw_below(draw, 4), draw_below(draw, 9));
        if (draw_once_in(draw, 5))
            lockstepProtectMemory(buffers->address[i], 1);
    }
    demand(cuMemFree_v2(buffers->address[BUFFERS - 1]), "cuMemFree");
}

static uint64_t draw_argument(const struct buffers *buffers, struct draw *draw, size_t size)
{
    if (size != 8)
        return draw_once_in(draw, 3) ? draw_number(draw) : draw_below(draw, 300);
    switch (draw_below(draw, 16)) {
    case 0: return draw_number(draw);
    case 1: return buffers->address[BUFFERS - 1];
    case 2: return buffers->address[draw_below(draw, BUFFERS)] + draw_below(draw, LARGEST_BUFFER);
    case 3: return (uint64_t)(uintptr_t)buffers;
    default: return buffers->address[draw_below(draw, BUFFERS - 1)];
    }
}

static size_t draw_arguments(CUfunction function, uint8_t *block, const struct buffers *buffers, struct draw *draw)
{
    size_t bytes = 0;
    for (size_t index = 0;; index++) {
        size_t offset, size;
        if (cuFuncGetParamInfo(function, index, &offset, &size) != CUDA_SUCCESS || offset + size > LARGEST_BLOCK)
            return bytes;
        bytes = offset + size;
        for (size_t at = 0; at < size; at += 8) {
            size_t part = size - at < 8 ? size - at : 8;
            uint64_t value = draw_argument(buffers, draw, part);
            memcpy(block + offset + at, &value, part);
        }
    }
}

/* The text of the file that holds the kernel, from the first `.file` of the PTX. */
static void give_source(CUmodule module, const char *text)
{
    static char path[1024], source[1 << 18], last[1024];
    static size_t bytes;
    if (sscanf(text, "%*[^\n]\n%*[^\n]\n%*[^\n]\n.file %*d \"%1023[^\"]\"", path) != 1)
        return;
    if (strcmp(path, last) != 0) {
        FILE *file = fopen(path, "rb");
        bytes = file ? fread(source, 1, sizeof source, file) : 0;
        if (file)
            fclose(file);
        snprintf(last, sizeof last, "%s", path);
    }
    if (bytes)
        lockstepModuleSource(module, source, bytes);
}

static bool launch(const struct trial *trial, CUfunction function, uint8_t *block, size_t bytes)
{
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, block, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    const unsigned *grid = trial->grid, *size = trial->block;
    if (trial->cooperative) {
        void *pointers[512];
        size_t offset, parameter_bytes, count = 0;
        while (count < 512 && cuFuncGetParamInfo(function, count, &offset, &parameter_bytes) == CUDA_SUCCESS)
            pointers[count++] = block + offset;
        return cuLaunchCooperativeKernel(function, grid[0], grid[1], grid[2], size[0], size[1], size[2], trial->shared, NULL,
                                         pointers)
               == CUDA_SUCCESS;
    }
    return cuLaunchKernel(function, grid[0], grid[1], grid[2], size[0], size[1], size[2], trial->shared, NULL, NULL, extra)
           == CUDA_SUCCESS;
}

static void look_at(const struct buffers *buffers)
{
    uint8_t back[LARGEST_BUFFER];
    for (unsigned i = 0; i < BUFFERS - 1; i++) {
        cuMemcpyDtoH_v2(back, buffers->address[i], buffers->bytes[i]);
        lockstepWrittenMemory(buffers->address[i], buffers->bytes[i], back);
    }
}

enum trial_result trial_run(const struct trial *trial, const char *text)
{
    static uint8_t block[LARGEST_BLOCK + 8];
    struct draw draw = draw_begin(trial->seed, 1);
    struct buffers buffers;
    unsigned count = 0;
    CUfunction function;
    lockstepSetSchedule("ascending");
    lockstepSetSchedule(trial->schedule); /* some need an observer, which not every process has */
    CUmodule module = load(text);
    if (!module)
        return TRIAL_REFUSED;
    make_buffers(&buffers, &draw);
    if (!draw_once_in(&draw, 4))
        give_source(module, text);
    if (cuModuleGetFunctionCount(&count, module) != CUDA_SUCCESS || !count
        || cuModuleEnumerateFunctions(&function, 1, module) != CUDA_SUCCESS)
        return TRIAL_LOADED;
    memset(block, 0, sizeof block);
    size_t bytes = draw_arguments(function, block, &buffers, &draw);
    bool launched = false;
    for (unsigned i = 0; i < trial->launches; i++)
        launched = launch(trial, function, block, bytes) || launched;
    bool well = cuCtxSynchronize() == CUDA_SUCCESS;
    look_at(&buffers);
    return !launched ? TRIAL_LOADED : well ? TRIAL_RAN : TRIAL_FAILED;
}
