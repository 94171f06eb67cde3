/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/calls.h"

#include "tuner/dispatch/capture.h"
#include "tuner/library/kept_inputs.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct calls {
    struct tune_answer *answer; /* held; any version of the kernel has its sizes */
    char *file, *folder;
    _Atomic uint64_t count;
    atomic_bool looked;
    json_t *inputs; /* NULL: none */
};

/* ---- life ---- */

struct calls *calls_begin(const struct calls_place *place, const struct tune_answer *answer)
{
    struct calls *calls = calloc(1, sizeof *calls);
    if (!calls)
        return NULL;
    calls->answer = answer_keep(answer);
    calls->file = strdup(place->file);
    calls->folder = place->folder ? strdup(place->folder) : NULL;
    if (calls->file && (!place->folder || calls->folder))
        return calls;
    calls_end(calls);
    return NULL;
}

struct calls *calls_begin_another(const struct calls *calls)
{
    return calls_begin(&(struct calls_place){calls->file, calls->folder}, calls->answer);
}

void calls_count(struct calls *calls)
{
    atomic_fetch_add_explicit(&calls->count, 1, memory_order_relaxed);
}

/* ---- data ---- */

void calls_look(struct calls *calls, struct variant *variant, void *stream, const struct tune_buffer *buffers)
{
    const struct attached *attached = variant->code->attached;
    const struct device_guest *guest = attached->driver->guest;
    bool entered, captured = true;
    if (!calls->folder || atomic_load_explicit(&calls->looked, memory_order_relaxed) ||
        !attached_enter(attached, false, &entered, NULL))
        return;
    variant_lock(variant, stream);
    if (guest->capturing(variant->view, stream, &captured, NULL) && !captured &&
        !atomic_exchange(&calls->looked, true))
        calls->inputs = keep_inputs(calls->answer, variant, buffers, calls->folder);
    variant_unlock(variant);
    attached_leave(attached, entered);
}

/* ---- lines ---- */

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
static char *line_of(const struct calls *calls)
{
    const struct tune_answer *answer = calls->answer;
    const struct template *template = answer->topic->own->template;
    json_t *call =
        json_pack("{s:i, s:s, s:s, s:s, s:o, s:I, s:O*}", "tune_capture", CAPTURE_VERSION, "template", template->name,
                  "template_hash", template->hash, "device", answer->topic->device.description.name, "size",
                  sizes_of(answer), "count", (json_int_t)calls->count, "inputs", calls->inputs);
    char *text = call ? json_dumps(call, JSON_COMPACT) : NULL, *line = NULL;
    if (text && asprintf(&line, "%s\n", text) < 0)
        line = NULL;
    free(text);
    json_decref(call);
    return line;
}

static void write_line(const struct calls *calls)
{
    char *line = line_of(calls);
    if (!line)
        return;
    int file = open(calls->file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0) {
        (void)!write(file, line, strlen(line)); /* at once, so that programs may share the file */
        close(file);
    }
    free(line);
}

void calls_end(struct calls *calls)
{
    if (!calls)
        return;
    if (calls->count > 0)
        write_line(calls);
    tune_answer_free(calls->answer);
    json_decref(calls->inputs);
    free(calls->file);
    free(calls->folder);
    free(calls);
}
