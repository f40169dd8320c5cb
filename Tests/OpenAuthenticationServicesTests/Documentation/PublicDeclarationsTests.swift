import Testing

@Suite("Reading public declarations from source")
struct PublicDeclarationsTests {
    @Test("finds exactly the public declarations, by owner and labels")
    func finds() {
        let source = #"""
            // public struct Comment {}
            public import Foundation
            open class Box: NSObject, @unchecked Sendable {
                private let hidden: Int
                package var ours: Int { 1 }
                open var width: Int { get { hidden } set {} }
                public init(_ width: Int, height: Int = 2, then body: (Int, Int) -> Void) {
                    let local = "public var inAString: Int {"
                    func inner() {}
                }
                public required init?(coder: NSCoder) { nil }
                open override func copy(with zone: NSZone? = nil) -> Any { self }
                public func fit<Value>(
                    _ value: Value, into other: [String: Value]
                ) -> Bool { true }
                open class var shared: Box { Box(1) }
                public struct Lid: Hashable {
                    public static let `default` = Lid()
                    struct Hidden { public var unseen: Int }
                }
                private struct Secret { public var unseen: Int }
            }
            extension Box.Lid {
                public enum Kind: Int {
                    case flat = 0
                    case `continue`
                    public var title: String { "case other" }
                    var internalTitle: String { "" }
                }
                func notPublic() {}
            }
            @MainActor
            public protocol Opening: NSObjectProtocol {
                func open(_ box: Box, with key: String)
                var isOpen: Bool { get }
            }
            #if !canImport(Security)
                public typealias Status = Int32
                public let success: Status = 0
            #endif
            """#
        #expect(
            PublicDeclarations(in: source).names == [
                "Box", "Box.width", "Box.init(_:height:then:)", "Box.fit(_:into:)", "Box.shared", "Box.Lid",
                "Box.Lid.default", "Box.Lid.Kind", "Box.Lid.Kind.flat", "Box.Lid.Kind.continue", "Box.Lid.Kind.title",
                "Opening", "Opening.open(_:with:)", "Opening.isOpen", "Status", "success",
            ])
    }

    @Test("reads the table's rows")
    func rows() {
        let documented = DocumentedSymbols(
            in: """
                | Apple's | Here | |
                |---|---|---|
                | `Box`, `Box.Lid.default`, `.other` | implemented | |
                | `Box.init(_:)` | differs | in size |
                | `Chest` | absent | |
                | `Crate` | maybe | |

                ## Not Apple's
                | `Hammer` | for nails |
                """)
        #expect(documented.apples[.implemented] == ["Box", "Box.Lid.default", "Box.Lid.other"])
        #expect(documented.apples[.differs] == ["Box.init(_:)"])
        #expect(documented.unreadable == ["| `Chest` | absent | |", "| `Crate` | maybe | |"])
        #expect(documented.ours == ["Hammer"])
    }
}
