/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/syscall_filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifndef ARCHITECTURE

bool syscall_filter_possible(void)
{
    return false;
}

bool syscall_filter_enforce(bool local_sockets)
{
    (void)local_sockets;
    return false;
}

#else

#ifndef __X32_SYSCALL_BIT
#define __X32_SYSCALL_BIT 0x40000000
#endif

/* Numbers from 424 on are the same everywhere; headers may be older than the kernel. */
enum { NR_open_tree = 428, NR_move_mount = 429, NR_fsopen = 430, NR_fsmount = 432, NR_mount_setattr = 442 };

enum rule { REFUSED, MISSING, REFUSED_WITHOUT_LOCAL };

static const struct refusal {
    unsigned number;
    enum rule rule;
} refusals[] = {
    /* past this filter, and past Landlock */
    {SYS_io_uring_setup, MISSING},
    {SYS_io_uring_enter, MISSING},
    {SYS_io_uring_register, MISSING},
    /* other processes and what the user keeps in the kernel */
    {SYS_ptrace, REFUSED},
    {SYS_process_vm_readv, REFUSED},
    {SYS_process_vm_writev, REFUSED},
    {SYS_pidfd_getfd, REFUSED},
    {SYS_kcmp, REFUSED},
    {SYS_keyctl, REFUSED},
    {SYS_add_key, REFUSED},
    {SYS_request_key, REFUSED},
    /* objects that outlive their process */
    {SYS_shmget, REFUSED_WITHOUT_LOCAL},
    {SYS_semget, REFUSED_WITHOUT_LOCAL},
    {SYS_msgget, REFUSED_WITHOUT_LOCAL},
    {SYS_mq_open, REFUSED_WITHOUT_LOCAL},
    /* the system */
    {SYS_unshare, REFUSED},
    {SYS_setns, REFUSED},
    {SYS_mount, REFUSED},
    {SYS_umount2, REFUSED},
    {SYS_pivot_root, REFUSED},
    {SYS_chroot, REFUSED},
    {NR_open_tree, REFUSED},
    {NR_move_mount, REFUSED},
    {NR_fsopen, REFUSED},
    {NR_fsmount, REFUSED},
    {NR_mount_setattr, REFUSED},
    {SYS_open_by_handle_at, REFUSED},
    {SYS_bpf, REFUSED},
    {SYS_perf_event_open, REFUSED},
    {SYS_userfaultfd, REFUSED},
    {SYS_init_module, REFUSED},
    {SYS_finit_module, REFUSED},
    {SYS_delete_module, REFUSED},
    {SYS_kexec_load, REFUSED},
    {SYS_kexec_file_load, REFUSED},
    {SYS_reboot, REFUSED},
    {SYS_swapon, REFUSED},
    {SYS_swapoff, REFUSED},
    {SYS_settimeofday, REFUSED},
    {SYS_clock_settime, REFUSED},
    {SYS_sethostname, REFUSED},
    {SYS_setdomainname, REFUSED},
    {SYS_acct, REFUSED},
    {SYS_quotactl, REFUSED},
    {SYS_syslog, REFUSED},
#ifdef SYS_iopl
    {SYS_iopl, REFUSED},
    {SYS_ioperm, REFUSED},
#endif
};
enum {
    REFUSALS = sizeof refusals / sizeof *refusals,
    HEAD = 6,
    SOCKETS = 6,
    PROGRAM_MOST = HEAD + 2 * REFUSALS + SOCKETS + 1
};

struct program {
    struct sock_filter code[PROGRAM_MOST];
    unsigned short length;
};

static void add(struct program *program, struct sock_filter instruction)
{
    program->code[program->length++] = instruction;
}

static struct sock_filter load(size_t offset)
{
    return (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset);
}

static struct sock_filter answer(unsigned code)
{
    return (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, code);
}

/* Skip the next `skipped` instructions unless the loaded word is `value`. */
static struct sock_filter unless(unsigned value, unsigned char skipped)
{
    return (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped);
}

static const unsigned refused = SECCOMP_RET_ERRNO | EPERM, missing = SECCOMP_RET_ERRNO | ENOSYS;

static void add_head(struct program *program)
{
    add(program, load(offsetof(struct seccomp_data, arch)));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
    add(program, answer(refused));
    add(program, load(offsetof(struct seccomp_data, nr)));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, __X32_SYSCALL_BIT, 0, 1));
    add(program, answer(refused));
}

/* socket() by its first argument; socketpair() reaches nobody else and stays. */
static void add_sockets(struct program *program, bool local)
{
    if (!local) {
        add(program, unless(SYS_socket, 1));
        add(program, answer(refused));
        return;
    }
    add(program, unless(SYS_socket, 4));
    add(program, load(offsetof(struct seccomp_data, args)));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 2, 0));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 1, 0));
    add(program, answer(refused));
}

bool syscall_filter_possible(void)
{
    /* Without a filter the call fails: with EFAULT if it is known. */
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) != 0 && errno == EFAULT;
}

bool syscall_filter_enforce(bool local_sockets)
{
    struct program program = {0};
    add_head(&program);
    for (size_t i = 0; i < REFUSALS; i++) {
        if (refusals[i].rule == REFUSED_WITHOUT_LOCAL && local_sockets)
            continue;
        add(&program, unless(refusals[i].number, 1));
        add(&program, answer(refusals[i].rule == MISSING ? missing : refused));
    }
    add_sockets(&program, local_sockets);
    add(&program, answer(SECCOMP_RET_ALLOW));
    const struct sock_fprog filter = {.len = program.length, .filter = program.code};
    /* Some kernels disable speculation in filtered processes, which would change the times that they measure. */
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter) == 0 ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

#endif
