#if PostgreSQL
    import CPostgres

    /// The server's numbers for the types that the store uses; they are the same in every PostgreSQL.
    enum ServerType {
        static let flag: Oid = 16
        static let bytes: Oid = 17
        static let int64: Oid = 20
        static let int16: Oid = 21
        static let int32: Oid = 23
        static let text: Oid = 25
        /// Lets the server decide from where the parameter stands.
        static let unspecified: Oid = 0
    }
#endif
