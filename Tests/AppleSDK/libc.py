"""The declarations of the C library that our code may use on Apple's systems. Each has been compared with Apple's headers.

The stand-in of Darwin takes them from glibc, which has more of them, and some in another form. So a use of one that is not listed
here is an error: look it up in Apple's headers first. What differs from glibc stands in Modules/Darwin. `open`, `openat`, `fcntl`,
`ioctl` and `errno` are Swift's own around the C library, and the same on both.
"""

import re

# By header. All systems have these; a declaration that a system lacks stands in Modules/Darwin, with `@available`.
HEADERS = {
    "errno.h": """
        EACCES EADDRINUSE EADDRNOTAVAIL EAGAIN ECONNABORTED ECONNREFUSED ECONNRESET EEXIST EHOSTDOWN EHOSTUNREACH EINTR ELOOP
        ENETDOWN ENETUNREACH ENOENT ENOTCONN ENOTDIR EPIPE ETIMEDOUT EWOULDBLOCK""",
    "fcntl.h": """
        FD_CLOEXEC F_GETFL F_SETFD F_SETFL LOCK_EX LOCK_NB O_CLOEXEC O_CREAT O_DIRECTORY O_EXCL O_NOFOLLOW O_NONBLOCK O_RDONLY
        O_RDWR O_WRONLY flock""",
    # Its fields stand in another order there, so no initializer names them all.
    "netdb.h": "NI_NUMERICHOST addrinfo ai_addr ai_addrlen ai_next freeaddrinfo getaddrinfo getnameinfo",
    "netinet/in.h": "IPPROTO_IPV6 IPV6_V6ONLY in6_addr in6addr_loopback in_addr s_addr",
    # Each begins with a length, which glibc's have not. So only single fields are set, and no initializer names them all.
    "netinet/in.h, sys/socket.h": """
        sockaddr sockaddr_in sin_addr sin_family sin_port sockaddr_in6 sin6_addr sin6_family sin6_port sockaddr_storage""",
    "poll.h": "POLLIN POLLOUT poll pollfd revents",
    "pthread.h, signal.h": """
        SIGABRT SIGBUS SIGFPE SIGHUP SIGILL SIGSEGV SIGTRAP SIGTSTP SIG_UNBLOCK pthread_sigmask raise sigaddset sigemptyset
        signal""",
    "sched.h": "sched_yield",
    "stdio.h, stdlib.h, string.h": "EXIT_FAILURE EXIT_SUCCESS exit free rename setenv strdup strerror",
    "sys/resource.h": "getrlimit rlim_cur rlim_max rlimit setrlimit",
    "sys/socket.h": """
        AF_INET AF_INET6 AF_UNIX MSG_NOSIGNAL SHUT_WR SOL_SOCKET SOMAXCONN SO_REUSEADDR accept bind connect getsockname linger
        listen recv send setsockopt shutdown socket socketpair""",
    "sys/stat.h": "fstat mkdir st_mode st_uid stat",
    "termios.h, sys/ioctl.h": """
        ECHO TCSADRAIN TCSANOW TIOCGWINSZ c_lflag cfmakeraw tcgetattr tcsetattr termios winsize ws_col ws_row""",
    "time.h": "CLOCK_THREAD_CPUTIME_ID clock_gettime timespec tv_nsec tv_sec",
    "unistd.h": """
        R_OK STDERR_FILENO STDIN_FILENO STDOUT_FILENO W_OK access close fsync geteuid isatty read renameat unlink unlinkat usleep
        write""",
}
KNOWN = {name for names in HEADERS.values() for name in names.split()}
# Structures whose fields are the same there, in the same order.
SAME_FIELDS = {"linger", "pollfd"}
# The C modules of packages, and ours.
ELSEWHERE = re.compile(r"@(?:sqlite3|SQLITE_|_?PQ|PG|libpq_|ConnStatusType|Postgres|ExecStatus|account_page|emulator_|common_passwords|crypt_is_available|crypt_password|mail_template)")
DECLARATION = re.compile(r"^c:@.*?(\w+)$")
# An initializer of a structure that names its fields: `ABycfc` is the one without.
INITIALIZER = re.compile(r"^s:So(\d+)(\w+)$")


def stranger(usr):
    """The name of a C declaration that nobody has compared with Apple's headers; None for any other."""
    found = DECLARATION.match(usr)
    if found:
        name = found[1]
        return None if name in KNOWN or ELSEWHERE.search(usr) else name
    made = INITIALIZER.match(usr)
    if made:
        name, rest = made[2][:int(made[1])], made[2][int(made[1]):]
        if rest.startswith("V") and rest.endswith("fc") and rest != "VABycfc" and name not in SAME_FIELDS:
            return f"{name}, made with its fields"
    return None
