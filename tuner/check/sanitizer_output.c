/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/sanitizer_output.h"

#include "tuner/check/plain_run.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFERS_MOST = 64 };

/* A report that is still being read. */
struct report {
    struct diagnostic diagnostic; /* its text: whatever the fields below do not say */
    char access[16];              /* "read", or "" */
    unsigned long long bytes, address;
    char space[16];     /* "global" */
    char complaint[64]; /* of the address: "is out of bounds" */
    char thread[96];    /* "by thread (63,0,0) in block (2,0,0)" */
};

struct reader {
    struct {
        char name[64];
        unsigned long long address, bytes;
    } buffers[BUFFERS_MOST];
    size_t buffer_count;
    struct report report;
    bool open; /* inside a report */
    void (*found)(void *context, const struct diagnostic *diagnostic);
    void *context;
};

static const struct {
    const char *start;
    enum diagnostic_kind kind;
} headings[] = {
    {"Invalid ", DIAGNOSTIC_OUT_OF_BOUNDS},       {"Misaligned ", DIAGNOSTIC_OUT_OF_BOUNDS},
    {"Out-of-range ", DIAGNOSTIC_OUT_OF_BOUNDS},  {"Stack overflow", DIAGNOSTIC_OUT_OF_BOUNDS},
    {"Error: Race reported", DIAGNOSTIC_RACE},    {"Warning: Race reported", DIAGNOSTIC_RACE},
    {"Error: Potential ", DIAGNOSTIC_RACE},       {"Warning: Potential ", DIAGNOSTIC_RACE},
    {"Uninitialized ", DIAGNOSTIC_UNINITIALISED}, {"Barrier error detected", DIAGNOSTIC_DIVERGENT_BARRIER},
};

static void append(struct diagnostic *diagnostic, const char *separator, const char *text)
{
    size_t used = strlen(diagnostic->text);
    snprintf(diagnostic->text + used, sizeof diagnostic->text - used, "%s%s", used ? separator : "", text);
}

/* "... in FILE:LINE", which ":FUNCTION" or " [N hazards]" may follow. */
static bool read_location(const char *text, char *file, size_t size, unsigned *line)
{
    const char *in = strstr(text, " in ");
    for (const char *next = in; next; next = strstr(next + 1, " in "))
        in = next;
    if (!in)
        return false;
    in += strlen(" in ");
    for (const char *colon = strchr(in, ':'); colon; colon = strchr(colon + 1, ':')) {
        if (!isdigit((unsigned char)colon[1]))
            continue;
        *line = (unsigned)strtoul(colon + 1, NULL, 10);
        snprintf(file, size, "%.*s", (int)(colon - in), in);
        return true;
    }
    return false;
}

/* "Access to 0x7f31d2c00300 is out of bounds", in older versions "Access at ..." or "Address ...". */
static bool read_address(struct report *report, const char *text)
{
    static const char *const starts[] = {"Access to 0x", "Access at 0x", "Address 0x"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (strncmp(text, starts[i], strlen(starts[i])) != 0)
            continue;
        char *end;
        report->address = strtoull(text + strlen(starts[i]), &end, 16);
        snprintf(report->complaint, sizeof report->complaint, "%s", *end ? end + 1 : "");
        return true;
    }
    return false;
}

/* "between Write access at ... in FILE:LINE" is where the race is, "and Read access at ..." the other access. */
static void read_racing_access(struct report *report, const char *text)
{
    struct diagnostic *diagnostic = &report->diagnostic;
    char word[16] = "", location[600], file[512];
    unsigned line;
    const char *access = strstr(text, " access at ");
    const char *start = access;
    while (start && start > text && isalpha((unsigned char)start[-1]))
        start--;
    if (!start || !read_location(text, file, sizeof file, &line)) {
        if (diagnostic->line == 0)
            read_location(text, diagnostic->file, sizeof diagnostic->file, &diagnostic->line);
        append(diagnostic, "; ", text);
        return;
    }
    snprintf(word, sizeof word, "%.*s", (int)(access - start), start);
    word[0] = (char)tolower((unsigned char)word[0]);
    if (diagnostic->line == 0) {
        snprintf(diagnostic->file, sizeof diagnostic->file, "%s", file);
        diagnostic->line = line;
        snprintf(diagnostic->text, sizeof diagnostic->text, "this %s", word);
        return;
    }
    const char *behind = strrchr(text, '[');
    snprintf(location, sizeof location, "a %s at %s:%u%s%s", word, file, line, behind ? " " : "",
             behind ? behind : "");
    append(diagnostic, " and ", location);
}

