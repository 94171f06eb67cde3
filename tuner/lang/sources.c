/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/sources.h"

#include "tuner/error/input_file.h"
#include "tuner/lang/hash.h"
#include "tuner/lang/lexer.h"
#include "tuner/source/closure.h"
#include "tuner/source/file_option.h"
#include "tuner/source/tree.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TREE_BYTES_MOST = 512 << 20 };

struct sources {
    struct arena arena;
    struct list probes;  /* const char *: paths whose metadata count */
    struct list folders; /* const char *: all files below these count */
    bool *used;          /* by parameter: in a source */
    bool *in_text;       /* by parameter: in the template's expressions */
    char day[11];        /* on which they were first read, if that counts; else "" */
    char hash[17];
    char stamp[17]; /* of the metadata just before the files were read */
    bool trusted;   /* the stamp shows every later change */
};

/* ---- metadata */

struct stamping {
    struct hash *hash;
    time_t newest; /* the last change of a file */
};

static void stamp_file(struct stamping *stamping, const char *path, const struct stat *status)
{
    const uint64_t numbers[] = {status ? 1 : 0,
                                status ? (uint64_t)status->st_dev : 0,
                                status ? (uint64_t)status->st_ino : 0,
                                status ? (uint64_t)status->st_mode : 0,
                                status ? (uint64_t)status->st_size : 0,
                                status ? (uint64_t)status->st_mtim.tv_sec : 0,
                                status ? (uint64_t)status->st_mtim.tv_nsec : 0,
                                status ? (uint64_t)status->st_ctim.tv_sec : 0,
                                status ? (uint64_t)status->st_ctim.tv_nsec : 0};
    hash_bytes(stamping->hash, path, strlen(path) + 1);
    hash_bytes(stamping->hash, (const char *)numbers, sizeof numbers);
    if (status && status->st_ctim.tv_sec > stamping->newest)
        stamping->newest = status->st_ctim.tv_sec;
}

static void stamp_path(struct stamping *stamping, const char *path)
{
    struct stat status;
    stamp_file(stamping, path, stat(path, &status) == 0 ? &status : NULL);
}

static bool stamp_of_tree(void *context, const char *path, const char *name, const struct stat *status,
                          struct error *error)
{
    (void)name;
    (void)error;
    stamp_file(context, path, status);
    return true;
}

/* The stamp as it is now, in the order of the reading. */
static bool stamp_again(const struct sources *sources, char digits[17], struct error *error)
{
    struct stamping stamping = {.hash = hash_create()};
    if (!stamping.hash)
        return error_out_of_memory(error);
    bool done = true;
    for (size_t i = 0; i < sources->probes.count; i++)
        stamp_path(&stamping, ((const char *const *)sources->probes.items)[i]);
    for (size_t i = 0; done && i < sources->folders.count; i++)
        done = tree_visit(((const char *const *)sources->folders.items)[i], stamp_of_tree, &stamping, error);
    hash_digits(stamping.hash, digits);
    hash_free(stamping.hash);
    return done;
}

/* The reading under way. */
struct reading {
    const struct template *template;
    struct sources *sources;
    struct hash *hash;
    struct stamping stamping;
    size_t tree_bytes;
    const struct parameter_declaration **sorted; /* the parameters by name */
    bool begins[UCHAR_MAX + 1];                  /* by character: a parameter's name begins with it */
    bool literals;
    bool with_parameters; /* the text being scanned sees the parameters' macros */
};

/* ---- what the scan tells */

static bool append_path(struct sources *sources, struct list *list, const char *path)
{
    const char **item = list_append(list, &sources->arena, sizeof *item);
    if (item)
        *item = arena_string(&sources->arena, path, strlen(path));
    return item && *item;
}

static bool see_text(void *context, const char *path, const char *bytes, size_t length)
{
    const struct reading *reading = context;
    const struct text text = {.file = path, .data = bytes, .length = length};
    hash_source(reading->hash, &text);
    hash_bytes(reading->hash, "", 1);
    return true;
}

/* In digits: machines differ in the order of bytes. */
static void hash_number(struct hash *hash, uint64_t number)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64 ",", number);
    hash_bytes(hash, digits, (size_t)length);
}

static bool see_include(void *context, const struct closure_include *include)
{
    const struct reading *reading = context;
    bool was_read = include->file != SIZE_MAX;
    hash_bytes(reading->hash, include->name, include->length);
    hash_bytes(reading->hash, "", 1);
    hash_number(reading->hash, include->found ? include->place + 1 : 0);
    hash_number(reading->hash, was_read ? include->file + 1 : 0);
    return true;
}

