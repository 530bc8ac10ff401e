// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions of libc that are checked and then run as they are. Each has a few instructions that keep all
//! arguments, so that functions with any number of arguments are possible.

use crate::{cell::Solo, descriptors, die::die, image, rank, switch, system, team};
use libc::c_void;
use std::{
    arch::naked_asm,
    ffi::{CStr, CString},
};

/// What is checked before a function runs.
#[derive(Clone, Copy)]
enum Rule {
    /// Input belongs to node 0: streams have their buffers in its process.
    Input,
    /// Not after the first parallel region: it changes what the other processes do not see.
    Early,
    /// Not in a region with more than one thread.
    Serial,
    /// Not at all.
    Never,
    /// The system writes to a buffer: the argument with its address, and its bytes.
    Buffer(usize, Size),
    /// Descriptor in the first argument.
    Descriptor,
    /// Both.
    Receive(usize, Size),
}

#[derive(Clone, Copy)]
enum Size {
    Fixed(usize),
    /// The argument with this index.
    Argument(usize),
    /// Product of two arguments.
    Product(usize, usize),
}

/// Integer arguments, in the order in which the code below saves them.
#[repr(C)]
struct Saved {
    r9: usize,
    r8: usize,
    rcx: usize,
    rdx: usize,
    rsi: usize,
    rdi: usize,
    rax: usize,
}

impl Saved {
    fn argument(&self, index: usize) -> usize {
        [self.rdi, self.rsi, self.rdx, self.rcx, self.r8, self.r9].get(index).copied().unwrap_or(0)
    }

    fn size(&self, size: Size) -> usize {
        match size {
            Size::Fixed(bytes) => bytes,
            Size::Argument(index) => self.argument(index),
            Size::Product(a, b) => self.argument(a).saturating_mul(self.argument(b)),
        }
    }
}

fn check(name: &str, rule: Rule, saved: &Saved) {
    match rule {
        Rule::Input if rank::rank() != 0 => {
            die!(
                "{name} in a parallel region on thread {}: only thread 0 can read input (use `master` or `single`)",
                rank::rank()
            )
        }
        Rule::Early if rank::started() => {
            die!(
                "{name} after the first parallel region: not supported, as only one thread would see its effect"
            )
        }
        Rule::Serial if team::in_region() => {
            die!("{name} in a parallel region: not supported, as its state belongs to one thread")
        }
        Rule::Never => die!("{name}: not supported in an OpenMP program on the ring"),
        Rule::Buffer(at, size) => image::open_all(saved.argument(at), saved.size(size)),
        Rule::Receive(at, size) => {
            descriptors::check(name, saved.argument(0));
            image::open_all(saved.argument(at), saved.size(size));
        }
        Rule::Descriptor => descriptors::check(name, saved.argument(0)),
        _ => {}
    }
}

/// Checks the call of function `index`, and gives libc's own.
extern "C" fn enter(index: usize, saved: &Saved) -> *mut c_void {
    static REAL: Solo<[usize; COUNT]> = Solo::new([0; COUNT]);
    let (name, rule) = RULES[index];
    if rank::active() {
        switch::run(|| check(name, rule, saved));
    }
    let real = &mut REAL.get()[index];
    if *real == 0 {
        let c_name = CString::new(name).unwrap_or_default();
        let c_name: &CStr = &c_name;
        *real = system::next(c_name) as usize;
        if *real == 0 {
            die!("libc has no {name}");
        }
    }
    *real as *mut c_void
}

macro_rules! forwarded {
    ($($name:ident $rule:expr;)*) => {
        /// Position of each function in the table.
        #[expect(non_camel_case_types, reason = "names of libc")]
        enum Index { $($name,)* Count }
        const COUNT: usize = Index::Count as usize;
        static RULES: [(&str, Rule); COUNT] = [$((stringify!($name), $rule),)*];
        $(
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            unsafe extern "C" fn $name() {
                // Seven words keep the stack aligned to 16 bytes.
                naked_asm!(
                    "push rax", "push rdi", "push rsi", "push rdx", "push rcx", "push r8", "push r9",
                    "sub rsp, 128",
                    "movups [rsp], xmm0", "movups [rsp + 16], xmm1",
                    "movups [rsp + 32], xmm2", "movups [rsp + 48], xmm3",
                    "movups [rsp + 64], xmm4", "movups [rsp + 80], xmm5",
                    "movups [rsp + 96], xmm6", "movups [rsp + 112], xmm7",
                    "mov edi, {index}",
                    "lea rsi, [rsp + 128]",
                    "call {enter}",
                    "mov r11, rax",
                    "movups xmm0, [rsp]", "movups xmm1, [rsp + 16]",
                    "movups xmm2, [rsp + 32]", "movups xmm3, [rsp + 48]",
                    "movups xmm4, [rsp + 64]", "movups xmm5, [rsp + 80]",
                    "movups xmm6, [rsp + 96]", "movups xmm7, [rsp + 112]",
                    "add rsp, 128",
                    "pop r9", "pop r8", "pop rcx", "pop rdx", "pop rsi", "pop rdi", "pop rax",
                    "jmp r11",
                    index = const Index::$name as usize,
                    enter = sym enter,
                )
            }
        )*
    };
}

