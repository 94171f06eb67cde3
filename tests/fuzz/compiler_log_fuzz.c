/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as NVRTC's log. */
#include "tests/fuzz/fuzz.h"
#include "tuner/device/cuda/compiler_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct image_name names[] = {{"k", "_Z1kPf"}, {"&table", "table"}};
    static const char *const failures[] = {NULL, "NVRTC_ERROR_COMPILATION", "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID"};
    char *log = fuzz_text(data, size);
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        char *messages = compiler_log_messages(log, "/home/k.cu", names, 2, failures[i]);
        fuzz_require(messages);
        free(messages);
    }
    fuzz_require(compiler_log_spills(log, names, 1) >= -1);
    free(log);
    return 0;
}
