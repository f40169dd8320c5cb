#if !canImport(Security)
    // Security's names that sign-in code uses for its nonce; on Apple's platforms they come along with
    // AuthenticationServices.

    /// The result of Security's functions; ``errSecSuccess`` is the good one.
    public typealias OSStatus = Int32

    /// The status of a call that succeeded.
    public let errSecSuccess: OSStatus = 0

    /// The source of random bytes; there is but one.
    public struct SecRandomRef: Hashable, Sendable {}

    /// The system's source of random bytes.
    public let kSecRandomDefault: SecRandomRef? = nil

    /// Fills `count` bytes from the system's cryptographic generator.
    ///
    /// - Returns: Always ``errSecSuccess``: where the system has no randomness, the program ends.
    public func SecRandomCopyBytes(
        _ source: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer
    ) -> OSStatus {
        var generator = SystemRandomNumberGenerator()
        let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: count)
        for index in buffer.indices {
            unsafe buffer[index] = generator.next()
        }
        return errSecSuccess
    }
#endif
