#if !canImport(Security)
    import OpenAuthenticationServices
    import Testing

    @Suite("Random bytes")
    struct RandomBytesTests {
        @Test("are as many as requested, and differ each time")
        func fills() {
            var first = [UInt8](repeating: 0, count: 64)
            var second = first
            #expect(unsafe SecRandomCopyBytes(kSecRandomDefault, 32, &first) == errSecSuccess)
            #expect(unsafe SecRandomCopyBytes(nil, 32, &second) == errSecSuccess)
            #expect(first.prefix(32) != second.prefix(32))
            #expect(first.prefix(32).contains { $0 != 0 })
            #expect(first.suffix(32).allSatisfy { $0 == 0 })
        }

        @Test("may be none")
        func none() {
            var bytes: [UInt8] = [7]
            #expect(unsafe SecRandomCopyBytes(kSecRandomDefault, 0, &bytes) == errSecSuccess)
            #expect(bytes == [7])
        }
    }
#endif
