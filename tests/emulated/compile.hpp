// compile.hpp: kernels as libraries of this machine.
//
// The emulated NVRTC compiles nothing: what it returns is text that says how.  The emulated driver compiles a kernel when it
// is first launched, or when a graph of it is, since most tests make plans of many kernels, of which they launch few or
// none.
#pragma once

#include <string>
#include <vector>

namespace emulated {

struct source {
  std::string name, text;
};

// Changes with what stands around a kernel and how it is compiled: part of the version of the compiler.
unsigned compiler_version();

// Text that names the library to be made of a kernel and the command that makes it, with a NUL behind it; nothing where its
// sources cannot be written.  Sources and libraries are stored in the folder `kernels` beside this library, where other
// processes find them.
std::string describe(const source &main, const std::vector<source> &headers, const std::vector<std::string> &options);

// Whether something is text of describe().
bool is_description(const void *image);

// The size of the arguments of the kernel of a text of describe(), if that is known without compiling it; otherwise 0.
size_t argument_bytes(const char *description);

// The bytes of the library that a text of describe() names, compiled if it is not there; or nothing, and what the compiler
// said.
std::string compile(const char *description, std::string *log);

}  // namespace emulated
