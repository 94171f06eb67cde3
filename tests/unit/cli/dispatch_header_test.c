/* SPDX-License-Identifier: Apache-2.0 */
/* The C code of a tree answers as the tree does, and what a damaged database holds never becomes code. */
#include "tests/unit/scratch_folder.h"

#include "tests/unit/expect.h"
#include "tuner/cli/dispatch_output.h"
#include "tuner/error/text_stream.h"

#include <inttypes.h>

/* All kinds of questions; a threshold that needs all its digits. */
#define TREE                                                                                                         \
    "[{\"feature\":\"unit\",\"a\":1,\"below\":16,\"then\":1,\"otherwise\":4},"                                       \
    "{\"feature\":\"ratio\",\"a\":0,\"b\":2,\"below\":0.30000000000000004,\"then\":2,\"otherwise\":3},"              \
    "{\"configuration\":0},{\"configuration\":1},"                                                                   \
    "{\"feature\":\"product\",\"a\":0,\"b\":1,\"below\":3e5,\"then\":5,\"otherwise\":6},{\"configuration\":2},"      \
    "{\"feature\":\"size\",\"a\":2,\"below\":1025,\"then\":7,\"otherwise\":8},{\"configuration\":3},"                \
    "{\"configuration\":4}]"
#define DOCUMENT(names, first)                                                                                       \
    "{\"format\":1,\"sizes\":[" names "],\"configurations\":[{" first "},{\"A\":1},{\"A\":2},{\"A\":3},{\"A\":4}],"  \
    "\"tree\":" TREE ",\"cases\":[{\"size\":[1,1,1],\"weight\":1,\"best\":1,\"costs\":[1,1,1,1,1],\"held_out\":1}]}"
#define NAMES "\"M\",\"N\",\"K\""

static struct dispatch *read_text(const char *text)
{
    struct error error = {0};
    struct dispatch *dispatch;
    assert_success(dispatch_parse(text, "it", &dispatch, &error), &error);
    return dispatch;
}

/* The header, allocated; NULL: refused. */
static char *header_of(const char *text, const char *name, const char *comment, const char *macros,
                       struct error *error)
{
    struct dispatch *dispatch = read_text(text);
    struct text_stream stream;
    assert_true(text_stream_open(&stream, NULL));
    bool done = dispatch_header(dispatch, name, comment, macros, stream.out, error);
    char *header = text_stream_close(&stream, NULL);
    dispatch_free(dispatch);
    if (done)
        return header;
    free(header);
    return NULL;
}

static const int64_t sides[] = {1, 3, 16, 100, 333, 512, 1023, 1024, 1025, 4096, 65537, 1 << 30};
enum { SIDES = sizeof sides / sizeof *sides };

/* A program that prints the answer for every combination of the sides. */
static void write_program(const char *header)
{
    char text[4096], *at = text;
    at += sprintf(
        at, "#define N 7\n#include \"%s\"\n#include <stdio.h>\nint main(void)\n{\n    static const long long s[] = {",
        strrchr(header, '/') + 1);
    for (size_t i = 0; i < SIDES; i++)
        at += sprintf(at, "%s%" PRId64, i ? ", " : "", sides[i]);
    sprintf(
        at,
        "};\n    for (int m = 0; m < %d; m++)\n        for (int n = 0; n < %d; n++)\n            for (int k = 0; k < "
        "%d; k++)\n                printf(\"%%d\", my_gemm_configuration(s[m], s[n], s[k]));\n    return 0;\n}\n",
        SIDES, SIDES, SIDES);
    scratch_write("main.c", text);
}

static void the_code_answers_as_the_tree_does(void **state)
{
    (void)state;
    static const char document[] = DOCUMENT(NAMES, "\"A\":0,\"B\":\"fast\",\"C\":true,\"D\":0.5,\"E\":-1");
    struct error error = {0};
    char *header = header_of(document, "my-gemm", "of a test", "M, K", &error), command[400],
         printed[SIDES * SIDES * SIDES + 1];
    assert_non_null(header);
    write_program(scratch_write("dispatch.h", header));
    snprintf(command, sizeof command,
             "cd %s && cc -std=c17 -Wall -Wextra -Werror -Wconversion main.c -o main && ./main", scratch_path("."));
    FILE *output = popen(command, "r");
    assert_non_null(output);
    size_t length = fread(printed, 1, sizeof printed, output);
    assert_int_equal(pclose(output), 0);
    assert_int_equal(length, SIDES * SIDES * SIDES);
    struct dispatch *dispatch = read_text(document);
    size_t seen[5] = {0};
    for (size_t i = 0; i < length; i++) {
        const int64_t sizes[] = {sides[i / SIDES / SIDES], sides[i / SIDES % SIDES], sides[i % SIDES]};
        size_t answer = dispatch->tree.nodes[tree_leaf(&dispatch->tree, sizes)].configuration;
        assert_int_equal(printed[i] - '0', answer);
        seen[answer]++;
    }
    for (size_t i = 0; i < 5; i++)
        assert_true(seen[i] > 0);
    assert_mentions(header,
                    "#if MY_GEMM_CONFIGURATION == 0\n#define A 0\n#define B fast\n#define B_fast 1\n#define C "
                    "1\n#define D 0.5\n#define E (-1)\n#elif MY_GEMM_CONFIGURATION == 1\n");
    assert_mentions(header, "source sees these sizes as macros, too: M, K.");
    dispatch_free(dispatch);
    free(header);
}

static void texts_of_the_database_stay_texts(void **state)
{
    (void)state;
    static const char *const documents[] = {
        DOCUMENT("\"M) { evil(); }\",\"N\",\"K\"", "\"A\":0"),
        DOCUMENT(NAMES, "\"A B\":0"),
        DOCUMENT(NAMES, "\"A\":\"x\\ny\""),
    };
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        struct error error = {0};
        assert_null(header_of(documents[i], "gemm", "of a test", "", &error));
        assert_int_equal(error.code, ERROR_INPUT);
        assert_mentions(error.text, "cannot be a C header");
    }
    struct error error = {0};
    char *header = header_of(DOCUMENT(NAMES, "\"A\":0"), "2gemm", "a */ b /* c\n#error d", "", &error);
    assert_non_null(header);
    assert_mentions(header, "/* a  / b  * c\\n#error d */\n");
    assert_mentions(header, "int _2gemm_configuration(long long size_M, long long size_N, long long size_K)\n");
    assert_null(strstr(header, "macros"));
    free(header);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_code_answers_as_the_tree_does),
        cmocka_unit_test(texts_of_the_database_stay_texts),
    };
    return cmocka_run_group_tests(tests, scratch_folder_create, scratch_folder_remove);
}
