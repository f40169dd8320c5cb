import AppleID
import AppleIDTypes
import ArgumentParser
import Crypto
import CryptoExtras
import Foundation
import JWTKit

#if canImport(Glibc)
    import CoreFoundation
    import Glibc
#endif

/// Measures verifications of identity tokens: the raw RSA check of the same signatures, siwa's verifier, and JWTKit's.
///
/// The three take turns, round by round, over the same tokens. Rates are per second of processor time of the whole
/// process, which other programs on the machine disturb least; ratios are taken within a round.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "verify")

    @Option(help: "How many distinct tokens.")
    var tokens = 2_000

    @Option(help: "How many rounds are counted, after one that is not.")
    var rounds = 9

    @Option(help: "Milliseconds for each contender in each round.")
    var milliseconds = 300

    @Flag(help: "Only siwa's verifier, for a profiler; measures nothing.")
    var profile = false

    func run() async throws {
        let work = try await VerifyWork(tokens: tokens)
        if profile {
            for number in 0..<200_000 { try await work.siwa(number) }
            return
        }
        let (rounds, milliseconds) = (rounds, milliseconds)
        // Off the main actor, where every await of an actor would cost a change of threads.
        let results = try await Task.detached {
            var results: [[Double]] = []
            for round in 0...rounds {
                let raw = try await Self.rate(for: milliseconds) { try work.raw($0) }
                let siwa = try await Self.rate(for: milliseconds) { try await work.siwa($0) }
                let jwtKit = try await Self.rate(for: milliseconds) { try await work.jwtKit($0) }
                if round > 0 { results.append([raw, siwa, jwtKit]) }
            }
            return results
        }.value
        var output: [String: [String: Any]] = [:]
        for (index, name) in ["verify.raw", "verify.siwa", "verify.jwtkit"].enumerated() {
            output[name] = [
                "perSecond": Self.median(results.map { $0[index] }).rounded(),
                "ratio": (Self.median(results.map { $0[index] / $0[0] }) * 1_000).rounded() / 1_000,
                "of": "verify.raw",
            ]
        }
        let json = try JSONSerialization.data(withJSONObject: output, options: [.sortedKeys, .prettyPrinted])
        print(String(decoding: json, as: UTF8.self))
    }

    /// How often an operation runs in a second of processor time.
    private static func rate(for milliseconds: Int, _ operation: (Int) async throws -> Void) async throws -> Double {
        let start = processorTime()
        let end = start + Double(milliseconds) / 1_000
        var count = 0
        while processorTime() < end {
            for _ in 0..<100 {
                try await operation(count)
                count += 1
            }
        }
        return Double(count) / (processorTime() - start)
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }
}

/// The tokens, and each contender's way to check one of them.
private struct VerifyWork: Sendable {
    struct Sample: Sendable {
        let token: String
        let nonce: String
        let digest: SHA256.Digest
        let signature: _RSA.Signing.RSASignature
    }

    enum Mistake: Error {
        case signatureRefused
    }

    private let samples: [Sample]
    private let publicKey: _RSA.Signing.PublicKey
    private let verifier: IdentityVerifier
    private let jwtKeys: JWTKeyCollection
    private let audiences: Set<ClientID>

    init(tokens: Int) async throws {
        let mint = try TokenMint(audience: "com.example.juice")
        samples = try (0..<tokens).map { number in
            let (token, nonce) = try mint.token(number)
            let parts = token.split(separator: ".")
            let signature = String(parts[2]).replacing("-", with: "+").replacing("_", with: "/") + "=="
            guard let bytes = Data(base64Encoded: signature) else { throw Mistake.signatureRefused }
            return Sample(
                token: token, nonce: nonce, digest: SHA256.hash(data: Data("\(parts[0]).\(parts[1])".utf8)),
                signature: _RSA.Signing.RSASignature(rawRepresentation: bytes))
        }
        publicKey = mint.privateKey.publicKey
        let keySet = try mint.keySet()
        verifier = IdentityVerifier(keys: try KeyCache(fixed: Array(keySet)))
        jwtKeys = try await JWTKeyCollection().add(jwksJSON: String(decoding: keySet, as: UTF8.self))
        audiences = [ClientID(mint.audience)]
    }

    func raw(_ index: Int) throws {
        let sample = samples[index % samples.count]
        guard publicKey.isValidSignature(sample.signature, for: sample.digest, padding: .insecurePKCS1v1_5) else {
            throw Mistake.signatureRefused
        }
    }

    func siwa(_ index: Int) async throws {
        let sample = samples[index % samples.count]
        _ = try await verifier.verify(
            sample.token,
            expecting: IdentityExpectation(audiences: audiences, nonce: .hashed(ofRaw: sample.nonce)))
    }

    func jwtKit(_ index: Int) async throws {
        _ = try await jwtKeys.verify(samples[index % samples.count].token, as: AppleIdentityToken.self)
    }
}
