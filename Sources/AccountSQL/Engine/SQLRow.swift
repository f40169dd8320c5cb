/// One row of an answer, as an engine holds it; valid only while it is decoded.
///
/// Columns count from 0. Each method throws ``SQLRowError`` for a column that is not there or holds something else.
public protocol SQLRow {
    func isNull(_ column: Int) throws -> Bool
    func text(_ column: Int) throws -> String
    func bytes(_ column: Int) throws -> [UInt8]
    func int64(_ column: Int) throws -> Int64
    func flag(_ column: Int) throws -> Bool
}
