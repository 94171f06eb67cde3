#include "tuner/check/order.h"

#include <string.h>

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* All that was done until now has the time that is returned, all from now on a greater one. */
static uint32_t end_time(struct order *order)
{
    return order->time++;
}

void order_launch(struct order *order, uint32_t threads)
{
    order->launch = end_time(order);
    order->threads = threads < ORDER_THREADS ? threads : ORDER_THREADS;
    order->block = 0;
}

void order_block(struct order *order)
{
    end_time(order);
    order->block++;
    order->barrier = order->joined = 0;
    memset(order->device, 0, order->threads * sizeof *order->device);
    memset(order->fence, 0, order->threads * sizeof *order->fence);
    memset(order->lanes, 0, order->threads * sizeof *order->lanes);
}

void order_barrier(struct order *order)
{
    order->barrier = end_time(order);
    for (uint32_t t = 0; t < order->threads; t++)
        order->joined = later(order->joined, order->device[t]);
}

void order_exchange(struct order *order, uint32_t warp, uint32_t lanes)
{
    uint32_t first = warp * ORDER_LANES, known[ORDER_LANES] = {0}, device = 0;
    for (uint32_t l = 0; l < ORDER_LANES && first + l < order->threads; l++) {
        if (!(lanes >> l & 1))
            continue;
        device = later(device, order->device[first + l]);
        for (uint32_t i = 0; i < ORDER_LANES; i++)
            known[i] = later(known[i], order->lanes[first + l][i]);
    }
    uint32_t now = end_time(order);
    for (uint32_t l = 0; l < ORDER_LANES; l++) {
        if (lanes >> l & 1)
            known[l] = now;
    }
    for (uint32_t l = 0; l < ORDER_LANES && first + l < order->threads; l++) {
        if (lanes >> l & 1) {
            memcpy(order->lanes[first + l], known, sizeof known);
            order->device[first + l] = device;
        }
    }
}

void order_fence(struct order *order, uint32_t thread)
{
    order->fence[thread] = end_time(order);
}

void order_atomic(struct order *order, uint32_t thread, uint32_t *released)
{
    order->device[thread] = later(order->device[thread], *released);
    *released = later(*released, order->fence[thread]);
}

bool order_is_over(const struct order *order, uint32_t block, uint32_t thread, uint32_t time, uint32_t reader)
{
    if (time <= order->launch || time <= order->joined || time <= order->device[reader])
        return true;
    if (block != order->block)
        return false;
    return thread == reader || time <= order->barrier ||
           (thread / ORDER_LANES == reader / ORDER_LANES && time <= order->lanes[reader][thread % ORDER_LANES]);
}
