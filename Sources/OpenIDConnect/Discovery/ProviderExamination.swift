/// The facts about a provider that a sign-in in a browser depends on, as its document announces them.
package struct ProviderExamination: Sendable, Hashable {
    /// The way in which a provider announces PKCE.
    package enum ChallengeSupport: Sendable, Hashable {
        case announced
        /// The document says nothing, as with many providers that support it.
        case notAnnounced
        /// The document announces other methods than S256. Browsers can't sign in.
        case withoutS256
    }

    /// The address of the document.
    package let documentURL: String
    /// The number of keys that verify identity tokens.
    package let keyCount: Int
    /// The algorithms of identity tokens that are announced and taken, in the order of the alphabet.
    package let algorithms: [String]
    package let challenge: ChallengeSupport
    /// `form_post` or `query`: the way in which browsers come back. Nil if the provider announces neither.
    package let responseMode: String?
    /// Whether the provider announces the code flow with its two addresses.
    package let hasCodeFlow: Bool
    /// The way in which the client authenticates. Nil without a credential, and if the provider announces none that fits.
    package let authenticationMethod: String?
    /// Whether each callback names the issuer (RFC 9207).
    package let namesIssuerInResponse: Bool
}

extension ProviderClient {
    /// Fetches the provider's document and keys, if that has not been done, and says what they announce. Nobody is signed
    /// in.
    /// - Throws: the reason why the document or the keys are not there, or are refused.
    package func examine() async throws(OpenIDConnectError) -> ProviderExamination {
        let metadata = try await source.metadata()
        let modes = metadata.responseModes
        let challenge: ProviderExamination.ChallengeSupport =
            switch metadata.challengeMethods?.contains("S256") {
            case nil: .notAnnounced
            case true?: .announced
            case false?: .withoutS256
            }
        var method: AuthenticationMethod?
        if let credential = configuration.credential {
            do throws(OpenIDConnectError) {
                method = try metadata.authenticationMethod(for: credential)
            } catch {
                method = nil
            }
        }
        return ProviderExamination(
            documentURL: configuration.documentURL, keyCount: source.keyCount,
            algorithms: metadata.algorithms.map(\.rawValue).sorted(), challenge: challenge,
            responseMode: modes.contains("form_post") ? "form_post" : modes.contains("query") ? "query" : nil,
            hasCodeFlow: metadata.responseTypes.contains("code") && metadata.authorizationEndpoint != nil
                && metadata.tokenEndpoint != nil,
            authenticationMethod: method?.rawValue, namesIssuerInResponse: metadata.namesIssuerInResponse)
    }
}
