/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/options.h"

#include "tuner/error/visible.h"
#include "tuner/workers/placement.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

struct option_row;

/* Read an option's value into its field, or wherever it belongs. */
typedef bool value_parser(const struct option_row *row, const char *text, struct options *options,
                          struct error *error);

struct option_row {
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* NULL: it takes none; in [ ]: it may be left out */
    value_parser *parse;
    size_t field;       /* offset in struct options */
    uint64_t low, high; /* of a whole number */
    unsigned commands;  /* which take it */
    const char *help;
};

/* ---- parsers ---- */

static void *field_of(struct options *options, const struct option_row *row)
{
    return (char *)options + row->field;
}

static bool parse_flag(const struct option_row *row, const char *text, struct options *options, struct error *error)
{
    (void)text, (void)error;
    *(bool *)field_of(options, row) = true;
    return true;
}

static bool parse_text(const struct option_row *row, const char *text, struct options *options, struct error *error)
{
    (void)error;
    *(const char **)field_of(options, row) = text;
    return true;
}

/* An option whose value may be left out: "" */
static bool parse_optional(const struct option_row *row, const char *text, struct options *options,
                           struct error *error)
{
    (void)error;
    *(const char **)field_of(options, row) = text ? text : "";
    return true;
}

static bool append_text(const struct option_row *row, const char *text, struct options *options, struct error *error)
{
    struct texts *texts = field_of(options, row);
    const char **items = realloc(texts->items, (texts->count + 1) * sizeof *items);
    if (!items)
        return error_out_of_memory(error);
    items[texts->count++] = text;
    texts->items = items;
    return true;
}

/* Digits alone: no sign, no space. */
static bool read_number(const char *text, uint64_t *result)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno || *text < '0' || *text > '9' || *end)
        return false;
    *result = value;
    return true;
}

static bool parse_number(const struct option_row *row, const char *text, struct options *options, struct error *error)
{
    uint64_t value;
    if (read_number(text, &value) && value >= row->low && value <= row->high) {
        *(uint64_t *)field_of(options, row) = value;
        return true;
    }
    char range[64] = "";
    if (row->high < UINT64_MAX)
        snprintf(range, sizeof range, " from %" PRIu64 " to %" PRIu64, row->low, row->high);
    else if (row->low > 0)
        snprintf(range, sizeof range, " of at least %" PRIu64, row->low);
    return error_set(error, ERROR_INPUT, "--%s: '%s' is not a whole number%s", row->name, text, range);
}

/* "30s", "1.5m", "2h". */
static bool read_time(const char *text, double *seconds)
{
    static const struct {
        const char *suffix;
        double seconds;
    } units[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}, {"d", 86400}, {"w", 604800}};
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (errno || end == text || value <= 0)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(end, units[i].suffix) == 0) {
            *seconds = value * units[i].seconds;
            return isfinite(*seconds) && *seconds > 0;
        }
    }
    return false;
}

static bool parse_time(const struct option_row *row, const char *text, struct options *options, struct error *error)
{
    if (read_time(text, field_of(options, row)))
        return true;
    error_set(error, ERROR_INPUT, "--%s: '%s' is not a time", row->name, text);
    return error_hint(error, "for example 10s; the units are ms, s, m or min, h, d and w");
}

/* The N of NAME=N, which `length` bytes hold. */
static bool read_size(const char *number, size_t length, long long *value, struct error *error)
{
    char digits[32];
    if (length == 0 || length >= sizeof digits)
        return error_set(error, ERROR_INPUT, "--size: '%.*s' is not a number that fits 64 bits", (int)length, number);
    memcpy(digits, number, length);
    digits[length] = '\0';
    char *end;
    errno = 0;
    *value = strtoll(digits, &end, 10);
    if (errno == ERANGE)
        return error_set(error, ERROR_INPUT, "--size: %s does not fit 64 bits", digits);
    if (end == digits || *end)
        return error_set(error, ERROR_INPUT, "--size: '%s' is not a whole number", digits);
    return true;
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
        return error_set(error, ERROR_INPUT, "--size: at most %d sizes", OPTIONS_SIZES);

    long long value;
    const char *number = equals + 1;
    if (!read_size(number, length - (size_t)(number - text), &value, error))
        return false;
    char *name = strndup(text, (size_t)(equals - text));
    if (!name)
        return error_out_of_memory(error);
    options->sizes[options->size_count++] = (struct size_setting){.name = name, .value = value};
    return true;
}

