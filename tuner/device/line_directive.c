/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/line_directive.h"

void line_directive(FILE *stream, unsigned line, const char *path)
{
    fprintf(stream, "#line %u \"", line);
    for (const char *c = path; *c; c++) {
        if (*c == '"' || *c == '\\')
            fputc('\\', stream);
        fputc((unsigned char)*c < ' ' ? '?' : *c, stream);
    }
    fputs("\"\n", stream);
}
