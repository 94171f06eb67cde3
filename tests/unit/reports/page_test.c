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

static void open_report(void **state, struct folder *folder)
{
    struct error error = {0};
    if (!folder_open(path_in(*state, "report"), true, folder, &error))
        fail_msg("%s", error.text);
}

static void expect_page(void **state, const char *page, const struct page_filling *fillings, const char *expected)
{
    struct error error = {0};
    struct folder folder;
    open_report(state, &folder);
    if (!page_write(&folder, "page.html", page, fillings, &error))
        fail_msg("%s", error.text);
    folder_close(&folder);
    char *written = text_of(path_in(*state, "report/page.html"));
    assert_string_equal(written, expected);
    free(written);
}

static void places_are_filled(void **state)
{
    const struct page_filling fillings[PAGE_FILLINGS] = {{"data", "1"}, {"date", "{{data}} %s"}, {"d", "no"}};
    expect_page(state, "<{{data}}{{date}}{{data}}>", fillings, "<1{{data}} %s1>");
    /* a place without a filling; a name that only begins like one; text without a place; nothing */
    expect_page(state, "a {{other}}b {{dat}}c", fillings, "a b c");
    expect_page(state, "{ } }} text", fillings, "{ } }} text");
    expect_page(state, "", fillings, "");
}

static void a_page_that_cannot_be_written_is_an_error(void **state)
{
    const struct page_filling none[PAGE_FILLINGS] = {{0}};
    struct error error = {0};
    struct folder folder;
    open_report(state, &folder);
    assert_int_equal(mkdir(path_in(*state, "report/page.html"), 0700), 0);
    assert_false(page_write(&folder, "page.html", "text", none, &error));
    assert_non_null(strstr(error.text, "report/page.html: Is a directory"));
    folder_close(&folder);
}

/* A link that somebody put where a page goes is replaced by the page. */
static void a_page_follows_no_link(void **state)
{
    const struct page_filling none[PAGE_FILLINGS] = {{0}};
    FILE *file = fopen(path_in(*state, "victim"), "w");
    assert_non_null(file);
    fputs("precious", file);
    fclose(file);
    expect_page(state, "first", none, "first");
    assert_int_equal(unlink(path_in(*state, "report/page.html")), 0);
    assert_int_equal(symlink("../victim", path_in(*state, "report/page.html")), 0);
    expect_page(state, "second", none, "second");
    char *victim = text_of(path_in(*state, "victim"));
    assert_string_equal(victim, "precious");
    free(victim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(json_in_a_script_element_cannot_end_it),    unit(json_shows_what_would_act),
        unit(text_between_tags_has_no_markup),           unit(places_are_filled),
        unit(a_page_that_cannot_be_written_is_an_error), unit(a_page_follows_no_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