static bool parse_sizes(const struct option_row *row, const char *text, struct options *options, struct error *error)
{
    (void)row;
    for (;;) {
        size_t length = strcspn(text, ",");
        if (!parse_size(options, text, length, error))
            return false;
        if (!text[length])
            return true;
        text += length + 1;
    }
}

/* NAME=FILE; the file's name may contain anything. */
static bool parse_input(const struct option_row *row, const char *text, struct options *options, struct error *error)
{
    (void)row;
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1]) {
        error_set(error, ERROR_INPUT, "--input: '%s' is not NAME=FILE", text);
        return error_hint(error, "for example --input x=measured.npy");
    }
    if (options->input_count == OPTIONS_INPUTS)
        return error_set(error, ERROR_INPUT, "--input: at most %d files", OPTIONS_INPUTS);
    char *name = strndup(text, (size_t)(equals - text));
    if (!name)
        return error_out_of_memory(error);
    options->inputs[options->input_count++] = (struct input_setting){.buffer = name, .file = equals + 1};
    return true;
}

static bool parse_budget(const struct option_row *row, const char *text, struct options *options, struct error *error)
{
    (void)row;
    options->budget = text;
    options->budget_evaluations = 0;
    options->budget_seconds = 0;
    if (read_number(text, &options->budget_evaluations) && options->budget_evaluations > 0)
        return true;
    if (read_time(text, &options->budget_seconds))
        return true;
    error_set(error, ERROR_INPUT, "--budget: '%s' is neither a number of evaluations nor a time", text);
    return error_hint(error, "for example --budget 500 or --budget 30s");
}

static bool parse_share(const struct option_row *row, const char *text, struct options *options, struct error *error)
{
    char *end;
    double percent = strtod(text, &end);
    if (end != text && strcmp(end, "%") == 0 && percent > 0 && percent <= 100) {
        *(double *)field_of(options, row) = percent / 100;
        return true;
    }
    error_set(error, ERROR_INPUT, "--%s: '%s' is not a share", row->name, text);
    return error_hint(error, "for example --%s 1%%, from above 0 %% to 100 %%", row->name);
}

static bool parse_sample(const struct option_row *row, const char *text, struct options *options, struct error *error)
{
    (void)row;
    options->sampled = true;
    options->sample = 0;
    if (strcmp(text, "all") == 0 || read_number(text, &options->sample))
        return true;
    return error_set(error, ERROR_INPUT, "--sample: '%s' is neither a number of configurations nor 'all'", text);
}

/* ---- the table ---- */

enum { WORKING = COMMAND_TUNE | COMMAND_RUN, PROBING = WORKING | COMMAND_CEILINGS };

#define FLAG(member)               NULL, parse_flag, offsetof(struct options, member), 0, 0
#define TEXT(argument, member)     argument, parse_text, offsetof(struct options, member), 0, 0
#define TEXTS(argument, member)    argument, append_text, offsetof(struct options, member), 0, 0
#define TIME(member)               "TIME", parse_time, offsetof(struct options, member), 0, 0
#define NUMBER(member, low, high)  "N", parse_number, offsetof(struct options, member), low, high
#define OPTIONAL(argument, member) "[" argument, parse_optional, offsetof(struct options, member), 0, 0
#define OTHER(argument, parse)     argument, parse, 0, 0, 0

