/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strange calls of libtune: what is wrong is refused with a reason before anything runs, what is right runs. The
 * first byte says what the others are:
 *
 *     p   sizes of a problem with a sparse matrix of the program's own, "NAME VALUE" a line
 *     l   calls of a kernel on the CPU device: of each, a byte for the function (prepare, launch, finish) and the
 *         number of buffers, and a byte for each of these: how its address and its size are wrong, if they are
 */
#include "tests/fuzz/scratch.h"
#include "tuner/library/tune.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

enum { N = 64, BYTES = N * sizeof(int), BUFFERS_MOST = 4, SIZES_MOST = 8 };

static struct tune *tune;

static void write_text(const char *name, const char *text)
{
    char path[PATH_MAX];
    scratch_path(path, name);
    scratch_write(path, text, strlen(text));
}

static void open_home(void)
{
    static const char *const folders[] = {"templates", "templates/c", "templates/m",
                                          "spaces",    "spaces/c",    "spaces/m"};
    char path[PATH_MAX], home[PATH_MAX], database[PATH_MAX], cache[PATH_MAX];
    scratch_path(home, ".");
    scratch_path(database, "none.db");
    scratch_path(cache, "cache");
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        scratch_path(path, folders[i]);
        fuzz_require(mkdir(path, 0700) == 0);
    }
    write_text("templates/c/k.cu", "extern \"C\" __global__ void add(const int *x, int *y, int by, int n)\n"
                                   "{ int i = threadIdx.x; if (i < n) y[i] = x[i] + by; }\n");
    write_text("templates/c/c.template",
               "template c\nsize n = 64\nparameter K\nsource \"k.cu\"\nbuffer x : int[n] in index()\n"
               "buffer kept : int[n] temp\nbuffer y : int[n] out\nprepare { add<<<1, 64>>>(x, kept, K, n) }\n"
               "launch { add<<<1, 64>>>(kept, y, 100, n) }\nfinish { add<<<1, 64>>>(y, y, 1000, n) }\n"
               "reference \"k.cu\" { add<<<1, 1>>>(ref(y), ref(y), 1, 1) }\ncheck y exact\n");
    write_text("spaces/c/s.space", "space s of c\nset K = 7\n");
    write_text("templates/m/k.cu", "__global__ void k(const int *s, const int *c, float *y) {}\n");
    write_text("templates/m/m.template",
               "template m\nsize ROWS = 4\nsize COLUMNS = 2 * ROWS\nsize ENTRIES = 3 * ROWS\nsize LONGEST = 9\n"
               "parameter A\nsource \"k.cu\"\nbuffer s : int[ROWS + 1] in\nbuffer c : int[ENTRIES] in\n"
               "buffer y : float[ROWS * LONGEST] out\nmatrix M[ROWS, COLUMNS, ENTRIES, LONGEST] = csr(s, c)\n"
               "setup \"k.cu\" { if not given(M) { k<<<1, 1>>>(s, c, y) } }\nlaunch { k<<<1, A>>>(s, c, y) }\n"
               "reference \"k.cu\" { k<<<1, 1>>>(s, c, ref(y)) }\ncheck y exact\n");
    write_text("spaces/m/s.space", "space s of m\nparam A = [1, 2]\nwhere A == 1 or LONGEST * ROWS < 2 ** 40\n");
    unsetenv("TUNE_SITE");
    unsetenv("TUNE_CAPTURE");
    const struct tune_options options = {.bytes = sizeof options, .home = home, .database = database, .cache = cache};
    fuzz_require(tune_open(&options, &tune, NULL) == TUNE_OK);
}

static void refused(enum tune_code code, const struct tune_error *error)
{
    fuzz_require(code != TUNE_OK && code == error->code && code != TUNE_ERROR_MEMORY && error->text[0]);
}

static enum tune_code ask(const char *kernel, const struct tune_size *sizes, size_t count,
                          struct tune_answer **answer, struct tune_error *error)
{
    const struct tune_problem problem = {
        .bytes = sizeof problem, .kernel = kernel, .device = "cpu:0", .sizes = sizes, .size_count = count};
    return tune_best(tune, &problem, answer, error);
}

/* ---- sizes ---- */

static int64_t size_of(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    fuzz_require(at);
    return strtoll(at + strlen(name), NULL, 10);
}

