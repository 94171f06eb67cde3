/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as what compute-sanitizer, or a compiler, prints. */
#include "tests/fuzz/fuzz.h"
#include "tuner/check/compiler_error.h"
#include "tuner/check/sanitizer_output.h"

static void look(void *context, const struct diagnostic *diagnostic)
{
    (void)context;
    fuzz_require((unsigned)diagnostic->kind < DIAGNOSTIC_KINDS);
    fuzz_require(memchr(diagnostic->file, '\0', sizeof diagnostic->file) &&
                 memchr(diagnostic->variable, '\0', sizeof diagnostic->variable) &&
                 memchr(diagnostic->text, '\0', sizeof diagnostic->text) && diagnostic->text[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    sanitizer_output_read(text, look, NULL);
    struct diagnostic diagnostic = {.file = "source.cu"};
    compiler_error_first(text, &diagnostic);
    fuzz_require(memchr(diagnostic.file, '\0', sizeof diagnostic.file) &&
                 memchr(diagnostic.text, '\0', sizeof diagnostic.text));
    free(text);
    return 0;
}
