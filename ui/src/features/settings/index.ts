export { GeneralPage } from "./GeneralPage";
export { ModelsPage } from "./ModelsPage";
export { ProvidersPage } from "./ProvidersPage";
export { SettingsLayout } from "./SettingsLayout";
export { StatusPage } from "./StatusPage";
