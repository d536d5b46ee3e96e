// compile.cpp: see compile.hpp.
#include "compile.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

#include "local/cuda/kernels/args/pass_args.h"

#ifndef EMULATED_SOURCES
#error "EMULATED_SOURCES is the folder of words.hpp, EMULATED_HOOKS the library of hooks.cpp"
#endif

namespace emulated {

static std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

static bool write(const std::string &path, const std::string &text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  return (bool)file.flush();
}

static unsigned long long hash(const std::string &text) {
  unsigned long long h = 0xcbf29ce484222325u;
  for (unsigned char c : text) h = (h ^ c) * 0x100000001b3u;
  return h;
}

// Passes of the compiler that take longer than they save in a kernel that runs a few times: a quarter of its time.
static const char quick[] =
    " -fno-ivopts -fno-tree-dominator-opts -fno-tree-dse -fno-tree-sink -fno-tree-slsr -fno-tree-pta"
    " -fno-tree-loop-optimize -fno-dse -fno-dce -fno-ipa-modref -fno-ipa-pure-const -fno-ipa-reference -fno-if-conversion"
    " -fno-forward-propagate -fno-tree-bit-ccp";

// -fsanitize=thread turns loads and stores into calls, which hooks.cpp answers; MFFT_EMULATED_CHECK=0 leaves them
// as they are.
static std::string compiler() {
  const char *name = getenv("CXX"), *check = getenv("MFFT_EMULATED_CHECK");
  const bool unchecked = check && *check == '0';
  return std::string(name && *name ? name : "c++") +
         " -std=c++17 -pipe -O1 -w -fPIC -shared -fno-exceptions -fno-rtti -fvisibility=hidden -ffp-contract=off "
         "-nodefaultlibs -nostartfiles -fno-use-linker-plugin -Wl,--build-id=none" +
         quick + (unchecked ? "" : " -fsanitize=thread --param tsan-instrument-func-entry-exit=0");
}

unsigned compiler_version() {
  std::string all = compiler();
  for (const char *name : {"kernel.hpp", "words.hpp", "product.hpp", "entry.hpp", "hooks.cpp"})
    all += contents(std::string(EMULATED_SOURCES "/") + name);
  return (unsigned)(hash(all) % 1000000000);
}

// Dynamic shared memory, "extern __shared__ [__align__(N)] TYPE NAME[];", becomes a pointer.  Text is searched word by word:
// std::regex crashes in a process that holds a second libstdc++, linked into a library of its own.
static std::string with_shared_pointers(std::string text) {
  static const std::string words = "extern __shared__ ", align = "__align__(";
  for (size_t at = text.find(words); at != std::string::npos; at = text.find(words, at)) {
    size_t type = at + words.size();
    if (text.compare(type, align.size(), align) == 0) type = text.find(") ", type) + 2;
    const size_t end = text.find("[];", type), name = text.rfind(' ', end) + 1;
    const std::string kind = text.substr(type, name - 1 - type);
    text.replace(at, end + 3 - at,
                 kind + " *const " + text.substr(name, end - name) + " = (" + kind + " *)emulated::machine->shared();");
  }
  return text;
}

// The first argument of the first __launch_bounds__, the most threads of a block.
static std::string most_threads(const std::string &text) {
  static const std::string bounds = "__launch_bounds__(";
  const size_t at = text.find(bounds);
  if (at == std::string::npos) return "1024";
  const size_t first = at + bounds.size();
  return text.substr(first, text.find_first_of(",)", first) - first);
}

static std::string rewritten(const source &main) {
  std::ostringstream text;
  text << "#include \"words.hpp\"\n#line 1 \"" << main.name << "\"\n"
       << with_shared_pointers(main.text)
       << "\nnamespace mfft {\nconstexpr unsigned emulated_most_threads = " << most_threads(main.text)
       << ";\n}\n#include \"entry.hpp\"\n";
  return text.str();
}

static std::string quoted(const std::string &text) {
  std::string quoted = "'";
  for (char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

// The folder of this library, or a temporary one.
static std::string folder() {
  Dl_info info;
  if (dladdr((void *)&compiler_version, &info) && info.dli_fname) {
    const std::string path = info.dli_fname;
    const std::string made = path.substr(0, path.rfind('/') + 1) + "kernels";
    if (mkdir(made.c_str(), 0777) == 0 || access(made.c_str(), W_OK) == 0) return made;
  }
  const char *temporary = getenv("TMPDIR");
  return temporary && *temporary ? temporary : "/tmp";
}

// A folder with the sources of a kernel, made once; its name, or nothing where it cannot be made.
static std::string keep_sources(const source &main, const std::vector<source> &headers) {
  std::string all = main.name + main.text;
  for (const source &h : headers) all += h.name + h.text;
  char name[32];
  snprintf(name, sizeof name, "/%016llx", hash(all));
  const std::string place = folder() + name;
  if (access(place.c_str(), R_OK) == 0) return place;
  std::string made = place + ".XXXXXX";
  if (!mkdtemp(made.data())) return "";
  bool good = write(made + "/main.cpp", rewritten(main));
  for (const source &h : headers) good &= write(made + "/" + h.name, h.text);
  if (good && rename(made.c_str(), place.c_str()) == 0) return place;
  if (system(("rm -r " + quoted(made)).c_str()) != 0) return "";
  return good && access(place.c_str(), R_OK) == 0 ? place : "";  // another process may have been first
}

static const char mark[] = "emulated kernel\n";

// Of passes alone, which are the kernels of the library's own graphs: those that do not scatter have no such arguments.
static size_t bytes_of_arguments(const source &main, const std::vector<std::string> &options) {
  if (main.text.find("mfft_pass(const __grid_constant__ mfft_pass_args ") == std::string::npos) return 0;
  for (const std::string &o : options)
    if (o == "-DPASS_SHARES=0") return offsetof(mfft_pass_args, scatter);
  return sizeof(mfft_pass_args);
}

std::string describe(const source &main, const std::vector<source> &headers, const std::vector<std::string> &options) {
  const std::string place = keep_sources(main, headers);
  if (place.empty()) return "";
  std::string words;
  for (const std::string &o : options)
    if (o.compare(0, 2, "-D") == 0) words += " " + quoted(o);
  words += " " + quoted("-DEMULATED_NAME=\"" + main.name + "\"");
  char name[32];
  snprintf(name, sizeof name, "/%016llx.so", hash(place + std::to_string(compiler_version()) + words));
  // Linked to no library: the process has those of C and mathematics, and looking for them takes a tenth of the time.
  const std::string command = compiler() + " -I" + quoted(place) + " -I" EMULATED_SOURCES + words + " " +
                              quoted(place + "/main.cpp") + " " EMULATED_HOOKS " -lgcc";
  return mark + folder() + name + "\n" + command + "\n" + std::to_string(bytes_of_arguments(main, options)) + "\n" + '\0';
}

bool is_description(const void *image) { return memcmp(image, mark, sizeof mark - 1) == 0; }

static bool run_compiler(const std::string &command, const std::string &library, std::string *log) {
  std::string made = library + ".XXXXXX";
  const int file = mkstemp(made.data());
  if (file < 0) return false;
  fchmod(file, 0755);
  close(file);
  const std::string said = made + ".log";
  const bool good = system((command + " -o " + quoted(made) + " >" + quoted(said) + " 2>&1").c_str()) == 0 &&
                    rename(made.c_str(), library.c_str()) == 0;
  *log = contents(said);
  unlink(said.c_str());
  if (!good) unlink(made.c_str());
  return good;
}

size_t argument_bytes(const char *description) {
  std::istringstream lines(description + sizeof mark - 1);
  std::string library, command;
  size_t bytes = 0;
  std::getline(lines, library);
  std::getline(lines, command);
  lines >> bytes;
  return bytes;
}

std::string compile(const char *description, std::string *log) {
  std::istringstream lines(description + sizeof mark - 1);
  std::string library, command;
  std::getline(lines, library);
  std::getline(lines, command);
  std::string made = contents(library);
  if (!made.empty()) return made;
  const std::string guard = library + ".lock";
  const int lock = open(guard.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  if (lock >= 0) flock(lock, LOCK_EX);  // of several processes one compiles
  made = contents(library);
  if (made.empty() && run_compiler(command, library, log)) made = contents(library);
  unlink(guard.c_str());
  if (lock >= 0) close(lock);
  return made;
}

}  // namespace emulated