/* What was accepted is what was said, and there is such a matrix, unless the template itself says so. */
static void look(const struct tune_answer *answer, const struct tune_size *sizes, size_t count)
{
    struct tune_answer_info info = {.bytes = sizeof info};
    tune_answer_describe(answer, &info);
    bool own = false;
    for (size_t i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s=", sizes[i].name);
        fuzz_require(size_of(info.size, name) == sizes[i].value);
        own = own || strcmp(sizes[i].name, "ENTRIES") == 0;
    }
    const int64_t rows = size_of(info.size, "ROWS="), entries = size_of(info.size, "ENTRIES="),
                  longest = size_of(info.size, "LONGEST=");
    fuzz_require(!own || (entries == 3 * rows && longest == 9) ||
                 (longest <= entries && longest <= size_of(info.size, "COLUMNS=") &&
                  (entries + longest - 1) / longest <= rows));
}

static void try_sizes(char *text)
{
    struct tune_size sizes[SIZES_MOST];
    struct tune_answer *answer;
    struct tune_error error = {0};
    size_t count = 0;
    for (char *line = strtok(text, "\n"); line && count < SIZES_MOST; line = strtok(NULL, "\n")) {
        char *blank = strchr(line, ' ');
        if (blank)
            *blank = '\0';
        sizes[count++] = (struct tune_size){line, blank ? strtoll(blank + 1, NULL, 10) : 0};
    }
    const enum tune_code code = ask("m", sizes, count, &answer, &error);
    if (code == TUNE_OK) {
        look(answer, sizes, count);
        tune_answer_free(answer);
    } else {
        refused(code, &error);
    }
}

/* ---- calls ---- */

enum { NULL_POINTER = 1, UNALIGNED = 2, TOO_SHORT = 4, UNKNOWN_SIZE = 8 };

/* Like it is to be, or wrong as the bits say. */
static bool make_buffer(unsigned char bits, char *memory, struct tune_buffer *buffer)
{
    const unsigned off = bits & UNALIGNED ? 1 + bits / 16 : 0;
    const bool is_null = bits & NULL_POINTER, is_short = bits & TOO_SHORT && !(bits & UNKNOWN_SIZE);
    buffer->address = is_null ? NULL : memory + off;
    buffer->size = bits & UNKNOWN_SIZE ? 0 : is_short ? 1u + bits : BYTES;
    return !is_null && off % 16 == 0 && (buffer->size == 0 || buffer->size >= BYTES);
}

typedef enum tune_code function(struct tune_kernel *kernel, void *stream, const struct tune_buffer *buffers,
                                size_t count, struct tune_error *error);

static struct tune_kernel *load(void)
{
    const struct tune_load_options options = {.bytes = sizeof options, .flags = TUNE_LOAD_UNVALIDATED};
    struct tune_kernel *kernel = NULL;
    struct tune_answer *answer = NULL;
    fuzz_require(ask("c", NULL, 0, &answer, NULL) == TUNE_OK &&
                 tune_load(tune, answer, &options, &kernel, NULL) == TUNE_OK);
    tune_answer_free(answer);
    return kernel;
}

static void try_calls(const uint8_t *data, size_t size)
{
    static function *const functions[] = {tune_prepare, tune_launch, tune_finish};
    static struct tune_kernel *loaded;
    static _Alignas(64) char memory[BUFFERS_MOST][BYTES + 64], before[BUFFERS_MOST][BYTES + 64];
    struct tune_kernel *kernel;
    if (!loaded)
        loaded = load();
    fuzz_require(tune_kernel_fork(loaded, &kernel, NULL) == TUNE_OK);
    bool prepared = false;
    memset(memory, 1, sizeof memory);
    for (size_t i = 0; i < size;) {
        struct tune_buffer buffers[BUFFERS_MOST] = {{0}};
        struct tune_error error = {0};
        const unsigned which = data[i] % 3;
        const size_t count = data[i] / 3 % (BUFFERS_MOST + 1);
        i++;
        bool right = count == 2 && (prepared || which == 0);
        for (size_t k = 0; k < count; k++, i++)
            right = make_buffer(i < size ? data[i] : 0, memory[k], &buffers[k]) && right;
        memcpy(before, memory, sizeof memory);
        const enum tune_code code =
            functions[which](kernel, NULL, count == 0 && data[i - 1] & 128 ? NULL : buffers, count, &error);
        fuzz_require((code == TUNE_OK) == right);
        if (!right) {
            refused(code, &error);
            fuzz_require(code == TUNE_ERROR_ARGUMENT);
        }
        fuzz_require((right && which > 0) || memcmp(memory, before, sizeof memory) == 0);
        prepared = prepared || right;
    }
    tune_kernel_free(kernel);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!tune)
        open_home();
    if (size > 0 && data[0] == 'l') {
        try_calls(data + 1, size - 1);
    } else if (size > 0) {
        char *text = fuzz_text(data + 1, size - 1);
        try_sizes(text);
        free(text);
    }
    return 0;
}
