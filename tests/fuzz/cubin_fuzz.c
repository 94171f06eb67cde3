/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a cubin with a kernel `k`. */
#include "tests/fuzz/fuzz.h"
#include "tuner/device/cuda/cubin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cubin_kernel facts;
    struct error error = {0};
    void *cubin = fuzz_copy(data, size);
    if (cubin_kernel(cubin, size, "k", &facts, &error))
        fuzz_require(facts.registers >= -1 && facts.stack_bytes >= -1 && facts.shared_bytes >= 0 &&
                     facts.max_threads >= 0);
    else
        fuzz_refused(&error);
    free(cubin);
    return 0;
}
