import AccountSQL

extension SQLDialect {
    /// Strict tables keep a column's type. Without a row id a table is stored in the order of its key, which is one
    /// tree less to write.
    static let sqlite = SQLDialect(
        id: "TEXT", text: "TEXT", bytes: "BLOB", int64: "INTEGER", flag: "INTEGER",
        tableOptions: " STRICT, WITHOUT ROWID")
}
