/* SPDX-License-Identifier: Apache-2.0 */
/* The dispatches of a device as a report shows them. */
#include "fixture.h"

#include "db/dispatch_document.h"

#include <jansson.h>

#define DOCUMENT(cases)                                                                                              \
    "{\"format\":1,\"sizes\":[\"M\"],\"configurations\":[{\"T\":16},{\"T\":64}],\"tree\":[{\"feature\":\"size\","    \
    "\"a\":0,"                                                                                                       \
    "\"below\":700,\"then\":1,\"otherwise\":2},{\"configuration\":1},{\"configuration\":0}],\"cases\":[" cases       \
    "],\"more\":7}"
#define CASE(size) "{\"size\":[" size "],\"weight\":2,\"best\":500,\"costs\":[null,700],\"held_out\":0.5}"

static void put(struct fixture *f, struct store *store, const char *objective, const char *document)
{
    int64_t run = fixture_begin(f, store);
    assert_true(store_run_end(store, run, "done", &f->error));
    if (!store_dispatch_put(store, &f->problem, objective, document, &f->error))
        fail_msg("%s", f->error.text);
}

/* "template hash data objective origin" of each. */
static json_t *read_document(struct fixture *f, struct store *store, const char *const *expected, size_t count)
{
    json_t *document = json_object();
    assert_true(dispatch_document_add(store, 1, document, &f->error));
    const json_t *dispatches = json_object_get(document, "dispatches");
    assert_int_equal(json_array_size(dispatches), count);
    for (size_t i = 0; i < count; i++) {
        static const char *const members[] = {"template", "template_hash", "data", "objective", "origin"};
        char text[256] = "";
        for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
            const char *value = json_string_value(json_object_get(json_array_get(dispatches, i), members[m]));
            sprintf(text + strlen(text), "%s%s", m ? " " : "", value ? value : "-");
        }
        assert_string_equal(text, expected[i]);
    }
    return document;
}

static void each_has_the_answers_at_its_sizes(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    static const char *const expected[] = {"gemm aaaa - time measured", "gemm aaaa x = x.npy energy measured",
                                           "heat aaaa - time measured"};
    put(f, store, "time", DOCUMENT(CASE("512") "," CASE("1024")));
    put(f, store, "edp", "{\"format\":1}");
    f->problem.inputs = "x=01";
    f->problem.input_files = "x = x.npy";
    put(f, store, "energy", DOCUMENT(CASE("1")));
    f->problem.inputs = f->problem.input_files = NULL;
    f->problem.template_name = "heat";
    put(f, store, "time", DOCUMENT(CASE("1")));
    json_t *document = read_document(f, store, expected, 3);
    const json_t *first = json_array_get(json_object_get(document, "dispatches"), 0);
    char *cases = json_dumps(json_object_get(first, "cases"), JSON_COMPACT);
    assert_string_equal(
        cases, "[{\"size\":[512],\"weight\":2.0,\"best\":500.0,\"held_out\":0.5,\"answer\":1,\"cost\":700.0},"
               "{\"size\":[1024],\"weight\":2.0,\"best\":500.0,\"held_out\":0.5,\"answer\":0}]");
    assert_int_equal(json_array_size(json_object_get(first, "tree")), 3);
    assert_string_equal(json_string_value(json_object_get(first, "compiler")), "NVRTC 13.0");
    assert_null(json_object_get(first, "more"));
    assert_null(json_object_get(first, "document"));
    assert_null(json_object_get(document, "dispatches_left_out"));
    free(cases);
    json_decref(document);
    document = json_object();
    assert_true(dispatch_document_add(store, 99, document, &f->error)); /* there is no such device */
    assert_int_equal(json_array_size(json_object_get(document, "dispatches")), 0);
    json_decref(document);
    store_close(store);
}

static void a_page_has_room_for_some(void **state)
{
    enum { CASES = 4000, ROOM = 4 };
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    char *cases = NULL, objective[] = "objective 0";
    size_t length = 0;
    FILE *out = open_memstream(&cases, &length);
    fputs("{\"format\":1,\"sizes\":[\"M\"],\"configurations\":[{}],\"tree\":[{\"configuration\":0}],\"cases\":[",
          out);
    for (int i = 1; i <= CASES; i++)
        fprintf(out, "%s{\"size\":[%d],\"weight\":1,\"best\":1,\"costs\":[1],\"held_out\":1}", i > 1 ? "," : "", i);
    fputs("]}", out);
    assert_int_equal(fclose(out), 0);
    for (int i = 0; i < ROOM + 2; i++, objective[strlen(objective) - 1]++)
        put(f, store, objective, cases);
    free(cases);
    json_t *document = json_object();
    assert_true(dispatch_document_add(store, 1, document, &f->error));
    assert_int_equal(json_array_size(json_object_get(document, "dispatches")), ROOM);
    assert_int_equal(json_integer_value(json_object_get(document, "dispatches_left_out")), 2);
    json_decref(document);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_has_the_answers_at_its_sizes, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(a_page_has_room_for_some, fixture_setup, fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
