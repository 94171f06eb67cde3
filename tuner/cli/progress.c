/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/progress.h"

#include "tuner/cli/figures.h"
#include "tuner/cli/parameters.h"
#include "tuner/cli/text_width.h"
#include "tuner/error/visible.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_TEXT = 1024, FAILURES_TEXT = 200, BAR_LEAST = 10, BAR_MOST = 40, BEST_LINES = 3, INDENT = 6 };

static const double frame_seconds = 0.1, line_seconds = 10, better_seconds = 1;

struct progress progress_begin(bool quiet)
{
    return (struct progress){.quiet = quiet, .live = live_begin(quiet), .lines = stderr};
}

void progress_failures(const size_t failed[OUTCOME_COUNT], char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (int outcome = OUTCOME_OK + 1; outcome < OUTCOME_COUNT && used < size; outcome++) {
        if (!failed[outcome])
            continue;
        int written = snprintf(buffer + used, size - used, "%s%zu %s", used ? ", " : "", failed[outcome],
                               outcome_name((enum outcome)outcome));
        if (written < 0)
            return;
        used += (size_t)written;
    }
}

/* "1.2 ms (3.4 GFLOP/s), 5 mJ; 3 on the front"; "-" while there is none. */
static void write_best(const struct sweep_progress *sweep, const struct progress *progress, char *text, size_t size)
{
    char time[FIGURE_TEXT], rate[FIGURE_TEXT] = "", value[FIGURE_TEXT + METRIC_NAME_LIMIT] = "";
    bool other = progress->objective && (progress->objective->needs_energy || progress->objective->is_metric);
    figure_time(sweep->best_ns, time, sizeof time);
    if (sweep->best_ns > 0 && (sweep->best_work.flops > 0 || sweep->best_work.bytes > 0)) {
        char figure[FIGURE_TEXT - 4];
        figure_rate(sweep->best_ns, sweep->best_work.flops, sweep->best_work.bytes, figure, sizeof figure);
        snprintf(rate, sizeof rate, " (%s)", figure);
    }
    if (sweep->best_ns > 0 && other) {
        char figure[FIGURE_TEXT];
        const struct objective *objective = progress->objective;
        figure_objective(objective->name, sweep->best_value, figure, sizeof figure);
        snprintf(value, sizeof value, ", %s%s%s", figure, objective->is_metric ? " " : "",
                 objective->is_metric ? objective->name : "");
    }
    snprintf(text, size, "%s%s%s", time, rate, value);
    if (sweep->front > 0)
        snprintf(text + strlen(text), size - strlen(text), "; %zu on the front", sweep->front);
}

/* ---- lines, where nothing can be redrawn ---- */

static void write_line(const struct sweep_progress *sweep, const struct progress *progress)
{
    char failures[FAILURES_TEXT], best[LINE_TEXT], left[FIGURE_TEXT] = "";
    if (sweep->final_round > 0) {
        visible_printf(progress->lines, "finals: round %zu, %zu candidate%s left\n", sweep->final_round,
                       sweep->finalists, sweep->finalists == 1 ? "" : "s");
        return;
    }
    write_best(sweep, progress, best, sizeof best);
    progress_failures(sweep->failed, failures, sizeof failures);
    if (sweep->seconds_left >= 0)
        snprintf(left, sizeof left, ", %.0f s left", sweep->seconds_left);
    visible_printf(progress->lines, "%zu/%zu%s%s, best %s%s\n", sweep->done, sweep->total,
                   failures[0] ? ", failed: " : "", failures, best, left);
}

/* ---- frames ---- */

struct frame {
    char lines[LIVE_LINES][LINE_TEXT];
    size_t count;
};

static char *next_line(struct frame *frame)
{
    return frame->lines[frame->count++];
}

static void repeat(char *text, size_t size, const char *piece, size_t times)
{
    for (size_t i = 0; i < times && strlen(text) + strlen(piece) < size; i++)
        strcat(text, piece);
}

/* A bar of `width` columns, brackets included where it is plain. */
static void write_bar(const struct terminal *out, double share, size_t width, char *text, size_t size)
{
    size_t inside = out->utf8 ? width : width - 2;
    size_t full = (size_t)(share * (double)inside);
    snprintf(text, size, "%s%s", out->utf8 ? "" : "[", style_on(out, STYLE_BEST));
    repeat(text, size, out->utf8 ? "█" : "#", full);
    repeat(text, size, style_off(out), 1);
    repeat(text, size, style_on(out, STYLE_FAINT), 1);
    repeat(text, size, out->utf8 ? "░" : "-", inside - full);
    repeat(text, size, style_off(out), 1);
    repeat(text, size, "]", out->utf8 ? 0 : 1);
}

