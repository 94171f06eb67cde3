/* SPDX-License-Identifier: Apache-2.0 */
/* A program as a strategy: what it is sent, what is refused, and how a search ends that it breaks. The programs are
 * shell scripts that answer the n-th question with the n-th of some lines, and keep what they were sent. */
#include "tests/unit/scratch_folder.h"
#include "tests/unit/search/landscape.h"

#include <malloc.h>

static void write_script(const char *const *answers, size_t count)
{
    const char *script = scratch_path("script"), *record = scratch_path("record");
    FILE *file = fopen(script, "w");
    assert_non_null(file);
    fprintf(
        file,
        "#!/bin/sh\nn=0\n: > %s\nwhile read -r line; do\necho \"$line\" >> %s\ncase \"$line\" in *'{\"ask\"'*) ;; "
        "*) continue ;; esac\nn=$((n + 1))\ncase $n in\n",
        record, record);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%zu) echo '%s' ;;\n", i + 1, answers[i]);
    fprintf(file, "*) exit 3 ;;\nesac\ndone\n");
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(script, 0700), 0);
}

static struct search *begin(const struct landscape *landscape)
{
    struct search *search;
    struct error error;
    const struct strategy_driver *driver;
    double *parameters;
    static char text[128];
    snprintf(text, sizeof text, "exec:%s", scratch_path("script"));
    assert_success(strategy_choose(text, &driver, &parameters, &error), &error);
    const struct strategy_setup setup = {.space = landscape->space, .seed = 5, .program = strategy_program(text)};
    assert_success(search_create(driver, &setup, &search, &error), &error);
    free(parameters);
    return search;
}

static void expect_record(const char *text)
{
    static char sent[1 << 16];
    FILE *file = fopen(scratch_path("record"), "r");
    assert_non_null(file);
    size_t length = fread(sent, 1, sizeof sent - 1, file);
    sent[length] = '\0';
    fclose(file);
    if (!strstr(sent, text))
        fail_msg("%s\nlacks: %s", sent, text);
}

/* Values are 3 i, 3 i + 1, 3 i + 2 and words; the threads a block may have are limited to (2 * 2) / 2 + 1 = 3. */
static void proposals(void **state)
{
    (void)state;
    static const char *const answers[] = {
        "{\"configurations\": [{\"a\": 0, \"b\": 1, \"c\": 2}]}",
        "{\"configurations\": [{\"a\": 1, \"b\": 1, \"c\": 2, \"word\": \"scalar\"}, 7]}",
        "{\"configurations\": [{\"a\": 3, \"b\": 4, \"c\": 2, \"word\": \"scalar\"}]}",
        "{\"configurations\": [{\"a\": 0, \"b\": 1, \"c\": 2, \"word\": \"scalar\", \"d\": 1}]}",
        "{\"configurations\": [{\"a\": 3.0, \"b\": 1, \"c\": 2, \"word\": \"scalar\"}]}",
        "{\"configurations\": [{\"a\": 3, \"b\": 1, \"c\": 2, \"word\": \"scalar\"}]}",
        "{\"configurations\": []}",
        "{\"end\": true}",
    };
    struct landscape landscape;
    size_t index = 0, wanted;
    landscape_create(&landscape, 2, 2, 2, 1, SIZE_MAX);
    write_script(answers, sizeof answers / sizeof *answers);
    struct search *search = begin(&landscape);
    const uint16_t point[] = {1, 0, 0, 0};
    assert_true(search_space_find(landscape.space, point, &wanted));
    assert_int_equal(search_ask(search, &index), ASK_READY);
    assert_int_equal(index, wanted);
    assert_int_equal(search_ask(search, &index), ASK_WAIT);
    const struct observation told = {index, true, 1.5, 0.25};
    assert_true(search_tell(search, &told));
    assert_int_equal(search_ask(search, &index), ASK_READY); /* at random, now that it has ended */
    assert_true(index != wanted);
    search_free(search);
    expect_record("{\"hello\":{\"protocol\":1,\"parameters\":[{\"name\":\"a\",\"values\":[0,3]},");
    expect_record("\"configurations\":6,\"seed\":5,\"evaluations\":0,\"valid\":[[");
    expect_record("{\"refused\":{\"configuration\":{\"a\":0,\"b\":1,\"c\":2},\"why\":\"word is missing\"}}");
    expect_record("\"why\":\"a has no such value\"");
    expect_record("{\"refused\":{\"configuration\":7,\"why\":\"a configuration is an object");
    expect_record("\"why\":\"a constraint excludes it\"");
    expect_record("\"why\":\"there is no parameter d\"");
    expect_record("\"why\":\"it was asked for or told already\"");
    expect_record(
        "{\"tell\":{\"configuration\":{\"a\":3,\"b\":1,\"c\":2,\"word\":\"scalar\"},\"valid\":true,\"cost\":1.5,"
        "\"seconds\":0.25}}");
    landscape_free(&landscape);
}

