/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include "reports/page.h"

#include <jansson.h>
#include <sys/stat.h>
#include <unistd.h>

static void json_in_a_script_element_cannot_end_it(void **state)
{
    (void)state;
    json_t *document = json_pack("{s:s, s:[i, b]}", "<k>", "</script><!-- & \"x\" \\ \xc3\xa9", "list", 1, 1);
    char *json = page_json(document);
    assert_string_equal(json,
                        "{\"\\u003ck\\u003e\":\"\\u003c/script\\u003e\\u003c!-- \\u0026 \\\"x\\\" \\\\ \\u00E9\","
                        "\"list\":[1,true]}");
    json_t *read = json_loads(json, 0, NULL);
    assert_true(json_equal(read, document));
    json_decref(read);
    json_decref(document);
    free(json);
}

/* Text in a page is no terminal's, but it could still turn what stands beside it. */
static void json_shows_what_would_act(void **state)
{
    (void)state;
    json_t *document = json_pack("[s, s]",
                                 "a\033[2J\x7f\b\f\xc2\x9b\xe2\x80\xae"
                                 "b\n\t\\u202e",
                                 "\xef\xbb\xbf\xe2\x80\xa8\xf0\x9f\x98\x80");
    char *json = page_json(document);
    assert_string_equal(
        json,
        "[\"a\\ufffd[2J\\ufffd\\ufffd\\ufffd\\ufffd\\ufffdb\\n\\t\\\\u202e\",\"\\ufffd\\ufffd\\uD83D\\uDE00\"]");
    json_decref(document);
    free(json);
}

static void text_between_tags_has_no_markup(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", ""},
        {"NVIDIA H100", "NVIDIA H100"},
        {"<b title='\"'>&amp;", "&#60;b title=&#39;&#34;&#39;&#62;&#38;amp;"},
        {"<<<<", "&#60;&#60;&#60;&#60;"},
        {"\xc3\xa9\xff\033[2J\xe2\x80\xae", "\xc3\xa9\\xff\\x1b[2J\\u202e"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *escaped = page_escape(cases[i].text);
        assert_string_equal(escaped, cases[i].expected);
        free(escaped);
    }
}

static void expect_page(const char *folder, const char *page, const struct page_filling *fillings,
                        const char *expected)
{
    struct error error = {0};
    if (!page_write(folder, "page.html", page, fillings, &error))
        fail_msg("%s", error.text);
    char *written = text_of(path_in(folder, "page.html"));
    assert_string_equal(written, expected);
    free(written);
}

static void places_are_filled(void **state)
{
    const struct page_filling fillings[PAGE_FILLINGS] = {{"data", "1"}, {"date", "{{data}} %s"}, {"d", "no"}};
    expect_page(*state, "<{{data}}{{date}}{{data}}>", fillings, "<1{{data}} %s1>");
    /* a place without a filling; a name that only begins like one; text without a place; nothing */
    expect_page(*state, "a {{other}}b {{dat}}c", fillings, "a b c");
    expect_page(*state, "{ } }} text", fillings, "{ } }} text");
    expect_page(*state, "", fillings, "");
}

static void a_page_that_cannot_be_written_is_an_error(void **state)
{
    const struct page_filling none[PAGE_FILLINGS] = {{0}};
    struct error error = {0};
    assert_false(page_write(path_in(*state, "absent"), "page.html", "text", none, &error));
    assert_non_null(strstr(error.text, "absent/page.html"));
}

static void folders_are_made_with_their_parents(void **state)
{
    struct error error = {0};
    struct stat status;
    assert_true(page_make_folder(path_in(*state, "a/b//c/"), &error));
    assert_int_equal(stat(path_in(*state, "a/b/c"), &status), 0);
    assert_true(S_ISDIR(status.st_mode));
    assert_true(page_make_folder(path_in(*state, "a/b"), &error)); /* it exists */

    FILE *file = fopen(path_in(*state, "file"), "w");
    assert_non_null(file);
    fclose(file);
    assert_false(page_make_folder(path_in(*state, "file/below"), &error));
    assert_int_equal(error.code, ERROR_SYSTEM);
    assert_non_null(strstr(error.text, "/file: Not a directory"));
}

static void a_file_is_no_folder(void **state)
{
    struct error error = {0};
    FILE *file = fopen(path_in(*state, "file"), "w");
    assert_non_null(file);
    fclose(file);
    assert_false(page_make_folder(path_in(*state, "file"), &error));
    assert_non_null(strstr(error.text, "/file: Not a directory"));
}

/* There is no byte before its end to look at. */
static void an_empty_path_is_refused(void **state)
{
    (void)state;
    struct error error = {0};
    assert_false(page_make_folder("", &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_true(error.hint[0] != '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(json_in_a_script_element_cannot_end_it),
        unit(json_shows_what_would_act),
        unit(text_between_tags_has_no_markup),
        unit(places_are_filled),
        unit(a_page_that_cannot_be_written_is_an_error),
        unit(folders_are_made_with_their_parents),
        unit(a_file_is_no_folder),
        unit(an_empty_path_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
