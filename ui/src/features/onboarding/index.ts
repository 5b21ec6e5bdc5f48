export { Welcome } from "./Welcome";
