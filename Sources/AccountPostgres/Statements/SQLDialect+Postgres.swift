#if PostgreSQL
    import AccountSQL

    extension SQLDialect {
        /// Collation "C" compares byte by byte whatever the locale of the database, and its indexes outlive an update
        /// of the system's collations.
        static let postgres = SQLDialect(
            id: #"TEXT COLLATE "C""#, text: #"TEXT COLLATE "C""#, bytes: "BYTEA", int64: "BIGINT", flag: "BOOLEAN",
            tableOptions: "")
    }
#endif
