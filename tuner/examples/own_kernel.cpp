/* SPDX-License-Identifier: Apache-2.0 */
/*
 * own_kernel.cpp - a C++17 program with a kernel of its own: the folder smooth/ has the kernel, what it computes
 * (reference.cu), how it is launched (smooth.template) and what may be tried (smooth.space). No part of it is
 * compiled with the program; the folder goes where the program goes.
 *
 *     tune ./smooth --device cpu --size n=100000
 *     c++ -std=c++17 own_kernel.cpp -o own_kernel $(pkg-config --cflags --libs tune)
 *     ./own_kernel ./smooth
 *
 * With -DWITH_CUDA and -lcudart it runs on a GPU; there leave out --device.
 *
 * What it shows: handles in std::unique_ptr, errors as exceptions; in what order they are freed does not matter.
 */
#include "device_memory.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <tune.h>
#include <vector>

template <auto release> struct releaser {
    template <typename T> void operator()(T *handle) const
    {
        release(handle);
    }
};
using handle = std::unique_ptr<struct tune, releaser<tune_close>>;
using answer = std::unique_ptr<tune_answer, releaser<tune_answer_free>>;
using kernel = std::unique_ptr<tune_kernel, releaser<tune_kernel_free>>;
using memory = std::unique_ptr<void, releaser<device_free>>;

// make<handle>(tune_open, options): what a function of tune.h leaves in the argument before the error.
template <typename Owner, typename Function, typename... Arguments>
Owner make(Function function, Arguments... arguments)
{
    tune_error error;
    typename Owner::pointer result = nullptr;
    if (function(arguments..., &result, &error) != TUNE_OK)
        throw std::runtime_error(std::string(error.text) + (error.hint[0] ? "\n    hint: " : "") + error.hint);
    return Owner(result);
}

class smoother
{
  public:
    smoother(const char *folder, int64_t count)
    {
        const tune_size size = {"n", count};
        tune_problem problem = {};
        problem.bytes = sizeof problem;
        problem.kernel = folder;
        problem.device = device_name;
        problem.sizes = &size;
        problem.size_count = 1;
        const handle library = make<handle>(tune_open, nullptr);
        best = make<answer>(tune_best, library.get(), &problem);
        loaded = make<kernel>(tune_load, library.get(), best.get(), nullptr);
    }

    std::string configuration() const
    {
        tune_answer_info info = {};
        info.bytes = sizeof info;
        tune_answer_describe(best.get(), &info);
        return info.configuration;
    }

    std::vector<float> operator()(const std::vector<float> &signal) const
    {
        const size_t bytes = signal.size() * sizeof(float);
        const memory in(device_new(bytes)), out(device_new(bytes));
        std::vector<float> result(signal.size());
        const tune_buffer buffers[] = {{in.get(), bytes}, {out.get(), bytes}};
        tune_error error;
        if (!in || !out || !device_copy(in.get(), signal.data(), bytes))
            throw std::runtime_error("no memory on the device");
        if (tune_launch(loaded.get(), nullptr, buffers, 2, &error) != TUNE_OK)
            throw std::runtime_error(error.text);
        if (!device_copy(result.data(), out.get(), bytes))
            throw std::runtime_error("the device failed");
        return result;
    }

  private:
    answer best;
    kernel loaded;
};

// A slow wave, and noise that the smoothing takes away.
static std::vector<float> noisy_wave(size_t count)
{
    std::vector<float> signal(count);
    unsigned state = 1;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        signal[i] = std::sin(1e-3f * static_cast<float>(i)) + static_cast<float>(state >> 8) / 16777216.0f - 0.5f;
    }
    return signal;
}

// The greatest step from one sample to the next.
static float roughness(const std::vector<float> &signal)
{
    float most = 0;
    for (size_t i = 1; i < signal.size(); i++)
        most = std::max(most, std::abs(signal[i] - signal[i - 1]));
    return most;
}

int main(int count, char **arguments)
try {
    const std::vector<float> signal = noisy_wave(100000);
    const smoother smooth(count > 1 ? arguments[1] : "./smooth", static_cast<int64_t>(signal.size()));
    const std::vector<float> smoothed = smooth(signal);
    std::printf("%s: steps of up to %.4f are now up to %.4f; sample 50000 was %.6f and is %.6f\n",
                smooth.configuration().c_str(), static_cast<double>(roughness(signal)),
                static_cast<double>(roughness(smoothed)), static_cast<double>(signal[50000]),
                static_cast<double>(smoothed[50000]));
    return 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "own_kernel: %s\n", error.what());
    return 1;
}
