// The keychain and random bytes. CoreFoundation's types bridge to Swift's there, which they do here by being them.

public import Foundation

// corefoundation/cfdictionary, cfstring, cfboolean, cftyperef
public typealias CFDictionary = [String: Any]
public typealias CFString = String
public typealias CFBoolean = Bool
public typealias CFTypeRef = AnyObject
// security/osstatus
public typealias OSStatus = Int32

// corefoundation/kcfbooleantrue
public var kCFBooleanTrue: CFBoolean! { true }

// security/secitemcopymatching(_:_:)
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
// security/secitemadd(_:_:)
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
// security/secitemupdate(_:_:)
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus { 0 }
// security/secitemdelete(_:)
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }

// security/ksecclass, ksecclassgenericpassword, ksecattrservice, ksecattraccount, ksecattraccessgroup
public var kSecClass: CFString { "" }
public var kSecClassGenericPassword: CFString { "" }
public var kSecAttrService: CFString { "" }
public var kSecAttrAccount: CFString { "" }
public var kSecAttrAccessGroup: CFString { "" }
// security/ksecattraccessible, ksecattraccessibleafterfirstunlockthisdeviceonly
public var kSecAttrAccessible: CFString { "" }
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { "" }
// security/ksecmatchlimit, ksecmatchlimitone, ksecreturndata, ksecvaluedata
public var kSecMatchLimit: CFString { "" }
public var kSecMatchLimitOne: CFString { "" }
public var kSecReturnData: CFString { "" }
public var kSecValueData: CFString { "" }
// security/ksecusedataprotectionkeychain: macOS 10.15, and every other system
public var kSecUseDataProtectionKeychain: CFString { "" }

// security/errsecsuccess, errsecduplicateitem, errsecitemnotfound, errsecinteractionnotallowed, errsecmissingentitlement
public var errSecSuccess: OSStatus { 0 }
public var errSecDuplicateItem: OSStatus { -25299 }
public var errSecItemNotFound: OSStatus { -25300 }
public var errSecInteractionNotAllowed: OSStatus { -25308 }
public var errSecMissingEntitlement: OSStatus { -34018 }

// security/secrandomref, ksecrandomdefault, secrandomcopybytes(_:_:_:)
public typealias SecRandomRef = OpaquePointer
public var kSecRandomDefault: SecRandomRef? { nil }
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> CInt { 0 }
