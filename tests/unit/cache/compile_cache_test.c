/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images from the cache: everything that a compiler sees changes the key, and nothing else does; what is stored comes
 * back, and failures that may not recur are not stored.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/cache/compile_cache.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a folder with sources: the template's, and one below it */

static char folder[256], below[300];

static void path_in(const char *parent, const char *name, char path[600])
{
    snprintf(path, 600, "%s/%s", parent, name);
}

static void write_file(const char *parent, const char *name, const char *text)
{
    char path[600];
    path_in(parent, name, path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void remove_file(const char *parent, const char *name)
{
    char path[600];
    path_in(parent, name, path);
    unlink(path);
}

static int make_folder(void **state)
{
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/tune-cache-XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder))
        return -1;
    snprintf(below, sizeof below, "%s/below", folder);
    if (mkdir(below, 0700) != 0)
        return -1;
    write_file(folder, "a.cuh", "#include \"b.cuh\"\n");
    write_file(folder, "b.cuh", "int b = BETA;\n");
    write_file(below, "kernel.cu", "");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const files[] = {"a.cuh",  "b.cuh",     "c.cuh",  "d.cuh",
                                        "math.h", "kernel.cu", ".state", ".claims"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        remove_file(folder, files[i]);
        remove_file(below, files[i]);
    }
    return rmdir(below) == 0 && rmdir(folder) == 0 ? 0 : -1;
}

/* ---- a compiler that never runs, and requests to it */

static const char *identity; /* NULL: unknown */

static bool tell_identity(const struct device_description *description, char **text, struct error *error)
{
    (void)description;
    *text = identity ? strdup(identity) : NULL;
    return *text || error_set(error, ERROR_WORK, "no compiler");
}

static const struct device_driver driver = {.kind = "pretended", .compile_identity = tell_identity};

struct question {
    struct device_description description;
    struct compile_request request;
    const char *kernels[2], *symbols[2], *options[2], *identity;
};

static const char plain_source[] = "#include \"a.cuh\"\n"
                                   "#include <c.cuh>\n"
                                   "__global__ void kernel() { int x = ALPHA; /* GAMMA */ }\n";

static struct question ask(const char *text)
{
    static char path[600];
    path_in(below, "kernel.cu", path);
    struct question question = {
        .description = {.kind = "pretended", .architecture = "sm_90", .compiler = "compiler 1.0", .name = "a"},
        .request = {.path = path,
                    .text = text,
                    .length = strlen(text),
                    .folder = folder,
                    .defines = "#define ALPHA 1\n#define BETA 2\n#define GAMMA 3\n#define DELTA 4\n",
                    .kernel_count = 1,
                    .symbol_count = 1,
                    .option_count = 1},
        .kernels = {"kernel", "other"},
        .symbols = {"symbol", "other"},
        .options = {"-lineinfo", "-O1"},
        .identity = "driver 1",
    };
    return question;
}

static bool key_of(struct question *question, struct cache_key *key)
{
    question->request.kernels = question->kernels;
    question->request.symbols = question->symbols;
    question->request.options = question->options;
    identity = question->identity;
    struct compile_cache *cache = compile_cache_create(NULL, &driver, &question->description);
    assert_non_null(cache);
    bool keyed = compile_cache_key(cache, &question->request, key);
    compile_cache_free(cache);
    return keyed;
}

static bool same_key(struct question a, struct question b)
{
    struct cache_key first, second;
    assert_true(key_of(&a, &first));
    assert_true(key_of(&b, &second));
    bool same_name = memcmp(first.name, second.name, sizeof first.name) == 0;
    assert_int_equal(same_name, first.check == second.check); /* both hashes cover the same */
    return cache_key_equal(&first, &second);
}

static void write_c(const char *text)
{
    write_file(folder, "c.cuh", text);
}

/* ---- keys */

