// How requests reach the account service, `ServiceTransport` and its values, is a part of the configuration.
@_exported public import AccountConnection
// Sign in with Apple code imports AuthenticationServices alone, yet uses Foundation's and Dispatch's names: on Apple's
// platforms both come along.
@_exported public import Dispatch
@_exported public import Foundation
