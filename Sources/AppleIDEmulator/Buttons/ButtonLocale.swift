/// The languages of Apple's buttons and script, by Apple's names for them, odd ones included (`iw_IL`, `no_NO`,
/// `vi_VI`).
///
/// The titles are translations of our own: near Apple's, and not promised to be its words.
struct ButtonLocale: Sendable, Hashable {
    static let standard = Self(name: "en_US")

    /// Apple's name.
    let name: String

    private init(name: String) {
        self.name = name
    }

    /// Nil for a language that Apple does not have.
    init?(rawValue: String) {
        guard Self.titles[rawValue] != nil else { return nil }
        name = rawValue
    }

    static var all: [Self] { titles.keys.sorted().map { Self(name: $0) } }

    /// The language tag as BCP 47 and thus HTML have it today.
    var language: String {
        switch name {
        case "iw_IL": "he-IL"
        case "no_NO": "nb-NO"
        case "vi_VI": "vi-VN"
        default: name.replacing("_", with: "-")
        }
    }

    var isRightToLeft: Bool { ["ar_SA", "iw_IL"].contains(name) }

    func text(_ title: ButtonTitle) -> String {
        let titles = Self.titles[name] ?? ("", "", "")
        return switch title {
        case .signIn: titles.signIn
        case .continue: titles.continue
        case .signUp: titles.signUp
        }
    }

    private static let titles: [String: (signIn: String, continue: String, signUp: String)] = [
        "ar_SA": ("تسجيل الدخول باستخدام Apple", "المتابعة باستخدام Apple", "التسجيل باستخدام Apple"),
        "ca_ES": ("Inicia sessió amb Apple", "Continua amb Apple", "Registra’t amb Apple"),
        "cs_CZ": ("Přihlásit se přes Apple", "Pokračovat přes Apple", "Registrovat se přes Apple"),
        "da_DK": ("Log ind med Apple", "Fortsæt med Apple", "Tilmeld dig med Apple"),
        "de_DE": ("Mit Apple anmelden", "Mit Apple fortfahren", "Mit Apple registrieren"),
        "el_GR": ("Σύνδεση με Apple", "Συνέχεια με Apple", "Εγγραφή με Apple"),
        "en_GB": ("Sign in with Apple", "Continue with Apple", "Sign up with Apple"),
        "en_US": ("Sign in with Apple", "Continue with Apple", "Sign up with Apple"),
        "es_ES": ("Iniciar sesión con Apple", "Continuar con Apple", "Registrarse con Apple"),
        "es_MX": ("Iniciar sesión con Apple", "Continuar con Apple", "Registrarse con Apple"),
        "fi_FI": ("Kirjaudu Applella", "Jatka Applella", "Rekisteröidy Applella"),
        "fr_CA": ("Se connecter avec Apple", "Continuer avec Apple", "S’inscrire avec Apple"),
        "fr_FR": ("Se connecter avec Apple", "Continuer avec Apple", "S’inscrire avec Apple"),
        "hr_HR": ("Prijavi se putem Applea", "Nastavi putem Applea", "Registriraj se putem Applea"),
        "hu_HU": ("Bejelentkezés Apple-lel", "Folytatás Apple-lel", "Regisztráció Apple-lel"),
        "id_ID": ("Masuk dengan Apple", "Lanjutkan dengan Apple", "Daftar dengan Apple"),
        "it_IT": ("Accedi con Apple", "Continua con Apple", "Registrati con Apple"),
        "iw_IL": ("התחברות עם Apple", "המשך עם Apple", "הרשמה עם Apple"),
        "ja_JP": ("Appleでサインイン", "Appleで続ける", "Appleで登録"),
        "ko_KR": ("Apple로 로그인", "Apple로 계속하기", "Apple로 가입하기"),
        "ms_MY": ("Daftar masuk dengan Apple", "Teruskan dengan Apple", "Daftar dengan Apple"),
        "nl_NL": ("Log in met Apple", "Ga door met Apple", "Registreer met Apple"),
        "no_NO": ("Logg på med Apple", "Fortsett med Apple", "Registrer deg med Apple"),
        "pl_PL": ("Zaloguj się przez Apple", "Kontynuuj przez Apple", "Zarejestruj się przez Apple"),
        "pt_BR": ("Iniciar sessão com a Apple", "Continuar com a Apple", "Cadastrar-se com a Apple"),
        "pt_PT": ("Iniciar sessão com a Apple", "Continuar com a Apple", "Registar-se com a Apple"),
        "ro_RO": ("Autentificare cu Apple", "Continuare cu Apple", "Înregistrare cu Apple"),
        "ru_RU": ("Вход с Apple", "Продолжить с Apple", "Регистрация с Apple"),
        "sk_SK": ("Prihlásiť sa cez Apple", "Pokračovať cez Apple", "Registrovať sa cez Apple"),
        "sv_SE": ("Logga in med Apple", "Fortsätt med Apple", "Registrera dig med Apple"),
        "th_TH": ("ลงชื่อเข้าด้วย Apple", "ดำเนินการต่อด้วย Apple", "ลงทะเบียนด้วย Apple"),
        "tr_TR": ("Apple ile giriş yap", "Apple ile devam et", "Apple ile kaydol"),
        "uk_UA": ("Вхід з Apple", "Продовжити з Apple", "Реєстрація з Apple"),
        "vi_VI": ("Đăng nhập bằng Apple", "Tiếp tục bằng Apple", "Đăng ký bằng Apple"),
        "zh_CN": ("通过 Apple 登录", "通过 Apple 继续", "通过 Apple 注册"),
        "zh_HK": ("使用 Apple 登入", "使用 Apple 繼續", "使用 Apple 註冊"),
        "zh_TW": ("使用 Apple 登入", "使用 Apple 繼續", "使用 Apple 註冊"),
    ]
}
