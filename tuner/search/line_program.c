/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/line_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORDS_MOST = 64, CHUNK = 1 << 16 };

struct line_program {
    char *command; /* cut into words */
    char *words[WORDS_MOST + 1];
    pid_t process;
    int channel; /* -1: closed */
    char *out;   /* still to be sent */
    size_t out_length, out_sent, out_capacity;
    char *in; /* received; the first `line` bytes were handed out */
    size_t in_length, line;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool cut(struct line_program *program, const char *command, struct error *error)
{
    size_t count = 0;
    char *rest = NULL;
    program->command = strdup(command);
    if (!program->command)
        return error_out_of_memory(error);
    for (char *word = strtok_r(program->command, " \t\n", &rest); word; word = strtok_r(NULL, " \t\n", &rest)) {
        if (count == WORDS_MOST)
            return error_set(error, ERROR_INPUT, "a program with more than %d arguments", WORDS_MOST - 1);
        program->words[count++] = word;
    }
    return count > 0 || error_set(error, ERROR_INPUT, "no program is named");
}

/* In the child: only what may be called after fork in a program with threads. What goes wrong is written to `report`,
 * which closes where all goes well. */
static void become(char *const *words, int channel, int report, pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || dup2(channel, STDIN_FILENO) < 0 || dup2(channel, STDOUT_FILENO) < 0 ||
        dup3(report, STDERR_FILENO + 1, O_CLOEXEC) < 0)
        _exit(127);
    report = STDERR_FILENO + 1;
    close_range((unsigned)report + 1, ~0U, 0);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvp(words[0], words);
    int failure = errno;
    if (write(report, &failure, sizeof failure) < 0)
        _exit(126);
    _exit(127);
}

static bool cannot_start(const struct line_program *program, int failure, struct error *error)
{
    error_set(error, ERROR_INPUT, "cannot run %s: %s", program->words[0], strerror(failure));
    if (failure == EACCES)
        return error_hint(error, "it needs the permission to be executed: chmod +x %s", program->words[0]);
    return failure == ENOENT && !strchr(program->words[0], '/')
               ? error_hint(error, "it is looked for in PATH; ./%s is one in this folder", program->words[0])
               : false;
}

static bool spawn(struct line_program *program, struct error *error)
{
    int ends[2], report[2], failure = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return error_set(error, ERROR_SYSTEM, "cannot make a socket: %s", strerror(errno));
    program->channel = ends[0];
    if (pipe2(report, O_CLOEXEC) != 0) {
        close(ends[1]);
        return error_set(error, ERROR_SYSTEM, "cannot make a pipe: %s", strerror(errno));
    }
    pid_t parent = getpid();
    program->process = fork();
    if (program->process == 0) {
        /* Above what it becomes, so that neither is overwritten. */
        int channel = fcntl(ends[1], F_DUPFD, 10), out = fcntl(report[1], F_DUPFD_CLOEXEC, 10);
        become(program->words, channel, out, parent);
    }
    int reason = errno;
    close(ends[1]);
    close(report[1]);
    bool started = program->process > 0;
    bool failed = started && read(report[0], &failure, sizeof failure) == (ssize_t)sizeof failure;
    close(report[0]);
    if (!started)
        return error_set(error, ERROR_SYSTEM, "cannot start a process: %s", strerror(reason));
    return !failed || cannot_start(program, failure, error);
}

bool line_program_start(const char *command, struct line_program **result, struct error *error)
{
    struct line_program *program = calloc(1, sizeof *program);
    if (!program)
        return error_out_of_memory(error);
    program->channel = -1;
    program->in = malloc(LINE_MOST + CHUNK);
    bool done = (program->in || error_out_of_memory(error)) && cut(program, command, error) && spawn(program, error);
    if (done) {
        *result = program;
        return true;
    }
    line_program_end(program);
    return false;
}

