import HTTPTypes
import Hummingbird

/// `GET /`: a page about the emulator.
struct IndexController: Sendable {
    let authority: Authority
    let pages: Pages

    @Sendable func index(_ request: Request, _ context: EmulatorContext) -> Response {
        .page(pages.index(authority.portal))
    }
}
