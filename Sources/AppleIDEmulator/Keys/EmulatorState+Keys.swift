import AppleIDTypes
import HTTPTypes

extension EmulatorState {
    /// Apple shows three at most times; a set that only grows would not be a set that anybody has met.
    static let maximumKeys = 10

    /// The key signs from now on; the others stay published, since what they signed is still about.
    mutating func rotate(to key: SigningKey) throws(Refusal) {
        guard signingKeys.count < Self.maximumKeys else {
            throw Refusal(.conflict, "\(Self.maximumKeys) keys are published. Retire some first.")
        }
        signingKeys.insert(key, at: 0)
        revision += 1
    }

    /// Published like the others, and signs nothing until it is rotated to.
    mutating func addSpare(_ key: SigningKey) {
        signingKeys.append(key)
        revision += 1
    }

    /// Takes a key, or all that no longer sign, out of the published set. What they signed cannot be verified any more.
    mutating func retire(_ id: KeyID?) throws(Refusal) {
        if let id {
            guard let index = signingKeys.firstIndex(where: { $0.id == id }) else {
                throw Refusal(.unknownKey, "No published key has this kid.")
            }
            guard index > 0 else {
                throw Refusal(.conflict, "This key signs. Rotate first.")
            }
            signingKeys.remove(at: index)
        } else {
            signingKeys.removeSubrange(1...)
        }
        revision += 1
    }
}
