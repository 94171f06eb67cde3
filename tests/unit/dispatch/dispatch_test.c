/* SPDX-License-Identifier: Apache-2.0 */
/* The document of a dispatch: what is written reads back, and what is damaged is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/expect.h"
#include "tuner/dispatch/dispatch.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TREE                                                                                                         \
    "[{\"feature\":\"ratio\",\"a\":0,\"b\":1,\"below\":0.5,\"then\":1,\"otherwise\":2},{\"configuration\":1},"       \
    "{\"configuration\":0}]"
#define CASES                                                                                                        \
    "[{\"size\":[64,4096],\"weight\":3.0,\"best\":1000.0,\"costs\":[4000.0,2000.0],\"held_out\":0.5},"               \
    "{\"size\":[64,64],\"weight\":1.0,\"best\":10.0,\"costs\":[10.0,null],\"held_out\":0.0625}]"
#define DOCUMENT(tree, cases)                                                                                        \
    "{\"format\":1,\"sizes\":[\"M\",\"N\"],\"configurations\":[{\"TILE\":64},{\"TILE\":8}],\"tree\":" tree           \
    ",\"cases\":" cases "}"

static struct dispatch *read(const char *text)
{
    struct error error = {0};
    struct dispatch *dispatch;
    assert_success(dispatch_parse(text, "it", &dispatch, &error), &error);
    return dispatch;
}

static void what_is_written_reads_back(void **state)
{
    (void)state;
    struct dispatch *dispatch = read(DOCUMENT(TREE, CASES));
    char *text = dispatch_text(dispatch);
    assert_string_equal(text, DOCUMENT(TREE, CASES));
    assert_string_equal(dispatch->configurations[1], "{\"TILE\":8}");
    assert_true(isnan(dispatch->cases[1].costs[1]));
    free(text);
    dispatch_free(dispatch);
}

static void sizes_are_answered(void **state)
{
    (void)state;
    size_t answers[2];
    struct dispatch *dispatch = read(
        DOCUMENT(TREE, "[{\"size\":[64,64],\"weight\":1.0,\"best\":10.0,\"costs\":[10.0,10.0],\"held_out\":1.0}]"));
    assert_true(dispatch_answers(dispatch, "M=100,N=201", answers) > 0);
    assert_int_equal(answers[0], 1);
    assert_true(dispatch_answers(dispatch, "K=7,N=200,M=100", answers) > 0);
    assert_int_equal(answers[0], 0);
    assert_int_equal(dispatch_answers(dispatch, "M=100", answers), 0);
    assert_int_equal(dispatch_answers(dispatch, "M=100,N=0", answers), 0);
    assert_int_equal(dispatch_answers(dispatch, "M=100,NN=5", answers), 0);
    dispatch_free(dispatch);
}

/* Behind the tree's answer the others follow by what they lose at the sizes of the sweep, near ones first. */
static void the_others_answer_after_the_tree(void **state)
{
    (void)state;
    size_t answers[3];
    struct dispatch *dispatch =
        read("{\"format\":1,\"sizes\":[\"M\"],\"configurations\":[{\"T\":1},{\"T\":2},{\"T\":3}],\"tree\":[{"
             "\"configuration\":1}],"
             "\"cases\":[{\"size\":[64],\"weight\":1.0,\"best\":10.0,\"costs\":[10.0,12.0,20.0],\"held_out\":1.0},"
             "{\"size\":[4096],\"weight\":1.0,\"best\":10.0,\"costs\":[20.0,null,10.0],\"held_out\":1.0}]}");
    assert_int_equal(dispatch_answers(dispatch, "M=70", answers), 2); /* the third is bad there */
    assert_true(answers[0] == 1 && answers[1] == 0);
    assert_int_equal(dispatch_answers(dispatch, "M=4000", answers), 2);
    assert_true(answers[0] == 1 && answers[1] == 2);
    dispatch->tree.nodes[0].configuration = 0;
    assert_int_equal(dispatch_answers(dispatch, "M=4000", answers), 1); /* the tree's is as bad as that */
    assert_int_equal(answers[0], 2);
    assert_int_equal(dispatch_answers(dispatch, "N=70", answers), 0);
    dispatch_free(dispatch);
}

static void quality_is_the_share_of_the_best(void **state)
{
    (void)state;
    struct dispatch *dispatch = read(DOCUMENT(TREE, CASES));
    const struct dispatch_quality quality = dispatch_quality(dispatch);
    assert_true(fabs(quality.mean - pow(0.5, 0.75)) < 1e-12);
    assert_true(quality.worst == 0.5);
    assert_int_equal(quality.worst_case, 0);
    assert_true(fabs(quality.held_out_mean - pow(0.125 * 0.0625, 0.25)) < 1e-12);
    assert_true(quality.held_out_worst == 0.0625);
    dispatch_free(dispatch);
    /* configuration 1 has no cost at the second: the other answers */
    dispatch = read(DOCUMENT("[{\"configuration\":1}]", CASES));
    assert_true(fabs(dispatch_quality(dispatch).mean - pow(0.5, 0.75)) < 1e-12);
    dispatch->cases[1].costs[0] = NAN; /* neither has */
    assert_true(fabs(dispatch_quality(dispatch).mean - 0.5) < 1e-12 && dispatch_quality(dispatch).worst == 0.5);
    dispatch->cases[0].costs[0] = dispatch->cases[0].costs[1] = NAN;
    assert_true(dispatch_quality(dispatch).mean == 0 && dispatch_quality(dispatch).worst == 0);
    dispatch_free(dispatch);
}

