/* ptxas, as Triton finds it under `lockstep exec` (TRITON_PTXAS_PATH): the "machine code" is the PTX itself, which the
 * emulated driver reads. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define SELF "lockstep: ptxas: "

/* What NVIDIA's prints; clients read the version. */
static int tell_version(void)
{
    puts("ptxas: NVIDIA (R) Ptx optimizing assembler\nLockstep's stand-in: it copies PTX for the emulated driver\n"
         "Cuda compilation tools, release 13.0, V13.0.88");
    return 0;
}

static bool copy(const char *input, const char *output)
{
    char block[1 << 16];
    FILE *from = fopen(input, "re"), *to = from ? fopen(output, "we") : NULL;
    const char *name = from ? output : input;
    bool good = to != NULL;
    for (size_t bytes; good && (bytes = fread(block, 1, sizeof block, from)) > 0;)
        good = fwrite(block, 1, bytes, to) == bytes;
    if (good && ferror(from)) {
        good = false;
        name = input;
    }
    if (to && fclose(to) != 0)
        good = false;
    if (!good)
        fprintf(stderr, SELF "%s: %s\n", name, strerror(errno));
    if (from)
        fclose(from);
    return good;
}

/* Options with a value in the next word. */
static bool has_value(const char *word)
{
    static const char *const names[] = {"-arch",         "--gpu-name",     "-m", "--machine",
                                        "-maxrregcount", "--maxrregcount", "-O", "--opt-level"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(word, names[i]) == 0)
            return true;
    return false;
}

int main(int count, char **arguments)
{
    const char *input = NULL, *output = "elf.o";
    for (int i = 1; i < count; i++) {
        const char *word = arguments[i];
        if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
            return tell_version();
        if ((strcmp(word, "-o") == 0 || strcmp(word, "--output-file") == 0) && i + 1 < count)
            output = arguments[++i];
        else if (has_value(word) && i + 1 < count)
            i++;
        else if (word[0] != '-')
            input = word;
    }
    if (!input) {
        fputs(SELF "no input file\n", stderr);
        return 1;
    }
    return copy(input, output) ? 0 : 1;
}
