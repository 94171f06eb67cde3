/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/terminal.h"

#include "tuner/cli/text_width.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { DEFAULT_WIDTH = 80, WIDEST = 10000 };

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value;
}

static bool is_dumb(void)
{
    const char *term = getenv("TERM");
    return !term || !*term || strcmp(term, "dumb") == 0;
}

static bool wants_color(bool is_terminal)
{
    if (is_set("NO_COLOR"))
        return false;
    if (is_set("CLICOLOR_FORCE") && strcmp(getenv("CLICOLOR_FORCE"), "0") != 0)
        return true;
    return is_terminal && !is_dumb();
}

/* The first of these that is set decides, as in setlocale. */
static bool is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (is_set(names[i]))
            return strcasestr(getenv(names[i]), "utf-8") || strcasestr(getenv(names[i]), "utf8");
    }
    return false;
}

static size_t width_of(int descriptor)
{
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    const char *columns = getenv("COLUMNS");
    long width = columns ? strtol(columns, NULL, 10) : 0;
    return width > 0 && width <= WIDEST ? (size_t)width : DEFAULT_WIDTH;
}

struct terminal terminal_of(FILE *stream)
{
    int descriptor = fileno(stream);
    bool is_terminal = descriptor >= 0 && isatty(descriptor) == 1;
    return (struct terminal){
        .stream = stream,
        .redraws = is_terminal && !is_dumb(),
        .color = wants_color(is_terminal),
        .utf8 = is_utf8(),
        .width = is_terminal ? width_of(descriptor) : 0,
    };
}

void terminal_update_width(struct terminal *terminal)
{
    if (terminal->width && terminal->stream && fileno(terminal->stream) >= 0)
        terminal->width = width_of(fileno(terminal->stream));
}

const char *style_on(const struct terminal *terminal, enum style style)
{
    static const char *const sequences[] = {
        [STYLE_PLAIN] = "",           [STYLE_HEADING] = "\033[1m", [STYLE_BEST] = "\033[1;32m",
        [STYLE_ERROR] = "\033[1;31m", [STYLE_FAINT] = "\033[2m",
    };
    return terminal->color ? sequences[style] : "";
}

const char *style_off(const struct terminal *terminal)
{
    return terminal->color ? "\033[0m" : "";
}

void terminal_print_folded(const char *label, const char *text, enum style style, const struct terminal *out)
{
    enum { NARROWEST = 20 };
    size_t indent = text_width(label);
    size_t width = out->width >= indent + NARROWEST ? out->width - indent : SIZE_MAX;
    const char *end = style == STYLE_PLAIN ? "" : style_off(out);
    fputs(label, out->stream);
    do {
        size_t bytes = text_fold(text, width);
        fprintf(out->stream, "%s%.*s%s\n", style_on(out, style), (int)bytes, text, end);
        text += bytes;
        text += strspn(text, " ");
        fprintf(out->stream, "%*s", *text ? (int)indent : 0, "");
    } while (*text);
}