static int compare_parameters(const void *a, const void *b)
{
    const struct parameter_declaration *const *one = a, *const *other = b;
    return strcmp((*one)->name, (*other)->name);
}

static bool sort_parameters(struct reading *reading)
{
    const struct template *template = reading->template;
    size_t count = template->parameter_count;
    reading->sorted = calloc(count + 1, sizeof *reading->sorted);
    for (size_t i = 0; reading->sorted && i < count; i++) {
        reading->sorted[i] = &template->parameters[i];
        reading->begins[(unsigned char)template->parameters[i].name[0]] = true;
    }
    if (reading->sorted && count > 1)
        qsort(reading->sorted, count, sizeof *reading->sorted, compare_parameters);
    return reading->sorted != NULL;
}

/* The parameter of a name that need not end with a NUL; NULL: none. */
static const struct parameter_declaration *find_parameter(const struct reading *reading, const char *name,
                                                          size_t length)
{
    size_t low = 0, high = reading->template->parameter_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct parameter_declaration *parameter = reading->sorted[middle];
        int order = strncmp(name, parameter->name, length);
        if (order == 0 && parameter->name[length] == '\0')
            return parameter;
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* A string's parameter NAME is also passed as the macros NAME_value. */
static void see_word(void *context, const char *word, size_t length)
{
    const struct reading *reading = context;
    if (!reading->with_parameters || !reading->begins[(unsigned char)*word]) /* most do not */
        return;
    for (size_t part = 1; part <= length; part++) {
        if (part < length && word[part] != '_')
            continue;
        const struct parameter_declaration *parameter = find_parameter(reading, word, part);
        if (parameter)
            reading->sources->used[parameter - reading->template->parameters] = true;
    }
}

/* The metadata are those from before the file is read, so a change during the reading shows later. */
static bool see_probe(void *context, const char *path, const struct stat *status)
{
    struct reading *reading = context;
    stamp_file(&reading->stamping, path, status);
    return append_path(reading->sources, &reading->sources->probes, path);
}

static bool probe(struct reading *reading, const char *path)
{
    struct stat status;
    return see_probe(reading, path, stat(path, &status) == 0 ? &status : NULL);
}

/* ---- reading */

static bool scan_file(struct reading *reading, struct closure *closure, const char *name, struct error *error)
{
    struct input_file file;
    char *path;
    const char *folder = reading->template->folder;
    size_t length = strlen(folder);
    if (asprintf(&path, "%s%s%s", folder, length && folder[length - 1] != '/' ? "/" : "", name) < 0)
        return error_out_of_memory(error);
    hash_bytes(reading->hash, name, strlen(name) + 1);
    input_file_read(path, TEXT_LIMIT, &file);
    bool done = (file.state == INPUT_READ || input_file_error(&file, path, error)) &&
                ((see_probe(reading, path, &file.status) && closure_scan(closure, path, file.bytes, file.length)) ||
                 error_out_of_memory(error));
    free(file.bytes);
    free(path);
    return done;
}

static bool scan_files(struct reading *reading, struct closure *closure, struct error *error)
{
    const struct template *template = reading->template;
    const char *const others[] = {template->setup.file, template->reference.file, template->verify.file};
    for (size_t i = 0; i < template->option_count; i++)
        closure_words(closure, template->options[i].text);
    for (size_t i = 0; i < template->source_count; i++) {
        if (!scan_file(reading, closure, template->sources[i].file, error))
            return false;
    }
    reading->with_parameters = false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i] && !scan_file(reading, closure, others[i], error))
            return false;
    }
    return true;
}

/* ---- every file of some folders */

static bool hash_file(struct reading *reading, const char *path, const char *name, struct error *error)
{
    struct input_file file;
    input_file_read(path, TREE_BYTES_MOST - reading->tree_bytes, &file);
    if (file.state == INPUT_TOO_LARGE)
        return error_set(error, ERROR_INPUT, "all files together have more than %d MiB", TREE_BYTES_MOST >> 20);
    if (file.state == INPUT_NO_MEMORY)
        return error_out_of_memory(error);
    reading->tree_bytes += file.length;
    hash_bytes(reading->hash, name, strlen(name) + 1);
    hash_number(reading->hash, file.length);
    if (file.state == INPUT_READ)
        hash_bytes(reading->hash, file.bytes, file.length);
    free(file.bytes);
    return true;
}

