/* SPDX-License-Identifier: Apache-2.0 */
// validation.cu - the kernels by which a device validates other kernels: initial values, guard bands, comparison.
//
// They run on every device, so they use only what every device provides: no headers, no shared memory, only integer
// atomics. Element types are run-time values (a switch per element is cheaper than the memory access next to it), so one
// kernel serves all types and the file compiles quickly.
//
// A buffer is a row of numbers, which is all that these kernels know of vectors and structs: each launch takes some of
// the numbers, all of one type (struct numbers). Numbers are counted through the whole buffer, whichever are taken.
//
// Each check writes to one `report`, a few words that all threads update with atomics; the host reads it back once,
// whatever the buffer's size. The host (validation_kernels.c) initialises counters to 0 and every "first" to the largest
// number, and prepends definitions of ELEMENT_*, INITIAL_* and TILE.

typedef unsigned int u32;
typedef unsigned long long u64;

// What all types need is called on a GPU, where nobody waits for it behind the memory accesses: inlined everywhere, it
// takes its compiler half as long again.
#ifdef __CUDA_ARCH__
#define CALLED static __device__ __noinline__
#else
#define CALLED static __device__
#endif

struct report { // must match struct report in validation_kernels.h
    u64 before, nearest_before;         // damaged bytes in the guard band before the buffer; least distance from its start
    u64 behind, nearest_behind;         // the same behind the buffer; least distance from its end
    u64 changed, first_changed;         // numbers that have changed
    u64 wrong, first_wrong;             // numbers whose error exceeds the tolerance
    u64 not_finite, first_not_finite;   // NaN or infinity: wrong elements where the reference is finite; or references
    u64 unwritten, first_unwritten;     // of these: still poison
    u64 worst_bits;                     // the largest error relative to the tolerance: the bits of a double >= 0
    u64 checksum;
};

struct numbers { // must match struct numbers in validation_kernels.c
    u64 count;  // how many are taken
    u64 leaves; // numbers of an element of the buffer
    // 0: all of them are taken, and lie one behind the other. Else of each element, which has so many bytes, `width`
    // numbers from its `first` on, one behind the other from `offset` on.
    u64 stride;
    u64 offset, width, first;
    int element; // their type
};

// Number i of those that are taken: which it is, and where.
struct place {
    u64 number;
    u64 base, index; // element `index` of an array that begins `base` bytes behind the buffer's start
};

CALLED struct place place_of(struct numbers numbers, u64 i)
{
    if (!numbers.stride) {
        struct place same = {i, 0, i};
        return same;
    }
    u64 element = i / numbers.width, index = i % numbers.width;
    struct place place = {element * numbers.leaves + numbers.first + index, element * numbers.stride + numbers.offset,
                          index};
    return place;
}

// A block handles TILE consecutive elements. Neighbouring threads take neighbouring elements, so that a GPU coalesces
// their accesses; and a tile stays in a core's cache where the threads of a block run one after the other.
#define FOR_EACH_OF_TILE(i, count)                                                                                    \
    for (u64 i = (u64)blockIdx.x * TILE + threadIdx.x, end = tile_end(count); i < end; i += blockDim.x)

static __device__ u64 tile_end(u64 count)
{
    u64 end = ((u64)blockIdx.x + 1) * TILE;
    return end < count ? end : count;
}

// ---- elements as bits -----------------------------------------------------------------------------------------

static __device__ float float_of_bits(u32 bits)
{
    union {
        u32 bits;
        float value;
    } pun;
    pun.bits = bits;
    return pun.value;
}

static __device__ u32 bits_of_float(float value)
{
    union {
        float value;
        u32 bits;
    } pun;
    pun.value = value;
    return pun.bits;
}

static __device__ double double_of_bits(u64 bits)
{
    union {
        u64 bits;
        double value;
    } pun;
    pun.bits = bits;
    return pun.value;
}

static __device__ u64 bits_of_double(double value)
{
    union {
        double value;
        u64 bits;
    } pun;
    pun.value = value;
    return pun.bits;
}

CALLED u64 load_bits(const void *buffer, int element, u64 i)
{
    switch (element) {
    case ELEMENT_CHAR:
    case ELEMENT_UCHAR:
        return ((const unsigned char *)buffer)[i];
    case ELEMENT_SHORT:
    case ELEMENT_USHORT:
    case ELEMENT_HALF:
    case ELEMENT_BFLOAT16:
        return ((const unsigned short *)buffer)[i];
    case ELEMENT_INT:
    case ELEMENT_UINT:
    case ELEMENT_FLOAT:
        return ((const u32 *)buffer)[i];
    default:
        return ((const u64 *)buffer)[i];
    }
}

