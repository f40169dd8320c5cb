// Apple's C library: what it shares with glibc, and what our code uses of the rest. `libc.py` lists what is shared.

@_exported import Glibc

// <sys/socket.h>
public let SO_NOSIGPIPE: CInt = 0x1022

// <sys/socket.h>: a number there, an enumeration in glibc
public let SOCK_STREAM: CInt = 1
// <sys/syslimits.h>
public let OPEN_MAX: CInt = 10240
// <sys/resource.h>: a number there, an enumeration in glibc
public let RLIMIT_NOFILE: CInt = 8
