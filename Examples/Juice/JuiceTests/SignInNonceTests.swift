import Testing

struct SignInNonceTests {
    @Test("The hash is SHA-256 in lowercase hexadecimal")
    func hash() {
        // FIPS 180-4, the example of one block.
        #expect(
            SignInNonce.hash(of: "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("No two nonces are alike")
    func unique() {
        let nonces = (0..<100).map { _ in SignInNonce().text }
        #expect(Set(nonces).count == nonces.count)
        #expect(nonces.allSatisfy { $0.count == 64 })
    }
}
