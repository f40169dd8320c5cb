import HTTPTypes
import Hummingbird

/// `/emulator/people`: what people do to their Apple Account as a whole.
struct PeopleController: Sendable {
    let authority: Authority

    /// `POST /emulator/people/change-password` with `person`.
    @Sendable func changePassword(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await authority.changePassword(of: try await person(request))
        return Response(status: .noContent)
    }

    /// `POST /emulator/people/delete` with `person`.
    @Sendable func delete(_ request: Request, _ context: EmulatorContext) async throws -> Response {
        try await authority.deleteAccount(of: try await person(request))
        return Response(status: .noContent)
    }

    private func person(_ request: Request) async throws -> Portal.Person {
        var body = try Members(await request.boundedBody())
        let id = try body.required("person")
        try body.checkNothingIsLeft()
        return try authority.person(id)
    }
}
