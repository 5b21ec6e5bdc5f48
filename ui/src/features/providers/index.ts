export { ConnectForm } from "./ConnectForm";
export { ConnectionList } from "./ConnectionList";
export { FoundChoices } from "./FoundChoices";
export { providerName } from "./presets";
