/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include "reports/simulation_page.h"

#include <jansson.h>
#include <sys/stat.h>

static void the_page_holds_the_document(void **state)
{
    json_t *document = json_pack("{s:[{s:s}]}", "strategies", "name", "</script>");
    struct error error = {0};
    char *path = NULL;
    struct folder folder;
    assert_true(folder_open(path_in(*state, "out/of/nothing"), true, &folder, &error));
    assert_true(simulation_page_write(document, &folder, &path, &error));
    folder_close(&folder);
    assert_string_equal(path, path_in(*state, "out/of/nothing/simulation.html"));

    char *page = text_of(path);
    char *json = text_between(page, "<script type=\"application/json\" id=\"data\">", "</script>");
    assert_string_equal(json, "{\"strategies\":[{\"name\":\"\\u003c/script\\u003e\"}]}");
    assert_null(strstr(page, "{{data}}"));
    free(json);
    free(page);
    free(path);
    json_decref(document);
}

static void a_page_that_cannot_be_written_is_an_error(void **state)
{
    json_t *document = json_object();
    struct error error = {0};
    struct folder folder;
    char *path = NULL;
    assert_true(folder_open(path_in(*state, "out"), true, &folder, &error));
    assert_int_equal(mkdir(path_in(*state, "out/simulation.html"), 0700), 0);
    assert_false(simulation_page_write(document, &folder, &path, &error));
    assert_non_null(strstr(error.text, "/simulation.html: Is a directory"));
    free(path);
    folder_close(&folder);
    json_decref(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(the_page_holds_the_document),
        unit(a_page_that_cannot_be_written_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
