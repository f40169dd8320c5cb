/// The moves of a ``MachineWorld``: each changes the app, the service, the storage or the clock once.
extension MachineWorld {
    enum Move: Hashable {
        case request(Request)
        case beginAuthorization
        case endAuthorization
        case refuseAccessToken
        case timePasses
        /// A call begins for whoever is signed in. ``Request/accountToldLate`` is its answer.
        case callBegins

        case storageAnswers
        case storageFails
        case refreshAnswers
        case refreshIsLost
        case refreshIsAbandoned
        case endIsExplained(Explanation)

        case serviceEndsSession
        case otherProcessRenews
        case otherProcessSignsOut
        case otherProcessSignsIn
        /// A sign-in of the other process fails, after Apple has told the person's name.
        case otherProcessKeepsName
    }

    enum Request: CaseIterable {
        case read, state, rereadIfSignedOut, store, accessToken, prepareSignIn, keepName, signIn, signOut, accountTold
        case accountToldLate, accountChanged, standingTold, formerStandingTold, reauthenticated, sessionRefused
        case endedByPerson, accountDeleted, signInWithoutApple, upgraded, linked, userForgotten
    }

    enum Explanation: CaseIterable {
        case revoked, stillAuthorized, otherwise, unknown
    }
}