static const struct option_row rows[] = {
    {"space", 's', TEXT("SPACE", space), COMMAND_TUNE | COMMAND_SHOW | COMMAND_CHECK | COMMAND_EXPORT,
     "search space: a name, or the path of a .space file"},
    {"size", 'n', OTHER("NAME=N,...", parse_sizes),
     WORKING | COMMAND_BEST | COMMAND_SHOW | COMMAND_CHECK | COMMAND_EXPORT,
     "problem size, such as M=4096,N=4096,K=512"},
    {"sizes", 0, TEXT("FILE", size_file), COMMAND_TUNE,
     "tune for many sizes at once: a line each, such as M=4096,N=64, and perhaps a weight; or ranges, such as "
     "M=1..4096,N=64 sample 20; or the captured calls of a program"},
    {"configs", 0, NUMBER(configurations, 1, 64), COMMAND_TUNE,
     "with --sizes: choose at most N configurations (default: 8)"},
    {"input", 0, OTHER("NAME=FILE", parse_input),
     WORKING | COMMAND_BEST | COMMAND_SHOW | COMMAND_CHECK | COMMAND_EXPORT,
     "initial values of a buffer: a .npy or .mtx file, or raw elements; or a matrix: a .mtx file; may be repeated"},
    {"device", 'd', TEXT("DEVICE", device),
     PROBING | COMMAND_BEST | COMMAND_SHOW | COMMAND_CHECK | COMMAND_EXPORT | COMMAND_FORGET,
     "cuda:0 or cpu; for sweeps also all or cuda:0,cuda:1; for best and show also a recorded description.json; for "
     "best, export and forget also the name of a device in the database"},
    {"db", 'D', TEXT("FILE", database),
     PROBING | COMMAND_BEST | COMMAND_REPORT | COMMAND_LIST | COMMAND_IMPORT | COMMAND_EXPORT | COMMAND_FORGET,
     "database (default: $TUNE_DB, else $XDG_DATA_HOME/tune/tune.db)"},
    {"recorded", 0, TEXTS("FILE...", recordings), COMMAND_SIMULATE,
     "recorded results: T4 files, Kernel Tuner caches or results of KTT, compressed or not, or databases of tune"},
    {"strategy", 'S', TEXTS("NAME[:PARAMETER=VALUE,...]", strategies), COMMAND_TUNE | COMMAND_SIMULATE,
     "search strategy, see 'tune list strategies', or exec:PROGRAM, your own (default: auto; simulate: all; there it "
     "may be repeated)"},
    {"known", 0, TEXTS("FILE", known_recordings), COMMAND_SIMULATE,
     "recorded results on another device or at another size, with whose best searches begin; may be repeated"},
    {"known-best", 0, NUMBER(known_best, 1, 1000), COMMAND_SIMULATE,
     "how many of the best of each (default: 1; sweeps begin with 8 where only the model of the GPU differs, not its "
     "architecture)"},
    {"within", 0, "SHARE", parse_share, offsetof(struct options, within), 0, 0, COMMAND_SIMULATE,
     "say after how many evaluations the best is within a share of the optimum such as 1%"},
    {"traces", 0, TEXTS("FILE", traces), COMMAND_SIMULATE,
     "also score another program's searches on the same recordings"},
    {"repeats", 0, NUMBER(repeats, 1, 1000000), COMMAND_SIMULATE,
     "replays of each strategy on each recording (default: 100)"},
    {"parallel", 0, NUMBER(parallel, 1, COMPILE_JOBS_MOST), COMMAND_SIMULATE,
     "compile workers beside the one that measures, as in a sweep (default: one evaluation at a time)"},
    {"tell-budget", 0, FLAG(tell_budget), COMMAND_SIMULATE,
     "tell strategies their budget: as many evaluations as random search gets"},
    {"budget", 'b', OTHER("N|TIME", parse_budget), COMMAND_TUNE,
     "stop after N evaluations, or after a time such as 30s, 10m or 2h"},
    {"patience", 0, NUMBER(patience, 1, UINT64_MAX), COMMAND_TUNE,
     "stop after N evaluations in a row that found nothing better"},
    {"until", 0, "SHARE", parse_share, offsetof(struct options, until), 0, 0, COMMAND_TUNE | COMMAND_SIMULATE,
     "stop once the next evaluations are expected to gain less than a share such as 1%; simulate: say how often that "
     "is right"},
    {"seed", 0, NUMBER(seed, 0, UINT64_MAX), PROBING | COMMAND_CHECK | COMMAND_SIMULATE,
     "seed of the inputs and the strategy (default: random; check and simulate: 1)"},
    {"objective", 0, TEXT("NAME,...", objective), COMMAND_TUNE | COMMAND_BEST | COMMAND_RUN | COMMAND_SIMULATE,
     "what to look for: time, energy, edp (energy times time), or one of the template's (default: its default, or "
     "time; simulate: the recording's); a sweep and best: up to three, for their Pareto front"},
    {"limit", 0, TEXTS("CONDITION", limits), COMMAND_TUNE | COMMAND_BEST,
     "what the best has to meet, such as 'registers <= 64' or 'time < 2e-3 and occupancy >= 0.5'; may be repeated"},
    {"sample", 0, OTHER("N|all", parse_sample), COMMAND_CHECK,
     "check N configurations, or all (default: a few that cover the space)"},
    {"configuration", 'c', TEXT("NAME=VALUE,...", configuration), COMMAND_CHECK, "check this configuration only"},
    {"jobs", 'j', NUMBER(jobs, 1, 4096), COMMAND_TUNE | COMMAND_CEILINGS | COMMAND_CHECK | COMMAND_SIMULATE,
     "parallel compilations, checks or replays (default: to suit the machine)"},
    {"deadline", 0, TIME(deadline), PROBING | COMMAND_CHECK | COMMAND_IMPORT,
     "time limit for one compilation or one measurement (default: 60s), or for an imported script (10m)"},
    {"run", 0, FLAG(run), COMMAND_IMPORT, "run a script for Kernel Tuner, confined, to see what it tunes"},
    {"explain", 0, FLAG(explain), COMMAND_BEST,
     "say what answers for --device and --size when nobody searches, and why"},
    {"verify", 0, FLAG(verify), COMMAND_RUN, "measure the default configuration, too, and compare"},
    {"fresh", 0, FLAG(fresh), COMMAND_TUNE | COMMAND_CEILINGS, "measure again what the database already has"},
    {"agree", 0, FLAG(agree), COMMAND_TUNE | COMMAND_BEST,
     "as one of several ranks (mpirun, srun): every rank prints what rank 0 has found"},
    {"no-cache", 0, FLAG(no_cache), COMMAND_TUNE | COMMAND_CEILINGS,
     "compile again what is in the cache of compiled images"},
    {"no-nvrtc", 0, FLAG(no_nvrtc), COMMAND_CHECK, "without a GPU, do not compile for one either"},
    {"unconfined", 0, FLAG(unconfined), PROBING | COMMAND_CHECK | COMMAND_IMPORT,
     "let kernels and compilers use the network and all of your files (see SECURITY.md)"},
    {"json", 0, FLAG(json),
     PROBING | COMMAND_CHECK | COMMAND_BEST | COMMAND_LIST | COMMAND_SHOW | COMMAND_SIMULATE | COMMAND_FORGET,
     "print JSON"},
    {"header", 0, FLAG(header), COMMAND_BEST, "print the best configuration as a C header of #defines"},
    {"c", 0, TEXT("FILE", dispatch), COMMAND_BEST,
     "write the configurations that a sweep with --sizes chose, and which is for which sizes, as a C header"},
    {"ladder", 0, OPTIONAL("NAME,...", ladder), COMMAND_BEST | COMMAND_EXPORT,
     "compare, or with --known export, the best of each value of these parameters (default: VARIANT)"},
    {"known", 0, FLAG(known), COMMAND_EXPORT,
     "export best results, for 'tune import', $TUNE_SITE or db/known: a file, or into a folder one a template and "
     "device"},
    {"output", 'o', TEXT("PATH", output),
     COMMAND_REPORT | COMMAND_BEST | COMMAND_SIMULATE | COMMAND_IMPORT | COMMAND_EXPORT | COMMAND_NEW | COMMAND_MERGE,
     "where to write: a folder for pages, imports and new templates, else a file"},
    {"quiet", 'q', FLAG(quiet), PROBING | COMMAND_CHECK | COMMAND_SIMULATE | COMMAND_IMPORT | COMMAND_NEW,
     "no progress output"},
    {"kernel-name", 0, TEXT("NAME", kernel_name), COMMAND_IMPORT | COMMAND_NEW,
     "import: the kernel of the results (default: from the file, else from its name); new: which kernel of the "
     "source"},
    {"device-name", 0, TEXT("NAME", device_name), COMMAND_IMPORT,
     "the device of the results (default: from the file, else from its name)"},
    {"t4", 0, FLAG(t4), COMMAND_EXPORT, "export results in the T4 format (the default)"},
    {"older-than", 0, TIME(older_than), COMMAND_FORGET, "only what was measured longer ago, such as 30d or 12h"},
    {"failed", 0, FLAG(failed), COMMAND_FORGET, "only what is not valid"},
    {"with-best", 0, FLAG(with_best), COMMAND_FORGET,
     "also the best of each problem, finalists, trees over sizes and answers found online"},
    {"dry-run", 0, FLAG(dry_run), COMMAND_FORGET, "change nothing; say what would go"},
    {"vacuum", 0, FLAG(vacuum), COMMAND_FORGET, "make the file as small as what it holds; takes as much disk again"},
    {"t1", 0, FLAG(t1), COMMAND_EXPORT, "export the template and a space in the T1 format"},
};

