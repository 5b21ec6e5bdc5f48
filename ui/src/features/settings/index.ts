export { GeneralPage } from "./GeneralPage";
export { ProvidersPage } from "./ProvidersPage";
export { SettingsLayout } from "./SettingsLayout";
export { StatusPage } from "./StatusPage";
