# Where C++ and lanes meet. In traced code %r15 is where the lane's next event goes; the runtime's own
# code knows it as wl_writer.
#define WRITER wl_writer(%rip)
	.text

# Functions of the runtime that a lane may wait in.
.macro LANE_CALL name
	.globl	\name
	.type	\name, @function
\name:
	movq	%r15, WRITER
	subq	$8, %rsp
	call	\name\()_impl
	addq	$8, %rsp
	movq	WRITER, %r15
	ret
	.size	\name, .-\name
.endm
	LANE_CALL wl_block_barrier
	LANE_CALL wl_block_vote
	LANE_CALL wl_warp_barrier
	LANE_CALL wl_ballot
	LANE_CALL wl_match
	LANE_CALL wl_exchange
	LANE_CALL wl_shuffle
	LANE_CALL wl_active
	LANE_CALL wl_grid_barrier
	LANE_CALL wl_lockstep
	LANE_CALL wl_turn
	LANE_CALL wl_trap

# void wl_switch_stack(void** from, void* to): what a function must find unchanged goes to the stack
# that is left.
	.globl	wl_switch_stack
	.type	wl_switch_stack, @function
wl_switch_stack:
	pushq	%rbp
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	movq	%rsp, (%rdi)
	movq	%rsi, %rsp
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	ret
	.size	wl_switch_stack, .-wl_switch_stack

# The lane's room for events is full. Called between any two instructions: all registers stay.
	.globl	wl_event_full
	.type	wl_event_full, @function
wl_event_full:
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
	andq	$-64, %rsp
	subq	$512, %rsp
	fxsave	(%rsp)
	movq	%r15, WRITER
	cld
	call	wl_event_full_impl
	movq	WRITER, %r15
	fxrstor	(%rsp)
	leaq	-72(%rbp), %rsp
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%rcx
	popq	%rax
	popq	%rbp
	ret
	.size	wl_event_full, .-wl_event_full

# A call through a pointer, in %r11: to the traced copy where there is one. Arguments stay.
	.globl	wl_indirect
	.type	wl_indirect, @function
wl_indirect:
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	andq	$-64, %rsp
	subq	$512, %rsp
	fxsave	(%rsp)
	movq	%r11, %rdi
	call	wl_traced_copy
	movq	%rax, %r11
	fxrstor	(%rsp)
	leaq	-64(%rbp), %rsp
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%rcx
	popq	%rax
	popq	%rbp
	jmp	*%r11
	.size	wl_indirect, .-wl_indirect

# The host calls a kernel (%rax: its row): its arguments are kept, the launch runs within the call.
	.globl	wl_launch_entry
	.type	wl_launch_entry, @function
wl_launch_entry:
	pushq	%rbp
	movq	%rsp, %rbp
	subq	$128, %rsp
	movq	%rdi, (%rsp)
	movq	%rsi, 8(%rsp)
	movq	%rdx, 16(%rsp)
	movq	%rcx, 24(%rsp)
	movq	%r8, 32(%rsp)
	movq	%r9, 40(%rsp)
	movsd	%xmm0, 48(%rsp)
	movsd	%xmm1, 56(%rsp)
	movsd	%xmm2, 64(%rsp)
	movsd	%xmm3, 72(%rsp)
	movsd	%xmm4, 80(%rsp)
	movsd	%xmm5, 88(%rsp)
	movsd	%xmm6, 96(%rsp)
	movsd	%xmm7, 104(%rsp)
	leaq	16(%rbp), %rcx
	movq	%rcx, 112(%rsp)
	movq	$0, 120(%rsp)
	movq	%rax, %rdi
	movq	%rsp, %rsi
	call	wl_launch
	leave
	ret
	.size	wl_launch_entry, .-wl_launch_entry

# uint64_t* wl_enter_kernel(const CallArguments*, const void* kernel, uint64_t* writer): calls the
# kernel as the host did, once more.
	.globl	wl_enter_kernel
	.type	wl_enter_kernel, @function
wl_enter_kernel:
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%rbx
	movq	%rdx, %r15
	movq	%rsi, %r11
	movq	%rdi, %rbx
	movq	120(%rbx), %rcx
	testq	%rcx, %rcx
	je	2f
	leaq	1(%rcx), %rax
	andq	$-2, %rax
	shlq	$3, %rax
	subq	%rax, %rsp
	movq	112(%rbx), %rsi
	movq	%rsp, %rdi
1:	movq	(%rsi), %rax
	movq	%rax, (%rdi)
	addq	$8, %rsi
	addq	$8, %rdi
	decq	%rcx
	jne	1b
2:	movq	(%rbx), %rdi
	movq	8(%rbx), %rsi
	movq	16(%rbx), %rdx
	movq	24(%rbx), %rcx
	movq	32(%rbx), %r8
	movq	40(%rbx), %r9
	movsd	48(%rbx), %xmm0
	movsd	56(%rbx), %xmm1
	movsd	64(%rbx), %xmm2
	movsd	72(%rbx), %xmm3
	movsd	80(%rbx), %xmm4
	movsd	88(%rbx), %xmm5
	movsd	96(%rbx), %xmm6
	movsd	104(%rbx), %xmm7
	call	*%r11
	movq	%r15, %rax
	leaq	-16(%rbp), %rsp
	popq	%rbx
	popq	%r15
	popq	%rbp
	ret
	.size	wl_enter_kernel, .-wl_enter_kernel
	.section	.note.GNU-stack,"",@progbits
