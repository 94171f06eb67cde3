/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/result.h"

#include <stdarg.h>

static const struct {
    cuda_result result;
    enum error_code code;
} codes[] = {
    {CUDA_OUT_OF_MEMORY, ERROR_DOES_NOT_FIT},
    {CUDA_LAUNCH_OUT_OF_RESOURCES, ERROR_RESOURCES},
    {720, ERROR_RESOURCES}, /* COOPERATIVE_LAUNCH_TOO_LARGE */
    {CUDA_INVALID_CLUSTER_SIZE, ERROR_RESOURCES},
    {700, ERROR_FAULT}, /* ILLEGAL_ADDRESS */
    {702, ERROR_FAULT}, /* LAUNCH_TIMEOUT */
    {710, ERROR_FAULT}, /* ASSERT */
    {714, ERROR_FAULT}, /* HARDWARE_STACK_ERROR */
    {715, ERROR_FAULT}, /* ILLEGAL_INSTRUCTION */
    {716, ERROR_FAULT}, /* MISALIGNED_ADDRESS */
    {717, ERROR_FAULT}, /* INVALID_ADDRESS_SPACE */
    {718, ERROR_FAULT}, /* INVALID_PC */
    {719, ERROR_FAULT}, /* LAUNCH_FAILED */
    {721, ERROR_FAULT}, /* TENSOR_MEMORY_LEAK */
    /* The GPU, its driver or its other users, whatever the kernel. */
    {46, ERROR_DEVICE},  /* DEVICE_UNAVAILABLE */
    {214, ERROR_DEVICE}, /* ECC_UNCORRECTABLE */
    {216, ERROR_DEVICE}, /* CONTEXT_ALREADY_IN_USE */
    {220, ERROR_DEVICE}, /* NVLINK_UNCORRECTABLE */
    {226, ERROR_DEVICE}, /* CONTAINED */
    {304, ERROR_DEVICE}, /* OPERATING_SYSTEM */
    {709, ERROR_DEVICE}, /* CONTEXT_IS_DESTROYED */
    {802, ERROR_DEVICE}, /* SYSTEM_NOT_READY */
    {805, ERROR_DEVICE}, /* MPS_CONNECTION_FAILED */
    {806, ERROR_DEVICE}, /* MPS_RPC_FAILURE */
    {807, ERROR_DEVICE}, /* MPS_SERVER_NOT_READY */
    {808, ERROR_DEVICE}, /* MPS_MAX_CLIENTS_REACHED */
    {809, ERROR_DEVICE}, /* MPS_MAX_CONNECTIONS_REACHED */
    {999, ERROR_DEVICE}, /* UNKNOWN */
};

enum error_code cuda_result_code(cuda_result result)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (codes[i].result == result)
            return codes[i].code;
    }
    return result == CUDA_SUCCESS ? ERROR_NONE : ERROR_WORK;
}

bool cuda_check(const struct cuda_library *cuda, cuda_result result, struct error *error, const char *doing, ...)
{
    if (result == CUDA_SUCCESS)
        return true;
    char what[512];
    va_list arguments;
    va_start(arguments, doing);
    vsnprintf(what, sizeof what, doing, arguments);
    va_end(arguments);

    const char *name = NULL, *text = NULL;
    if (cuda->error_name(result, &name) != CUDA_SUCCESS || !name)
        name = "an unknown error";
    if (cuda->error_string(result, &text) != CUDA_SUCCESS || !text)
        text = "the driver has no text for it";
    return error_set(error, cuda_result_code(result), "%s: %s (%s)", what, name, text);
}
