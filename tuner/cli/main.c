/* SPDX-License-Identifier: Apache-2.0 */
/* The program: find the command, read its options, run it, print its error. Worker processes start here too. */
#include "tuner/check/check_worker.h"
#include "tuner/cli/command.h"
#include "tuner/workers/worker_main.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct command {
    const char *name; /* NULL: `tune <template>` */
    enum command_id id;
    command_function *run;
    const char *usage;
    const char *meaning;
};

static const struct command commands[] = {
    {"run", COMMAND_RUN, command_run, "TEMPLATE",
     "Run the best known configuration for this device and size: load, validate and time it, without a search."},
    {"best", COMMAND_BEST, command_best, "[TEMPLATE]",
     "Show what answers for the device at hand, and the best known configuration for each device and size."},
    {"report", COMMAND_REPORT, command_report, "", "Write HTML reports: an index and one page per device."},
    {"list", COMMAND_LIST, command_list, "[templates|spaces|devices|strategies|runs|database]",
     "List the templates, or what else is named."},
    {"show", COMMAND_SHOW, command_show, "TEMPLATE",
     "Show a template, or with --space a search space: its parameters, values, constraints and counts."},
    {"check", COMMAND_CHECK, command_check, "TEMPLATE",
     "Run configurations under sanitizers, which find out-of-bounds accesses, races, uninitialised reads and "
     "divergent barriers."},
    {"simulate", COMMAND_SIMULATE, command_simulate, "--recorded FILE...",
     "Replay search strategies on recorded results and score them against random search."},
    {"import", COMMAND_IMPORT, command_import, "FILE",
     "Import a T1 file or, with --run, a script for Kernel Tuner as a template and a space; or recorded results (T4, "
     "Kernel Tuner's cache) or best ones (of 'tune export --known') into the database."},
    {"new", COMMAND_NEW, command_new, "NAME KERNEL.cu",
     "Write a first template, space and reference for a kernel of your own, guessed from its source, into a folder "
     "NAME."},
    {"export", COMMAND_EXPORT, command_export, "[TEMPLATE]",
     "Export results as T4, or with --t1 a template and its space as T1, for other auto-tuners; with --known best "
     "results, for other users."},
    {"forget", COMMAND_FORGET, command_forget, "[TEMPLATE]",
     "Drop the results that meet all criteria given: a template, --device, --older-than, --failed. The best of each "
     "problem stays, and what finals compared it with."},
    {"merge", COMMAND_MERGE, command_merge, "A.db B.db... -o C.db",
     "Join databases in a new one: every run and configuration once, with its latest measurement. A.db and B.db stay "
     "as they are."},
    {"ceilings", COMMAND_CEILINGS, command_ceilings, "",
     "Show what the device can do at best: measured once by probe kernels; --fresh measures again."},
    {NULL, COMMAND_TUNE, command_tune, "TEMPLATE",
     "Sweep a search space: compile, validate and time its configurations, and store the results."},
};

static void print_usage(FILE *stream)
{
    fputs(
        "usage: tune TEMPLATE [--space SPACE] [--sizes FILE]\n"
        "           Sweep a search space: compile, validate and time its configurations, and store the results; with "
        "--sizes for many sizes together.\n",
        stream);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const struct command *command = &commands[i];
        if (command->name)
            fprintf(stream, "       tune %s%s%s\n           %s\n", command->name, *command->usage ? " " : "",
                    command->usage, command->meaning);
    }
    fputs("A TEMPLATE is a name from 'tune list', or the path of a folder of your own.\n"
          "Besides the database (--db) what $TUNE_SITE names answers: a database, a file of known results, or a "
          "folder.\n"
          "'tune COMMAND --help' lists the options of a command, 'tune TEMPLATE --help' those of a sweep.\n",
          stream);
}

/* Files that are opened later must not get a standard descriptor: a database must never be stdout. */
static bool keep_standard_descriptors(void)
{
    bool stdout_open = fcntl(STDOUT_FILENO, F_GETFD) != -1;
    int null;
    do {
        null = open("/dev/null", O_RDWR);
    } while (null >= 0 && null <= STDERR_FILENO);
    if (null >= 0)
        close(null);
    return stdout_open;
}

static int worker(char **arguments)
{
    char *end;
    long socket = strtol(arguments[1], &end, 10);
    if (*end || socket < 0)
        return 2;
    int checked = check_worker_main(arguments[0], (int)socket);
    return checked >= 0 ? checked : worker_main(arguments[0], (int)socket);
}

static int run_command(const struct command *command, int count, char **arguments)
{
    struct options options;
    struct error error = {0};
    int status = 0;
    char title[64];
    snprintf(title, sizeof title, command->name ? "tune %s" : "tune", command->name);
    bool done =
        options_parse(command->id, title, command->usage, command->meaning, count, arguments, &options, &error) &&
        command->run(&options, &status, &error);
    options_clear(&options);
    if (!done) {
        fflush(stdout);
        error_print(&error, stderr);
        return error_exit_status(&error);
    }
    return status;
}

int main(int count, char **arguments)
{
    if (count == 4 && strcmp(arguments[1], "--worker") == 0)
        return worker(arguments + 2);

    bool stdout_open = keep_standard_descriptors();
    setlocale(LC_CTYPE, "C.UTF-8"); /* for the width of characters; numbers stay as in C */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file at its limit (ulimit -f) is an error like a full disk */
    if (count < 2) {
        print_usage(stderr);
        return 2;
    }
    if (strcmp(arguments[1], "--help") == 0 || strcmp(arguments[1], "help") == 0) {
        print_usage(stdout);
        return 0;
    }
    if (strcmp(arguments[1], "--version") == 0) {
        puts("tune " TUNE_VERSION);
        return 0;
    }

    const struct command *command = commands;
    while (command->name && strcmp(command->name, arguments[1]) != 0)
        command++;
    int skipped = command->name ? 1 : 0;
    int status = run_command(command, count - skipped, arguments + skipped);

    if (!stdout_open || fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "tune: standard output is closed or full; the results could not be printed\n");
        return status ? status : 1;
    }
    return status;
}
