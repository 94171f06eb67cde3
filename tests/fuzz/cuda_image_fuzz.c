/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an image of the CUDA device. What is read lies within. */
#include "tests/fuzz/fuzz.h"
#include "tuner/device/cuda/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct image_view view;
    struct error error = {0};
    char *image = fuzz_copy(data, size);
    if (image_view(image, size, &view, &error)) {
        const char *cubin = view.cubin, *lowered = image_lowered(&view, "k");
        fuzz_require(cubin >= image && view.cubin_bytes == size - (size_t)(cubin - image));
        fuzz_require(!lowered || (lowered > image && lowered < cubin && strlen(lowered) < size));
        (void)image_lowered(&view, "&a variable");
    } else {
        fuzz_refused(&error);
    }
    free(image);
    return 0;
}
