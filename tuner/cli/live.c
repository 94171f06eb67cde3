/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/live.h"

#include "tuner/cli/text_width.h"
#include "tuner/error/text_stream.h"

#include <stdlib.h>

struct live live_begin(bool quiet)
{
    struct live live = {.out = terminal_of(stderr)};
    live.out.redraws = live.out.redraws && !quiet;
    return live;
}

bool live_draws(const struct live *live)
{
    return live->out.redraws;
}

/* Rows that the frame takes now: a window that was made narrower has wrapped its lines. */
static size_t rows(const struct live *live)
{
    size_t count = 0;
    for (size_t i = 0; i < live->count; i++)
        count += live->widths[i] ? (live->widths[i] + live->out.width - 1) / live->out.width : 1;
    return count;
}

/* To the first column of the frame's first line. */
static void go_to_start(const struct live *live, FILE *stream)
{
    size_t above = rows(live);
    fputc('\r', stream);
    if (above > 1)
        fprintf(stream, "\033[%zuA", above - 1);
}

/* The last column stays free: a terminal may wrap when it is written to. */
static void write_frame(struct live *live, const char *const *lines, size_t count, FILE *stream)
{
    if (live->count)
        go_to_start(live, stream);
    for (size_t i = 0; i < count; i++) {
        size_t bytes = text_prefix(lines[i], live->out.width - 1);
        live->widths[i] = text_width_of(lines[i], bytes);
        const char *end = lines[i][bytes] ? style_off(&live->out) : ""; /* that of the line was cut off */
        fprintf(stream, "%s%.*s%s\033[K", i ? "\n" : "", (int)bytes, lines[i], end);
    }
    fputs("\033[J", stream);
    live->count = count;
}

void live_draw(struct live *live, const char *const *lines, size_t count)
{
    if (!live->out.redraws)
        return;
    struct text_stream stream;
    struct live drawn = *live;
    if (!text_stream_open(&stream, NULL))
        return;
    terminal_update_width(&drawn.out);
    write_frame(&drawn, lines, count < LIVE_LINES ? count : LIVE_LINES, stream.out);
    char *frame = text_stream_close(&stream, NULL);
    if (frame) { /* else memory is short: a later frame may be drawn */
        fputs(frame, live->out.stream);
        fflush(live->out.stream);
        *live = drawn;
    }
    free(frame);
}

void live_clear(struct live *live)
{
    if (!live->count)
        return;
    terminal_update_width(&live->out);
    go_to_start(live, live->out.stream);
    fputs("\033[J", live->out.stream);
    fflush(live->out.stream);
    live->count = 0;
}