static bool hash_of_tree(void *context, const char *path, const char *name, const struct stat *status,
                         struct error *error)
{
    struct reading *reading = context;
    stamp_file(&reading->stamping, path, status);
    return hash_file(reading, path, name, error);
}

static bool add_folder(struct reading *reading, const char *path, struct error *error)
{
    return append_path(reading->sources, &reading->sources->folders, path) || error_out_of_memory(error);
}

/* A part of an opaque option that is a path: behind `=`, `,`, `:`, `@` or the letter of -L. */
static bool add_named(struct reading *reading, const char *option, struct error *error)
{
    for (const char *c = option; *c; c++) {
        bool starts = (c > option && strchr("=,:@", c[-1])) || (c == option + 2 && *option == '-');
        struct stat status;
        char path[4096];
        int length = snprintf(path, sizeof path, "%.*s", (int)strcspn(c, ",:"), c);
        if (!starts || length <= 0 || length >= (int)sizeof path || stat(path, &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode)
                ? !add_folder(reading, path, error)
                : !(probe(reading, path) || error_out_of_memory(error)) || !hash_file(reading, path, "", error))
            return false;
    }
    return true;
}

static bool add_folders(struct reading *reading, const struct closure *closure, struct error *error)
{
    const struct template *template = reading->template;
    if (!add_folder(reading, template->folder, error))
        return false;
    for (size_t i = 0; i < closure_folder_count(closure); i++) {
        if (!add_folder(reading, closure_folder(closure, i), error))
            return false;
    }
    for (size_t i = 0; i < template->option_count; i++) {
        const char *path;
        if (file_option_classify(template->options[i].text, &path) == OPTION_OPAQUE &&
            !add_named(reading, template->options[i].text, error))
            return false;
    }
    return true;
}

static bool read_folders(struct reading *reading, const struct closure *closure, struct error *error)
{
    const struct list *folders = &reading->sources->folders;
    struct error reason = {0};
    bool done = add_folders(reading, closure, &reason);
    for (size_t i = 0; done && i < folders->count; i++)
        done = tree_visit(((const char *const *)folders->items)[i], hash_of_tree, reading, &reason);
    if (done)
        return true;
    if (reason.code == ERROR_OUT_OF_MEMORY)
        return error_out_of_memory(error);
    error_set(error, ERROR_INPUT, "what the sources of template %s include cannot be told without a compiler: %.500s",
              reading->template->name, reason.text);
    return error_hint(error, "name included files plainly, without macros, or keep only sources in the folder");
}

/* ---- the whole */

static const char **option_texts(const struct template *template)
{
    const char **texts = calloc(template->option_count + 1, sizeof *texts);
    for (size_t i = 0; texts && i < template->option_count; i++)
        texts[i] = template->options[i].text;
    return texts;
}

static void today(char day[11])
{
    struct tm tm;
    time_t now = time(NULL);
    if (!gmtime_r(&now, &tm) || strftime(day, 11, "%Y-%m-%d", &tm) == 0)
        memset(day, 0, 11);
}

/* `*hidden`: a second scan must try literals. */
static bool scan(struct reading *reading, const char *const *options, bool *hidden, struct error *error)
{
    static const struct closure_visitor visitor = {see_text, see_include, see_word, see_probe};
    const struct template *template = reading->template;
    const struct closure_setting setting = {.folder = template->folder,
                                            .options = options,
                                            .option_count = template->option_count,
                                            .base = template->folder,
                                            .literals = reading->literals,
                                            .visitor = &visitor,
                                            .context = reading};
    reading->with_parameters = true;
    struct closure *closure = closure_create(&setting);
    if (!closure)
        return error_out_of_memory(error);
    const struct closure_findings *findings = closure_findings(closure);
    bool done = scan_files(reading, closure, error);
    if (done && findings->blocked && error)
        *error = findings->problem;
    done = done && !findings->blocked;
    if (done && findings->dated && !reading->sources->day[0])
        today(reading->sources->day);
    if (done && findings->dated)
        hash_bytes(reading->hash, reading->sources->day, sizeof reading->sources->day);
    *hidden = findings->hidden;
    for (size_t i = 0; i < template->parameter_count; i++)
        reading->sources->used[i] |= findings->hidden || findings->pastes || findings->odd;
    done = done && (!findings->hidden || !reading->literals || read_folders(reading, closure, error));
    closure_free(closure);
    return done;
}