CALLED void store_bits(void *buffer, int element, u64 i, u64 bits)
{
    switch (element) {
    case ELEMENT_CHAR:
    case ELEMENT_UCHAR:
        ((unsigned char *)buffer)[i] = (unsigned char)bits;
        break;
    case ELEMENT_SHORT:
    case ELEMENT_USHORT:
    case ELEMENT_HALF:
    case ELEMENT_BFLOAT16:
        ((unsigned short *)buffer)[i] = (unsigned short)bits;
        break;
    case ELEMENT_INT:
    case ELEMENT_UINT:
    case ELEMENT_FLOAT:
        ((u32 *)buffer)[i] = (u32)bits;
        break;
    default:
        ((u64 *)buffer)[i] = bits;
    }
}

static __device__ u64 load_number(const void *buffer, int element, struct place place)
{
    return load_bits((const char *)buffer + place.base, element, place.index);
}

// Truncate to the element's width, as a store and a load would.
static __device__ u64 cut_bits(int element, u64 bits)
{
    switch (element) {
    case ELEMENT_CHAR:
    case ELEMENT_UCHAR:
        return (unsigned char)bits;
    case ELEMENT_SHORT:
    case ELEMENT_USHORT:
    case ELEMENT_HALF:
    case ELEMENT_BFLOAT16:
        return (unsigned short)bits;
    case ELEMENT_INT:
    case ELEMENT_UINT:
    case ELEMENT_FLOAT:
        return (u32)bits;
    default:
        return bits;
    }
}

// The formats of 16 bits: a sign, an exponent, and a fraction of so many bits.
static __device__ int fraction_bits(int element)
{
    return element == ELEMENT_HALF ? 10 : 7;
}

CALLED double number_of_16_bits(int fraction, u64 bits)
{
    const int highest = (1 << (15 - fraction)) - 1, bias = highest / 2;
    const int exponent = (int)(bits >> fraction) & highest;
    const u64 sign = (bits >> 15 & 1) << 63, part = bits & ((1ull << fraction) - 1);
    if (exponent == highest)
        return double_of_bits(sign | 0x7ff0000000000000ull | part << (52 - fraction));
    if (exponent == 0) { // a multiple of the least number
        const double size = (double)part * double_of_bits((u64)(1023 + 1 - bias - fraction) << 52);
        return double_of_bits(sign | bits_of_double(size));
    }
    return double_of_bits(sign | (u64)(exponent - bias + 1023) << 52 | part << (52 - fraction));
}

// Round to nearest, ties to even, in one step.
CALLED u64 bits16_of_number(int fraction, double value)
{
    const int highest = (1 << (15 - fraction)) - 1, bias = highest / 2;
    const u64 all = bits_of_double(value), size = all & 0x7fffffffffffffffull;
    const u64 sign = all >> 63 << 15, infinity = (u64)highest << fraction;
    if (size > 0x7ff0000000000000ull)
        return sign | infinity | 1ull << (fraction - 1); // NaN
    const int exponent = (int)(size >> 52) - 1023, least = 1 - bias;
    if (exponent > bias)
        return sign | infinity;
    const int binade = exponent < least ? least : exponent;
    const int drop = 52 - fraction + binade - exponent; // bits behind the last place
    if (drop > 53)
        return sign;
    const u64 significand = (size & 0xfffffffffffffull) | 0x10000000000000ull;
    const u64 rest = significand & ((1ull << drop) - 1), tie = 1ull << (drop - 1);
    u64 whole = significand >> drop;
    whole += rest > tie || (rest == tie && (whole & 1));
    const u64 result = whole + ((u64)(binade - least) << fraction); // the implicit bit, or a carry, counts up
    return sign | (result < infinity ? result : infinity);
}

// 64-bit integers beyond 2^53 are compared as the nearest double, which is what the reference holds.
CALLED double number_of_bits(int element, u64 bits)
{
    switch (element) {
    case ELEMENT_CHAR:
        return (double)(signed char)bits;
    case ELEMENT_SHORT:
        return (double)(short)bits;
    case ELEMENT_INT:
        return (double)(int)bits;
    case ELEMENT_LONG:
        return (double)(long long)bits;
    case ELEMENT_FLOAT:
        return (double)float_of_bits((u32)bits);
    case ELEMENT_DOUBLE:
        return double_of_bits(bits);
    case ELEMENT_HALF:
    case ELEMENT_BFLOAT16:
        return number_of_16_bits(fraction_bits(element), bits);
    default: // the unsigned types: the bits are the number
        return (double)bits;
    }
}

