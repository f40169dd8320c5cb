import Hummingbird

extension Emulator {
    static func addScriptRoutes(to open: Endpoints, _ authority: Authority) {
        let script = ScriptController(authority: authority)
        open.add("/appleauth/static/jsapi/appleid/1/:locale/appleid.auth.js", get: script.script)
        open.add("/assets/message.js", get: script.messageScript)
        let buttons = ButtonController(authority: authority)
        open.add("/appleid/button", get: buttons.center)
        open.add("/appleid/button/left", get: buttons.left)
        open.add("/appleid/button/logo", get: buttons.logo)
    }
}
