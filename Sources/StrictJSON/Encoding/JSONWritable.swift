/// A value that writes itself as JSON, without what `Encodable` costs: for the few that nearly every answer is made of.
package protocol JSONWritable {
    /// Writes one value, the same that encoding it gives.
    func write(to text: inout JSONText)
}
