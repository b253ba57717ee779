/* Compiles CUDA files to PTX, for seeds of the fuzz targets:
 *
 *     seeds DIRECTORY FILE.cu...
 *
 * Each file is compiled in both dialects of PTX (compute_80, compute_120) to DIRECTORY/NAME_NN.ptx; one that does not
 * compile is left out (some fixtures are wrong on purpose). Exits 1 when there is no NVRTC or a seed cannot be written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/lockstep.h"

static char *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, (256 << 10) + 1);
    *bytes = file && text ? fread(text, 1, 256 << 10, file) : 0;
    if (file)
        fclose(file);
    return text;
}

static bool write_seed(const char *directory, const char *source, int major, const lockstep_compiled *compiled)
{
    char path[2048], name[1024];
    snprintf(name, sizeof name, "%s", source);
    for (char *at = name; *at; at++)
        if (*at == '/' || *at == '.')
            *at = '_';
    snprintf(path, sizeof path, "%s/%s_%d.ptx", directory, name, 10 * major);
    FILE *file = fopen(path, "wb");
    bool well = file && fwrite(compiled->ptx, 1, compiled->ptx_bytes, file) == compiled->ptx_bytes;
    if (file)
        well = fclose(file) == 0 && well;
    if (!well)
        perror(path);
    return well;
}

int main(int count, char **arguments)
{
    lockstep_error error = {0};
    bool well = count > 2;
    if (lockstep_compiler_find(NULL, NULL, 0, &error) != LOCKSTEP_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (int i = 2; i < count && well; i++) {
        size_t bytes;
        char *source = read_file(arguments[i], &bytes);
        for (int major = 8; source && major <= 12 && well; major += 4) {
            lockstep_compile_request request = {
                .source = source, .source_bytes = bytes, .file_name = arguments[i], .major = major};
            lockstep_compiled compiled = {0};
            if (lockstep_compile(&request, &compiled, &error) == LOCKSTEP_OK)
                well = write_seed(arguments[1], arguments[i], major, &compiled);
            lockstep_compiled_clear(&compiled);
        }
        free(source);
    }
    return well ? 0 : 1;
}
