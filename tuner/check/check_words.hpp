/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_words.hpp - what the compiler's sanitizers call in a kernel that is to be checked.
 *
 * Inserted after the CUDA words and before the kernel's source. With TUNE_CHECK_ACCESSES the module is compiled with
 * -fsanitize=thread, whose calls announce every access to memory that other threads could see. They end here instead
 * of in the sanitizer's library and are passed to the device's tune_watcher, which knows CUDA's threads, warps and
 * barriers. Otherwise the module is compiled with -fsanitize=address, whose runtime is preloaded, and
 * -fsanitize=bounds,alignment.
 */
#define TUNE_ANNOUNCED extern "C" __attribute__((visibility("hidden"), used, noinline))
#ifdef __clang__ /* which instruments atomic operations unless both attributes forbid it */
#define TUNE_PLAIN __attribute__((no_sanitize("address", "thread", "undefined"), disable_sanitizer_instrumentation))
#else
#define TUNE_PLAIN __attribute__((no_sanitize("address", "thread", "undefined")))
#endif

#ifdef TUNE_CHECK_ACCESSES
#define TUNE_ANNOUNCE(address, bytes, kind)                                                                           \
    if (const struct tune_watcher *w = tune_context.watcher)                                                          \
    w->access(w->context, const_cast<const void *>(static_cast<const volatile void *>(address)), bytes, kind,         \
              __builtin_return_address(0))

TUNE_ANNOUNCED TUNE_PLAIN void __tsan_init() {}
TUNE_ANNOUNCED TUNE_PLAIN void __tsan_func_entry(void *) {}
TUNE_ANNOUNCED TUNE_PLAIN void __tsan_func_exit() {}
TUNE_ANNOUNCED TUNE_PLAIN void __tsan_vptr_update(void **, void *) {}
TUNE_ANNOUNCED TUNE_PLAIN void __tsan_vptr_read(void **) {}
TUNE_ANNOUNCED TUNE_PLAIN void __tsan_read_range(void *p, unsigned long n) { TUNE_ANNOUNCE(p, n, TUNE_READ); }
TUNE_ANNOUNCED TUNE_PLAIN void __tsan_write_range(void *p, unsigned long n) { TUNE_ANNOUNCE(p, n, TUNE_WRITE); }

#define TUNE_ACCESS(name, n, kind)                                                                                    \
    TUNE_ANNOUNCED TUNE_PLAIN void __tsan_##name##n(void *p) { TUNE_ANNOUNCE(p, n, kind); }
#define TUNE_ACCESSES(n)                                                                                              \
    TUNE_ACCESS(read, n, TUNE_READ)                                                                                   \
    TUNE_ACCESS(write, n, TUNE_WRITE)                                                                                 \
    TUNE_ACCESS(read_write, n, TUNE_READ | TUNE_WRITE)                                                                \
    TUNE_ACCESS(unaligned_read, n, TUNE_READ)                                                                         \
    TUNE_ACCESS(unaligned_write, n, TUNE_WRITE)                                                                       \
    TUNE_ACCESS(unaligned_read_write, n, TUNE_READ | TUNE_WRITE)                                                      \
    TUNE_ACCESS(volatile_read, n, TUNE_READ | TUNE_VOLATILE)                                                          \
    TUNE_ACCESS(volatile_write, n, TUNE_WRITE | TUNE_VOLATILE)                                                        \
    TUNE_ACCESS(unaligned_volatile_read, n, TUNE_READ | TUNE_VOLATILE)                                                \
    TUNE_ACCESS(unaligned_volatile_write, n, TUNE_WRITE | TUNE_VOLATILE)
TUNE_ACCESSES(1)
TUNE_ACCESSES(2)
TUNE_ACCESSES(4)
TUNE_ACCESSES(8)
TUNE_ACCESSES(16)