static void test_what_the_compiler_sees(void **state)
{
    (void)state;
    static char elsewhere[600], text[400];
    write_c("");
    struct question asked = ask(plain_source);
    assert_true(same_key(asked, ask(plain_source)));
#define DIFFERS(change)                                                                                              \
    do {                                                                                                             \
        struct question other = asked;                                                                               \
        change;                                                                                                      \
        if (same_key(asked, other))                                                                                  \
            fail_msg("no other key: %s", #change);                                                                   \
    } while (0)
    snprintf(text, sizeof text, "%s ", plain_source);
    snprintf(elsewhere, sizeof elsewhere, "%s/else.cu", below);
    DIFFERS(other.request.text = text; other.request.length++);
    DIFFERS(other.request.path = elsewhere);
    DIFFERS(other.request.folder = below);
    DIFFERS(other.request.defines = "#define ALPHA 9\n#define BETA 2\n#define GAMMA 3\n#define DELTA 4\n");
    DIFFERS(other.request.defines = "#define ALPHA 1\n#define BETA 9\n#define GAMMA 3\n#define DELTA 4\n");
    DIFFERS(other.kernels[0] = "kernel2");
    DIFFERS(other.request.kernel_count = 2);
    DIFFERS(other.request.kernel_count = 0);
    DIFFERS(other.symbols[0] = "symbol2");
    DIFFERS(other.request.symbol_count = 2);
    DIFFERS(other.request.symbol_count = 0);
    DIFFERS(other.options[0] = "-O3");
    DIFFERS(other.request.option_count = 2);
    DIFFERS(other.request.option_count = 0);
    DIFFERS(strcpy(other.description.kind, "another"));
    DIFFERS(strcpy(other.description.architecture, "sm_80"));
    DIFFERS(strcpy(other.description.compiler, "compiler 1.1"));
    DIFFERS(other.identity = "driver 2");
    /* The end of one list is not the beginning of the next. */
    DIFFERS(other.request.kernel_count = 2; other.request.symbol_count = 0; other.kernels[1] = "symbol");
#undef DIFFERS
}

static void test_what_it_does_not_see(void **state)
{
    (void)state;
    write_c("");
    struct question asked = ask(plain_source), other = asked;
    other.request.defines = "#define ALPHA 1\n#define BETA 2\n#define GAMMA 30\n";
    assert_true(same_key(asked, other));
    other = asked;
    strcpy(other.description.name, "b");
    strcpy(other.description.uuid, "GPU-1");
    strcpy(other.description.driver, "1.2.3");
    other.description.memory_bytes = 1;
    other.request.scratch_folder = "/tmp/somewhere";
    assert_true(same_key(asked, other));
}

static void test_included_files(void **state)
{
    (void)state;
    struct cache_key keys[8];
    struct question asked = ask(plain_source);
    size_t count = 0;
    write_c("");
#define NEXT assert_true(key_of(&asked, &keys[count++]))
    NEXT;
    write_file(folder, "a.cuh", "#include \"b.cuh\"\n\n");
    NEXT;
    write_file(folder, "b.cuh", "int b = BETA + 1;\n"); /* included by an included file */
    NEXT;
    write_c("int c;\n"); /* in angle brackets, found in the folder */
    NEXT;
    write_file(below, "a.cuh", "int a;\n"); /* now there is one beside the source */
    NEXT;
    write_file(below, "b.cuh", "int b;\n"); /* and one that a.cuh may include */
    NEXT;
    remove_file(folder, "c.cuh");
    NEXT;
#undef NEXT
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++)
            assert_false(cache_key_equal(&keys[i], &keys[j]));
    }
}

/* Folders to search and files to include that options name are read as the compiler reads them. */
static void test_files_of_options(void **state)
{
    (void)state;
    static char search[400], before[400];
    struct cache_key first, second, third;
    struct question asked = ask("#include <d.cuh>\n");
    asked.request.folder = "";
    asked.request.option_count = 2;
    snprintf(search, sizeof search, "-I%s", folder);
    snprintf(before, sizeof before, "-include=%s/a.cuh", folder);
    asked.options[0] = search;
    asked.options[1] = before;
    write_file(folder, "d.cuh", "int d;\n");
    assert_true(key_of(&asked, &first));
    write_file(folder, "d.cuh", "int e;\n");
    assert_true(key_of(&asked, &second));
    assert_false(cache_key_equal(&first, &second));
    write_file(folder, "a.cuh", "int a;\n");
    assert_true(key_of(&asked, &third));
    assert_false(cache_key_equal(&second, &third));
}

/* The defines that reach the compiler. */
static void check_kept(const char *text, const char *defines, const char *expected)
{
    struct question question = ask(text);
    question.request.defines = defines;
    question.request.kernels = question.kernels;
    question.request.symbols = question.symbols;
    question.request.options = question.options;
    identity = question.identity;
    struct compile_cache *cache = compile_cache_create(NULL, &driver, &question.description);
    struct compile_lookup lookup;
    struct compile_result result;
    assert_false(compile_lookup_begin(cache, &question.request, &lookup, &result));
    assert_string_equal(question.request.defines, expected);
    compile_lookup_end(&lookup);
    compile_cache_free(cache);
}

