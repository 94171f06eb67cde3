/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/options.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum option_key {
    KEY_SPACE = 's',
    KEY_DEVICE = 'd',
    KEY_SIZE = 'n',
    KEY_DATABASE = 'D',
    KEY_STRATEGY = 'S',
    KEY_BUDGET = 'b',
    KEY_OUTPUT = 'o',
    KEY_JOBS = 'j',
    KEY_QUIET = 'q',
    KEY_SEED = 0x100,
    KEY_OBJECTIVE,
    KEY_DEADLINE,
    KEY_FRESH,
    KEY_NO_CACHE,
    KEY_JSON,
    KEY_HEADER,
    KEY_KNOWN,
    KEY_SAMPLE,
    KEY_RECORDED,
    KEY_TRACES,
    KEY_REPEATS,
    KEY_PARALLEL,
    KEY_TELL_BUDGET,
    KEY_PATIENCE,
    KEY_KERNEL_NAME,
    KEY_DEVICE_NAME,
    KEY_T1,
    KEY_T4,
};

struct option_row {
    struct argp_option option;
    unsigned commands; /* which take it */
};

enum { WORKING = COMMAND_TUNE | COMMAND_RUN };

static const struct option_row rows[] = {
    {{"space", KEY_SPACE, "SPACE", 0, "search space: a name, or a path to a .space file", 0},
     COMMAND_TUNE | COMMAND_SHOW | COMMAND_CHECK | COMMAND_EXPORT},
    {{"size", KEY_SIZE, "NAME=N,...", 0, "problem size, such as M=4096,N=4096,K=512", 0},
     WORKING | COMMAND_BEST | COMMAND_SHOW | COMMAND_CHECK | COMMAND_EXPORT},
    {{"device", KEY_DEVICE, "DEVICE", 0,
      "cuda:0, cpu, (sweeps) all or cuda:0,cuda:1, (best, show) a recorded description.json", 0},
     WORKING | COMMAND_BEST | COMMAND_SHOW | COMMAND_CHECK | COMMAND_EXPORT},
    {{"db", KEY_DATABASE, "FILE", 0, "database (default: $TUNE_DB, else tune/tune.db in $XDG_DATA_HOME)", 0},
     WORKING | COMMAND_BEST | COMMAND_REPORT | COMMAND_LIST | COMMAND_IMPORT | COMMAND_EXPORT},
    {{"recorded", KEY_RECORDED, "FILE...", 0, "T4 or Kernel Tuner cache files (.gz or not), or databases of tune", 0},
     COMMAND_SIMULATE},
    {{"strategy", KEY_STRATEGY, "NAME[:PARAMETER=VALUE,...]", 0,
      "search strategy, see 'tune list strategies' (default auto); (simulate) may be given several times", 0},
     COMMAND_TUNE | COMMAND_SIMULATE},
    {{"traces", KEY_TRACES, "FILE", 0, "score another program's searches on the same recordings as well", 0},
     COMMAND_SIMULATE},
    {{"repeats", KEY_REPEATS, "N", 0, "replays of each strategy on each recording (default 100)", 0},
     COMMAND_SIMULATE},
    {{"parallel", KEY_PARALLEL, "N", 0, "evaluations under way at once (default 1)", 0}, COMMAND_SIMULATE},
    {{"tell-budget", KEY_TELL_BUDGET, NULL, 0,
      "tell strategies their budget: the evaluations that random search has until the end", 0},
     COMMAND_SIMULATE},
    {{"budget", KEY_BUDGET, "N|TIME", 0, "stop after N evaluations, or after a time such as 30s, 10m, 2h", 0},
     COMMAND_TUNE},
    {{"patience", KEY_PATIENCE, "N", 0, "stop when N evaluations in a row found nothing better", 0}, COMMAND_TUNE},
    {{"seed", KEY_SEED, "N", 0, "seed of inputs and of the strategy (default: another one each time; simulate: 1)",
      0},
     WORKING | COMMAND_CHECK | COMMAND_SIMULATE},
    {{"objective", KEY_OBJECTIVE, "NAME", 0, "what to minimise: time, energy, or edp (energy times time)", 0},
     COMMAND_TUNE | COMMAND_BEST},
    {{"sample", KEY_SAMPLE, "N|all", 0, "check N configurations (default: a few that stand for all; 0 is all)", 0},
     COMMAND_CHECK},
    {{"jobs", KEY_JOBS, "N", 0, "compile workers, checks or threads at a time (default: to suit the machine)", 0},
     COMMAND_TUNE | COMMAND_CHECK | COMMAND_SIMULATE},
    {{"deadline", KEY_DEADLINE, "TIME", 0, "longest time for one compilation or one evaluation (default 60s)", 0},
     WORKING | COMMAND_CHECK},
    {{"fresh", KEY_FRESH, NULL, 0, "measure anew what the database already has", 0}, COMMAND_TUNE},
    {{"no-cache", KEY_NO_CACHE, NULL, 0, "compile anew what the cache of compiled images has", 0}, COMMAND_TUNE},
    {{"json", KEY_JSON, NULL, 0, "print JSON", 0},
     WORKING | COMMAND_CHECK | COMMAND_BEST | COMMAND_LIST | COMMAND_SHOW | COMMAND_SIMULATE},
    {{"header", KEY_HEADER, NULL, 0, "print the best configuration as a C header of #defines", 0}, COMMAND_BEST},
    {{"known", KEY_KNOWN, NULL, 0, "write one device's best rows as a file of shipped knowledge", 0}, COMMAND_BEST},
    {{"output", KEY_OUTPUT, "PATH", 0,
      "folder of the report or the imported template; file of the header, the knowledge, the export", 0},
     COMMAND_REPORT | COMMAND_BEST | COMMAND_SIMULATE | COMMAND_IMPORT | COMMAND_EXPORT},
    {{"quiet", KEY_QUIET, NULL, 0, "no progress", 0}, WORKING | COMMAND_CHECK | COMMAND_SIMULATE | COMMAND_IMPORT},
    {{"kernel-name", KEY_KERNEL_NAME, "NAME", 0, "whose results they are (default: as the file or its name tells)",
      0},
     COMMAND_IMPORT},
    {{"device-name", KEY_DEVICE_NAME, "NAME", 0, "on which device (default: as the file or its name tells)", 0},
     COMMAND_IMPORT},
    {{"t4", KEY_T4, NULL, 0, "results in the T4 format (the default)", 0}, COMMAND_EXPORT},
    {{"t1", KEY_T1, NULL, 0, "the template and a space in the T1 format", 0}, COMMAND_EXPORT},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* What argp's parser needs while it runs. */
struct parsing {
    struct options *options;
    bool more_recordings; /* arguments are further files of --recorded */
    struct error error;   /* of a value; the first one is kept */
    bool failed;
};

static bool parse_count(const char *text, uint64_t *result)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno || *text < '0' || *text > '9' || *end)
        return false;
    *result = value;
    return true;
}

