// Every file here names an engine.
@_exported import AccountEngines
