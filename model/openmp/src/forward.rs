// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions of libc that are checked and then run as they are. Each has a few instructions that keep all
//! arguments, so that functions with any number of arguments are possible.

use crate::{
    cell::Value,
    coherent, descriptors,
    die::die,
    gates::READY,
    image,
    layout::{GATE_WORDS, OWN_STACK},
    rank, stdio, streams, switch, system, team,
};
use libc::c_void;
use std::{arch::naked_asm, ffi::CString};

/// What is checked before a function runs.
#[derive(Clone, Copy)]
enum Rule {
    /// Input from the stream in this argument, or standard input: it belongs to node 0, as streams have their
    /// buffers in its process.
    Input(usize),
    /// The same, and the system writes to a buffer.
    Read(usize, usize, Size),
    /// The position in the stream of this argument, which is that of a process.
    Position(usize),
    /// Flags of the stream in this argument, which are those of a process.
    Flags(usize),
    /// Output to the stream in this argument.
    Output(usize),
    /// Output of wide characters, to the stream in this argument or standard output.
    Wide(usize),
    /// Not after the first parallel region: it changes what the other processes do not see.
    Early,
    /// Not in a region with more than one thread.
    Serial,
    /// Not at all.
    Never,
    /// The system writes to a buffer: the argument with its address, and its bytes.
    Buffer(usize, Size),
    /// Names of files.
    Names,
    /// Output to the stream in this argument of a buffer, which the system may read itself.
    Print(usize, usize, Size),
    /// Descriptor in the first argument, and the system reads a buffer.
    Outgoing(usize, Size),
    /// The same, and it reads several buffers.
    Vectors,
    /// Descriptor in the first argument.
    Descriptor,
    /// Both.
    Receive(usize, Size),
    /// The system writes to several buffers of fixed sizes.
    Several(&'static [(usize, usize)]),
}

/// In place of an argument: standard input or output.
const STANDARD: usize = usize::MAX;

#[derive(Clone, Copy)]
enum Size {
    Fixed(usize),
    /// The argument with this index.
    Argument(usize),
    /// Product of two arguments.
    Product(usize, usize),
    /// An argument, times a number of bytes.
    Times(usize, usize),
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
            Size::Times(index, bytes) => self.argument(index).saturating_mul(bytes),
        }
    }
}

fn stream_of(saved: &Saved, argument: usize, standard: usize) -> usize {
    if argument == STANDARD { standard } else { saved.argument(argument) }
}

