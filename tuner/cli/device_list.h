/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_list.h - several devices for one command: "all", or a list such as "cuda:0,cuda:2".
 */
#ifndef TUNE_CLI_DEVICE_LIST_H
#define TUNE_CLI_DEVICE_LIST_H

#include "tuner/cli/device_choice.h"

/* Does this text of --device ask for several? */
bool device_list_is(const char *text);

/*
 * What device_choose_with takes, and also "all", every accelerator that works (else the default device), or a list of
 * accelerators. Devices that are alike share a choice; unless `quiet`, one line on stderr says which they are.
 * Allocated; free() it.
 */
bool device_choose_several(struct forerunner *forerunner, const char *text, bool quiet,
                           struct device_choice **choices, size_t *count, struct error *error);

/* Is this the name of devices, which another machine may have if this one has not? Not a recorded description. */
bool device_list_names(const char *text);

#endif
