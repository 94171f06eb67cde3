/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include "reports/simulation_page.h"

#include <jansson.h>

static void the_page_holds_the_document(void **state)
{
    json_t *document = json_pack("{s:[{s:s}]}", "strategies", "name", "</script>");
    struct error error = {0};
    char *path = NULL;
    assert_true(simulation_page_write(document, path_in(*state, "out/of/nothing"), &path, &error));
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

static void a_folder_that_cannot_be_made_is_an_error(void **state)
{
    json_t *document = json_object();
    struct error error = {0};
    char *path = NULL;
    FILE *file = fopen(path_in(*state, "file"), "w");
    assert_non_null(file);
    fclose(file);
    assert_false(simulation_page_write(document, path_in(*state, "file/below"), &path, &error));
    assert_null(path);
    assert_non_null(strstr(error.text, "/file: Not a directory"));
    json_decref(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(the_page_holds_the_document),
        unit(a_folder_that_cannot_be_made_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