fn check(name: &str, rule: Rule, saved: &Saved) {
    // A name, a time or another structure that the system reads.
    (0..6).for_each(|index| coherent::touch(saved.argument(index), 1, false));
    if let Rule::Names = rule {
        (0..6).for_each(|index| coherent::touch_text(saved.argument(index)));
    }
    match rule {
        Rule::Input(stream) => {
            streams::before_input(name, stream_of(saved, stream, stdio::input()));
        }
        Rule::Read(stream, at, size) => {
            streams::before_input(name, saved.argument(stream));
            image::open_all(saved.argument(at), saved.size(size));
        }
        Rule::Position(stream) => streams::before_position(name, saved.argument(stream)),
        Rule::Flags(stream) => streams::before_flags(name, saved.argument(stream)),
        Rule::Output(stream) => streams::before_output(name, saved.argument(stream)),
        Rule::Wide(stream) => {
            let stream = stream_of(saved, stream, stdio::output());
            streams::before_output(name, stream);
            stdio::before_wide(stream);
        }
        Rule::Several(buffers) => {
            for &(at, size) in buffers {
                image::open_all(saved.argument(at), size);
            }
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
        Rule::Print(stream, at, size) => {
            streams::before_output(name, saved.argument(stream));
            coherent::touch(saved.argument(at), saved.size(size), false);
        }
        Rule::Outgoing(at, size) => {
            descriptors::check(name, saved.argument(0));
            coherent::touch(saved.argument(at), saved.size(size), false);
        }
        Rule::Vectors => {
            descriptors::check(name, saved.argument(0));
            coherent::touch_vectors(saved.argument(1), saved.argument(2));
        }
        Rule::Descriptor => descriptors::check(name, saved.argument(0)),
        _ => {}
    }
}

/// Checks the call of function `index`, and gives libc's own.
extern "C" fn enter(index: usize, saved: &Saved) -> *mut c_void {
    static REAL: [Value<usize>; COUNT] = [const { Value::new(0) }; COUNT];
    let (name, rule) = RULES[index];
    // Output is frequent, and node 0 has nothing to check.
    let checked = match rule {
        Rule::Output(_) => rank::started() && rank::rank() != 0,
        Rule::Print(..) => rank::started() && (rank::rank() != 0 || rank::has_protocol()),
        _ => rank::active(),
    };
    if checked {
        switch::run(|| check(name, rule, saved));
    }
    if REAL[index].get() == 0 {
        let c_name = CString::new(name).unwrap_or_default();
        REAL[index].set(system::next(&c_name) as usize);
        if REAL[index].get() == 0 {
            die!("libc has no {name}");
        }
    }
    REAL[index].get() as *mut c_void
}

/// Addresses of all functions here: they keep all arguments themselves, so they need no gate.
pub(crate) fn all() -> impl Iterator<Item = usize> {
    ALL.iter().map(|&one| one as *const () as usize)
}

macro_rules! forwarded {
    ($($name:ident $rule:expr;)*) => {
        static ALL: [unsafe extern "C" fn(); COUNT] = [$($name,)*];
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
                    // On the stack of the library, as in a gate, unless it is in use already or not there yet.
                    "cmp byte ptr [rip + {ready}], 0",
                    "je 2f",
                    "mov rax, rsp",
                    "shr rax, 40",
                    "cmp rax, {own}",
                    "je 2f",
                    "movabs r10, {words}",
                    "mov rax, rsp",
                    "mov rsp, [r10]",
                    "push qword ptr [r10 + 8]",
                    "push rax",
                    "add rax, 184",
                    "mov [r10 + 8], rax",
                    "call {enter}",
                    "pop rcx",
                    "movabs r10, {words}",
                    "pop qword ptr [r10 + 8]",
                    "mov rsp, rcx",
                    "jmp 3f",
                    "2: call {enter}",
                    "3: mov r11, rax",
                    "movups xmm0, [rsp]", "movups xmm1, [rsp + 16]",
                    "movups xmm2, [rsp + 32]", "movups xmm3, [rsp + 48]",
                    "movups xmm4, [rsp + 64]", "movups xmm5, [rsp + 80]",
                    "movups xmm6, [rsp + 96]", "movups xmm7, [rsp + 112]",
                    "add rsp, 128",
                    "pop r9", "pop r8", "pop rcx", "pop rdx", "pop rsi", "pop rdi", "pop rax",
                    "jmp r11",
                    index = const Index::$name as usize,
                    ready = sym READY,
                    own = const OWN_STACK >> 40,
                    words = const GATE_WORDS,
                    enter = sym enter,
                )
            }
        )*
    };
}

use Rule::{
    Buffer, Descriptor, Early, Flags, Input, Names, Never, Outgoing, Output, Position, Print, Read,
    Receive, Serial, Several, Vectors, Wide,
};
use Size::{Argument, Fixed, Product, Times};

