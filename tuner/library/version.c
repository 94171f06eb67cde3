/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/tune.h"

const char *tune_version(void)
{
    return TUNE_VERSION;
}

int tune_interface(void)
{
    return TUNE_INTERFACE;
}
