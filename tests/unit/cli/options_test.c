/* SPDX-License-Identifier: Apache-2.0 */
#include "printed.h"

#include "tuner/cli/options.h"

#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS_MOST = 40 };

/* Parse a line of arguments, which a space separates. The texts of `options` stay in `line`. */
static bool parse(enum command_id command, char *line, struct options *options, struct error *error)
{
    char *arguments[ARGUMENTS_MOST + 1] = {"tune"};
    int count = 1;
    for (char *word; (word = strsep(&line, " "));) {
        if (*word)
            arguments[count++] = word;
    }
    *error = (struct error){0};
    return options_parse(command, "tune", "TEMPLATE", "A test.", count, arguments, options, error);
}

static void each_option_reaches_its_field(void **state)
{
    (void)state;
    char line[] =
        "gemm --space full --size M=1,N=-2 -n K=9223372036854775807 --device cpu --db x.db --strategy random "
        "--budget 30s --patience 7 --seed 18446744073709551615 --objective edp --jobs 3 --deadline 1.5m "
        "--fresh --no-cache --json --quiet";
    struct options options;
    struct error error;
    assert_true(parse(COMMAND_TUNE, line, &options, &error));
    assert_string_equal(options.subject, "gemm");
    assert_string_equal(options.space, "full");
    assert_int_equal(options.size_count, 3);
    assert_string_equal(options.sizes[1].name, "N");
    assert_int_equal(options.sizes[1].value, -2);
    assert_true(options.sizes[2].value == INT64_MAX);
    assert_string_equal(options.device, "cpu");
    assert_string_equal(options.database, "x.db");
    assert_string_equal(options.strategy, "random");
    assert_string_equal(options.budget, "30s");
    assert_true(options.budget_seconds == 30 && options.budget_evaluations == 0);
    assert_int_equal(options.patience, 7);
    assert_true(options.seed == UINT64_MAX);
    assert_string_equal(options.objective, "edp");
    assert_int_equal(options.jobs, 3);
    assert_true(options.deadline == 90);
    assert_true(options.fresh && options.no_cache && options.json && options.quiet);
    assert_false(options.header || options.known || options.tell_budget || options.t1 || options.t4);
    options_clear(&options);
}

static void short_options_are_the_same(void **state)
{
    (void)state;
    char line[] = "-s full -n M=1 -d cpu -D x.db -S ils -b 500 -j 2 -q";
    struct options options;
    struct error error;
    assert_true(parse(COMMAND_TUNE, line, &options, &error));
    assert_string_equal(options.space, "full");
    assert_string_equal(options.device, "cpu");
    assert_string_equal(options.database, "x.db");
    assert_string_equal(options.strategy, "ils");
    assert_int_equal(options.budget_evaluations, 500);
    assert_int_equal(options.jobs, 2);
    assert_true(options.quiet);
    assert_null(options.subject);
    options_clear(&options);
}

static void defaults(void **state)
{
    (void)state;
    char none[] = "";
    struct options options, again;
    struct error error;
    assert_true(parse(COMMAND_SIMULATE, none, &options, &error));
    assert_string_equal(options.strategy, "auto");
    assert_null(options.objective);
    assert_string_equal(options.budget, "");
    assert_int_equal(options.repeats, 100);
    assert_int_equal(options.parallel, 0);
    assert_int_equal(options.seed, 1);
    assert_int_equal(options.strategies.count, 0);
    options_clear(&options);
    /* a sweep's seed is another one each time */
    assert_true(parse(COMMAND_TUNE, none, &options, &error) && parse(COMMAND_TUNE, none, &again, &error));
    assert_true(options.seed != again.seed);
}

