/* Any bytes as a T1 file: it is refused, or becomes texts that were read back without error. */
#include "tests/fuzz/fuzz.h"
#include "tuner/formats/t1.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct t1_import import;
    struct error error;
    t1_import("fuzz", (const char *)data, size, &import, &error);
    t1_import_clear(&import);
    return 0;
}
