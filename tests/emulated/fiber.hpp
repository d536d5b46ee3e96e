// fiber.hpp: fibers, the threads of a kernel, which switch to each other explicitly.
#pragma once

#include <cstddef>

namespace emulated {

struct fiber {
  void *stack_pointer;
};

// A fiber that will run `body`, which must not return.
void fiber_make(fiber *f, char *stack, size_t bytes, void (*body)());
extern "C" void emulated_fiber_switch(fiber *from, const fiber *to);

}  // namespace emulated