/* Name the nearest buffer and the distance to it: "1 past x" is the first byte past its end. */
static bool find_buffer(const struct reader *reader, const struct report *report, struct diagnostic *diagnostic)
{
    unsigned long long nearest = 64 << 10, address = report->address;
    bool found = false;
    for (size_t i = 0; strcmp(report->space, "global") == 0 && i < reader->buffer_count; i++) {
        unsigned long long first = reader->buffers[i].address, end = first + reader->buffers[i].bytes;
        unsigned long long away = address < first ? first - address : address >= end ? address - end + 1 : 0;
        if (away >= nearest)
            continue;
        nearest = away;
        found = true;
        const char *name = reader->buffers[i].name;
        snprintf(diagnostic->variable, sizeof diagnostic->variable, "%s", name);
        if (away)
            snprintf(diagnostic->text, sizeof diagnostic->text, "%ss %llu bytes %llu %s %s", report->access,
                     report->bytes, away, address < first ? "before" : "past", name);
        else
            snprintf(diagnostic->text, sizeof diagnostic->text, "%ss %llu bytes at byte %llu of %s, which %s",
                     report->access, report->bytes, address - first, name, report->complaint);
    }
    return found;
}

static void close_report(struct reader *reader)
{
    struct report *report = &reader->report;
    struct diagnostic *diagnostic = &report->diagnostic;
    if (!reader->open)
        return;
    reader->open = false;
    if (report->access[0] && report->complaint[0] && !find_buffer(reader, report, diagnostic))
        snprintf(diagnostic->text, sizeof diagnostic->text, "%ss %llu bytes of %s memory at 0x%llx, which %s",
                 report->access, report->bytes, report->space, report->address, report->complaint);
    if (report->thread[0]) {
        append(diagnostic, " (", report->thread);
        append(diagnostic, "", ")");
    }
    reader->found(reader->context, diagnostic);
}

/* A report is worth reading up to the backtrace of the host. */
static void read_detail(struct reader *reader, const char *text)
{
    struct report *report = &reader->report;
    struct diagnostic *diagnostic = &report->diagnostic;
    if (strncmp(text, "Saved host", 10) == 0 || strncmp(text, "Host Frame", 10) == 0)
        close_report(reader);
    else if (diagnostic->kind == DIAGNOSTIC_RACE)
        read_racing_access(report, text);
    else if (strncmp(text, "at ", 3) == 0 && diagnostic->line == 0)
        read_location(text, diagnostic->file, sizeof diagnostic->file, &diagnostic->line);
    else if (strncmp(text, "by ", 3) == 0)
        snprintf(report->thread, sizeof report->thread, "%s", text);
    else if (strncmp(text, "Device Frame", 12) != 0 && !read_address(report, text) && !report->complaint[0])
        append(diagnostic, "; ", text);
}

static void read_heading(struct reader *reader, const char *text)
{
    struct report *report = &reader->report;
    close_report(reader);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
        if (strncmp(text, headings[i].start, strlen(headings[i].start)) != 0)
            continue;
        *report = (struct report){.diagnostic = {.kind = headings[i].kind}};
        reader->open = true;
        if (report->diagnostic.kind == DIAGNOSTIC_RACE)
            read_racing_access(report, text);
        else
            append(&report->diagnostic, "", text);
        const char *space = strstr(text, " __");
        if (space &&
            sscanf(space, " __%15[a-z]__ %15s of size %llu", report->space, report->access, &report->bytes) != 3)
            report->access[0] = '\0';
        return;
    }
}

static void read_buffer(struct reader *reader, const char *line)
{
    if (reader->buffer_count < BUFFERS_MOST &&
        sscanf(line, PLAIN_RUN_BUFFER " %63s %llx %llu", reader->buffers[reader->buffer_count].name,
               &reader->buffers[reader->buffer_count].address, &reader->buffers[reader->buffer_count].bytes) == 3)
        reader->buffer_count++;
}

static void read_line(struct reader *reader, const char *line)
{
    static const char *const mark = "=========";
    read_buffer(reader, line);
    if (strncmp(line, mark, strlen(mark)) != 0)
        return;
    const char *text = line + strlen(mark);
    size_t blanks = strspn(text, " ");
    text += blanks;
    if (!*text)
        close_report(reader);
    else if (blanks > 1 && reader->open)
        read_detail(reader, text);
    else if (blanks <= 1)
        read_heading(reader, text);
}

void sanitizer_output_read(const char *output, void (*found)(void *context, const struct diagnostic *diagnostic),
                           void *context)
{
    struct reader reader = {.found = found, .context = context};
    while (*output) {
        char line[4096];
        size_t length = strcspn(output, "\n");
        snprintf(line, sizeof line, "%.*s", length < sizeof line ? (int)length : (int)sizeof line - 1, output);
        line[strcspn(line, "\r")] = '\0';
        read_line(&reader, line);
        output += length + (output[length] == '\n');
    }
    close_report(&reader);
}