/* The arguments of `tune merge`. */
static const struct option_row merged = {"A.db", 0, TEXTS("A.db", databases), COMMAND_MERGE, ""};

enum { ROW_COUNT = sizeof rows / sizeof *rows, KEY_BASE = 0x100 };

static int key_of(const struct option_row *row)
{
    return row->letter ? row->letter : KEY_BASE + (int)(row - rows);
}

static const struct option_row *row_of(int key)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (key_of(&rows[i]) == key)
            return &rows[i];
    }
    return NULL;
}

/* ---- argp ---- */

/* What argp's parser needs while it runs. */
struct parsing {
    struct options *options;
    const struct option_row *more; /* arguments are further values of this option; NULL: an argument is the subject */
    struct error error;            /* of a value; the first one is kept */
    bool failed;
    bool takes_source; /* behind the subject */
};

/* An empty text names nothing: no file, no folder, no device. It is what an unset variable of a script leaves. */
static bool parse_value(const struct option_row *row, const char *text, struct options *options, struct error *error)
{
    if (text && !*text) {
        if (row == &merged)
            return error_set(error, ERROR_INPUT, "the name of a database is empty");
        error_set(error, ERROR_INPUT, "--%s: the value is empty", row->name);
        return strcmp(row->name, "output") == 0 ? error_hint(error, "-o . is the current folder") : false;
    }
    return row->parse(row, text, options, error);
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct parsing *parsing = state->input;
    const struct option_row *row = key == ARGP_KEY_ARG ? parsing->more : row_of(key);
    if (row) {
        parsing->failed = parsing->failed || !parse_value(row, text, parsing->options, &parsing->error);
        return 0;
    }
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (parsing->options->subject && parsing->takes_source && !parsing->options->source) {
        parsing->options->source = text;
        return 0;
    }
    if (parsing->options->subject)
        argp_error(state, "unexpected argument '%s'", text); /* to parse_arguments' stderr */
    parsing->options->subject = text;
    return 0;
}