static void some_options_may_be_repeated(void **state)
{
    (void)state;
    char line[] = "--recorded a b --strategy ils c --strategy tabu --traces t --traces u";
    struct options options;
    struct error error;
    assert_true(parse(COMMAND_SIMULATE, line, &options, &error));
    assert_int_equal(options.recordings.count, 3); /* further arguments are recordings */
    assert_string_equal(options.recordings.items[0], "a");
    assert_string_equal(options.recordings.items[2], "c");
    assert_int_equal(options.strategies.count, 2);
    assert_string_equal(options.strategy, "tabu");
    assert_int_equal(options.traces.count, 2);
    options_clear(&options);
}

static void samples(void **state)
{
    (void)state;
    char some[] = "--sample 5", all[] = "--sample all", both[] = "--sample 5 --sample all";
    struct options options;
    struct error error;
    assert_true(parse(COMMAND_CHECK, some, &options, &error));
    assert_true(options.sampled && options.sample == 5);
    assert_true(parse(COMMAND_CHECK, all, &options, &error));
    assert_true(options.sampled && options.sample == 0);
    assert_true(parse(COMMAND_CHECK, both, &options, &error));
    assert_true(options.sampled && options.sample == 0);
}

static void values_that_are_wrong(void **state)
{
    (void)state;
    const struct {
        enum command_id command;
        const char *line, *text;
    } cases[] = {
        {COMMAND_TUNE, "--size M", "--size: 'M' is not NAME=NUMBER"},
        {COMMAND_TUNE, "--size =5", "--size: '=5' is not NAME=NUMBER"},
        {COMMAND_TUNE, "--size M=", "--size: '' is not a number that fits 64 bits"},
        {COMMAND_TUNE, "--size M=5x", "--size: '5x' is not a whole number"},
        {COMMAND_TUNE, "--size M=9223372036854775808", "--size: 9223372036854775808 does not fit 64 bits"},
        {COMMAND_TUNE, "--size M=1,", "--size: '' is not NAME=NUMBER"},
        {COMMAND_TUNE, "--budget soon", "--budget: 'soon' is neither a number of evaluations nor a time"},
        {COMMAND_TUNE, "--budget 0", "--budget: '0' is neither a number of evaluations nor a time"},
        {COMMAND_TUNE, "--budget -5s", "--budget: '-5s' is neither a number of evaluations nor a time"},
        {COMMAND_TUNE, "--budget 5parsecs", "--budget: '5parsecs' is neither a number of evaluations nor a time"},
        {COMMAND_TUNE, "--patience 0", "--patience: '0' is not a whole number of at least 1"},
        {COMMAND_TUNE, "--seed -1", "--seed: '-1' is not a whole number"},
        {COMMAND_TUNE, "--seed 18446744073709551616", "--seed: '18446744073709551616' is not a whole number"},
        {COMMAND_TUNE, "--jobs 4097", "--jobs: '4097' is not a whole number from 1 to 4096"},
        {COMMAND_TUNE, "--jobs 1e3", "--jobs: '1e3' is not a whole number from 1 to 4096"},
        {COMMAND_TUNE, "--deadline 10", "--deadline: '10' is not a time"},
        {COMMAND_TUNE, "--deadline nans", "--deadline: 'nans' is not a time"},
        {COMMAND_TUNE, "--deadline 1e308h", "--deadline: '1e308h' is not a time"},
        {COMMAND_TUNE, "--budget 5e-324ms", "--budget: '5e-324ms' is neither a number of evaluations nor a time"},
        {COMMAND_CHECK, "--sample few", "--sample: 'few' is neither a number of configurations nor 'all'"},
        {COMMAND_SIMULATE, "--repeats 0", "--repeats: '0' is not a whole number from 1 to 1000000"},
        {COMMAND_TUNE, "--jobs 0 --seed x", "--jobs: '0' is not a whole number from 1 to 4096"}, /* the first one */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct options options;
        struct error error;
        char line[100];
        snprintf(line, sizeof line, "%s", cases[i].line);
        assert_false(parse(cases[i].command, line, &options, &error));
        assert_int_equal(error.code, ERROR_INPUT);
        assert_string_equal(error.text, cases[i].text);
        options_clear(&options);
    }
}

