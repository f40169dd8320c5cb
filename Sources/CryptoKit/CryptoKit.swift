// Apple's name for what swift-crypto has, so that an app's `import CryptoKit` stays as it is.
@_exported public import Crypto