forwarded! {
    scanf Input(STANDARD); vscanf Input(STANDARD); __isoc99_scanf Input(STANDARD);
    __isoc99_vscanf Input(STANDARD); __isoc23_scanf Input(STANDARD); __isoc23_vscanf Input(STANDARD);
    wscanf Input(STANDARD); vwscanf Input(STANDARD); __isoc99_wscanf Input(STANDARD);
    __isoc99_vwscanf Input(STANDARD); __isoc23_wscanf Input(STANDARD); __isoc23_vwscanf Input(STANDARD);
    getchar Input(STANDARD); getchar_unlocked Input(STANDARD); gets Input(STANDARD);
    __gets_chk Input(STANDARD); getwchar Input(STANDARD); getwchar_unlocked Input(STANDARD);
    fscanf Input(0); vfscanf Input(0); __isoc99_fscanf Input(0); __isoc99_vfscanf Input(0);
    __isoc23_fscanf Input(0); __isoc23_vfscanf Input(0); fwscanf Input(0); vfwscanf Input(0);
    __isoc99_fwscanf Input(0); __isoc99_vfwscanf Input(0); __isoc23_fwscanf Input(0);
    __isoc23_vfwscanf Input(0); fgetc Input(0); fgetc_unlocked Input(0); getc Input(0);
    getc_unlocked Input(0); _IO_getc Input(0); getw Input(0); fgetwc Input(0); fgetwc_unlocked Input(0);
    getwc Input(0); getwc_unlocked Input(0); __uflow Input(0); __underflow Input(0); __wuflow Input(0);
    __wunderflow Input(0); ungetc Input(1); ungetwc Input(1); _IO_ungetc Input(1); fgets Input(2);
    fgets_unlocked Input(2); getline Input(2); fgetws Input(2); fgetws_unlocked Input(2); getdelim Input(3);
    __getdelim Input(3); __fgets_chk Input(3); __fgets_unlocked_chk Input(3); __fgetws_chk Input(3);
    __fgetws_unlocked_chk Input(3); fread Read(3, 0, Product(1, 2));
    fread_unlocked Read(3, 0, Product(1, 2)); __fread_chk Read(4, 0, Product(2, 3));
    __fread_unlocked_chk Read(4, 0, Product(2, 3));
    fseek Position(0); fseeko Position(0); fseeko64 Position(0); ftell Position(0); ftello Position(0);
    ftello64 Position(0); fgetpos Position(0); fgetpos64 Position(0); fsetpos Position(0);
    fsetpos64 Position(0); rewind Position(0);
    feof Flags(0); ferror Flags(0); clearerr Flags(0); feof_unlocked Flags(0); ferror_unlocked Flags(0);
    clearerr_unlocked Flags(0);
    fprintf Output(0); vfprintf Output(0); __fprintf_chk Output(0); __vfprintf_chk Output(0);
    __overflow Output(0); fputs Output(1); fputs_unlocked Output(1); fputc Output(1);
    fputc_unlocked Output(1); putc Output(1); putc_unlocked Output(1); _IO_putc Output(1); putw Output(1);
    fwrite Print(3, 0, Product(1, 2)); fwrite_unlocked Print(3, 0, Product(1, 2)); wprintf Wide(STANDARD); vwprintf Wide(STANDARD);
    __wprintf_chk Wide(STANDARD); __vwprintf_chk Wide(STANDARD); putwchar Wide(STANDARD);
    putwchar_unlocked Wide(STANDARD); fwprintf Wide(0); vfwprintf Wide(0); __fwprintf_chk Wide(0);
    __vfwprintf_chk Wide(0); __woverflow Wide(0); fputwc Wide(1); fputwc_unlocked Wide(1); putwc Wide(1);
    putwc_unlocked Wide(1); fputws Wide(1); fputws_unlocked Wide(1);
    setenv Early; putenv Early; unsetenv Early; clearenv Early; setlocale Early; chdir Early;
    fchdir Early; umask Early; dlopen Early; mprotect Early; brk Early; sbrk Early; madvise Early;
    srand48 Early; seed48 Early; lcong48 Early;
    drand48 Serial; lrand48 Serial; mrand48 Serial;
    system Serial; posix_spawn Serial; posix_spawnp Serial; getopt Serial; getopt_long Serial;
    atexit Serial; on_exit Serial; at_quick_exit Serial; hcreate Serial; hsearch Serial; hdestroy Serial;
    fork Never; vfork Never; clone Never; execve Never; execv Never; execvp Never; execl Never;
    execlp Never; execle Never; execvpe Never; fexecve Never; pthread_create Never; thrd_create Never;
    mremap Never; sigaltstack Never; shmat Never; swapcontext Never; setcontext Never;
    read Receive(1, Argument(2)); pread Receive(1, Argument(2)); pread64 Receive(1, Argument(2));
    __read_chk Receive(1, Argument(2)); __pread_chk Receive(1, Argument(2));
    __pread64_chk Receive(1, Argument(2));
    recv Receive(1, Argument(2)); __recv_chk Receive(1, Argument(2));
    recvfrom Early; __recvfrom_chk Early;
    dprintf Descriptor; vdprintf Descriptor; __dprintf_chk Descriptor; __vdprintf_chk Descriptor;
    sendto Outgoing(1, Argument(2)); sendmsg Descriptor; pwritev Vectors; pwritev64 Vectors; lockf Descriptor;
    lockf64 Descriptor; flock Descriptor; fdatasync Descriptor; fchmod Descriptor; fchown Descriptor;
    futimens Descriptor; sendfile Early; sendfile64 Early; copy_file_range Early; splice Early;
    getsockname Several(&[(1, 128), (2, 4)]); getpeername Several(&[(1, 128), (2, 4)]);
    write Outgoing(1, Argument(2)); pwrite Outgoing(1, Argument(2)); pwrite64 Outgoing(1, Argument(2)); writev Vectors;
    send Outgoing(1, Argument(2));
    access Names; faccessat Names; eaccess Names; euidaccess Names; mkdir Names; mkdirat Names; rmdir Names;
    unlink Names; unlinkat Names; link Names; linkat Names; symlink Names; symlinkat Names; chmod Names;
    fchmodat Names; chown Names; lchown Names; fchownat Names; truncate Names; truncate64 Names; utime Names;
    utimes Names; utimensat Names; mkfifo Names;
    bind Descriptor; listen Descriptor; connect Descriptor; shutdown Descriptor; setsockopt Descriptor;
    pthread_key_create Early; tss_create Early;
    lseek Descriptor; lseek64 Descriptor; fsync Descriptor; ftruncate Descriptor; ftruncate64 Descriptor;
    stat Buffer(1, Fixed(144)); lstat Buffer(1, Fixed(144)); stat64 Buffer(1, Fixed(144));
    lstat64 Buffer(1, Fixed(144));
    fstat Receive(1, Fixed(144)); fstat64 Receive(1, Fixed(144));
    fstatat Buffer(2, Fixed(144)); fstatat64 Buffer(2, Fixed(144)); statx Buffer(4, Fixed(256));
    __xstat Buffer(2, Fixed(144)); __lxstat Buffer(2, Fixed(144)); __xstat64 Buffer(2, Fixed(144));
    __lxstat64 Buffer(2, Fixed(144)); __fxstat Buffer(2, Fixed(144)); __fxstat64 Buffer(2, Fixed(144));
    statvfs Buffer(1, Fixed(128)); statvfs64 Buffer(1, Fixed(128)); fstatvfs Receive(1, Fixed(128));
    fstatvfs64 Receive(1, Fixed(128)); statfs Buffer(1, Fixed(128)); statfs64 Buffer(1, Fixed(128));
    fstatfs Receive(1, Fixed(128)); fstatfs64 Receive(1, Fixed(128));
    sched_getaffinity Buffer(2, Argument(1)); pthread_getaffinity_np Buffer(2, Argument(1));
    getgroups Buffer(1, Times(0, 4)); __getgroups_chk Buffer(1, Times(0, 4)); tcgetattr Buffer(1, Fixed(64));
    sigpending Buffer(0, Fixed(128)); sigwait Buffer(1, Fixed(4)); sched_getparam Buffer(1, Fixed(4));
    pthread_getschedparam Several(&[(1, 4), (2, 4)]); pthread_getname_np Buffer(1, Argument(2));
    __getcwd_chk Buffer(0, Argument(1)); uname Buffer(0, Fixed(390)); sysinfo Buffer(0, Fixed(112));
    times Buffer(0, Fixed(32)); getrusage Buffer(1, Fixed(144)); getrlimit Buffer(1, Fixed(16));
    getrlimit64 Buffer(1, Fixed(16)); prlimit Buffer(3, Fixed(16)); prlimit64 Buffer(3, Fixed(16));
    clock_gettime Buffer(1, Fixed(16)); clock_getres Buffer(1, Fixed(16));
    gettimeofday Buffer(0, Fixed(16)); readlink Buffer(1, Argument(2)); readlinkat Buffer(2, Argument(3));
    __readlink_chk Buffer(1, Argument(2)); __readlinkat_chk Buffer(2, Argument(3));
    getdomainname Buffer(0, Argument(1)); ttyname_r Buffer(1, Argument(2));
    getlogin_r Buffer(0, Argument(1)); __gethostname_chk Buffer(0, Argument(1));
    timespec_get Buffer(0, Fixed(16)); gethostname Buffer(0, Argument(1));
    nanosleep Buffer(1, Fixed(16)); clock_nanosleep Buffer(3, Fixed(16)); waitpid Buffer(1, Fixed(4));
    wait Buffer(0, Fixed(4)); poll Buffer(0, Times(1, 8)); __poll_chk Buffer(0, Times(1, 8));
    ppoll Buffer(0, Times(1, 8)); select Several(&[(1, 128), (2, 128), (3, 128), (4, 16)]);
    pselect Several(&[(1, 128), (2, 128), (3, 128)]); wait3 Several(&[(0, 4), (2, 144)]);
    wait4 Several(&[(1, 4), (3, 144)]); waitid Buffer(2, Fixed(128));
    ioctl Buffer(2, Fixed(256)); getitimer Buffer(1, Fixed(32)); setitimer Buffer(2, Fixed(32));
    readv Early; preadv Early; recvmsg Early; accept Early; getsockopt Early; pipe Early; pipe2 Early;
    socketpair Early; epoll_wait Early; scandir Early; glob Early; ftw Early; nftw Early; fts_open Early;
    bindtextdomain Early; textdomain Early; bind_textdomain_codeset Early;
    getaddrinfo Early; gethostbyname Early; getpwnam Early; getpwuid Early; getgrnam Early; dlclose Early;
    pthread_cond_wait Serial; pthread_cond_timedwait Serial; pthread_barrier_wait Serial;
    pthread_cond_clockwait Serial; sem_clockwait Serial;
    sem_wait Serial; sem_timedwait Serial; sem_trywait Serial;
    sem_post Serial; cnd_wait Serial; cnd_timedwait Serial;
    call_once Serial; pthread_cancel Never; pthread_kill Serial;
    readdir Serial; readdir64 Serial;
    readdir_r Serial; readdir64_r Serial; rewinddir Serial; seekdir Serial; telldir Serial;
    getopt_long_only Serial; ttyname Early; getlogin Early; getpwuid_r Early; getpwnam_r Early;
    getgrgid Early; getgrgid_r Early; getgrnam_r Early; gethostbyaddr Early; getnameinfo Early;
    getservbyname Early; ftw64 Early; nftw64 Early; glob64 Early; scandir64 Early; accept4 Early;
    preadv64 Early; thrd_sleep Buffer(1, Fixed(16)); getcpu Several(&[(0, 4), (1, 4)]);
    getresuid Several(&[(0, 4), (1, 4), (2, 4)]); getresgid Several(&[(0, 4), (1, 4), (2, 4)]);
    shm_open Early; timer_create Early; aio_read Never; lio_listio Never;
    getrandom Buffer(0, Argument(1)); getentropy Buffer(0, Argument(1));
    arc4random_buf Buffer(0, Argument(1));
}
