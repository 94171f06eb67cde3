/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/calls.h"

#include "tuner/dispatch/capture.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Those that a sweep can set, whatever a matrix of the program has; a new reference. */
static json_t *sizes_of(const struct tune_answer *answer)
{
    const struct template *template = answer->topic->own->template;
    struct size_setting *settable = calloc(template->size_count + 1, sizeof *settable);
    json_t *sizes = settable ? json_object() : NULL;
    const size_t count = sizes ? sizes_settable(template, answer->sizes, settable) : 0;
    for (size_t i = 0; sizes && i < count; i++) {
        if (json_object_set_new(sizes, settable[i].name, json_integer(settable[i].value)) != 0) {
            json_decref(sizes);
            sizes = NULL;
        }
    }
    free(settable);
    return sizes;
}

/* One line, to be released with free(); NULL: out of memory. */
static char *line_of(const struct tune_answer *answer, uint64_t count)
{
    const struct template *template = answer->topic->own->template;
    json_t *call =
        json_pack("{s:i, s:s, s:s, s:s, s:o, s:I}", "tune_capture", CAPTURE_VERSION, "template", template->name,
                  "template_hash", template->hash, "device", answer->topic->device.description.name, "size",
                  sizes_of(answer), "count", (json_int_t)count);
    char *text = call ? json_dumps(call, JSON_COMPACT) : NULL, *line = NULL;
    if (text && asprintf(&line, "%s\n", text) < 0)
        line = NULL;
    free(text);
    json_decref(call);
    return line;
}

void calls_write(const char *path, const struct tune_answer *answer, uint64_t count)
{
    char *line = line_of(answer, count);
    if (!line)
        return;
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0) {
        (void)!write(file, line, strlen(line)); /* at once, so that programs may share the file */
        close(file);
    }
    free(line);
}
