export { LocalModels } from "./LateLocalModels";