static __device__ bool is_finite(double value)
{
    const u64 exponent = 0x7ff0000000000000ull;
    return (bits_of_double(value) & exponent) != exponent;
}

// ---- initial values -------------------------------------------------------------------------------------------

// The value of an element that was never written. For floating-point types a signalling NaN: loads and stores preserve
// it, but arithmetic makes it quiet, which tells "never written" from "computed from what was never written".
CALLED u64 poison_bits(int element)
{
    switch (element) {
    case ELEMENT_FLOAT:
        return 0x7fa55eedu;
    case ELEMENT_DOUBLE:
        return 0x7ff45eed5eed5eedull;
    case ELEMENT_HALF:
        return 0x7d5eu;
    case ELEMENT_BFLOAT16:
        return 0x7fadu;
    default:
        return cut_bits(element, 0xa5c3a5c35eeda5c3ull);
    }
}

// Another value for the same: whoever has read the first without a trace (a minimum of NaN and a number is the number)
// finds this one in its result. Large numbers of either sign, lest a minimum or a maximum pass over all of them; of an
// integer each bit differs.
static __device__ u64 other_poison_bits(int element, u64 i)
{
    switch (element) {
    case ELEMENT_FLOAT:
        return 0x71eed5eeu | (i & 1) << 31; // 2.37e30
    case ELEMENT_DOUBLE:
        return 0x47eeed5eed5eed5eull | (i & 1) << 63; // 3.28e38
    case ELEMENT_HALF:
        return 0x7b5eu | (i & 1) << 15; // 6.03e4
    case ELEMENT_BFLOAT16:
        return 0x71eeu | (i & 1) << 15; // 2.36e30
    default:
        return cut_bits(element, ~poison_bits(element));
    }
}

