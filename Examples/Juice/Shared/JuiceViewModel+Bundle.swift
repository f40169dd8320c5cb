import Foundation
import JuiceScreens

extension JuiceViewModel {
    /// Makes the app's model with the settings of its Info.plist, which come from Config/Juice.xcconfig.
    static func fromBundle() -> Result<JuiceViewModel, JuiceSettingsError> {
        do throws(JuiceSettingsError) {
            return .success(JuiceViewModel(settings: try JuiceSettings(info: Bundle.main.infoDictionary ?? [:])))
        } catch {
            return .failure(error)
        }
    }
}