use Rule::{Buffer, Descriptor, Early, Input, Never, Receive, Serial};
use Size::{Argument, Fixed, Product};

forwarded! {
    scanf Input; fscanf Input; vscanf Input; vfscanf Input;
    __isoc99_scanf Input; __isoc99_fscanf Input; __isoc99_vscanf Input; __isoc99_vfscanf Input;
    __isoc23_scanf Input; __isoc23_fscanf Input;
    fgets Input; fgetc Input; getc Input; getchar Input; getchar_unlocked Input; _IO_getc Input;
    getline Input; getdelim Input; ungetc Input; fgetwc Input; fgetws Input; rewind Serial;
    setenv Early; putenv Early; unsetenv Early; clearenv Early; setlocale Early; chdir Early;
    fchdir Early; umask Early; dlopen Early; mprotect Early; brk Early; sbrk Early; madvise Early;
    srand48 Early; seed48 Early; lcong48 Early;
    drand48 Serial; lrand48 Serial; mrand48 Serial;
    system Serial; popen Serial; posix_spawn Serial; posix_spawnp Serial; getopt Serial; getopt_long Serial;
    atexit Serial; hcreate Serial; hsearch Serial; hdestroy Serial;
    fork Never; vfork Never; clone Never; execve Never; execv Never; execvp Never; execl Never;
    execlp Never; execle Never; execvpe Never; fexecve Never; pthread_create Never; thrd_create Never;
    mremap Never; sigaltstack Never; shmat Never; swapcontext Never; setcontext Never;
    fread Buffer(0, Product(1, 2));
    fread_unlocked Buffer(0, Product(1, 2));
    read Receive(1, Argument(2)); pread Receive(1, Argument(2)); pread64 Receive(1, Argument(2));
    recv Receive(1, Argument(2)); recvfrom Receive(1, Argument(2));
    write Descriptor; pwrite Descriptor; pwrite64 Descriptor; writev Descriptor; send Descriptor;
    lseek Descriptor; lseek64 Descriptor; fsync Descriptor; ftruncate Descriptor; ftruncate64 Descriptor;
    stat Buffer(1, Fixed(144)); lstat Buffer(1, Fixed(144)); stat64 Buffer(1, Fixed(144));
    lstat64 Buffer(1, Fixed(144));
    fstat Receive(1, Fixed(144)); fstat64 Receive(1, Fixed(144));
    getcwd Buffer(0, Argument(1)); uname Buffer(0, Fixed(390)); sysinfo Buffer(0, Fixed(112));
    times Buffer(0, Fixed(32)); getrusage Buffer(1, Fixed(144)); getrlimit Buffer(1, Fixed(16));
    clock_gettime Buffer(1, Fixed(16)); clock_getres Buffer(1, Fixed(16));
    gettimeofday Buffer(0, Fixed(16)); readlink Buffer(1, Argument(2)); gethostname Buffer(0, Argument(1));
    nanosleep Buffer(1, Fixed(16)); clock_nanosleep Buffer(3, Fixed(16)); waitpid Buffer(1, Fixed(4));
    wait Buffer(0, Fixed(4)); poll Buffer(0, Fixed(4096)); select Buffer(1, Fixed(128));
    ioctl Buffer(2, Fixed(256)); getitimer Buffer(1, Fixed(32)); setitimer Buffer(2, Fixed(32));
    readv Early; preadv Early; recvmsg Early; accept Early; getsockopt Early; pipe Early; pipe2 Early;
    socketpair Early; epoll_wait Early; scandir Early; glob Early; ftw Early; nftw Early; fts_open Early;
    getaddrinfo Early; gethostbyname Early; getpwnam Early; getpwuid Early; getgrnam Early; dlclose Early;
    pthread_cond_wait Serial; pthread_cond_timedwait Serial; pthread_barrier_wait Serial;
    pthread_mutex_timedlock Serial; sem_wait Serial; sem_timedwait Serial; sem_trywait Serial;
    sem_post Serial; cnd_wait Serial; cnd_timedwait Serial; mtx_trylock Serial; mtx_timedlock Serial;
    call_once Serial; pthread_cancel Never; pthread_kill Serial;
    freopen Early; freopen64 Early; readdir Serial; readdir64 Serial;
    shm_open Early; timer_create Early; aio_read Never; lio_listio Never;
    getrandom Buffer(0, Argument(1)); getentropy Buffer(0, Argument(1));
}