/* "30s", "1.5m", "2h"; false for anything else. */
static bool parse_time(const char *text, double *seconds)
{
    static const struct {
        const char *suffix;
        double seconds;
    } units[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}};
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (errno || end == text || !isfinite(value) || value <= 0)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(end, units[i].suffix) == 0) {
            *seconds = value * units[i].seconds;
            return true;
        }
    }
    return false;
}

/* One NAME=N of --size. */
static bool parse_size(struct options *options, const char *text, size_t length, struct error *error)
{
    const char *equals = memchr(text, '=', length);
    if (!equals || equals == text) {
        error_set(error, ERROR_INPUT, "--size: '%.*s' is not NAME=NUMBER", (int)length, text);
        return error_hint(error, "for example --size M=4096,N=4096");
    }
    if (options->size_count == OPTIONS_SIZES)
        return error_set(error, ERROR_INPUT, "--size: more than %d sizes", OPTIONS_SIZES);

    const char *number = equals + 1;
    size_t number_length = length - (size_t)(number - text);
    char digits[32];
    if (number_length == 0 || number_length >= sizeof digits)
        return error_set(error, ERROR_INPUT, "--size: '%.*s' is not a number that fits 64 bits", (int)number_length,
                         number);
    memcpy(digits, number, number_length);
    digits[number_length] = '\0';
    char *end;
    errno = 0;
    long long value = strtoll(digits, &end, 10);
    if (errno == ERANGE)
        return error_set(error, ERROR_INPUT, "--size: %s does not fit 64 bits", digits);
    if (end == digits || *end)
        return error_set(error, ERROR_INPUT, "--size: '%s' is not a whole number", digits);

    char *name = strndup(text, (size_t)(equals - text));
    if (!name)
        return error_out_of_memory(error);
    options->sizes[options->size_count++] = (struct size_setting){.name = name, .value = value};
    return true;
}

