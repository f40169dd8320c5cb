import Hummingbird

extension Emulator {
    /// Under `/emulator`.
    static func addDescriptionRoutes(to control: Endpoints) {
        control.add("/openapi.json", get: DescriptionController().description)
    }
}