#define NODE(members) DOCUMENT("[{" members "},{\"configuration\":1},{\"configuration\":0}]", CASES)
#define CASE(members) DOCUMENT(TREE, "[{" members "}]")

static void damage_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "[]",
        "{}",
        "{\"format\":2}",
        "{\"format\":1,\"sizes\":[],\"configurations\":[{}],\"tree\":[{\"configuration\":0}],\"cases\":[]}",
        DOCUMENT("[]", CASES),
        DOCUMENT("[{}]", CASES),
        DOCUMENT("[{\"configuration\":2}]", CASES),
        DOCUMENT("[{\"configuration\":-1}]", CASES),
        DOCUMENT("[{\"configuration\":\"0\"}]", CASES),
        DOCUMENT(TREE, "[]"),
        NODE("\"feature\":\"volume\",\"a\":0,\"below\":1,\"then\":1,\"otherwise\":2"),
        NODE("\"feature\":\"size\",\"a\":2,\"below\":1,\"then\":1,\"otherwise\":2"),
        NODE("\"feature\":\"ratio\",\"a\":0,\"below\":1,\"then\":1,\"otherwise\":2"),
        NODE("\"feature\":\"size\",\"a\":0,\"below\":0,\"then\":1,\"otherwise\":2"),
        NODE("\"feature\":\"size\",\"a\":0,\"below\":1,\"then\":0,\"otherwise\":2"),
        NODE("\"feature\":\"size\",\"a\":0,\"below\":1,\"then\":1,\"otherwise\":3"),
        NODE("\"feature\":\"size\",\"a\":0,\"below\":1,\"then\":1,\"otherwise\":1"),
        CASE("\"size\":[64],\"weight\":1,\"best\":1,\"costs\":[1,1],\"held_out\":1"),
        CASE("\"size\":[64,0],\"weight\":1,\"best\":1,\"costs\":[1,1],\"held_out\":1"),
        CASE("\"size\":[64,1],\"weight\":0,\"best\":1,\"costs\":[1,1],\"held_out\":1"),
        CASE("\"size\":[64,1],\"weight\":1,\"best\":-1,\"costs\":[1,1],\"held_out\":1"),
        CASE("\"size\":[64,1],\"weight\":1,\"best\":1,\"costs\":[1],\"held_out\":1"),
        CASE("\"size\":[64,1],\"weight\":1,\"best\":1,\"costs\":[1,1],\"held_out\":1.5"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct error error = {0};
        struct dispatch *dispatch;
        if (dispatch_parse(texts[i], "this document", &dispatch, &error))
            fail_msg("accepted: %s", texts[i]);
        assert_null(dispatch);
        assert_int_equal(error.code, ERROR_INPUT);
        assert_mentions(error.text, "this document");
    }
}

static void damage_has_a_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *member, *words;
        int index; /* -1: the member as a whole */
    } damages[] = {
        {"{\"format\":2}", "format", "its format is not 1", -1},
        {"{\"format\":1,\"sizes\":[\"M\"],\"configurations\":[]}", "configurations", "it has 0 configurations", -1},
        {"{\"format\":1,\"sizes\":[\"M\",\"N=\"],\"configurations\":[{}],\"cases\":[{}]}", "sizes",
         "size 2 has no name", 1},
        {"{\"format\":1,\"sizes\":[\"M\"],\"configurations\":[{\"T\":[]}],\"cases\":[{}]}", "configurations",
         "configuration 1 is no object of numbers", 0},
        {DOCUMENT("[{\"configuration\":2}]", CASES), "tree", "node 1 of its tree", 0},
        {DOCUMENT(TREE, "[{}]"), "cases", "case 1", 0},
    };
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct error error = {0};
        struct dispatch_place place;
        struct dispatch *dispatch;
        json_t *document = json_loads(damages[i].text, 0, NULL);
        assert_false(dispatch_read(document, "it", &dispatch, &place, &error));
        assert_mentions(error.text, damages[i].words);
        assert_string_equal(place.member, damages[i].member);
        assert_int_equal(place.is_whole ? -1 : (int)place.index, damages[i].index);
        json_decref(document);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(sizes_are_answered),
        cmocka_unit_test(the_others_answer_after_the_tree),
        cmocka_unit_test(quality_is_the_share_of_the_best),
        cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(damage_has_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
