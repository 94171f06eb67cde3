/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the beginning of a .npy file. */
#include "tests/fuzz/fuzz.h"
#include "tuner/data/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct npy npy;
    struct error error = {0};
    void *file = fuzz_copy(data, size);
    if (npy_read(file, size, &npy, &error)) {
        fuzz_require(npy.offset <= size && npy.rank <= NPY_RANK);
        uint64_t count = 1;
        for (size_t i = 0; i < npy.rank; i++)
            count *= npy.shape[i];
        fuzz_require(count == npy.count);
    } else {
        fuzz_refused(&error);
    }
    free(file);
    return 0;
}