void line_program_end(struct line_program *program)
{
    if (!program)
        return;
    if (program->channel >= 0)
        close(program->channel);
    if (program->process > 0) {
        kill(-program->process, SIGKILL);
        kill(program->process, SIGKILL); /* should it not have its group yet */
        while (waitpid(program->process, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    free(program->command);
    free(program->out);
    free(program->in);
    free(program);
}

bool line_program_put(struct line_program *program, const char *line)
{
    size_t length = strlen(line), needed = program->out_length + length + 1;
    if (needed > program->out_capacity) {
        size_t capacity = 2 * needed;
        char *out = realloc(program->out, capacity);
        if (!out)
            return false;
        program->out = out;
        program->out_capacity = capacity;
    }
    memcpy(program->out + program->out_length, line, length);
    program->out[needed - 1] = '\n';
    program->out_length = needed;
    return true;
}

static bool has_ended(const struct line_program *program, struct error *error)
{
    int status = 0;
    siginfo_t info = {0};
    const double patience = 0.5; /* its output may close a moment before it is gone */
    double end = now() + patience;
    while (waitid(P_PID, (id_t)program->process, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0 &&
           now() < end)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    status = info.si_status;
    if (info.si_pid == 0)
        return error_set(error, ERROR_WORK, "it closed its output");
    if (info.si_code == CLD_EXITED)
        return error_set(error, ERROR_WORK, "it ended with status %d", status);
    return error_set(error, ERROR_WORK, "it was killed by signal %d (%s)", status, strsignal(status));
}

/* As much as goes at once. */
static bool transfer(struct line_program *program, short events, struct error *error)
{
    if (events & POLLOUT && program->out_sent < program->out_length) {
        ssize_t sent = send(program->channel, program->out + program->out_sent,
                            program->out_length - program->out_sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0)
            program->out_sent += (size_t)sent;
        if (program->out_sent == program->out_length)
            program->out_sent = program->out_length = 0;
        if (sent < 0 && errno != EAGAIN && errno != EINTR) { /* nobody reads any more: what it said before counts */
            program->out_sent = program->out_length = 0;
            events |= POLLIN;
        }
    }
    if (events & (POLLIN | POLLHUP | POLLERR) && program->in_length < LINE_MOST + CHUNK) {
        ssize_t received = recv(program->channel, program->in + program->in_length,
                                LINE_MOST + CHUNK - program->in_length, MSG_DONTWAIT);
        if (received > 0)
            program->in_length += (size_t)received;
        else if (received == 0 || (errno != EAGAIN && errno != EINTR))
            return has_ended(program, error);
    }
    return true;
}

/* A whole line that has arrived; NULL: none has yet. */
static char *take_line(struct line_program *program)
{
    char *end = memchr(program->in, '\n', program->in_length);
    if (!end)
        return NULL;
    *end = '\0';
    program->line = (size_t)(end + 1 - program->in);
    return program->in;
}

bool line_program_receive(struct line_program *program, double seconds, char **line, struct error *error)
{
    double end = now() + seconds;
    program->in_length -= program->line;
    memmove(program->in, program->in + program->line, program->in_length);
    program->line = 0;
    for (*line = take_line(program); !*line || program->out_length > 0;) {
        double left = end - now();
        if (!*line && program->in_length >= LINE_MOST)
            return error_set(error, ERROR_WORK, "it sent a line of more than %d bytes", LINE_MOST);
        if (left <= 0)
            return error_set(error, ERROR_WORK, "it did not answer within %g s", seconds);
        short wanted =
            (short)((program->out_length > 0 ? POLLOUT : 0) | (program->in_length < LINE_MOST + CHUNK ? POLLIN : 0));
        struct pollfd poller = {.fd = program->channel, .events = wanted};
        if (poll(&poller, 1, (int)(left * 1e3) + 1) > 0 && !transfer(program, poller.revents, error))
            return false;
        if (!*line)
            *line = take_line(program);
    }
    return strlen(*line) + 1 == program->line || error_set(error, ERROR_WORK, "it sent a NUL byte");
}
