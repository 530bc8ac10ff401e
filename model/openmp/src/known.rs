// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions of libc that work on the ring as they are: they keep no state that threads share, and the system
//! does not write to memory of the program for them. A program that imports another one is refused, unless the
//! library replaces it or checks its calls.

/// Names, in the order of the headers of C and POSIX.
const NAMES: &str = "
    memcpy memmove memset memcmp memchr memrchr rawmemchr memmem memccpy mempcpy __mempcpy memfrob
    __memcpy_chk __memmove_chk __memset_chk __mempcpy_chk bcopy bzero bcmp explicit_bzero swab ffs ffsl ffsll
    __explicit_bzero_chk
    strcpy strncpy strcat strncat strcmp strncmp strcoll strxfrm strchr strrchr strchrnul strspn strcspn
    strpbrk strstr strcasestr strlen strnlen strdup strndup __strdup __strndup stpcpy __stpcpy stpncpy strsep
    __strsep_g strtok_r __strtok_r strerror strerror_r __xpg_strerror_r strerror_l strerrorname_np
    strerrordesc_np strsignal sigabbrev_np sigdescr_np strcasecmp strncasecmp strverscmp strcoll_l strxfrm_l
    strcasecmp_l strncasecmp_l index rindex basename __xpg_basename dirname strfry strlcpy strlcat
    __strcpy_chk __strncpy_chk __strcat_chk __strncat_chk __stpcpy_chk __stpncpy_chk __rawmemchr
    isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit
    tolower toupper toascii __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __ctype_get_mb_cur_max
    isalnum_l isalpha_l isblank_l iscntrl_l isdigit_l isgraph_l islower_l isprint_l ispunct_l isspace_l
    isupper_l isxdigit_l tolower_l toupper_l
    wcscpy wcsncpy wcscat wcsncat wcscmp wcsncmp wcscoll wcsxfrm wcschr wcsrchr wcschrnul wcscspn wcsspn
    wcspbrk wcsstr wcslen wcsnlen wcsdup wcstok wcscasecmp wcsncasecmp wcpcpy wcpncpy wcswidth wcwidth
    wmemcpy wmemmove wmemset wmemcmp wmemchr wmempcpy wcstol wcstoul wcstoll wcstoull wcstod wcstof wcstold
    wcsftime btowc wctob mbsinit mbrlen mbrtowc wcrtomb mbsrtowcs wcsrtombs mbsnrtowcs wcsnrtombs mblen
    mbtowc wctomb mbstowcs wcstombs __mbstowcs_chk __wcstombs_chk __wmemcpy_chk __wmemset_chk __wcscpy_chk
    iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper
    iswxdigit towlower towupper wctype iswctype wctrans towctrans swprintf vswprintf swscanf vswscanf
    __swprintf_chk __vswprintf_chk __isoc99_swscanf __isoc99_vswscanf
    abs labs llabs div ldiv lldiv imaxabs imaxdiv atoi atol atoll atof strtol strtoul strtoll strtoull
    strtoimax strtoumax strtod strtof strtold strtof32 strtof64 strtof128 strfromd strfromf strfroml strtoq
    strtouq strtol_l strtoul_l strtoll_l strtoull_l strtod_l strtof_l strtold_l __strtod_internal
    __strtol_internal __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull
    __isoc23_strtoimax __isoc23_strtoumax qsort qsort_r bsearch lfind lsearch tsearch tfind tdelete twalk
    twalk_r tdestroy insque remque a64l getsubopt rpmatch rand_r random_r srandom_r initstate_r setstate_r
    drand48_r erand48 nrand48 jrand48 erand48_r lrand48_r mrand48_r nrand48_r jrand48_r srand48_r seed48_r
    getenv secure_getenv abort __cxa_atexit __cxa_finalize __cxa_at_quick_exit
     getloadavg hcreate_r hsearch_r hdestroy_r
    printf vprintf puts putchar putchar_unlocked sprintf snprintf vsprintf vsnprintf asprintf vasprintf
    __printf_chk __vprintf_chk __sprintf_chk __snprintf_chk __vsprintf_chk __vsnprintf_chk __asprintf_chk
    __vasprintf_chk perror sscanf vsscanf __isoc99_sscanf __isoc99_vsscanf __isoc23_sscanf __isoc23_vsscanf
    fflush fflush_unlocked fileno
    fileno_unlocked remove rename renameat __fpending __freading __fwriting __freadable __fwritable
    __fbufsize __flbf psignal psiginfo err errx warn warnx verr verrx vwarn vwarnx error error_at_line
   
    time clock difftime mktime timegm timelocal strftime strftime_l strptime gmtime_r __gmtime_r localtime_r
    asctime_r ctime_r tzset usleep sleep sched_yield alarm ualarm dysize
    setjmp _setjmp __sigsetjmp longjmp _longjmp siglongjmp __longjmp_chk raise kill killpg sigemptyset
    sigfillset sigaddset sigdelset sigismember sigisemptyset sigorset sigandset siginterrupt
    __libc_current_sigrtmin __libc_current_sigrtmax pause sigsuspend
    sync syncfs isatty
    getuid geteuid getgid getegid getppid getpgid getpgrp getsid gettid getpagesize sysconf pathconf
    confstr gnu_get_libc_version gnu_get_libc_release getdtablesize get_nprocs get_nprocs_conf getauxval
    get_phys_pages get_avphys_pages sched_getcpu getpriority closedir dirfd alphasort versionsort realpath
    canonicalize_file_name __realpath_chk posix_fadvise posix_fallocate readahead
    sched_setaffinity setpriority nice fnmatch regcomp regexec regfree regerror wordfree globfree
    htons htonl ntohs ntohl inet_addr inet_pton inet_ntop inet_aton __getpagesize
    posix_madvise msync mlock munlock mlockall munlockall
    dlsym dlvsym dlerror dladdr dl_iterate_phdr syscall backtrace backtrace_symbols backtrace_symbols_fd
    localeconv nl_langinfo nl_langinfo_l newlocale freelocale duplocale uselocale gettext ngettext dgettext
    dcgettext dngettext iconv_open iconv iconv_close
    __errno_location __assert_fail __assert __assert_perror_fail __stack_chk_fail __chk_fail __fdelt_chk
    __fdelt_warn __libc_start_main __gmon_start__ __register_atfork _dl_mcount_wrapper_check
    __cyg_profile_func_enter __cyg_profile_func_exit __cxa_thread_atexit_impl __libc_single_threaded
    __fentry__ mcount _mcount __h_errno_location __sched_cpucount __sched_cpualloc __sched_cpufree
    __isnan __isinf __finite isnan isinf finite __isnanf __isinff __finitef __isnanl __isinfl __finitel
    isnanf isinff finitef isnanl isinfl finitel __signbit __signbitf __signbitl copysign copysignf copysignl
    frexp frexpf frexpl ldexp ldexpf ldexpl modf modff modfl scalbn scalbnf scalbnl 
    pthread_self pthread_equal pthread_join pthread_detach pthread_exit pthread_atfork pthread_getcpuclockid
    pthread_mutex_init pthread_mutex_destroy pthread_mutexattr_init pthread_mutexattr_destroy
    pthread_mutexattr_settype pthread_mutexattr_gettype pthread_mutexattr_setpshared
    pthread_mutexattr_setprotocol pthread_mutexattr_setrobust pthread_spin_init pthread_spin_destroy
    pthread_rwlock_init pthread_rwlock_destroy pthread_rwlockattr_init pthread_rwlockattr_destroy
    pthread_rwlockattr_setkind_np pthread_cond_init pthread_cond_destroy pthread_cond_signal
    pthread_cond_broadcast pthread_condattr_init pthread_condattr_destroy pthread_condattr_setclock
    pthread_barrier_init pthread_barrier_destroy sem_init sem_destroy pthread_attr_init pthread_attr_destroy
    pthread_attr_setstacksize pthread_attr_getstacksize pthread_attr_setdetachstate pthread_attr_setstack
    pthread_attr_getstack pthread_key_delete pthread_getspecific
    pthread_setspecific pthread_setname_np pthread_setcancelstate pthread_setcanceltype pthread_testcancel
    pthread_setaffinity_np mtx_init mtx_destroy cnd_init cnd_destroy cnd_signal cnd_broadcast thrd_current
    thrd_equal thrd_yield thrd_join thrd_detach tss_delete tss_get tss_set
    pthread_attr_getdetachstate pthread_attr_getguardsize pthread_attr_setguardsize pthread_attr_getscope
    pthread_attr_setscope pthread_attr_getinheritsched pthread_attr_setinheritsched
    pthread_attr_getschedparam pthread_attr_setschedparam pthread_attr_getschedpolicy
    pthread_attr_setschedpolicy pthread_attr_getaffinity_np pthread_attr_setaffinity_np
    pthread_barrierattr_init pthread_barrierattr_destroy pthread_barrierattr_setpshared
    pthread_condattr_setpshared pthread_rwlockattr_setpshared pthread_yield sem_getvalue
    alphasort64 versionsort64 reallocarray mkdtemp mktemp tempnam tmpnam_r gcvt strfmon freeaddrinfo
    gai_strerror globfree64 c16rtomb c32rtomb mbrtoc16 mbrtoc32 wcstoimax wcstoumax _tolower _toupper
    iswalnum_l iswalpha_l iswblank_l iswcntrl_l iswdigit_l iswgraph_l iswlower_l iswprint_l iswpunct_l
    iswspace_l iswupper_l iswxdigit_l towlower_l towupper_l wcscoll_l wcsxfrm_l wcsftime_l strptime_l
    __wcscat_chk __wcsncpy_chk __wcsncat_chk __wcpcpy_chk __wmemmove_chk __wmempcpy_chk __mbsrtowcs_chk
    __wcsrtombs_chk __wcrtomb_chk __wctomb_chk posix_fallocate64 sched_get_priority_max
    sched_get_priority_min sched_getscheduler openlog syslog vsyslog closelog __syslog_chk __vsyslog_chk
    setpgid setsid setuid setgid seteuid setegid mknod mknodat lutimes wcscasecmp_l
    _obstack_begin _obstack_begin_1 _obstack_newchunk _obstack_allocated_p _obstack_memory_used
    obstack_free obstack_printf obstack_vprintf arc4random arc4random_uniform tcgetpgrp
    mallopt malloc_trim malloc_stats mallinfo mallinfo2 open_memstream open_wmemstream fmemopen fwide
    setrlimit setrlimit64 tcsetattr cfsetospeed cfsetispeed cfmakeraw cfgetospeed cfgetispeed
";

/// Returns true if the function can run as it is.
pub(crate) fn is_known(name: &str) -> bool {
    NAMES.split_whitespace().any(|known| known == name)
}