static void test_defines_that_matter(void **state)
{
    (void)state;
    static const char three[] = "#define ONE 1\n#define TWO ONE\n#define TWO_ONE 1\n";
    check_kept("int x;", three, "");
    check_kept("int x = ONE;", three, "#define ONE 1\n");
    check_kept("int x = TWO;", three, "#define ONE 1\n#define TWO ONE\n"); /* its value is the other's name */
    check_kept("#if TWO_ONE\n#endif", three, "#define TWO_ONE 1\n");
    check_kept("int x = TWO_ONE_; int ONES; int xONE; // ONE\n/* ONE\n ONE */", three, "");
    check_kept("int x = 1'000; int y = ONE;", three, "#define ONE 1\n");
    check_kept("char c = '\"'; // \"\nint y = ONE; // \"", three, "#define ONE 1\n");
    check_kept("const char *s = \"//\"; int y = ONE;", three, "#define ONE 1\n");
    check_kept("const char *s = \"\\\"/*\"; int y = ONE; /* \" */", three, "#define ONE 1\n");
    check_kept("const char *s = R\"(/*)\"; int y = ONE; // \" */", three, "#define ONE 1\n");
    check_kept("_Pragma(\"unroll ONE\")", three, "#define ONE 1\n");
    check_kept("#pragma unroll ONE\n", three, "#define ONE 1\n");
    check_kept("int y = O\\\nNE;", three, "#define ONE 1\n");
    check_kept("// comment \\\nint y = ONE;", three, "");
    check_kept("#define J(a, b) a##b\nint y = J(O, NE);", three, three); /* any word may be pasted together */
    check_kept("#include <cmath>\n", three, three);                      /* headers may use any word */
    check_kept("#include NAME\n", three, three);
    check_kept("int x;", "#define block_size 1\n#define TUNE_X 2\n#define _X 3\n#define X 4\n",
               "#define block_size 1\n#define TUNE_X 2\n#define _X 3\n");
    write_c("int x = ONE;");
    check_kept("#include \"c.cuh\"\n", three, "#define ONE 1\n");
}

static void test_uncertain_requests(void **state)
{
    (void)state;
    static const char *const sources[] = {
        "#define FILE \"a.cuh\"\n#include FILE\n",
        "#include/**/\"a.cuh\"\n",
        "#/**/include \"a.cuh\"\n",
        "%:include \"a.cuh\"\n",
        "\?\?=include \"a.cuh\"\n",
        "#inc\\  \nlude \"a.cuh\"\n",
        "#include_next <a.cuh>\n",
        "#import \"a.cuh\"\n",
        "#embed \"a.cuh\"\n",
        "#if __has_include(\"a.cuh\")\n#endif\n",
        "const char *built = __DATE__ __TIME__;\n",
        "asm(\".incbin \\\"a.cuh\\\"\");\n",
    };
    static const char *const options[] = {"-L/usr/lib", "-include", "@options",   "-isystem",
                                          "-Xlinker",   "--pch",    "-fplugin=x", "-DX=/a/b"};
    struct cache_key key;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct question asked = ask(sources[i]);
        if (key_of(&asked, &key))
            fail_msg("has a key: %s", sources[i]);
    }
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct question asked = ask("int x;");
        asked.options[0] = options[i];
        if (key_of(&asked, &key))
            fail_msg("has a key: %s", options[i]);
    }
    struct question asked = ask("int x;");
    asked.identity = NULL;
    assert_false(key_of(&asked, &key));
    asked = ask("int x;");
    asked.description.compiler[0] = '\0';
    assert_false(key_of(&asked, &key));
    asked = ask("int x;");
    asked.kernels[0] = "host k";
    assert_false(key_of(&asked, &key));
    asked = ask("#inc\\\nlude \"a.cuh\"\n # include <c.cuh> // ends \"so\"\n#include \"a.cuh\"\n");
    assert_true(key_of(&asked, &key));
}

/* ---- results */

static struct compile_cache *open_cache(const struct question *question)
{
    identity = question->identity;
    return compile_cache_create(cache_open_at(folder, 1 << 20), &driver, &question->description);
}

static void remove_entry(const struct compile_cache *cache, const struct compile_request *request)
{
    struct cache_key key;
    char name[40];
    if (!compile_cache_key(cache, request, &key))
        return;
    snprintf(name, sizeof name, "%016llx%016llx", (unsigned long long)key.name[0], (unsigned long long)key.name[1]);
    remove_file(folder, name);
}

