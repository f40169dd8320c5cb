#if PostgreSQL
    import AccountSQL

    extension SQLStatement {
        /// The statement with `$1` for `?1`. Statements of the store have no question mark elsewhere.
        var postgresText: String {
            String(decoding: text.utf8.map { $0 == UInt8(ascii: "?") ? UInt8(ascii: "$") : $0 }, as: UTF8.self)
        }
    }
#endif
