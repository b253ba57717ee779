// NVIDIA's parallel algorithms, CUB and Thrust, each compared with the host's. Prints which are right.
#include <cub/cub.cuh>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/inner_product.h>
#include <thrust/merge.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

template <class T> using device = thrust::device_vector<T>;

static bool all_right = true;

static void say(const char *what, bool right)
{
    std::printf("%s %s\n", what, right ? "right" : "wrong");
    all_right &= right;
}

template <class T> static bool begins_with(const device<T> &got, const std::vector<T> &want)
{
    std::vector<T> values(got.begin(), got.end());
    return values.size() >= want.size() && std::equal(want.begin(), want.end(), values.begin());
}

template <class T> static T *at(device<T> &values)
{
    return thrust::raw_pointer_cast(values.data());
}

// What CUB does needs a temporary array, whose size the first of two calls tells.
template <class Call> static void twice(Call call)
{
    size_t bytes = 0;
    cudaError_t status = call(nullptr, bytes);
    device<char> temporary(bytes);
    if (status == cudaSuccess)
        status = call(at(temporary), bytes);
    if (status != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
        say("a call", false);
}

struct larger {
    __host__ __device__ float operator()(float a, float b) const
    {
        return a < b ? b : a;
    }
};

struct is_even {
    __host__ __device__ bool operator()(int x) const
    {
        return x % 2 == 0;
    }
};

static void use_cub(const std::vector<int> &values)
{
    int n = (int)values.size();
    std::vector<int> keys(n), unique, lengths, bins(10), order(n);
    std::vector<float> weights(values.begin(), values.end()), largest;
    for (int i = 0; i < n; i++) {
        keys[i] = values[i] % 3;
        bins[values[i] / 100]++;
        if (i == 0 || keys[i] != keys[i - 1]) {
            unique.push_back(keys[i]);
            lengths.push_back(0);
            largest.push_back(0);
        }
        lengths.back()++;
        largest.back() = larger()(largest.back(), weights[i]);
    }
    std::iota(order.begin(), order.end(), 0);
    device<int> in(values), out(n), d_keys(keys), d_lengths(n), d_bins(10), count(1), places(order), sorted_places(n);
    device<float> d_weights(weights), d_largest(n);

    twice([&](void *memory, size_t &bytes) { return cub::DeviceReduce::Sum(memory, bytes, at(in), at(out), n); });
    say("cub reduce", out[0] == std::accumulate(values.begin(), values.end(), 0));
    twice([&](void *memory, size_t &bytes) {
        return cub::DeviceRunLengthEncode::Encode(memory, bytes, at(d_keys), at(out), at(d_lengths), at(count), n);
    });
    say("cub run lengths", count[0] == (int)unique.size() && begins_with(out, unique) && begins_with(d_lengths, lengths));
    twice([&](void *memory, size_t &bytes) {
        return cub::DeviceReduce::ReduceByKey(memory, bytes, at(d_keys), at(out), at(d_weights), at(d_largest), at(count),
                                              larger(), n);
    });
    say("cub reduce by key", count[0] == (int)unique.size() && begins_with(d_largest, largest));
    twice([&](void *memory, size_t &bytes) {
        return cub::DeviceHistogram::HistogramEven(memory, bytes, at(in), at(d_bins), 11, 0, 1000, n);
    });
    say("cub histogram", begins_with(d_bins, bins));
    twice([&](void *memory, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, at(in), at(out), at(places), at(sorted_places), n);
    });
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return values[a] < values[b]; });
    say("cub radix sort", begins_with(sorted_places, order));
}

static void use_thrust(const std::vector<int> &values)
{
    size_t n = values.size();
    std::vector<int> sorted = values, sums(n), even, merged(2 * n);
    device<int> in(values), out(n), both(2 * n);
    thrust::inclusive_scan(in.begin(), in.end(), out.begin());
    std::partial_sum(values.begin(), values.end(), sums.begin());
    say("thrust scan", begins_with(out, sums));
    say("thrust inner product", thrust::inner_product(in.begin(), in.end(), in.begin(), 0ll)
                                    == std::inner_product(values.begin(), values.end(), values.begin(), 0ll));
    auto end = thrust::copy_if(in.begin(), in.end(), out.begin(), is_even());
    std::copy_if(values.begin(), values.end(), std::back_inserter(even), is_even());
    say("thrust copy if", end - out.begin() == (long)even.size() && begins_with(out, even));
    thrust::sort(in.begin(), in.end(), [] __host__ __device__(int a, int b) { return a < b; });
    std::sort(sorted.begin(), sorted.end());
    say("thrust sort", begins_with(in, sorted));
    thrust::merge(in.begin(), in.end(), in.begin(), in.end(), both.begin());
    std::merge(sorted.begin(), sorted.end(), sorted.begin(), sorted.end(), merged.begin());
    say("thrust merge", begins_with(both, merged));
    end = thrust::unique(in.begin(), in.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    say("thrust unique", end - in.begin() == (long)sorted.size() && begins_with(in, sorted));
}

int main()
{
    unsigned state = 12345;
    for (int n : {1, 1000, 20011}) {
        std::vector<int> values(n);
        for (int &value : values)
            value = (int)((state = state * 1664525u + 1013904223u) >> 8) % 1000;
        std::printf("%d elements\n", n);
        use_cub(values);
        use_thrust(values);
    }
    return all_right ? 0 : 1;
}
