/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a dispatch's document. What is accepted answers, and reads back equal from what it is written as. */
#include "tests/fuzz/fuzz.h"
#include "tuner/dispatch/dispatch.h"

static void examine(const struct dispatch *dispatch)
{
    struct error error = {0};
    struct dispatch *again = NULL;
    size_t answers[DISPATCH_CONFIGURATIONS_MOST];
    int64_t sizes[DISPATCH_DIMENSIONS_MOST];
    for (size_t i = 0; i < dispatch->dimensions; i++)
        sizes[i] = (int64_t)(i + 1) * 1000;
    fuzz_require(tree_leaf(&dispatch->tree, sizes) < dispatch->tree.count);
    const size_t count = dispatch_answers(dispatch, "M=64,N=4096,K=7", answers);
    fuzz_require(count <= dispatch->configuration_count);
    for (size_t i = 0; i < count; i++)
        fuzz_require(answers[i] < dispatch->configuration_count);
    const struct dispatch_quality quality = dispatch_quality(dispatch);
    fuzz_require(quality.worst >= 0 && quality.worst <= 1 && quality.worst_case < dispatch->case_count);
    char *text = dispatch_text(dispatch);
    fuzz_require(text && dispatch_parse(text, "it", &again, &error));
    char *second = dispatch_text(again);
    fuzz_require(second && strcmp(text, second) == 0);
    free(second);
    free(text);
    dispatch_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {0};
    struct dispatch *dispatch;
    char *text = fuzz_text(data, size);
    if (dispatch_parse(text, "it", &dispatch, &error))
        examine(dispatch);
    else
        fuzz_refused(&error);
    dispatch_free(dispatch);
    free(text);
    return 0;
}
