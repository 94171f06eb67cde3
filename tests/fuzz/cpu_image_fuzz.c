/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an image of the CPU device. */
#include "tests/fuzz/fuzz.h"
#include "tuner/device/cpu/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const kernels[] = {"small", "large"};
    void *image = fuzz_copy(data, size);
    (void)image_is_valid(image, size);
    fuzz_require(image_shared_bytes(image, size, "small", kernels, 2) >= 0);
    free(image);
    return 0;
}