/* Copies that the compiler leaves to the C library. Bytes are volatile, or this would compile to a call of itself. */
TUNE_ANNOUNCED TUNE_PLAIN void *memcpy(void *to, const void *from, size_t n) noexcept
{
    TUNE_ANNOUNCE(from, n, TUNE_READ);
    TUNE_ANNOUNCE(to, n, TUNE_WRITE);
    for (size_t i = 0; i < n; i++)
        static_cast<volatile char *>(to)[i] = static_cast<const char *>(from)[i];
    return to;
}
TUNE_ANNOUNCED TUNE_PLAIN void *memmove(void *to, const void *from, size_t n) noexcept
{
    TUNE_ANNOUNCE(from, n, TUNE_READ);
    TUNE_ANNOUNCE(to, n, TUNE_WRITE);
    bool up = to <= from;
    for (size_t i = 0; i < n; i++) {
        size_t at = up ? i : n - 1 - i;
        static_cast<volatile char *>(to)[at] = static_cast<const char *>(from)[at];
    }
    return to;
}
TUNE_ANNOUNCED TUNE_PLAIN void *memset(void *to, int value, size_t n) noexcept
{
    TUNE_ANNOUNCE(to, n, TUNE_WRITE);
    for (size_t i = 0; i < n; i++)
        static_cast<volatile char *>(to)[i] = (char)value;
    return to;
}

/* Atomic operations must also be carried out here. */
#define TUNE_BOTH (TUNE_READ | TUNE_WRITE | TUNE_ATOMIC)
#define TUNE_FETCH(bits, type, op)                                                                                    \
    TUNE_ANNOUNCED TUNE_PLAIN type __tsan_atomic##bits##_fetch_##op(volatile type *p, type v, int)                    \
    {                                                                                                                 \
        TUNE_ANNOUNCE(p, sizeof v, TUNE_BOTH);                                                                        \
        return __atomic_fetch_##op(p, v, __ATOMIC_SEQ_CST);                                                           \
    }
#define TUNE_COMPARE(bits, type, name)                                                                                \
    TUNE_ANNOUNCED TUNE_PLAIN int __tsan_atomic##bits##_compare_exchange_##name(volatile type *p, type *expected,     \
                                                                                type v, int, int)                     \
    {                                                                                                                 \
        TUNE_ANNOUNCE(p, sizeof v, TUNE_BOTH);                                                                        \
        return __atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                \
    }
#define TUNE_ATOMICS(bits, type)                                                                                      \
    TUNE_ANNOUNCED TUNE_PLAIN type __tsan_atomic##bits##_load(const volatile type *p, int)                            \
    {                                                                                                                 \
        TUNE_ANNOUNCE(p, sizeof *p, TUNE_READ | TUNE_ATOMIC);                                                         \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                                  \
    }                                                                                                                 \
    TUNE_ANNOUNCED TUNE_PLAIN void __tsan_atomic##bits##_store(volatile type *p, type v, int)                         \
    {                                                                                                                 \
        TUNE_ANNOUNCE(p, sizeof v, TUNE_WRITE | TUNE_ATOMIC);                                                         \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                                     \
    }                                                                                                                 \
    TUNE_ANNOUNCED TUNE_PLAIN type __tsan_atomic##bits##_exchange(volatile type *p, type v, int)                      \
    {                                                                                                                 \
        TUNE_ANNOUNCE(p, sizeof v, TUNE_BOTH);                                                                        \
        return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                                           \
    }                                                                                                                 \
    TUNE_ANNOUNCED TUNE_PLAIN type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type expected,        \
                                                                              type v, int, int)                       \
    {                                                                                                                 \
        TUNE_ANNOUNCE(p, sizeof v, TUNE_BOTH);                                                                        \
        __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                      \
        return expected;                                                                                              \
    }                                                                                                                 \
    TUNE_COMPARE(bits, type, strong)                                                                                  \
    TUNE_COMPARE(bits, type, weak)                                                                                    \
    TUNE_FETCH(bits, type, add)                                                                                       \
    TUNE_FETCH(bits, type, sub)                                                                                       \
    TUNE_FETCH(bits, type, and)                                                                                       \
    TUNE_FETCH(bits, type, or)                                                                                        \
    TUNE_FETCH(bits, type, xor)                                                                                       \
    TUNE_FETCH(bits, type, nand)