// The finalizer of splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).
static __device__ u64 mix(u64 z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

// Element i of a stream depends only on the key and i: any thread can compute it, and compute it again to check it.
static __device__ u64 random_bits(u64 key, u64 i)
{
    return mix(key + (i + 1) * 0x9e3779b97f4a7c15ull);
}

CALLED u64 bits_of_real(int element, double value)
{
    switch (element) {
    case ELEMENT_FLOAT:
        return bits_of_float((float)value);
    case ELEMENT_HALF:
    case ELEMENT_BFLOAT16:
        return bits16_of_number(fraction_bits(element), value);
    default:
        return bits_of_double(value);
    }
}

static __device__ bool is_floating(int element)
{
    return element == ELEMENT_FLOAT || element == ELEMENT_DOUBLE || element == ELEMENT_HALF ||
           element == ELEMENT_BFLOAT16;
}

// A number as a floating-point type holds it; of other types, the number itself.
static __device__ double rounded(int element, double value)
{
    return is_floating(element) ? number_of_bits(element, bits_of_real(element, value)) : value;
}

// Uniform in [low, high). 53 random bits are scaled in double precision and then rounded to the type, so small floats
// have full precision too. The fma is explicit: the value must not depend on the compiler's contraction.
static __device__ u64 uniform_real(int element, double low, double high, u64 random)
{
    double x = fma((double)(random >> 11) / 9007199254740992.0, high - low, low);
    if (rounded(element, x) < high)
        return bits_of_real(element, x);
    if (element == ELEMENT_FLOAT || element == ELEMENT_DOUBLE)
        return bits_of_real(element, low);
    // Of 16 bits the last one below: so many are rounded up to the bound that `low` would come too often.
    const u64 bits = bits_of_real(element, x);
    return bits == 0 ? 0x8001 : bits & 0x8000 ? bits + 1 : bits - 1;
}

// The bits of number i's initial value; `leaves` of them are an element. Integers are uniform among `choices` numbers
// (0: all 2^64) from `first` on; a constant is `first`. For poison `first` says which of the two.
CALLED u64 initial_bits(int element, int kind, u64 key, double low, double high, u64 first, u64 choices,
                                   u64 i, u64 leaves)
{
    switch (kind) {
    case INITIAL_UNIFORM: {
        u64 random = random_bits(key, i);
        if (is_floating(element))
            return uniform_real(element, low, high, random);
        return cut_bits(element, first + (choices ? random % choices : random));
    }
    case INITIAL_CONSTANT:
        return first;
    case INITIAL_INDEX:
        if (leaves > 1)
            i /= leaves;
        return is_floating(element) ? bits_of_real(element, (double)i) : cut_bits(element, i);
    default:
        return first ? other_poison_bits(element, i) : poison_bits(element);
    }
}

extern "C" __global__ void tune_fill(void *buffer, struct numbers numbers, int kind, u64 key, double low, double high,
                                     u64 first, u64 choices)
{
    const int element = numbers.element;
    FOR_EACH_OF_TILE (i, numbers.count) {
        struct place place = place_of(numbers, i);
        store_bits((char *)buffer + place.base, element, place.index,
                   initial_bits(element, kind, key, low, high, first, choices, place.number, numbers.leaves));
    }
}

// ---- checks ---------------------------------------------------------------------------------------------------

// How many and the first, as seen by one thread; added to the report at the end, if there were any.
struct finding {
    u64 count, first;
};

static __device__ void note(struct finding *finding, u64 i)
{
    if (finding->count++ == 0 || i < finding->first)
        finding->first = i;
}

static __device__ void add_to_report(struct finding finding, u64 *count, u64 *first)
{
    if (finding.count) {
        atomicAdd(count, finding.count);
        atomicMin(first, finding.first);
    }
}

// Does a buffer still hold its initial values?
extern "C" __global__ void tune_check_initial(const void *buffer, struct numbers numbers, int kind, u64 key,
                                              double low, double high, u64 first, u64 choices, struct report *report)
{
    const int element = numbers.element;
    struct finding changed = {0, 0};
    FOR_EACH_OF_TILE (i, numbers.count) {
        struct place place = place_of(numbers, i);
        if (load_number(buffer, element, place) !=
            initial_bits(element, kind, key, low, high, first, choices, place.number, numbers.leaves))
            note(&changed, place.number);
    }
    add_to_report(changed, &report->changed, &report->first_changed);
}

// Does a buffer still equal a copy of it?
extern "C" __global__ void tune_check_copy(const void *buffer, const void *copy, struct numbers numbers,
                                           struct report *report)
{
    struct finding changed = {0, 0};
    FOR_EACH_OF_TILE (i, numbers.count) {
        struct place place = place_of(numbers, i);
        if (load_number(buffer, numbers.element, place) != load_number(copy, numbers.element, place))
            note(&changed, place.number);
    }
    add_to_report(changed, &report->changed, &report->first_changed);
}

// Guard bands lie before and behind the `bytes` of a buffer. Their bytes differ by offset, so that no kernel is likely to
// write the same: not zeros, not a shifted copy, not one value repeated. With `blank` set all bits are: NaN for whoever
// reads a band.
static __device__ unsigned char guard_byte(u64 offset, int blank)
{
    return blank ? 0xff : (unsigned char)(mix(offset) >> 56);
}

// The offset in the allocation of byte i of the two bands.
static __device__ u64 guard_offset(u64 i, u64 guard, u64 bytes)
{
    return i < guard ? i : i + bytes;
}

extern "C" __global__ void tune_fill_guards(unsigned char *allocation, u64 guard, u64 bytes, int blank)
{
    FOR_EACH_OF_TILE (i, 2 * guard) {
        u64 offset = guard_offset(i, guard, bytes);
        allocation[offset] = guard_byte(offset, blank);
    }
}

extern "C" __global__ void tune_check_guards(const unsigned char *allocation, u64 guard, u64 bytes, int blank,
                                             struct report *report)
{
    struct finding before = {0, 0}, behind = {0, 0};
    FOR_EACH_OF_TILE (i, 2 * guard) {
        u64 offset = guard_offset(i, guard, bytes);
        if (allocation[offset] == guard_byte(offset, blank))
            continue;
        if (i < guard)
            note(&before, guard - i);
        else
            note(&behind, i - guard);
    }
    add_to_report(before, &report->before, &report->nearest_before);
    add_to_report(behind, &report->behind, &report->nearest_behind);
}

// The error relative to the tolerance `allowed`. With one of 0 (an exact check, or a magnitude of 0) only equality passes.
// With `nonfinite`, NaN matches NaN and an infinity the same infinity; else they match nothing. "Exact" means equal to
// the reference rounded to the type.
static __device__ double error_ratio(double got, double expected, double allowed, int element, int exact,
                                     int nonfinite)
{
    const double infinity = double_of_bits(0x7ff0000000000000ull);
    if (exact)
        expected = rounded(element, expected);
    bool same = got == expected || (got != got && expected != expected);
    if (!is_finite(got) || !is_finite(expected))
        return same && nonfinite ? 0 : infinity;
    if (same)
        return 0;
    double error = got < expected ? expected - got : got - expected;
    return allowed > 0 && !exact ? error / allowed : infinity;
}

// Non-negative doubles compare like their bits.
static __device__ void raise_worst(double worst, struct report *report)
{
    u64 bits = bits_of_double(worst);
    if (bits > *(volatile u64 *)&report->worst_bits) // saves nearly all threads the atomic
        atomicMax(&report->worst_bits, bits);
}

// Compare an output with the reference: |out - reference| <= bound * magnitude + absolute, where the magnitude is
// |reference| unless the reference kernel computed one (then `magnitude` is not NULL). No reference stands for zeros.
extern "C" __global__ void tune_compare(const void *out, const double *reference, const double *magnitude,
                                        struct numbers numbers, int exact, double bound, double absolute,
                                        int nonfinite, struct report *report)
{
    const int element = numbers.element;
    const double infinity = double_of_bits(0x7ff0000000000000ull);
    struct finding wrong = {0, 0}, not_finite = {0, 0}, unwritten = {0, 0};
    double worst = 0;
    FOR_EACH_OF_TILE (i, numbers.count) {
        const struct place place = place_of(numbers, i);
        const u64 number = place.number, bits = load_number(out, element, place);
        double got = number_of_bits(element, bits), expected = reference ? reference[number] : 0;
        double scale = magnitude ? magnitude[number] : expected < 0 ? -expected : expected;
        bool poison = bits == poison_bits(element);
        double ratio = error_ratio(got, expected, bound * scale + absolute, element, exact, nonfinite);
        if (poison && is_floating(element)) // a NaN, but not one that was computed
            ratio = infinity;
        if (ratio > worst)
            worst = ratio;
        if (ratio <= 1)
            continue;
        note(&wrong, number);
        if (poison)
            note(&unwritten, number);
        else if (!is_finite(got) && is_finite(expected))
            note(&not_finite, number);
    }
    add_to_report(wrong, &report->wrong, &report->first_wrong);
    add_to_report(not_finite, &report->not_finite, &report->first_not_finite);
    add_to_report(unwritten, &report->unwritten, &report->first_unwritten);
    raise_worst(worst, report);
}

// Did the reference kernel write everything, and values that are finite in this type, too?
extern "C" __global__ void tune_check_reference(const double *reference, struct numbers numbers, int element,
                                                struct report *report)
{
    struct finding unwritten = {0, 0}, not_finite = {0, 0};
    FOR_EACH_OF_TILE (i, numbers.count) {
        u64 number = place_of(numbers, i).number;
        u64 bits = load_bits(reference, ELEMENT_DOUBLE, number);
        double value = double_of_bits(bits);
        if (bits == poison_bits(ELEMENT_DOUBLE))
            note(&unwritten, number);
        else if (!is_finite(rounded(element, value)))
            note(&not_finite, number);
    }
    add_to_report(unwritten, &report->unwritten, &report->first_unwritten);
    add_to_report(not_finite, &report->not_finite, &report->first_not_finite);
}

// Did it write all magnitudes, none of them negative, and finite ones wherever the reference is finite?
extern "C" __global__ void tune_check_magnitude(const double *magnitude, const double *reference,
                                                struct numbers numbers, struct report *report)
{
    struct finding unwritten = {0, 0}, wrong = {0, 0};
    FOR_EACH_OF_TILE (i, numbers.count) {
        u64 number = place_of(numbers, i).number;
        u64 bits = load_bits(magnitude, ELEMENT_DOUBLE, number);
        double value = double_of_bits(bits);
        if (bits == poison_bits(ELEMENT_DOUBLE))
            note(&unwritten, number);
        else if (is_finite(value) ? value < 0 : is_finite(reference[number]))
            note(&wrong, number);
    }
    add_to_report(unwritten, &report->unwritten, &report->first_unwritten);
    add_to_report(wrong, &report->wrong, &report->first_wrong);
}

// NaN follows every number.
static __device__ bool follows(double a, double b)
{
    return a != a ? b == b : a > b;
}

// A step of sorting: exchange the numbers whose indices differ by exactly the bits of `mask` if they are out of order.
extern "C" __global__ void tune_sort_step(void *buffer, u64 count, int element, u64 mask)
{
    FOR_EACH_OF_TILE (i, count) {
        u64 other = i ^ mask;
        if (other <= i || other >= count)
            continue;
        u64 low = load_bits(buffer, element, i), high = load_bits(buffer, element, other);
        if (!follows(number_of_bits(element, low), number_of_bits(element, high)))
            continue;
        store_bits(buffer, element, i, high);
        store_bits(buffer, element, other, low);
    }
}

// A hash of all words and their positions, which shows later whether anything has changed.
extern "C" __global__ void tune_checksum(const u64 *words, u64 count, struct report *report)
{
    u64 sum = 0;
    FOR_EACH_OF_TILE (i, count)
        sum += mix(words[i] ^ mix(i + 1));
    atomicAdd(&report->checksum, sum);
}
