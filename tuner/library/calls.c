/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/calls.h"

#include "tuner/dispatch/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct calls {
    const struct template *template;
    char *file, *folder;
    _Atomic uint64_t count;
    atomic_bool looked;
    json_t *inputs; /* paths by names of buffers; NULL: none */
};

/* ---- life ---- */

struct calls *calls_begin(const struct calls_place *place, const struct template *template)
{
    struct calls *calls = calloc(1, sizeof *calls);
    if (!calls)
        return NULL;
    calls->template = template;
    calls->file = strdup(place->file);
    calls->folder = place->folder ? strdup(place->folder) : NULL;
    if (calls->file && (!place->folder || calls->folder))
        return calls;
    calls_end(calls, NULL);
    return NULL;
}

struct calls *calls_begin_another(const struct calls *calls)
{
    return calls_begin(&(struct calls_place){calls->file, calls->folder}, calls->template);
}

void calls_count(struct calls *calls)
{
    atomic_fetch_add_explicit(&calls->count, 1, memory_order_relaxed);
}

/* ---- data ---- */

static bool write_bytes(const char *path, const void *bytes, size_t count)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    size_t done = 0;
    if (file < 0)
        return false;
    while (done < count) {
        const ssize_t more = write(file, (const char *)bytes + done, count - done);
        if (more <= 0)
            break;
        done += (size_t)more;
    }
    if (close(file) == 0 && done == count)
        return true;
    unlink(path);
    return false;
}

/* The buffer that the kernel has `index`th, when all that is in the stream is done. */
static bool write_input(const struct variant *variant, size_t index, const struct tune_buffer *buffer,
                        const char *path)
{
    const size_t bytes = (size_t)variant->passed.list[index].bytes;
    const struct device_driver *driver = variant->code->attached->driver;
    void *values = malloc(bytes + 1);
    const bool done = values &&
                      driver->download(variant->view, values, (uint64_t)(uintptr_t)buffer->address, bytes, NULL) &&
                      write_bytes(path, values, bytes);
    free(values);
    return done;
}

/* Not what setup gives it when it is tuned, nor the parts of a sparse matrix. */
static bool is_kept(const struct calls *calls, const struct passed_buffer *passed)
{
    return passed->role != TUNE_OUT && inputs_take(calls->template, passed->buffer);
}

static void write_inputs(struct calls *calls, const struct variant *variant, const struct tune_buffer *buffers,
                         const char *folder)
{
    const struct job_case *one = code_case(variant->code);
    for (size_t i = 0; i < variant->passed.count; i++) {
        const char *name = one->buffers[variant->passed.list[i].buffer].name;
        char *path = NULL;
        if (is_kept(calls, &variant->passed.list[i]) && asprintf(&path, "%s/%s.raw", folder, name) >= 0 &&
            write_input(variant, i, &buffers[i], path))
            json_object_set_new(calls->inputs, name, json_string(path));
        free(path);
    }
}

static void keep_inputs(struct calls *calls, const struct variant *variant, const struct tune_buffer *buffers)
{
    char *folder = NULL, *real = NULL; /* wherever the sweep is made */
    calls->inputs = json_object();
    if (calls->inputs && asprintf(&folder, "%s/XXXXXX", calls->folder) >= 0 &&
        (mkdir(calls->folder, 0777) == 0 || errno == EEXIST) && mkdtemp(folder) && (real = realpath(folder, NULL)))
        write_inputs(calls, variant, buffers, real);
    free(folder);
    free(real);
}

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
        keep_inputs(calls, variant, buffers);
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
static char *line_of(const struct calls *calls, const struct tune_answer *answer)
{
    const struct template *template = answer->topic->own->template;
    json_t *call = json_pack(
        "{s:i, s:s, s:s, s:s, s:o, s:I, s:O*}", "tune_capture", CAPTURE_VERSION, "template", template->name,
        "template_hash", template->hash, "device", answer->topic->device.description.name, "size", sizes_of(answer),
        "count", (json_int_t)calls->count, "inputs", json_object_size(calls->inputs) > 0 ? calls->inputs : NULL);
    char *text = call ? json_dumps(call, JSON_COMPACT) : NULL, *line = NULL;
    if (text && asprintf(&line, "%s\n", text) < 0)
        line = NULL;
    free(text);
    json_decref(call);
    return line;
}

static void write_line(const struct calls *calls, const struct tune_answer *answer)
{
    char *line = line_of(calls, answer);
    if (!line)
        return;
    int file = open(calls->file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0) {
        (void)!write(file, line, strlen(line)); /* at once, so that programs may share the file */
        close(file);
    }
    free(line);
}

void calls_end(struct calls *calls, const struct tune_answer *answer)
{
    if (!calls)
        return;
    if (answer && calls->count > 0)
        write_line(calls, answer);
    json_decref(calls->inputs);
    free(calls->file);
    free(calls->folder);
    free(calls);
}
