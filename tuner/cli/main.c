/* SPDX-License-Identifier: Apache-2.0 */
/* The program: find the command, read its options, run it, print its error. Worker processes start here too. */
#include "db/store.h"
#include "tuner/check/check_worker.h"
#include "tuner/cli/cluster.h"
#include "tuner/cli/command.h"
#include "tuner/cli/complete.h"
#include "tuner/workers/worker_main.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_usage(FILE *stream)
{
    fputs(
        "usage: tune TEMPLATE [--space SPACE] [--sizes FILE]\n"
        "           Sweep a search space: compile, validate and time its configurations, and store the results; with "
        "--sizes for many sizes together.\n",
        stream);
    for (size_t i = 0; i < command_count; i++) {
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

/* As `head` does when it has seen enough: that is no news to anybody. */
static bool reader_has_left(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

/* Has all that was printed arrived? Where its reader has left, the program ends as others do. */
static int end_output(bool stdout_open, int status)
{
    if (stdout_open && !fflush(stdout) && !ferror(stdout))
        return status;
    if (stdout_open && reader_has_left()) {
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    fprintf(stderr, "tune: standard output is closed or full; the results could not be printed\n");
    return status ? status : 1;
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

/* A hand that rank 0 has started on this machine. */
static int hand(const char *descriptor)
{
    char *end;
    long socket = strtol(descriptor, &end, 10);
    return *end || socket < 0 ? 2 : cluster_hand((int)socket);
}

static int run_command(const struct command *command, int count, char **arguments)
{
    struct options options;
    struct error error = {0};
    int status = 0;
    char title[64];
    snprintf(title, sizeof title, command->name ? "tune %s" : "tune", command->name);
    store_own_sqlite();
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

    if (count == 3 && strcmp(arguments[1], "--hand") == 0)
        return hand(arguments[2]);

    bool stdout_open = keep_standard_descriptors();
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
    if (count > 2 && strcmp(arguments[1], "--complete") == 0)
        return complete(arguments + 2, (size_t)count - 2, stdout) ? 0 : 1;

    const struct command *command = command_named(arguments[1]);
    int skipped = command->name ? 1 : 0;
    return end_output(stdout_open, run_command(command, count - skipped, arguments + skipped));
}