static void at_most_sixteen_sizes(void **state)
{
    (void)state;
    char fits[] = "--size A=1,B=1,C=1,D=1,E=1,F=1,G=1,H=1,I=1,J=1,K=1,L=1,M=1,N=1,O=1,P=1";
    char more[] = "--size A=1,B=1,C=1,D=1,E=1,F=1,G=1,H=1,I=1,J=1,K=1,L=1,M=1,N=1,O=1,P=1 --size Q=1";
    struct options options;
    struct error error;
    assert_true(parse(COMMAND_TUNE, fits, &options, &error));
    assert_int_equal(options.size_count, 16);
    options_clear(&options);
    assert_false(parse(COMMAND_TUNE, more, &options, &error));
    assert_string_equal(error.text, "--size: at most 16 sizes");
    options_clear(&options);
}

/* argp ends the process: the exit status of parsing in a child, with its messages in `text`. */
static int status_of(enum command_id command, const char *line, char *text, size_t size)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        struct options options;
        struct error error;
        char copy[100];
        snprintf(copy, sizeof copy, "%s", line);
        _exit(parse(command, copy, &options, &error) ? 77 : 78);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t more; length + 1 < size && (more = read(ends[0], text + length, size - 1 - length)) > 0;)
        length += (size_t)more;
    text[length] = '\0';
    close(ends[0]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void an_option_of_another_command_is_refused(void **state)
{
    (void)state;
    char text[20000];
    assert_int_equal(status_of(COMMAND_REPORT, "--fresh", text, sizeof text), 2);
    assert_non_null(strstr(text, "fresh"));
    assert_int_equal(status_of(COMMAND_TUNE, "--repeats 5", text, sizeof text), 2);
    assert_int_equal(status_of(COMMAND_TUNE, "gemm transpose", text, sizeof text), 2);
    assert_non_null(strstr(text, "unexpected argument 'transpose'"));
    assert_int_equal(status_of(COMMAND_TUNE, "--space", text, sizeof text), 2);
    assert_int_equal(status_of(COMMAND_SIMULATE, "--repeats 5", text, sizeof text), 77);
}

static void a_ladder_may_name_its_parameters(void **state)
{
    (void)state;
    struct options options;
    struct error error;
    char none[] = "gemm", bare[] = "gemm --ladder --json", named[] = "gemm --ladder=VARIANT,PAD",
         empty[] = "gemm --ladder=";
    assert_true(parse(COMMAND_BEST, none, &options, &error));
    assert_null(options.ladder);
    assert_true(parse(COMMAND_BEST, bare, &options, &error));
    assert_string_equal(options.ladder, "");
    assert_string_equal(options.subject, "gemm");
    assert_true(options.json);
    assert_true(parse(COMMAND_BEST, named, &options, &error));
    assert_string_equal(options.ladder, "VARIANT,PAD");
    assert_false(parse(COMMAND_BEST, empty, &options, &error));
    assert_string_equal(error.text, "--ladder: the value is empty");
}

static void help_lists_the_options_of_the_command(void **state)
{
    (void)state;
    char text[20000];
    assert_int_equal(status_of(COMMAND_SIMULATE, "--help", text, sizeof text), 0);
    assert_non_null(strstr(text, "--repeats=N"));
    assert_non_null(strstr(text, "A test."));
    assert_null(strstr(text, "--fresh"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_option_reaches_its_field),
        cmocka_unit_test(short_options_are_the_same),
        cmocka_unit_test(defaults),
        cmocka_unit_test(some_options_may_be_repeated),
        cmocka_unit_test(samples),
        cmocka_unit_test(values_that_are_wrong),
        cmocka_unit_test(at_most_sixteen_sizes),
        cmocka_unit_test(an_option_of_another_command_is_refused),
        cmocka_unit_test(a_ladder_may_name_its_parameters),
        cmocka_unit_test(help_lists_the_options_of_the_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
