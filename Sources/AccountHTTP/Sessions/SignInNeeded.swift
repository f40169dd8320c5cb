/// A page for signed-in people was asked for by a browser that is not: it is sent to the sign-in page.
struct SignInNeeded: Error {}