static struct option_words words_of(const struct option_row *row)
{
    bool optional = row->argument && *row->argument == '[';
    return (struct option_words){row->name, row->letter, optional ? row->argument + 1 : row->argument, optional,
                                 row->help};
}

/* The options that a command takes, in argp's words. */
static void list_taken(enum command_id command, struct argp_option taken[ROW_COUNT + 1])
{
    size_t count = 0;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const struct option_words words = words_of(&rows[i]);
        if (rows[i].commands & command)
            taken[count++] = (struct argp_option){words.name,     key_of(&rows[i]),
                                                  words.argument, words.optional ? OPTION_ARG_OPTIONAL : 0,
                                                  words.help,     0};
    }
    taken[count] = (struct argp_option){0};
}

bool options_describe(enum command_id command, size_t number, struct option_words *words)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if ((rows[i].commands & command) && number-- == 0) {
            *words = words_of(&rows[i]);
            return true;
        }
    }
    return false;
}

/* Inputs differ from run to run, so that a kernel that is right for some of them by luck is found out. */
static bool random_seed(uint64_t *seed, struct error *error)
{
    if (getrandom(seed, sizeof *seed, 0) == (ssize_t)sizeof *seed)
        return true;
    return error_set(error, ERROR_SYSTEM, "cannot get a random seed from the system: %s", strerror(errno));
}

