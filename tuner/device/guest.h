/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guest.h - a device in a program that is not tune's: beside what the program does with it, in its contexts and
 * streams, from any of its threads.
 *
 * A device that is attached changes no settings of the process: it handles no signals, and what kernels do wrong with
 * addresses is the program's as it is with any function. It neither times nor flushes caches; all else of device.h it
 * does, in the stream of program_stream, for one thread at a time. To have several at once, views share its modules:
 * each has streams of its own, for launches whose order is kept by `wait`, and memory of its own.
 *
 * The functions with a stream queue there, and may be called by several threads at once, with one device. A stream is
 * the program's (CUstream; NULL is the default one); on the CPU device it means nothing.
 */
#ifndef TUNE_DEVICE_GUEST_H
#define TUNE_DEVICE_GUEST_H

#include "tuner/device/device.h"

struct device_mark; /* a place in a stream */

struct device_guest {
    /*
     * A GPU: in the context that is current in the calling thread; without one, in the primary context of GPU
     * `ordinal`, which is retained until the device is closed. What can be told quickly of the device is in
     * `description`: kind, name, architecture and limits.
     */
    bool (*attach)(int ordinal, struct device **device, struct device_description *description, struct error *error);
    /* To be closed before the device that it is a view of, which must have loaded all modules before. */
    bool (*view)(struct device *device, struct device **view, struct error *error);

    /*
     * Before and after any other call. Makes its context current in the calling thread if none is (`*entered`).
     * ERROR_INPUT: another one is; with `anyway`, it steps aside until then. Both NULL: there are no contexts.
     */
    bool (*enter)(struct device *device, bool anyway, bool *entered, struct error *error);
    void (*leave)(struct device *device, bool entered);

    /* From now on its main stream, 0 for use_stream and wait. */
    void (*program_stream)(struct device *device, void *stream);
    /* Is the stream being captured into a graph? Then nothing can wait for it. */
    bool (*capturing)(struct device *device, void *stream, bool *capturing, struct error *error);

    /* `resources` has approved of the shape, and the arguments are as many as the kernel takes. */
    bool (*launch)(struct device *device, void *stream, struct device_kernel *kernel,
                   const struct launch_shape *shape, void *const *arguments, size_t argument_count,
                   struct error *error);
    /* A launch that needs no `enter`, since the driver refuses kernels of a context that is not current. False, and
     * nothing is queued, if it does, or if the launch takes more than the driver's plain call. NULL: there is nothing
     * to be saved. */
    bool (*launch_at_once)(struct device *device, void *stream, struct device_kernel *kernel,
                           const struct launch_shape *shape, void *const *arguments);
    bool (*copy)(struct device *device, void *stream, uint64_t to, uint64_t from, size_t bytes, struct error *error);
    bool (*fill)(struct device *device, void *stream, uint64_t address, uint8_t byte, size_t bytes,
                 struct error *error);
    /*
     * Marks in streams, and the time between two that were reached, in order, in nanoseconds. To ask for that
     * disturbs no capture of a stream by other threads; nobody may set a mark in a stream that is captured. All NULL:
     * what is queued is done when the call returns.
     */
    bool (*mark_create)(struct device *device, struct device_mark **mark, struct error *error);
    void (*mark_destroy)(struct device *device, struct device_mark *mark);
    bool (*mark)(struct device *device, void *stream, struct device_mark *mark, struct error *error);
    bool (*mark_reached)(struct device *device, struct device_mark *mark, bool *reached, struct error *error);
    bool (*mark_between)(struct device *device, struct device_mark *from, struct device_mark *to, double *nanoseconds,
                         struct error *error);
    /* The calling thread is the library's own: nothing that it does from now on disturbs captures of streams by other
     * threads. NULL: nothing would. */
    void (*keep_quiet)(struct device *device);
    /* From now on the view's main stream is one of its own, which waits for none of the program's. NULL: there are no
     * streams. */
    bool (*aside)(struct device *view, struct error *error);
    /* What to give programs that launch themselves: a CUfunction. NULL: there is none. */
    void *(*function)(const struct device_kernel *kernel);
    /* What of an image is native code: a cubin, a shared object. It is in the image. */
    bool (*binary)(const void *image, size_t bytes, const void **binary, size_t *binary_bytes, struct error *error);
    /* The compiler's name and version, which `describe` tells as well. It may take a while. */
    bool (*compiler)(char *name, size_t bytes, struct error *error);
};

#endif