TUNE_ATOMICS(8, unsigned char)
TUNE_ATOMICS(16, unsigned short)
TUNE_ATOMICS(32, unsigned int)
TUNE_ATOMICS(64, unsigned long)
TUNE_ANNOUNCED TUNE_PLAIN void __tsan_atomic_thread_fence(int)
{
    if (const struct tune_watcher *w = tune_context.watcher)
        w->fence(w->context);
}
TUNE_ANNOUNCED TUNE_PLAIN void __tsan_atomic_signal_fence(int)
{
    __tsan_atomic_thread_fence(0);
}
#else
/*
 * The compiler's code consults the shadow memory itself and calls these on an error. The runtime of AddressSanitizer
 * only maintains the shadow.
 */
#define TUNE_ANNOUNCE(address, bytes, kind)                                                                           \
    if (const struct tune_watcher *w = tune_context.watcher)                                                          \
    w->access(w->context, address, bytes, kind, __builtin_return_address(0))
#define TUNE_REPORT(n)                                                                                                \
    TUNE_ANNOUNCED TUNE_PLAIN void __asan_report_load##n##_noabort(void *p) { TUNE_ANNOUNCE(p, n, TUNE_READ); }       \
    TUNE_ANNOUNCED TUNE_PLAIN void __asan_report_store##n##_noabort(void *p) { TUNE_ANNOUNCE(p, n, TUNE_WRITE); }
TUNE_REPORT(1)
TUNE_REPORT(2)
TUNE_REPORT(4)
TUNE_REPORT(8)
TUNE_REPORT(16)
TUNE_ANNOUNCED TUNE_PLAIN void __asan_report_load_n_noabort(void *p, size_t n) { TUNE_ANNOUNCE(p, n, TUNE_READ); }
TUNE_ANNOUNCED TUNE_PLAIN void __asan_report_store_n_noabort(void *p, size_t n) { TUNE_ANNOUNCE(p, n, TUNE_WRITE); }

/* Copies that the compiler leaves to the C library. Bytes are volatile, or this would compile to a call of itself. */
extern "C" void *__asan_region_is_poisoned(void *first, size_t bytes);
#define TUNE_LOOK(address, bytes, kind)                                                                               \
    if (void *bad = __asan_region_is_poisoned(const_cast<void *>(static_cast<const void *>(address)), bytes))         \
    TUNE_ANNOUNCE(bad, 1, kind)
TUNE_ANNOUNCED TUNE_PLAIN void *memcpy(void *to, const void *from, size_t n) noexcept
{
    TUNE_LOOK(from, n, TUNE_READ);
    TUNE_LOOK(to, n, TUNE_WRITE);
    for (size_t i = 0; i < n; i++)
        static_cast<volatile char *>(to)[i] = static_cast<const char *>(from)[i];
    return to;
}
TUNE_ANNOUNCED TUNE_PLAIN void *memset(void *to, int value, size_t n) noexcept
{
    TUNE_LOOK(to, n, TUNE_WRITE);
    for (size_t i = 0; i < n; i++)
        static_cast<volatile char *>(to)[i] = (char)value;
    return to;
}

/* -fsanitize=bounds and alignment pass types and places in the layout of the compiler's own runtime. */
struct tune_type_descriptor {
    unsigned short kind, info;
    char name[1];
};
struct tune_bounds {
    const char *file;
    unsigned line, column;
    const tune_type_descriptor *array, *index;
};
TUNE_ANNOUNCED TUNE_PLAIN void __ubsan_handle_out_of_bounds(tune_bounds *bounds, unsigned long index)
{
    if (const struct tune_watcher *w = tune_context.watcher)
        w->index(w->context, bounds->array->name, index, bounds->column, __builtin_return_address(0));
}
struct tune_mismatch {
    const char *file;
    unsigned line, column;
    const tune_type_descriptor *type;
    unsigned char log_alignment, kind;
};
TUNE_ANNOUNCED TUNE_PLAIN void __ubsan_handle_type_mismatch_v1(tune_mismatch *mismatch, unsigned long address)
{
    size_t alignment = (size_t)1 << mismatch->log_alignment;
    if (const struct tune_watcher *w = tune_context.watcher; w && address % alignment)
        w->misaligned(w->context, (const void *)address, mismatch->type->name, alignment, __builtin_return_address(0));
}
#endif
