#include "runtime/emulator/driver/jit_log.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

CUresult jit_log_read(unsigned option_count, const CUjit_option *options, void **values, struct jit_log *log)
{
    *log = (struct jit_log){0};
    if (option_count > 0 && (!options || !values))
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < option_count; i++) {
        switch (options[i]) {
        case CU_JIT_ERROR_LOG_BUFFER: log->error = values[i]; break;
        case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
            log->error_bytes = (unsigned)(uintptr_t)values[i]; /* an unsigned int in a pointer's place */
            log->error_size = &values[i];
            break;
        case CU_JIT_INFO_LOG_BUFFER: log->info = values[i]; break;
        case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
            log->info_bytes = (unsigned)(uintptr_t)values[i];
            log->info_size = &values[i];
            break;
        case CU_JIT_WALL_TIME: log->wall_time = &values[i]; break;
        default:
            if ((unsigned)options[i] >= CU_JIT_NUM_OPTIONS)
                return CUDA_ERROR_INVALID_VALUE;
        }
    }
    return CUDA_SUCCESS;
}

/* Writes text, cut to fit, and stores how many bytes it takes, including its NUL. */
static void write_text(char *buffer, size_t bytes, void **size, const char *text)
{
    size_t filled = 0;
    if (buffer && bytes > 0) {
        snprintf(buffer, bytes, "%s", text);
        filled = strlen(buffer) + 1;
    }
    if (size)
        *size = (void *)(uintptr_t)filled;
}

void jit_log_write(const struct jit_log *log, const char *call, CUresult result, const struct diagnostic *diagnostic,
                   double elapsed_ms)
{
    char text[sizeof diagnostic->message + 64] = "";
    if (result != CUDA_SUCCESS && diagnostic->line > 0 && diagnostic->column > 0)
        snprintf(text, sizeof text, "line %d, column %d: %s\n", diagnostic->line, diagnostic->column, diagnostic->message);
    else if (result != CUDA_SUCCESS && diagnostic->line > 0)
        snprintf(text, sizeof text, "line %d: %s\n", diagnostic->line, diagnostic->message);
    else if (result != CUDA_SUCCESS)
        snprintf(text, sizeof text, "%s\n", diagnostic->message);
    if (text[0] != '\0' && !(log->error && log->error_bytes > 0))
        fprintf(stderr, "lockstep: %s: %s", call, text);
    write_text(log->error, log->error_bytes, log->error_size, text);
    write_text(log->info, log->info_bytes, log->info_size, result == CUDA_SUCCESS ? "loaded by the emulated driver\n" : "");
    if (log->wall_time) {
        float milliseconds = (float)elapsed_ms;
        memcpy(log->wall_time, &milliseconds, sizeof milliseconds);
    }
}
