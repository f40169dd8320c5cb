/// How much a document may ask of its reader.
package struct JSONLimits: Sendable, Hashable {
    package var maximumBytes: Int
    /// How many arrays and objects may lie in one another.
    package var maximumDepth: Int

    package init(maximumBytes: Int = 65_536, maximumDepth: Int = 32) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
    }
}
