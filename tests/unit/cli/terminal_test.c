/* SPDX-License-Identifier: Apache-2.0 */
#include "printed.h"

#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A pseudo-terminal of a width; what is written to `stream` is not read. */
struct pty {
    int master;
    FILE *stream;
};

static struct pty open_pty(unsigned short columns)
{
    struct pty pty;
    int slave;
    const struct winsize size = {.ws_row = 24, .ws_col = columns};
    assert_int_equal(openpty(&pty.master, &slave, NULL, NULL, &size), 0);
    pty.stream = fdopen(slave, "w");
    assert_non_null(pty.stream);
    return pty;
}

static void close_pty(struct pty *pty)
{
    fclose(pty->stream);
    close(pty->master);
}

static int plain_environment(void **state)
{
    (void)state;
    static const char *const names[] = {"NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
    return setenv("TERM", "xterm-256color", 1);
}

static void color_follows_the_stream_and_the_environment(void **state)
{
    const struct {
        const char *name, *value; /* NULL: nothing is set */
        bool color_in_terminal, color_in_pipe, redraws;
    } cases[] = {
        {NULL, NULL, true, false, true},           {"NO_COLOR", "1", false, false, true},
        {"NO_COLOR", "", true, false, true}, /* empty is not set: no-color.org */
        {"TERM", "dumb", false, false, false},     {"TERM", "", false, false, false},
        {"CLICOLOR_FORCE", "1", true, true, true}, {"CLICOLOR_FORCE", "0", true, false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        plain_environment(state);
        if (cases[i].name)
            setenv(cases[i].name, cases[i].value, 1);
        struct pty pty = open_pty(80);
        FILE *file = tmpfile();
        struct terminal terminal = terminal_of(pty.stream), pipe = terminal_of(file);
        assert_int_equal(terminal.color, cases[i].color_in_terminal);
        assert_int_equal(terminal.redraws, cases[i].redraws);
        assert_int_equal(pipe.color, cases[i].color_in_pipe);
        assert_false(pipe.redraws);
        fclose(file);
        close_pty(&pty);
    }
    setenv("CLICOLOR_FORCE", "1", 1);
    setenv("NO_COLOR", "1", 1); /* who wants none gets none */
    assert_false(terminal_of(stdout).color);
}

static void the_width_is_that_of_the_window(void **state)
{
    (void)state;
    struct pty pty = open_pty(123);
    struct terminal terminal = terminal_of(pty.stream);
    assert_int_equal(terminal.width, 123);
    const struct winsize narrower = {.ws_row = 24, .ws_col = 50};
    assert_int_equal(ioctl(pty.master, TIOCSWINSZ, &narrower), 0);
    terminal_update_width(&terminal);
    assert_int_equal(terminal.width, 50);
    close_pty(&pty);
}

static void a_window_of_unknown_width_has_the_columns_of_the_environment(void **state)
{
    (void)state;
    struct pty pty = open_pty(0);
    assert_int_equal(terminal_of(pty.stream).width, 80);
    setenv("COLUMNS", "99", 1);
    assert_int_equal(terminal_of(pty.stream).width, 99);
    static const char *const useless[] = {"", "wide", "-3", "0", "99999999999999999999"};
    for (size_t i = 0; i < sizeof useless / sizeof *useless; i++) {
        setenv("COLUMNS", useless[i], 1);
        assert_int_equal(terminal_of(pty.stream).width, 80);
    }
    close_pty(&pty);
}

static void a_file_has_no_width(void **state)
{
    (void)state;
    setenv("COLUMNS", "99", 1);
    FILE *file = tmpfile();
    struct terminal terminal = terminal_of(file);
    assert_int_equal(terminal.width, 0);
    terminal_update_width(&terminal);
    assert_int_equal(terminal.width, 0);
    fclose(file);
}

static void the_first_locale_that_is_set_decides(void **state)
{
    (void)state;
    assert_false(terminal_of(stdout).utf8);
    setenv("LANG", "de_DE.UTF-8", 1);
    assert_true(terminal_of(stdout).utf8);
    setenv("LC_ALL", "C", 1);
    assert_false(terminal_of(stdout).utf8);
    setenv("LC_ALL", "en_US.utf8", 1);
    assert_true(terminal_of(stdout).utf8);
}

static void styles_are_empty_without_color(void **state)
{
    (void)state;
    const struct terminal plain = {.color = false}, colored = {.color = true};
    assert_string_equal(style_on(&plain, STYLE_BEST), "");
    assert_string_equal(style_off(&plain), "");
    assert_string_equal(style_on(&colored, STYLE_BEST), "\033[1;32m");
    assert_string_equal(style_on(&colored, STYLE_PLAIN), "");
    assert_string_equal(style_off(&colored), "\033[0m");
}

static void text_folds_in_a_terminal_only(void **state)
{
    (void)state;
    struct printed printed;
    printed_begin(&printed, 26);
    terminal_print_folded("best: ", "TILE_M=64 TILE_N=128 PAD=4", STYLE_BEST, &printed.out);
    printed_equal(&printed, "best: TILE_M=64 TILE_N=128\n      PAD=4\n");
    printed_begin(&printed, 0);
    terminal_print_folded("best: ", "A=1 B=2 C=3 D=4", STYLE_BEST, &printed.out);
    printed_equal(&printed, "best: A=1 B=2 C=3 D=4\n");
    printed_begin(&printed, 4); /* too narrow to fold sensibly */
    terminal_print_folded("best: ", "A=1 B=2", STYLE_BEST, &printed.out);
    printed_equal(&printed, "best: A=1 B=2\n");
    printed_begin(&printed, 0);
    terminal_print_folded("best: ", "", STYLE_BEST, &printed.out);
    printed_equal(&printed, "best: \n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(color_follows_the_stream_and_the_environment, plain_environment),
        cmocka_unit_test_setup(the_width_is_that_of_the_window, plain_environment),
        cmocka_unit_test_setup(a_window_of_unknown_width_has_the_columns_of_the_environment, plain_environment),
        cmocka_unit_test_setup(a_file_has_no_width, plain_environment),
        cmocka_unit_test_setup(the_first_locale_that_is_set_decides, plain_environment),
        cmocka_unit_test_setup(styles_are_empty_without_color, plain_environment),
        cmocka_unit_test(text_folds_in_a_terminal_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
