/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a command line: a letter for the command, then one argument per line. argp is told to return from
 * errors, where the program ends, and not to print help.
 */
#include "tests/fuzz/fuzz.h"
#include "tuner/cli/options.h"

#include <argp.h>
#include <math.h>

/* The linker dictates these names. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
error_t __real_argp_parse(const struct argp *argp, int count, char **arguments, unsigned flags, int *index,
                          void *input);
error_t __wrap_argp_parse(const struct argp *argp, int count, char **arguments, unsigned flags, int *index,
                          void *input);

error_t __wrap_argp_parse(const struct argp *argp, int count, char **arguments, unsigned flags, int *index,
                          void *input)
{
    return __real_argp_parse(argp, count, arguments, flags | ARGP_NO_ERRS | ARGP_NO_HELP, index, input);
}
/* NOLINTEND(bugprone-reserved-identifier) */

static void check(const struct options *options)
{
    fuzz_require(options->strategy && options->budget);
    fuzz_require(options->size_count <= OPTIONS_SIZES);
    for (size_t i = 0; i < options->size_count; i++)
        fuzz_require(options->sizes[i].name && options->sizes[i].name[0]);
    fuzz_require(options->deadline >= 0 && options->deadline < (double)INFINITY);
    fuzz_require(options->budget_seconds >= 0 && options->budget_seconds < (double)INFINITY);
    fuzz_require(!options->budget[0] || (options->budget_evaluations > 0) != (options->budget_seconds > 0));
    fuzz_require(options->jobs <= 4096 && options->repeats > 0 && options->parallel <= 64);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { ARGUMENTS = 64, COMMANDS = 12 };
    char *arguments[ARGUMENTS + 2] = {(char[]){"tune"}};
    int count = 1;
    if (size == 0)
        return 0;
    char *text = fuzz_text(data + 1, size - 1);
    for (char *rest = text; rest && count <= ARGUMENTS;)
        arguments[count++] = strsep(&rest, "\n");
    struct options options = {0};
    struct error error = {0};
    if (options_parse((enum command_id)(1U << ((uint8_t)(data[0] - 'a') % COMMANDS)), "tune fuzz", "SUBJECT", "",
                      count, arguments, &options, &error))
        check(&options);
    else
        fuzz_refused(&error);
    options_clear(&options);
    free(text);
    return 0;
}
