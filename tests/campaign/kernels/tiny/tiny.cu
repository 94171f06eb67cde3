__device__ int launches;

// Adds one. Each KIND but `good` makes another mistake.
__global__ void increment(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#if KIND_compile_error
    int undeclared = no_such_name;
#elif KIND_compiler_dies
    // killed by the compiler's wrapper: COMPILER_DIES
#elif KIND_compiler_hangs
    // COMPILER_HANGS
#elif KIND_compiler_eats_memory
    // COMPILER_EATS_MEMORY
#elif KIND_too_much_shared
    __shared__ int tile[60000];
    tile[threadIdx.x] = i;
    __syncthreads();
    if (tile[threadIdx.x] < 0)
        return;
#elif KIND_endless
    for (volatile int turn = 0; i == 7; turn = turn + 1)
        ;
#elif KIND_illegal_address
    if (i == 7)
        *(volatile int *)8 = 1;
#elif KIND_trap
    if (i == 7)
        __trap();
#elif KIND_assertion
    assert(i != 7);
#elif KIND_stack_overflow
    volatile char deep[1 << 22];
    for (int at = 0; at < (1 << 22); at += 64)
        deep[at] = (char)i;
#elif KIND_before_start
    if (i == 0)
        y[-1] = 0;
#elif KIND_beyond_end
    if (i == 0)
        y[n] = 0;
#elif KIND_input_changed
    if (i == 3)
        ((int *)x)[i] = 0;
#elif KIND_wrong
    if (i == 5) {
        y[i] = 0;
        return;
    }
#elif KIND_not_written
    if (i == 5)
        return;
#elif KIND_changes
    if (i == 0 && ++launches > 2) { // right once at each size, and wrong ever after
        y[i] = 0;
        return;
    }
#endif
    if (i < n)
        y[i] = x[i] + 1;
}
