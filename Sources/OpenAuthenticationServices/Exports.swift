// Sign in with Apple code imports AuthenticationServices alone, yet uses Foundation's and Dispatch's names: on Apple's
// platforms both come along.
@_exported public import Dispatch
@_exported public import Foundation
