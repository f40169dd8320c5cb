/// The texts that siwa brings. The service never changes a text that people have agreed to: a new wording is a new
/// version.
extension ConsentTexts.Text {
    /// Every version in every language.
    static let builtIn = [english, german, firstEnglish, firstGerman]

    // MARK: Version 2: contact data, and ways to sign in

    static let english = Self(
        version: "2", language: "en",
        text: """
            If you hide your email address at Apple, this service doesn’t know who you are. You are about to bring such \
            an Apple Account together with data that tell it: a contact address, a phone number, or one more way to \
            sign in.

            If you agree, the service keeps both in your account. It then can tell who is behind the hidden address. \
            It uses a contact address or a phone number to reach you about your account. With one more way to sign in, \
            such as your email address or another Apple Account, you get into the same account. This is so in both \
            directions: if a way to sign in with an address joins an Apple Account that hides one, and the other way \
            round.

            An email address that you hid stays hidden: Apple doesn’t tell it to us. We show what you entered to no \
            other person, except one who signs in to this account, too.

            You don’t have to agree. Your account works as before, without the contact address, the phone number or \
            the other way to sign in.

            You can withdraw your consent at any time, on the page “What you agreed to” or in the app. The service then \
            removes at once what you agreed to: the contact address, the phone number, or each way to sign in that \
            joined your account with this consent. Where you signed in that way, you are signed out. If it is an Apple \
            Account, we ask Apple to end its connection to this service.

            Your account and your other ways to sign in stay. A way to sign in without which you couldn’t get into your \
            account stays, too. You can remove it yourself as soon as you have another one. The service keeps a note of \
            what you agreed to and when you withdrew it, until you delete your account.
            """)

    static let german = Self(
        version: "2", language: "de",
        text: """
            Wenn du bei Apple deine E-Mail-Adresse verbirgst, weiß dieser Dienst nicht, wer du bist. Du bist dabei, \
            einen solchen Apple Account mit Angaben zusammenzubringen, die es verraten: einer Kontaktadresse, einer \
            Telefonnummer oder einem weiteren Weg zur Anmeldung.

            Wenn du zustimmst, speichert der Dienst beides in deinem Konto. Er kann dann erkennen, wer hinter der \
            verborgenen Adresse steht. Eine Kontaktadresse oder Telefonnummer nutzt er, um dich wegen deines Kontos zu \
            erreichen. Ein weiterer Weg zur Anmeldung, etwa eine E-Mail-Adresse, führt in dasselbe Konto. Das gilt in \
            beiden Richtungen: ob ein Weg mit Adresse zu einem kommt, der sie verbirgt, oder umgekehrt.

            Eine Adresse, die du verborgen hast, bleibt verborgen: Apple nennt sie uns nicht. Deine Angaben zeigen wir \
            keiner anderen Person, außer wer sich auch bei diesem Konto anmeldet.

            Du musst nicht zustimmen. Dein Konto funktioniert wie bisher, ohne die Kontaktadresse, die Telefonnummer \
            oder den weiteren Weg zur Anmeldung.

            Du kannst deine Zustimmung jederzeit widerrufen, auf der Seite „What you agreed to“ oder in der App. Der \
            Dienst entfernt dann sofort, worin du eingewilligt hast: die Kontaktadresse, die Telefonnummer oder jeden Weg \
            zur Anmeldung, der mit dieser Zustimmung zu deinem Konto kam. Wo du auf diesem Weg angemeldet bist, wirst \
            du abgemeldet. Ist es ein Apple Account, bitten wir Apple, seine Verbindung zu diesem Dienst zu beenden.

            Dein Konto und deine anderen Wege zur Anmeldung bleiben. Ein Weg, ohne den du nicht mehr in dein Konto \
            kämst, bleibt auch. Du kannst ihn selbst entfernen, sobald du einen anderen hast. Der Dienst behält eine \
            Notiz, wozu du zugestimmt und wann du widerrufen hast, bis du dein Konto löschst.
            """)

    // MARK: Version 1: contact data

    private static let firstEnglish = Self(
        version: "1", language: "en",
        text: """
            You hid your email address when you signed in with Apple. So this service doesn’t know who you are.

            If you agree, the service stores the contact address or the phone number that you enter, together with your \
            account. It then can tell who you are, and uses what you entered to reach you about your account.

            The email address that you hid stays hidden: Apple doesn’t tell it to us, and we show what you entered to \
            no other person.

            You don’t have to agree. Without a contact address and a phone number your account works as before.

            You can withdraw your consent at any time, on the page “What you agreed to” or in the app. The service then \
            removes the contact address or the phone number from your account at once. It keeps a note of what you \
            agreed to and when you withdrew it, until you delete your account.
            """)

    private static let firstGerman = Self(
        version: "1", language: "de",
        text: """
            Du hast deine E-Mail-Adresse verborgen, als du dich mit Apple angemeldet hast. Dieser Dienst weiß deshalb \
            nicht, wer du bist.

            Wenn du zustimmst, speichert der Dienst die Kontaktadresse oder die Telefonnummer, die du eingibst, \
            zusammen mit deinem Konto. Er kann dann erkennen, wer du bist, und nutzt deine Angaben, um dich wegen \
            deines Kontos zu erreichen.

            Die Adresse, die du verborgen hast, bleibt verborgen: Apple nennt sie uns nicht, und wir zeigen deine \
            Angaben keiner anderen Person.

            Du musst nicht zustimmen. Ohne Kontaktadresse und Telefonnummer funktioniert dein Konto wie bisher.

            Du kannst deine Zustimmung jederzeit widerrufen, auf der Seite „What you agreed to“ oder in der App. Der \
            Dienst entfernt dann die Kontaktadresse oder die Telefonnummer sofort aus deinem Konto. Er behält eine \
            Notiz, wozu du zugestimmt und wann du widerrufen hast, bis du dein Konto löschst.
            """)
}
