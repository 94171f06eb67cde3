/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/check_report.h"

#include <stdarg.h>

void check_note(struct check_report *report, const char *format, ...)
{
    if (report->note_count == CHECK_NOTES)
        return;
    va_list arguments;
    va_start(arguments, format);
    char *note = report->notes[report->note_count++];
    vsnprintf(note, CHECK_NOTE_TEXT, format, arguments);
    for (char *c = note; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    va_end(arguments);
}

void check_report_clear(struct check_report *report)
{
    diagnostics_clear(&report->diagnostics);
    *report = (struct check_report){0};
}
