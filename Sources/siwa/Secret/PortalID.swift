/// Team IDs and Key IDs as Apple's portal gives them out.
enum PortalID {
    static let form = "ten capital letters and digits, as the portal shows them"

    static func isWellFormed(_ text: String) -> Bool {
        text.utf8.count == 10
            && text.utf8.allSatisfy {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }
}
