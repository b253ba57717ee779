#include "runtime/base/diagnostic.h"

#include <stdarg.h>
#include <stdio.h>

static void set(struct diagnostic *diagnostic, int line, int column, const char *format, va_list arguments)
{
    if (!diagnostic || diagnostic->message[0] != '\0')
        return;
    vsnprintf(diagnostic->message, sizeof diagnostic->message, format, arguments);
    diagnostic->line = line;
    diagnostic->column = column;
}

void diagnostic_set(struct diagnostic *diagnostic, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(diagnostic, line, 0, format, arguments);
    va_end(arguments);
}

void diagnostic_set_at(struct diagnostic *diagnostic, int line, int column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(diagnostic, line, column, format, arguments);
    va_end(arguments);
}

void diagnostic_clear(struct diagnostic *diagnostic)
{
    if (!diagnostic)
        return;
    diagnostic->line = diagnostic->column = 0;
    diagnostic->message[0] = '\0';
}
