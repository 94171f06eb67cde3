/* SPDX-License-Identifier: Apache-2.0 */
/* tune import --run SCRIPT.py: a script for Kernel Tuner is run with stand-ins, and what it asks for becomes
 * templates. */
#include "tuner/cli/exchange.h"

#include "tuner/error/input_file.h"
#include "tuner/error/output_file.h"
#include "tuner/error/visible.h"
#include "tuner/workers/confined_program.h"
#include "tuner/workers/scratch.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

extern const char record_script[];
extern const size_t record_script_size;

enum { TEXT_MOST = 1 << 20, CALLS_MOST = 16 };
static const double seconds_most = 600;

/* Paths in the scratch folder. */
struct recording_paths {
    char recorder[600], folder[600], output[600];
};

static bool prepare(const struct scratch *scratch, struct recording_paths *paths, struct error *error)
{
    snprintf(paths->recorder, sizeof paths->recorder, "%s/record_script.py", scratch->path);
    snprintf(paths->folder, sizeof paths->folder, "%s/recorded", scratch->path);
    snprintf(paths->output, sizeof paths->output, "%s/recorded/output.txt", scratch->path);
    struct output_file file;
    if (!output_file_open_new(&file, paths->recorder, error))
        return false;
    const char *text = record_script;
    size_t length = record_script_size;
    fwrite(text, 1, length, file.stream); /* closing notices a failed write */
    return output_file_close(&file, true, error) &&
           (mkdir(paths->folder, 0700) == 0 ||
            error_set(error, ERROR_SYSTEM, "cannot make a folder in %s: %s", scratch->path, strerror(errno)));
}

/* A text that the recorder has written; NULL: it has not. */
static char *read_text(const char *folder, const char *name)
{
    char path[700];
    struct input_file file;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    input_file_read(path, TEXT_MOST, &file);
    return file.bytes;
}

/* The last line of what a program printed. */
static const char *last_line(char *text)
{
    size_t length = strlen(text);
    while (length && strchr("\r\n ", text[length - 1]))
        text[--length] = '\0';
    char *newline = strrchr(text, '\n');
    return newline ? newline + 1 : text;
}

static bool explain_failure(const struct options *options, const struct recording_paths *paths, const char *python,
                            int status, struct error *error)
{
    char *reason = read_text(paths->folder, "error.txt"), *output = read_text(paths->folder, "output.txt");
    if (reason) {
        error_set(error, ERROR_INPUT, "%s: %.700s", options->subject, reason);
        if (strstr(reason, "numpy is missing"))
            error_hint(error,
                       "install it (apt install python3-numpy, or pip install numpy), or name a Python that has it "
                       "in $TUNE_PYTHON");
        else if (strstr(reason, "ModuleNotFoundError"))
            error_hint(error, "install what the script imports, or name a Python that has it in $TUNE_PYTHON");
        else if (strstr(reason, "never called"))
            error_hint(error, "it is run like 'python3 SCRIPT.py', without arguments: does it tune then?");
    } else {
        error_set(error, ERROR_INPUT, "%s: %s ended with %s %d: %.700s", options->subject, python,
                  WIFSIGNALED(status) ? "signal" : "status",
                  WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), output ? last_line(output) : "");
        error_hint(error, "scripts need Python 3.9 with numpy: python3, or what $TUNE_PYTHON names");
    }
    free(reason);
    free(output);
    return false;
}

static bool run_script(const struct options *options, const struct recording_paths *paths, struct error *error)
{
    const char *named = getenv("TUNE_PYTHON"), *python = named && *named ? named : "python3";
    char *const arguments[] = {(char *)(uintptr_t)python,          "-B",
                               (char *)(uintptr_t)paths->recorder, (char *)(uintptr_t)options->subject,
                               (char *)(uintptr_t)paths->folder,   NULL};
    struct confined_program program = {.arguments = arguments,
                                       .folder = paths->folder,
                                       .output = paths->output,
                                       .seconds = options->deadline > 0 ? options->deadline : seconds_most,
                                       .unconfined = options->unconfined};
    struct stat status_of_first;
    char first[700];
    int status;
    bool late;
    if (!confined_program_run(&program, &status, &late, error))
        return false;
    snprintf(first, sizeof first, "%s/1.json", paths->folder);
    if (lstat(first, &status_of_first) == 0)
        return true; /* whatever became of the rest of the script */
    if (late) {
        error_set(error, ERROR_INPUT, "%s: nothing was tuned within %g s", options->subject, program.seconds);
        return error_hint(error, "--deadline 1h gives it more time");
    }
    return explain_failure(options, paths, python, status, error);
}

static bool import_calls(const struct options *options, const struct recording_paths *paths, struct error *error)
{
    for (int i = 1; i <= CALLS_MOST; i++) {
        char path[700];
        struct file_text text = {0};
        struct stat status;
        snprintf(path, sizeof path, "%s/%d.json", paths->folder, i);
        if (lstat(path, &status) != 0)
            return true;
        bool done =
            file_text_read(path, &text, error) && import_t1_text(options, path, options->subject, &text, error);
        free(text.bytes);
        if (!done)
            return false;
    }
    return true;
}

static void print_notes(const struct recording_paths *paths)
{
    char *notes = read_text(paths->folder, "notes.txt");
    for (const char *note = notes ? notes : ""; *note; note += strcspn(note, "\n"), note += *note == '\n')
        visible_printf(stderr, "tune: %.*s\n", (int)strcspn(note, "\n"), note);
    free(notes);
}

bool import_script(const struct options *options, struct error *error)
{
    struct scratch scratch;
    struct recording_paths paths;
    struct stat status;
    if (stat(options->subject, &status) != 0 || !S_ISREG(status.st_mode))
        return error_set(error, ERROR_INPUT, "there is no file %s", options->subject);
    if (!options->run) {
        error_set(error, ERROR_INPUT, "%s is a script, which has to be run to see what it tunes", options->subject);
        return error_hint(error, "if you trust it: tune import --run %.150s", options->subject);
    }
    if (!scratch_create(&scratch, error))
        return false;
    bool done = prepare(&scratch, &paths, error) && run_script(options, &paths, error) &&
                import_calls(options, &paths, error);
    if (done && !options->quiet)
        print_notes(&paths);
    scratch_remove(&scratch);
    return done;
}