static void expect_end(const char *const *answers, size_t count, const char *text)
{
    struct landscape landscape;
    struct error error = {0};
    size_t index;
    landscape_create(&landscape, 4, 4, 2, 1, SIZE_MAX);
    write_script(answers, count);
    struct search *search = begin(&landscape);
    assert_int_equal(search_ask(search, &index), ASK_FAILED);
    assert_int_equal(search_ask(search, &index), ASK_FAILED);
    assert_false(search_failure(search, &error));
    assert_int_equal(error.code, ERROR_WORK);
    if (strncmp(error.text, "--strategy exec:/tmp/", 21) != 0 || !strstr(error.text, text))
        fail_msg("%s\nlacks: %s", error.text, text);
    search_free(search);
    landscape_free(&landscape);
}

static void broken_protocol(void **state)
{
    (void)state;
    static const char *const garbage[] = {
        "garbage",          "[]", "{\"configurations\": 3}",
        "{\"end\": false}", "{",  "{\"configurations\": [], \"configurations\": []}"};
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++)
        expect_end(&garbage[i], 1, "it answered neither {\"configurations\": [...]} nor {\"end\": true}: ");
    expect_end(NULL, 0, "it ended with status 3");
    const char *refused[101];
    for (size_t i = 0; i < 101; i++)
        refused[i] = "{\"configurations\": [{}]}";
    expect_end(refused, 101, "100 answers in a row had nothing but configurations that were refused");
}

/* A search goes on at random after the program's end: what it is told then is not kept for a question that never
 * comes.
 */
static void nothing_is_kept_after_the_end(void **state)
{
    (void)state;
    enum { RESULTS = 20000 };
    static const char *const answers[] = {"{\"end\": true}"};
    struct landscape landscape;
    struct error error;
    void *exec;
    size_t index;
    char program[128];
    landscape_create(&landscape, 2, 2, 2, 1, SIZE_MAX);
    write_script(answers, 1);
    snprintf(program, sizeof program, "%s", scratch_path("script"));
    const struct strategy_setup setup = {.space = landscape.space, .program = program};
    const struct observation observation = {0, true, 1.5, 0.25};
    assert_success(strategy_exec.create(&setup, &exec, &error), &error);
    strategy_exec.tell(exec, &observation);
    assert_int_equal(strategy_exec.ask(exec, &index), ASK_END);
    size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    for (int i = 0; i < RESULTS; i++)
        strategy_exec.tell(exec, &observation);
    assert_true(mallinfo2().uordblks + mallinfo2().hblkhd < before + RESULTS);
    strategy_exec.destroy(exec);
    landscape_free(&landscape);
}

static void no_program(void **state)
{
    (void)state;
    static const char *const texts[] = {"exec", "exec:", "exec:  "};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct strategy_driver *driver;
        double *parameters;
        struct error error = {0};
        assert_false(strategy_choose(texts[i], &driver, &parameters, &error));
        assert_string_equal(error.text, "--strategy: exec needs a program");
    }
    assert_null(strategy_program("auto"));
    assert_null(strategy_program("executor"));
    assert_string_equal(strategy_program("exec:./a b"), "./a b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(proposals, scratch_folder_create, scratch_folder_remove),
        cmocka_unit_test_setup_teardown(broken_protocol, scratch_folder_create, scratch_folder_remove),
        cmocka_unit_test_setup_teardown(nothing_is_kept_after_the_end, scratch_folder_create, scratch_folder_remove),
        cmocka_unit_test(no_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
