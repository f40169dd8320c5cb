#if canImport(Darwin)
    package import os
#else
    package import Synchronization
#endif

/// A value that one thread at a time may touch, for as long as a closure runs.
///
/// It is `Mutex` of the Swift standard library, which Apple's systems have only since iOS 18 and macOS 15. There it is the lock
/// that iOS 16 and macOS 13 have. Nothing inside the closure may wait.
package struct Lock<Value>: ~Copyable, @unchecked Sendable {
    #if canImport(Darwin)
        @usableFromInline package let lock: OSAllocatedUnfairLock<Value>

        /// Makes a lock around a value.
        @inlinable
        package init(_ value: sending Value) {
            lock = OSAllocatedUnfairLock(uncheckedState: value)
        }

        /// Runs a closure that may read and change the value, and returns what it returns. Throws what it throws.
        @inlinable
        package borrowing func withLock<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            // The lock's own `rethrows` would lose the type of the error.
            let result = lock.withLockUnchecked { value in
                do throws(Failure) {
                    return Outcome<Result, Failure>.success(try body(&value))
                } catch {
                    return .failure(error)
                }
            }
            switch consume result {
            case .success(let value): return value
            case .failure(let error): throw error
            }
        }

        @usableFromInline
        enum Outcome<Success, Failure: Error> {
            case success(Success)
            case failure(Failure)
        }
    #else
        @usableFromInline package let lock: Mutex<Value>

        /// Makes a lock around a value.
        @inlinable
        package init(_ value: consuming sending Value) {
            lock = Mutex(value)
        }

        /// Runs a closure that may read and change the value, and returns what it returns. Throws what it throws.
        @inlinable
        package borrowing func withLock<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            try lock.withLock(body)
        }
    #endif
}