static const struct option_row *row_named(const char *name)
{
    const struct option_row *row = rows;
    while (strcmp(row->name, name) != 0)
        row++;
    return row;
}

/* argp and getopt print arguments that they do not like to stderr, as they are, and exit. In the GNU C library stderr
 * is a variable that can be set. */
static error_t parse_arguments(const struct argp *argp, int count, char **arguments, struct parsing *parsing)
{
    FILE *raw = stderr, *shown = visible_stream(raw);
    if (!shown)
        return ENOMEM;
    stderr = shown;
    error_t failed = argp_parse(argp, count, arguments, 0, NULL, parsing);
    stderr = raw;
    fclose(shown);
    return failed;
}

bool options_parse(enum command_id command, const char *name, const char *usage, const char *meaning, int count,
                   char **arguments, struct options *options, struct error *error)
{
    struct argp_option taken[ROW_COUNT + 1];
    list_taken(command, taken);
    *options = (struct options){
        .budget = "",
        .seed = 1,
        .repeats = 100,
        .known_best = 1,
    };
    if ((command & PROBING) && !random_seed(&options->seed, error))
        return false;
    struct parsing parsing = {.options = options,
                              .more = command == COMMAND_SIMULATE ? row_named("recorded")
                                      : command == COMMAND_MERGE  ? &merged
                                                                  : NULL,
                              .takes_source = command == COMMAND_NEW};
    const struct argp argp = {.options = taken, .parser = parse_option, .args_doc = usage, .doc = meaning};
    argp_err_exit_status = 2;
    arguments[0] = (char *)(uintptr_t)name;
    error_t failed = parse_arguments(&argp, count, arguments, &parsing);
    if (failed == ENOMEM)
        return error_out_of_memory(error);
    if (failed)
        return error_set(error, ERROR_SYSTEM, "cannot read the command line: %s", strerror(failed));
    if (parsing.failed) {
        *error = parsing.error;
        return false;
    }
    options->strategy = options->strategies.count ? options->strategies.items[options->strategies.count - 1] : "auto";
    return true;
}

void options_clear(struct options *options)
{
    for (size_t i = 0; i < options->size_count; i++)
        free((void *)(uintptr_t)options->sizes[i].name);
    options->size_count = 0;
    for (size_t i = 0; i < options->input_count; i++)
        free((void *)(uintptr_t)options->inputs[i].buffer);
    options->input_count = 0;
    free(options->limits.items);
    free(options->strategies.items);
    free(options->recordings.items);
    free(options->traces.items);
    free(options->databases.items);
}
