import AccountAPI
import AccountClient
import Foundation

extension LinkBody {
    static let time = APITime(secondsSince1970: 1_700_000_000)

    /// An email identity with a password.
    static func email(current: Bool = false) -> Self {
        Self(
            id: "idn_email", provider: "email", team: nil, address: TestDevice.email, isPrivateEmail: false,
            hasPassword: true, addedAt: time, lastSignInAt: time, current: current)
    }

    /// An Apple identity.
    static func apple(_ id: String = "idn_apple", current: Bool = false) -> Self {
        Self(
            id: id, provider: "apple", team: "ABCDE12345", address: "x7k2@privaterelay.appleid.com",
            isPrivateEmail: true, hasPassword: false, addedAt: time, lastSignInAt: time, current: current)
    }
}

extension TestService {
    /// Lists these identities from now on, and tells with the account which there are.
    func list(_ links: LinkBody...) {
        let byEmail = links.first { $0.provider == "email" }
        account.waysIn = WaysInBody(
            apple: links.contains { $0.provider == "apple" }, email: byEmail?.address,
            hasPassword: byEmail?.hasPassword == true)
        on("GET /v1/links") { _ in try .json(200, LinkListAnswer(links: links)) }
    }

    /// Adds a second identity with each call of this route.
    func link(by route: String, _ links: LinkBody...) {
        on(route) { [self] _ in try added(links) }
    }

    func added(_ links: [LinkBody]) throws -> ServiceAnswer {
        account.waysIn = WaysInBody(apple: true, email: TestDevice.email, hasPassword: true)
        on("GET /v1/links") { _ in try .json(200, LinkListAnswer(links: links)) }
        return try .json(200, LinkListAnswer(links: links))
    }
}

extension TestDevice {
    /// A client of a person who signs in by password and may add an Apple Account.
    func clientBeforeLink() async throws -> AccountClient {
        let client = try await clientByPassword()
        service.list(.email(current: true))
        service.link(by: "POST /v1/link/apple", .email(current: true), .apple())
        return client
    }
}

extension ServiceAnswer {
    static func conflict(handle: String) throws -> Self {
        try json(
            409,
            ErrorEnvelope(
                ErrorEnvelope.Body(
                    code: .credentialAlreadyInUse, message: "no", requestID: "r",
                    details: .credentialAlreadyInUse(
                        CredentialConflictBody(
                            handle: handle, expiresAt: APITime(secondsSince1970: 1_700_000_300))))))
    }
}
