/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cache/source_scan.h"

#include "tuner/source/closure.h"
#include "tuner/source/word.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

/* The scan under way. */
struct walk {
    struct source_scan *scan;
    struct key_builder *key;
};

/* ---- words */

static uint64_t initial(char c)
{
    return (uint64_t)1 << ((unsigned char)c & 63);
}

static void use_words(struct source_scan *scan, const char *at, const char *end);

static void use_word(struct source_scan *scan, const char *word, size_t length)
{
    if (!(scan->initials & initial(*word)))
        return;
    for (size_t i = 0; i < scan->define_count; i++) {
        struct scanned_define *define = &scan->defines[i];
        if (define->used || !define->name || define->name_length != length || memcmp(define->name, word, length) != 0)
            continue;
        define->used = true;
        use_words(scan, define->value, define->value + define->value_length);
    }
}

static void use_words(struct source_scan *scan, const char *at, const char *end)
{
    size_t length;
    for (const char *word; (word = word_next(&at, end, &length));)
        use_word(scan, word, length);
}

/* ---- files */

static void see_word(void *context, const char *word, size_t length)
{
    use_word(((struct walk *)context)->scan, word, length);
}

static bool see_text(void *context, const char *path, const char *bytes, size_t length)
{
    struct walk *walk = context;
    key_builder_add_text(walk->key, path);
    key_builder_add(walk->key, bytes, length);
    return true;
}

static bool see_include(void *context, const struct closure_include *include)
{
    struct walk *walk = context;
    key_builder_add(walk->key, include->name, include->length);
    key_builder_add_number(walk->key, include->found ? include->place + 1 : 0);
    key_builder_add_number(walk->key, include->file);
    return true;
}

/* When a file last changed shows that it did, even if it changed back. */
static bool see_probe(void *context, const char *path, const struct stat *status)
{
    (void)path;
    struct source_scan *scan = ((struct walk *)context)->scan;
    const uint64_t numbers[] = {scan->stamp,
                                status ? (uint64_t)status->st_dev : 0,
                                status ? (uint64_t)status->st_ino : 0,
                                status ? (uint64_t)status->st_size : 0,
                                status ? (uint64_t)status->st_ctim.tv_sec : 0,
                                status ? (uint64_t)status->st_ctim.tv_nsec : 0};
    scan->stamp = XXH3_64bits(numbers, sizeof numbers);
    return true;
}

/* ---- the request */

/* False if the line is not a plain "#define NAME value". */
static bool read_define(struct scanned_define *define)
{
    static const char start[] = "#define ";
    const char *end = define->line + define->length;
    if (define->length < sizeof start || memcmp(define->line, start, sizeof start - 1) != 0)
        return false;
    define->name = define->value = define->line + sizeof start - 1;
    while (define->value < end && word_has(*define->value))
        define->value++;
    define->name_length = (size_t)(define->value - define->name);
    define->value_length = (size_t)(end - define->value);
    return define->name_length > 0 && (define->value == end || *define->value == ' ') && end[-1] != '\\';
}

static bool read_defines(const char *lines, struct source_scan *scan)
{
    size_t count = 1;
    for (const char *c = lines; *c; c++)
        count += *c == '\n';
    scan->defines = calloc(count, sizeof *scan->defines);
    if (!scan->defines)
        return false;
    while (*lines) {
        struct scanned_define *define = &scan->defines[scan->define_count];
        define->line = lines;
        define->length = strcspn(lines, "\n");
        lines += define->length + (lines[define->length] == '\n');
        if (define->length == 0)
            continue;
        scan->uncertain |= !read_define(define);
        if (define->name_length > 0)
            scan->initials |= initial(*define->name);
        scan->define_count++;
    }
    return true;
}

static void use_all(struct closure *closure, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        closure_words(closure, texts[i]);
}

static bool run(struct walk *walk, const struct compile_request *request)
{
    static const struct closure_visitor visitor = {see_text, see_include, see_word, see_probe};
    const struct closure_setting setting = {.folder = request->folder,
                                            .options = request->options,
                                            .option_count = request->option_count,
                                            .visitor = &visitor,
                                            .context = walk};
    struct stat status;
    struct closure *closure = closure_create(&setting);
    if (!closure)
        return false;
    use_all(closure, &request->preamble, request->preamble ? 1 : 0);
    use_all(closure, request->kernels, request->kernel_count);
    use_all(closure, request->symbols, request->symbol_count);
    use_all(closure, request->options, request->option_count);
    see_probe(walk, request->path, stat(request->path, &status) == 0 ? &status : NULL);
    bool done = closure_scan(closure, request->path, request->text, request->length);
    const struct closure_findings *findings = closure_findings(closure);
    walk->scan->uncertain |=
        findings->hidden || findings->dated || findings->asks || findings->odd || findings->blocked;
    walk->scan->system = findings->system;
    walk->scan->pastes = findings->pastes;
    closure_free(closure);
    return done;
}

bool source_scan_run(const struct compile_request *request, struct source_scan *scan, struct key_builder *key)
{
    *scan = (struct source_scan){0};
    struct walk walk = {.scan = scan, .key = key};
    bool done = read_defines(request->defines ? request->defines : "", scan) && run(&walk, request);
    if (!done)
        source_scan_clear(scan);
    return done;
}

void source_scan_clear(struct source_scan *scan)
{
    free(scan->defines);
    *scan = (struct source_scan){0};
}

/*
 * The compiler's headers and predefined macros may use some names: those have no capital letters, or one of their
 * reserved prefixes.
 */
bool source_scan_can_drop(const struct source_scan *scan, const struct scanned_define *define)
{
    static const char *const reserved[] = {"_", "TUNE_", "CUDA", "NV"};
    bool capital = false;
    for (size_t i = 0; i < define->name_length; i++)
        capital |= isupper((unsigned char)define->name[i]) != 0;
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        capital &= strncmp(define->name, reserved[i], strlen(reserved[i])) != 0;
    return capital && !define->used && !scan->uncertain && !scan->system && !scan->pastes;
}
