/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/progress.h"

#include "tuner/cli/figures.h"

#include <stdio.h>
#include <unistd.h>

enum { LINE_TEXT = 512, FAILURES_TEXT = 160 };

void progress_begin(struct progress *progress, bool quiet)
{
    *progress = (struct progress){.quiet = quiet, .terminal = isatty(STDERR_FILENO) == 1};
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

/* The objective's value beside the time, where it is another. */
static void write_value(const struct sweep_progress *sweep, const struct progress *progress, char *text, size_t size)
{
    text[0] = '\0';
    if (progress->objective && progress->objective->needs_energy && sweep->best_ns > 0)
        snprintf(text, size, ", %.4g %s", sweep->best_value, progress->objective->unit);
}

static void write_finals(const struct sweep_progress *sweep, char *line, size_t size)
{
    snprintf(line, size, "finals: round %zu, %zu candidate%s left", sweep->final_round, sweep->finalists,
             sweep->finalists == 1 ? "" : "s");
}

static void write_line(const struct sweep_progress *sweep, const struct progress *progress, char *line, size_t size)
{
    char failures[FAILURES_TEXT], best[FIGURE_TEXT], rate[FIGURE_TEXT] = "", left[FIGURE_TEXT] = "";
    char value[FIGURE_TEXT];
    write_value(sweep, progress, value, sizeof value);
    progress_failures(sweep->failed, failures, sizeof failures);
    figure_time(sweep->best_ns, best, sizeof best);
    if (sweep->best_ns > 0 && (progress->flops > 0 || progress->bytes > 0)) {
        char figure[FIGURE_TEXT - 4];
        figure_rate(sweep->best_ns, progress->flops, progress->bytes, figure, sizeof figure);
        snprintf(rate, sizeof rate, " (%s)", figure);
    }
    if (sweep->seconds_left >= 0)
        snprintf(left, sizeof left, ", %.0f s left", sweep->seconds_left);
    snprintf(line, size, "%zu/%zu%s%s, best %s%s%s%s", sweep->done, sweep->total, failures[0] ? ", failed: " : "",
             failures, best, rate, value, left);
}

void progress_observe(const struct sweep_progress *sweep, const struct evaluation *latest, const char *configuration,
                      void *context)
{
    (void)latest;
    (void)configuration;
    struct progress *progress = context;
    if (progress->quiet)
        return;
    double since = sweep->seconds - progress->shown_at;
    bool better = sweep->best_ns > 0 && sweep->best_ns != progress->shown_best_ns;
    if (progress->terminal ? since < 0.1 && sweep->done < sweep->total : since < 10 && !(better && since > 1))
        return;
    progress->shown_at = sweep->seconds;
    progress->shown_best_ns = sweep->best_ns;

    char line[LINE_TEXT];
    if (sweep->final_round > 0)
        write_finals(sweep, line, sizeof line);
    else
        write_line(sweep, progress, line, sizeof line);
    if (progress->terminal) {
        fprintf(stderr, "\r\033[K%s", line);
        progress->drawn = true;
    } else {
        fprintf(stderr, "%s\n", line);
    }
    fflush(stderr);
}

void progress_end(struct progress *progress)
{
    if (progress->drawn)
        fputc('\n', stderr);
    progress->drawn = false;
}

void progress_notice(const char *text, void *context)
{
    progress_end(context);
    fprintf(stderr, "tune: %s\n", text);
}