static bool parse_sizes(struct options *options, const char *text, struct error *error)
{
    for (;;) {
        size_t length = strcspn(text, ",");
        if (!parse_size(options, text, length, error))
            return false;
        if (!text[length])
            return true;
        text += length + 1;
    }
}

static bool parse_budget(struct options *options, const char *text, struct error *error)
{
    options->budget = text;
    if (parse_count(text, &options->budget_evaluations) && options->budget_evaluations > 0)
        return true;
    options->budget_evaluations = 0;
    if (parse_time(text, &options->budget_seconds))
        return true;
    error_set(error, ERROR_INPUT, "--budget: '%s' is neither a number of evaluations nor a time", text);
    return error_hint(error, "for example --budget 500 or --budget 30s");
}

static bool append_text(struct texts *texts, const char *text, struct error *error)
{
    const char **items = realloc(texts->items, (texts->count + 1) * sizeof *items);
    if (!items)
        return error_out_of_memory(error);
    items[texts->count++] = text;
    texts->items = items;
    return true;
}

static bool parse_value(struct options *options, int key, char *text, struct error *error)
{
    uint64_t count;
    switch (key) {
    case KEY_RECORDED:
        return append_text(&options->recordings, text, error);
    case KEY_TRACES:
        return append_text(&options->traces, text, error);
    case KEY_REPEATS:
        if (!parse_count(text, &count) || count < 1 || count > 1000000)
            return error_set(error, ERROR_INPUT, "--repeats: '%s' is not a number from 1 to 1000000", text);
        options->repeats = (size_t)count;
        return true;
    case KEY_PARALLEL:
        if (!parse_count(text, &count) || count < 1 || count > 4096)
            return error_set(error, ERROR_INPUT, "--parallel: '%s' is not a number from 1 to 4096", text);
        options->parallel = (unsigned)count;
        return true;
    case KEY_SPACE:
        options->space = text;
        return true;
    case KEY_DEVICE:
        options->device = text;
        return true;
    case KEY_DATABASE:
        options->database = text;
        return true;
    case KEY_STRATEGY:
        options->strategy = text;
        return append_text(&options->strategies, text, error);
    case KEY_OUTPUT:
        options->output = text;
        return true;
    case KEY_KERNEL_NAME:
        options->kernel_name = text;
        return true;
    case KEY_DEVICE_NAME:
        options->device_name = text;
        return true;
    case KEY_SIZE:
        return parse_sizes(options, text, error);
    case KEY_BUDGET:
        return parse_budget(options, text, error);
    case KEY_PATIENCE:
        if (!parse_count(text, &options->patience) || options->patience == 0)
            return error_set(error, ERROR_INPUT, "--patience: '%s' is not a number of evaluations", text);
        return true;
    case KEY_OBJECTIVE:
        options->objective = objective_find(text);
        if (!options->objective) {
            error_set(error, ERROR_INPUT, "--objective: '%s' is unknown", text);
            return error_hint(error, "there are time, energy and edp");
        }
        return true;
    case KEY_SEED:
        if (!parse_count(text, &options->seed))
            return error_set(error, ERROR_INPUT, "--seed: '%s' is not a whole number", text);
        return true;
    case KEY_JOBS:
        if (!parse_count(text, &count) || count < 1 || count > 4096)
            return error_set(error, ERROR_INPUT, "--jobs: '%s' is not a number from 1 to 4096", text);
        options->jobs = (unsigned)count;
        return true;
    case KEY_SAMPLE:
        options->sampled = true;
        if (strcmp(text, "all") != 0 && !parse_count(text, &options->sample))
            return error_set(error, ERROR_INPUT, "--sample: '%s' is neither a number of configurations nor 'all'",
                             text);
        return true;
    case KEY_DEADLINE:
        if (!parse_time(text, &options->deadline)) {
            error_set(error, ERROR_INPUT, "--deadline: '%s' is not a time", text);
            return error_hint(error, "for example --deadline 10s");
        }
        return true;
    default:
        return true;
    }
}