/* "312/1024  30 %  41.2/s  12 s left" behind the bar, which takes what room there is. */
static void add_bar(const struct sweep_progress *sweep, const struct progress *progress, struct frame *frame)
{
    const struct terminal *out = &progress->live.out;
    char figures[LINE_TEXT / 4], bar[LINE_TEXT / 2], left[FIGURE_TEXT], rate[FIGURE_TEXT] = "";
    size_t made = sweep->done - sweep->reused;
    double share = sweep->total > 0 ? (double)sweep->done / (double)sweep->total : 0;
    share = share > 1 ? 1 : share;
    if (made > 0 && sweep->seconds > 0)
        snprintf(rate, sizeof rate, "  %.3g/s", (double)made / sweep->seconds);
    figure_duration(sweep->seconds_left >= 0 ? sweep->seconds_left : sweep->seconds, left, sizeof left);
    snprintf(figures, sizeof figures, "%zu/%zu  %.0f %%%s  %s%s", sweep->done, sweep->total, 100 * share, rate, left,
             sweep->seconds_left >= 0 ? " left" : "");
    size_t used = text_width(figures) + 3;
    size_t room = out->width > used ? out->width - used : 0;
    if (room < BAR_LEAST) {
        snprintf(next_line(frame), LINE_TEXT, "%s", figures);
        return;
    }
    write_bar(out, share, room < BAR_MOST ? room : BAR_MOST, bar, sizeof bar);
    snprintf(next_line(frame), LINE_TEXT, "%s  %s", bar, figures);
}

/* The parameters fold under each other; what does not fit into BEST_LINES is cut. */
static void add_best(const struct sweep_progress *sweep, const struct progress *progress, struct frame *frame)
{
    const struct terminal *out = &progress->live.out;
    char best[LINE_TEXT / 4];
    if (!(sweep->best_ns > 0))
        return;
    write_best(sweep, progress, best, sizeof best);
    char *parameters =
        sweep->best_configuration ? parameters_text_of(sweep->best_configuration, progress->fixed) : NULL;
    const char *rest = parameters ? parameters : "";
    size_t width = out->width > (size_t)2 * INDENT ? out->width - INDENT - 1 : INDENT;
    snprintf(next_line(frame), LINE_TEXT, "best  %s%s%s", style_on(out, STYLE_BEST), best, style_off(out));
    for (size_t i = 1; i < BEST_LINES && *rest; i++) {
        size_t bytes = text_fold(rest, width);
        bool cut = i + 1 == BEST_LINES && rest[bytes];
        snprintf(next_line(frame), LINE_TEXT, "%*s%.*s%s", INDENT, "", (int)bytes, rest, cut ? "..." : "");
        rest += bytes + strspn(rest + bytes, " ");
    }
    free(parameters);
}

static void add_load(const struct sweep_progress *sweep, const struct progress *progress, struct frame *frame)
{
    const struct terminal *out = &progress->live.out;
    const struct crew_load *load = &sweep->load;
    char failures[FAILURES_TEXT];
    progress_failures(sweep->failed, failures, sizeof failures);
    snprintf(next_line(frame), LINE_TEXT, "%s%zu of %zu compiling, %zu of %zu measuring, %zu queued%s",
             style_on(out, STYLE_FAINT), load->compiling, load->compilers, load->measuring, load->measurers,
             load->queued, style_off(out));
    if (failures[0])
        snprintf(next_line(frame), LINE_TEXT, "%sfailed%s  %s", style_on(out, STYLE_ERROR), style_off(out), failures);
    if (progress->interrupted && *progress->interrupted)
        snprintf(next_line(frame), LINE_TEXT, "finishing; press Ctrl-C again to stop at once");
}

static void add_finals(const struct sweep_progress *sweep, const struct progress *progress, struct frame *frame)
{
    const struct terminal *out = &progress->live.out;
    snprintf(next_line(frame), LINE_TEXT, "%sfinals%s  round %zu, %zu candidate%s left", style_on(out, STYLE_HEADING),
             style_off(out), sweep->final_round, sweep->finalists, sweep->finalists == 1 ? "" : "s");
}

static void draw(const struct sweep_progress *sweep, struct progress *progress)
{
    struct frame frame = {.count = 0};
    const char *lines[LIVE_LINES];
    terminal_update_width(&progress->live.out);
    if (sweep->final_round > 0)
        add_finals(sweep, progress, &frame);
    else
        add_bar(sweep, progress, &frame);
    add_best(sweep, progress, &frame);
    if (sweep->final_round == 0)
        add_load(sweep, progress, &frame);
    for (size_t i = 0; i < frame.count; i++)
        lines[i] = frame.lines[i];
    live_draw(&progress->live, lines, frame.count);
}

void progress_observe(const struct sweep_progress *sweep, const struct evaluation *latest, const char *configuration,
                      void *context)
{
    (void)configuration;
    struct progress *progress = context;
    bool draws = live_draws(&progress->live);
    bool idle = !latest && sweep->final_round == 0;
    if (progress->quiet || (idle && !draws))
        return;
    double since = sweep->seconds - progress->shown_at;
    bool better = sweep->best_ns > 0 && sweep->best_ns != progress->shown_best_ns;
    bool begins = draws && progress->live.count == 0;
    if (draws ? since < frame_seconds && sweep->done < sweep->total && !begins
              : since < line_seconds && !(better && since > better_seconds))
        return;
    progress->shown_at = sweep->seconds;
    progress->shown_best_ns = sweep->best_ns;
    if (draws)
        draw(sweep, progress);
    else
        write_line(sweep, progress);
}

void progress_end(struct progress *progress)
{
    live_clear(&progress->live);
}

void progress_notice(const char *text, void *context)
{
    struct progress *progress = context;
    live_clear(&progress->live);
    visible_printf(progress->lines, "tune: %s\n", text);
}