/* Store `given`; does it come back the same? */
static bool is_kept(struct compile_result given, void (*meanwhile)(void))
{
    struct question question = ask("int x = ALPHA;\n#include \"a.cuh\"\n");
    question.request.kernels = question.kernels;
    question.request.symbols = question.symbols;
    question.request.options = question.options;
    struct compile_cache *cache = open_cache(&question);
    struct compile_request request = question.request;
    struct compile_lookup lookup;
    struct compile_result found = {0};
    assert_false(compile_lookup_begin(cache, &request, &lookup, &found));
    if (meanwhile)
        meanwhile();
    compile_lookup_keep(&lookup, &request, &given);
    compile_lookup_end(&lookup);

    request = question.request;
    bool kept = compile_lookup_begin(cache, &request, &lookup, &found);
    compile_lookup_end(&lookup);
    if (kept) {
        assert_true(found.cached);
        assert_int_equal(found.compiled, given.compiled);
        assert_int_equal(found.too_large, given.too_large);
        assert_int_equal(found.spill_bytes, given.spill_bytes);
        assert_int_equal(found.image_bytes, given.image_bytes);
        assert_string_equal(found.log, given.log);
        if (given.image)
            assert_memory_equal(found.image, given.image, given.image_bytes);
        free(found.log);
        free(found.image);
    }
    remove_entry(cache, &question.request);
    compile_cache_free(cache);
    return kept;
}

static void edit_header(void)
{
    write_file(folder, "b.cuh", "int edited;\n");
}

/* The compiler may have read what was there in between. */
static void edit_header_and_back(void)
{
    write_file(folder, "b.cuh", "int b = BETX;\n");
    write_file(folder, "b.cuh", "int b = BETA;\n");
}

static void test_results(void **state)
{
    (void)state;
    char image[] = "an \0 image", warning[] = "line 1: warning: w\xc3\xa4re\n", none[] = "";
    struct compile_result result = {
        .compiled = true, .image = image, .image_bytes = sizeof image, .log = warning, .spill_bytes = 24};
    assert_true(is_kept(result, NULL));
    result.log = none;
    result.spill_bytes = -1;
    assert_true(is_kept(result, NULL));
    assert_false(is_kept(result, edit_header_and_back));
    assert_false(is_kept(result, edit_header));

    static const struct {
        const char *log;
        bool crashed, too_large, kept;
    } failures[] = {
        {"kernel.cu(3): error: no such thing\n", false, false, true},
        {"ptxas error   : Entry function uses too much shared data\n", false, true, true},
        {"kernel.cu(3): error: no such thing\n", true, false, false},
        {"cc1plus: fatal error: a.cuh: No such file or directory\n", false, false, false},
        {"kernel.cu(1): catastrophic error: cannot open source file \"a.cuh\"\n", false, false, false},
        {"cc1plus: out of memory allocating 10 bytes\n", false, false, false},
        {"/tmp/x.s: error: No space left on device\n", false, false, false},
        {"collect2: error: ld returned 1 exit status\n", false, false, false},
        {"", false, false, false},
    };
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        char log[200];
        snprintf(log, sizeof log, "%s", failures[i].log);
        struct compile_result failure = {
            .log = log, .crashed = failures[i].crashed, .too_large = failures[i].too_large, .spill_bytes = -1};
        if (is_kept(failure, NULL) != failures[i].kept)
            fail_msg("%s: %s", failures[i].kept ? "not kept" : "kept", failures[i].log);
    }
    char no_linker[] = "kernel.cu(3): error: no linker\n";
    assert_false(is_kept((struct compile_result){.log = no_linker, .unlinked = true, .spill_bytes = -1}, NULL));
}

/* ---- offers */

static struct compile_offer noted;

static void note(const struct compile_offer *made, void *context)
{
    (void)context;
    noted = *made;
}

/* Compile `request` in a process that only reads the cache, as far as that can tell. */
static void compile_and_offer(struct compile_cache *reader, struct compile_request request,
                              struct compile_result *given)
{
    struct compile_lookup lookup;
    struct compile_result found;
    noted = (struct compile_offer){0};
    assert_false(compile_lookup_begin(reader, &request, &lookup, &found));
    compile_lookup_keep(&lookup, &request, given);
    compile_lookup_end(&lookup);
}

static bool is_stored(struct compile_cache *cache, struct compile_request request)
{
    struct compile_lookup lookup;
    struct compile_result found = {0};
    bool stored = compile_lookup_begin(cache, &request, &lookup, &found);
    compile_lookup_end(&lookup);
    free(found.log);
    free(found.image);
    return stored;
}

