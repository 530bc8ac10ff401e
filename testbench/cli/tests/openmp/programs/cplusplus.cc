// SPDX-License-Identifier: MIT OR Apache-2.0
// C++: containers, streams, exceptions, atomics, mutexes, local static variables.
#include <algorithm>
#include <atomic>
#include <iostream>
#include <map>
#include <mutex>
#include <numeric>
#include <pthread.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

static int made;
struct Made { int value; Made() : value(++made) {} };

static int local()
{
    static Made only;
    return only.value;
}

static void once() { made += 100; }

// Streams with buffers of libstdc++, as programs that print much have them.
static void streams(const std::string &what)
{
    std::ios::sync_with_stdio(false);
    int number = 0, sum = 0;
    std::cin >> number;
#pragma omp parallel
    {
#pragma omp critical
        if (what == "print")
            std::cout << "line" << '\n';
        else if (std::cin >> number)
            sum += number;
#pragma omp barrier
#pragma omp master
        if (std::cin >> number)
            sum += number;
    }
    std::cout << sum << '\n';
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        streams(argv[1]);
        return 0;
    }
    std::vector<double> x(500);
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (std::size_t i = 0; i < x.size(); i++)
        sum += x[i] = i * 0.5;
    std::map<std::string, int> table;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 12; i++) {
        std::ostringstream name;
        name << "name " << i * i;
#pragma omp critical
        table[name.str()] = i;
    }
    std::atomic<int> atomic{0};
    std::mutex mutex;
    std::recursive_mutex recursive;
    pthread_spinlock_t spin;
    pthread_spin_init(&spin, 0);
    pthread_once_t first = PTHREAD_ONCE_INIT;
    int caught = 0, locked = 0, twice = 0, spun = 0, locals = 0;
    std::vector<std::vector<int>> lists(4);
#pragma omp parallel num_threads(4) reduction(+ : caught, locals)
    {
        try {
            throw std::runtime_error("thrown");
        } catch (const std::exception &e) {
            caught += e.what()[0] == 't';
        }
        atomic.fetch_add(3);
        for (int i = 0; i < 3; i++) {
            std::lock_guard<std::mutex> held(mutex);
            locked++;
        }
        recursive.lock();
        recursive.lock();
        twice++;
        recursive.unlock();
        recursive.unlock();
        pthread_spin_lock(&spin);
        spun++;
        pthread_spin_unlock(&spin);
        locals += local();
#pragma omp barrier
        pthread_once(&first, once);
#pragma omp for
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 50; i++)
                lists[k].push_back(i * k);
    }
    for (const auto &list : lists)
        sum += std::accumulate(list.begin(), list.end(), 0);
    std::cout << sum << " " << atomic << " " << caught << " " << locked << " " << twice << " " << spun << " "
              << locals << " " << made << std::endl;
    for (const auto &[name, value] : table)
        std::cout << name << ": " << value << "\n";
}
