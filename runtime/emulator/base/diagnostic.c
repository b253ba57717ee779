#include "runtime/emulator/base/diagnostic.h"

#include <stdarg.h>
#include <stdio.h>

void diagnostic_set(struct diagnostic *diagnostic, int line, const char *format, ...)
{
    if (!diagnostic || diagnostic->message[0] != '\0')
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(diagnostic->message, sizeof diagnostic->message, format, arguments);
    va_end(arguments);
    diagnostic->line = line;
}

void diagnostic_clear(struct diagnostic *diagnostic)
{
    if (!diagnostic)
        return;
    diagnostic->line = 0;
    diagnostic->message[0] = '\0';
}