static void test_offers(void **state)
{
    (void)state;
    char image[] = "an image", log[] = "";
    struct compile_result given = {.compiled = true, .image = image, .image_bytes = sizeof image, .log = log};
    struct question question = ask("int x = ALPHA;\n#include \"a.cuh\"\n"), other = ask("int y;\n");
    question.request.kernels = other.request.kernels = question.kernels;
    question.request.symbols = other.request.symbols = question.symbols;
    question.request.options = other.request.options = question.options;
    const struct compile_request request = question.request;
    struct compile_cache *writer = open_cache(&question);
    struct compile_cache *reader =
        compile_cache_create(cache_open_to_read_at(folder), &driver, &question.description);

    compile_and_offer(reader, request, &given); /* to nobody */
    assert_null(noted.result);
    assert_false(is_stored(writer, request));
    compile_cache_offer_to(reader, note, NULL);
    compile_and_offer(reader, request, &given);
    assert_ptr_equal(noted.result, &given);
    assert_false(is_stored(reader, request));

    /* Only the image of that very program, as it is now. */
    struct compile_offer forged = noted;
    forged.key.check ^= 1;
    assert_false(compile_cache_accept(writer, &request, &forged));
    forged = noted;
    forged.stamp ^= 1;
    assert_false(compile_cache_accept(writer, &request, &forged));
    assert_false(compile_cache_accept(writer, &other.request, &noted));
    struct compile_result crashed = {.crashed = true, .log = log};
    forged = (struct compile_offer){noted.key, noted.stamp, &crashed};
    assert_false(compile_cache_accept(writer, &request, &forged));
    assert_false(is_stored(writer, request));
    assert_true(compile_cache_accept(writer, &request, &noted));
    assert_true(is_stored(writer, request) && is_stored(reader, request));

    write_file(folder, "b.cuh", "int b = BETA;\n"); /* as it was, but later */
    assert_false(compile_cache_accept(writer, &request, &noted));
    remove_entry(writer, &request);
    compile_cache_free(reader);
    compile_cache_free(writer);
}

/* Whoever waits for an image that was offered finds it stored: the claim stays. */
static void test_claim_of_an_offer(void **state)
{
    (void)state;
    char image[] = "an image", log[] = "";
    struct compile_result given = {.compiled = true, .image = image, .image_bytes = sizeof image, .log = log};
    struct question question = ask("int x = ALPHA;\n"), other = ask("int y;\n");
    question.request.kernels = other.request.kernels = question.kernels;
    question.request.symbols = other.request.symbols = question.symbols;
    question.request.options = other.request.options = question.options;
    identity = question.identity;
    struct compile_cache *reader =
        compile_cache_create(cache_open_to_read_at(folder), &driver, &question.description);
    struct cache *disk = cache_open_to_read_at(folder);
    struct cache_key first, second;
    assert_true(compile_cache_key(reader, &question.request, &first));
    assert_true(compile_cache_key(reader, &other.request, &second));
    compile_cache_offer_to(reader, note, NULL);
    compile_and_offer(reader, question.request, &given);
    assert_false(cache_claim(disk, &first, 0));
    compile_and_offer(reader, other.request, &given);
    assert_true(cache_claim(disk, &first, 0));
    assert_false(cache_claim(disk, &second, 0));
    compile_cache_free(reader);
    assert_true(cache_claim(disk, &second, 0));
    cache_close(disk);
}

static struct cache *open_folder(void)
{
    return cache_open_to_read_at(folder);
}

/* Nobody waits for what may take long to be offered. */
static void test_images_that_are_not_claimed(void **state)
{
    (void)state;
    struct question question = ask("int x = ALPHA;\n");
    question.request.kernels = question.kernels;
    question.request.symbols = question.symbols;
    question.request.options = question.options;
    identity = question.identity;
    for (int unclaimed = 0; unclaimed < 2; unclaimed++) {
        const struct compile_images images = {open_folder, note, NULL, unclaimed};
        struct compile_cache *reader = compile_cache_for(&images, &driver, &question.description);
        struct cache *disk = open_folder();
        struct compile_request request = question.request;
        struct compile_lookup lookup;
        struct compile_result result;
        assert_false(compile_lookup_begin(reader, &request, &lookup, &result));
        assert_int_equal(cache_claim(disk, &lookup.key, 0), unclaimed);
        compile_lookup_end(&lookup);
        cache_close(disk);
        compile_cache_free(reader);
    }
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_what_the_compiler_sees), IN_FOLDER(test_what_it_does_not_see),
        IN_FOLDER(test_included_files),         IN_FOLDER(test_defines_that_matter),
        IN_FOLDER(test_uncertain_requests),     IN_FOLDER(test_results),
        IN_FOLDER(test_files_of_options),       IN_FOLDER(test_offers),
        IN_FOLDER(test_claim_of_an_offer),      IN_FOLDER(test_images_that_are_not_claimed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
