export { GeneralPage } from "./GeneralPage";
export { MoneyPage } from "./MoneyPage";
export { ProvidersPage } from "./ProvidersPage";
export { SettingsLayout } from "./SettingsLayout";
export { StatusPage } from "./StatusPage";