static bool parse_flag(struct options *options, int key)
{
    switch (key) {
    case KEY_FRESH:
        options->fresh = true;
        return true;
    case KEY_NO_CACHE:
        options->no_cache = true;
        return true;
    case KEY_JSON:
        options->json = true;
        return true;
    case KEY_HEADER:
        options->header = true;
        return true;
    case KEY_KNOWN:
        options->known = true;
        return true;
    case KEY_QUIET:
        options->quiet = true;
        return true;
    case KEY_T1:
        options->t1 = true;
        return true;
    case KEY_T4:
        options->t4 = true;
        return true;
    case KEY_TELL_BUDGET:
        options->tell_budget = true;
        return true;
    default:
        return false;
    }
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct parsing *parsing = state->input;
    if (key == ARGP_KEY_ARG && parsing->more_recordings)
        return parse_option(KEY_RECORDED, text, state);
    if (key == ARGP_KEY_ARG) {
        if (parsing->options->subject)
            argp_error(state, "'%s' is one argument too many", text);
        parsing->options->subject = text;
        return 0;
    }
    if (parse_flag(parsing->options, key))
        return 0;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].option.key == key) {
            if (!parsing->failed)
                parsing->failed = !parse_value(parsing->options, key, text, &parsing->error);
            return 0;
        }
    }
    return ARGP_ERR_UNKNOWN;
}

/* Inputs differ from run to run, so that a kernel that is right for some of them by luck is found out. */
static bool fresh_seed(uint64_t *seed, struct error *error)
{
    if (getrandom(seed, sizeof *seed, 0) == (ssize_t)sizeof *seed)
        return true;
    return error_set(error, ERROR_SYSTEM, "the system gives no random number for a seed: %s", strerror(errno));
}

bool options_parse(enum command_id command, const char *name, const char *usage, const char *meaning, int count,
                   char **arguments, struct options *options, struct error *error)
{
    struct argp_option taken[ROW_COUNT + 1] = {0};
    size_t taken_count = 0;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].commands & command)
            taken[taken_count++] = rows[i].option;
    }

    *options = (struct options){
        .strategy = "auto",
        .objective = &objectives[0],
        .budget = "",
        .seed = 1,
        .repeats = 100,
        .parallel = 1,
    };
    if ((command & WORKING) && !fresh_seed(&options->seed, error))
        return false;
    struct parsing parsing = {.options = options, .more_recordings = command == COMMAND_SIMULATE};
    const struct argp argp = {.options = taken, .parser = parse_option, .args_doc = usage, .doc = meaning};
    argp_err_exit_status = 2;
    arguments[0] = (char *)(uintptr_t)name;
    error_t failed = argp_parse(&argp, count, arguments, 0, NULL, &parsing);
    if (failed)
        return error_set(error, ERROR_SYSTEM, "cannot read the command line: %s", strerror(failed));
    if (parsing.failed) {
        *error = parsing.error;
        return false;
    }
    return true;
}

void options_clear(struct options *options)
{
    for (size_t i = 0; i < options->size_count; i++)
        free((void *)(uintptr_t)options->sizes[i].name);
    options->size_count = 0;
    free(options->strategies.items);
    free(options->recordings.items);
    free(options->traces.items);
}
