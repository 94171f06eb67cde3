/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the symbol of a C++ function, with none to eight parameters. */
#include "tests/fuzz/fuzz.h"
#include "tuner/device/cuda/mangled.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 8 };
    char *symbol = fuzz_text(data, size);
    for (size_t count = 0; count <= MOST; count++) {
        struct kernel_parameter *parameters = calloc(count + 1, sizeof *parameters);
        fuzz_require(parameters);
        (void)mangled_parameters(symbol, parameters, count);
        free(parameters);
    }
    free(symbol);
    return 0;
}
