import StrictJSON

/// The body of the request by which Apple notifies a server.
struct NotificationBody {
    let payload: String

    /// - Throws: ``AppleIDError/Code/malformedToken`` or ``AppleIDError/Code/tokenTooLarge``.
    init(_ json: [UInt8]) throws(AppleIDError) {
        // Leaves room for members that Apple may add beside the payload.
        guard json.count <= 4 * SizeRule.maximumBytes else {
            throw AppleIDError(.tokenTooLarge, "the body of the notification is larger than any of Apple's")
        }
        do {
            guard let payload = try JSONDocument(json, limits: JSONLimits(maximumDepth: 8)).root["payload"]?.string
            else {
                throw AppleIDError(.malformedToken, "the body of the notification has no payload")
            }
            self.payload = payload
        } catch let error as AppleIDError {
            throw error
        } catch {
            throw AppleIDError(.malformedToken, "the body of the notification is not strict JSON", cause: error)
        }
    }
}
