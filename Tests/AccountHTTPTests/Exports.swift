// Whatever touches the store is tested on each engine.
@_exported import AccountEngines
