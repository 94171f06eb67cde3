/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cache/region_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>

static const long shortest_pause = 100000, longest_pause = 5000000; /* nanoseconds between two attempts */

static struct flock region_of(uint64_t region, short kind)
{
    return (struct flock){
        .l_type = kind,
        .l_whence = SEEK_SET,
        .l_start = (off_t)(region & (INT64_MAX >> 1)),
        .l_len = 1,
    };
}

bool region_lock(int file, uint64_t region, double seconds)
{
    double waited = 0;
    for (long pause = shortest_pause;; pause = 2 * pause < longest_pause ? 2 * pause : longest_pause) {
        struct flock wanted = region_of(region, F_WRLCK);
        if (fcntl(file, F_OFD_SETLK, &wanted) == 0 || (errno != EAGAIN && errno != EACCES))
            return true;
        if (waited >= seconds)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
        waited += (double)pause * 1e-9;
    }
}

void region_unlock(int file, uint64_t region)
{
    struct flock given = region_of(region, F_UNLCK);
    (void)fcntl(file, F_OFD_SETLK, &given);
}
