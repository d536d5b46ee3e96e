// fiber.cpp: see fiber.hpp.  A switch pushes the registers that a called function must preserve, changes the stack pointer,
// and pops those of the other fiber.  (swapcontext would set the signal mask by a system call each time.)
#include "fiber.hpp"

#include <cstdint>

#if defined(__x86_64__)
asm(R"(
.text
.globl emulated_fiber_switch
.hidden emulated_fiber_switch
.type emulated_fiber_switch, @function
emulated_fiber_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq (%rsi), %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size emulated_fiber_switch, .-emulated_fiber_switch
)");
enum { PRESERVED = 6 };
#elif defined(__aarch64__)
asm(R"(
.text
.globl emulated_fiber_switch
.hidden emulated_fiber_switch
.type emulated_fiber_switch, %function
emulated_fiber_switch:
  sub sp, sp, #160
  stp x19, x20, [sp]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x2, sp
  str x2, [x0]
  ldr x2, [x1]
  mov sp, x2
  ldp x19, x20, [sp]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size emulated_fiber_switch, .-emulated_fiber_switch
)");
#else
#error "fiber.cpp supports x86-64 and AArch64"
#endif

namespace emulated {

void fiber_make(fiber *f, char *stack, size_t bytes, void (*body)()) {
  uintptr_t top = (uintptr_t)(stack + bytes) / 16 * 16;
  void **place = (void **)top;
#if defined(__x86_64__)
  *--place = nullptr;  // the return address of body, which aligns the stack as after a call
  *--place = (void *)body;
  for (int i = 0; i < PRESERVED; i++) *--place = nullptr;
#else
  place -= 20;
  for (int i = 0; i < 20; i++) place[i] = nullptr;
  place[11] = (void *)body;  // x30
#endif
  f->stack_pointer = place;
}

}  // namespace emulated
