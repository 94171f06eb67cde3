/* SPDX-License-Identifier: Apache-2.0 */
/* Any header below cooperative_groups/. */
#include <cooperative_groups.h>
