export { ConnectForm } from "./ConnectForm";
export { FoundChoices } from "./FoundChoices";
export { providerName } from "./presets";
