import StrictJSON

/// A claim of a token's payload, as its rule finds it.
enum Claim<Value: Sendable>: Sendable {
    case absent
    /// There, but of another JSON type than the claim has.
    case malformed
    case value(Value)

    /// The value, for claims whose absence or malformation means the same.
    var lenient: Value? {
        if case .value(let value) = self { value } else { nil }
    }

    var isAbsent: Bool {
        if case .absent = self { true } else { false }
    }

    /// The value of a claim that has to be there.
    func required(_ name: String) throws(AppleIDError) -> Value {
        switch self {
        case .absent: throw AppleIDError(.malformedClaim, "there is no claim \(name)")
        case .malformed: throw Self.malformation(name)
        case .value(let value): value
        }
    }

    /// The value of a claim that may be absent.
    func optional(_ name: String) throws(AppleIDError) -> Value? {
        switch self {
        case .absent: nil
        case .malformed: throw Self.malformation(name)
        case .value(let value): value
        }
    }

    private static func malformation(_ name: String) -> AppleIDError {
        AppleIDError(.malformedClaim, "the claim \(name) is not of the type it should be")
    }
}

extension Claim {
    init(_ member: JSONScalar?, _ read: (JSONScalar) -> Value?) {
        guard let member else {
            self = .absent
            return
        }
        self = read(member).map { .value($0) } ?? .malformed
    }
}
