#if !canImport(Darwin)
    import OpenAuthenticationServices
    import Testing

    @Suite("A formatted name")
    struct FormattedNameTests {
        @Test(
            "is on one line, in the order of its language",
            arguments: [
                (name(given: "Ada", family: "Lovelace"), "Ada Lovelace"),
                (name(given: "Ada"), "Ada"),
                (name(family: "Lovelace"), "Lovelace"),
                (name(given: "", family: "Lovelace"), "Lovelace"),
                (name(given: "太郎", family: "山田"), "山田太郎"),
                (name(given: "길동", family: "홍"), "홍길동"),
                (name(given: "Taro", family: "山田"), "Taro 山田"),
                (name(nickname: "Enchantress"), "Enchantress"),
                (name(prefix: "Dr."), "Dr."),
                (name(), ""),
            ])
        func formatted(name: PersonNameComponents, line: String) {
            #expect(name.formatted() == line)
        }

        private static func name(
            given: String? = nil, family: String? = nil, nickname: String? = nil, prefix: String? = nil
        ) -> PersonNameComponents {
            var name = PersonNameComponents()
            name.givenName = given
            name.familyName = family
            name.nickname = nickname
            name.namePrefix = prefix
            return name
        }
    }
#endif
