// compile.hpp: kernels as libraries of this machine.
#pragma once

#include <string>
#include <vector>

namespace emulated {

struct source {
  std::string name, text;
};

// Changes with what stands around a kernel and how it is compiled: part of the version of the compiler.
unsigned compiler_version();

// The bytes of the library, or nothing and what the compiler said.  What was made is kept in the folder `kernels` beside
// this library, where other processes find it.
std::string compile(const source &main, const std::vector<source> &headers, const std::vector<std::string> &options,
                    std::string *log);

}  // namespace emulated