/* Each name stands once in its declaration, and then in expressions that use it. */
static bool use_names(const struct reading *reading, const struct text *text)
{
    const struct template *template = reading->template;
    struct lexer lexer = lexer_start(text);
    struct token token;
    bool *declared = calloc(template->parameter_count + 1, sizeof *declared);
    if (!declared)
        return false;
    while (lexer_next(&lexer, &token, NULL) && token.kind != TOKEN_END) {
        const struct parameter_declaration *parameter =
            token.kind == TOKEN_NAME ? find_parameter(reading, text->data + token.offset, token.length) : NULL;
        if (!parameter)
            continue;
        size_t index = (size_t)(parameter - template->parameters);
        reading->sources->in_text[index] |= declared[index];
        declared[index] = true;
    }
    free(declared);
    return true;
}

/* A change within a tick of the file system's clock could leave no trace in the metadata. */
static bool is_settled(const struct stamping *stamping)
{
    return stamping->newest < time(NULL) - 1;
}

static bool scan_hashed(struct reading *reading, const struct text *text, bool *hidden, struct error *error)
{
    struct sources *sources = reading->sources;
    const char **options = option_texts(reading->template);
    sources->probes = sources->folders = (struct list){0};
    reading->hash = hash_create();
    reading->stamping = (struct stamping){.hash = hash_create()};
    bool done = (options && reading->hash && reading->stamping.hash) || error_out_of_memory(error);
    if (done) {
        hash_tokens(reading->hash, text);
        done = scan(reading, options, hidden, error);
        hash_digits(reading->hash, sources->hash);
        hash_digits(reading->stamping.hash, sources->stamp);
        sources->trusted = is_settled(&reading->stamping);
    }
    hash_free(reading->hash);
    hash_free(reading->stamping.hash);
    free(options);
    return done;
}

static bool read_all(struct sources *sources, const struct template *template, const struct text *text,
                     struct error *error)
{
    struct reading reading = {.template = template, .sources = sources};
    bool hidden = false;
    sources->used = arena_allocate(&sources->arena, template->parameter_count + 1); /* zeroed */
    sources->in_text = arena_allocate(&sources->arena, template->parameter_count + 1);
    if (!sources->used || !sources->in_text)
        return error_out_of_memory(error);
    bool done = (sort_parameters(&reading) && use_names(&reading, text)) || error_out_of_memory(error);
    done = done && scan_hashed(&reading, text, &hidden, error);
    reading.literals = true;
    if (done && hidden)
        done = scan_hashed(&reading, text, &hidden, error);
    free(reading.sorted);
    return done;
}

struct sources *sources_read(const struct template *template, const struct text *text, struct error *error)
{
    struct sources *sources = calloc(1, sizeof *sources);
    if (!sources) {
        error_out_of_memory(error);
        return NULL;
    }
    if (read_all(sources, template, text, error))
        return sources;
    sources_free(sources);
    return NULL;
}

/* Read everything anew. The old state stays if the hash is another, or the reading fails. */
static bool read_again(struct sources *sources, const struct template *template, const struct text *text, bool *same,
                       struct error *error)
{
    struct sources now = {0};
    memcpy(now.day, sources->day, sizeof now.day);
    bool done = read_all(&now, template, text, error);
    *same = done && strcmp(now.hash, sources->hash) == 0;
    if (!*same) {
        arena_free(&now.arena);
        return done;
    }
    arena_free(&sources->arena);
    *sources = now;
    return true;
}

enum sources_state sources_state(struct sources *sources, const struct template *template, const struct text *text,
                                 struct error *error)
{
    char stamp[17];
    bool same;
    if (!stamp_again(sources, stamp, error))
        return SOURCES_FAILED;
    bool touched = strcmp(stamp, sources->stamp) != 0;
    if (!touched && sources->trusted)
        return SOURCES_SAME;
    if (!read_again(sources, template, text, &same, error))
        return SOURCES_FAILED;
    return !same ? SOURCES_CHANGED : touched ? SOURCES_TOUCHED : SOURCES_SAME;
}

const char *sources_hash(const struct sources *sources)
{
    return sources->hash;
}

bool sources_text_uses(const struct sources *sources, size_t index)
{
    return sources->in_text[index];
}

bool sources_use(const struct sources *sources, size_t index)
{
    return sources->used[index] || sources->in_text[index];
}

void sources_free(struct sources *sources)
{
    if (sources)
        arena_free(&sources->arena);
    free(sources);
}
